#include "apiserver/cluster/cluster_objects.h"

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "api/apiregistration/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/flowcontrol/v1/types.kube.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/random.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/time.h"
#include "apiserver/cluster/bootstrap.h"
#include "apiserver/cluster/cluster_objects_text.h"
#include "apiserver/defaults/defaults.h"
#include "apiserver/object.h"
#include "apiserver/registry/aggregated_rules.h"
#include "apiserver/registry/namespace_objects.h"
#include "apiserver/resources.h"
#include "apiserver/server_address.h"
#include "apiserver/storage.h"
#include "apiserver/strategy/strategy.h"

namespace kube::apiserver::internal {
namespace {

namespace apiregistrationv1 = api::apiregistration::v1;
namespace corev1 = api::core::v1;
namespace flowcontrolv1 = api::flowcontrol::v1;
namespace rbacv1 = api::rbac::v1;

// The objects of one kind, each as JSON.
struct Kind {
  std::string api_version;
  std::string kind;
  std::vector<std::string> objects;
};

// Parses the data file: "== VERSION KIND", followed by a line for each object.
std::vector<Kind> ReadText(absl::string_view text) {
  std::vector<Kind> kinds;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    if (line[0] == '#') continue;
    if (absl::ConsumePrefix(&line, "== ")) {
      const std::pair<std::string, std::string> names = absl::StrSplit(line, ' ');
      kinds.push_back({.api_version = names.first, .kind = names.second, .objects = {}});
    } else {
      kinds.back().objects.emplace_back(line);
    }
  }
  return kinds;
}

const std::vector<Kind>& SameInEveryCluster() {
  static const std::vector<Kind> kinds = ReadText(ClusterObjectsText());
  return kinds;
}

// The properties that differ between servers.
using Cluster = ClusterOptions;

std::string Timestamp(absl::Time time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", time, absl::UTCTimeZone());
}

// ---- objects that only the server knows; each function returns those of one kind as JSON

std::vector<std::string> Services(const Cluster& cluster) {
  return {absl::StrCat(
      R"({"metadata":{"name":"kubernetes","namespace":"default","labels":{"component":"apiserver",)",
      R"("provider":"kubernetes"}},"spec":{"clusterIP":"10.0.0.1","clusterIPs":["10.0.0.1"],)",
      R"("ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","ports":[{"name":"https",)",
      R"("protocol":"TCP","port":443,"targetPort":)", cluster.address().port,
      R"(}],"sessionAffinity":"None","type":"ClusterIP"}})")};
}

std::vector<std::string> Endpoints(const Cluster& cluster) {
  const ServerAddress address = cluster.address();
  return {absl::StrCat(
      R"({"metadata":{"name":"kubernetes","namespace":"default","labels":{)",
      R"("endpointslice.kubernetes.io/skip-mirror":"true"}},"subsets":[{"addresses":[{"ip":")",
      address.ip, R"("}],"ports":[{"name":"https","protocol":"TCP","port":)", address.port,
      "}]}]}")};
}

std::vector<std::string> EndpointSlices(const Cluster& cluster) {
  const ServerAddress address = cluster.address();
  return {absl::StrCat(
      R"({"metadata":{"name":"kubernetes","namespace":"default","labels":{)",
      R"("kubernetes.io/service-name":"kubernetes"}},"addressType":")",
      absl::StrContains(address.ip, ':') ? "IPv6" : "IPv4", R"(","endpoints":[{"addresses":[")",
      address.ip, R"("],"conditions":{"ready":true}}],"ports":[{"name":"https","protocol":"TCP",)",
      R"("port":)", address.port, "}]}")};
}

std::vector<std::string> ServiceCidrs(const Cluster& cluster) {
  return {absl::StrCat(
      R"({"metadata":{"name":"kubernetes"},"spec":{"cidrs":["10.0.0.0/24"]},"status":{)",
      R"("conditions":[{"type":"Ready","status":"True","reason":"","lastTransitionTime":")",
      Timestamp(cluster.created), R"(","message":"Kubernetes default Service CIDR is ready"}]}})")};
}

std::vector<std::string> IpAddresses(const Cluster&) {
  return {absl::StrCat(
      R"({"metadata":{"name":"10.0.0.1","labels":{"ipaddress.kubernetes.io/ip-family":"IPv4",)",
      R"("ipaddress.kubernetes.io/managed-by":"ipallocator.k8s.io"}},"spec":{"parentRef":{)",
      R"("group":"","resource":"services","namespace":"default","name":"kubernetes"}}})")};
}

