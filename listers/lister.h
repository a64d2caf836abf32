#ifndef LISTERS_LISTER_H_
#define LISTERS_LISTER_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/schema/group_version.h"
#include "listers/indexer.h"
#include "listers/selected_objects.h"
#include "listers/snapshot.h"
#include "listers/stored_object.h"

namespace kube::listers {

template <StoredObject T>
class Lister;

// Reads the objects of one namespace. Made by Lister::Namespace. (client-go: `PodNamespaceLister`
// for pods, `cache.GenericNamespaceLister`)
//
// A handle: cheap to copy. Thread-safe.
template <StoredObject T>
class NamespaceLister {
 public:
  using Object = std::shared_ptr<const T>;

  // Returns the object, never null. Returns NOT_FOUND (errors::IsNotFound) with the server's
  // message if the cache has no object of this name; the server may have one that the cache has not
  // received yet.
  absl::StatusOr<Object> Get(absl::string_view name) const {
    Object object = store_->Get(namespace_name_, name);
    if (object == nullptr) return errors::NotFound(resource_, name);
    return object;
  }

  // Returns all objects of the namespace, or those that `selector` matches. Does not block.
  ObjectList<T> List() const { return store_->List(namespace_name_); }
  SelectedObjects<T> List(labels::Selector selector) const {
    return SelectedObjects<T>(List(), std::move(selector));
  }

 private:
  friend class Lister<T>;
  NamespaceLister(std::shared_ptr<const Indexer<T>> store, schema::GroupResource resource,
                  std::string namespace_name)
      : store_(std::move(store)),
        resource_(std::move(resource)),
        namespace_name_(std::move(namespace_name)) {}

  std::shared_ptr<const Indexer<T>> store_;
  schema::GroupResource resource_;
  std::string namespace_name_;
};

// Reads the cache that an informer maintains, without requests, blocking or copies. The example's
// `pods` is factory.Core().V1().Pods().Lister().
// (client-go: `DeploymentLister` for deployments, `cache.GenericLister`)
//
//   KUBE_ASSIGN_OR_RETURN(const auto pod, pods.Namespace("prod").Get("a"));
//   names.emplace_back(pod->metadata.name);
//   KUBE_ASSIGN_OR_RETURN(const labels::Selector webs, labels::Parse("app=web"));
//   for (const corev1::Pod& web : pods.List(webs)) names.emplace_back(web.metadata.name);
//
// A lister sees what the informer has stored: nothing before the first sync, and not yet what was
// written a moment ago. Objects are const and shared: to change one, copy it and send the copy to
// the server. A list is a snapshot in no particular order; it keeps its objects alive.
//
// A handle: cheap to copy. It keeps the cache alive, even after the informer is destroyed.
// Thread-safe.
template <StoredObject T>
class Lister {
 public:
  using Object = std::shared_ptr<const T>;

  // `resource` is named in NOT_FOUND errors: {.group = "apps", .resource = "deployments"}.
  Lister(std::shared_ptr<const Indexer<T>> store, schema::GroupResource resource)
      : store_(std::move(store)), resource_(std::move(resource)) {}

  // Returns a lister of one namespace.
  NamespaceLister<T> Namespace(absl::string_view name) const {
    return NamespaceLister<T>(store_, resource_, std::string(name));
  }

  // Returns a cluster-scoped object, such as a node; errors are those of NamespaceLister::Get.
  absl::StatusOr<Object> Get(absl::string_view name) const { return Namespace("").Get(name); }

  // Returns the objects of all namespaces, or those that `selector` matches.
  ObjectList<T> List() const { return store_->List(); }
  SelectedObjects<T> List(labels::Selector selector) const {
    return SelectedObjects<T>(List(), std::move(selector));
  }

  // Returns the objects with this value in an index that was added to the informer. Returns
  // NOT_FOUND if there is no such index.
  absl::StatusOr<ObjectList<T>> ByIndex(absl::string_view index, absl::string_view value) const {
    return store_->ByIndex(index, value);
  }

  // Returns a snapshot, for several consistent reads and for further queries.
  Snapshot<T> snapshot() const { return store_->snapshot(); }

  const schema::GroupResource& resource() const { return resource_; }

 private:
  std::shared_ptr<const Indexer<T>> store_;
  schema::GroupResource resource_;
};

}  // namespace kube::listers

#endif  // LISTERS_LISTER_H_
