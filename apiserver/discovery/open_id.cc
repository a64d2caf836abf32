#include "apiserver/discovery/open_id.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apiserver/encoding/output.h"
#include "apiserver/errors/unknown_path.h"
#include "apiserver/request_info.h"
#include "apiserver/server_address.h"
#include "apiserver/tokens/account_tokens.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

constexpr absl::string_view kConfigurationPath = "/.well-known/openid-configuration";
constexpr absl::string_view kKeySetPath = "/openid/v1/jwks";

// As in a real server, clients get an https URL even if this server does not use TLS: the standard
// demands it.
std::string Configuration(const ServerAddress& address) {
  const bool v6 = absl::StrContains(address.ip, ':');
  return absl::StrCat(R"({"issuer":")", kTokenIssuer, R"(","jwks_uri":"https://)", v6 ? "[" : "",
                      address.ip, v6 ? "]" : "", ":", address.port, kKeySetPath,
                      R"(","response_types_supported":["id_token"],"subject_types_supported":)"
                      R"(["public"],"id_token_signing_alg_values_supported":["ES256"]})");
}

httpserver::Response Document(absl::string_view content_type, std::string body) {
  return {.status = 200,
          .headers = {{"content-type", std::string(content_type)},
                      {"cache-control", "public, max-age=3600"}},
          .body = std::move(body)};
}

}  // namespace

std::optional<httpserver::Response> ServeOpenId(AccountTokens& tokens, const ServerAddress& address,
                                                const httpserver::Request& request,
                                                const RequestInfo& info) {
  absl::string_view path = info.path;
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  if (path != kConfigurationPath && path != kKeySetPath) return std::nullopt;
  if (request.method != "GET") return ErrorResponse(NoSuchMethod(), Output{});
  if (path == kConfigurationPath) return Document("application/json", Configuration(address));
  absl::StatusOr<std::string> keys = tokens.KeySet();
  if (!keys.ok()) return ErrorResponse(keys.status(), Output{});
  return Document("application/jwk-set+json", *std::move(keys));
}

}  // namespace kube::apiserver::internal
