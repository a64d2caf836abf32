#include "envtest/workloads/internal/services/endpoint_slices.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/discovery/v1/types.kube.h"
#include "apimachinery/labels/set.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "envtest/workloads/internal/services/service_pods.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;
namespace discoveryv1 = api::discovery::v1;

// (Go: `maxEndpointsPerSlice`)
constexpr size_t kMaxEndpoints = 100;
constexpr absl::string_view kServiceName = "kubernetes.io/service-name";
constexpr absl::string_view kManagedBy = "endpointslice.kubernetes.io/managed-by";
constexpr absl::string_view kManager = "endpointslice-controller.k8s.io";
constexpr absl::string_view kHeadless = "service.kubernetes.io/headless";

using Ports = List<discoveryv1::EndpointPort>;
struct Group {
  Ports ports = {};
  List<discoveryv1::Endpoint> endpoints = {};
};

Ports PortsOf(const corev1::Service& service, const corev1::Pod& pod) {
  Ports ports;
  for (const corev1::ServicePort& each : service.spec.ports) {
    const int32_t number = PortOf(each, pod);
    if (number == 0) continue;
    discoveryv1::EndpointPort port;
    port.name = each.name;
    port.protocol = each.protocol;
    port.port = number;
    port.app_protocol = each.app_protocol;
    ports.push_back(std::move(port));
  }
  return ports;
}

// (Go: `podToEndpoint`)
discoveryv1::Endpoint EndpointOf(const corev1::Service& service, const corev1::Pod& pod) {
  const bool serving = IsReady(pod);
  const bool terminating = pod.metadata.deletion_timestamp.has_value();
  discoveryv1::Endpoint endpoint;
  for (const corev1::PodIP& each : pod.status.pod_ips) {
    if (!absl::StrContains(each.ip.view(), ':')) endpoint.addresses.push_back(each.ip);
  }
  endpoint.conditions.ready = service.spec.publish_not_ready_addresses || (serving && !terminating);
  endpoint.conditions.serving = serving;
  endpoint.conditions.terminating = terminating;
  corev1::ObjectReference& target = endpoint.target_ref.emplace();
  target.kind = "Pod";
  target.namespace_ = pod.metadata.namespace_;
  target.name = pod.metadata.name;
  target.uid = pod.metadata.uid;
  if (!pod.spec.node_name.empty()) endpoint.node_name = pod.spec.node_name;
  if (!pod.spec.hostname.empty() && pod.spec.subdomain == service.metadata.name) {
    endpoint.hostname = pod.spec.hostname;
  }
  return endpoint;
}

// Groups endpoints by their ports and splits the groups into slices. Returns one empty group if
// there are no pods.
std::vector<Group> GroupsOf(const corev1::Service& service, const Objects<corev1::Pod>& pods) {
  std::vector<Group> groups;
  for (const auto& pod : pods) {
    if (!Selects(service, *pod)) continue;
    Ports ports = PortsOf(service, *pod);
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& each) { return each.ports == ports; });
    if (group == groups.end()) group = groups.insert(groups.end(), {.ports = std::move(ports)});
    group->endpoints.push_back(EndpointOf(service, *pod));
  }
  if (groups.empty()) groups.emplace_back();

  std::vector<Group> slices;
  for (const Group& group : groups) {
    size_t from = 0;
    do {
      const size_t to = std::min(from + kMaxEndpoints, group.endpoints.size());
      slices.push_back(
          {.ports = group.ports,
           .endpoints = {group.endpoints.begin() + from, group.endpoints.begin() + to}});
      from = to;
    } while (from < group.endpoints.size());
  }
  return slices;
}

Map<String> LabelsOf(const corev1::Service& service) {
  Map<String> labels = service.metadata.labels;
  labels.erase(kHeadless);
  if (IsHeadless(service)) labels[kHeadless] = "";
  labels[kServiceName] = service.metadata.name;
  labels[kManagedBy] = kManager;
  return labels;
}

}  // namespace

EndpointSlicesPlan PlanEndpointSlices(const corev1::Service& service,
                                      const Objects<corev1::Pod>& pods,
                                      const Objects<discoveryv1::EndpointSlice>& slices) {
  EndpointSlicesPlan plan;
  if (!HasEndpoints(service)) return plan;
  Objects<discoveryv1::EndpointSlice> left;
  for (const auto& slice : slices) {
    if (meta::IsControlledBy(slice->metadata, service.metadata)) left.push_back(slice);
  }
  for (Group& group : GroupsOf(service, pods)) {
    discoveryv1::EndpointSlice wanted;
    // Prefers to update a slice with the same ports.
    auto found = std::find_if(left.begin(), left.end(),
                              [&](const auto& each) { return each->ports == group.ports; });
    if (found == left.end()) found = left.begin();
    const std::shared_ptr<const discoveryv1::EndpointSlice> existing =
        found == left.end() ? nullptr : *found;
    if (existing != nullptr) {
      left.erase(found);
      wanted = *existing;
    } else {
      wanted.metadata.generate_name = absl::StrCat(service.metadata.name.view(), "-");
      wanted.metadata.namespace_ = service.metadata.namespace_;
      wanted.metadata.owner_references.push_back(
          meta::NewControllerRef(service.metadata, {.version = "v1", .kind = "Service"}));
      wanted.address_type = "IPv4";
    }
    wanted.metadata.labels = LabelsOf(service);
    wanted.ports = std::move(group.ports);
    wanted.endpoints = std::move(group.endpoints);
    if (existing == nullptr) {
      plan.create.push_back(std::move(wanted));
    } else if (wanted != *existing) {
      plan.update.push_back(std::move(wanted));
    }
  }
  plan.remove = std::move(left);
  return plan;
}

}  // namespace kube::envtest::internal
