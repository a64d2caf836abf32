#ifndef CONTROLLER_RECONCILE_INTERNAL_PARKING_H_
#define CONTROLLER_RECONCILE_INTERNAL_PARKING_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/base/monotonic_time.h"

namespace kube::controller::internal {

// A write whose result the store that caches the object has not seen yet.
struct OwnWrite {
  // Returns whether the store has it now. Never blocks.
  std::function<bool()> seen = {};
  // Keeps the registration alive with which the store reports that it has advanced.
  std::shared_ptr<const void> registration = {};
};

// The keys that must not be reconciled now, because the stores lack what their last reconcile has
// written: a reconcile that reads the old state would do the same again, for instance create a
// second child.
//
// A key that a worker takes while it is parked is held: it is run once after the end of its wait. A
// key that nobody takes meanwhile is not run because of its parking.
//
// A plain data structure: it has no thread and no lock, and calls nothing. The caller's lock guards
// it, and the caller asks `seen` without that lock, since a store may report its progress with a
// lock of its own held.
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
    // Destroy them without the lock: their registrations may wait for a call that takes it.
    Writes writes = {};
  };

  // Parks a key that is not parked.
  void Park(absl::string_view key, std::vector<OwnWrite> writes, base::MonotonicTime deadline);

  // Returns whether the key is parked. If so, it is to be run after the wait.
  bool Hold(absl::string_view key, int16_t priority);

  // Ends the wait of a key. Returns nothing if the key is not parked.
  std::optional<Released> Release(absl::string_view key);

  // Returns copies of all parked keys, in the order of their texts.
  std::vector<Parked> All() const;

  // Returns the earliest deadline, or MonotonicTime::Infinite().
  base::MonotonicTime NextDeadline() const;

  size_t size() const { return keys_.size(); }

 private:
  struct Entry {
    Writes writes;
    base::MonotonicTime deadline;
    std::optional<int16_t> held;
  };
  // Few keys are parked at a time, so that all are visited where one is looked for.
  std::map<std::string, Entry> keys_;
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_RECONCILE_INTERNAL_PARKING_H_
