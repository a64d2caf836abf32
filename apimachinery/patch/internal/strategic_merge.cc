#include "apimachinery/patch/internal/strategic_merge.h"

// Applies a strategic merge patch by a recursive walk over the patch (mergeMap upstream). In each
// object the directives come first: $patch replaces or empties the object and ends the walk there;
// $retainKeys removes members; each $setElementOrder merges its list, which is then taken out of
// the patch. The members that are left are merged one by one: null removes,
// $deleteFromPrimitiveList removes elements, a value of the same type is merged by its schema, and
// any other value is set.
//
// If the target is another patch (MergeTarget::kPatch), directives and nulls are copied instead of
// executed.

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/patch/internal/directives.h"
#include "apimachinery/patch/internal/go_value.h"
#include "apimachinery/patch/internal/map_editor.h"
#include "apimachinery/patch/internal/merge_lists.h"
#include "apimachinery/patch/internal/patch_schema.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/map_edit.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/go_format.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch::internal {
namespace {

using unstructured::Value;
using unstructured::ValueType;

absl::Status BadFormat(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("invalid patch format of ", what));
}

bool IsOf(absl::string_view directive, absl::string_view key) {
  return absl::StartsWith(key, directive);
}

// Returns the name of the list that the directive is for, or nullopt if the key has another form
// (client-go: `extractKey`).
std::optional<absl::string_view> ListOf(absl::string_view directive, absl::string_view key) {
  key.remove_prefix(directive.size());
  if (key.empty() || key.front() != '/') return std::nullopt;
  return key.substr(1);
}

