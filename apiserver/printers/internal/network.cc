#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/discovery/v1/types.kube.h"
#include "api/networking/v1/types.kube.h"
#include "apimachinery/labels/label_selector.h"
#include "apimachinery/labels/set.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apiserver/printers/internal/printer.h"
#include "apiserver/printers/internal/row.h"

// Services and their endpoints; networking.k8s.io and discovery.k8s.io.
namespace kube::printers::internal {
namespace {

namespace corev1 = api::core::v1;
namespace discoveryv1 = api::discovery::v1;
namespace networkingv1 = api::networking::v1;

constexpr Column kServiceColumns[] = {
    kName,
    {"Type", "string", "The type of the service."},
    {"Cluster-IP", "string", "The cluster IP address of the service."},
    {"External-IP", "string", "The external IP addresses of the service."},
    {"Port(s)", "string", "The ports of the service, with their node ports."},
    kAge,
    kSelector,
};

constexpr Column kEndpointsColumns[] = {
    kName,
    {"Endpoints", "string", "The first ready addresses."},
    kAge,
};

constexpr Column kEndpointSliceColumns[] = {
    kName,
    {"AddressType", "string", "The type of the addresses: IPv4, IPv6 or FQDN."},
    {"Ports", "string", "The first ports of the slice."},
    {"Endpoints", "string", "The first addresses of the slice."},
    kAge,
};

constexpr Column kIngressColumns[] = {
    kName,
    {"Class", "string", "The IngressClass of the ingress."},
    {"Hosts", "string", "The first hosts of the rules."},
    {"Address", "string", "The address of the load balancer."},
    {"Ports", "string", "The ports: 80, and 443 if TLS is configured."},
    kAge,
};

constexpr Column kIngressClassColumns[] = {
    kName,
    {"Controller", "string", "The controller of ingresses of this class."},
    {"Parameters", "string", "The object with the parameters of the controller."},
    kAge,
};

constexpr Column kNetworkPolicyColumns[] = {
    kName,
    {"Pod-Selector", "string", "The label selector of the pods that the policy applies to."},
    kAge,
};

constexpr Column kServiceCidrColumns[] = {
    kName,
    {"CIDRs", "string", "The address ranges of cluster IP addresses."},
    kAge,
};

// As upstream, there is no column Age, although rows have a cell for it.
constexpr Column kIpAddressColumns[] = {
    kName,
    {"ParentRef", "string", "The object that the address belongs to."},
};

// Returns the addresses, or else host names, sorted and without duplicates.
template <typename Ingress>
std::string BalancerAddresses(const List<Ingress>& ingresses) {
  std::set<std::string> addresses;
  for (const Ingress& ingress : ingresses) {
    const absl::string_view address = OrElse(ingress.ip, ingress.hostname);
    if (!address.empty()) addresses.emplace(address);
  }
  return absl::StrJoin(addresses, ",");
}

std::string ExternalAddresses(const corev1::Service& service) {
  const corev1::ServiceSpec& spec = service.spec;
  if (spec.type == "ClusterIP" || spec.type == "NodePort") {
    return spec.external_ips.empty() ? std::string(kNone) : Join(spec.external_ips);
  }
  if (spec.type == "LoadBalancer") {
    std::string addresses = BalancerAddresses(service.status.load_balancer.ingress);
    if (spec.external_ips.empty()) return addresses.empty() ? "<pending>" : addresses;
    return absl::StrCat(addresses, addresses.empty() ? "" : ",", Join(spec.external_ips));
  }
  if (spec.type == "ExternalName") return spec.external_name;
  return std::string(kUnknown);
}

// Returns a text such as "80/TCP,443:30443/TCP".
std::string PortsOf(const corev1::Service& service) {
  return absl::StrJoin(service.spec.ports, ",", [](std::string* out, const auto& port) {
    absl::StrAppend(out, port.port);
    if (port.node_port > 0) absl::StrAppend(out, ":", port.node_port);
    absl::StrAppend(out, "/", port.protocol.view());
  });
}

void PrintService(const corev1::Service& service, Row& row) {
  const List<String>& addresses = service.spec.cluster_ips;
  row.Text(service.metadata.name);
  row.Text(service.spec.type);
  row.Text(addresses.empty() ? kNone : addresses[0].view());
  row.Text(ExternalAddresses(service));
  row.Text(OrElse(PortsOf(service), kNone));
  row.Age(service.metadata.creation_timestamp);
  row.Text(labels::FormatLabels(service.spec.selector));
}

// Returns "10.0.0.1:80" or "[fd00::1]:80" (Go: `net.JoinHostPort`).
std::string HostPort(absl::string_view host, int32_t port) {
  if (host.find(':') == absl::string_view::npos) return absl::StrCat(host, ":", port);
  return absl::StrCat("[", host, "]:", port);
}

std::string EndpointsOf(const corev1::Endpoints& endpoints) {
  if (endpoints.subsets.empty()) return std::string(kNone);
  std::vector<std::string> all;
  for (const corev1::EndpointSubset& subset : endpoints.subsets) {
    if (subset.ports.empty()) {
      // The service is headless.
      for (const corev1::EndpointAddress& address : subset.addresses) all.push_back(address.ip);
    }
    for (const corev1::EndpointPort& port : subset.ports) {
      for (const corev1::EndpointAddress& address : subset.addresses) {
        all.push_back(HostPort(address.ip, port.port));
      }
    }
  }
  return FirstThree(all);
}

void PrintEndpoints(const corev1::Endpoints& endpoints, Row& row) {
  row.Text(endpoints.metadata.name);
  row.Text(EndpointsOf(endpoints));
  row.Age(endpoints.metadata.creation_timestamp);
}

void PrintEndpointSlice(const discoveryv1::EndpointSlice& slice, Row& row) {
  std::vector<std::string> ports;
  for (const discoveryv1::EndpointPort& port : slice.ports) {
    if (port.port.has_value()) {
      ports.push_back(absl::StrCat(*port.port));
    } else {
      ports.push_back(port.name.has_value() ? std::string(*port.name) : "*");
    }
  }
  std::vector<std::string> addresses;
  for (const discoveryv1::Endpoint& endpoint : slice.endpoints) {
    addresses.insert(addresses.end(), endpoint.addresses.begin(), endpoint.addresses.end());
  }
  row.Text(slice.metadata.name);
  row.Text(slice.address_type);
  row.Text(OrElse(FirstThree(ports), kUnset));
  row.Text(OrElse(FirstThree(addresses), kUnset));
  row.Age(slice.metadata.creation_timestamp);
}

// As upstream, the number of further hosts is that of all rules beyond three, with or without a
// host.
std::string HostsOf(const networkingv1::Ingress& ingress) {
  constexpr size_t kShown = 3;
  std::vector<std::string> hosts;
  for (const networkingv1::IngressRule& rule : ingress.spec.rules) {
    if (hosts.size() == kShown) {
      return absl::StrCat(absl::StrJoin(hosts, ","), " + ", ingress.spec.rules.size() - kShown,
                          " more...");
    }
    if (!rule.host.empty()) hosts.push_back(rule.host);
  }
  return hosts.empty() ? "*" : absl::StrJoin(hosts, ",");
}

void PrintIngress(const networkingv1::Ingress& ingress, Row& row) {
  const networkingv1::IngressSpec& spec = ingress.spec;
  row.Text(ingress.metadata.name);
  row.Text(spec.ingress_class_name.has_value() ? spec.ingress_class_name->view() : kNone);
  row.Text(HostsOf(ingress));
  row.Text(BalancerAddresses(ingress.status.load_balancer.ingress));
  row.Text(spec.tls.empty() ? "80" : "80, 443");
  row.Age(ingress.metadata.creation_timestamp);
}

std::string ParametersOf(const networkingv1::IngressClass& ingress_class) {
  if (!ingress_class.spec.parameters) return std::string(kNone);
  const networkingv1::IngressClassParametersReference& object = *ingress_class.spec.parameters;
  return absl::StrCat(object.kind.view(), object.api_group.has_value() ? "." : "",
                      object.api_group->view(), "/", object.name.view());
}

void PrintIngressClass(const networkingv1::IngressClass& ingress_class, Row& row) {
  const bool is_default = ingress_class.metadata.annotations.value_or(
                              "ingressclass.kubernetes.io/is-default-class", "") == "true";
  row.Text(absl::StrCat(ingress_class.metadata.name.view(), is_default ? " (default)" : ""));
  row.Text(ingress_class.spec.controller);
  row.Text(ParametersOf(ingress_class));
  row.Age(ingress_class.metadata.creation_timestamp);
}

void PrintNetworkPolicy(const networkingv1::NetworkPolicy& policy, Row& row) {
  row.Text(policy.metadata.name);
  row.Text(labels::FormatLabelSelector(&policy.spec.pod_selector));
  row.Age(policy.metadata.creation_timestamp);
}

void PrintServiceCidr(const networkingv1::ServiceCIDR& cidr, Row& row) {
  row.Text(cidr.metadata.name);
  row.Text(Join(cidr.spec.cidrs));
  row.Age(cidr.metadata.creation_timestamp);
}

std::string ParentOf(const networkingv1::IPAddress& address) {
  if (!address.spec.parent_ref) return std::string(kNone);
  const networkingv1::ParentReference& parent = *address.spec.parent_ref;
  const schema::GroupResource resource = {.group = std::string(parent.group),
                                          .resource = std::string(parent.resource)};
  return absl::StrCat(absl::AsciiStrToLower(resource.ToString()),
                      parent.namespace_.empty() ? "" : "/", parent.namespace_.view(), "/",
                      parent.name.view());
}

void PrintIpAddress(const networkingv1::IPAddress& address, Row& row) {
  row.Text(address.metadata.name);
  row.Text(ParentOf(address));
  row.Age(address.metadata.creation_timestamp);
}

}  // namespace

std::vector<Printer> NetworkPrinters() {
  return {
      PrinterOf<PrintService>(kServiceColumns),
      PrinterOf<PrintEndpoints>(kEndpointsColumns),
      PrinterOf<PrintEndpointSlice>(kEndpointSliceColumns),
      PrinterOf<PrintIngress>(kIngressColumns),
      PrinterOf<PrintIngressClass>(kIngressClassColumns),
      PrinterOf<PrintNetworkPolicy>(kNetworkPolicyColumns),
      PrinterOf<PrintServiceCidr>(kServiceCidrColumns),
      PrinterOf<PrintIpAddress>(kIpAddressColumns),
  };
}

}  // namespace kube::printers::internal
