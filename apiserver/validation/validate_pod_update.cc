#include "apiserver/validation/validate_pod_update.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/box.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/messages.h"
#include "apiserver/validation/validate_job.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;
namespace field = validation::field;
using field::ErrorList;
using field::Path;

std::string RequirementsJson(const List<corev1::NodeSelectorRequirement>& requirements) {
  if (requirements.is_null()) return "null";
  std::string json = "[";
  for (const corev1::NodeSelectorRequirement& each : requirements) {
    if (json.size() > 1) json += ',';
    absl::StrAppend(&json, R"({"Key":)", field::JsonText(each.key.view()).json, R"(,"Operator":)",
                    field::JsonText(each.operator_.view()).json, R"(,"Values":)",
                    each.values.is_null() ? "null" : field::JsonOf(each.values).json, "}");
  }
  return json + "]";
}

// Returns false if other errors of the update must not be reported.
bool CheckDeadline(ErrorList& wrong, const Opt<int64_t>& now, const Opt<int64_t>& old) {
  const Path path = Path("spec").Child("activeDeadlineSeconds");
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  if (!now.has_value()) {
    if (old.has_value()) {
      wrong.push_back(field::Invalid(path, field::JsonValue{"null"},
                                     "must not update from a positive integer to nil value"));
    }
    return true;
  }
  if (*now < 0 || *now > kMax) {
    wrong.push_back(field::Invalid(path, *now, validation::InclusiveRangeError(0, kMax)));
    return false;
  }
  if (old.has_value() && *old < *now) {
    wrong.push_back(field::Invalid(path, *now, "must be less than or equal to previous value"));
    return false;
  }
  return true;
}

// Tolerations can only be added, and change their seconds (kube-apiserver:
// `validateOnlyAddedTolerations`).
void CheckTolerations(ErrorList& wrong, const List<corev1::Toleration>& now,
                      const List<corev1::Toleration>& old) {
  for (corev1::Toleration each : old) {
    const bool stays = std::any_of(now.begin(), now.end(), [&](const corev1::Toleration& other) {
      each.toleration_seconds = other.toleration_seconds;
      return each == other;
    });
    if (stays) continue;
    wrong.push_back(
        field::Forbidden(Path("spec").Child("tolerations"),
                         "existing toleration can not be modified except its tolerationSeconds"));
    return;
  }
}

// Scheduling gates can only be removed (kube-apiserver: `validateOnlyDeletedSchedulingGates`).
void CheckGates(ErrorList& wrong, const List<corev1::PodSchedulingGate>& now,
                const List<corev1::PodSchedulingGate>& old) {
  std::map<std::string, size_t> added;
  for (size_t i = 0; i < now.size(); ++i) added[std::string(now[i].name)] = i;
  for (const corev1::PodSchedulingGate& each : old) added.erase(std::string(each.name));
  for (const auto& [gate, index] : added) {
    wrong.push_back(field::Forbidden(
        Path("spec").Child("schedulingGates").Index(index).Child("name"),
        absl::StrCat("only deletion is allowed, but found new scheduling gate '", gate, "'")));
  }
}

// kube-apiserver: `validateNodeSelectorMutation`.
void CheckNodeSelector(ErrorList& wrong, const Map<String>& now, const Map<String>& old) {
  for (const auto& [key, value] : old) {
    const String* const found = now.find(key);
    if (found != nullptr && *found == value) continue;
    wrong.push_back(field::Invalid(
        Path("spec").Child("nodeSelector"), LabelsJson(now),
        "only additions to spec.nodeSelector are allowed (no mutations or deletions)"));
    return;
  }
}

bool BeginsWith(const List<corev1::NodeSelectorRequirement>& now,
                const List<corev1::NodeSelectorRequirement>& old) {
  return now.size() >= old.size() && std::equal(old.begin(), old.end(), now.begin());
}

// kube-apiserver: `validateNodeSelectorTermHasOnlyAdditions`.
bool HasOnlyAdditions(const corev1::NodeSelectorTerm& now, const corev1::NodeSelectorTerm& old) {
  // An empty term matches nothing; with a requirement it could match something.
  if (old.match_expressions.empty() && old.match_fields.empty()) {
    return now.match_expressions.empty() && now.match_fields.empty();
  }
  return BeginsWith(now.match_expressions, old.match_expressions) &&
         BeginsWith(now.match_fields, old.match_fields);
}

