#include "clientset/retry/retry.h"

#include <algorithm>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"

namespace kube::retry {

absl::Status OnError(const Context& ctx, base::Backoff backoff,
                     absl::FunctionRef<bool(const absl::Status&)> retriable,
                     absl::FunctionRef<absl::Status()> fn) {
  backoff.steps = std::max(backoff.steps, 1);
  absl::Status last;
  bool given_up = true;
  const absl::Status status =
      base::ExponentialBackoff(ctx, backoff, [&](const Context&) -> absl::StatusOr<bool> {
        last = fn();
        if (last.ok() || !retriable(last)) given_up = false;
        if (given_up) return false;
        if (!last.ok()) return last;
        return true;
      });
  if (!given_up) return last;
  return ctx.done() ? ctx.status() : last;
}

absl::Status OnConflict(const Context& ctx, const base::Backoff& backoff,
                        absl::FunctionRef<absl::Status()> fn) {
  return OnError(ctx, backoff, &errors::IsConflict, fn);
}

}  // namespace kube::retry
