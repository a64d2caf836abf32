#ifndef INFORMERS_SHARED_INFORMER_FACTORY_CORE_H_
#define INFORMERS_SHARED_INFORMER_FACTORY_CORE_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/meta/object_access.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "clientset/typed/typed_core.h"
#include "informers/any_shared_informer.h"
#include "informers/any_transform.h"
#include "informers/lister_watcher.h"
#include "informers/reflector_options.h"
#include "informers/shared_informer.h"
#include "informers/shared_informer_options.h"
#include "informers/transform.h"
#include "informers/wait_for_cache_sync.h"
#include "listers/lister.h"
#include "listers/stored_object.h"

namespace kube::informers {

// A setting for the informer of one type: make it with ResyncOf or TransformOf.
struct InformerSetting {
  const kube::table::Message* type = nullptr;
  absl::Duration resync_period = absl::ZeroDuration();
  AnyTransform transform = {};
};

// Of a factory: what holds for all informers that it makes. (SharedInformerOption)
struct SharedInformerFactoryOptions {
  // How often handlers are told of all objects again, if they do not say otherwise. Zero, the
  // default: never. (defaultResync)
  absl::Duration default_resync = absl::ZeroDuration();
  // Of these types, another period: {ResyncOf<corev1::Pod>(absl::Minutes(10))}.
  // (WithCustomResyncConfig)
  std::vector<InformerSetting> custom_resync = {};
  // Default: all namespaces. Of resources that are in none, all. (WithNamespace)
  std::string namespace_name = {};
  // Which objects, of all types. Default: all.
  std::string label_selector = {};
  std::string field_selector = {};
  // Changes the options of each list and watch before it is sent. Called by the informers' threads,
  // of several at once. Null: nothing. (WithTweakListOptions)
  std::function<void(api::meta::v1::ListOptions&)> tweak_list_options = {};
  // What is stored instead of the objects of these types: {TransformOf<corev1::Pod>(...)}. There is
  // none for all types: what it is mostly used for is lister_watcher.drop_managed_fields.
  // (WithTransform)
  std::vector<InformerSetting> transforms = {};
  // How objects come into memory. A projection has to fit all types.
  ListerWatcherOptions lister_watcher = {};
  // Pages, back-off, watch-lists. Selectors and resyncs are those above.
  ReflectorOptions reflector = {};
  // See SharedInformerOptions. (WithInformerName)
  std::shared_ptr<base::MetricsProvider> metrics = base::NoOpMetrics();
  std::string metrics_name = {};
};

template <listers::StoredObject T>
InformerSetting ResyncOf(absl::Duration period) {
  return {.type = &T::kMessage, .resync_period = period};
}
template <listers::StoredObject T>
InformerSetting TransformOf(Transform<T> transform) {
  return {.type = &T::kMessage, .transform = internal::EraseTransform<T>(std::move(transform))};
}

// Makes informers, one for each resource, when they are asked for the first time, and runs them:
// what all factories are made of. (informers.SharedInformerFactory)
//
//   kubernetes::SharedInformerFactory factory(clientset.client(), {.namespace_name = "prod"});
//   auto deployments = factory.Apps().V1().Deployments();
//   KUBE_RETURN_IF_ERROR(deployments.Informer().AddEventHandler({.on_add = ...}).status());
//   KUBE_RETURN_IF_ERROR(factory.Start(ctx));
//   KUBE_RETURN_IF_ERROR(factory.WaitForCacheSync(ctx));
//   deployments.Lister().Namespace("prod").Get("web");
//
// ---- For generators. A factory of typed clients is a class below this one with an accessor for
// each group, which gives one for each version, which gives a KindInformer for each kind:
//
//   class AppsV1Informers {
//    public:
//     explicit AppsV1Informers(informers::SharedInformerFactoryCore& core) : core_(&core) {}
//     informers::KindInformer<Deployment, DeploymentList> Deployments() const {
//       return {*core_, DeploymentClient::kResource};
//     }
//    private:
//     informers::SharedInformerFactoryCore* core_;
//   };
//
// Accessors are values that hold nothing but a pointer to the factory. A kind has an informer if it
// can be listed and watched. The second argument of KindInformer is constexpr, or lives as long as
// the factory. Two kinds with one resource and type share an informer.
//
// Thread-safe, but the destructor, which is Shutdown. It must not be destroyed by a handler of its
// informers, or by what they call on their own threads (a transform, an error handler), for which
// it waits: that ends the program, with a message that names the handler.
class SharedInformerFactoryCore {
 public:
  explicit SharedInformerFactoryCore(rest::Client client,
                                     SharedInformerFactoryOptions options = {});
  ~SharedInformerFactoryCore();
  SharedInformerFactoryCore(const SharedInformerFactoryCore&) = delete;
  SharedInformerFactoryCore& operator=(const SharedInformerFactoryCore&) = delete;

