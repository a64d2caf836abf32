#ifndef APISERVER_REGISTRY_COLLECTOR_H_
#define APISERVER_REGISTRY_COLLECTOR_H_

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apiserver/object.h"
#include "apiserver/registry/write_admission.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"

namespace kube::apiserver::internal {

class Registry;

// What a controller is about to delete.
struct ControllerDeletion {
  const Resource* resource = nullptr;
  std::string namespace_name = {};
  std::string name = {};
  // The name of the controller's service account in kube-system. Empty for a controller that is the
  // user system:kube-controller-manager itself.
  absl::string_view account = {};
  api::meta::v1::DeleteOptions options = {};
};
// Returns what is asked about the deletion, or null if nobody is.
using AdmitDeletion = std::function<std::unique_ptr<WriteAdmission>(const ControllerDeletion&)>;

// Controllers that kube-controller-manager runs beside a kube-apiserver: the garbage collector,
// which deletes the dependents of deleted objects, and the namespace controller, which empties
// deleted namespaces (kube-controller-manager: `pkg/controller/garbagecollector` and `namespace`);
// and those that keep objects in every namespace (namespace_objects.h).
//
// Unlike those they have no threads and no delay: after each write, Settle does all the work on the
// writing thread, in a deterministic order.
//
// Thread-safe.
class Collector {
 public:
  Collector(Registry& registry, Storage& storage, const ResourceTable& resources);

  // Turns the controllers on or off. Call it before the first request. Default: on.
  void set_enabled(bool enabled) { enabled_ = enabled; }
  // Makes it keep the objects of namespace_objects.h in namespaces that are created from now on,
  // and create them again after their deletion. `root_ca` returns the certificate authority of the
  // server, or "". Call it before the first request. Default: off.
  void KeepNamespaceObjects(std::function<std::string()> root_ca) { root_ca_ = std::move(root_ca); }

  // Sets what its deletions pass. Call it before the first request. Default: nothing.
  void set_admit_deletion(AdmitDeletion admit) { admit_deletion_ = std::move(admit); }

  // Must be called after each write. `before` is null if the object was created.
  void Observe(const Resource& resource, const std::string& key, const StoredObject* before,
               const StoredObject& after, bool deleted);

  // Works until nothing is left to do. If another thread is settling, that one does the work, and
  // this returns at once. Must be called without locks. It may wait for webhooks that are asked
  // about its deletions. A deletion that they refuse is tried again by a call a second later or
  // more, so that a slow refusal does not delay every write.
  void Settle();

 private:
  // An object: the storage name of its resource, and its key.
  using Item = std::tuple<std::string, std::string>;
  // An object that is being processed.
  struct Found {
    const Resources& resources;
    const Resource& resource;
    const StoredObject& object;
  };

  void Process(const Item& item);
  void ProcessOwned(const Found& found);
  void ProcessOrphaning(const Found& found);
  void ProcessForeground(const Found& found);
  void ProcessNamespace(const Found& found);
  void RemoveFinalizer(const Found& found, absl::string_view finalizer);
  // Deletes an object. Returns false if the admission has refused it.
  bool Delete(const Resource& resource, const api::meta::v1::ObjectMeta& metadata,
              absl::string_view policy, absl::string_view account);
  // Remembers an item for a later call of Settle.
  void TryLater(const Found& found);
  // Returns the objects that name this UID as their owner.
  std::vector<Item> DependentsOf(const std::string& uid);
  // Queues the refused items whose time has come.
  void EnqueueRefused() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Enqueue(Item item) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Queues the namespace if it may lack objects after this write.
  void EnqueueNamespaceOf(const Resource& resource, const StoredObject* before,
                          const StoredObject& after, bool deleted)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Registry& registry_;
  Storage& storage_;
  const ResourceTable& resources_;
  bool enabled_ = true;
  // Null if namespaces get no objects.
  std::function<std::string()> root_ca_;
  AdmitDeletion admit_deletion_;

  base::Mutex mutex_;
  bool settling_ ABSL_GUARDED_BY(mutex_) = false;
  std::deque<Item> queue_ ABSL_GUARDED_BY(mutex_);
  // The items whose deletions were refused, and before when they are not tried again.
  std::map<Item, base::MonotonicTime> refused_ ABSL_GUARDED_BY(mutex_);
  // By the owner's UID. An entry may be out of date, so DependentsOf reads the objects.
  std::map<std::string, std::set<Item>> dependents_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_REGISTRY_COLLECTOR_H_
