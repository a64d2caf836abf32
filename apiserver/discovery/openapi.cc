#include "apiserver/discovery/openapi.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/schema/group_version.h"
#include "apiserver/resources.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

constexpr absl::string_view kRoot = "/openapi/v3";

constexpr absl::string_view kProtobufV2 =
    "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

// $NAMESPACE stands for kNamespace or "".
constexpr absl::string_view kPath =
    R"("$PATH":{"patch":{"description":"partially update the specified $KIND","parameters":[)"
    R"({"name":"dryRun","in":"query","schema":{"type":"string","uniqueItems":true}},)"
    R"({"name":"fieldManager","in":"query","schema":{"type":"string","uniqueItems":true}},)"
    R"({"name":"fieldValidation","in":"query","schema":{"type":"string","uniqueItems":true}},)"
    R"({"name":"force","in":"query","schema":{"type":"boolean","uniqueItems":true}}],)"
    R"("responses":{"200":{"description":"OK"}},"x-kubernetes-action":"patch",)"
    R"("x-kubernetes-group-version-kind":{"group":"$GROUP","version":"$VERSION","kind":"$KIND"}},)"
    R"("parameters":[{"name":"name","in":"path","required":true,)"
    R"("schema":{"type":"string","uniqueItems":true}},$NAMESPACE)"
    R"({"name":"pretty","in":"query","schema":{"type":"string","uniqueItems":true}}]})";

constexpr absl::string_view kNamespace = R"({"name":"namespace","in":"path","required":true,)"
                                         R"("schema":{"type":"string","uniqueItems":true}},)";

// "api/v1", "apis/apps/v1"
std::string PathOf(const schema::GroupVersion& version) {
  return version.group.empty() ? absl::StrCat("api/", version.version)
                               : absl::StrCat("apis/", version.group, "/", version.version);
}

httpserver::Response Respond(absl::string_view content_type, std::string body) {
  httpserver::Response response{.status = 200, .headers = {}, .body = std::move(body)};
  response.headers.Set("content-type", content_type);
  response.headers.Set("cache-control", "no-cache, private");
  return response;
}

httpserver::Response ServeRoot(const Resources& resources) {
  std::string paths;
  for (const schema::GroupVersion& version : resources.group_versions()) {
    const std::string path = PathOf(version);
    absl::StrAppend(&paths, paths.empty() ? "" : ",", "\"", path, R"(":{"serverRelativeURL":")",
                    kRoot, "/", path, "\"}");
  }
  // Upstream sends this content type.
  return Respond("text/plain; charset=utf-8", absl::StrCat(R"({"paths":{)", paths, "}}\n"));
}

httpserver::Response ServeVersion(const Resources& resources, const schema::GroupVersion& version) {
  std::string paths;
  for (const Resource* resource : resources.InGroupVersion(version)) {
    if (!resource->HasVerb("patch")) continue;
    const bool namespaced = resource->namespaced();
    const std::string path =
        absl::StrCat("/", PathOf(version), namespaced ? "/namespaces/{namespace}/" : "/",
                     resource->kind->plural, "/{name}");
    absl::StrAppend(&paths, paths.empty() ? "" : ",",
                    absl::StrReplaceAll(kPath, {{"$PATH", path},
                                                {"$GROUP", version.group},
                                                {"$VERSION", version.version},
                                                {"$KIND", resource->kind->kind},
                                                {"$NAMESPACE", namespaced ? kNamespace : ""}}));
  }
  return Respond("application/json",
                 absl::StrCat(R"({"openapi":"3.0.0","info":{"title":"Kubernetes","version":"1"},)",
                              R"("paths":{)", paths, "}}\n"));
}

httpserver::Response ServeV2(const httpserver::Request& request) {
  if (absl::StrContains(request.headers.Get("accept").value_or(""), "+protobuf")) {
    // The field Document.swagger.
    return Respond(kProtobufV2, "\n\0032.0");
  }
  return Respond("application/json",
                 R"({"swagger":"2.0","info":{"title":"Kubernetes","version":"1"},"paths":{}})");
}

}  // namespace

std::optional<httpserver::Response> ServeOpenApi(const Resources& resources,
                                                 const httpserver::Request& request,
                                                 absl::string_view path) {
  if (path == "/openapi/v2") return ServeV2(request);
  if (!absl::ConsumePrefix(&path, kRoot)) return std::nullopt;
  if (path.empty()) return ServeRoot(resources);
  if (!absl::ConsumePrefix(&path, "/")) return std::nullopt;
  for (const schema::GroupVersion& version : resources.group_versions()) {
    if (PathOf(version) == path) return ServeVersion(resources, version);
  }
  return std::nullopt;
}

}  // namespace kube::apiserver::internal
