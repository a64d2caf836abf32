#ifndef APISERVER_SPECIAL_ACCESS_REVIEW_H_
#define APISERVER_SPECIAL_ACCESS_REVIEW_H_

#include "absl/status/statusor.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Answers a SubjectAccessReview, a LocalSubjectAccessReview or a SelfSubjectAccessReview, whichever
// the call's resource is: whether a user may do something.
absl::StatusOr<httpserver::Response> ServeAccessReview(const Core& core, Call& call);

// Answers a SelfSubjectRulesReview: what the user may do.
absl::StatusOr<httpserver::Response> ServeRulesReview(Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SPECIAL_ACCESS_REVIEW_H_
