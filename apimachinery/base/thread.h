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

// A thread with one owner: std::jthread with a name, a Context and the runtime of the thread that
// starts it.
//
// The body receives a Context below the one passed to Start, and must return soon after that is
// done. The destructor cancels the Context and joins the thread, so members that the body uses must
// be declared before the Thread: make it the last member. Start it in Run or Start, never in a
// constructor.
//
// Thread-compatible; RequestStop is thread-safe once Start has returned.
//
//   absl::Status Start(const Context& parent) {
//     return thread_.Start(parent, "reflector", [this](const Context& ctx) { Run(ctx); });
//   }
//   ...
//   Thread thread_;  // the last member
class Thread {
 public:
  Thread() = default;
  ~Thread();
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  // Starts the thread. Returns RESOURCE_EXHAUSTED if the system cannot create a thread; `body` then
  // does not run. A Thread runs one body at a time: call Join before the next Start.
  [[nodiscard]] absl::Status Start(const Context& parent, std::string name,
                                   absl::AnyInvocable<void(const Context&)> body);

  // Cancels the body's Context with `cause`. Does not block.
  void RequestStop(absl::Status cause = absl::OkStatus());

  // Blocks until the body has returned. Returns immediately if no thread was started. Does not
  // cancel.
  void Join(SourceLocation where = SourceLocation::Current());

  // Returns true from Start until Join.
  bool joinable() const { return running_ != nullptr; }

 private:
  std::optional<CancelScope> scope_;
  std::unique_ptr<RunningThread> running_;
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_THREAD_H_
