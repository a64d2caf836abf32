#ifndef APISERVER_REGISTRY_COLLECTOR_H_
#define APISERVER_REGISTRY_COLLECTOR_H_

#include <deque>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/mutex.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"

namespace kube::apiserver::internal {

class Registry;

// The two controllers without which a server's promises are not kept: the garbage collector, which
// deletes what belongs to objects that are gone, and the namespace controller, which empties
// namespaces that are deleted. (kube-controller-manager's pkg/controller/garbagecollector and
// namespace)
//
// Unlike there they have no threads and no delay: after each write, Settle does all there is to do,
// on the writer's thread and in an order that the objects give.
//
// Thread-safe.
class Collector {
 public:
  Collector(Registry& registry, Storage& storage, const ResourceTable& resources);

  // Whether Settle does anything. Off: objects stay as on a kube-apiserver alone. Set before use.
  void set_enabled(bool enabled) { enabled_ = enabled; }

  // Tells of a write. `before` is null for a creation.
  void Observe(const Resource& resource, const std::string& key, const StoredObject* before,
               const StoredObject& after, bool deleted);

  // Works until there is nothing left to do; returns at once while another thread does. Call it
  // without locks.
  void Settle();

 private:
  // One object, by where it is stored: the resource's name for that, and the key.
  using Item = std::tuple<std::string, std::string>;
  // One that is looked at, of a resource that there is.
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
  // Those that name this UID as their owner.
  std::vector<Item> DependentsOf(const std::string& uid);
  void Enqueue(Item item) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Registry& registry_;
  Storage& storage_;
  const ResourceTable& resources_;
  bool enabled_ = true;

  base::Mutex mutex_;
  bool settling_ ABSL_GUARDED_BY(mutex_) = false;
  std::deque<Item> queue_ ABSL_GUARDED_BY(mutex_);
  // By UID of the owner. An entry may be out of date: whoever uses it looks at the object.
  std::map<std::string, std::set<Item>> dependents_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_REGISTRY_COLLECTOR_H_
