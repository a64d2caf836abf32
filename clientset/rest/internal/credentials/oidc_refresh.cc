#include "clientset/rest/internal/credentials/oidc_refresh.h"

#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/rest/internal/credentials/token_file.h"
#include "clientset/rest/internal/loopback.h"
#include "clientset/rest/internal/redaction.h"
#include "clientset/rest/oidc_config.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/proxy.h"
#include "net/httpclient/transport.h"
#include "net/url/url.h"

// A refresh is three steps: the issuer's discovery document names the token endpoint, the endpoint
// is sent the refresh token, and its answer has an ID token and perhaps a new refresh token. The
// client's secret is sent in an Authorization header first, and in the form if that is refused:
// issuers differ in what they accept.
namespace kube::rest::internal {
namespace {

using unstructured::Value;

// As much of an answer as is read, and as much of a refusal as an error repeats.
constexpr size_t kMaxAnswerBytes = size_t{1} << 20;
constexpr size_t kMaxQuotedBytes = 80;

struct Answer {
  int status = 0;
  std::string body = {};
};

// Refuses to send secrets where everybody on the way can read them.
absl::Status CheckAddress(absl::string_view address) {
  KUBE_ASSIGN_OR_RETURN(const url::Url parsed, url::Parse(address));
  if (parsed.scheme == "https") return absl::OkStatus();
  if (parsed.scheme == "http" && IsLoopback(url::HostName(parsed.host))) return absl::OkStatus();
  // The address may have a user and a password, which the error must not show.
  const std::string shown = absl::StrCat(parsed.scheme, "://", parsed.host);
  return absl::FailedPreconditionError(
      absl::StrCat("refusing to use ", text::Quoted(shown), ": it is not an https URL"));
}

absl::StatusOr<Answer> Send(const Context& ctx, httpclient::Transport& transport,
                            const httpclient::ConnectionOptions& connection,
                            httpclient::HttpRequest request) {
  KUBE_RETURN_IF_ERROR(CheckAddress(request.url));
  const std::string what =
      absl::StrCat(request.method == "GET" ? "Get " : "Post ", text::Quoted(ShownUrl(request.url)));
  httpclient::ConnectionOptions options = connection;
  options.proxy_url = httpclient::ProxyFor(request.url, httpclient::ProxyFromEnvironment());
  request.connection = std::make_shared<const httpclient::ConnectionOptions>(std::move(options));
  KUBE_ASSIGN_OR_RETURN(httpclient::HttpResponse response,
                        transport.RoundTrip(ctx, std::move(request)), what);
  Answer answer{.status = response.status};
  while (answer.body.size() < kMaxAnswerBytes) {
    KUBE_ASSIGN_OR_RETURN(const std::string piece, response.body->Read(ctx), what);
    if (piece.empty()) return answer;
    answer.body += piece;
  }
  return absl::InvalidArgumentError(absl::StrCat(what, ": the answer is larger than 1 MiB"));
}

// Returns the beginning of a refusal. The answer of a token endpoint that refuses has no tokens.
std::string Quote(absl::string_view body) {
  if (body.size() <= kMaxQuotedBytes) return text::Quoted(body);
  return text::Quoted(absl::StrCat(body.substr(0, kMaxQuotedBytes), "..."));
}

// An issuer that is out of order or busy is one to try again, and has not refused.
absl::Status HttpError(int status, absl::string_view message) {
  if (status >= 500 || status == 429) return absl::UnavailableError(message);
  return absl::UnauthenticatedError(message);
}

absl::StatusOr<std::string> TokenEndpoint(const Context& ctx, httpclient::Transport& transport,
                                          const httpclient::ConnectionOptions& connection,
                                          absl::string_view issuer) {
  httpclient::HttpRequest request;
  request.url = absl::StrCat(absl::StripSuffix(issuer, "/"), "/.well-known/openid-configuration");
  KUBE_ASSIGN_OR_RETURN(const Answer answer, Send(ctx, transport, connection, std::move(request)));
  if (answer.status != 200) {
    return HttpError(answer.status, absl::StrCat("oidc: failed to query metadata endpoint ",
                                                 answer.status, ": ", Quote(answer.body)));
  }
  KUBE_ASSIGN_OR_RETURN(const Value metadata, unstructured::ParseJson(answer.body),
                        "oidc: failed to decode provider discovery object");
  const absl::string_view endpoint = metadata["token_endpoint"].text().value_or("");
  if (endpoint.empty()) {
    return absl::InvalidArgumentError("oidc: discovery object doesn't contain a token_endpoint");
  }
  return std::string(endpoint);
}

// Returns the request of RFC 6749, section 6. The secret is in the header or in the form.
httpclient::HttpRequest TokenRequest(const std::string& endpoint, const OidcConfig& config,
                                     const base::Secret& refresh_token, bool in_header) {
  queryparams::Values form = {{"grant_type", {"refresh_token"}},
                              {"refresh_token", {std::string(refresh_token.Reveal())}}};
  httpclient::HttpRequest request{.method = "POST", .url = endpoint};
  request.headers.Set("content-type", "application/x-www-form-urlencoded");
  const absl::string_view secret = config.client_secret.Reveal();
  if (in_header) {
    const std::string pair = absl::StrCat(queryparams::EscapeQuery(config.client_id), ":",
                                          queryparams::EscapeQuery(secret));
    request.headers.Set("authorization", absl::StrCat("Basic ", absl::Base64Escape(pair)));
  } else {
    form["client_id"] = {config.client_id};
    if (!secret.empty()) form["client_secret"] = {std::string(secret)};
  }
  request.body = std::make_shared<const std::string>(queryparams::EncodeQuery(form));
  return request;
}

bool Succeeded(const Answer& answer) { return answer.status >= 200 && answer.status < 300; }

// Returns why the endpoint refused: the error of RFC 6749, section 5.2, or the beginning of the
// answer.
absl::Status Refusal(const Answer& answer) {
  const absl::StatusOr<Value> error = unstructured::ParseJson(answer.body);
  const absl::string_view code = error.ok() ? (*error)["error"].text().value_or("") : "";
  if (code.empty()) {
    return HttpError(answer.status, absl::StrCat("oauth2: cannot fetch token: ", answer.status,
                                                 "\nResponse: ", Quote(answer.body)));
  }
  const absl::string_view detail = (*error)["error_description"].text().value_or("");
  return absl::UnauthenticatedError(
      absl::StrCat("oauth2: ", text::Quoted(code), detail.empty() ? "" : " ",
                   detail.empty() ? std::string() : text::Quoted(detail)));
}

absl::StatusOr<OidcTokens> Exchange(const Context& ctx, httpclient::Transport& transport,
                                    const httpclient::ConnectionOptions& connection,
                                    const OidcConfig& config, const base::Secret& refresh_token) {
  KUBE_ASSIGN_OR_RETURN(const std::string endpoint,
                        TokenEndpoint(ctx, transport, connection, config.issuer_url));
  Answer answer;
  for (const bool in_header : {true, false}) {
    KUBE_ASSIGN_OR_RETURN(answer, Send(ctx, transport, connection,
                                       TokenRequest(endpoint, config, refresh_token, in_header)));
    if (Succeeded(answer)) break;
  }
  if (!Succeeded(answer)) return Refusal(answer);
  absl::StatusOr<Value> decoded = unstructured::ParseJson(answer.body);
  // The parser's message may quote the text, which may have tokens.
  if (!decoded.ok()) return absl::InvalidArgumentError("oauth2: cannot parse json");
  const absl::string_view id_token = (*decoded)["id_token"].text().value_or("");
  if (id_token.empty()) {
    return absl::InvalidArgumentError(
        "token response did not contain an id_token, either the scope \"openid\" wasn't requested "
        "upon login, or the provider doesn't support id_tokens as part of the refresh response");
  }
  KUBE_RETURN_IF_ERROR(CheckToken(id_token), "id_token");
  const absl::string_view next = (*decoded)["refresh_token"].text().value_or("");
  return OidcTokens{.id_token = base::Secret(id_token),
                    .refresh_token = next.empty() ? refresh_token : base::Secret(next)};
}

}  // namespace

absl::StatusOr<absl::Time> IdTokenExpiry(absl::string_view token) {
  const std::vector<absl::string_view> parts = absl::StrSplit(token, '.');
  if (parts.size() != 3) {
    return absl::InvalidArgumentError("ID Token is not a valid JWT");
  }
  std::string payload;
  if (absl::StrContains(parts[1], '=') || !absl::WebSafeBase64Unescape(parts[1], &payload)) {
    return absl::InvalidArgumentError("ID Token's payload is not base64");
  }
  const absl::StatusOr<Value> claims = unstructured::ParseJson(payload);
  const std::optional<double> expiry =
      claims.ok() ? (*claims)["exp"].number() : std::optional<double>();
  if (!expiry.has_value() || !std::isfinite(*expiry)) {
    return absl::InvalidArgumentError("ID Token's payload has no number \"exp\"");
  }
  // Beyond some 292 billion years absl's time is infinite, which is right.
  return absl::UnixEpoch() + absl::Seconds(std::floor(*expiry));
}

absl::StatusOr<OidcTokens> RefreshOidcTokens(const Context& ctx, httpclient::Transport& transport,
                                             const httpclient::ConnectionOptions& connection,
                                             const OidcConfig& config, const OidcTokens& old) {
  if (old.refresh_token.empty()) {
    return absl::FailedPreconditionError(
        "No valid id-token, and cannot refresh without refresh-token");
  }
  const Context limited = WithTimeout(ctx, kOidcRefreshTimeout);
  KUBE_ASSIGN_OR_RETURN(OidcTokens fresh,
                        Exchange(limited, transport, connection, config, old.refresh_token),
                        "failed to refresh token");
  return fresh;
}

}  // namespace kube::rest::internal
