#include "controller/metrics/token_review_access.h"

#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/authentication/v1/types.kube.h"
#include "api/authorization/v1/types.kube.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/types/string.h"
#include "clientset/kubernetes/authentication/v1/client.h"
#include "clientset/kubernetes/authorization/v1/client.h"
#include "clientset/rest/client.h"
#include "controller/metrics/internal/expiring_cache.h"
#include "net/httpclient/transport_error.h"
#include "net/httpserver/exchange.h"
#include "net/url/path.h"

namespace kube::metrics {

namespace {

namespace authenticationv1 = api::authentication::v1;
namespace authorizationv1 = api::authorization::v1;
using httpserver::Response;

constexpr absl::string_view kAuthenticated = "system:authenticated";

// (Go: `http.Error`)
Response Refusal(int status, absl::string_view text) {
  return {.status = status,
          .headers = {{"content-type", "text/plain; charset=utf-8"},
                      {"x-content-type-options", "nosniff"}},
          .body = absl::StrCat(text, "\n")};
}

// Returns the token of "Bearer TOKEN", or an empty view. (apiserver:
// `bearertoken.Authenticator.AuthenticateRequest`)
absl::string_view BearerToken(const httpserver::Request& request) {
  const std::optional<absl::string_view> header = request.headers.Get("authorization");
  if (!header) return "";
  const std::vector<absl::string_view> parts =
      absl::StrSplit(absl::StripAsciiWhitespace(*header), absl::MaxSplits(' ', 2));
  if (parts.size() < 2 || !absl::EqualsIgnoreCase(parts[0], "bearer")) return "";
  return parts[1];
}

std::string Hash(absl::string_view text) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> hash = {};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), hash.data());
  return std::string(reinterpret_cast<const char*>(hash.data()), hash.size());
}

// Appends a text so that two different lists of texts never give the same result.
void AppendPart(std::string& out, absl::string_view part) {
  absl::StrAppend(&out, part.size(), ":", part);
}

// Returns the key under which the decision about a question is remembered.
std::string KeyOf(const authorizationv1::SubjectAccessReviewSpec& spec) {
  std::string key;
  AppendPart(key, spec.user.view());
  AppendPart(key, spec.uid.view());
  AppendPart(key, spec.non_resource_attributes->verb.view());
  AppendPart(key, spec.non_resource_attributes->path.view());
  absl::StrAppend(&key, spec.groups.size(), ";");
  for (const String& group : spec.groups) AppendPart(key, group.view());
  for (const auto& [name, values] : spec.extra) {
    AppendPart(key, name.view());
    absl::StrAppend(&key, values.size(), ";");
    for (const String& value : values) AppendPart(key, value.view());
  }
  return Hash(key);
}

// (apiserver: `webhook.DefaultShouldRetry`)
bool MayPass(const absl::Status& error) {
  return httpclient::IsConnectionLost(error) || errors::IsInternalError(error) ||
         errors::IsTimeout(error) || errors::IsTooManyRequests(error) ||
         errors::SuggestsClientDelay(error).has_value();
}

// Calls `ask` until it succeeds, fails with an error that stays, or there are no attempts left.
template <typename Answer, typename Ask>
absl::StatusOr<Answer> AskWithRetry(const Context& parent, const TokenReviewOptions& options,
                                    Ask ask) {
  const Context ctx = WithTimeout(parent, options.timeout);
  absl::StatusOr<Answer> answer = absl::UnknownError("not asked");
  const absl::Status waited =
      base::ExponentialBackoff(ctx, options.retry, [&](const Context&) -> absl::StatusOr<bool> {
        answer = ask(ctx);
        if (!answer.ok() && !MayPass(answer.status())) return answer.status();
        return answer.ok();
      });
  // Of a question that was never sent, as the context was done.
  if (!waited.ok() && absl::IsUnknown(answer.status())) return waited;
  return answer;
}

// Who a token is. No user: the server does not know the token.
using Identity = std::optional<authenticationv1::UserInfo>;

}  // namespace

struct TokenReviewAccess::State {
  State(const rest::Client& rest_client, TokenReviewOptions given)
      : client(rest_client),
        options(std::move(given)),
        identities(options.max_entries),
        decisions(options.max_entries) {}

  // Returns an error if the server rejects the token or does not answer.
  absl::StatusOr<authenticationv1::UserInfo> Authenticate(const Context& ctx,
                                                          absl::string_view token);
  absl::StatusOr<bool> Authorize(const Context& ctx, const authenticationv1::UserInfo& user,
                                 const httpserver::Request& request);

