#ifndef CONTROLLER_CACHE_CACHE_H_
#define CONTROLLER_CACHE_CACHE_H_

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/resource_traits.h"
#include "clientset/typed/typed_client.h"
#include "controller/cache/cache_options.h"
#include "controller/cache/internal/informer_pool.h"
#include "controller/cache/required_access.h"
#include "controller/cache/watched.h"
#include "controller/cache/watched_core.h"
#include "informers/any_shared_informer.h"
#include "informers/lister_watcher.h"
#include "informers/shared_informer.h"
#include "informers/shared_informer_options.h"
#include "listers/snapshot.h"
#include "listers/stored_object.h"

namespace kube::controller {

namespace internal {

// Makes an informer of the objects of `namespace_name`; "" for all, or for a cluster-scoped kind.
using MakeAnyInformer = std::unique_ptr<informers::AnySharedInformer> (*)(
    const rest::Client& client, const typed::Resource& resource, absl::string_view namespace_name,
    const informers::ListerWatcherOptions& source, informers::SharedInformerOptions options);

template <listers::StoredObject K, ApiStruct List>
std::unique_ptr<informers::AnySharedInformer> MakeInformer(
    const rest::Client& client, const typed::Resource& resource, absl::string_view namespace_name,
    const informers::ListerWatcherOptions& source, informers::SharedInformerOptions options) {
  const auto typed_client = typed::TypedClient<K, List>(client, resource).Namespace(namespace_name);
  auto made = informers::MakeListerWatcher(typed_client, source);
  if (!made.ok()) {
    made = informers::TypedListerWatcher<K>{
        .any = informers::MakeFailedListerWatcher(made.status(), std::string(resource.plural))};
  }
  return std::make_unique<informers::SharedInformer<K>>(*std::move(made), std::move(options));
}

template <listers::StoredObject K>
std::shared_ptr<const void> TakeSnapshotOf(const informers::AnySharedInformer& informer) {
  const auto& typed_informer = static_cast<const informers::SharedInformer<K>&>(informer);
  return std::make_shared<const listers::Snapshot<K>>(typed_informer.store()->snapshot());
}

template <listers::StoredObject K>
void RemoveIndexerOf(informers::AnySharedInformer& informer, absl::string_view name) {
  static_cast<informers::SharedInformer<K>&>(informer).RemoveIndexer(name);
}

// What a watch must know of the type of its objects.
struct WatchedType {
  // The address of its table.
  const void* id = nullptr;
  bool is_unstructured = false;
  bool is_metadata = false;
  MakeAnyInformer make_informer = nullptr;
  TakeSnapshot take_snapshot = nullptr;
  RemoveIndexer remove_indexer = nullptr;
};

}  // namespace internal

// Makes watches, and runs the informers that they need. (controller-runtime: `cache.Cache`)
//
//   const auto configs = cache.Watch<corev1::ConfigMap>({.label_selector = "app=web"});
//   const auto teams = cache.Watch<corev1::Secret>({.namespaces = {"default"}});
//   ...
//   for (const auto& core : {configs.core(), teams.core()}) {
//     core->Start();
//     KUBE_RETURN_IF_ERROR(core->WaitForSync(ctx));
//   }
//
// Each watch has one informer for each namespace. Informers are counted: watches of the same kind,
// type of objects, selectors, projection and namespace share one, and it ends, with its connection,
// its thread and its memory, when its last watch ends, which disturbs no other. Different
// settings cost an informer each; Summaries lists them all. (controller-runtime has one informer
// for each kind, whose settings are global, and which ends only with the cache.)
//
// Thread-safe, except for the destructor. Watches may be made, started and ended at any time, on
// any thread, handlers included; one that has lost its last handle is ended by a thread of the
// cache, which Shutdown joins. Watches may outlive the cache. The cache must not be destroyed by a
// handler of one of its watches, because the destructor would wait for that handler: the program is
// then terminated with a message that names it.
class Cache {
 public:
  explicit Cache(rest::Client client, CacheOptions options = {});
  // Calls Shutdown.
  ~Cache();
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  // Returns a watch of a kind. Sends nothing and does not block: add handlers and indexes, then
  // call Start of its core. Include the header of the kind's client or informer, which has its
  // typed::ResourceTraits. (controller-runtime: `Cache.GetInformer`)
  template <typed::ResourceKind K>
  Watched<K> Watch(const WatchOptions& options = {}) {
    using Traits = typed::ResourceTraits<K>;
    return WatchAs<K, typename Traits::List>(Traits::kResource, options);
  }
  // Returns a watch of the metadata of a kind's objects, which takes a fraction of the bytes and
  // memory. (controller-runtime: `metav1.PartialObjectMetadata`)
  template <typed::ResourceKind K>
  Watched<api::meta::v1::PartialObjectMetadata> WatchMetadata(const WatchOptions& options = {}) {
    return WatchDynamicMetadata(typed::ResourceTraits<K>::kResource, options);
  }
  // Do the same for a resource that is known at run time, whose texts are copied. Its version,
  // plural, kind and scope must be set.
  Watched<unstructured::Unstructured> WatchDynamic(const typed::Resource& resource,
                                                   const WatchOptions& options = {});
  Watched<api::meta::v1::PartialObjectMetadata> WatchDynamicMetadata(
      const typed::Resource& resource, const WatchOptions& options = {});

