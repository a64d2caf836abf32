#ifndef APIMACHINERY_BASE_SIGNAL_CONTEXT_H_
#define APIMACHINERY_BASE_SIGNAL_CONTEXT_H_

#include "apimachinery/base/context.h"

namespace kube {

// Returns the context that main passes to everything it starts. The first SIGINT or SIGTERM makes
// it done, and its cause() names the signal, so that the program can shut down. A second signal
// ends the process immediately with status 1. controller-runtime: `signals.SetupSignalHandler`,
// which may be called only once.
//
// The first call installs handlers for both signals, replacing any others, until the process ends;
// all calls return the same context. Its callbacks run on a thread of its own. Do not call it in a
// program that handles these signals itself. After fork() without exec the child shares the
// handlers and must install its own. Thread-safe.
//
//   int main(int argc, char** argv) {
//     ...
//     const kube::Context ctx = kube::WithTimeout(kube::SignalContext(), absl::Minutes(5));
//     const absl::Status status = ListPods(ctx);
//     if (!status.ok()) std::cerr << status.message() << "\n";
//     return status.ok() ? 0 : 1;
//   }
Context SignalContext();

}  // namespace kube

#endif  // APIMACHINERY_BASE_SIGNAL_CONTEXT_H_
