#include "apiserver/special/review_spec.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/authorization/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/fields/selector.h"
#include "apimachinery/labels/label_selector.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/meta_v1.h"

namespace kube::apiserver::internal {
namespace {

namespace authorizationv1 = api::authorization::v1;
namespace metav1 = api::meta::v1;
namespace field = validation::field;
using field::ErrorList;
using field::Path;

// As upstream, which shows its internal struct with the names of Go's fields.
field::JsonValue PathJson(const authorizationv1::NonResourceAttributes& attributes) {
  return {absl::StrCat("{\"Path\":", field::JsonText(attributes.path.view()).json,
                       ",\"Verb\":", field::JsonText(attributes.verb.view()).json, "}")};
}

// Requires exactly one of the two attributes.
template <typename Spec>
void CheckAttributes(ErrorList& wrong, const Spec& spec) {
  const Path path("spec");
  if (spec.resource_attributes && spec.non_resource_attributes) {
    wrong.push_back(field::Invalid(path.Child("nonResourceAttributes"),
                                   PathJson(*spec.non_resource_attributes),
                                   "cannot be specified in combination with resourceAttributes"));
  }
  if (!spec.resource_attributes && !spec.non_resource_attributes) {
    wrong.push_back(field::Invalid(
        path.Child("resourceAttributes"), field::JsonValue{"null"},
        "exactly one of nonResourceAttributes or resourceAttributes must be specified"));
  }
}

void CheckUser(ErrorList& wrong, const authorizationv1::SubjectAccessReviewSpec& spec) {
  if (!spec.user.empty() || !spec.groups.empty()) return;
  wrong.push_back(field::Invalid(Path("spec").Child("user"), std::string(),
                                 "at least one of user or group must be specified"));
}

template <typename Selector, typename Validate>
void CheckSelector(ErrorList& wrong, const Selector& selector, const Path& path,
                   Validate validate) {
  if (!selector.raw_selector.empty() && !selector.requirements.empty()) {
    wrong.push_back(field::Invalid(path.Child("rawSelector"), std::string(selector.raw_selector),
                                   "may not specified at the same time as requirements"));
  }
  if (selector.raw_selector.empty() && selector.requirements.empty()) {
    wrong.push_back(
        field::Required(path.Child("requirements"),
                        absl::StrCat("when ", path.ToString(),
                                     " is specified, requirements or rawSelector is required")));
  }
  for (size_t i = 0; i < selector.requirements.size(); ++i) {
    field::Append(wrong, validate(selector.requirements[i], path.Child("requirements").Index(i)));
  }
}

template <typename Spec>
void CheckSelectors(ErrorList& wrong, const Spec& spec) {
  if (!spec.resource_attributes) return;
  const authorizationv1::ResourceAttributes& attributes = *spec.resource_attributes;
  const Path path("spec.resourceAttributes");
  // Clients may be newer, and know operators that the server does not.
  if (attributes.field_selector) {
    CheckSelector(wrong, *attributes.field_selector, path.Child("fieldSelector"),
                  [](const metav1::FieldSelectorRequirement& each, const Path& at) {
                    return validation::ValidateFieldSelectorRequirement(
                        each, at, {.allow_unknown_operator = true});
                  });
  }
  if (attributes.label_selector) {
    CheckSelector(wrong, *attributes.label_selector, path.Child("labelSelector"),
                  [](const metav1::LabelSelectorRequirement& each, const Path& at) {
                    return validation::ValidateLabelSelectorRequirement(
                        each, at, {.allow_unknown_operator = true});
                  });
  }
}

void CheckMetadata(ErrorList& wrong, metav1::ObjectMeta metadata, bool local) {
  const field::JsonValue shown = field::JsonOf(metadata);
  metadata.managed_fields.reset();
  if (local) metadata.namespace_ = "";
  if (metadata == metav1::ObjectMeta()) return;
  wrong.push_back(field::Invalid(Path("metadata"), shown,
                                 local ? "must be empty except for namespace" : "must be empty"));
}

// ---- selectors that cannot be used

// What becomes of a selector: some of its requirements, or all, may not be usable.
struct Usable {
  bool all = true;
  bool some = false;
};

bool IsUsable(const metav1::FieldSelectorRequirement& requirement) {
  return (requirement.operator_ == "In" || requirement.operator_ == "NotIn") &&
         requirement.values.size() == 1;
}

bool IsUsable(const metav1::LabelSelectorRequirement& requirement) {
  metav1::LabelSelector selector;
  selector.match_expressions = {requirement};
  return labels::LabelSelectorAsSelector(&selector).ok();
}

template <typename Selector>
Usable UsableOf(const Selector& selector, bool raw_is_valid) {
  if (selector.requirements.empty()) return {.all = raw_is_valid, .some = false};
  Usable usable;
  for (const auto& each : selector.requirements) {
    const bool is_usable = IsUsable(each);
    usable.all &= is_usable;
    usable.some |= is_usable;
  }
  return usable;
}

void AddIgnored(absl::string_view name, const Usable& usable, std::vector<std::string>& all) {
  if (usable.all) return;
  all.push_back(absl::StrCat("spec.resourceAttributes.", name, usable.some ? " partially" : "",
                             " ignored due to parse error"));
}

}  // namespace

ErrorList ValidateReview(const authorizationv1::SubjectAccessReview& of) {
  ErrorList wrong;
  CheckAttributes(wrong, of.spec);
  CheckUser(wrong, of.spec);
  CheckSelectors(wrong, of.spec);
  CheckMetadata(wrong, of.metadata, /*local=*/false);
  return wrong;
}

ErrorList ValidateReview(const authorizationv1::SelfSubjectAccessReview& of) {
  ErrorList wrong;
  CheckAttributes(wrong, of.spec);
  CheckSelectors(wrong, of.spec);
  CheckMetadata(wrong, of.metadata, /*local=*/false);
  return wrong;
}

ErrorList ValidateReview(const authorizationv1::LocalSubjectAccessReview& of) {
  ErrorList wrong;
  CheckAttributes(wrong, of.spec);
  CheckUser(wrong, of.spec);
  CheckSelectors(wrong, of.spec);
  CheckMetadata(wrong, of.metadata, /*local=*/true);
  if (of.spec.resource_attributes &&
      of.spec.resource_attributes->namespace_ != of.metadata.namespace_) {
    wrong.push_back(field::Invalid(Path("spec.resourceAttributes.namespace"),
                                   std::string(of.spec.resource_attributes->namespace_),
                                   "must match metadata.namespace"));
  }
  if (of.spec.non_resource_attributes) {
    wrong.push_back(field::Invalid(Path("spec.nonResourceAttributes"),
                                   PathJson(*of.spec.non_resource_attributes),
                                   "disallowed on this kind of request"));
  }
  return wrong;
}

std::string EvaluationError(const authorizationv1::ResourceAttributes& attributes) {
  std::vector<std::string> ignored;
  if (attributes.field_selector) {
    const authorizationv1::FieldSelectorAttributes& selector = *attributes.field_selector;
    const bool valid = fields::ParseSelector(selector.raw_selector.view()).ok();
    AddIgnored("fieldSelector", UsableOf(selector, valid), ignored);
  }
  if (attributes.label_selector) {
    const authorizationv1::LabelSelectorAttributes& selector = *attributes.label_selector;
    const bool valid = labels::Parse(selector.raw_selector.view()).ok();
    AddIgnored("labelSelector", UsableOf(selector, valid), ignored);
  }
  return absl::StrJoin(ignored, "; ");
}

}  // namespace kube::apiserver::internal
