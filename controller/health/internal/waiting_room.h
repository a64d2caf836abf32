#ifndef CONTROLLER_HEALTH_INTERNAL_WAITING_ROOM_H_
#define CONTROLLER_HEALTH_INTERNAL_WAITING_ROOM_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"

namespace kube::health::internal {

// A bounded number of places for waiting requests, shared fairly by peers. When all places are
// taken, a request of another peer takes over a place of the peer that has the most, so that no
// peer can lock others out by frequent requests.
//
// A peer takes over a place only from a peer that has at least two places more. So each exchange
// makes the numbers more equal, and peers cannot take places from each other endlessly.
//
// Copies refer to the same room. Thread-safe.
class WaitingRoom {
 public:
  class Place;

  explicit WaitingRoom(size_t capacity);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// The place of one request of `peer`: taken by Enter until Leave or the destructor, or until the
// request of another peer takes it over. May outlive the room. Thread-safe, except for the
// destructor.
class WaitingRoom::Place {
 public:
  Place(const WaitingRoom& room, absl::string_view peer);
  ~Place();
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  // Takes a place, or returns false if there is none. Call it once. `lost` is called at most once,
  // if another peer's request takes this place over: on that request's thread within its Enter,
  // without locks, and possibly at the same time as Leave. It must not block.
  bool Enter(absl::AnyInvocable<void()> lost);
  void Leave();

 private:
  const std::shared_ptr<State> state_;
  const std::string peer_;
};

}  // namespace kube::health::internal

#endif  // CONTROLLER_HEALTH_INTERNAL_WAITING_ROOM_H_
