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
// It is no copy: making it takes a pointer. While it lives, so do all objects of its moment: take
// ToVector() of a few that are to be kept. The order is that of hashes, which differs from process
// to process (client-go: from call to call), but not between two runs of a simulation. Immutable,
// and thread-safe.
template <typename T>
class ObjectList {
 public:
  class Iterator {
   public:
    using difference_type = ptrdiff_t;
    using value_type = T;

    const T& operator*() const { return *static_cast<const T*>(cursor_.value().get()); }
    const T* operator->() const { return &**this; }
    // To keep the object.
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

  // Good while the list lives.
  Iterator begin() const { return Iterator(list_); }
  std::default_sentinel_t end() const { return {}; }

  size_t size() const { return list_.size(); }
  bool empty() const { return size() == 0; }

  // A reference to each: some twenty nanoseconds an object. What client-go's lists are.
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

// A store at one moment: objects, indexes and resource version belong together. Reads of an Indexer
// are those of a snapshot that is taken for each; take one yourself where several reads have to
// agree. client-go has none.
//
// Cheap to copy. Immutable, and thread-safe. It keeps the objects of its moment: do not store it.
// It may outlive its Indexer.
template <StoredObject T>
class Snapshot {
 public:
  using Object = std::shared_ptr<const T>;

  // Null: there is none. `namespace_name` is empty for what is in none.
  Object Get(absl::string_view namespace_name, absl::string_view name) const {
    return Cast(
        internal::GetObject(*state_, context_, {.namespace_name = namespace_name, .name = name}));
  }
  // Of a meta::MetaNamespaceKey: "prod/web-0", "node-1". (Store.GetByKey)
  Object GetByKey(absl::string_view key) const {
    return Cast(internal::GetObjectByKey(*state_, context_, key));
  }

  // (Store.List)
  ObjectList<T> List() const { return ObjectList<T>(internal::AnyList(state_)); }
  // Of a namespace, for which no index is needed; "" are those without one, not all.
  // (cache.ListAllByNamespace)
  ObjectList<T> List(absl::string_view namespace_name) const {
    return ObjectList<T>(
        internal::AnyList(state_, state_->objects.Find(context_.hasher, namespace_name)));
  }
  // In no order. (Store.ListKeys)
  std::vector<std::string> ListKeys() const {
    return internal::KeysOf(internal::AnyList(state_), *context_.traits);
  }
  // Sorted. client-go has no such thing.
  std::vector<std::string> ListNamespaces() const {
    return internal::ValuesOfPostings(state_->objects);
  }

  // The objects with this value. NOT_FOUND: no such index. Give the list a name before you loop
  // over it: `for (... : *ByIndex(...))` would destroy it first. (Indexer.ByIndex)
  absl::StatusOr<ObjectList<T>> ByIndex(absl::string_view index, absl::string_view value) const {
    absl::StatusOr<internal::AnyList> list = internal::ListByIndex(state_, context_, index, value);
    if (!list.ok()) return list.status();
    return ObjectList<T>(*std::move(list));
  }
  // Their keys, sorted. (Indexer.IndexKeys)
  absl::StatusOr<std::vector<std::string>> IndexKeys(absl::string_view index,
                                                     absl::string_view value) const {
    absl::StatusOr<internal::AnyList> list = internal::ListByIndex(state_, context_, index, value);
    if (!list.ok()) return list.status();
    return internal::SortedKeysOf(*list, *context_.traits);
  }
  // The objects that have a value in common with `object`, each once. NOT_FOUND: no such index; or
  // the index function's error. (Indexer.Index)
  absl::StatusOr<std::vector<Object>> Index(absl::string_view index, const T& object) const {
    absl::StatusOr<std::vector<internal::AnyObject>> any =
        internal::ListByIndexOf(*state_, context_, index, &object);
    if (!any.ok()) return any.status();
    std::vector<Object> objects;
    objects.reserve(any->size());
    for (internal::AnyObject& o : *any) objects.push_back(Cast(std::move(o)));
    return objects;
  }
  // All values that objects have, sorted; none of an index that there is not, as upstream.
  // (Indexer.ListIndexFuncValues)
  std::vector<std::string> ListIndexFuncValues(absl::string_view index) const {
    return internal::ValuesOfIndex(*state_, index);
  }
  // The names. (Indexer.GetIndexers)
  std::vector<std::string> ListIndexers() const { return internal::NamesOfIndexes(*state_); }

  size_t size() const { return state_->size; }
  // Of the last object, list or bookmark. (Store.LastStoreSyncResourceVersion)
  const std::string& resource_version() const { return state_->resource_version; }

  // Walks all objects: as much work as copying them.
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
