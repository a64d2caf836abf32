#include "controller/leaderelection/fencing_token.h"

#include <compare>

#include "absl/status/statusor.h"
#include "apimachinery/base/status.h"
#include "apimachinery/meta/resource_version.h"

namespace kube::leaderelection {

absl::StatusOr<std::strong_ordering> CompareFencingTokens(const FencingToken& a,
                                                          const FencingToken& b) {
  KUBE_ASSIGN_OR_RETURN(const std::strong_ordering order,
                        meta::CompareResourceVersion(a.resource_version, b.resource_version),
                        "compare fencing tokens");
  return order;
}

}  // namespace kube::leaderelection
