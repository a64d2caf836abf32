#include "envtest/workloads/internal/services/endpoints.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "envtest/workloads/internal/services/service_pods.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;

constexpr absl::string_view kHeadless = "service.kubernetes.io/headless";

// The address of one pod.
struct Address {
  corev1::EndpointAddress address = {};
  bool ready = false;
};
// By address and UID of the pod.
using Addresses = std::map<std::pair<std::string, std::string>, Address>;

// (Go: `podToEndpointAddressForService`)
std::optional<corev1::EndpointAddress> AddressOf(const corev1::Service& service,
                                                 const corev1::Pod& pod) {
  for (const corev1::PodIP& each : pod.status.pod_ips) {
    if (absl::StrContains(each.ip.view(), ':')) continue;
    corev1::EndpointAddress address;
    address.ip = each.ip;
    address.node_name = pod.spec.node_name;
    corev1::ObjectReference& target = address.target_ref.emplace();
    target.kind = "Pod";
    target.namespace_ = pod.metadata.namespace_;
    target.name = pod.metadata.name;
    target.uid = pod.metadata.uid;
    if (!pod.spec.hostname.empty() && pod.spec.subdomain == service.metadata.name) {
      address.hostname = pod.spec.hostname;
    }
    return address;
  }
  return std::nullopt;
}

// A port of pods; the number is zero for a headless service without ports.
using PortKey = std::tuple<int32_t, std::string, std::string>;

// The addresses of each port: pods may have different numbers for the name of a port.
struct Table {
  std::map<PortKey, corev1::EndpointPort> ports = {};
  std::map<PortKey, Addresses> addresses = {};

  void Add(const corev1::EndpointPort& port, const Address& address) {
    const PortKey key(port.port, std::string(port.name), std::string(port.protocol));
    ports[key] = port;
    const corev1::EndpointAddress& of = address.address;
    addresses[key][std::pair(std::string(of.ip), std::string(of.target_ref->uid))] = address;
  }
};

Table TableOf(const corev1::Service& service, const Objects<corev1::Pod>& pods) {
  Table table;
  const bool all_ready = service.spec.publish_not_ready_addresses;
  for (const auto& pod : pods) {
    if (!Selects(service, *pod)) continue;
    if (pod->metadata.deletion_timestamp.has_value() && !all_ready) continue;
    std::optional<corev1::EndpointAddress> address = AddressOf(service, *pod);
    if (!address.has_value()) continue;
    const Address entry = {.address = *std::move(address), .ready = all_ready || IsReady(*pod)};
    if (service.spec.ports.empty() && service.spec.cluster_ip == "None") table.Add({}, entry);
    for (const corev1::ServicePort& each : service.spec.ports) {
      corev1::EndpointPort port;
      port.name = each.name;
      port.port = PortOf(each, *pod);
      port.protocol = each.protocol;
      port.app_protocol = each.app_protocol;
      if (port.port != 0) table.Add(port, entry);
    }
  }
  return table;
}

bool AreEqual(const Addresses& a, const Addresses& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.ready == y.second.ready;
  });
}

// Makes a subset for each group of ports that have the same addresses.
List<corev1::EndpointSubset> SubsetsOf(const Table& table) {
  List<corev1::EndpointSubset> subsets;
  std::vector<const Addresses*> seen;
  for (const auto& entry : table.addresses) {
    const Addresses& addresses = entry.second;
    const auto same = std::find_if(seen.begin(), seen.end(), [&](const Addresses* each) {
      return AreEqual(*each, addresses);
    });
    const auto index = static_cast<size_t>(same - seen.begin());
    if (same == seen.end()) {
      seen.push_back(&addresses);
      corev1::EndpointSubset& subset = subsets.emplace_back();
      for (const auto& [ip, each] : addresses) {
        (each.ready ? subset.addresses : subset.not_ready_addresses).push_back(each.address);
      }
    }
    const corev1::EndpointPort& port = table.ports.at(entry.first);
    if (port.port != 0) subsets[index].ports.push_back(port);
  }
  return subsets;
}

Map<String> LabelsOf(const corev1::Service& service) {
  Map<String> labels = service.metadata.labels;
  labels.erase(kHeadless);
  if (IsHeadless(service)) labels[kHeadless] = "";
  labels[kEndpointsManagedBy] = kEndpointsManager;
  return labels;
}

}  // namespace

std::optional<corev1::Endpoints> PlanEndpoints(const corev1::Service& service,
                                               const Objects<corev1::Pod>& pods,
                                               const corev1::Endpoints* existing) {
  corev1::Endpoints wanted;
  if (existing != nullptr) {
    wanted = *existing;
  } else {
    wanted.metadata.name = service.metadata.name;
    wanted.metadata.namespace_ = service.metadata.namespace_;
  }
  wanted.metadata.labels = LabelsOf(service);
  wanted.subsets = SubsetsOf(TableOf(service, pods));
  if (existing != nullptr && wanted == *existing) return std::nullopt;
  return wanted;
}

}  // namespace kube::envtest::internal
