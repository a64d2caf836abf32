#include "apiserver/discovery/discovery.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "api/apidiscovery/v2/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/scheme/media_type.h"
#include "apimachinery/scheme/negotiate.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/version/info.kube.h"
#include "apiserver/discovery/storage_version.h"
#include "apiserver/encoding/output.h"
#include "apiserver/errors/unknown_path.h"
#include "apiserver/openapi/openapi.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace discoveryv2 = api::apidiscovery::v2;
namespace metav1 = api::meta::v1;

constexpr absl::string_view kAggregated =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

// The media types of /api and /apis.
class AggregatedForm : public scheme::EndpointRestrictions {
 public:
  bool AllowsMediaTypeTransform(const scheme::SerializerInfo&,
                                const schema::GroupVersionKind* target) const override {
    return target == nullptr ||
           (target->group == "apidiscovery.k8s.io" && target->version == "v2" &&
            target->kind == "APIGroupDiscoveryList");
  }
};

List<String> Texts(absl::Span<const absl::string_view> texts) {
  List<String> list;
  for (absl::string_view text : texts) list.push_back(text);
  return list;
}

List<String> Sorted(absl::Span<const absl::string_view> texts) {
  std::vector<absl::string_view> sorted(texts.begin(), texts.end());
  std::sort(sorted.begin(), sorted.end());
  return Texts(sorted);
}

// Custom resources keep upstream's order. While their definition is being deleted, they cannot be
// written.
List<String> VerbsOf(const Resource& resource) {
  if (resource.custom == nullptr) return Sorted(resource.kind->verbs);
  List<String> verbs;
  for (absl::string_view verb : resource.kind->verbs) {
    const bool writes = verb == "patch" || verb == "create" || verb == "update";
    if (!resource.terminating || !writes) verbs.push_back(verb);
  }
  return verbs;
}

// Parses "policy/v1 Eviction". The group and version stay empty if they are those of the resource.
metav1::GroupVersionKind KindOf(const Resource& resource, const SubresourceInfo& subresource) {
  const absl::string_view text =
      !subresource.result.empty() ? subresource.result : subresource.input;
  metav1::GroupVersionKind kind;
  if (text.empty()) {
    kind.kind = resource.kind->kind;
    return kind;
  }
  const std::vector<std::string> parts = absl::StrSplit(text, ' ');
  kind.kind = parts.back();
  if (parts.size() < 2 || parts[0] == resource.ApiVersion()) return kind;
  const schema::GroupVersionKind parsed = schema::FromApiVersionAndKind(parts[0], parts[1]);
  kind.group = parsed.group;
  kind.version = parsed.version;
  return kind;
}

metav1::APIResourceList ResourceListOf(const Resources& resources,
                                       const schema::GroupVersion& group_version) {
  metav1::APIResourceList list;
  list.kind = "APIResourceList";
  if (!group_version.group.empty()) list.api_version = "v1";
  list.group_version = group_version.ToString();
  list.resources = List<metav1::APIResource>::Empty();
  for (const Resource* resource : resources.InGroupVersion(group_version)) {
    const KindInfo& kind = *resource->kind;
    metav1::APIResource entry;
    entry.name = kind.plural;
    entry.singular_name = kind.singular;
    entry.namespaced = resource->namespaced();
    entry.kind = kind.kind;
    entry.verbs = VerbsOf(*resource);
    entry.short_names = Texts(kind.short_names);
    entry.categories = Texts(kind.categories);
    entry.storage_version_hash = StorageVersionHash(*resource);
    list.resources.push_back(std::move(entry));
    for (const SubresourceInfo& each : kind.subresources) {
      const metav1::GroupVersionKind sub_kind = KindOf(*resource, each);
      metav1::APIResource sub;
      sub.name = absl::StrCat(kind.plural, "/", each.name);
      sub.namespaced = resource->namespaced();
      sub.group = sub_kind.group;
      sub.version = sub_kind.version;
      sub.kind = sub_kind.kind;
      sub.verbs = Sorted(each.verbs);
      list.resources.push_back(std::move(sub));
    }
  }
  return list;
}

metav1::APIGroup GroupOf(const Resources& resources, absl::string_view name) {
  metav1::APIGroup group;
  group.name = name;
  for (const schema::GroupVersion& each : resources.group_versions()) {
    if (each.group != name) continue;
    group.versions.push_back(metav1::GroupVersionForDiscovery{.group_version = each.ToString(),
                                                              .version = each.version});
  }
  group.preferred_version = group.versions[0];
  return group;
}

