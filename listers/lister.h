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

// The objects of one namespace. Make it with Lister::Namespace. (the PodNamespaceLister of pods,
// cache.GenericNamespaceLister)
//
// A handle: cheap to copy. Thread-safe.
template <StoredObject T>
class NamespaceLister {
 public:
  using Object = std::shared_ptr<const T>;

  // Never null. NOT_FOUND, errors::IsNotFound, with the text of the server's: there is none of that
  // name in the cache. The server may have one that has not come yet.
  absl::StatusOr<Object> Get(absl::string_view name) const {
    Object object = store_->Get(namespace_name_, name);
    if (object == nullptr) return errors::NotFound(resource_, name);
    return object;
  }

  ObjectList<T> List() const { return store_->List(namespace_name_); }
  // Those that it selects. (List)
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

// Reads a cache that an informer keeps: no request, no waiting, no copies. (the DeploymentLister of
// deployments, cache.GenericLister)
//
//   const listers::Lister<corev1::Pod> pods = factory.Core().V1().Pods().Lister();
//   KUBE_ASSIGN_OR_RETURN(const auto web, pods.Namespace("prod").Get("web-0"));
//   for (const corev1::Pod& pod : pods.List(*labels::Parse("app=web"))) ...
//
// It knows what the informer knows: nothing before it has synced, and not yet what was written a
// moment ago. Objects are const, and shared: to change one, copy it and send that to the server.
// Lists are of one moment, and in no order; while one lives so do its objects.
//
// A handle: cheap to copy. It keeps the cache, also when the informer is gone. Thread-safe.
template <StoredObject T>
class Lister {
 public:
  using Object = std::shared_ptr<const T>;

  // `resource` is what NotFound speaks of: {.group = "apps", .resource = "deployments"}.
  Lister(std::shared_ptr<const Indexer<T>> store, schema::GroupResource resource)
      : store_(std::move(store)), resource_(std::move(resource)) {}

  // What is in a namespace.
  NamespaceLister<T> Namespace(absl::string_view name) const {
    return NamespaceLister<T>(store_, resource_, std::string(name));
  }

  // Of objects that are in no namespace, as nodes. As NamespaceLister::Get.
  absl::StatusOr<Object> Get(absl::string_view name) const { return Namespace("").Get(name); }

  // All, of all namespaces.
  ObjectList<T> List() const { return store_->List(); }
  SelectedObjects<T> List(labels::Selector selector) const {
    return SelectedObjects<T>(List(), std::move(selector));
  }

  // Those with this value in an index that was added to the informer. NOT_FOUND: no such index.
  absl::StatusOr<ObjectList<T>> ByIndex(absl::string_view index, absl::string_view value) const {
    return store_->ByIndex(index, value);
  }

  // Several reads of one moment, and other questions.
  Snapshot<T> snapshot() const { return store_->snapshot(); }

  const schema::GroupResource& resource() const { return resource_; }

 private:
  std::shared_ptr<const Indexer<T>> store_;
  schema::GroupResource resource_;
};

}  // namespace kube::listers

#endif  // LISTERS_LISTER_H_
