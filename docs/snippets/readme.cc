// The program of README.md.
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"

int main() {
  kube::base::ThreadGroup group(kube::WithTimeout(kube::SignalContext(), absl::Minutes(1)));
  for (const char* name : {"worker 1", "worker 2"}) {
    group.Go(name, [name](const kube::Context& ctx) {
      kube::log::Info("working", {{"worker", name}});
      return kube::base::SleepFor(ctx, absl::Milliseconds(100));  // ends early on SIGTERM
    });
  }
  const absl::Status status = group.Wait();  // the first error, whichever worker's
  if (!status.ok()) kube::log::Error(status, "giving up");
  return status.ok() ? 0 : 1;
}
