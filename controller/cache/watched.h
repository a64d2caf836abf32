#ifndef CONTROLLER_CACHE_WATCHED_H_
#define CONTROLLER_CACHE_WATCHED_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/meta/object_name.h"
#include "controller/cache/cache_options.h"
#include "controller/cache/index.h"
#include "controller/cache/object_range.h"
#include "controller/cache/view.h"
#include "controller/cache/watched_core.h"
#include "informers/any_shared_informer.h"
#include "informers/event_handler.h"
#include "informers/handler_options.h"
#include "informers/shared_informer.h"
#include "listers/index_function.h"
#include "listers/snapshot.h"
#include "listers/stored_object.h"

namespace kube::controller {

// A handle to the objects of one kind that a cache watches. Made by Cache; only through it is the
// cache read, so a program declares what it caches, and a read of anything else does not compile.
// (controller-runtime: a `client.Reader` of the cache, whose reads start watches)
//
//   const auto teams = cache.Watch<corev1::Secret>({.namespaces = {"default"}});
//   ...
//   KUBE_ASSIGN_OR_RETURN(const auto team, teams.Get(view, name));
//
// Reads never block and send nothing. They see what the informers have stored: nothing before the
// first sync, and not yet what was written a moment ago. Objects are const and shared: to change
// one, copy it. (controller-runtime copies each object at each read.)
//
// Cheap to copy. The last copy, or the last Index, ends the watch; see WatchedCore. Thread-safe.
template <listers::StoredObject K>
class Watched {
 public:
  using Object = std::shared_ptr<const K>;

  // `core` must be a watch of this type of objects.
  explicit Watched(std::shared_ptr<WatchedCore> core) : core_(std::move(core)) {}

  // Returns the object of this name in the view's namespace, never null; see below for errors.
  absl::StatusOr<Object> Get(const View& view, absl::string_view name) const {
    return Get(
        view, meta::ObjectName{.namespace_name = view.namespace_name(), .name = std::string(name)});
  }
  // Returns the object of this name, never null. The namespace is ignored for cluster-scoped kinds.
  // Returns NOT_FOUND (errors::IsNotFound) with the server's message if the store has no such
  // object; the server may have one that has not arrived yet. Returns FAILED_PRECONDITION if the
  // watch does not cover the namespace, so that this is not mistaken for an object that is gone, or
  // INVALID_ARGUMENT if a namespaced kind is asked for without a namespace: correct the program.
  absl::StatusOr<Object> Get(const View& view, const meta::ObjectName& name) const {
    KUBE_ASSIGN_OR_RETURN(const size_t i, core_->InformerOf(name));
    const absl::string_view namespace_name =
        core_->namespaced() ? absl::string_view(name.namespace_name) : absl::string_view();
    Object object = SnapshotOf(view, i)->Get(namespace_name, name.name);
    if (object == nullptr) return errors::NotFound(core_->resource().group_resource(), name.name);
    return object;
  }

  // Returns the objects of the scope; all objects of the watch if it is empty. A namespace that the
  // watch does not cover has no objects here; WatchedCore::Covers tells.
  ObjectRange<K> List(const View& view, const ListScope& scope = {}) const {
    std::vector<listers::ObjectList<K>> lists;
    for (const size_t i : core_->InformersOf(scope.namespace_name)) {
      lists.push_back(ListOf(*SnapshotOf(view, i), scope.namespace_name));
    }
    return ObjectRange<K>(std::move(lists), scope.label_selector);
  }
  // Returns those of the scope that a field selector such as "spec.nodeName=node-1" selects. Its
  // fields are metadata.name, metadata.namespace and the names of indexes that AddIndex has added
  // to this watch. Returns INVALID_ARGUMENT if the selector cannot be parsed, names another field
  // or has another operator than "=", or FAILED_PRECONDITION if the watch does not cover the
  // namespace. An Index whose handle is kept is simpler and cheaper.
  absl::StatusOr<ObjectRange<K>> List(const View& view, const ListScope& scope,
                                      absl::string_view field_selector) const {
    KUBE_ASSIGN_OR_RETURN(const internal::FieldQuery query, core_->Resolve(scope, field_selector));
    std::vector<Object> objects;
    if (!query.nothing) {
      for (const size_t i : core_->InformersOf(query.namespace_name)) {
        for (Object& object : Select(*SnapshotOf(view, i), query)) {
          objects.push_back(std::move(object));
        }
      }
    }
    return ObjectRange<K>(std::move(objects), scope.label_selector);
  }

