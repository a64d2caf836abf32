#ifndef ENVTEST_SERVER_SPECIAL_ACCESS_REVIEW_H_
#define ENVTEST_SERVER_SPECIAL_ACCESS_REVIEW_H_

#include "absl/status/statusor.h"
#include "envtest/server/call/call.h"
#include "envtest/server/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {

// Answers a SubjectAccessReview, a LocalSubjectAccessReview or a SelfSubjectAccessReview, whichever
// the call's resource is: whether a user may do something.
absl::StatusOr<httpserver::Response> ServeAccessReview(const Core& core, Call& call);

// Answers a SelfSubjectRulesReview: what the user may do.
absl::StatusOr<httpserver::Response> ServeRulesReview(Call& call);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_SPECIAL_ACCESS_REVIEW_H_
