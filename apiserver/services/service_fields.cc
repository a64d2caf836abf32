#include "apiserver/services/service_fields.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apiserver/services/service_type.h"
#include "apiserver/services/validate_service.h"

namespace kube::apiserver::internal {
namespace {

namespace field = validation::field;
using api::core::v1::Service;
using api::core::v1::ServicePort;
using api::core::v1::ServiceSpec;
using field::ErrorList;
using field::Path;

constexpr absl::string_view kNone = "None";

bool IsNodePortType(const Service& service) {
  return service.spec.type == "NodePort" || service.spec.type == "LoadBalancer";
}

bool SameTexts(const List<String>& a, const List<String>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

bool SameClusterIps(const Service& a, const Service& b) {
  return SameTexts(a.spec.cluster_ips, b.spec.cluster_ips);
}

std::set<int32_t> NodePorts(const Service& service) {
  std::set<int32_t> ports;
  for (const ServicePort& port : service.spec.ports) {
    if (port.node_port != 0) ports.insert(port.node_port);
  }
  return ports;
}

absl::string_view PolicyOf(const Service& service) {
  const auto& policy = service.spec.ip_family_policy;
  return policy.has_value() ? policy->view() : absl::string_view();
}

// A service that prefers two stacks is neither upgraded nor downgraded by an update that does not
// change its addresses (kube-apiserver: `isMatchingPreferDualStackClusterIPFields`).
bool KeepsPreferredDualStack(const Service& old, const Service& service) {
  constexpr absl::string_view kPrefer = "PreferDualStack";
  if (!service.spec.ip_family_policy.has_value() || old.spec.type != service.spec.type) {
    return false;
  }
  const bool old_prefers = !old.spec.ip_family_policy.has_value() || PolicyOf(old) == kPrefer;
  return PolicyOf(service) == kPrefer && old_prefers && SameClusterIps(old, service) &&
         SameTexts(old.spec.ip_families, service.spec.ip_families);
}

void SetPolicy(const Service* old, ServiceSpec& spec) {
  if (spec.ip_family_policy.has_value()) return;
  if (old != nullptr && old->spec.ip_family_policy.has_value()) {
    spec.ip_family_policy = old->spec.ip_family_policy;
  } else {
    // The endpoints of a service without addresses and selector may have either family.
    const bool unknown = spec.cluster_ip == kNone && spec.selector.empty();
    spec.ip_family_policy = unknown ? "RequireDualStack" : "SingleStack";
  }
}

Path PolicyPath() { return Path("spec").Child("ipFamilyPolicy"); }

// Removes the second address and family if the service now has one stack. Appends an error if its
// policy does not allow that.
void DropSecondStack(const Service& old, Service& service, ErrorList& wrong) {
  ServiceSpec& spec = service.spec;
  if (PolicyOf(service) == "SingleStack") {
    if (SameClusterIps(old, service) && spec.cluster_ips.size() > 1) spec.cluster_ips.resize(1);
    if (SameTexts(old.spec.ip_families, spec.ip_families) && spec.ip_families.size() > 1) {
      spec.ip_families.resize(1);
    }
    return;
  }
  const auto refuse = [&](const List<String>& now, const List<String>& before,
                          absl::string_view detail) {
    if (now.empty() || now.size() >= before.size()) return;
    wrong.push_back(field::Invalid(PolicyPath(), field::JsonText(PolicyOf(service)), detail));
  };
  refuse(spec.cluster_ips, old.spec.cluster_ips,
         "must be 'SingleStack' to release the secondary cluster IP");
  refuse(spec.ip_families, old.spec.ip_families,
         "must be 'SingleStack' to release the secondary IP family");
}

void CheckSingleStack(const Service& service, ErrorList& wrong) {
  if (PolicyOf(service) != "SingleStack") return;
  const auto refuse = [&](const List<String>& values, absl::string_view detail) {
    if (values.size() != 2) return;
    wrong.push_back(field::Invalid(PolicyPath(), field::JsonText(PolicyOf(service)), detail));
  };
  refuse(service.spec.cluster_ips,
         "must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are specified");
  refuse(service.spec.ip_families,
         "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are "
         "specified");
}

// Adds the families of addresses that the client wrote without them.
void AddFamiliesOfAddresses(ServiceSpec& spec, ErrorList& wrong) {
  for (size_t i = 0; i < spec.cluster_ips.size() && spec.cluster_ips[i] != kNone; ++i) {
    if (i < spec.ip_families.size()) continue;
    if (absl::StrContains(spec.cluster_ips[i].view(), ":")) {
      wrong.push_back(field::Invalid(Path("spec").Child("clusterIPs").Index(i),
                                     field::JsonOf(spec.cluster_ips),
                                     "IPv6 is not configured on this cluster"));
    } else {
      spec.ip_families.push_back("IPv4");
    }
  }
}

// Sets the families of a headless service without a selector, which has both, even here.
void SetFamiliesOfUnknown(ServiceSpec& spec) {
  if (spec.ip_families.empty()) spec.ip_families.push_back("IPv4");
  if (spec.ip_families.size() > 1 || *spec.ip_family_policy == "SingleStack") return;
  spec.ip_families.push_back(spec.ip_families[0] == "IPv4" ? "IPv6" : "IPv4");
}

void CheckFamilies(const ServiceSpec& spec, ErrorList& wrong) {
  if (*spec.ip_family_policy == "RequireDualStack") {
    wrong.push_back(field::Invalid(PolicyPath(), field::JsonText(spec.ip_family_policy->view()),
                                   "this cluster is not configured for dual-stack services"));
  }
  for (size_t i = 0; i < spec.ip_families.size(); ++i) {
    if (spec.ip_families[i] == "IPv4") continue;
    wrong.push_back(field::Invalid(Path("spec").Child("ipFamilies").Index(i),
                                   field::JsonText(spec.ip_families[i].view()),
                                   "not configured on this cluster"));
  }
}

absl::Status InvalidService(const Service& service, const ErrorList& wrong) {
  return errors::Invalid({.group = "", .kind = "Service"}, service.metadata.name.view(), wrong);
}

}  // namespace

void KeepAllocated(const Service& old, Service& service) {
  ServiceSpec& spec = service.spec;
  if (NeedsClusterIp(old) && NeedsClusterIp(service)) {
    if (spec.cluster_ip.empty()) spec.cluster_ip = old.spec.cluster_ip;
    if (spec.cluster_ips.empty()) spec.cluster_ips = old.spec.cluster_ips;
  }
  if (AllocatesNodePorts(old) && AllocatesNodePorts(service)) {
    const std::set<int32_t> before = NodePorts(old);
    const std::set<int32_t> sent = NodePorts(service);
    std::map<std::string, int32_t> by_name;
    for (const ServicePort& port : old.spec.ports) {
      by_name[std::string(port.name)] = port.node_port;
    }
    for (ServicePort& port : spec.ports) {
      if (port.node_port != 0) continue;
      const auto known = by_name.find(std::string(port.name));
      if (known == by_name.end()) continue;
      const bool taken = before.count(known->second) != 0 && sent.count(known->second) != 0;
      if (!taken) port.node_port = known->second;
    }
  }
  if (NeedsHealthCheck(old) && NeedsHealthCheck(service) && spec.health_check_node_port == 0) {
    spec.health_check_node_port = old.spec.health_check_node_port;
  }
}

void NormalizeClusterIps(const Service* old, Service& service) {
  ServiceSpec& spec = service.spec;
  if (old == nullptr) {
    if (!spec.cluster_ip.empty() && spec.cluster_ips.empty()) {
      spec.cluster_ips = {spec.cluster_ip};
    }
    return;
  }
  // The client knows only clusterIP, and has changed something else.
  const bool same = old->spec.cluster_ip == spec.cluster_ip;
  if (spec.cluster_ips.empty() && same) spec.cluster_ips = old->spec.cluster_ips;
  if (same || !SameClusterIps(*old, service)) return;
  if (spec.cluster_ip.empty()) {
    spec.cluster_ips = {};
  } else {
    spec.cluster_ips = {spec.cluster_ip};
  }
}

absl::Status SetIpFamilies(const Service* old, Service& service) {
  ServiceSpec& spec = service.spec;
  if (!NeedsClusterIp(service)) return absl::OkStatus();
  if (old != nullptr && KeepsPreferredDualStack(*old, service)) return absl::OkStatus();
  SetPolicy(old, spec);
  ErrorList wrong;
  CheckClusterIps(wrong, service, old);
  if (!wrong.empty()) return InvalidService(service, wrong);
  if (old != nullptr) DropSecondStack(*old, service, wrong);
  CheckSingleStack(service, wrong);
  AddFamiliesOfAddresses(spec, wrong);
  if (!wrong.empty()) return InvalidService(service, wrong);
  if (spec.cluster_ip == kNone && spec.selector.empty()) {
    SetFamiliesOfUnknown(spec);
    return absl::OkStatus();
  }
  CheckFamilies(spec, wrong);
  if (!wrong.empty()) return InvalidService(service, wrong);
  if (spec.ip_families.empty()) spec.ip_families = {"IPv4"};
  return absl::OkStatus();
}

void DropTypeDependentFields(const Service& old, Service& service) {
  const ServiceSpec& before = old.spec;
  ServiceSpec& spec = service.spec;
  if (NeedsClusterIp(old) && !NeedsClusterIp(service)) {
    if (before.cluster_ip == spec.cluster_ip && SameClusterIps(old, service)) {
      spec.cluster_ip = "";
      spec.cluster_ips = {};
    }
    if (SameTexts(before.ip_families, spec.ip_families)) spec.ip_families = {};
    if (before.ip_family_policy == spec.ip_family_policy) spec.ip_family_policy.reset();
  }
  if (IsNodePortType(old) && !IsNodePortType(service)) {
    const std::set<int32_t> known = NodePorts(old);
    bool same = true;
    for (int32_t port : NodePorts(service)) same &= known.count(port) != 0;
    if (same) {
      for (ServicePort& port : spec.ports) port.node_port = 0;
    }
  }
  if (NeedsHealthCheck(old) && !NeedsHealthCheck(service) &&
      before.health_check_node_port == spec.health_check_node_port) {
    spec.health_check_node_port = 0;
  }
  const bool was_balancer = before.type == "LoadBalancer" && spec.type != "LoadBalancer";
  if (was_balancer) {
    auto& allocate = spec.allocate_load_balancer_node_ports;
    if (allocate.has_value() && before.allocate_load_balancer_node_ports == allocate) {
      allocate.reset();
    }
    if (before.load_balancer_class == spec.load_balancer_class) spec.load_balancer_class.reset();
  }
  if (IsExternallyAccessible(old) && !IsExternallyAccessible(service) &&
      before.external_traffic_policy == spec.external_traffic_policy) {
    spec.external_traffic_policy = "";
  }
  if (spec.type != "LoadBalancer") service.status.load_balancer = {};
}

}  // namespace kube::apiserver::internal
