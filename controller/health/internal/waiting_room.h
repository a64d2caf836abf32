#ifndef CONTROLLER_HEALTH_INTERNAL_WAITING_ROOM_H_
#define CONTROLLER_HEALTH_INTERNAL_WAITING_ROOM_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"

namespace kube::health::internal {

// A bounded number of places for requests that wait. Peers share them fairly: when all places are
// taken, a request of another peer gets a place of the peer that has most, so that no peer can keep
// others out, however often it asks.
//
// A peer gets a place of another one only if it has at least two places fewer. So each exchange
// makes the peers more equal, and they cannot take places off each other without end.
//
// Copies are the same room. Thread-safe.
class WaitingRoom {
 public:
  class Place;

  explicit WaitingRoom(size_t capacity);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// The place of one request of `peer`, which is taken by Enter until Leave or the destructor, or
// until another peer's request gets it. It may outlive the room. Thread-safe, but the destructor.
class WaitingRoom::Place {
 public:
  Place(const WaitingRoom& room, absl::string_view peer);
  ~Place();
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  // Takes a place; false: there is none. `lost` is called, at most once, if the request of another
  // peer gets this place: on the thread of that request, in its Enter, without locks, and perhaps
  // while this one calls Leave. It must not block. Call Enter once.
  bool Enter(absl::AnyInvocable<void()> lost);
  void Leave();

 private:
  const std::shared_ptr<State> state_;
  const std::string peer_;
};

}  // namespace kube::health::internal

#endif  // CONTROLLER_HEALTH_INTERNAL_WAITING_ROOM_H_
