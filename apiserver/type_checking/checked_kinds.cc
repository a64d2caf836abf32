#include "apiserver/type_checking/checked_kinds.h"

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admissionregistration::v1;

constexpr size_t kMaxKinds = 10;

// By group, version and kind.
using Kinds =
    std::map<std::tuple<absl::string_view, absl::string_view, absl::string_view>, const Resource*>;

bool HasAny(absl::string_view text, absl::string_view characters) {
  return text.find_first_of(characters) != absl::string_view::npos;
}

// Returns the names in their order, or none if one of them has a wildcard.
std::vector<absl::string_view> WithoutWildcards(const List<String>& names) {
  std::vector<absl::string_view> sorted;
  for (const String& name : names) {
    if (HasAny(name.view(), "*")) return {};
    sorted.push_back(name.view());
  }
  absl::c_sort(sorted);
  return sorted;
}

std::vector<absl::string_view> WithoutSubresources(const List<String>& names) {
  std::vector<absl::string_view> sorted;
  for (const String& name : names) {
    if (!HasAny(name.view(), "*/")) sorted.push_back(name.view());
  }
  absl::c_sort(sorted);
  return sorted;
}

// Returns the resources that a name means (apimachinery: `DefaultRESTMapper.KindsFor`).
std::vector<const Resource*> Named(absl::string_view group, absl::string_view version,
                                   absl::string_view name, const Resources& resources) {
  const std::string lower = absl::AsciiStrToLower(name);
  std::vector<const Resource*> named;
  for (const schema::GroupVersion& each : resources.group_versions()) {
    if (each.version != version || (!group.empty() && each.group != group)) continue;
    for (const Resource* resource : resources.InGroupVersion(each)) {
      if (resource->kind->plural == lower || resource->kind->singular == lower) {
        named.push_back(resource);
      }
    }
  }
  return named;
}

// Adds the kinds that a rule names. Returns whether the next rule is looked at.
bool AddKinds(const admissionv1::NamedRuleWithOperations& rule, const Resources& resources,
              Kinds& kinds) {
  const std::vector<absl::string_view> versions = WithoutWildcards(rule.api_versions);
  const std::vector<absl::string_view> names = WithoutSubresources(rule.resources);
  size_t count = 0;
  for (const absl::string_view group : WithoutWildcards(rule.api_groups)) {
    for (const absl::string_view version : versions) {
      for (const absl::string_view name : names) {
        for (const Resource* resource : Named(group, version, name, resources)) {
          const KindInfo& kind = *resource->kind;
          kinds.emplace(std::tuple(kind.group, kind.version, kind.kind), resource);
          if (++count == kMaxKinds) return false;
        }
      }
    }
  }
  return true;
}

}  // namespace

std::vector<const Resource*> CheckedKinds(const admissionv1::MatchResources& constraints,
                                          const Resources& resources) {
  Kinds kinds;
  for (const admissionv1::NamedRuleWithOperations& rule : constraints.resource_rules) {
    if (!AddKinds(rule, resources, kinds)) break;
  }
  std::vector<const Resource*> checked;
  for (const auto& [kind, resource] : kinds) checked.push_back(resource);
  return checked;
}

}  // namespace kube::apiserver::internal
