#ifndef CONTROLLER_RECONCILE_INTERNAL_PARKING_H_
#define CONTROLLER_RECONCILE_INTERNAL_PARKING_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/base/monotonic_time.h"
#include "controller/reconcile/cause.h"

namespace kube::controller::internal {

// Identifies a store, which is not looked at.
using StoreId = const void*;

// A write of a reconcile, and what the store that caches the object has of it.
struct OwnWrite {
  StoreId store = nullptr;
  // Returns whether the store has it now, or has ended. Never blocks.
  std::function<bool()> seen = {};
  // Returns whether the store has been filled by a list since the reconcile began. Then it may have
  // missed what was written: an object that was created and deleted before the list is in no event.
  // Ask it after `seen`. Never blocks.
  std::function<bool()> relisted = [] { return false; };
  // Why the key is reconciled again if it was relisted.
  Cause cause = {.type = Cause::Type::kOwnWrite};
  // Keeps the store alive, so that it goes on while the key is parked.
  std::shared_ptr<const void> keeps = {};
};

// What the stores have of some writes.
struct WritesProgress {
  // Those that are not seen yet.
  std::vector<OwnWrite> unseen = {};
  // Why the key must be reconciled: a write was seen whose store was relisted. Nothing if no event
  // was missed.
  std::optional<Cause> missed = {};
};

// Asks the stores. Call it without a lock.
WritesProgress ProgressOf(const std::vector<OwnWrite>& writes);

// The keys that must not be reconciled now, because the stores lack what their last reconcile has
// written: a reconcile that reads the old state would do the same again, for instance create a
// second child.
//
// A key that a worker takes while it is parked is held: it is run once after the end of its wait. A
// key that nobody takes meanwhile is run then only if a store was relisted.
//
// Keys are kept by the stores that they wait for, so that the progress of a store costs nothing for
// the keys that wait for others.
//
// A plain data structure: it has no thread and no lock, and calls nothing. The caller's lock guards
// it, and the caller asks for the progress without that lock, since a store may report its progress
// with a lock of its own held.
class Parking {
 public:
  using Writes = std::shared_ptr<const std::vector<OwnWrite>>;

  // A parked key.
  struct Parked {
    std::string key = {};
    Writes writes = {};
    base::MonotonicTime deadline = {};
  };

  // The end of a wait.
  struct Released {
    // The highest priority with which a worker took the key meanwhile; nothing if none did.
    std::optional<int16_t> held = {};
    // The priority of the reconcile that has written.
    int16_t priority = 0;
    // Destroy them without the lock: a store may end with them.
    Writes writes = {};
  };

  // Parks a key that is not parked. `priority` is that of the reconcile that has written.
  void Park(absl::string_view key, std::vector<OwnWrite> writes, base::MonotonicTime deadline,
            int16_t priority = 0);

  // Returns whether the key is parked. If so, it is to be run after the wait.
  bool Hold(absl::string_view key, int16_t priority);

  // Ends the wait of a key. Returns nothing if the key is not parked.
  std::optional<Released> Release(absl::string_view key);

  // Notes that a store has advanced. Returns whether a key waits for it, so that Take has to be
  // called.
  bool NoteAdvanced(StoreId store);

  // Returns copies of the keys that are to be asked now, in the order of their texts, and forgets
  // that they are: those that were parked since the last call, as a store may have advanced
  // meanwhile; those that wait for a store that has advanced since; and those whose deadline has
  // come.
  std::vector<Parked> Take(base::MonotonicTime now);

  // Returns the earliest deadline, or MonotonicTime::Infinite().
  base::MonotonicTime NextDeadline() const;

  size_t size() const { return keys_.size(); }

 private:
  struct Entry {
    Writes writes;
    base::MonotonicTime deadline;
    std::optional<int16_t> held;
    int16_t priority = 0;
    bool is_new = true;  // Take has not returned it yet
  };
  // A store for which at least one key waits.
  struct Store {
    std::set<std::string> keys;
    bool advanced = false;
  };

  // Few keys are parked at a time, so that all are visited where a deadline is looked for.
  std::map<std::string, Entry> keys_;
  std::map<StoreId, Store> stores_;
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_RECONCILE_INTERNAL_PARKING_H_
