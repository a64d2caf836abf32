#include "clientset/openapi/openapi_client.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/openapi/openapi.h"
#include "clientset/rest/client.h"
#include "clientset/rest/request.h"
#include "net/url/url.h"

namespace kube::openapi {
namespace {

using unstructured::Value;

constexpr char kIndex[] = "/openapi/v3";
constexpr char kV2[] = "/openapi/v2";

absl::StatusOr<std::string> Ask(const Context& ctx, const rest::Client& client,
                                const OpenApiClientOptions& options, const std::string& path,
                                absl::string_view accept) {
  KUBE_ASSIGN_OR_RETURN(rest::Result result, client.Do(ctx, {.absolute_path = path,
                                                             .accept = std::string(accept),
                                                             .timeout = options.timeout}));
  return std::move(result.body);
}

absl::StatusOr<Document> ToDocument(absl::StatusOr<std::string> body) {
  if (!body.ok()) return body.status();
  return std::make_shared<const std::string>(*std::move(body));
}

class FetchedGroupVersion final : public GroupVersion {
 public:
  FetchedGroupVersion(rest::Client client, const OpenApiClientOptions& options, std::string url)
      : client_(std::move(client)), options_(options), url_(std::move(url)) {}

  absl::StatusOr<Document> Schema(const Context& ctx,
                                  absl::string_view content_type) const override {
    return ToDocument(Ask(ctx, client_, options_, url_, content_type));
  }

  const std::string& ServerRelativeUrl() const override { return url_; }

 private:
  const rest::Client client_;
  const OpenApiClientOptions options_;
  const std::string url_;
};

// Returns the path that a client puts before all others, without a slash at its end.
std::string BasePath(const rest::Client& client) {
  const absl::StatusOr<url::Url> url = url::Parse(client.base_url());
  if (!url.ok()) return "";
  return std::string(absl::StripSuffix(url->path, "/"));
}

// Returns the URL without the path that the client puts before it, if it begins with that path:
// "/open" is not the beginning of "/openapi/v3".
absl::string_view WithoutBase(absl::string_view url, absl::string_view base) {
  absl::string_view rest = url;
  return absl::ConsumePrefix(&rest, base) && absl::StartsWith(rest, "/") ? rest : url;
}

}  // namespace

absl::StatusOr<GroupVersions> OpenApiClient::Paths(const Context& ctx) const {
  KUBE_ASSIGN_OR_RETURN(const std::string body, Ask(ctx, client_, options_, kIndex, kJson));
  KUBE_ASSIGN_OR_RETURN(const Value index, unstructured::ParseJson(body), "get ", kIndex);
  const Value& paths = index["paths"];
  GroupVersions found;
  if (paths.is_null()) return found;
  if (!paths.is_object()) {
    return absl::InvalidArgumentError(absl::StrCat("get ", kIndex, ": paths is not an object"));
  }
  const std::string base = BasePath(client_);
  for (const auto& [name, entry] : *paths.object()) {
    const std::optional<absl::string_view> url = entry["serverRelativeURL"].text();
    if (!url.has_value()) {
      return absl::InvalidArgumentError(absl::StrCat("get ", kIndex, ": paths[\"", name.view(),
                                                     "\"].serverRelativeURL is not a string"));
    }
    found[std::string(name)] = std::make_shared<const FetchedGroupVersion>(
        client_, options_, std::string(WithoutBase(*url, base)));
  }
  return found;
}

absl::StatusOr<Document> OpenApiClient::SchemaV2(const Context& ctx,
                                                 absl::string_view content_type) const {
  return ToDocument(Ask(ctx, client_, options_, kV2, content_type));
}

}  // namespace kube::openapi