  // Adds an index, at any time; stored objects are indexed. `function` returns the values of an
  // object, as absl::StatusOr<std::vector<std::string>>. `name` is for messages and for lists
  // with a field selector, which find the index added last under the path of their field; two
  // watches may use the same name. If the function fails for an object, the index lacks it. It
  // is removed with the last handle. Make the function of a field with listers::IndexByField.
  // (controller-runtime: `FieldIndexer.IndexField`)
  Index<K> AddIndex(absl::string_view name, listers::IndexFunction<K> function) const {
    std::string index = core_->AddIndexers(
        name, [&](informers::AnySharedInformer& informer, const std::string& stored_name) {
          return Cast(informer).AddIndexers({{stored_name, function}});
        });
    return Index<K>(core_, std::move(index));
  }

  // Adds a handler, before or while the watch runs; see informers::EventHandler for its contract.
  // It is removed with the last handle. It must not keep a copy of this handle or of an index of
  // it, which would then never end. With several namespaces the handler has a thread for each:
  // events of one object are in order, but calls for objects of different namespaces may overlap.
  // Returns FAILED_PRECONDITION if the cache was shut down, or RESOURCE_EXHAUSTED if the system
  // cannot create a thread.
  absl::Status AddEventHandler(informers::EventHandler<K> handler,
                               informers::HandlerOptions options = {}) const {
    return core_->AddHandlers([&](informers::AnySharedInformer& informer) {
      return Cast(informer).AddEventHandler(handler, options);
    });
  }

  const std::shared_ptr<WatchedCore>& core() const { return core_; }

 private:
  static informers::SharedInformer<K>& Cast(informers::AnySharedInformer& informer) {
    return static_cast<informers::SharedInformer<K>&>(informer);
  }

  std::shared_ptr<const listers::Snapshot<K>> SnapshotOf(const View& view, size_t i) const {
    return std::static_pointer_cast<const listers::Snapshot<K>>(view.SnapshotOf(*core_, i));
  }

  listers::ObjectList<K> ListOf(const listers::Snapshot<K>& snapshot,
                                const std::optional<std::string>& namespace_name) const {
    if (core_->namespaced() && namespace_name.has_value()) return snapshot.List(*namespace_name);
    return snapshot.List();
  }

  // Returns the objects of one store that a query selects.
  std::vector<Object> Select(const listers::Snapshot<K>& snapshot,
                             const internal::FieldQuery& query) const {
    std::vector<Object> found;
    if (query.values.empty()) {
      found = ListOf(snapshot, query.namespace_name).ToVector();
    } else {
      found = ByIndex(snapshot, query.values.front());
      // The first index selects, the others restrict.
      for (size_t i = 1; i < query.values.size(); ++i) {
        std::set<Object> others;
        for (Object& object : ByIndex(snapshot, query.values[i])) others.insert(std::move(object));
        std::erase_if(found, [&](const Object& object) { return !others.contains(object); });
      }
    }
    std::erase_if(found, [&](const Object& object) {
      return (query.name.has_value() && listers::NameOf(*object) != *query.name) ||
             (query.namespace_name.has_value() &&
              listers::NamespaceOf(*object) != *query.namespace_name);
    });
    return found;
  }
  static std::vector<Object> ByIndex(const listers::Snapshot<K>& snapshot,
                                     const std::pair<std::string, std::string>& value) {
    const absl::StatusOr<listers::ObjectList<K>> list = snapshot.ByIndex(value.first, value.second);
    return list.ok() ? list->ToVector() : std::vector<Object>();
  }

  std::shared_ptr<WatchedCore> core_;
};

}  // namespace kube::controller

#endif  // CONTROLLER_CACHE_WATCHED_H_
