#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/quantity.h"
#include "apiserver/printers/internal/printer.h"
#include "apiserver/printers/internal/row.h"

// The core group, except pods and their controllers, services, volumes and events.
namespace kube::printers::internal {
namespace {

namespace corev1 = api::core::v1;

constexpr Column kNodeColumns[] = {
    kName,
    {"Status", "string", "Whether the node is ready and schedulable."},
    {"Roles", "string", "The roles of the node, from its labels."},
    kAge,
    {"Version", "string", "The version of the kubelet."},
    {"Internal-IP", "string", "The internal IP address of the node.", 1},
    {"External-IP", "string", "The external IP address of the node.", 1},
    {"OS-Image", "string", "The operating system that the node reports.", 1},
    {"Kernel-Version", "string", "The version of the kernel and its architecture.", 1},
    {"Container-Runtime", "string", "The container runtime and its version.", 1},
};

constexpr Column kNamespaceColumns[] = {
    kName,
    {"Status", "string", "The phase of the namespace: active or terminating."},
    kAge,
};

constexpr Column kConfigMapColumns[] = {
    kName,
    {"Data", "string", "The number of data entries."},
    kAge,
};

constexpr Column kSecretColumns[] = {
    kName,
    {"Type", "string", "The type of the secret."},
    {"Data", "string", "The number of data entries."},
    kAge,
};

constexpr Column kServiceAccountColumns[] = {kName, kAge};

constexpr Column kComponentStatusColumns[] = {
    kName,
    {"Status", "string", "Whether the component is healthy."},
    {"Message", "string", "The message of the component's health check."},
    {"Error", "string", "The error of the component's health check."},
};

constexpr Column kResourceQuotaColumns[] = {
    kName,
    {"Request", "string", "The used and the hard quota of requests and object counts."},
    {"Limit", "string", "The used and the hard quota of limits."},
    kAge,
};

std::string StatusOf(const corev1::Node& node) {
  // If there are several conditions of the type, the last one counts.
  absl::string_view status = "Unknown";
  for (const corev1::NodeCondition& condition : node.status.conditions) {
    if (condition.type != "Ready") continue;
    status = condition.status == "True" ? "Ready" : "NotReady";
  }
  return absl::StrCat(status, node.spec.unschedulable ? ",SchedulingDisabled" : "");
}

// Each role is a label of its own. The other label is the form that kubectl used to read.
std::string RolesOf(const corev1::Node& node) {
  std::set<std::string> roles;
  for (const auto& [key, value] : node.metadata.labels) {
    absl::string_view role = key.view();
    if (absl::ConsumePrefix(&role, "node-role.kubernetes.io/")) {
      if (!role.empty()) roles.emplace(role);
    } else if (key == "kubernetes.io/role" && !value.empty()) {
      roles.insert(value);
    }
  }
  return roles.empty() ? std::string(kNone) : absl::StrJoin(roles, ",");
}

absl::string_view AddressOf(const corev1::Node& node, absl::string_view type) {
  for (const corev1::NodeAddress& address : node.status.addresses) {
    if (address.type == type) return address.address;
  }
  return kNone;
}

void PrintNode(const corev1::Node& node, Row& row) {
  const corev1::NodeSystemInfo& info = node.status.node_info;
  row.Text(node.metadata.name);
  row.Text(StatusOf(node));
  row.Text(RolesOf(node));
  row.Age(node.metadata.creation_timestamp);
  row.Text(info.kubelet_version);
  row.Text(AddressOf(node, "InternalIP"));
  row.Text(AddressOf(node, "ExternalIP"));
  row.Text(OrElse(info.os_image, kUnknown));
  const absl::string_view kernel = OrElse(info.kernel_version, kUnknown);
  row.Text(info.architecture.empty() ? std::string(kernel)
                                     : absl::StrCat(kernel, " (", info.architecture.view(), ")"));
  row.Text(OrElse(info.container_runtime_version, kUnknown));
}

void PrintNamespace(const corev1::Namespace& name, Row& row) {
  row.Text(name.metadata.name);
  row.Text(name.status.phase);
  row.Age(name.metadata.creation_timestamp);
}

void PrintConfigMap(const corev1::ConfigMap& map, Row& row) {
  row.Text(map.metadata.name);
  row.Number(static_cast<int64_t>(map.data.size() + map.binary_data.size()));
  row.Age(map.metadata.creation_timestamp);
}

void PrintSecret(const corev1::Secret& secret, Row& row) {
  // stringData, which the result of a dry run may have, counts as data.
  int64_t keys = static_cast<int64_t>(secret.data.size());
  for (const auto& [key, value] : secret.string_data) keys += secret.data.contains(key) ? 0 : 1;
  row.Text(secret.metadata.name);
  row.Text(secret.type);
  row.Number(keys);
  row.Age(secret.metadata.creation_timestamp);
}

void PrintServiceAccount(const corev1::ServiceAccount& account, Row& row) {
  row.Text(account.metadata.name);
  row.Age(account.metadata.creation_timestamp);
}

void PrintComponentStatus(const corev1::ComponentStatus& component, Row& row) {
  row.Text(component.metadata.name);
  for (const corev1::ComponentCondition& condition : component.conditions) {
    if (condition.type != "Healthy") continue;
    row.Text(condition.status == "True" ? "Healthy" : "Unhealthy");
    row.Text(condition.message);
    row.Text(condition.error);
    return;
  }
  row.Text("Unknown");
  row.Text("");
  row.Text("");
}

void PrintResourceQuota(const corev1::ResourceQuota& quota, Row& row) {
  std::vector<std::string> requests;
  std::vector<std::string> limits;
  for (const auto& [resource, hard] : quota.status.hard) {
    std::vector<std::string>& column =
        absl::StartsWith(resource.view(), "limits.") ? limits : requests;
    column.push_back(absl::StrCat(resource.view(), ": ",
                                  quota.status.used.value_or(resource, Quantity()).ToString(), "/",
                                  hard.ToString()));
  }
  row.Text(quota.metadata.name);
  row.Text(absl::StrJoin(requests, ", "));
  row.Text(absl::StrJoin(limits, ", "));
  row.Age(quota.metadata.creation_timestamp);
}

}  // namespace

std::vector<Printer> CorePrinters() {
  return {
      PrinterOf<PrintNode>(kNodeColumns),
      PrinterOf<PrintNamespace>(kNamespaceColumns),
      PrinterOf<PrintConfigMap>(kConfigMapColumns),
      PrinterOf<PrintSecret>(kSecretColumns),
      PrinterOf<PrintServiceAccount>(kServiceAccountColumns),
      PrinterOf<PrintComponentStatus>(kComponentStatusColumns),
      PrinterOf<PrintResourceQuota>(kResourceQuotaColumns),
  };
}

}  // namespace kube::printers::internal