// Executes the $patch directive of an object (client-go: `handleDirectiveInMergeMap`).
absl::Status ApplyDirective(const Value& directive, Map<Value>& original, Map<Value>& patch) {
  const absl::string_view text = directive.text().value_or("");
  if (text == kReplace) {
    patch.erase(kDirective);
    original = std::move(patch);
    return absl::OkStatus();
  }
  if (text == kDelete) {
    original.clear();
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown patch type: ", unstructured::FormatAsGoString(directive)));
}

// Returns whether a patch may have this member although $retainKeys does not name it.
bool NeedsNoRetaining(absl::string_view key, const Value& value) {
  return value.is_null() || IsOf(kDeleteFromPrimitiveList, key) || IsOf(kSetElementOrder, key);
}

// Removes the members that $retainKeys does not name (client-go: `applyRetainKeysDirective`).
absl::Status ApplyRetainKeys(Map<Value>& original, Map<Value>& patch, MergeTarget target) {
  Value* found = patch.find(kRetainKeys);
  if (found == nullptr) return absl::OkStatus();
  Value directive = std::move(*found);
  patch.erase(kRetainKeys);
  if (target == MergeTarget::kPatch) {
    const Value* other = original.find(kRetainKeys);
    if (other != nullptr && !(*other == directive)) {
      return absl::InvalidArgumentError("two lists of retainKeys are not equal");
    }
    original[kRetainKeys] = std::move(directive);
    return absl::OkStatus();
  }
  if (!directive.is_list()) return BadFormat("retainKeys");
  absl::flat_hash_set<absl::string_view> kept;
  for (const Value& key : *directive.list()) {
    if (IsUnhashable(key)) return UnhashableError();
    if (key.is_string()) kept.insert(*key.text());
  }
  for (const auto& [key, value] : patch) {
    if (!NeedsNoRetaining(key, value) && !kept.contains(key.view())) return BadFormat("retainKeys");
  }
  kube::table::EraseIf(
      original, [&](const Map<Value>::Entry& member) { return !kept.contains(member.key.view()); });
  return absl::OkStatus();
}

// Merges the list whose order the directive `key` gives, and removes both from the patch.
absl::Status MergeOrderedList(absl::string_view key, MapEditor& original, MapEditor& patch,
                              const PatchSchema& schema, MergeTarget target) {
  const Value order = std::move(*patch.Find(key));
  patch.Erase(key);
  if (target == MergeTarget::kPatch) {
    const Value* other = original.Find(key);
    if (other != nullptr && !(*other == order)) return BadFormat("setElementOrder list");
    original[key] = order;
  }
  if (!order.is_list()) return TypeError(ValueType::kList, order);
  const std::optional<absl::string_view> name = ListOf(kSetElementOrder, key);
  if (!name.has_value()) return BadFormat("setElementOrder list");
  const Value* before = original.Find(*name);
  Value* change = patch.Find(*name);
  if (before != nullptr && !before->is_list()) return TypeError(ValueType::kList, *before);
  if (change != nullptr && !change->is_list()) return TypeError(ValueType::kList, *change);
  KUBE_ASSIGN_OR_RETURN(const MemberSchema list, schema.FindList(*name));
  if (before == nullptr && change == nullptr) return absl::OkStatus();
  KUBE_ASSIGN_OR_RETURN(
      List<Value> merged,
      MergeOrderedLists(before == nullptr ? nullptr : before->list(),
                        change == nullptr ? nullptr : change->list(), *order.list(), list, target));
  original[*name] = std::move(merged);
  patch.Erase(*name);
  return absl::OkStatus();
}

// (client-go: `mergePatchIntoOriginal`)
absl::Status MergeOrderedMembers(MapEditor& original, Map<Value>& patch, const PatchSchema& schema,
                                 MergeTarget target) {
  std::vector<String> directives;
  for (const auto& [key, value] : patch) {
    if (IsOf(kSetElementOrder, key)) directives.push_back(key);
  }
  MapEditor editor(patch);
  for (const String& key : directives) {
    // This key may have been the list of another directive, and then is gone.
    if (editor.Find(key) == nullptr) continue;
    KUBE_RETURN_IF_ERROR(MergeOrderedList(key, original, editor, schema, target));
  }
  editor.Commit();
  return absl::OkStatus();
}

// Sets a value for a new member, or for one of another type.
void TakeFromPatch(MapEditor& original, absl::string_view key, Value value, MergeTarget target) {
  if (target == MergeTarget::kObject) DropNulls(value);
  if (RemoveDirectives(value)) {
    original[key] = std::move(value);
  } else {
    original.Erase(key);
  }
}

absl::Status DeleteFromMember(MapEditor& original, absl::string_view key, Value deletions,
                              const PatchSchema& schema) {
  const absl::string_view name = *ListOf(kDeleteFromPrimitiveList, key);
  const absl::string_view member = name.empty() ? key : name;
  if (deletions.is_null()) {
    original.Erase(member);
    return absl::OkStatus();
  }
  Value* value = original.Find(member);
  if (value == nullptr || value->type() != deletions.type()) return absl::OkStatus();
  if (value->is_list()) {
    KUBE_ASSIGN_OR_RETURN(const MemberSchema list, schema.FindList(member));
    KUBE_ASSIGN_OR_RETURN(List<Value> left, DeleteFromList(std::move(*value->list()),
                                                           std::move(*deletions.list()), list));
    *value = std::move(left);
    return absl::OkStatus();
  }
  // Upstream merges a value that is not a list as if there were no directive.
  if (value->is_object()) {
    KUBE_ASSIGN_OR_RETURN(const MemberSchema object, schema.FindMember(member));
    if (object.replace) {
      *value = std::move(deletions);
      return absl::OkStatus();
    }
    return MergeStrategically(*value->object(), *deletions.object(), object.schema,
                              MergeTarget::kObject);
  }
  *value = std::move(deletions);
  return absl::OkStatus();
}

// Merges a member that both have, with the same type.
absl::Status MergeValues(absl::string_view key, Value& original, Value patch,
                         const PatchSchema& schema, MergeTarget target) {
  if (original.is_object()) {
    KUBE_ASSIGN_OR_RETURN(const MemberSchema member, schema.FindMember(key));
    if (!member.replace) {
      return MergeStrategically(*original.object(), *patch.object(), member.schema, target);
    }
    original = std::move(patch);
  } else if (original.is_list()) {
    KUBE_ASSIGN_OR_RETURN(const MemberSchema member, schema.FindList(key));
    KUBE_ASSIGN_OR_RETURN(List<Value> merged, MergeLists(std::move(*original.list()),
                                                         std::move(*patch.list()), member, target));
    original = std::move(merged);
  } else {
    original = std::move(patch);
  }
  return absl::OkStatus();
}

absl::Status MergeMember(MapEditor& original, absl::string_view key, Value patch,
                         const PatchSchema& schema, MergeTarget target) {
  if (IsOf(kDeleteFromPrimitiveList, key)) {
    if (target == MergeTarget::kPatch) {
      original[key] = std::move(patch);
      return absl::OkStatus();
    }
    if (!ListOf(kDeleteFromPrimitiveList, key).has_value()) return BadFormat("primitive list");
    return DeleteFromMember(original, key, std::move(patch), schema);
  }
  if (patch.is_null()) {
    original.Erase(key);
    if (target == MergeTarget::kPatch) original[key] = Value();
    return absl::OkStatus();
  }
  Value* value = original.Find(key);
  if (value == nullptr || value->type() != patch.type()) {
    TakeFromPatch(original, key, std::move(patch), target);
    return absl::OkStatus();
  }
  return MergeValues(key, *value, std::move(patch), schema, target);
}

}  // namespace

absl::Status MergeStrategically(Map<Value>& original, Map<Value>& patch, const PatchSchema& schema,
                                MergeTarget target) {
  if (const Value* directive = patch.find(kDirective); directive != nullptr) {
    const Value copy = *directive;
    return ApplyDirective(copy, original, patch);
  }
  KUBE_RETURN_IF_ERROR(ApplyRetainKeys(original, patch, target));
  MapEditor editor(original);
  KUBE_RETURN_IF_ERROR(MergeOrderedMembers(editor, patch, schema, target));
  for (auto& [key, value] : patch) {
    KUBE_RETURN_IF_ERROR(MergeMember(editor, key, std::move(value), schema, target));
  }
  editor.Commit();
  return absl::OkStatus();
}

}  // namespace kube::patch::internal
