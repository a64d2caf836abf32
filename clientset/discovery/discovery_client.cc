#include "clientset/discovery/discovery_client.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apidiscovery/v2/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/scheme/media_type.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/types/string.h"
#include "apimachinery/version/info.kube.h"
#include "clientset/discovery/aggregated.h"
#include "clientset/discovery/discovery.h"
#include "clientset/discovery/server_resources.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"

namespace kube::discovery {

namespace discoveryv2 = api::apidiscovery::v2;
namespace metav1 = api::meta::v1;

namespace {

constexpr int kTries = 2;           // everything is requested again if a group-version fails
constexpr int kDefaultBurst = 300;  // client-go: `defaultBurst`

// Servers expect the parameters in this order.
constexpr char kAcceptLegacy[] = "application/json";
constexpr char kAcceptAggregated[] =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,"
    "application/json";
constexpr char kAcceptNoPeer[] =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;profile=nopeer,"
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,"
    "application/json";

absl::StatusOr<rest::Result> Ask(const Context& ctx, const DiscoveryClient& client,
                                 absl::string_view path, absl::string_view accept) {
  return client.client().Do(ctx, {.absolute_path = std::string(path),
                                  .accept = std::string(accept),
                                  .timeout = client.options().timeout});
}

// The type of the response counts, and not what was requested. (client-go:
// `discovery.ContentTypeIsGVK`)
bool IsAggregated(const rest::Result& result) {
  const absl::StatusOr<scheme::MediaType> type =
      scheme::ParseMediaType(result.headers.Get("content-type").value_or(""));
  if (!type.ok() || type->media_type != "application/json") return false;
  const auto is = [&type](const char* name, absl::string_view value) {
    const auto found = type->parameters.find(name);
    return found != type->parameters.end() && found->second == value;
  };
  return is("g", "apidiscovery.k8s.io") && is("as", "APIGroupDiscoveryList") &&
         (is("v", "v2") || is("v", "v2beta1"));
}

template <ApiStruct T>
absl::StatusOr<T> Decode(const rest::Result& result, absl::string_view path) {
  KUBE_ASSIGN_OR_RETURN(T object, codec::DecodeJson<T>(result.body), "get ", path);
  object.kind = String();
  object.api_version = String();
  return object;
}

// Reads the core group, which has no name, from a document of its own kind.
absl::StatusOr<metav1::APIGroupList> CoreGroup(const rest::Result& result) {
  KUBE_ASSIGN_OR_RETURN(const metav1::APIVersions versions,
                        Decode<metav1::APIVersions>(result, "/api"));
  metav1::APIGroup group;
  for (const String& version : versions.versions) {
    group.versions.push_back({.group_version = version, .version = version});
  }
  if (!group.versions.empty()) group.preferred_version = group.versions[0];
  metav1::APIGroupList list;
  list.groups.push_back(std::move(group));
  return list;
}

absl::StatusOr<GroupsAndMaybeResources> Read(const rest::Result& result, absl::string_view path) {
  if (IsAggregated(result)) {
    KUBE_ASSIGN_OR_RETURN(const auto document,
                          Decode<discoveryv2::APIGroupDiscoveryList>(result, path));
    return SplitGroupsAndResources(document);
  }
  GroupsAndMaybeResources listed;
  if (path == "/api") {
    KUBE_ASSIGN_OR_RETURN(metav1::APIGroupList groups, CoreGroup(result));
    listed.groups = std::make_shared<const metav1::APIGroupList>(std::move(groups));
  } else {
    KUBE_ASSIGN_OR_RETURN(metav1::APIGroupList groups, Decode<metav1::APIGroupList>(result, path));
    for (metav1::APIGroup& group : groups.groups) group.kind = group.api_version = String();
    listed.groups = std::make_shared<const metav1::APIGroupList>(std::move(groups));
  }
  return listed;
}

// Joins the answers of /api and /apis. The result has resources only if both have them.
GroupsAndMaybeResources Merge(GroupsAndMaybeResources core, GroupsAndMaybeResources named) {
  auto groups = std::make_shared<metav1::APIGroupList>(*core.groups);
  for (const metav1::APIGroup& group : named.groups->groups) groups->groups.push_back(group);
  GroupsAndMaybeResources all = {.groups = std::move(groups)};
  if (core.resources.has_value() && named.resources.has_value()) {
    all.resources = *std::move(named.resources);
    all.resources->merge(*core.resources);
    all.failed = std::move(named.failed);
    all.failed.merge(core.failed);
  }
  return all;
}

// Repeats the requests if a group-version has failed, because groups come and go meanwhile.
absl::StatusOr<ServerResources> WithTries(
    absl::FunctionRef<absl::StatusOr<ServerResources>()> fetch) {
  absl::StatusOr<ServerResources> result = fetch();
  for (int tries = 1; tries < kTries && result.ok() && !result->failed.empty(); ++tries) {
    result = fetch();
  }
  return result;
}

}  // namespace

absl::StatusOr<GroupsAndMaybeResources> DiscoveryClient::MaybeResources(const Context& ctx) const {
  const char* const accept = options_.legacy    ? kAcceptLegacy
                             : options_.no_peer ? kAcceptNoPeer
                                                : kAcceptAggregated;
  GroupsAndMaybeResources core;
  const absl::StatusOr<rest::Result> legacy = Ask(ctx, *this, "/api", accept);
  if (legacy.ok()) {
    KUBE_ASSIGN_OR_RETURN(core, Read(*legacy, "/api"));
  } else if (errors::IsNotFound(legacy.status())) {
    core = {.groups = std::make_shared<const metav1::APIGroupList>(),
            .resources = ResourcesByGroupVersion()};
  } else {
    return legacy.status();
  }
  KUBE_ASSIGN_OR_RETURN(const rest::Result result, Ask(ctx, *this, "/apis", accept));
  KUBE_ASSIGN_OR_RETURN(GroupsAndMaybeResources named, Read(result, "/apis"));
  return Merge(std::move(core), std::move(named));
}

absl::StatusOr<GroupList> DiscoveryClient::ServerGroups(const Context& ctx) const {
  KUBE_ASSIGN_OR_RETURN(GroupsAndMaybeResources all, MaybeResources(ctx));
  return std::move(all.groups);
}

absl::StatusOr<ResourceList> DiscoveryClient::ServerResourcesForGroupVersion(
    const Context& ctx, absl::string_view group_version) const {
  if (group_version.empty()) {
    return absl::InvalidArgumentError("get resources: groupVersion shouldn't be empty");
  }
  const bool is_core = group_version == "v1";
  const std::string path = absl::StrCat(is_core ? "/api/" : "/apis/", group_version);
  auto list = std::make_shared<metav1::APIResourceList>();
  const absl::StatusOr<rest::Result> result = Ask(ctx, *this, path, "");
  if (result.ok()) {
    KUBE_ASSIGN_OR_RETURN(*list, Decode<metav1::APIResourceList>(*result, path));
  } else if (!is_core || !errors::IsNotFound(result.status())) {
    return result.status();
  }
  if (list->group_version.empty()) list->group_version = group_version;
  return list;
}

absl::StatusOr<version::Info> DiscoveryClient::ServerVersion(const Context& ctx) const {
  KUBE_ASSIGN_OR_RETURN(const rest::Result result, Ask(ctx, *this, "/version", ""));
  KUBE_ASSIGN_OR_RETURN(version::Info info, codec::DecodeJson<version::Info>(result.body),
                        "get /version");
  return info;
}

absl::StatusOr<ServerResources> DiscoveryClient::ServerGroupsAndResources(
    const Context& ctx) const {
  return WithTries([&] { return Discovery::ServerGroupsAndResources(ctx); });
}

absl::StatusOr<ServerResources> DiscoveryClient::ServerPreferredResources(
    const Context& ctx) const {
  return WithTries([&] { return Discovery::ServerPreferredResources(ctx); });
}

absl::StatusOr<DiscoveryClient> MakeDiscoveryClient(const rest::Config& config,
                                                    const DiscoveryClientOptions& options) {
  rest::Config own = config;
  if (own.qps > 0 && own.burst == 0) own.burst = kDefaultBurst;
  DiscoveryClientOptions own_options = options;
  if (own.timeout > absl::ZeroDuration()) own_options.timeout = absl::ZeroDuration();
  KUBE_ASSIGN_OR_RETURN(rest::Client client, rest::MakeClient(own), "make discovery client");
  return DiscoveryClient(std::move(client), own_options);
}

}  // namespace kube::discovery
