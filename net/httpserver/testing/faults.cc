#include "net/httpserver/testing/faults.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/internal/connection.h"
#include "net/httpserver/internal/fault_control.h"
#include "net/httpserver/internal/stream.h"

namespace kube::httpserver {

namespace {

using ::kube::httpserver::internal::Connection;

// Makes an action that changes a setting of the connection's faults.
template <typename Change>
internal::FaultControl::Action Changing(Change change) {
  return [change](Connection& connection) {
    internal::Faults faults = connection.faults();
    change(faults);
    connection.SetFaults(faults);
  };
}

}  // namespace

std::optional<Faults> Faults::Of(Exchange& exchange) {
  auto* const stream = dynamic_cast<internal::Stream*>(&exchange);
  if (stream == nullptr || stream->faults() == nullptr) return std::nullopt;
  return Faults(stream->faults());
}

Faults::Faults(std::shared_ptr<internal::FaultControl> control) : control_(std::move(control)) {}

void Faults::StallOutput() {
  control_->Post(Changing([](internal::Faults& faults) { faults.stall_output = true; }));
}

void Faults::ResumeOutput() {
  control_->Post(Changing([](internal::Faults& faults) { faults.stall_output = false; }));
}

void Faults::StallInput() {
  control_->Post(Changing([](internal::Faults& faults) { faults.stall_input = true; }));
}

void Faults::SlowDown(size_t bytes_per_second) {
  // While output is slowed down there are a hundred ticks a second.
  const size_t bytes = std::max<size_t>(1, bytes_per_second / 100);
  control_->Post(Changing([bytes](internal::Faults& faults) { faults.bytes_per_tick = bytes; }));
}

void Faults::ResetConnection() {
  control_->Post([](Connection& connection) { connection.Reset(); });
}

void Faults::HalfClose() {
  control_->Post([](Connection& connection) { connection.HalfClose(); });
}

void Faults::CloseAfter(size_t bytes) {
  control_->Post(Changing([bytes](internal::Faults& faults) { faults.close_after = bytes; }));
}

void Faults::SendRaw(std::string bytes) {
  control_->Post([bytes = std::move(bytes)](Connection& connection) { connection.SendRaw(bytes); });
}

void Faults::Then(absl::AnyInvocable<void()> closure) {
  control_->Post([closure = std::move(closure)](Connection&) mutable { closure(); });
}

void Faults::SendGoAway(uint32_t error_code) {
  control_->Post([error_code](Connection& connection) {
    connection.session()->SendGoAway(error_code);
    connection.Pump();
  });
}

void Faults::ResetStreams(uint32_t error_code) {
  control_->Post([error_code](Connection& connection) {
    connection.session()->ResetStreams(error_code);
    connection.Pump();
  });
}

}  // namespace kube::httpserver