// kube-apiserver's lease is named after the host, which is the same for all servers in a process.
std::vector<std::string> Leases(const Cluster& cluster) {
  constexpr absl::string_view kName = "apiserver-envtest";
  const ServerAddress address = cluster.address();
  const bool v6 = absl::StrContains(address.ip, ':');
  return {absl::StrCat(
      R"({"metadata":{"name":")", kName, R"(","namespace":"kube-system","labels":{)",
      R"("apiserver.kubernetes.io/identity":"kube-apiserver","kubernetes.io/hostname":"envtest"},)",
      R"("annotations":{"kubernetes.io/peer-advertise-address":")", v6 ? "[" : "", address.ip,
      v6 ? "]:" : ":", address.port, R"("}},)", R"("spec":{"holderIdentity":")", kName, "_",
      base::RandomUuid(), R"(","leaseDurationSeconds":3600,"renewTime":")",
      absl::FormatTime("%Y-%m-%dT%H:%M:%E6SZ", cluster.created, absl::UTCTimeZone()), "\"}}")};
}

// Returns an object with this name, and nothing else, for each of the first namespaces.
std::vector<std::string> InEachNamespace(absl::string_view name) {
  std::vector<std::string> objects;
  for (const absl::string_view each : kFirstNamespaces) {
    objects.push_back(
        absl::StrCat(R"({"metadata":{"name":")", name, R"(","namespace":")", each, "\"}}"));
  }
  return objects;
}

std::vector<std::string> ServiceAccounts(const Cluster& cluster) {
  if (!cluster.controllers) return {};
  return InEachNamespace(kDefaultAccount);
}

std::vector<std::string> ConfigMaps(const Cluster& cluster) {
  std::vector<std::string> maps;
  // FillStatus adds the certificate authority, because PEM is not valid in JSON. As in
  // kube-apiserver, there is no map without one.
  if (!cluster.address().client_ca.empty()) {
    maps.emplace_back(
        R"({"metadata":{"name":"extension-apiserver-authentication","namespace":"kube-system"}})");
  }
  maps.push_back(
      absl::StrCat(R"({"metadata":{"name":"kube-apiserver-legacy-service-account-token-tracking",)",
                   R"("namespace":"kube-system"},"data":{"since":")",
                   absl::FormatTime("%Y-%m-%d", cluster.created, absl::UTCTimeZone()), "\"}}"));
  // FillStatus adds what they contain.
  if (cluster.controllers && !cluster.address().server_ca.empty()) {
    for (std::string& map : InEachNamespace(kRootCaMap)) maps.push_back(std::move(map));
  }
  return maps;
}

struct OwnKind {
  absl::string_view api_version;
  absl::string_view kind;
  size_t at_most;
  std::vector<std::string> (*objects)(const Cluster& cluster);
};

constexpr OwnKind kOfThisServer[] = {
    {"coordination.k8s.io/v1", "Lease", 1, &Leases},
    {"v1", "ConfigMap", 2 + std::size(kFirstNamespaces), &ConfigMaps},
    {"networking.k8s.io/v1", "ServiceCIDR", 1, &ServiceCidrs},
    {"networking.k8s.io/v1", "IPAddress", 1, &IpAddresses},
    {"v1", "Service", 1, &Services},
    {"v1", "Endpoints", 1, &Endpoints},
    {"discovery.k8s.io/v1", "EndpointSlice", 1, &EndpointSlices},
    {"v1", "ServiceAccount", std::size(kFirstNamespaces), &ServiceAccounts},
};

// ---- objects

// Fills in what controllers within kube-apiserver write to these objects.
void FillStatus(const Cluster& cluster, Object& object) {
  const Time created(cluster.created);
  if (auto* service = object.As<apiregistrationv1::APIService>()) {
    apiregistrationv1::APIServiceCondition condition;
    condition.type = "Available";
    condition.status = "True";
    condition.last_transition_time = created;
    condition.reason = "Local";
    condition.message = "Local APIServices are always available";
    service->status.conditions = {condition};
  }
  if (auto* schema = object.As<flowcontrolv1::FlowSchema>()) {
    flowcontrolv1::FlowSchemaCondition condition;
    condition.type = "Dangling";
    condition.status = "False";
    condition.last_transition_time = created;
    condition.reason = "Found";
    condition.message =
        absl::StrCat("This FlowSchema references the PriorityLevelConfiguration object named \"",
                     schema->spec.priority_level_configuration.name.view(), "\" and it exists");
    schema->status.conditions = {condition};
  }
  if (auto* map = object.As<corev1::ConfigMap>();
      map != nullptr && map->metadata.name == "extension-apiserver-authentication") {
    map->data["client-ca-file"] = cluster.address().client_ca;
  }
  if (auto* map = object.As<corev1::ConfigMap>();
      map != nullptr && map->metadata.name == kRootCaMap) {
    map->data[kRootCaKey] = cluster.address().server_ca;
    map->metadata.annotations[kDescription] = kRootCaDescription;
  }
}

