#include "apimachinery/base/signal_context.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/thread.h"

namespace kube {

// A signal handler may call only async-signal-safe functions, so it cannot cancel a Context. It
// writes the number of the first signal to an eventfd; a thread that reads the eventfd cancels the
// context. On the second signal the handler itself ends the process.

namespace {

// The handler uses only these: lock-free atomics are safe in a signal handler.
std::atomic<int> event_fd = -1;
std::atomic<bool> signalled = false;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void HandleSignal(int signal) {
  if (signalled.exchange(true)) _exit(1);
  const int saved_errno = errno;
  const uint64_t number = static_cast<uint64_t>(signal);
  // The write cannot fail, since the counter is zero. If it did, the next signal would still end
  // the process.
  [[maybe_unused]] const ssize_t written = write(event_fd, &number, sizeof(number));
  errno = saved_errno;
}

// Lives until the process ends.
class SignalWatch {
 public:
  SignalWatch() : scope_(WithCancel(Context())) {
    event_fd = eventfd(0, EFD_CLOEXEC);
    KUBE_CHECK_GE(event_fd.load(), 0) << "create eventfd for signals: errno " << errno;
    KUBE_CHECK_OK(thread_.Start(Context(), "kube-signals", [this](const Context&) { Watch(); }));
    struct sigaction action = {};
    action.sa_handler = HandleSignal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (const int signal : {SIGINT, SIGTERM}) {
      KUBE_CHECK_EQ(sigaction(signal, &action, nullptr), 0) << "handle signal " << signal;
    }
  }

  const Context& context() const { return scope_.context(); }

 private:
  // Never returns: ThreadSanitizer would report a thread that has ended without being joined as a
  // leak.
  void Watch() {
    for (;;) {
      uint64_t number = 0;
      if (read(event_fd, &number, sizeof(number)) < 0) {
        KUBE_CHECK_EQ(errno, EINTR) << "read eventfd for signals";
        continue;
      }
      scope_.Cancel(
          absl::CancelledError(absl::StrCat("received ", number == SIGINT ? "SIGINT" : "SIGTERM")));
    }
  }

  CancelScope scope_;
  base::Thread thread_;
};

SignalWatch* MakeSignalWatch() {
  // Signals belong to the process, so the clock of a simulation or of a test must not affect them.
  const base::RuntimeScope real(base::Runtime::Real());
  return new SignalWatch;
}

}  // namespace

Context SignalContext() {
  static SignalWatch* const watch = MakeSignalWatch();
  return watch->context();
}

}  // namespace kube