// kube-apiserver: `validateNodeAffinityMutation`.
void CheckNodeAffinity(ErrorList& wrong, const corev1::NodeAffinity* now,
                       const corev1::NodeAffinity* old) {
  if (old == nullptr || !old->required_during_scheduling_ignored_during_execution) return;
  const auto& old_terms =
      old->required_during_scheduling_ignored_during_execution->node_selector_terms;
  List<corev1::NodeSelectorTerm> terms;
  if (now != nullptr && now->required_during_scheduling_ignored_during_execution) {
    terms = now->required_during_scheduling_ignored_during_execution->node_selector_terms;
  }
  const Path path = Path("spec")
                        .Child("affinity")
                        .Child("nodeAffinity")
                        .Child("requiredDuringSchedulingIgnoredDuringExecution")
                        .Child("nodeSelectorTerms");
  if (!old_terms.empty() && old_terms.size() != terms.size()) {
    wrong.push_back(
        field::Invalid(path, field::JsonValue{InternalJson(terms)},
                       "no additions/deletions to non-empty NodeSelectorTerms list are allowed"));
    return;
  }
  for (size_t i = 0; i < old_terms.size(); ++i) {
    if (HasOnlyAdditions(terms[i], old_terms[i])) continue;
    wrong.push_back(field::Invalid(path.Index(i), field::JsonValue{InternalJson(terms[i])},
                                   "only additions are allowed (no mutations or deletions)"));
  }
}

const corev1::NodeAffinity* NodeAffinityOf(const corev1::PodSpec& spec) {
  return spec.affinity && spec.affinity->node_affinity ? spec.affinity->node_affinity.get()
                                                       : nullptr;
}

// The placement of a pod with scheduling gates can only be narrowed. Resets in `now` what has been
// checked.
void CheckGatedPod(ErrorList& wrong, const corev1::PodSpec& old, corev1::PodSpec& now) {
  if (!(now.node_selector == old.node_selector)) {
    CheckNodeSelector(wrong, now.node_selector, old.node_selector);
    now.node_selector = old.node_selector;
  }
  const corev1::NodeAffinity* const before = NodeAffinityOf(old);
  const corev1::NodeAffinity* const after = NodeAffinityOf(now);
  const bool same = before == nullptr || after == nullptr ? before == after : *before == *after;
  if (same) return;
  CheckNodeAffinity(wrong, after, before);
  const bool only_node_affinity =
      now.affinity && !now.affinity->pod_affinity && !now.affinity->pod_anti_affinity;
  if (!old.affinity && only_node_affinity) {
    now.affinity.reset();
    return;
  }
  if (!now.affinity) now.affinity.emplace();
  now.affinity->node_affinity.reset();
  if (before != nullptr) now.affinity->node_affinity.emplace() = *before;
}

// Returns the spec of an update without the fields that may change or have been checked.
corev1::PodSpec WithoutChangeable(const corev1::PodSpec& now, const corev1::PodSpec& old) {
  corev1::PodSpec changed = now;
  for (size_t i = 0; i < old.containers.size(); ++i) {
    changed.containers[i].image = old.containers[i].image;
  }
  for (size_t i = 0; i < old.init_containers.size(); ++i) {
    changed.init_containers[i].image = old.init_containers[i].image;
  }
  changed.active_deadline_seconds = old.active_deadline_seconds;
  changed.tolerations = old.tolerations;
  changed.scheduling_gates = old.scheduling_gates;
  if (old.termination_grace_period_seconds.value_or(0) < 0 &&
      now.termination_grace_period_seconds == 1) {
    changed.termination_grace_period_seconds = old.termination_grace_period_seconds;
  }
  return changed;
}

}  // namespace

std::string InternalJson(const corev1::NodeSelectorTerm& term) {
  return absl::StrCat(R"({"MatchExpressions":)", RequirementsJson(term.match_expressions),
                      R"(,"MatchFields":)", RequirementsJson(term.match_fields), "}");
}

std::string InternalJson(const List<corev1::NodeSelectorTerm>& terms) {
  if (terms.is_null()) return "null";
  std::string json = "[";
  for (const corev1::NodeSelectorTerm& each : terms) {
    if (json.size() > 1) json += ',';
    json += InternalJson(each);
  }
  return json + "]";
}

void CheckPodStays(ErrorList& wrong, const corev1::PodSpec& now, const corev1::PodSpec& old) {
  const Path spec("spec");
  constexpr absl::string_view kCount = "pod updates may not add or remove containers";
  if (now.containers.size() != old.containers.size()) {
    wrong.push_back(field::Forbidden(spec.Child("containers"), kCount));
    return;
  }
  if (now.init_containers.size() != old.init_containers.size()) {
    wrong.push_back(field::Forbidden(spec.Child("initContainers"), kCount));
    return;
  }
  if (!CheckDeadline(wrong, now.active_deadline_seconds, old.active_deadline_seconds)) return;
  CheckTolerations(wrong, now.tolerations, old.tolerations);
  CheckGates(wrong, now.scheduling_gates, old.scheduling_gates);
  corev1::PodSpec changed = WithoutChangeable(now, old);
  if (!old.scheduling_gates.empty()) CheckGatedPod(wrong, old, changed);
  if (changed == old) return;
  wrong.push_back(field::Forbidden(
      spec,
      "pod updates may not change fields other than `spec.containers[*].image`,"
      "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only "
      "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be "
      "set to 1 if it was previously negative)"));
}

}  // namespace kube::apiserver::internal
