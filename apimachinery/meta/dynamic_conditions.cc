#include "apimachinery/meta/dynamic_conditions.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/meta/conditions.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"

namespace kube::meta {

namespace metav1 = api::meta::v1;
using unstructured::Unstructured;
using unstructured::Value;

namespace {

bool IsOfType(const Value& condition, absl::string_view type) {
  return condition["type"].text() == type;
}

// Returns the conditions, or null if the object has no list of them.
absl::StatusOr<const List<Value>*> ConditionsOf(const Unstructured& object) {
  KUBE_ASSIGN_OR_RETURN(const Value* value,
                        unstructured::NestedField(object.object, {"status", "conditions"}));
  if (value == nullptr || value->is_null()) return nullptr;
  if (value->is_list()) return value->list();
  return absl::InvalidArgumentError("status.conditions is not a list");
}

absl::StatusOr<List<Value>*> MutableConditionsOf(Unstructured& object) {
  KUBE_ASSIGN_OR_RETURN(const List<Value>* conditions, ConditionsOf(object));
  return const_cast<List<Value>*>(conditions);
}

const Value* Find(const List<Value>& conditions, absl::string_view type) {
  const auto* found = std::find_if(conditions.begin(), conditions.end(),
                                   [&](const Value& each) { return IsOfType(each, type); });
  return found == conditions.end() ? nullptr : found;
}

}  // namespace

absl::StatusOr<bool> SetStatusCondition(Unstructured& object, const metav1::Condition& condition) {
  KUBE_ASSIGN_OR_RETURN(List<Value> * all, MutableConditionsOf(object), "set condition \"",
                        condition.type.view(), "\"");
  const Value* existing = all == nullptr ? nullptr : Find(*all, condition.type.view());
  List<metav1::Condition> conditions;
  if (existing != nullptr) {
    KUBE_ASSIGN_OR_RETURN(metav1::Condition before,
                          unstructured::FromValue<metav1::Condition>(*existing), "set condition \"",
                          condition.type.view(), "\"");
    conditions.push_back(std::move(before));
  }
  if (!SetStatusCondition(conditions, condition)) return false;
  KUBE_ASSIGN_OR_RETURN(Value after, unstructured::ToValue(conditions.front()));
  if (existing != nullptr) {
    Map<Value>& members = *const_cast<Value*>(existing)->object();
    members.erase("observedGeneration");  // a zero is absent in `after`
    for (auto& [key, value] : *after.object()) members[key] = std::move(value);
    return true;
  }
  if (all != nullptr) {
    all->push_back(std::move(after));
    return true;
  }
  KUBE_RETURN_IF_ERROR(unstructured::SetNestedField(object.object, List<Value>{std::move(after)},
                                                    {"status", "conditions"}),
                       "set condition \"", condition.type.view(), "\"");
  return true;
}

absl::StatusOr<bool> RemoveStatusCondition(Unstructured& object, absl::string_view type) {
  KUBE_ASSIGN_OR_RETURN(List<Value> * all, MutableConditionsOf(object), "remove condition \"", type,
                        "\"");
  if (all == nullptr) return false;
  return erase_if(*all, [&](const Value& each) { return IsOfType(each, type); }) != 0;
}

std::optional<metav1::Condition> FindStatusCondition(const Unstructured& object,
                                                     absl::string_view type) {
  const absl::StatusOr<const List<Value>*> all = ConditionsOf(object);
  if (!all.ok() || *all == nullptr) return std::nullopt;
  const Value* found = Find(**all, type);
  if (found == nullptr) return std::nullopt;
  absl::StatusOr<metav1::Condition> condition = unstructured::FromValue<metav1::Condition>(*found);
  if (!condition.ok()) return std::nullopt;
  return *std::move(condition);
}

bool IsStatusConditionTrue(const Unstructured& object, absl::string_view type) {
  return IsStatusConditionPresentAndEqual(object, type, metav1::kConditionTrue);
}

bool IsStatusConditionFalse(const Unstructured& object, absl::string_view type) {
  return IsStatusConditionPresentAndEqual(object, type, metav1::kConditionFalse);
}

bool IsStatusConditionPresentAndEqual(const Unstructured& object, absl::string_view type,
                                      absl::string_view status) {
  const std::optional<metav1::Condition> condition = FindStatusCondition(object, type);
  return condition.has_value() && condition->status == status;
}

}  // namespace kube::meta
