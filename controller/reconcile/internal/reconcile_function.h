#ifndef CONTROLLER_RECONCILE_INTERNAL_RECONCILE_FUNCTION_H_
#define CONTROLLER_RECONCILE_INTERNAL_RECONCILE_FUNCTION_H_

#include <functional>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "controller/reconcile/result.h"

namespace kube::controller::internal {

// Returns a function of a request that may return absl::Status or absl::StatusOr<Result> as one
// that returns the latter.
template <typename RequestType, typename Function>
std::function<absl::StatusOr<Result>(RequestType&)> ReconcileFunction(Function function) {
  constexpr bool takes_request = std::is_invocable_v<Function&, RequestType&>;
  static_assert(takes_request, "a reconcile function must take the controller's request&");
  if constexpr (takes_request) {
    using Returned = std::invoke_result_t<Function&, RequestType&>;
    static_assert(std::is_convertible_v<Returned, absl::StatusOr<Result>>,
                  "a reconcile function must return absl::Status or absl::StatusOr<Result>");
    if constexpr (std::is_same_v<Returned, absl::Status>) {
      return
          [function = std::move(function)](RequestType& request) mutable -> absl::StatusOr<Result> {
            absl::Status status = function(request);
            if (!status.ok()) return status;
            return Result();
          };
    } else {
      return function;
    }
  }
  return nullptr;
}

}  // namespace kube::controller::internal

#endif  // CONTROLLER_RECONCILE_INTERNAL_RECONCILE_FUNCTION_H_
