#ifndef CLIENTSET_RETRY_RETRY_H_
#define CLIENTSET_RETRY_RETRY_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/context.h"

// Repeats an action that failed because another client was faster. (client-go: `util/retry`)
//
//   return retry::OnConflict(ctx, retry::kDefaultRetry, [&]() -> absl::Status {
//     KUBE_ASSIGN_OR_RETURN(appsv1::Deployment web, deployments.Get(ctx, "web"));  // each time
//     web.spec.replicas = 5;
//     return deployments.Update(ctx, web).status();
//   });
//
// TypedClient::Edit does this itself, and sends less. Thread-safe.
namespace kube::retry {

// For an object that several clients change: five tries, with 10 ms between them.
inline constexpr base::Backoff kDefaultRetry = {
    .duration = absl::Milliseconds(10), .factor = 1.0, .jitter = 0.1, .steps = 5};

// For an object that controllers are working on: four tries, with 10, 50 and 250 ms between them.
inline constexpr base::Backoff kDefaultBackoff = {
    .duration = absl::Milliseconds(10), .factor = 5.0, .jitter = 0.1, .steps = 4};

// Calls `fn` on this thread until it succeeds, fails with an error that `retriable` does not
// accept, or was called backoff.steps times (at least once). Blocks between the tries. Returns OK,
// the last error, or ctx.status() if `ctx` ends between the tries. `fn` gets no context: let it
// capture the same one. (client-go: `retry.OnError`, which without steps does nothing and returns
// success)
absl::Status OnError(const Context& ctx, base::Backoff backoff,
                     absl::FunctionRef<bool(const absl::Status&)> retriable,
                     absl::FunctionRef<absl::Status()> fn);

// Like OnError with errors::IsConflict. (client-go: `retry.RetryOnConflict`)
absl::Status OnConflict(const Context& ctx, const base::Backoff& backoff,
                        absl::FunctionRef<absl::Status()> fn);

}  // namespace kube::retry

#endif  // CLIENTSET_RETRY_RETRY_H_
