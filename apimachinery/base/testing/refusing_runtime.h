#ifndef APIMACHINERY_BASE_TESTING_REFUSING_RUNTIME_H_
#define APIMACHINERY_BASE_TESTING_REFUSING_RUNTIME_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/internal/timer_queue.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"

namespace kube::base {

// Imitates a machine on which threads of one name cannot be created, from Refuse to Allow:
// StartThread returns RESOURCE_EXHAUSTED for them. All threads that are started in it have it as
// their runtime, and so has code within a RuntimeScope of it. Everything else comes from the
// runtime below, usually a simulation.
//
//   RefusingRuntime runtime(base::Runtime::Current());
//   const base::RuntimeScope scope(runtime);
//   runtime.Refuse("informer");
//
// Its fields have no lock: only the threads of a simulation may use it.
class RefusingRuntime final : public Runtime {
 public:
  // `below` must outlive this object.
  explicit RefusingRuntime(Runtime& below) : below_(below) {}

  void Refuse(std::string name) { refused_name_ = std::move(name); }
  void Allow() { refused_name_.clear(); }
  // Returns how many threads were refused so far.
  int refusals() const { return refusals_; }

  MonotonicTime Now() override { return below_.Now(); }
  absl::Time WallNow() override { return below_.WallNow(); }
  uint64_t Random() override { return below_.Random(); }
  absl::StatusOr<std::unique_ptr<RunningThread>> StartThread(
      std::string name, absl::AnyInvocable<void()> body) override;
  Waiter& ThisThread() override { return below_.ThisThread(); }
  void Park(MonotonicTime deadline, const WaitSite& site) override { below_.Park(deadline, site); }
  internal::TimerQueue& timers() override { return below_.timers(); }

 private:
  Runtime& below_;
  std::string refused_name_;  // empty: none
  int refusals_ = 0;
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_TESTING_REFUSING_RUNTIME_H_
