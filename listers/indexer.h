#ifndef LISTERS_INDEXER_H_
#define LISTERS_INDEXER_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/runtime.h"
#include "listers/any_change.h"
#include "listers/any_store.h"
#include "listers/index_function.h"
#include "listers/internal/store_core.h"
#include "listers/internal/traits.h"
#include "listers/memory_usage.h"
#include "listers/snapshot.h"
#include "listers/stored_object.h"

namespace kube::listers {

// One change in a call of Apply.
template <typename T>
struct Change {
  // The object to store. For a removal, the last state of the object: only its key and resource
  // version are used. Never null.
  std::shared_ptr<const T> object;
  bool removed = false;
};

// Stores the objects of one kind by key and by any number of indexes. An informer writes to it;
// listers read from it. (client-go: `cache.Indexer`, `cache.Store` and `cache.ThreadSafeStore`)
//
//   Indexer<corev1::Pod> pods;
//   KUBE_RETURN_IF_ERROR(pods.AddIndexer("node", IndexByField<corev1::Pod>("spec.nodeName")));
//   for (const auto& pod : all) KUBE_RETURN_IF_ERROR(pods.Add(pod));
//   KUBE_ASSIGN_OR_RETURN(const ObjectList<corev1::Pod> on_node, pods.ByIndex("node", "node-7"));
//   std::vector<std::string> names;
//   for (const corev1::Pod& pod : on_node) names.emplace_back(pod.metadata.name);
//
// Keys are those of meta::MetaNamespaceKey. Readers never block a writer, and lists are snapshots
// without copies; Snapshot explains the reads. Each write, including Replace and Apply, is atomic
// for readers. A reader waits at most for an update in place or for the swap of a pointer; writers
// are serialized.
//
// Thread-safe. Stored objects never change. Only the informer writes to its own indexer.
template <StoredObject T>
class Indexer {
 public:
  using Object = std::shared_ptr<const T>;

  Indexer() : any_(Traits::kTraits, internal::Hasher(base::Runtime::Current().Random())) {}

  // ---- writing
  //
  // All writes return INVALID_ARGUMENT if a name contains a slash, which no object of a server
  // does; nothing is changed then. They return FAILED_PRECONDITION if an index function failed; the
  // store is changed, but the index lacks the object. (client-go panics instead.)

  // Stores the object, replacing one with the same key, and takes over its resource version as the
  // store's. (client-go: `Store.Add`, `Store.Update`)
  absl::Status Add(Object object) {
    KUBE_CHECK(object != nullptr) << "object must not be null";
    return any_.core_.Apply({.object = std::move(object)});
  }
  absl::Status Update(Object object) { return Add(std::move(object)); }

  // Removes the object with the key of this one, if there is one. (client-go: `Store.Delete`)
  absl::Status Delete(const T& object) { return any_.core_.Apply(Removal(object)); }
  // Removes the object with this key and keeps the store's resource version.
  // (client-go: `ThreadSafeStore.Delete`)
  absl::Status DeleteByKey(absl::string_view key) {
    Object object = GetByKey(key);
    if (object == nullptr) return absl::OkStatus();
    return any_.core_.Apply(
        {.object = std::move(object), .is_removal = true, .keeps_resource_version = true});
  }

  // Makes all changes in this order, atomically for readers.
  // (client-go: `TransactionStore.Transaction`)
  absl::Status Apply(std::vector<Change<T>> changes) {
    std::vector<AnyChange> any;
    any.reserve(changes.size());
    for (Change<T>& change : changes) {
      KUBE_CHECK(change.object != nullptr) << "object must not be null";
      if (change.removed) {
        any.push_back({.object = std::move(change.object), .is_removal = true});
      } else {
        any.push_back({.object = std::move(change.object)});
      }
    }
    return any_.core_.Apply(any.size(), [&](size_t i) -> AnyChange& { return any[i]; });
  }

