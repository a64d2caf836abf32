#ifndef APISERVER_AUTH_ACCESS_CONTROL_H_
#define APISERVER_AUTH_ACCESS_CONTROL_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/auth/rbac_policy_cache.h"
#include "apiserver/request_info.h"
#include "apiserver/storage.h"
#include "apiserver/tokens/account_tokens.h"
#include "apiserver/user.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Whom a request acts for.
struct Requester {
  // The client, or the user it impersonates. Otherwise the error that the request is answered with.
  absl::StatusOr<User> user;
  // What refused the impersonation, or a decision that allows it.
  Decision impersonates = {};
};

// Who the clients of a server are, and what they may do (kube-apiserver: the filters
// `WithAuthentication`, `WithImpersonation` and `WithAuthorization`). Thread-safe.
class AccessControl {
 public:
  struct Parts {
    Anonymous anonymous = Anonymous::kHealthOnly;
    // The users of bearer tokens.
    std::map<std::string, User> tokens = {};
    std::vector<DenyRule> deny = {};
    // Never null.
    std::shared_ptr<AccountTokens> account_tokens = {};
  };
  explicit AccessControl(Parts parts);

  // Adds a bearer token, or gives it another user.
  void AddToken(absl::string_view token, User user);
  void SetDenyRules(std::vector<DenyRule> rules);

  // Returns the user of a bearer token that is good for one of the audiences. `storage` has the
  // service accounts. Returns UNAUTHENTICATED, in upstream's words, if it is not.
  absl::StatusOr<AuthenticatedToken> CheckToken(const Storage& storage, absl::string_view token,
                                                const std::vector<std::string>& audiences) const;
  // Returns the user whose credentials a request has: a client certificate with a common name, or
  // else a bearer token, also that of a WebSocket. Returns a 401 if they are not good, or if the
  // request has no credentials and anonymous users may do nothing.
  absl::StatusOr<User> Authenticate(const Storage& storage,
                                    const httpserver::Request& request) const;
  // Decides about a request. `policies` is null if roles do not matter.
  Decision Decide(const User& user, const RequestInfo& info, RbacPolicyCache* policies) const;
  // Returns for whom a request is served: its user, or the one that its headers ask for, if that
  // user may be impersonated.
  Requester RequesterOf(const Storage& storage, RbacPolicyCache* policies,
                        const httpserver::Request& request, const RequestInfo& info) const;

 private:
  // Does the same as CheckToken for a request to this server; the error is a 401.
  absl::StatusOr<User> UserOfToken(const Storage& storage, absl::string_view token) const;

  const Anonymous anonymous_;
  const std::shared_ptr<AccountTokens> account_tokens_;
  mutable base::Mutex mutex_;
  std::map<std::string, User, std::less<>> tokens_ ABSL_GUARDED_BY(mutex_);
  // Replaced as a whole, so that a request need not copy the rules.
  std::shared_ptr<const std::vector<DenyRule>> deny_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_AUTH_ACCESS_CONTROL_H_
