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

// One of several changes that a store makes at once.
template <typename T>
struct Change {
  // What is stored; of a removal the object's last state, of which the key and the resource version
  // count, not what is stored. Never null.
  std::shared_ptr<const T> object;
  bool removed = false;
};

// The objects of one kind by key, and by any number of indexes: what an informer fills and listers
// read. (cache.Indexer, cache.Store; cache.ThreadSafeStore below them)
//
//   Indexer<corev1::Pod> pods;
//   KUBE_RETURN_IF_ERROR(pods.AddIndexer("node", IndexByField<corev1::Pod>("spec.nodeName")));
//   KUBE_RETURN_IF_ERROR(pods.Add(pod));
//   KUBE_ASSIGN_OR_RETURN(const ObjectList<corev1::Pod> on_node, pods.ByIndex("node", "node-7"));
//   for (const corev1::Pod& p : on_node) ...
//
// Keys are meta::MetaNamespaceKey's. Readers do not block the writer, and lists are snapshots, not
// copies: Snapshot explains the reads. A write is seen whole or not at all, also a Replace and an
// Apply. Nothing waits for more than another's one change, or for a pointer; writers wait for each
// other.
//
// Thread-safe. The objects are never changed; an informer's indexer is written to by the informer
// alone.
template <StoredObject T>
class Indexer {
 public:
  using Object = std::shared_ptr<const T>;

  Indexer() : any_(Traits::kTraits, internal::Hasher(base::Runtime::Current().Random())) {}

  // ---- writing
  //
  // INVALID_ARGUMENT, and nothing is changed: a name has a slash, which no object of a server has.
  // FAILED_PRECONDITION: the store is changed, but an index function has failed, and its index
  // lacks the object. (client-go panics)

  // Stores the object, whether there is one or not, with its resource version as the store's.
  // (Store.Add, Store.Update)
  absl::Status Add(Object object) {
    KUBE_CHECK(object != nullptr) << "add no object";
    return any_.core_.Apply({.object = std::move(object)});
  }
  absl::Status Update(Object object) { return Add(std::move(object)); }

  // Removes the object with this one's key, if there is one. (Store.Delete)
  absl::Status Delete(const T& object) { return any_.core_.Apply(Removal(object)); }
  // The store's resource version stays. (ThreadSafeStore.Delete)
  absl::Status DeleteByKey(absl::string_view key) {
    Object object = GetByKey(key);
    if (object == nullptr) return absl::OkStatus();
    return any_.core_.Apply(
        {.object = std::move(object), .is_removal = true, .keeps_resource_version = true});
  }

  // All in this order, at once for readers. (TransactionStore.Transaction)
  absl::Status Apply(std::vector<Change<T>> changes) {
    std::vector<AnyChange> any;
    any.reserve(changes.size());
    for (Change<T>& change : changes) {
      KUBE_CHECK(change.object != nullptr) << "change no object";
      if (change.removed) {
        any.push_back({.object = std::move(change.object), .is_removal = true});
      } else {
        any.push_back({.object = std::move(change.object)});
      }
    }
    return any_.core_.Apply(any.size(), [&](size_t i) -> AnyChange& { return any[i]; });
  }

  // Stores these objects and no others; of two with one key the later. (Store.Replace)
  absl::Status Replace(std::vector<Object> objects, std::string resource_version) {
    for (const Object& object : objects) KUBE_CHECK(object != nullptr) << "store no object";
    return any_.core_.Replace(
        {std::make_move_iterator(objects.begin()), std::make_move_iterator(objects.end())},
        std::move(resource_version));
  }

  // What the server said of how far the objects are. (Store.Bookmark)
  void Bookmark(std::string resource_version) {
    any_.core_.SetResourceVersion(std::move(resource_version));
  }

  // At any time; what is stored is indexed. ALREADY_EXISTS, and none is added: a name is taken.
  // FAILED_PRECONDITION as above. (Indexer.AddIndexers)
  absl::Status AddIndexers(Indexers<T> indexers) {
    std::vector<internal::AnyIndexer> any;
    for (auto& [name, function] : indexers) {
      KUBE_CHECK(function != nullptr) << "no index function";
      any.push_back(
          {.name = name, .values_of = [function = std::move(function)](const void* object) {
             return function(*static_cast<const T*>(object));
           }});
    }
    return any_.core_.AddIndexers(std::move(any));
  }
  // One. Also what IndexByField returns, or its error.
  absl::Status AddIndexer(std::string name, absl::StatusOr<IndexFunction<T>> function) {
    if (!function.ok()) return function.status();
    return AddIndexers({{std::move(name), *std::move(function)}});
  }

  // ---- reading: as Snapshot's, of now

  Snapshot<T> snapshot() const { return Snapshot<T>(any_.core_); }

  // No lock, and nothing that others write to but the object's reference count.

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

  // Refers to the object, which outlives the change.
  static AnyChange Removal(const T& object) {
    return {.object = Object(Object(), &object), .is_removal = true};
  }

  AnyStore any_;
};

}  // namespace kube::listers

#endif  // LISTERS_INDEXER_H_
