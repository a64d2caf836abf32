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
#include "apimachinery/codec/projection.h"
#include "apimachinery/meta/object_access.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/sharding/selector.h"
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
#include "informers/sharded_lister_watcher.h"
#include "informers/shared_informer.h"
#include "informers/shared_informer_options.h"
#include "informers/transform.h"
#include "informers/wait_for_cache_sync.h"
#include "listers/lister.h"
#include "listers/stored_object.h"

namespace kube::informers {

// A setting for the informers of one object type, which ResyncOf, TransformOf, SelectorsOf and
// ProjectionOf make.
struct InformerSetting {
  const kube::table::Message* type = nullptr;
  absl::Duration resync_period = absl::ZeroDuration();
  AnyTransform transform = {};
  std::string label_selector = {};
  std::string field_selector = {};
  codec::ProjectionOptions projection = {};
};

// Options that apply to all informers of a factory. (client-go: `SharedInformerOption`)
struct SharedInformerFactoryOptions {
  // Resync period of handlers that set none. Zero, the default: no resyncs.
  // (client-go: `defaultResync`)
  absl::Duration default_resync = absl::ZeroDuration();
  // Resync periods of single types, such as {ResyncOf<corev1::Pod>(absl::Minutes(10))}.
  // (client-go: `WithCustomResyncConfig`)
  std::vector<InformerSetting> custom_resync = {};
  // Lengthens the resync period of each informer by a random part of up to this fraction, so that
  // informers and replicas that start together do not resync together. Zero, the default: periods
  // are exact. controller-runtime's caches vary theirs by a tenth.
  double resync_jitter = 0;
  // Namespace of all namespaced resources; cluster-scoped resources ignore it. Default: all
  // namespaces. (client-go: `WithNamespace`)
  std::string namespace_name = {};
  // Select the objects of all types. Default: all objects.
  std::string label_selector = {};
  std::string field_selector = {};
  // Select the objects of single types in addition: an object must match both selectors. For
  // example {SelectorsOf<corev1::Pod>({.field_selector = "spec.nodeName=node-1"})}.
  // (controller-runtime: `ByObject.Label`, `ByObject.Field`)
  std::vector<InformerSetting> selectors = {};
  // The shard of all objects that the informers hold; see MakeShardedListerWatcher. Of
  // cluster-scoped resources a shard by namespace has all objects or none. Default: all objects.
  sharding::Selector shard = {};
  // Changes the options of each list and watch request before it is sent. Called on the informers'
  // threads, possibly on several at once. Null, the default: no change.
  // (client-go: `WithTweakListOptions`)
  std::function<void(api::meta::v1::ListOptions&)> tweak_list_options = {};
  // Transforms of single types, such as {TransformOf<corev1::Pod>(...)}. There is no transform for
  // all types; to drop managed fields, its most common use, set lister_watcher.drop_managed_fields.
  // (client-go: `WithTransform`)
  std::vector<InformerSetting> transforms = {};
  // How objects are decoded. A projection must be valid for all types of the factory that have none
  // of their own in `projections`.
  ListerWatcherOptions lister_watcher = {};
  // Projections of single types, instead of that of `lister_watcher`, such as
  // {ProjectionOf<corev1::Pod>({.drop = {"status"}})}. The texts of the paths must live as long as
  // the factory, as literals do.
  std::vector<InformerSetting> projections = {};
  // Page size, back-off, watch-list. Its selectors and resync period are replaced by those above.
  ReflectorOptions reflector = {};
  // Destination and name label of metrics; see SharedInformerOptions.
  // (client-go: `WithInformerName`)
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

// The objects of one type that SelectorsOf selects. Empty: all.
struct ObjectSelectors {
  std::string label_selector = {};
  std::string field_selector = {};
};
template <listers::StoredObject T>
InformerSetting SelectorsOf(ObjectSelectors selectors) {
  return {.type = &T::kMessage,
          .label_selector = std::move(selectors.label_selector),
          .field_selector = std::move(selectors.field_selector)};
}
template <listers::StoredObject T>
InformerSetting ProjectionOf(codec::ProjectionOptions projection) {
  return {.type = &T::kMessage, .projection = std::move(projection)};
}

// Makes one informer per resource, on first use, and runs it. The base class of all factories; for
// an example see kubernetes::SharedInformerFactory. (client-go: `informers.SharedInformerFactory`)
//
// For code generators: a factory of typed clients is a subclass with an accessor for each group,
// which returns an accessor for each version, which returns a KindInformer for each kind:
//
//   class CoreV1Informers {
//    public:
//     explicit CoreV1Informers(SharedInformerFactoryCore& core) : core_(&core) {}
//     KindInformer<corev1::ConfigMap, corev1::ConfigMapList> ConfigMaps() const {
//       return {*core_, kConfigMaps};
//     }
//     ...
//   };
//
// Accessors are values that hold only a pointer to the factory. A kind has an informer if it can be
// listed and watched. The second argument of KindInformer must be constexpr or live as long as the
// factory. Two kinds with the same resource and type share an informer.
//
// Thread-safe, except for the destructor, which calls Shutdown. A handler of one of its informers,
// or a function that an informer calls on its own thread (a transform, an error handler), must not
// destroy the factory, because the destructor would wait for it: the program is then terminated
// with a message that names the handler.
class SharedInformerFactoryCore {
 public:
  explicit SharedInformerFactoryCore(rest::Client client,
                                     SharedInformerFactoryOptions options = {});
  ~SharedInformerFactoryCore();
  SharedInformerFactoryCore(const SharedInformerFactoryCore&) = delete;
  SharedInformerFactoryCore& operator=(const SharedInformerFactoryCore&) = delete;

