#ifndef LISTERS_SNAPSHOT_H_
#define LISTERS_SNAPSHOT_H_

#include <cstddef>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "listers/internal/object_cursor.h"
#include "listers/internal/ref.h"
#include "listers/internal/snapshot_core.h"
#include "listers/internal/store_core.h"
#include "listers/memory_usage.h"
#include "listers/stored_object.h"

namespace kube::listers {

template <StoredObject T>
class Indexer;
template <StoredObject T>
class Snapshot;

// Objects as they were at one moment: a range of `const T&`.
//
//   for (const corev1::Pod& pod : pods.List("prod")) ...
//
// Making it copies only a pointer. It keeps all objects of its moment alive, so use ToVector() to
// keep a few of them. The order is that of hashes: it differs between processes (client-go: between
// calls), but not between runs of a simulation with the same seed. Immutable and thread-safe.
template <typename T>
class ObjectList {
 public:
  class Iterator {
   public:
    using difference_type = ptrdiff_t;
    using value_type = T;

    const T& operator*() const { return *static_cast<const T*>(cursor_.value().get()); }
    const T* operator->() const { return &**this; }
    // Returns an owning pointer, to keep the object.
    std::shared_ptr<const T> shared() const {
      return std::static_pointer_cast<const T>(cursor_.value());
    }
    Iterator& operator++() {
      cursor_.Next();
      return *this;
    }
    void operator++(int) { cursor_.Next(); }
    friend bool operator==(const Iterator& it, std::default_sentinel_t) {
      return it.cursor_.done();
    }

   private:
    friend class ObjectList;
    explicit Iterator(const internal::AnyList& list) : cursor_(list) {}
    internal::AnyList::Cursor cursor_;
  };

  // Iterators are valid while the list exists.
  Iterator begin() const { return Iterator(list_); }
  std::default_sentinel_t end() const { return {}; }

  size_t size() const { return list_.size(); }
  bool empty() const { return size() == 0; }

  // Returns owning pointers, as client-go's lists do. Takes about twenty nanoseconds per object.
  std::vector<std::shared_ptr<const T>> ToVector() const {
    std::vector<std::shared_ptr<const T>> objects;
    objects.reserve(size());
    for (Iterator it = begin(); it != end(); ++it) objects.push_back(it.shared());
    return objects;
  }

 private:
  friend class Snapshot<T>;
  explicit ObjectList(internal::AnyList list) : list_(std::move(list)) {}

  internal::AnyList list_;
};

// A store at one moment, with consistent objects, indexes and resource version. Each read of an
// Indexer takes its own snapshot; take one explicitly if several reads must be consistent.
// client-go has no such class.
//
// Cheap to copy. Immutable and thread-safe. It keeps all objects of its moment alive, so do not
// keep it for long. It may outlive its Indexer.
template <StoredObject T>
class Snapshot {
 public:
  using Object = std::shared_ptr<const T>;

  // Returns the object, or null. `namespace_name` is empty for cluster-scoped objects.
  Object Get(absl::string_view namespace_name, absl::string_view name) const {
    return Cast(
        internal::GetObject(*state_, context_, {.namespace_name = namespace_name, .name = name}));
  }
  // Returns the object with this meta::MetaNamespaceKey, such as "prod/web-0" or "node-1", or null.
  // (client-go: `Store.GetByKey`)
  Object GetByKey(absl::string_view key) const {
    return Cast(internal::GetObjectByKey(*state_, context_, key));
  }

  // Returns all objects. (client-go: `Store.List`)
  ObjectList<T> List() const { return ObjectList<T>(internal::AnyList(state_)); }
  // Returns the objects of a namespace; no index is needed. "" means cluster-scoped objects, not
  // all objects. (client-go: `cache.ListAllByNamespace`)
  ObjectList<T> List(absl::string_view namespace_name) const {
    return ObjectList<T>(
        internal::AnyList(state_, state_->objects.Find(context_.hasher, namespace_name)));
  }
  // Returns the keys of all objects in no particular order. (client-go: `Store.ListKeys`)
  std::vector<std::string> ListKeys() const {
    return internal::KeysOf(internal::AnyList(state_), *context_.traits);
  }
  // Returns the namespaces that have objects, sorted. client-go has no such function.
  std::vector<std::string> ListNamespaces() const {
    return internal::ValuesOfPostings(state_->objects);
  }

  // Returns the objects with this value. Returns NOT_FOUND if there is no such index. Store the
  // list in a variable before iterating: `for (... : *ByIndex(...))` would destroy it first.
  // (client-go: `Indexer.ByIndex`)
  absl::StatusOr<ObjectList<T>> ByIndex(absl::string_view index, absl::string_view value) const {
    absl::StatusOr<internal::AnyList> list = internal::ListByIndex(state_, context_, index, value);
    if (!list.ok()) return list.status();
    return ObjectList<T>(*std::move(list));
  }
  // Returns the sorted keys of these objects. (client-go: `Indexer.IndexKeys`)
  absl::StatusOr<std::vector<std::string>> IndexKeys(absl::string_view index,
                                                     absl::string_view value) const {
    absl::StatusOr<internal::AnyList> list = internal::ListByIndex(state_, context_, index, value);
    if (!list.ok()) return list.status();
    return internal::SortedKeysOf(*list, *context_.traits);
  }
  // Returns the objects that share a value with `object`, each once. Returns NOT_FOUND if there is
  // no such index, or the error of the index function. (client-go: `Indexer.Index`)
  absl::StatusOr<std::vector<Object>> Index(absl::string_view index, const T& object) const {
    absl::StatusOr<std::vector<internal::AnyObject>> any =
        internal::ListByIndexOf(*state_, context_, index, &object);
    if (!any.ok()) return any.status();
    std::vector<Object> objects;
    objects.reserve(any->size());
    for (internal::AnyObject& o : *any) objects.push_back(Cast(std::move(o)));
    return objects;
  }
  // Returns all values of the index, sorted; empty if there is no such index, as in client-go.
  // (client-go: `Indexer.ListIndexFuncValues`)
  std::vector<std::string> ListIndexFuncValues(absl::string_view index) const {
    return internal::ValuesOfIndex(*state_, index);
  }
  // Returns the names of the indexes. (client-go: `Indexer.GetIndexers`)
  std::vector<std::string> ListIndexers() const { return internal::NamesOfIndexes(*state_); }

  size_t size() const { return state_->size; }
  // Returns the resource version of the last object, list or bookmark.
  // (client-go: `Store.LastStoreSyncResourceVersion`)
  const std::string& resource_version() const { return state_->resource_version; }

  // Returns the memory used. Visits all objects, which costs about as much as copying them.
  MemoryUsage MeasureMemory() const { return internal::MeasureMemory(state_, *context_.traits); }

 private:
  friend class Indexer<T>;
  explicit Snapshot(const internal::StoreCore& core)
      : context_(core.context()), state_(core.state()) {}

  static Object Cast(internal::AnyObject object) {
    return std::static_pointer_cast<const T>(std::move(object));
  }

  internal::ValueIndex::Context context_;
  internal::Ref<const internal::State> state_;
};

}  // namespace kube::listers

#endif  // LISTERS_SNAPSHOT_H_
