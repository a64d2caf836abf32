#ifndef CLIENTSET_RETRY_RETRY_H_
#define CLIENTSET_RETRY_RETRY_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/context.h"

// Doing something again that failed because somebody else was faster. (client-go's util/retry)
//
//   absl::Status status = retry::OnConflict(ctx, retry::kDefaultRetry, [&]() -> absl::Status {
//     KUBE_ASSIGN_OR_RETURN(appsv1::Deployment web, deployments.Get(ctx, "web"));  // each time
//     web.spec.replicas = 5;
//     return deployments.Update(ctx, web).status();
//   });
//
// TypedClient::Edit does this, and sends less. Thread-safe.
namespace kube::retry {

// For an object that several clients change: five tries, 10 ms between them.
inline constexpr base::Backoff kDefaultRetry = {
    .duration = absl::Milliseconds(10), .factor = 1.0, .jitter = 0.1, .steps = 5};

// For an object that controllers are busy with: four tries; 10, 50 and 250 ms between them.
inline constexpr base::Backoff kDefaultBackoff = {
    .duration = absl::Milliseconds(10), .factor = 5.0, .jitter = 0.1, .steps = 4};

// Calls `fn`, on this thread, up to backoff.steps times (once at least), as long as it fails with
// what `retriable` says yes to. OK, or the last error; ctx.status() if that ends a pause. `fn` gets
// no context of its own: let it take the same one. (retry.OnError, which with no steps does nothing
// and says that it went well)
absl::Status OnError(const Context& ctx, base::Backoff backoff,
                     absl::FunctionRef<bool(const absl::Status&)> retriable,
                     absl::FunctionRef<absl::Status()> fn);

// The same for errors::IsConflict. (retry.RetryOnConflict)
absl::Status OnConflict(const Context& ctx, const base::Backoff& backoff,
                        absl::FunctionRef<absl::Status()> fn);

}  // namespace kube::retry

#endif  // CLIENTSET_RETRY_RETRY_H_
