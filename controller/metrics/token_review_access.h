#ifndef CONTROLLER_METRICS_TOKEN_REVIEW_ACCESS_H_
#define CONTROLLER_METRICS_TOKEN_REVIEW_ACCESS_H_

#include <cstddef>
#include <memory>
#include <optional>

#include "absl/time/time.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/client.h"
#include "net/httpserver/exchange.h"

namespace kube::metrics {

// Options of TokenReviewAccess. The defaults are those of controller-runtime.
struct TokenReviewOptions {
  // How long it is remembered who a token is, and what a user may or may not do. Zero: not at all.
  // A token that was revoked, or a right that was taken away, is still accepted for this long.
  absl::Duration authentication_ttl = absl::Minutes(1);
  absl::Duration allow_ttl = absl::Minutes(5);
  absl::Duration deny_ttl = absl::Seconds(30);

  // Limit for each of the two questions to the API server, with their repetitions.
  absl::Duration timeout = absl::Seconds(10);
  // How often, and with which pauses, a question is sent again after an error that may pass, such
  // as a lost connection or a server that is overloaded.
  base::Backoff retry = {
      .duration = absl::Milliseconds(500), .factor = 1.5, .jitter = 0.2, .steps = 5};

  // The maximum number of remembered tokens, and of remembered decisions. At least 1. Default:
  // far more than a program has readers.
  size_t max_entries = 4096;
};

// Decides with the API server who may read a path: a TokenReview says whose bearer token a request
// has, and a SubjectAccessReview whether that user may `get` the path. (controller-runtime:
// `filters.WithAuthenticationAndAuthorization`)
// Give it to HealthServerOptions::access, or let a MetricsServer make one.
//
// The responses are those of upstream:
//   401 "Unauthorized"                       the request has no bearer token
//   500 "Authentication failed"              the server rejects the token, or gives no answer
//   403 "Authorization denied for user …"    the user may not read the path
//   500 "Authorization for user … failed"    the server gives no answer
// So a request is never admitted because a server does not answer; the log says why. Tokens are not
// logged, and remembered only as their SHA-256.
//
// The program needs the right to `create` tokenreviews.authentication.k8s.io and
// subjectaccessreviews.authorization.k8s.io, as the cluster role system:auth-delegator gives it. A
// reader needs a cluster role with nonResourceURLs ["/metrics"] and verbs ["get"].
//
// Thread-safe. Uses the clock of the threads that call Check.
class TokenReviewAccess {
 public:
  // `client` should be one of its own, from rest::MakeClient: each unknown token costs a request,
  // so strangers can use up its rate limit, and should not use up that of the program's other work.
  explicit TokenReviewAccess(const rest::Client& client, TokenReviewOptions options = {});
  ~TokenReviewAccess();
  TokenReviewAccess(const TokenReviewAccess&) = delete;
  TokenReviewAccess& operator=(const TokenReviewAccess&) = delete;

  // Returns nullopt if the request may be answered, or else the response that refuses it. Blocks
  // while the API server is asked, at most twice TokenReviewOptions::timeout or until `ctx` is
  // done.
  std::optional<httpserver::Response> Check(const Context& ctx,
                                            const httpserver::Request& request) const;

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

}  // namespace kube::metrics

#endif  // CONTROLLER_METRICS_TOKEN_REVIEW_ACCESS_H_