std::vector<std::string> GroupNames(const Resources& resources) {
  std::vector<std::string> names;
  for (const schema::GroupVersion& each : resources.group_versions()) {
    if (!each.group.empty() && (names.empty() || names.back() != each.group)) {
      names.push_back(each.group);
    }
  }
  return names;
}

discoveryv2::APIResourceDiscovery Discovered(const Resource& resource) {
  const KindInfo& kind = *resource.kind;
  discoveryv2::APIResourceDiscovery entry;
  entry.resource = kind.plural;
  // As upstream, without the group and version, which the list already contains.
  entry.response_kind.emplace().kind = kind.kind;
  entry.scope = resource.namespaced() ? "Namespaced" : "Cluster";
  entry.singular_resource = kind.singular;
  entry.verbs = VerbsOf(resource);
  entry.short_names = Texts(kind.short_names);
  entry.categories = Texts(kind.categories);
  for (const SubresourceInfo& each : kind.subresources) {
    discoveryv2::APISubresourceDiscovery sub;
    sub.subresource = each.name;
    sub.response_kind = KindOf(resource, each);
    sub.verbs = Sorted(each.verbs);
    entry.subresources.push_back(std::move(sub));
  }
  return entry;
}

discoveryv2::APIGroupDiscoveryList Aggregated(const Resources& resources,
                                              const std::vector<std::string>& groups) {
  discoveryv2::APIGroupDiscoveryList list;
  list.kind = "APIGroupDiscoveryList";
  list.api_version = "apidiscovery.k8s.io/v2";
  for (const std::string& name : groups) {
    discoveryv2::APIGroupDiscovery group;
    group.metadata.name = name;
    for (const schema::GroupVersion& each : resources.group_versions()) {
      if (each.group != name) continue;
      discoveryv2::APIVersionDiscovery version;
      version.version = each.version;
      version.freshness = "Current";
      for (const Resource* resource : resources.InGroupVersion(each)) {
        version.resources.push_back(Discovered(*resource));
      }
      group.versions.push_back(std::move(version));
    }
    list.items.push_back(std::move(group));
  }
  return list;
}

// FNV-1a, so that the same text has the same tag in every run.
std::string TagOf(absl::string_view body) {
  uint64_t hash = 14695981039346656037u;
  for (char c : body) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return absl::StrFormat("\"%016X\"", hash);
}

httpserver::Response RespondAggregated(const Resources& resources,
                                       const httpserver::Request& request,
                                       const std::vector<std::string>& groups,
                                       const Output& output) {
  httpserver::Response response =
      Respond(200, EncodeStruct(Aggregated(resources, groups), output), output);
  response.headers.Set(
      "content-type",
      output.format == scheme::Format::kJson
          ? std::string(kAggregated)
          : absl::StrCat(output.ContentType(), kAggregated.substr(kAggregated.find(';'))));
  response.headers.Set("cache-control", "public");
  response.headers.Set("vary", "Accept");
  const std::string tag = TagOf(response.body);
  response.headers.Set("etag", tag);
  if (request.headers.Get("if-none-match") == tag) {
    response.status = 304;
    response.body.clear();
  }
  return response;
}

// Serves /api and /apis.
httpserver::Response ServeRoot(const Resources& resources, const httpserver::Request& request,
                               bool core) {
  const auto negotiated = scheme::NegotiateMediaTypeOptions(
      request.headers.Get("accept").value_or(""), scheme::SupportedMediaTypes(), AggregatedForm());
  Output output;
  if (!negotiated.has_value()) {
    const absl::StatusOr<Output> plain = NegotiateOutput(request, Transforms::kNone);
    return ErrorResponse(plain.status(), Output{.pretty = true});
  }
  output.format = negotiated->accepted.format;
  if (negotiated->convert.has_value()) {
    return RespondAggregated(resources, request,
                             core ? std::vector<std::string>{""} : GroupNames(resources), output);
  }
  if (const auto plain = NegotiateOutput(request, Transforms::kNone); plain.ok())
    output.pretty = plain->pretty;
  if (core) {
    metav1::APIVersions versions;
    versions.kind = "APIVersions";
    versions.versions = {"v1"};
    metav1::ServerAddressByClientCIDR address;
    address.client_cidr = "0.0.0.0/0";
    address.server_address = request.headers.Get("host").value_or("");
    versions.server_address_by_client_cidrs = {address};
    return Respond(200, EncodeStruct(versions, output), output);
  }
  metav1::APIGroupList list;
  list.kind = "APIGroupList";
  list.api_version = "v1";
  for (const std::string& name : GroupNames(resources)) {
    list.groups.push_back(GroupOf(resources, name));
  }
  return Respond(200, EncodeStruct(list, output), output);
}

