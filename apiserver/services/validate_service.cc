#include "apiserver/services/validate_service.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/int_or_string.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/dns.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/ip.h"
#include "apimachinery/validation/label.h"
#include "apimachinery/validation/meta_v1.h"
#include "apimachinery/validation/value.h"
#include "apiserver/errors/field_errors.h"
#include "apiserver/services/service_type.h"

namespace kube::apiserver::internal {
namespace {

namespace field = validation::field;
using api::core::v1::Service;
using api::core::v1::ServicePort;
using api::core::v1::ServiceSpec;
using field::ErrorList;
using field::Path;

constexpr absl::string_view kMayNotChange = "may not change once set";
constexpr absl::string_view kOnlyBalancer = "may only be used when `type` is 'LoadBalancer'";

void CheckTargetPort(ErrorList& wrong, const IntOrString& port, const Path& path) {
  if (port.is_string()) {
    return AppendInvalid(wrong, path, port.ToString(),
                         validation::IsValidPortName(port.ToString()));
  }
  for (const std::string& message : validation::IsValidPortNum(port.IntValue())) {
    wrong.push_back(field::Invalid(path, int64_t{port.IntValue()}, message));
  }
}

void CheckPorts(ErrorList& wrong, const List<ServicePort>& ports, const Path& path) {
  std::set<std::string> names;
  for (size_t i = 0; i < ports.size(); ++i) {
    const ServicePort& port = ports[i];
    const Path at = path.Index(i);
    const std::string name(port.name);
    if (name.empty()) {
      if (ports.size() > 1) wrong.push_back(field::Required(at.Child("name"), ""));
    } else {
      AppendInvalid(wrong, at.Child("name"), name, validation::IsDns1123Label(name));
      if (!names.insert(name).second) {
        wrong.push_back(field::Duplicate(at.Child("name"), name));
      }
    }
    for (const std::string& message : validation::IsValidPortNum(port.port)) {
      wrong.push_back(field::Invalid(at.Child("port"), int64_t{port.port}, message));
    }
    CheckOneOf(wrong, at.Child("protocol"), port.protocol.view(), {"SCTP", "TCP", "UDP"});
    CheckTargetPort(wrong, port.target_port, at.Child("targetPort"));
    if (port.app_protocol.has_value()) {
      AppendInvalid(wrong, at.Child("appProtocol"), port.app_protocol->view(),
                    validation::IsQualifiedName(port.app_protocol->view()));
    }
  }
}

// Ports and node ports must be unique for each protocol.
void CheckDuplicatePorts(ErrorList& wrong, const ServiceSpec& spec) {
  const Path path = Path("spec").Child("ports");
  std::set<std::pair<std::string, int32_t>> node_ports;
  for (size_t i = 0; i < spec.ports.size(); ++i) {
    const ServicePort& port = spec.ports[i];
    if (spec.type == "ClusterIP" && port.node_port != 0) {
      wrong.push_back(field::Forbidden(path.Index(i).Child("nodePort"),
                                       "may not be used when `type` is 'ClusterIP'"));
    }
  }
  for (size_t i = 0; i < spec.ports.size(); ++i) {
    const ServicePort& port = spec.ports[i];
    if (port.node_port == 0) continue;
    if (!node_ports.emplace(std::string(port.protocol), port.node_port).second) {
      wrong.push_back(field::Duplicate(path.Index(i).Child("nodePort"), int64_t{port.node_port}));
    }
  }
  std::set<std::pair<std::string, int32_t>> ports;
  for (size_t i = 0; i < spec.ports.size(); ++i) {
    const ServicePort& port = spec.ports[i];
    if (ports.emplace(std::string(port.protocol), port.port).second) continue;
    // As upstream, which shows its internal struct with the names of Go's fields.
    wrong.push_back(field::Duplicate(
        path.Index(i),
        field::JsonValue{absl::StrCat(
            R"({"Name":"","Protocol":)", field::JsonText(port.protocol.view()).json,
            R"(,"AppProtocol":null,"Port":)", port.port, R"(,"TargetPort":0,"NodePort":0})")}));
  }
}

void CheckExternalName(ErrorList& wrong, const ServiceSpec& of) {
  const Path spec("spec");
  const auto forbid = [&](absl::string_view member) {
    wrong.push_back(
        field::Forbidden(spec.Child(member), "may not be set for ExternalName services"));
  };
  if (!of.cluster_ips.empty()) forbid("clusterIPs");
  if (!of.ip_families.empty()) forbid("ipFamilies");
  if (of.ip_family_policy.has_value()) forbid("ipFamilyPolicy");
  // A trailing dot says that the name is fully qualified.
  const absl::string_view name = absl::StripSuffix(of.external_name.view(), ".");
  if (name.empty()) {
    wrong.push_back(field::Required(spec.Child("externalName"), ""));
  } else {
    AppendInvalid(wrong, spec.Child("externalName"), name, validation::IsDns1123Subdomain(name));
  }
}

void CheckHeadlessType(ErrorList& wrong, const Service& service) {
  const absl::string_view type = service.spec.type.view();
  if (!IsHeadless(service) || (type != "LoadBalancer" && type != "NodePort")) return;
  wrong.push_back(field::Invalid(Path("spec").Child("clusterIPs").Index(0), "None",
                                 absl::StrCat("may not be set to 'None' for ", type, " services")));
}

void CheckAffinity(ErrorList& wrong, const ServiceSpec& of) {
  const Path spec("spec");
  CheckOneOf(wrong, spec.Child("sessionAffinity"), of.session_affinity.view(),
             {"ClientIP", "None"});
  if (of.session_affinity != "ClientIP" || !of.session_affinity_config ||
      !of.session_affinity_config->client_ip) {
    return;
  }
  const int32_t seconds = of.session_affinity_config->client_ip->timeout_seconds.value_or(0);
  constexpr int32_t kDay = 86400;
  if (seconds > 0 && seconds <= kDay) return;
  wrong.push_back(field::Invalid(
      spec.Child("sessionAffinityConfig").Child("clientIP").Child("timeoutSeconds"),
      int64_t{seconds}, absl::StrCat("must be greater than 0 and less than ", kDay)));
}

std::vector<std::string> TextsOf(const List<String>& texts) {
  std::vector<std::string> all;
  for (const String& each : texts) all.emplace_back(each);
  return all;
}

void CheckExternalIps(ErrorList& wrong, const Service& service, const Service* old) {
  const std::vector<std::string> before =
      old == nullptr ? std::vector<std::string>() : TextsOf(old->spec.external_ips);
  const Path path = Path("spec").Child("externalIPs");
  for (size_t i = 0; i < service.spec.external_ips.size(); ++i) {
    field::Append(wrong,
                  validation::IsValidIpForLegacyField(
                      path.Index(i), service.spec.external_ips[i].view(), {.valid_old = before}));
  }
}

void CheckSourceRanges(ErrorList& wrong, const Service& service, const Service* old) {
  const List<String>& ranges = service.spec.load_balancer_source_ranges;
  if (ranges.empty()) return;
  // As upstream, which writes this member with a capital letter.
  const Path path = Path("spec").Child("LoadBalancerSourceRanges");
  if (service.spec.type != "LoadBalancer") wrong.push_back(field::Forbidden(path, kOnlyBalancer));
  std::vector<std::string> before;
  if (old != nullptr) {
    for (const String& each : old->spec.load_balancer_source_ranges) {
      before.emplace_back(absl::StripAsciiWhitespace(each.view()));
    }
  }
  for (size_t i = 0; i < ranges.size(); ++i) {
    field::Append(wrong, validation::IsValidCidrForLegacyField(
                             path.Index(i), absl::StripAsciiWhitespace(ranges[i].view()),
                             {.valid_old = before}));
  }
}

void CheckBalancerFields(ErrorList& wrong, const ServiceSpec& of) {
  const Path spec("spec");
  const bool balancer = of.type == "LoadBalancer";
  if (of.allocate_load_balancer_node_ports.has_value() && !balancer) {
    wrong.push_back(field::Forbidden(spec.Child("allocateLoadBalancerNodePorts"), kOnlyBalancer));
  }
  if (!of.load_balancer_class.has_value()) return;
  const Path path = spec.Child("loadBalancerClass");
  if (!balancer) {
    wrong.push_back(field::Forbidden(path, kOnlyBalancer));
  } else {
    AppendInvalid(wrong, path, of.load_balancer_class->view(),
                  validation::IsQualifiedName(of.load_balancer_class->view()));
  }
}

void CheckTraffic(ErrorList& wrong, const Service& service) {
  const ServiceSpec& of = service.spec;
  const Path spec("spec");
  const Path external = spec.Child("externalTrafficPolicy");
  if (IsExternallyAccessible(service)) {
    CheckOneOf(wrong, external, of.external_traffic_policy.view(), {"Cluster", "Local"});
  } else if (!of.external_traffic_policy.empty()) {
    wrong.push_back(field::Invalid(external, field::JsonText(of.external_traffic_policy.view()),
                                   "may only be set for externally-accessible services"));
  }
  if (!NeedsHealthCheck(service) && of.health_check_node_port != 0) {
    wrong.push_back(field::Invalid(
        spec.Child("healthCheckNodePort"), int64_t{of.health_check_node_port},
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"));
  }
  if (of.internal_traffic_policy.has_value()) {
    CheckOneOf(wrong, spec.Child("internalTrafficPolicy"), of.internal_traffic_policy->view(),
               {"Cluster", "Local"});
  }
  if (of.traffic_distribution.has_value()) {
    constexpr absl::string_view kKnown[] = {"PreferClose", "PreferSameZone", "PreferSameNode"};
    const absl::string_view value = of.traffic_distribution->view();
    if (value != kKnown[0] && value != kKnown[1] && value != kKnown[2]) {
      wrong.push_back(field::NotSupported(spec.Child("trafficDistribution"), std::string(value),
                                          absl::Span<const absl::string_view>(kKnown)));
    }
  }
}

void CheckFamilyValues(ErrorList& wrong, const ServiceSpec& of) {
  const Path families = Path("spec").Child("ipFamilies");
  std::set<std::string> seen;
  for (size_t i = 0; i < of.ip_families.size(); ++i) {
    const std::string family(of.ip_families[i]);
    CheckOneOf(wrong, families.Index(i), family, {"IPv4", "IPv6"});
    if (!seen.insert(family).second) {
      wrong.push_back(field::Duplicate(families.Index(i), field::JsonText(family)));
    }
  }
  if (!of.ip_family_policy.has_value()) return;
  CheckOneOf(wrong, Path("spec").Child("ipFamilyPolicy"), of.ip_family_policy->view(),
             {"PreferDualStack", "RequireDualStack", "SingleStack"});
}

bool IsV6(absl::string_view ip) { return absl::StrContains(ip, ":"); }

// The errors about changed addresses or families. Only the second one of each may be added or
// removed (kube-apiserver: `validateUpgradeDowngradeClusterIPs`,
// `validateUpgradeDowngradeIPFamilies`).
struct SecondStack {
  absl::string_view member;       // "clusterIPs"
  absl::string_view unset;        // if the first one was removed
  absl::string_view released;     // if the second was removed and the policy does not allow it
  bool first_index_only = false;  // upstream names the first element, whichever differs
};

void CheckStacksStay(ErrorList& wrong, const Service& service, const List<String>& now,
                     const List<String>& before, const SecondStack& texts) {
  const Path path = Path("spec").Child(texts.member);
  if (now.size() == before.size()) {
    for (size_t i = 0; i < now.size(); ++i) {
      if (now[i] == before[i]) continue;
      wrong.push_back(field::Invalid(path.Index(texts.first_index_only ? 0 : i),
                                     field::JsonTexts(TextsOf(now)), kMayNotChange));
    }
    return;
  }
  if (before.size() > now.size() && service.spec.cluster_ips.empty()) {
    wrong.push_back(field::Invalid(path.Index(0), field::JsonTexts(TextsOf(now)), texts.unset));
  }
  if (!before.empty() && !now.empty() && now[0] != before[0]) {
    // As upstream, which shows the addresses even if a family has changed.
    wrong.push_back(field::Invalid(
        path.Index(0), field::JsonTexts(TextsOf(service.spec.cluster_ips)), kMayNotChange));
  }
  if (before.size() < now.size() || now.size() != 1) return;
  const auto& policy = service.spec.ip_family_policy;
  if (policy.has_value() && *policy == "SingleStack") return;
  wrong.push_back(field::Invalid(
      Path("spec").Child("ipFamilyPolicy"),
      policy.has_value() ? field::JsonText(policy->view()) : field::JsonValue{"null"},
      texts.released));
}

}  // namespace

bool IsExternallyAccessible(const Service& service) {
  const absl::string_view type = service.spec.type.view();
  return type == "LoadBalancer" || type == "NodePort" ||
         (type == "ClusterIP" && !service.spec.external_ips.empty());
}

void CheckClusterIps(ErrorList& wrong, const Service& service, const Service* old) {
  const ServiceSpec& of = service.spec;
  if (of.type == "ExternalName") return;
  const Path path = Path("spec").Child("clusterIPs");
  const std::vector<std::string> ips = TextsOf(of.cluster_ips);
  const auto invalid = [&](absl::string_view detail) {
    wrong.push_back(field::Invalid(path, field::JsonTexts(ips), detail));
  };
  if (of.cluster_ip.empty()) {
    if (!ips.empty()) invalid("must be empty when `clusterIP` is not specified");
  } else if (ips.empty()) {
    wrong.push_back(field::Required(path, ""));
  } else if (ips[0] != of.cluster_ip.view()) {
    invalid("first value must match `clusterIP`");
  }
  CheckFamilyValues(wrong, of);
  const std::vector<std::string> before =
      old == nullptr ? std::vector<std::string>() : TextsOf(old->spec.cluster_ips);
  const size_t good = wrong.size();
  for (size_t i = 0; i < ips.size(); ++i) {
    if (i > 0 || ips[i] != "None") {
      field::Append(
          wrong, validation::IsValidIpForLegacyField(path.Index(i), ips[i], {.valid_old = before}));
    } else if (ips.size() > 1) {
      invalid("'None' must be the first and only value");
    }
  }
  const bool has_invalid = wrong.size() != good;
  if (ips.size() > 2) invalid("may only hold up to 2 values");
  if (has_invalid) return;
  if (ips.size() > 1) {
    const bool dual = ips.size() == 2 && IsV6(ips[0]) != IsV6(ips[1]);
    if (!dual) invalid("may specify no more than one IP for each IP family");
  }
  if (IsHeadless(service)) return;
  for (size_t i = 0; i < ips.size() && i < of.ip_families.size(); ++i) {
    const bool v6 = IsV6(ips[i]);
    const absl::string_view family = of.ip_families[i].view();
    if (family != (v6 ? "IPv4" : "IPv6")) continue;
    wrong.push_back(field::Invalid(
        path.Index(i), ips[i],
        absl::StrCat("expected an ", family, " value as indicated by `ipFamilies[", i, "]`")));
  }
}

void CheckService(ErrorList& wrong, const Service& service, const Service* old) {
  const Path spec("spec");
  const ServiceSpec& of = service.spec;
  const bool is_external = of.type == "ExternalName";
  if (!is_external && !IsHeadless(service) && of.ports.empty()) {
    wrong.push_back(field::Required(spec.Child("ports"), ""));
  }
  CheckHeadlessType(wrong, service);
  if (is_external) CheckExternalName(wrong, of);
  CheckPorts(wrong, of.ports, spec.Child("ports"));
  field::Append(wrong, validation::ValidateLabels(of.selector, spec.Child("selector")));
  CheckAffinity(wrong, of);
  CheckClusterIps(wrong, service, old);
  CheckExternalIps(wrong, service, old);
  CheckOneOf(wrong, spec.Child("type"), of.type.view(),
             {"ClusterIP", "ExternalName", "LoadBalancer", "NodePort"});
  CheckDuplicatePorts(wrong, of);
  CheckSourceRanges(wrong, service, old);
  CheckBalancerFields(wrong, of);
  CheckTraffic(wrong, service);
}

void CheckServiceStays(ErrorList& wrong, const Service& service, const Service& old) {
  if (NeedsClusterIp(old) && NeedsClusterIp(service)) {
    const bool headless = IsHeadless(service);
    const bool was_headless = IsHeadless(old);
    if (!headless || !was_headless) {
      CheckStacksStay(
          wrong, service, service.spec.cluster_ips, old.spec.cluster_ips,
          {.member = "clusterIPs",
           .unset = "primary clusterIP can not be unset",
           .released = "must be set to 'SingleStack' when releasing the secondary clusterIP"});
    }
    if (!headless && !was_headless) {
      CheckStacksStay(
          wrong, service, service.spec.ip_families, old.spec.ip_families,
          {.member = "ipFamilies",
           .unset = "primary ipFamily can not be unset",
           .released = "must be set to 'SingleStack' when releasing the secondary ipFamily",
           .first_index_only = true});
    }
  }
  const Path spec("spec");
  if (old.spec.type == "LoadBalancer" && service.spec.type == "LoadBalancer" &&
      old.spec.load_balancer_class != service.spec.load_balancer_class) {
    const auto& now = service.spec.load_balancer_class;
    wrong.push_back(field::Invalid(spec.Child("loadBalancerClass"),
                                   now.has_value() ? field::BadValue(std::string(*now))
                                                   : field::BadValue(field::JsonValue{"null"}),
                                   kMayNotChange));
  }
  if (NeedsHealthCheck(old) && NeedsHealthCheck(service) &&
      old.spec.health_check_node_port != service.spec.health_check_node_port) {
    wrong.push_back(field::Forbidden(spec.Child("healthCheckNodePort"), "field is immutable"));
  }
}

}  // namespace kube::apiserver::internal
