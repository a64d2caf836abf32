#ifndef NET_HTTPSERVER_INTERNAL_FAULT_CONTROL_H_
#define NET_HTTPSERVER_INTERNAL_FAULT_CONTROL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/time/time.h"

namespace kube::httpserver::internal {

class Connection;

// The ways in which a connection misbehaves on purpose. Only tests of clients set them; see
// testing/faults.h.
struct Faults {
  bool stall_output = false;
  bool stall_input = false;
  // Bytes sent in each tick of the loop; zero: no limit.
  size_t bytes_per_tick = 0;
  // Bytes to send before the connection is closed without close_notify.
  std::optional<size_t> close_after = {};
};

// Lets handlers reach the connection of their exchange, by closures for its I/O thread.
// Thread-safe.
class FaultControl {
 public:
  using Action = absl::AnyInvocable<void(Connection&)>;
  explicit FaultControl(absl::AnyInvocable<void(Action) const> post) : post_(std::move(post)) {}

  // Runs `action` soon, in the order of the calls; not if the connection has been closed by then.
  void Post(Action action) const { post_(std::move(action)); }

 private:
  const absl::AnyInvocable<void(Action) const> post_;
};

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_FAULT_CONTROL_H_
