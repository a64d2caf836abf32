// The program that signal_context_test runs and sends signals to. It reports its progress line by
// line on standard output. Its argument says what it does when the context is done: "end" or
// "hang".

#include <unistd.h>

#include <iostream>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/wait.h"

namespace {

// Static objects are destroyed when main returns, not after _exit.
struct Last {
  ~Last() { std::cout << "cleaned up" << std::endl; }
} last;

}  // namespace

int main(int argc, char** argv) {
  const absl::string_view then = argc == 2 ? argv[1] : "";
  kube::Context ctx;
  {
    // The context must not depend on the runtime of the first caller.
    kube::base::FakeClock clock;
    const kube::base::RuntimeScope runtime(clock);
    ctx = kube::SignalContext();
  }
  kube::base::Event called_back;
  const kube::DoneCallback same = kube::SignalContext().OnDone([&] {
    std::cout << "called back" << std::endl;
    called_back.Set();
  });
  std::cout << (ctx.done() ? "done too early" : "ready") << std::endl;
  const absl::Status status = kube::base::WaitUntilDone(ctx);
  if (!called_back.Wait(kube::Context()).ok()) return 4;
  std::cout << status.message() << "; " << ctx.cause().message() << std::endl;
  if (then == "hang") pause();
  return then == "end" ? 0 : 3;
}