// Returns the object that kube-apiserver stores for this JSON.
Object MakeObject(const Cluster& cluster, const Resource& resource, absl::string_view json) {
  absl::StatusOr<codec::AnyObject> decoded = codec::AnyObject::DecodeJson(*resource.kind, json);
  KUBE_CHECK(decoded.ok()) << "decode initial object: " << decoded.status() << "\n"
                           << std::string(json);
  SetDefaults(*decoded);
  const codec::AnyObject written = decoded->Copy();
  Object object(*std::move(decoded));
  PrepareForCreate(resource, object);
  if (resource.FindSubresource("status") != nullptr) {
    KUBE_CHECK_OK(object.any().CopyMember("status", written));
  }
  FillStatus(cluster, object);
  object.metadata().uid = base::RandomUuid();
  object.metadata().creation_timestamp = Time(cluster.created);
  return object;
}

using Made = std::vector<std::pair<std::string, Object>>;

void Add(const Cluster& cluster, const Resource& resource, absl::string_view json, Made& made) {
  Object object = MakeObject(cluster, resource, json);
  std::string key =
      resource.KeyOf(object.metadata().namespace_.view(), object.metadata().name.view());
  made.emplace_back(std::move(key), std::move(object));
}

// Gives the roles that have an aggregationRule their rules. They select each other, but not in a
// circle.
void Aggregate(Made& made) {
  std::vector<const rbacv1::ClusterRole*> all;
  for (const auto& [key, object] : made) all.push_back(object.As<rbacv1::ClusterRole>());
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& [key, object] : made) {
      auto& role = *object.As<rbacv1::ClusterRole>();
      std::optional<List<rbacv1::PolicyRule>> rules = AggregatedRules(role, all);
      if (!rules.has_value() || *rules == role.rules) continue;
      role.rules = *std::move(rules);
      changed = true;
    }
  }
}

// Returns the objects of the data file that this server needs: no API services of versions that it
// does not serve.
std::vector<absl::string_view> ObjectsOf(const Kind& kind, const Resources& resources) {
  if (kind.kind != "APIService") return {kind.objects.begin(), kind.objects.end()};
  std::vector<absl::string_view> served;
  for (const std::string& json : kind.objects) {
    for (const schema::GroupVersion& each : resources.group_versions()) {
      const std::string name = absl::StrCat("\"name\":\"", each.version, ".", each.group, "\"");
      if (absl::StrContains(json, name)) served.push_back(json);
    }
  }
  return served;
}

}  // namespace

void CreateClusterObjects(Storage& storage, const Resources& resources, ClusterOptions options) {
  const auto cluster = std::make_shared<const Cluster>(std::move(options));
  // The lambdas hold copies, because the resources of the server change.
  const auto find = [&resources](absl::string_view api_version, absl::string_view kind) {
    const Resource* const found = resources.FindKind(api_version, kind);
    KUBE_CHECK(found != nullptr) << "no resource for " << api_version << " " << kind;
    return *found;
  };
  for (const Kind& kind : SameInEveryCluster()) {
    const Resource resource = find(kind.api_version, kind.kind);
    const std::vector<absl::string_view> objects = ObjectsOf(kind, resources);
    storage.CreateLater({.resource = resource.storage,
                         .at_most = objects.size(),
                         .make = [cluster, resource, objects,
                                  aggregates = cluster->controllers && kind.kind == "ClusterRole"] {
                           Made made;
                           for (absl::string_view json : objects)
                             Add(*cluster, resource, json, made);
                           if (aggregates) Aggregate(made);
                           return made;
                         }});
  }
  for (const OwnKind& kind : kOfThisServer) {
    const Resource resource = find(kind.api_version, kind.kind);
    storage.CreateLater({.resource = resource.storage,
                         .at_most = kind.at_most,
                         .make = [cluster, resource, objects = kind.objects] {
                           Made made;
                           for (const std::string& json : objects(*cluster)) {
                             Add(*cluster, resource, json, made);
                           }
                           return made;
                         }});
  }
}

}  // namespace kube::apiserver::internal