httpserver::Response Text(int code, absl::string_view text) {
  return {.status = code,
          .headers = {{"content-type", "text/plain; charset=utf-8"},
                      {"x-content-type-options", "nosniff"}},
          .body = std::string(text)};
}

httpserver::Response ServeVersion() {
  version::Info info;
  const std::vector<std::string> parts = absl::StrSplit(KUBERNETES_VERSION, '.');
  info.major_ = parts[0];
  info.minor_ = parts[1];
  info.git_version = absl::StrCat("v", KUBERNETES_VERSION);
  info.git_tree_state = "clean";
  info.compiler = "embedded";
  info.platform = "linux/amd64";
  httpserver::Response response = Text(200, "");
  response.headers = {{"content-type", "application/json"}};
  absl::StatusOr<std::string> json = codec::EncodeJson(info, {.indent = "  "});
  if (json.ok()) response.body = *std::move(json);
  return response;
}

// The checks of /healthz, /livez and /readyz. A real server has dozens.
constexpr absl::string_view kChecks[] = {"ping", "log", "etcd"};

// Returns nullopt for other paths.
std::optional<httpserver::Response> ServeHealth(absl::string_view path,
                                                const queryparams::Values& query) {
  const std::vector<absl::string_view> parts = absl::StrSplit(path.substr(1), '/');
  const absl::string_view name = parts[0];
  if (name != "healthz" && name != "livez" && name != "readyz") return std::nullopt;
  if (parts.size() > 1) {
    const bool known = parts.size() == 2 && std::find(std::begin(kChecks), std::end(kChecks),
                                                      parts[1]) != std::end(kChecks);
    return known ? Text(200, "ok") : PageNotFound();
  }
  if (query.count("verbose") == 0) return Text(200, "ok");
  std::string text;
  for (absl::string_view check : kChecks) absl::StrAppend(&text, "[+]", check, " ok\n");
  return Text(200, absl::StrCat(text, name, " check passed\n"));
}

std::optional<httpserver::Response> ServeGroups(const Resources& resources,
                                                const httpserver::Request& request,
                                                const std::vector<std::string>& parts) {
  Output output;
  if (const auto plain = NegotiateOutput(request, Transforms::kNone); plain.ok()) output = *plain;
  const bool core = parts[0] == "api";
  if (parts.size() == 1) return ServeRoot(resources, request, core);
  const std::string group = core ? "" : parts[1];
  if (!core && !resources.HasGroup(group)) return std::nullopt;
  if (!core && parts.size() == 2) {
    metav1::APIGroup found = GroupOf(resources, group);
    found.kind = "APIGroup";
    found.api_version = "v1";
    return Respond(200, EncodeStruct(found, output), output);
  }
  const std::string& version = parts.back();
  if (!resources.HasGroupVersion(group, version)) return ErrorResponse(NoSuchResource(), output);
  return Respond(
      200, EncodeStruct(ResourceListOf(resources, {.group = group, .version = version}), output),
      output);
}

}  // namespace

httpserver::Response PageNotFound() { return Text(404, "404 page not found\n"); }

std::optional<httpserver::Response> ServeNonResource(OpenApi& openapi, const Resources& resources,
                                                     const httpserver::Request& request,
                                                     const RequestInfo& info) {
  absl::string_view path = info.path;
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  if (auto health = ServeHealth(path, info.query)) return health;
  if (path == "/version") return ServeVersion();
  if (auto document = openapi.Serve(resources, request, path)) return document;
  const std::vector<std::string> parts = absl::StrSplit(path.substr(1), '/');
  if (parts[0] != "api" && parts[0] != "apis") return std::nullopt;
  if (request.method != "GET" && request.method != "HEAD") {
    return ErrorResponse(NoSuchMethod(), Output{});
  }
  return ServeGroups(resources, request, parts);
}

}  // namespace kube::apiserver::internal
