#ifndef ENVTEST_SERVER_SPECIAL_USER_REVIEW_H_
#define ENVTEST_SERVER_SPECIAL_USER_REVIEW_H_

#include "absl/status/statusor.h"
#include "envtest/server/call/call.h"
#include "envtest/server/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {

// Answer the reviews that tell who somebody is: who asks, and who has a token.
absl::StatusOr<httpserver::Response> ServeSelfSubjectReview(Call& call);
absl::StatusOr<httpserver::Response> ServeTokenReview(Core& core, Call& call);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_SPECIAL_USER_REVIEW_H_
