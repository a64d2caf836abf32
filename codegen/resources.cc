#include "codegen/resources.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "codegen/kinds.h"
#include "codegen/model.h"
#include "codegen/names.h"

namespace kube::codegen {
namespace {

// The groups and kinds of Kubernetes whose metadata.generation kube-apiserver increments in
// PrepareForUpdate (kubernetes: `pkg/registry/*/*/strategy.go`); k8s.io/api, of which the IDL is
// made, does not say it. All versions of a kind are stored as one, so they have the same answer.
// PriorityClass is missing because its generation stays 1. tests/every_kind compares the list with
// what servers do.
constexpr std::pair<absl::string_view, absl::string_view> kWithGeneration[] = {
    {"", "Pod"},
    {"", "PodTemplate"},
    {"", "ReplicationController"},
    {"admissionregistration.k8s.io", "MutatingAdmissionPolicy"},
    {"admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"},
    {"admissionregistration.k8s.io", "MutatingWebhookConfiguration"},
    {"admissionregistration.k8s.io", "ValidatingAdmissionPolicy"},
    {"admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"},
    {"admissionregistration.k8s.io", "ValidatingWebhookConfiguration"},
    {"apiextensions.k8s.io", "CustomResourceDefinition"},
    {"apps", "DaemonSet"},
    {"apps", "Deployment"},
    {"apps", "ReplicaSet"},
    {"apps", "StatefulSet"},
    {"batch", "CronJob"},
    {"batch", "Job"},
    {"discovery.k8s.io", "EndpointSlice"},
    {"extensions", "DaemonSet"},
    {"extensions", "Deployment"},
    {"extensions", "Ingress"},
    {"extensions", "NetworkPolicy"},
    {"extensions", "ReplicaSet"},
    {"flowcontrol.apiserver.k8s.io", "FlowSchema"},
    {"flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"},
    {"networking.k8s.io", "Ingress"},
    {"networking.k8s.io", "IngressClass"},
    {"networking.k8s.io", "NetworkPolicy"},
    {"policy", "PodDisruptionBudget"},
    {"resource.k8s.io", "DeviceClass"},
    {"resource.k8s.io", "DeviceTaintRule"},
    {"resource.k8s.io", "ResourceSlice"},
    {"storage.k8s.io", "CSIDriver"},
};

// Returns whether the kind is one of Kubernetes' own, by its group. typed::ResourceOf decides the
// same, but does not recognize custom resources of such a group; here the annotations for their CRD
// tell, of which the API server requires one.
bool IsOfKubernetes(const KindEntry& kind) {
  const bool is_kubernetes =
      !absl::StrContains(kind.group, '.') || absl::EndsWith(kind.group, ".k8s.io");
  return is_kubernetes && !kind.has_definition;
}

// Returns whether the server has protobuf for the kind, as for Kubernetes' own groups.
bool IsBuiltIn(const File& file, const KindEntry& kind) {
  const Struct& type =
      *std::find_if(file.structs.begin(), file.structs.end(),
                    [&kind](const Struct& each) { return each.name == kind.struct_name; });
  return IsOfKubernetes(kind) && !type.wire.empty();
}

bool HasGeneration(const KindEntry& kind) {
  // The strategy of custom resources increments it for all of them.
  if (!IsOfKubernetes(kind)) return true;
  return std::any_of(
      std::begin(kWithGeneration), std::end(kWithGeneration),
      [&kind](const auto& each) { return each.first == kind.group && each.second == kind.kind; });
}

bool HasVerb(const KindEntry& kind, absl::string_view verb) {
  return std::find(kind.verbs.begin(), kind.verbs.end(), verb) != kind.verbs.end();
}

bool HasStatus(const KindEntry& kind) {
  return std::any_of(kind.subresources.begin(), kind.subresources.end(),
                     [](const SubresourceEntry& each) { return each.name == "status"; });
}

}  // namespace

ResourceEntry BuildResource(const File& file, const KindEntry& kind) {
  ResourceEntry resource;
  resource.accessor = PluralName(kind.message_name, kind.plural);
  resource.object = resource.list = kind.struct_name;
  for (const KindEntry& other : file.kinds) {
    const bool is_list = other.list_of == kind.message_name && other.group == kind.group &&
                         other.version == kind.version;
    if (!is_list) continue;
    resource.list = other.struct_name;
    resource.has_list = true;
  }
  resource.group = kind.group;
  resource.version = kind.version;
  resource.plural = kind.plural;
  resource.kind = kind.kind;
  resource.namespaced = kind.scope == "kNamespaced";
  resource.built_in = IsBuiltIn(file, kind);
  resource.has_generation = HasGeneration(kind);
  resource.has_status = HasStatus(kind);
  resource.has_traits = resource.has_list && HasVerb(kind, "list");
  return resource;
}

std::vector<ResourceEntry> BuildTraits(const File& file) {
  std::vector<ResourceEntry> traits;
  for (const KindEntry& kind : file.kinds) {
    if (kind.scope == "kNone") continue;
    ResourceEntry resource = BuildResource(file, kind);
    if (resource.has_traits) traits.push_back(std::move(resource));
  }
  return traits;
}

std::string ApiVersion(const std::string& group, const std::string& version) {
  return group.empty() ? version : absl::StrCat(group, "/", version);
}

}  // namespace kube::codegen
