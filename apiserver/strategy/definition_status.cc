#include "apiserver/strategy/definition_status.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/time.h"
#include "apiserver/strategy/ca_bundle.h"

namespace kube::apiserver::internal {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using api::apiextensions::v1::CustomResourceDefinitionCondition;
using api::apiextensions::v1::CustomResourceDefinitionNames;

constexpr absl::string_view kInstalling = "the initial names have been accepted";

const CustomResourceDefinitionCondition* FindCondition(const CustomResourceDefinition& crd,
                                                       absl::string_view type) {
  for (const CustomResourceDefinitionCondition& each : crd.status.conditions) {
    if (each.type == type) return &each;
  }
  return nullptr;
}

// The names that are in use, and the conflicts with them.
class Names {
 public:
  explicit Names(const std::vector<const CustomResourceDefinition*>& definitions) {
    for (const CustomResourceDefinition* each : definitions) {
      const CustomResourceDefinitionNames& names = each->status.accepted_names;
      resources_.insert({std::string(names.plural), std::string(names.singular)});
      for (const String& name : names.short_names) resources_.insert(std::string(name));
      kinds_.insert({std::string(names.kind), std::string(names.list_kind)});
    }
  }

  void AcceptResource(absl::string_view reason, const String& wanted, String& accepted) {
    Accept(resources_, reason, wanted, accepted);
  }
  void AcceptKind(absl::string_view reason, const String& wanted, String& accepted) {
    Accept(kinds_, reason, wanted, accepted);
  }

  void AcceptShortNames(const List<String>& wanted, List<String>& accepted) {
    if (wanted == accepted) return;
    std::set<std::string> taken;
    for (const String& name : wanted) {
      const bool own = std::find(accepted.begin(), accepted.end(), name) != accepted.end();
      if (!own && resources_.count(std::string(name)) != 0) taken.insert(InUse(name));
    }
    if (taken.empty()) {
      accepted = wanted;
      return;
    }
    const std::string all = absl::StrJoin(taken, ", ");
    Refuse("ShortNamesConflict", taken.size() == 1 ? all : absl::StrCat("[", all, "]"));
  }

  // Returns the condition NamesAccepted.
  CustomResourceDefinitionCondition condition() const {
    CustomResourceDefinitionCondition condition;
    condition.type = "NamesAccepted";
    condition.status = reason_.empty() ? "True" : "False";
    condition.reason = reason_.empty() ? "NoConflicts" : reason_;
    condition.message = reason_.empty() ? "no conflicts found" : message_;
    return condition;
  }

 private:
  static std::string InUse(const String& name) {
    return absl::StrCat("\"", name.view(), "\" is already in use");
  }

  void Accept(const std::set<std::string>& taken, absl::string_view reason, const String& wanted,
              String& accepted) {
    if (wanted == accepted) return;
    if (taken.count(std::string(wanted)) != 0) return Refuse(reason, InUse(wanted));
    accepted = wanted;
  }

  // The condition shows the last conflict.
  void Refuse(absl::string_view reason, std::string message) {
    reason_ = std::string(reason);
    message_ = std::move(message);
  }

  std::set<std::string> resources_;
  std::set<std::string> kinds_;
  std::string reason_;
  std::string message_;
};

}  // namespace

void SetCondition(CustomResourceDefinition& crd, CustomResourceDefinitionCondition condition,
                  absl::Time now) {
  condition.last_transition_time = Time(now);
  for (CustomResourceDefinitionCondition& each : crd.status.conditions) {
    if (each.type != condition.type) continue;
    if (each.status == condition.status) {
      condition.last_transition_time = each.last_transition_time;
    }
    each = std::move(condition);
    return;
  }
  crd.status.conditions.push_back(std::move(condition));
}

bool IsConditionTrue(const CustomResourceDefinition& crd, absl::string_view type) {
  const CustomResourceDefinitionCondition* const found = FindCondition(crd, type);
  return found != nullptr && found->status == "True";
}

bool AcceptNames(CustomResourceDefinition& crd,
                 const std::vector<const CustomResourceDefinition*>& group, absl::Time now) {
  const CustomResourceDefinitionNames& wanted = crd.spec.names;
  if (wanted == crd.status.accepted_names) return false;
  Names names(group);
  CustomResourceDefinitionNames accepted = crd.status.accepted_names;
  names.AcceptResource("PluralConflict", wanted.plural, accepted.plural);
  names.AcceptResource("SingularConflict", wanted.singular, accepted.singular);
  names.AcceptShortNames(wanted.short_names, accepted.short_names);
  names.AcceptKind("KindConflict", wanted.kind, accepted.kind);
  names.AcceptKind("ListKindConflict", wanted.list_kind, accepted.list_kind);
  accepted.categories = wanted.categories;
  const CustomResourceDefinitionCondition condition = names.condition();
  const CustomResourceDefinitionCondition* const before = FindCondition(crd, "NamesAccepted");
  if (accepted == crd.status.accepted_names && before != nullptr &&
      before->status == condition.status && before->reason == condition.reason &&
      before->message == condition.message) {
    return false;
  }
  crd.status.accepted_names = std::move(accepted);
  SetCondition(crd, condition, now);
  if (IsConditionTrue(crd, "Established")) return true;
  if (condition.status == "True") {
    SetCondition(
        crd,
        {.type = "Established", .status = "False", .reason = "Installing", .message = kInstalling},
        now);
  } else if (FindCondition(crd, "Established") == nullptr) {
    SetCondition(crd,
                 {.type = "Established",
                  .status = "False",
                  .reason = "NotAccepted",
                  .message = "not all names are accepted"},
                 now);
  }
  return true;
}

bool Establish(CustomResourceDefinition& crd, absl::Time now) {
  if (!IsConditionTrue(crd, "NamesAccepted") || IsConditionTrue(crd, "Established")) return false;
  if (!CheckCaBundle(ConversionBundle(crd)).ok()) {
    const CustomResourceDefinitionCondition* const before = FindCondition(crd, "Established");
    if (before != nullptr && before->reason == "InvalidCABundle") return false;
    SetCondition(crd,
                 {.type = "Established",
                  .status = "False",
                  .reason = "InvalidCABundle",
                  .message = "The conversion webhook CABundle is invalid"},
                 now);
    return true;
  }
  SetCondition(crd,
               {.type = "Established",
                .status = "True",
                .reason = "InitialNamesAccepted",
                .message = kInstalling},
               now);
  return true;
}

}  // namespace kube::apiserver::internal