  const rest::Client client;
  const TokenReviewOptions options;
  internal::ExpiringCache<Identity> identities;  // by the hash of the token
  internal::ExpiringCache<bool> decisions;
};

absl::StatusOr<authenticationv1::UserInfo> TokenReviewAccess::State::Authenticate(
    const Context& ctx, absl::string_view token) {
  const std::string key = Hash(token);
  std::optional<Identity> identity = identities.Get(key);
  if (!identity) {
    authenticationv1::TokenReview question;
    question.spec.token = token;
    const auto ask = [&](const Context& asking) {
      return authenticationv1::AuthenticationV1Client(client).TokenReviews().Create(asking,
                                                                                    question);
    };
    KUBE_ASSIGN_OR_RETURN(const authenticationv1::TokenReview answer,
                          (AskWithRetry<authenticationv1::TokenReview>(ctx, options, ask)));
    identity.emplace();
    if (answer.status.authenticated) *identity = answer.status.user;
    // As upstream, an error is not remembered: it may be the server's.
    if (!answer.status.authenticated && !answer.status.error.empty()) {
      return absl::UnauthenticatedError(answer.status.error.view());
    }
    identities.Set(key, *identity, options.authentication_ttl);
  }
  if (!identity->has_value()) return absl::UnauthenticatedError("invalid bearer token");
  authenticationv1::UserInfo user = **identity;
  // (apiserver: `group.AuthenticatedGroupAdder`)
  if (std::find(user.groups.begin(), user.groups.end(), kAuthenticated) == user.groups.end()) {
    user.groups.push_back(kAuthenticated);
  }
  return user;
}

absl::StatusOr<bool> TokenReviewAccess::State::Authorize(const Context& ctx,
                                                         const authenticationv1::UserInfo& user,
                                                         const httpserver::Request& request) {
  KUBE_ASSIGN_OR_RETURN(const std::string path, url::UnescapePath(request.path()));
  authorizationv1::SubjectAccessReview question;
  question.spec.user = user.username;
  question.spec.uid = user.uid;
  question.spec.groups = user.groups;
  question.spec.extra = user.extra;
  question.spec.non_resource_attributes.emplace();
  question.spec.non_resource_attributes->path = path;
  question.spec.non_resource_attributes->verb = absl::AsciiStrToLower(request.method);
  const std::string key = KeyOf(question.spec);
  if (const std::optional<bool> known = decisions.Get(key); known) return *known;
  const auto ask = [&](const Context& asking) {
    return authorizationv1::AuthorizationV1Client(client).SubjectAccessReviews().Create(asking,
                                                                                        question);
  };
  KUBE_ASSIGN_OR_RETURN(const authorizationv1::SubjectAccessReview answer,
                        (AskWithRetry<authorizationv1::SubjectAccessReview>(ctx, options, ask)));
  if (answer.status.allowed && answer.status.denied) {
    return absl::InternalError("the access review both allows and denies");
  }
  const bool allowed = answer.status.allowed;
  decisions.Set(key, allowed, allowed ? options.allow_ttl : options.deny_ttl);
  if (!allowed) {
    KUBE_VLOG(4, "authorization denied", {"user", user.username.view()}, {"path", path},
              {"reason", answer.status.reason.view()});
  }
  return allowed;
}

TokenReviewAccess::TokenReviewAccess(const rest::Client& client, TokenReviewOptions options)
    : state_(std::make_unique<State>(client, std::move(options))) {}

TokenReviewAccess::~TokenReviewAccess() = default;

std::optional<Response> TokenReviewAccess::Check(const Context& ctx,
                                                 const httpserver::Request& request) const {
  const absl::string_view token = BearerToken(request);
  if (token.empty()) return Refusal(401, "Unauthorized");
  const absl::StatusOr<authenticationv1::UserInfo> user = state_->Authenticate(ctx, token);
  if (!user.ok()) {
    log::Error(user.status(), "authentication failed", {{"peer", request.peer_address}});
    return Refusal(500, "Authentication failed");
  }
  const absl::StatusOr<bool> allowed = state_->Authorize(ctx, *user, request);
  if (!allowed.ok()) {
    log::Error(allowed.status(), "authorization failed", {{"user", user->username.view()}});
    return Refusal(500, absl::StrCat("Authorization for user ", user->username.view(), " failed"));
  }
  if (!*allowed) {
    return Refusal(403, absl::StrCat("Authorization denied for user ", user->username.view()));
  }
  return std::nullopt;
}

}  // namespace kube::metrics