  // Returns the informer of a resource. It lives as long as the factory, or until Remove. It starts
  // with the next call of Start. (client-go: `InformerFor`)
  template <listers::StoredObject T, ApiStruct ListT>
  SharedInformer<T>& InformerFor(const typed::Resource& resource) {
    const typed::TypedClient<T, ListT> client(client_, resource);
    return InformerOver<T>(client.core(), ListT::kMessage, resource.namespaced);
  }

  // Starts a thread for each informer that has none yet; call it again after informers were added.
  // The threads end with `ctx` or with Shutdown. Does not block. Returns FAILED_PRECONDITION after
  // Shutdown, or RESOURCE_EXHAUSTED if the system cannot create a thread; some informers are then
  // not started. (client-go: `Start`)
  absl::Status Start(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);

  // Ends one informer, with its watch, its thread and its handlers. It leaves the factory and is
  // destroyed, unless a result of Informers still refers to it. Other informers are not affected.
  // Blocks until it has ended: a handler that is running is waited for, and none is called
  // afterwards. The caller must not hold a lock that a handler may take. The next InformerFor of
  // the resource makes a new informer with an empty store, which starts with the next call of
  // Start. (client-go cannot stop one informer of a factory.)
  //
  // Listers and stores of the informer stay valid: they keep the objects that they have and no
  // longer change. Registrations of its handlers report that it has stopped. Its metrics keep their
  // last values until a new informer of the resource runs. References to the informer itself become
  // invalid; the caller makes sure that nobody else uses it meanwhile. The methods of this class
  // may run meanwhile: WaitForCacheSync and CheckSynced no longer count the informer, and calls of
  // Remove for the same informer, and of Shutdown, all block until it has ended. An informer that
  // is not of this factory is ignored.
  //
  // If a handler of this factory's informers calls it, or a function that an informer calls on its
  // own thread, it does not block: the informer leaves the factory at once, the calls of its
  // handlers that are running are the last ones, and it ends after they have returned. A later call
  // of Start or Remove, or the destructor, destroys it.
  void Remove(AnySharedInformer& informer) ABSL_LOCKS_EXCLUDED(mutex_);

  // Blocks until all started informers have synced; see informers::WaitForCacheSync. Those that are
  // removed meanwhile are no longer waited for. (client-go: `WaitForCacheSync`)
  absl::Status WaitForCacheSync(const Context& ctx,
                                const WaitForCacheSyncOptions& options = {}) const
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns OK if all informers of this factory have synced; meant for readiness checks. Does not
  // block. Otherwise returns UNAVAILABLE with the names of all that have not synced and the
  // reasons, including informers that were not started: "check cache sync: pods: list pods: pods is
  // forbidden: User ...; nodes: informer has not started".
  absl::Status CheckSynced() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Stops all informers and blocks until they and their handlers have ended. No informer can be
  // started afterwards. May be called repeatedly and by several threads; each call blocks until
  // everything has ended. If a handler of one of these informers calls it, or a function that an
  // informer calls on its own thread, it only requests the stop and does not block: the informers
  // end after the caller has returned, and the destructor, or Shutdown on another thread, waits for
  // them. (client-go: `Shutdown`, which expects the caller to stop the informers, and blocks
  // forever if a handler calls it.)
  void Shutdown() ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns all informers in the order in which they were made, for status pages. They stay valid
  // after Remove and after the factory was destroyed, and have then stopped.
  std::vector<std::shared_ptr<const AnySharedInformer>> Informers() const
      ABSL_LOCKS_EXCLUDED(mutex_);

