#ifndef CONTROLLER_RECONCILE_INTERNAL_LATE_WRITES_H_
#define CONTROLLER_RECONCILE_INTERNAL_LATE_WRITES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "controller/reconcile/internal/parking.h"

namespace kube::controller::internal {

// The writes that their stores have not seen in time, of keys that are not parked any more and may
// be reconciled. Each write is kept until its store has it: if the store was relisted meanwhile, no
// event says that the written object is gone, and the key must be reconciled.
//
// A store that never gets the version, because its watch has ended or the server is gone, keeps its
// writes here. So at most `limit` keys are kept, in two halves: when the newer half is full, it
// becomes the older one, which is forgotten. Of a key, the newest kMaxWrites writes are kept; the
// list that hides an older write hides them, too.
//
// A plain data structure as Parking is: the caller's lock guards it. It keeps no store alive, so
// its writes may be destroyed with that lock held.
class LateWrites {
 public:
  static constexpr size_t kMaxWrites = 64;

  explicit LateWrites(size_t limit = 8192) : limit_(limit) {}

  // Adds writes of the key, and gives up what keeps their stores alive: the caller must still hold
  // the stores.
  void Note(absl::string_view key, std::vector<OwnWrite> writes, int16_t priority);

  // Removes all writes of the key and returns them. Returns nothing if the key has none.
  std::optional<Parking::Released> Release(absl::string_view key);

  // See Parking::NoteAdvanced and Parking::Take.
  bool NoteAdvanced(StoreId store);
  std::vector<Parking::Parked> Take();

  // The number of keys.
  size_t size() const { return newer_.size() + older_.size(); }

 private:
  size_t limit_;
  // A key is in one of them at most. None of them has a deadline.
  Parking newer_;
  Parking older_;
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_RECONCILE_INTERNAL_LATE_WRITES_H_
