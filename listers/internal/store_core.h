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
// The changes of a write, by number.
using Changes = absl::FunctionRef<AnyChange&(size_t)>;

struct AnyIndexer {
  std::string name;
  std::function<absl::StatusOr<std::vector<std::string>>(const void*)> values_of;
};

// What a store is at one moment.
struct State : RefCounted {
  struct Index {
    std::shared_ptr<const AnyIndexer> indexer;
    ValueIndex values;
  };

  // Null: there is none.
  const Index* FindIndex(absl::string_view name) const;

  ValueIndex objects;  // by namespace
  size_t size = 0;
  std::vector<Index> indexes;  // by name
  std::string resource_version;
};

// Indexer, of any type. Thread-safe.
//
// Two locks. One keeps writers from each other. The other guards the pointer to the state: those
// who take a snapshot hold it while they take a reference, and a writer while it puts another state
// in place. A writer that finds nobody else with a reference makes one change, or several at once,
// in place under that lock; otherwise it works on a copy (some nodes) without it.
//
// A get looks in the state under the second lock: to find one object takes less than to hand the
// state to a reader and to take it back.
class StoreCore {
 public:
  // `traits` live for ever.
  StoreCore(const ObjectTraits& traits, const Hasher& hasher);
  StoreCore(const StoreCore&) = delete;
  StoreCore& operator=(const StoreCore&) = delete;

  Ref<State> state() const ABSL_LOCKS_EXCLUDED(mutex_);
  // The object now, or null.
  AnyObject Get(const ObjectKey& key) const ABSL_LOCKS_EXCLUDED(mutex_);
  ValueIndex::Context context() const { return {.hasher = hasher_, .traits = &traits_}; }

  absl::Status Apply(AnyChange change) ABSL_LOCKS_EXCLUDED(writer_mutex_, mutex_);
  // All or, where one is refused, nothing. Sets the old object of each change.
  absl::Status Apply(size_t count, Changes change) ABSL_LOCKS_EXCLUDED(writer_mutex_, mutex_);
  absl::Status Replace(std::vector<AnyObject> objects, std::string resource_version)
      ABSL_LOCKS_EXCLUDED(writer_mutex_, mutex_);
  absl::Status AddIndexers(std::vector<AnyIndexer> indexers)
      ABSL_LOCKS_EXCLUDED(writer_mutex_, mutex_);
  void SetResourceVersion(std::string resource_version) ABSL_LOCKS_EXCLUDED(writer_mutex_, mutex_);

 private:
  // All that has to be found out before a change.
  struct Prepared {
    ObjectKey key;
    uint64_t hash = 0;
    AnyObject old;
    struct Values {
      std::vector<std::string> leaves;  // of those in an index, the old object's alone
      std::vector<std::string> has;     // the new object's
    };
    absl::InlinedVector<Values, 2> values;  // one an index
    absl::Status status;                    // of the index functions
  };

  ObjectKey KeyOf(const AnyChange& change) const;
  absl::Status CheckKeyOf(const AnyChange& change) const;
  // Outside of mutex_: index functions are the user's.
  Prepared Prepare(const State& state, const AnyChange& change) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(writer_mutex_);
  // Adds to `garbage` what may be the last reference to something.
  void ChangeState(State& state, const AnyChange& change, const Prepared& prepared,
                   std::vector<AnyObject>& garbage) const;
  ValueIndex BuildIndex(const State& state, const AnyIndexer& indexer, absl::Status& status) const;
  // What has to be found out before several changes, if it holds for all of them: they are few, and
  // of different objects. Otherwise empty.
  std::vector<Prepared> PrepareAll(size_t count, Changes change) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(writer_mutex_);
  // Makes changes that were prepared together in the state itself. False: somebody else has a
  // reference to it, and it is as it was.
  bool ChangeInPlace(Changes change, absl::Span<const Prepared> prepared,
                     std::vector<AnyObject>& garbage) ABSL_EXCLUSIVE_LOCKS_REQUIRED(writer_mutex_)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void Publish(Ref<State> state) ABSL_EXCLUSIVE_LOCKS_REQUIRED(writer_mutex_)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // A state to change. Its writer is the only one who may look at state_ without mutex_: nobody
  // else changes it.
  Ref<State> Copy() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(writer_mutex_);

  const ObjectTraits& traits_;  // lives for ever
  const Hasher hasher_;

  mutable base::Mutex writer_mutex_ ABSL_ACQUIRED_BEFORE(mutex_);
  mutable base::Mutex mutex_;
  Ref<State> state_ ABSL_GUARDED_BY(mutex_);
  // The same, for the writer.
  const State* current_ ABSL_GUARDED_BY(writer_mutex_);
};

// Null: there is none.
const AnyObject* FindObject(const State& state, const ValueIndex::Context& context, uint64_t hash,
                            const ObjectKey& key);

// Of an object's key. INVALID_ARGUMENT: its name has a slash.
absl::Status CheckKey(const ObjectKey& key);
// The two parts of "namespace/name" or "name". Nothing: no object can have this key.
std::optional<ObjectKey> SplitKey(absl::string_view key);
std::string JoinKey(const ObjectKey& key);

// NOT_FOUND, as what asks for an index that there is not.
absl::Status NoSuchIndex(absl::string_view name);

}  // namespace kube::listers::internal

#endif  // LISTERS_INTERNAL_STORE_CORE_H_