  const rest::Client& client() const { return client_; }

 protected:
  // Returns the informer of a resource of another client. `list` describes the type of its lists.
  template <listers::StoredObject T>
  SharedInformer<T>& InformerOver(const typed::TypedCore& client, const kube::table::Message& list,
                                  bool namespaced) {
    return static_cast<SharedInformer<T>&>(FindOrMake(
        T::kMessage, client.resource(),
        [&](SharedInformerOptions options) -> std::unique_ptr<AnySharedInformer> {
          TypedListerWatcher<T> source{SourceOf(client, T::kMessage, list, namespaced)};
          if (!options_.shard.empty()) {
            source = MakeShardedListerWatcher(std::move(source), options_.shard);
          }
          return std::make_unique<SharedInformer<T>>(std::move(source), std::move(options));
        }));
  }

 private:
  // An informer and its thread. Start sets `thread`, under mutex_, as long as the entry is in
  // entries_. The other members do not change.
  struct Entry {
    // Does not block. Has no effect if the informer was not started.
    void RequestStop();
    // Blocks until the informer has ended and its thread is joined. Thread-safe.
    void Join() ABSL_LOCKS_EXCLUDED(join_mutex);

    const kube::table::Message* type = nullptr;
    schema::GroupVersionResource resource = {};
    std::shared_ptr<AnySharedInformer> informer = {};
    // Set when the informer's Run has returned.
    base::Event ended;
    // Held while the thread, whose Run has returned, is joined.
    base::Mutex join_mutex;
    std::unique_ptr<base::Thread> thread = {};  // null: not started
  };
  using Entries = std::vector<std::shared_ptr<Entry>>;
  using MakeInformer = absl::FunctionRef<std::unique_ptr<AnySharedInformer>(SharedInformerOptions)>;

  // Makes the ListerWatcher for the options. If the options are invalid, its lists and watches
  // return the error.
  std::shared_ptr<ListerWatcher> SourceOf(typed::TypedCore client,
                                          const kube::table::Message& object,
                                          const kube::table::Message& list, bool namespaced) const;
  // Describes which handler or informer thread is the caller, for a message; empty if the caller is
  // another thread.
  std::string Caller() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Moves the entry of an informer from entries_ to retired_ and returns it. Returns it, too, if it
  // is retired already, and null if there is no such informer.
  std::shared_ptr<Entry> Retire(const AnySharedInformer& informer)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Destroys the retired informers that have ended.
  void DestroyEnded() ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the informers that were started and not removed.
  std::vector<std::shared_ptr<const AnySharedInformer>> Started() const ABSL_LOCKS_EXCLUDED(mutex_);
  AnySharedInformer& FindOrMake(const kube::table::Message& type,
                                const schema::GroupVersionResource& resource, MakeInformer make)
      ABSL_LOCKS_EXCLUDED(mutex_);
  SharedInformerOptions OptionsFor(const kube::table::Message& type,
                                   const schema::GroupVersionResource& resource) const;

  const rest::Client client_;
  const SharedInformerFactoryOptions options_;

  mutable base::Mutex mutex_;
  bool shutting_down_ ABSL_GUARDED_BY(mutex_) = false;
  Entries entries_ ABSL_GUARDED_BY(mutex_);
  // Removed informers that may not have ended yet.
  Entries retired_ ABSL_GUARDED_BY(mutex_);
};

// Returned by a factory's accessor of a kind. A handle: cheap to copy; the factory must outlive it.
// (client-go: `DeploymentInformer` and others)
template <listers::StoredObject T, ApiStruct ListT>
class KindInformer {
 public:
  // `resource` must live as long as the factory.
  KindInformer(SharedInformerFactoryCore& factory, const typed::Resource& resource)
      : factory_(&factory), resource_(&resource) {}

  // Returns the factory's informer of this kind; the first call makes it.
  SharedInformer<T>& Informer() const {
    return factory_->template InformerFor<T, ListT>(*resource_);
  }
  // Returns the lister of the informer, and makes the informer if necessary: call it before Start.
  listers::Lister<T> Lister() const { return Informer().lister(); }

 private:
  SharedInformerFactoryCore* factory_;
  const typed::Resource* resource_;
};

}  // namespace kube::informers

#endif  // INFORMERS_SHARED_INFORMER_FACTORY_CORE_H_
