#ifndef APIMACHINERY_BASE_SIGNAL_CONTEXT_H_
#define APIMACHINERY_BASE_SIGNAL_CONTEXT_H_

#include "apimachinery/base/context.h"

namespace kube {

// The context that a program's main gives to everything it starts: the first SIGINT or SIGTERM
// makes it done, and its cause() names the signal, so that the program ends by itself; a second
// signal ends the process at once with status 1, for when it does not.
//
// The first call installs handlers for both signals, in place of whatever handled or ignored them,
// until the process ends; every call answers the same context. Callbacks run on a thread of its
// own. A program that wants these signals for itself does not call it. A child after fork without
// exec shares the handlers and must set its own. Thread-safe. Go: signals.SetupSignalHandler of
// controller-runtime, which may be called only once.
//
//   int main() {
//     kube::Context ctx = kube::SignalContext();
//     return RunController(ctx).ok() ? 0 : 1;
//   }
Context SignalContext();

}  // namespace kube

#endif  // APIMACHINERY_BASE_SIGNAL_CONTEXT_H_
