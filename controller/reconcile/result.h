#ifndef CONTROLLER_RECONCILE_RESULT_H_
#define CONTROLLER_RECONCILE_RESULT_H_

#include "controller/workqueue/verdict.h"

namespace kube::controller {

// What a reconcile function returns on success: nothing more to do, or to be called again after a
// time. On failure it returns a Status: the key is retried with growing delays. The functions of
// workqueue/verdict.h change that: TerminalError (do not retry), RetryAfter (a delay of your
// own), RetryWithPriority. (controller-runtime: `reconcile.Result`)
//
//   return kube::controller::Result{.requeue_after = absl::Minutes(10)};
using Result = workqueue::Result;

}  // namespace kube::controller

#endif  // CONTROLLER_RECONCILE_RESULT_H_
