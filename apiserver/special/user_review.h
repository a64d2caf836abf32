#ifndef APISERVER_SPECIAL_USER_REVIEW_H_
#define APISERVER_SPECIAL_USER_REVIEW_H_

#include "absl/status/statusor.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Serve the reviews that return a user: the caller, and the user of a token.
absl::StatusOr<httpserver::Response> ServeSelfSubjectReview(Call& call);
absl::StatusOr<httpserver::Response> ServeTokenReview(Core& core, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SPECIAL_USER_REVIEW_H_
