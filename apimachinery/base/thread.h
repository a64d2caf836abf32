#ifndef APIMACHINERY_BASE_THREAD_H_
#define APIMACHINERY_BASE_THREAD_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/source_location.h"

namespace kube::base {

// One thread with one owner: std::jthread with a name, a Context and the starter's Runtime.
//
// Its body gets a Context below the one given to Start, and returns soon after that is done. The
// destructor cancels it and joins, so what the body uses must be declared before the Thread: make
// it the last member. Start it in Run or Start, never in a constructor.
//
// Thread-compatible; RequestStop is thread-safe once Start has returned.
//
//   Thread thread_;
//   auto body = [this](const Context& ctx) { Run(ctx); };
//   absl::Status status = thread_.Start(ctx, "reflector", body);
class Thread {
 public:
  Thread() = default;
  ~Thread();
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  // Starts the thread. ResourceExhausted when the system has no thread left: give up what you were
  // about to do. One Thread runs one body at a time: Join before starting another.
  [[nodiscard]] absl::Status Start(const Context& parent, std::string name,
                                   absl::AnyInvocable<void(const Context&)> body);

  // Cancels the body's Context; does not wait.
  void RequestStop(absl::Status cause = absl::OkStatus());

  // Blocks until the body has returned. Nothing to join: returns at once.
  void Join(SourceLocation where = SourceLocation::Current());

  // True from Start to Join.
  bool joinable() const { return running_ != nullptr; }

 private:
  std::optional<CancelScope> scope_;
  std::unique_ptr<RunningThread> running_;
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_THREAD_H_
