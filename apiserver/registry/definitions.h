#ifndef APISERVER_REGISTRY_DEFINITIONS_H_
#define APISERVER_REGISTRY_DEFINITIONS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/mutex.h"
#include "apiserver/custom_kind.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"

namespace kube::apiserver::internal {

// Sees to it that the server has the resources that its CustomResourceDefinitions define, and that
// these say so: accepts their names, establishes them, and lets go of deleted ones once their
// objects are gone. (apiextensions-apiserver's controllers)
//
// As the Collector it has no threads and no delay: after each request, Settle looks at what was
// written, on the writer's thread.
//
// Thread-safe.
class Definitions {
 public:
  // All outlive this. `changed` is called after resources have come, gone, or become others.
  Definitions(Registry& registry, Storage& storage, ResourceTable& resources)
      : registry_(registry), storage_(storage), resources_(resources) {}

  void set_changed(std::function<void()> changed) { changed_ = std::move(changed); }

  // Works until there is nothing left to do, and tells whether there was anything. While another
  // thread does, it leaves it to that one and returns. Call it without locks.
  bool Settle();

 private:
  using Crd = api::apiextensions::v1::CustomResourceDefinition;
  // What a definition was when its kinds were made.
  struct Known {
    Crd definition;
    std::vector<std::shared_ptr<const CustomKind>> kinds;
  };

  // Of the thread that settles.
  bool SettleOnce();
  bool UpdateStatus(const StoredObject& object, const std::vector<ListItem>& all);
  void Serve(const std::vector<ListItem>& all);
  const std::vector<std::shared_ptr<const CustomKind>>& KindsOf(const Crd& crd);
  // Deletes the objects of a deleted definition, and then lets go of it.
  bool Finish(const StoredObject& object);
  // Whether none is left.
  bool DeleteObjects(const Crd& crd);
  bool Write(const StoredObject& object, const Crd& changed);

  Registry& registry_;
  Storage& storage_;
  ResourceTable& resources_;
  std::function<void()> changed_;

  base::Mutex mutex_;
  bool settling_ ABSL_GUARDED_BY(mutex_) = false;
  bool again_ ABSL_GUARDED_BY(mutex_) = false;
  // Of the thread that settles: what it has seen of the definitions, by UID.
  int64_t seen_ = 0;
  std::map<std::string, Known> known_;
  std::vector<ServedKind> served_;
  // A deleted one has objects that something holds.
  bool waiting_ = false;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_REGISTRY_DEFINITIONS_H_