  // Ends all informers and blocks until they and their handlers have ended. Nothing can be started
  // afterwards; stores can still be read. May be called repeatedly and by several threads. If a
  // handler of one of the watches calls it, or a function that an informer calls on its own thread,
  // it only requests the end and does not block.
  void Shutdown();

  // Returns OK if all informers that were started have synced; meant for readiness checks. Does not
  // block. Otherwise returns UNAVAILABLE with the names and reasons of those that have not, also of
  // those for which the system could not create a thread:
  // "check cache sync: deployments: list deployments: deployments is forbidden: …; nodes: …".
  // (controller-runtime: `Cache.WaitForCacheSync`, which returns a bool)
  absl::Status CheckSynced() const;

  // Returns the state of all informers, in the order in which they were made. Does not block.
  std::vector<WatchSummary> Summaries() const;

  // Notes a right that the program needs in this cluster. Watches note by themselves that they
  // "get", "list" and "watch" their resource in their namespaces, and writers what their options
  // say, so this is for requests of other clients. Does not block; see Manager::RequiredRules.
  void RequireAccess(RequiredAccess access) { required_.Add(std::move(access)); }
  // Returns the rights that were noted, in the order in which they were noted first. Ended watches
  // are among them.
  std::vector<RequiredAccess> required_access() const { return required_.Get(); }

  const rest::Client& client() const { return client_; }
  const CacheOptions& options() const { return options_; }
  // Returns CacheOptions::name.
  const std::string& name() const { return options_.name; }

 private:
  template <listers::StoredObject K, ApiStruct List>
  Watched<K> WatchAs(const typed::Resource& resource, const WatchOptions& options) {
    return Watched<K>(
        MakeCore(resource,
                 {.id = &K::kMessage,
                  .is_unstructured = std::is_same_v<K, unstructured::Unstructured>,
                  .is_metadata = std::is_same_v<K, api::meta::v1::PartialObjectMetadata>,
                  .make_informer = &internal::MakeInformer<K, List>,
                  .take_snapshot = &internal::TakeSnapshotOf<K>,
                  .remove_indexer = &internal::RemoveIndexerOf<K>},
                 options));
  }

  std::shared_ptr<WatchedCore> MakeCore(const typed::Resource& resource,
                                        const internal::WatchedType& type,
                                        const WatchOptions& options);

  const rest::Client client_;
  const CacheOptions options_;
  // Shared with the watches, which may outlive the cache.
  const std::shared_ptr<internal::InformerPool> pool_;
  AccessLedger required_;
};

}  // namespace kube::controller

#endif  // CONTROLLER_CACHE_CACHE_H_
