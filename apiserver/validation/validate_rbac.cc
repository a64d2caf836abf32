#include "apiserver/validation/validate_rbac.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/meta/v1/types.kube.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/labels/label_selector.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/meta_v1.h"
#include "apimachinery/validation/object_meta.h"
#include "apiserver/errors/field_errors.h"
#include "apiserver/object.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;
namespace rbacv1 = api::rbac::v1;
namespace field = validation::field;
using field::ErrorList;
using field::Path;

constexpr absl::string_view kGroup = "rbac.authorization.k8s.io";

// Reports a value that is not one of `values`; unlike CheckOneOf, also an empty one.
void CheckIsOneOf(ErrorList& wrong, const Path& path, absl::string_view value,
                  absl::Span<const absl::string_view> values) {
  if (std::find(values.begin(), values.end(), value) != values.end()) return;
  wrong.push_back(field::NotSupported(path, std::string(value), values));
}

void CheckPolicyRule(ErrorList& wrong, const rbacv1::PolicyRule& rule, bool in_namespace,
                     const Path& path) {
  if (rule.verbs.empty()) {
    wrong.push_back(field::Required(path.Child("verbs"), "verbs must contain at least one value"));
  }
  if (!rule.non_resource_urls.empty()) {
    const Path at = path.Child("nonResourceURLs");
    const std::vector<std::string> paths = rule.non_resource_urls;
    const field::JsonValue urls = field::JsonTexts(paths);
    if (in_namespace) {
      wrong.push_back(
          field::Invalid(at, urls, "namespaced rules cannot apply to non-resource URLs"));
    }
    if (!rule.api_groups.empty() || !rule.resources.empty() || !rule.resource_names.empty()) {
      wrong.push_back(field::Invalid(
          at, urls, "rules cannot apply to both regular resources and non-resource URLs"));
    }
    return;
  }
  if (rule.api_groups.empty()) {
    wrong.push_back(field::Required(path.Child("apiGroups"),
                                    "resource rules must supply at least one api group"));
  }
  if (rule.resources.empty()) {
    wrong.push_back(field::Required(path.Child("resources"),
                                    "resource rules must supply at least one resource"));
  }
}

void CheckRules(ErrorList& wrong, const List<rbacv1::PolicyRule>& rules, bool in_namespace) {
  for (size_t i = 0; i < rules.size(); ++i) {
    CheckPolicyRule(wrong, rules[i], in_namespace, Path("rules").Index(i));
  }
}

// Returns whether the selectors of a stored role have invalid values, which an update may keep.
bool HasInvalidValues(const rbacv1::ClusterRole* role) {
  if (role == nullptr || !role->aggregation_rule) return false;
  const List<metav1::LabelSelector>& all = role->aggregation_rule->cluster_role_selectors;
  return std::any_of(all.begin(), all.end(), [](const metav1::LabelSelector& each) {
    return !validation::ValidateLabelSelector(each, Path()).empty();
  });
}

void CheckAggregation(ErrorList& wrong, const rbacv1::ClusterRole& role,
                      const rbacv1::ClusterRole* old) {
  if (!role.aggregation_rule) return;
  const Path path = Path("aggregationRule").Child("clusterRoleSelectors");
  const List<metav1::LabelSelector>& all = role.aggregation_rule->cluster_role_selectors;
  if (all.empty()) {
    wrong.push_back(field::Required(
        path, "at least one clusterRoleSelector required if aggregationRule is non-nil"));
  }
  const bool invalid_values = HasInvalidValues(old);
  for (size_t i = 0; i < all.size(); ++i) {
    field::Append(wrong, validation::ValidateLabelSelector(
                             all[i], path.Index(i), {.allow_invalid_label_value = invalid_values}));
    if (labels::LabelSelectorAsSelector(&all[i]).ok()) continue;
    // As upstream, which shows the selector that could not be made.
    wrong.push_back(
        field::Invalid(path.Index(i), field::JsonValue{"null"}, "invalid label selector."));
  }
}

