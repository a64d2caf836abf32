#ifndef APISERVER_SPECIAL_ACCESS_REVIEW_H_
#define APISERVER_SPECIAL_ACCESS_REVIEW_H_

#include "absl/status/statusor.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Serves a SubjectAccessReview, LocalSubjectAccessReview or SelfSubjectAccessReview, as the call's
// resource says: returns whether the user may send a request, and if roles matter, why.
absl::StatusOr<httpserver::Response> ServeAccessReview(const Core& core, Call& call);

// Serves a SelfSubjectRulesReview: returns the rules that apply to the user, or a rule that allows
// everything if roles do not matter. Deny rules are not considered.
absl::StatusOr<httpserver::Response> ServeRulesReview(const Core& core, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SPECIAL_ACCESS_REVIEW_H_
