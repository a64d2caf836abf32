#ifndef LISTERS_INTERNAL_STORE_CORE_H_
#define LISTERS_INTERNAL_STORE_CORE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/mutex.h"
#include "listers/any_change.h"
#include "listers/internal/ref.h"
#include "listers/internal/value_index.h"

namespace kube::listers::internal {

using AnyObject = ValueIndex::Object;
// Returns the i-th change of a write.
using Changes = absl::FunctionRef<AnyChange&(size_t)>;

struct AnyIndexer {
  std::string name;
  std::function<absl::StatusOr<std::vector<std::string>>(const void*)> values_of;
};

// The contents of a store at one moment. A copy shares the nodes of its trees.
struct State : RefCounted {
  struct Index {
    std::shared_ptr<const AnyIndexer> indexer;
    ValueIndex values;
  };

  // Returns null if no index has this name.
  const Index* FindIndex(absl::string_view name) const;

  ValueIndex objects;  // all objects, indexed by namespace
  size_t size = 0;
  std::vector<Index> indexes;  // sorted by name
  std::string resource_version;
};

// The implementation of Indexer for all object types. Thread-safe.
//
// It has two locks. `writer_mutex_` serializes writers. `mutex_` guards the pointer to the state:
// it is held to take a snapshot, to replace the state, to change it in place, and for a Get. A
// reader waits at most for a change of a few objects in place. See store_core.cc.
class StoreCore {
 public:
  // `traits` must outlive the store.
  StoreCore(const ObjectTraits& traits, const Hasher& hasher);
  StoreCore(const StoreCore&) = delete;
  StoreCore& operator=(const StoreCore&) = delete;

  // Returns a snapshot, which never changes.
  Ref<State> state() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the present object, or null.
  AnyObject Get(const ObjectKey& key) const ABSL_LOCKS_EXCLUDED(mutex_);
  ValueIndex::Context context() const { return {.hasher = hasher_, .traits = &traits_}; }

  // Apply changes so that readers see all of them or none. Return INVALID_ARGUMENT and change
  // nothing if an object's name or namespace contains a slash. Return FAILED_PRECONDITION if an
  // index function fails: the changes are made, but the index lacks the object. Set `old_object` of
  // each change.
  absl::Status Apply(AnyChange change) ABSL_LOCKS_EXCLUDED(writer_mutex_, mutex_);
  absl::Status Apply(size_t count, Changes change) ABSL_LOCKS_EXCLUDED(writer_mutex_, mutex_);
  // Replaces all objects, with the same errors.
  absl::Status Replace(std::vector<AnyObject> objects, std::string resource_version)
      ABSL_LOCKS_EXCLUDED(writer_mutex_, mutex_);
  // Adds indexes over the present and all later objects. Returns ALREADY_EXISTS and adds none if a
  // name is in use, and FAILED_PRECONDITION if an index function fails, as Apply does.
  absl::Status AddIndexers(std::vector<AnyIndexer> indexers)
      ABSL_LOCKS_EXCLUDED(writer_mutex_, mutex_);
  // Removes an index, if there is one of this name. Snapshots keep it.
  void RemoveIndexer(absl::string_view name) ABSL_LOCKS_EXCLUDED(writer_mutex_, mutex_);
  void SetResourceVersion(std::string resource_version) ABSL_LOCKS_EXCLUDED(writer_mutex_, mutex_);

 private:
  // What a change needs to know before it is made.
  struct Prepared {
    ObjectKey key;
    uint64_t hash = 0;
    AnyObject old;
    struct Values {
      std::vector<std::string> leaves;  // values that only the old object has
      std::vector<std::string> has;     // values of the new object
    };
    absl::InlinedVector<Values, 2> values;  // one per index
    absl::Status status;                    // errors of the index functions
  };

  ObjectKey KeyOf(const AnyChange& change) const;
  absl::Status CheckKeyOf(const AnyChange& change) const;
  // Calls the index functions, which are user code, and so is not called under `mutex_`.
  Prepared Prepare(const State& state, const AnyChange& change) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(writer_mutex_);
  // Makes a change. Moves references that may be the last ones to `garbage`, so that the caller
  // chooses where objects are destroyed.
  void ChangeState(State& state, const AnyChange& change, const Prepared& prepared,
                   std::vector<AnyObject>& garbage) const;
  ValueIndex BuildIndex(const State& state, const AnyIndexer& indexer, absl::Status& status) const;
  // Prepares all changes against the present state. Returns an empty vector if that is impossible:
  // if the changes are many, or two of them may be of one object.
  std::vector<Prepared> PrepareAll(size_t count, Changes change) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(writer_mutex_);
  // Makes prepared changes in the present state. Returns false and changes nothing if a snapshot of
  // this state exists.
  bool ChangeInPlace(Changes change, absl::Span<const Prepared> prepared,
                     std::vector<AnyObject>& garbage) ABSL_EXCLUSIVE_LOCKS_REQUIRED(writer_mutex_)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Replaces the state.
  void Publish(Ref<State> state) ABSL_EXCLUSIVE_LOCKS_REQUIRED(writer_mutex_)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns a copy of the state to change.
  Ref<State> Copy() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(writer_mutex_);

  const ObjectTraits& traits_;
  const Hasher hasher_;

  mutable base::Mutex writer_mutex_ ABSL_ACQUIRED_BEFORE(mutex_);
  mutable base::Mutex mutex_;
  Ref<State> state_ ABSL_GUARDED_BY(mutex_);
  // The state that `state_` owns. Only writers change it, so a writer may read it without `mutex_`.
  const State* current_ ABSL_GUARDED_BY(writer_mutex_);
};

// Returns the object with this key, whose hash is `hash`, or null.
const AnyObject* FindObject(const State& state, const ValueIndex::Context& context, uint64_t hash,
                            const ObjectKey& key);

// Returns INVALID_ARGUMENT if the namespace or the name contains a slash.
absl::Status CheckKey(const ObjectKey& key);
// Splits "namespace/name" or "name". Returns nullopt if no object can have this key.
std::optional<ObjectKey> SplitKey(absl::string_view key);
std::string JoinKey(const ObjectKey& key);

// Returns the NOT_FOUND error of a lookup in an index that does not exist.
absl::Status NoSuchIndex(absl::string_view name);

}  // namespace kube::listers::internal

#endif  // LISTERS_INTERNAL_STORE_CORE_H_
