#include "apimachinery/base/testing/sim_wall_clock.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/runtime.h"

namespace kube::base {

absl::StatusOr<std::unique_ptr<RunningThread>> SimWallClock::StartThread(
    std::string name, absl::AnyInvocable<void()> body) {
  return below_.StartThread(std::move(name), [this, body = std::move(body)]() mutable {
    const RuntimeScope scope(*this);
    body();
    body = nullptr;
  });
}

}  // namespace kube::base
