#include "apimachinery/meta/conditions.h"

#include <utility>

#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/time.h"

namespace kube::meta {

namespace metav1 = api::meta::v1;

namespace {

Time TransitionTimeOf(const metav1::Condition& condition) {
  if (!condition.last_transition_time.IsZero()) return condition.last_transition_time;
  return base::WallNow();
}

// Assigns and returns true if the values differ; otherwise returns false.
template <typename T>
bool Assign(T& to, const T& from) {
  if (to == from) return false;
  to = from;
  return true;
}

}  // namespace

bool SetStatusCondition(List<metav1::Condition>& conditions, const metav1::Condition& condition) {
  metav1::Condition* existing = FindStatusCondition(conditions, condition.type.view());
  if (existing == nullptr) {
    const Time time = TransitionTimeOf(condition);
    conditions.push_back(condition).last_transition_time = time;
    return true;
  }
  bool changed = false;
  if (Assign(existing->status, condition.status)) {
    existing->last_transition_time = TransitionTimeOf(condition);
    changed = true;
  }
  changed |= Assign(existing->reason, condition.reason);
  changed |= Assign(existing->message, condition.message);
  changed |= Assign(existing->observed_generation, condition.observed_generation);
  return changed;
}

bool RemoveStatusCondition(List<metav1::Condition>& conditions, absl::string_view type) {
  return erase_if(conditions, [&](const metav1::Condition& c) { return c.type == type; }) != 0;
}

const metav1::Condition* FindStatusCondition(const List<metav1::Condition>& conditions,
                                             absl::string_view type) {
  for (const metav1::Condition& condition : conditions) {
    if (condition.type == type) return &condition;
  }
  return nullptr;
}

metav1::Condition* FindStatusCondition(List<metav1::Condition>& conditions,
                                       absl::string_view type) {
  return const_cast<metav1::Condition*>(FindStatusCondition(std::as_const(conditions), type));
}

bool IsStatusConditionTrue(const List<metav1::Condition>& conditions, absl::string_view type) {
  return IsStatusConditionPresentAndEqual(conditions, type, metav1::kConditionTrue);
}

bool IsStatusConditionFalse(const List<metav1::Condition>& conditions, absl::string_view type) {
  return IsStatusConditionPresentAndEqual(conditions, type, metav1::kConditionFalse);
}

bool IsStatusConditionPresentAndEqual(const List<metav1::Condition>& conditions,
                                      absl::string_view type, absl::string_view status) {
  const metav1::Condition* condition = FindStatusCondition(conditions, type);
  return condition != nullptr && condition->status == status;
}

}  // namespace kube::meta