  // The informer of a resource, which lives as long as the factory. It does nothing until Start is
  // called after this. (InformerFor)
  template <listers::StoredObject T, ApiStruct ListT>
  SharedInformer<T>& InformerFor(const typed::Resource& resource) {
    const typed::TypedClient<T, ListT> client(client_, resource);
    return InformerOver<T>(client.core(), ListT::kMessage, resource.namespaced);
  }

  // Starts a thread for each informer that has none yet; again whenever informers were added. They
  // end with `ctx`, or Shutdown. Does not block. FAILED_PRECONDITION after Shutdown;
  // RESOURCE_EXHAUSTED: the system has no thread left, and some are not started. (Start)
  absl::Status Start(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);

  // Waits for all that were started: see informers::WaitForCacheSync. (WaitForCacheSync)
  absl::Status WaitForCacheSync(const Context& ctx,
                                const WaitForCacheSyncOptions& options = {}) const
      ABSL_LOCKS_EXCLUDED(mutex_);

  // OK if all informers of this factory have synced, for a check of readiness; does not block.
  // UNAVAILABLE otherwise: names all that have not, and why, also those that were not started:
  // "check cache sync: pods: list pods: pods is forbidden: User ...; nodes: it is not running yet".
  absl::Status CheckSynced() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Stops all informers, and blocks until they and their handlers have. None can be started any
  // more. Again, also by several threads at once: blocks until that is so. Where a handler of one
  // of these informers calls it, or what an informer calls on its own thread, it stops them and
  // does not block: they end when that has returned, and the destructor, or Shutdown by another
  // thread, waits for it. (Shutdown, which waits for the caller to stop them; in a handler for
  // ever)
  void Shutdown() ABSL_LOCKS_EXCLUDED(mutex_);

  // Of all there are, in the order of their making: for those who look after a program.
  std::vector<const AnySharedInformer*> Informers() const ABSL_LOCKS_EXCLUDED(mutex_);

  const rest::Client& client() const { return client_; }

 protected:
  // For factories of other clients. `list` is the type of its lists.
  template <listers::StoredObject T>
  SharedInformer<T>& InformerOver(const typed::TypedCore& client, const kube::table::Message& list,
                                  bool namespaced) {
    return static_cast<SharedInformer<T>&>(
        FindOrMake(T::kMessage, client.resource(),
                   [&](SharedInformerOptions options) -> std::unique_ptr<AnySharedInformer> {
                     return std::make_unique<SharedInformer<T>>(
                         TypedListerWatcher<T>{SourceOf(client, T::kMessage, list, namespaced)},
                         std::move(options));
                   }));
  }

 private:
  struct Entry {
    const kube::table::Message* type = nullptr;
    schema::GroupVersionResource resource = {};
    std::unique_ptr<AnySharedInformer> informer = {};
    std::unique_ptr<base::Thread> thread = {};  // null: not started
  };
  using MakeInformer = absl::FunctionRef<std::unique_ptr<AnySharedInformer>(SharedInformerOptions)>;

  // Lists and watches as the options say. If that cannot be, it is the error of all its lists.
  std::shared_ptr<ListerWatcher> SourceOf(typed::TypedCore client,
                                          const kube::table::Message& object,
                                          const kube::table::Message& list, bool namespaced) const;
  // Who of its informers' is calling, in words for a message; empty: another thread.
  std::string Caller() const ABSL_LOCKS_EXCLUDED(mutex_);
  AnySharedInformer& FindOrMake(const kube::table::Message& type,
                                const schema::GroupVersionResource& resource, MakeInformer make)
      ABSL_LOCKS_EXCLUDED(mutex_);
  SharedInformerOptions OptionsFor(const kube::table::Message& type,
                                   const schema::GroupVersionResource& resource) const;

  const rest::Client client_;
  const SharedInformerFactoryOptions options_;
  base::Event ended_;

  mutable base::Mutex mutex_;
  bool shutting_down_ ABSL_GUARDED_BY(mutex_) = false;
  // Somebody waits for the threads, or has.
  bool joining_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::unique_ptr<Entry>> entries_ ABSL_GUARDED_BY(mutex_);
};

// What a factory's accessor of a kind gives. A handle: cheap to copy; the factory outlives it.
// (DeploymentInformer and its like)
template <listers::StoredObject T, ApiStruct ListT>
class KindInformer {
 public:
  // `resource` lives as long as the factory.
  KindInformer(SharedInformerFactoryCore& factory, const typed::Resource& resource)
      : factory_(&factory), resource_(&resource) {}

  // The factory's one informer of this kind; the first call makes it.
  SharedInformer<T>& Informer() const {
    return factory_->template InformerFor<T, ListT>(*resource_);
  }
  // Makes the informer, too, if there is none: call it before Start.
  listers::Lister<T> Lister() const { return Informer().lister(); }

 private:
  SharedInformerFactoryCore* factory_;
  const typed::Resource* resource_;
};

}  // namespace kube::informers

#endif  // INFORMERS_SHARED_INFORMER_FACTORY_CORE_H_
