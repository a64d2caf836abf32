#ifndef APISERVER_SPECIAL_ACCESS_REVIEW_H_
#define APISERVER_SPECIAL_ACCESS_REVIEW_H_

#include "absl/status/statusor.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Serves a SubjectAccessReview, LocalSubjectAccessReview or SelfSubjectAccessReview, as the call's
// resource says: returns whether the user may send a request.
absl::StatusOr<httpserver::Response> ServeAccessReview(const Core& core, Call& call);

// Serves a SelfSubjectRulesReview. It always allows everything.
absl::StatusOr<httpserver::Response> ServeRulesReview(Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SPECIAL_ACCESS_REVIEW_H_
