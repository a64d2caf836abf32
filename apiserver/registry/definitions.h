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
#include "apiserver/custom_converter.h"
#include "apiserver/custom_kind.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"

namespace kube::apiserver::internal {

// Serves the resources that CustomResourceDefinitions define, and maintains the definitions'
// status: accepts their names, establishes them, and finishes their deletion when their objects are
// gone (the controllers of apiextensions-apiserver).
//
// Like the Collector it has no threads and no delay: after each request, Settle processes the
// changes on the writing thread.
//
// Thread-safe.
class Definitions {
 public:
  // All must outlive this.
  Definitions(Registry& registry, Storage& storage, ResourceTable& resources)
      : registry_(registry), storage_(storage), resources_(resources) {}

  void set_changed(std::function<void()> changed) { changed_ = std::move(changed); }
  // Sets what returns the converter of a definition, or null for one that needs none. Call it
  // before the first request. Default: null for all.
  using MakeConverter = std::function<std::shared_ptr<const CustomConverter>(
      const api::apiextensions::v1::CustomResourceDefinition& definition)>;
  void set_make_converter(MakeConverter make_converter) {
    make_converter_ = std::move(make_converter);
  }

  // Works until nothing is left to do. Returns whether it changed anything. If another thread is
  // settling, that one does the work, and this returns false. Must be called without locks.
  bool Settle();

 private:
  using Crd = api::apiextensions::v1::CustomResourceDefinition;
  // A definition, and the kinds that were made from it.
  struct Known {
    Crd definition;
    std::vector<std::shared_ptr<const CustomKind>> kinds;
  };

  // Called by the thread that settles.
  bool SettleOnce();
  bool UpdateStatus(const StoredObject& object, const std::vector<ListItem>& all);
  void Serve(const std::vector<ListItem>& all);
  const std::vector<std::shared_ptr<const CustomKind>>& KindsOf(const Crd& crd);
  // Deletes the objects of a deleted definition, and then removes its finalizer.
  bool Finish(const StoredObject& object);
  // Returns whether no objects are left.
  bool DeleteObjects(const Crd& crd);
  bool Write(const StoredObject& object, const Crd& changed);

  Registry& registry_;
  Storage& storage_;
  ResourceTable& resources_;
  std::function<void()> changed_;
  MakeConverter make_converter_;

  base::Mutex mutex_;
  bool settling_ ABSL_GUARDED_BY(mutex_) = false;
  bool again_ ABSL_GUARDED_BY(mutex_) = false;
  // Used by the thread that settles: the latest revision of the definitions, and those that are
  // served, by UID.
  int64_t seen_ = 0;
  std::map<std::string, Known> known_;
  std::vector<ServedKind> served_;
  // Whether objects of a deleted definition are kept by finalizers.
  bool waiting_ = false;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_REGISTRY_DEFINITIONS_H_