  // Replaces all objects. If two have the same key, the later one is stored.
  // (client-go: `Store.Replace`)
  absl::Status Replace(std::vector<Object> objects, std::string resource_version) {
    for (const Object& object : objects) KUBE_CHECK(object != nullptr) << "object must not be null";
    return any_.core_.Replace(
        {std::make_move_iterator(objects.begin()), std::make_move_iterator(objects.end())},
        std::move(resource_version));
  }

  // Sets the resource version that the server has confirmed for the present objects.
  // (client-go: `Store.Bookmark`)
  void Bookmark(std::string resource_version) {
    any_.core_.SetResourceVersion(std::move(resource_version));
  }

  // Adds indexes at any time; stored objects are indexed. Returns ALREADY_EXISTS if a name is
  // taken; no index is added then. Returns FAILED_PRECONDITION as above.
  // (client-go: `Indexer.AddIndexers`)
  absl::Status AddIndexers(Indexers<T> indexers) {
    std::vector<internal::AnyIndexer> any;
    for (auto& [name, function] : indexers) {
      KUBE_CHECK(function != nullptr) << "index function must not be null";
      any.push_back(
          {.name = name, .values_of = [function = std::move(function)](const void* object) {
             return function(*static_cast<const T*>(object));
           }});
    }
    return any_.core_.AddIndexers(std::move(any));
  }
  // Adds one index. Accepts the result of IndexByField directly and returns its error, if any.
  absl::Status AddIndexer(std::string name, absl::StatusOr<IndexFunction<T>> function) {
    if (!function.ok()) return function.status();
    return AddIndexers({{std::move(name), *std::move(function)}});
  }
  // Removes an index, if there is one of this name. Snapshots that have it keep it. client-go has
  // no such function.
  void RemoveIndexer(absl::string_view name) { any_.core_.RemoveIndexer(name); }

  // ---- reading: each call reads the present state as Snapshot does

  Snapshot<T> snapshot() const { return Snapshot<T>(any_.core_); }

  // Return the object, or null. They take no snapshot, which makes them cheaper than
  // snapshot().Get().

  Object Get(absl::string_view namespace_name, absl::string_view name) const {
    return std::static_pointer_cast<const T>(
        any_.core_.Get({.namespace_name = namespace_name, .name = name}));
  }
  Object GetByKey(absl::string_view key) const {
    const std::optional<internal::ObjectKey> parts = internal::SplitKey(key);
    if (!parts.has_value()) return nullptr;
    return std::static_pointer_cast<const T>(any_.core_.Get(*parts));
  }
  ObjectList<T> List() const { return snapshot().List(); }
  ObjectList<T> List(absl::string_view namespace_name) const {
    return snapshot().List(namespace_name);
  }
  std::vector<std::string> ListKeys() const { return snapshot().ListKeys(); }
  absl::StatusOr<ObjectList<T>> ByIndex(absl::string_view index, absl::string_view value) const {
    return snapshot().ByIndex(index, value);
  }
  absl::StatusOr<std::vector<std::string>> IndexKeys(absl::string_view index,
                                                     absl::string_view value) const {
    return snapshot().IndexKeys(index, value);
  }
  absl::StatusOr<std::vector<Object>> Index(absl::string_view index, const T& object) const {
    return snapshot().Index(index, object);
  }
  std::vector<std::string> ListIndexFuncValues(absl::string_view index) const {
    return snapshot().ListIndexFuncValues(index);
  }
  std::vector<std::string> ListIndexers() const { return snapshot().ListIndexers(); }
  std::string resource_version() const { return snapshot().resource_version(); }
  size_t size() const { return snapshot().size(); }
  MemoryUsage MeasureMemory() const { return snapshot().MeasureMemory(); }

  // ---- for code that is generic over types

  AnyStore& any() { return any_; }
  const AnyStore& any() const { return any_; }

 private:
  using Traits = internal::TraitsFor<T>;

  // Returns a removal that refers to `object`, which must outlive it.
  static AnyChange Removal(const T& object) {
    return {.object = Object(Object(), &object), .is_removal = true};
  }

  AnyStore any_;
};

}  // namespace kube::listers

#endif  // LISTERS_INDEXER_H_