void CheckSubject(ErrorList& wrong, const rbacv1::Subject& subject, bool in_namespace,
                  const Path& path) {
  if (subject.name.empty()) wrong.push_back(field::Required(path.Child("name"), ""));
  if (subject.kind == rbacv1::kServiceAccountKind) {
    if (!subject.name.empty()) {
      AppendInvalid(wrong, path.Child("name"), subject.name.view(),
                    validation::NameIsDnsSubdomain(subject.name.view(), /*prefix=*/false));
    }
    CheckIsOneOf(wrong, path.Child("apiGroup"), subject.api_group.view(), {""});
    if (!in_namespace && subject.namespace_.empty()) {
      wrong.push_back(field::Required(path.Child("namespace"), ""));
    }
  } else if (subject.kind == rbacv1::kUserKind || subject.kind == rbacv1::kGroupKind) {
    CheckIsOneOf(wrong, path.Child("apiGroup"), subject.api_group.view(), {kGroup});
  } else {
    CheckIsOneOf(wrong, path.Child("kind"), subject.kind.view(),
                 {rbacv1::kServiceAccountKind, rbacv1::kUserKind, rbacv1::kGroupKind});
  }
}

void CheckBinding(ErrorList& wrong, const rbacv1::RoleRef& role,
                  const List<rbacv1::Subject>& subjects, bool in_namespace) {
  const Path path("roleRef");
  CheckIsOneOf(wrong, path.Child("apiGroup"), role.api_group.view(), {kGroup});
  if (in_namespace) {
    CheckIsOneOf(wrong, path.Child("kind"), role.kind.view(), {"Role", "ClusterRole"});
  } else {
    CheckIsOneOf(wrong, path.Child("kind"), role.kind.view(), {"ClusterRole"});
  }
  if (role.name.empty()) {
    wrong.push_back(field::Required(path.Child("name"), ""));
  } else {
    AppendInvalid(wrong, path.Child("name"), role.name.view(),
                  validation::NameIsPathSegment(role.name.view(), /*prefix=*/false));
  }
  for (size_t i = 0; i < subjects.size(); ++i) {
    CheckSubject(wrong, subjects[i], in_namespace, Path("subjects").Index(i));
  }
}

void CheckSameRole(ErrorList& wrong, const rbacv1::RoleRef& now, const rbacv1::RoleRef& old) {
  if (now == old) return;
  // As upstream, which shows its internal struct with the names of Go's fields.
  wrong.push_back(field::Invalid(
      Path("roleRef"),
      field::JsonValue{absl::StrCat("{\"APIGroup\":", field::JsonText(now.api_group.view()).json,
                                    ",\"Kind\":", field::JsonText(now.kind.view()).json,
                                    ",\"Name\":", field::JsonText(now.name.view()).json, "}")},
      "cannot change roleRef"));
}

}  // namespace

void CheckRbac(ErrorList& wrong, const Object& object, const Object* old) {
  if (const auto* of = object.As<rbacv1::Role>()) CheckRules(wrong, of->rules, true);
  if (const auto* of = object.As<rbacv1::ClusterRole>()) {
    CheckRules(wrong, of->rules, false);
    CheckAggregation(wrong, *of, old == nullptr ? nullptr : old->As<rbacv1::ClusterRole>());
  }
  if (const auto* of = object.As<rbacv1::RoleBinding>()) {
    CheckBinding(wrong, of->role_ref, of->subjects, true);
  }
  if (const auto* of = object.As<rbacv1::ClusterRoleBinding>()) {
    CheckBinding(wrong, of->role_ref, of->subjects, false);
  }
}

void CheckRbacStays(ErrorList& wrong, const Object& object, const Object& old) {
  if (const auto* now = object.As<rbacv1::RoleBinding>()) {
    CheckSameRole(wrong, now->role_ref, old.As<rbacv1::RoleBinding>()->role_ref);
  }
  if (const auto* now = object.As<rbacv1::ClusterRoleBinding>()) {
    CheckSameRole(wrong, now->role_ref, old.As<rbacv1::ClusterRoleBinding>()->role_ref);
  }
}

}  // namespace kube::apiserver::internal
