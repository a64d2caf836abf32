#ifndef LISTERS_ANY_STORE_H_
#define LISTERS_ANY_STORE_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "listers/any_change.h"
#include "listers/internal/ref.h"
#include "listers/internal/store_core.h"
#include "listers/internal/value_index.h"
#include "listers/stored_object.h"

namespace kube::listers {

template <StoredObject T>
class Indexer;

// A Snapshot of a store whose object type is known only at run time.
//
// Cheap to copy. Immutable and thread-safe. It keeps all objects of its moment alive, and may
// outlive the store.
class AnySnapshot {
 public:
  // Returns the object with this key, or null.
  std::shared_ptr<const void> Get(absl::string_view namespace_name, absl::string_view name) const;
  // Calls `function` with each object, in no particular order.
  void ForEach(absl::FunctionRef<void(const std::shared_ptr<const void>&)> function) const;

  size_t size() const { return state_->size; }
  // Returns the resource version of the last change, list or bookmark.
  const std::string& resource_version() const { return state_->resource_version; }

 private:
  friend class AnyStore;
  AnySnapshot(const internal::ValueIndex::Context& context,
              internal::Ref<const internal::State> state);

  internal::ValueIndex::Context context_;
  internal::Ref<const internal::State> state_;
};

// The part of an Indexer that does not depend on the object type; see Indexer::any(). For code that
// is generic over types, such as informers; programs use the Indexer. Objects passed to it must be
// of the Indexer's type and not null.
//
// Thread-safe. Lives as long as its Indexer.
class AnyStore {
 public:
  AnyStore(const AnyStore&) = delete;
  AnyStore& operator=(const AnyStore&) = delete;

  // Applies change(0) to change(count - 1) in this order and sets their old objects. Readers see
  // all changes or none. The changes may be parts of larger values; they are not copied.
  //
  // Returns INVALID_ARGUMENT if a key is invalid; nothing is changed then. Returns
  // FAILED_PRECONDITION if an index function failed; the changes are made, but that index lacks
  // some of the objects.
  absl::Status Apply(size_t count, absl::FunctionRef<AnyChange&(size_t)> change) {
    return core_.Apply(count, change);
  }
  // Replaces all objects and the resource version. Errors are those of Apply.
  absl::Status Replace(std::vector<std::shared_ptr<const void>> objects,
                       std::string resource_version) {
    return core_.Replace(std::move(objects), std::move(resource_version));
  }
  // Sets only the resource version.
  void Bookmark(std::string resource_version) {
    core_.SetResourceVersion(std::move(resource_version));
  }

  AnySnapshot snapshot() const { return AnySnapshot(core_.context(), core_.state()); }

  // Returns INVALID_ARGUMENT if a name contains a slash; stores reject such objects.
  static absl::Status CheckKey(absl::string_view namespace_name, absl::string_view name);

 private:
  template <StoredObject T>
  friend class Indexer;
  AnyStore(const internal::ObjectTraits& traits, const internal::Hasher& hasher)
      : core_(traits, hasher) {}

  internal::StoreCore core_;
};

}  // namespace kube::listers

#endif  // LISTERS_ANY_STORE_H_
