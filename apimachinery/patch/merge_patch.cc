#include "apimachinery/patch/merge_patch.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/patch/internal/go_value.h"
#include "apimachinery/patch/internal/map_editor.h"
#include "apimachinery/patch/preconditions.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/map_edit.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::patch {
namespace {

using unstructured::Value;

absl::Status CheckObject(const Value& value, absl::string_view what) {
  if (value.is_object()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("make merge patch: ", what, " is not an object"));
}

// Returns the patch for a member that both objects have, or nullopt if the values are equal.
std::optional<Value> MemberDifference(const Value& from, const Value& to);

// Walks over both objects by ascending keys, so that members are only appended to the patch
// (jsonpatch's `getDiff`).
Map<Value> Difference(const Map<Value>& from, const Map<Value>& to) {
  Map<Value> patch = Map<Value>::Empty();
  const Map<Value>::Entry* before = from.begin();
  const Map<Value>::Entry* after = to.begin();
  while (before != from.end() || after != to.end()) {
    const int order = before == from.end() ? 1
                      : after == to.end()  ? -1
                                           : before->key.view().compare(after->key.view());
    if (order < 0) {
      patch[before->key] = Value();
    } else if (order > 0) {
      patch[after->key] = after->value;
    } else if (std::optional<Value> change = MemberDifference(before->value, after->value);
               change.has_value()) {
      patch[after->key] = *std::move(change);
    }
    if (order <= 0) ++before;
    if (order >= 0) ++after;
  }
  return patch;
}

std::optional<Value> MemberDifference(const Value& from, const Value& to) {
  if (from.is_object() && to.is_object()) {
    Map<Value> difference = Difference(*from.object(), *to.object());
    if (difference.empty()) return std::nullopt;
    return Value(std::move(difference));
  }
  if (internal::SameJson(from, to)) return std::nullopt;
  return to;
}

// Merges `patch` into `object` (jsonpatch's `mergeDocs` and `merge`).
void Merge(Map<Value>& object, Map<Value>& patch) {
  internal::MapEditor editor(object);
  for (auto& [key, change] : patch) {
    if (change.is_null()) {
      editor.Erase(key);
      continue;
    }
    Value& value = editor[key];
    if (value.is_object() && change.is_object()) {
      Merge(*value.object(), *change.object());
      continue;
    }
    // As upstream, a value that replaces an object keeps its nulls.
    if (!value.is_object()) internal::DropNulls(change);
    value = std::move(change);
  }
  editor.Commit();
}

// Returns only the nulls of a patch, or everything but the nulls. An object that was empty is a
// value and stays; an object that becomes empty is dropped (jsonmergepatch's
// `keepOrDeleteNullInObj`).
Map<Value> Filter(const Map<Value>& patch, bool keep_nulls) {
  Map<Value> filtered = Map<Value>::Empty();
  for (const auto& [key, value] : patch) {
    if (value.is_object() && !value.object()->empty()) {
      Map<Value> inner = Filter(*value.object(), keep_nulls);
      if (!inner.empty()) filtered[key] = std::move(inner);
    } else if (value.is_null() == keep_nulls) {
      filtered[key] = value;
    }
  }
  return filtered;
}

}  // namespace

absl::StatusOr<Value> MakeMergePatch(const Value& from, const Value& to) {
  KUBE_RETURN_IF_ERROR(CheckObject(from, "the original"));
  KUBE_RETURN_IF_ERROR(CheckObject(to, "the changed object"));
  return Difference(*from.object(), *to.object());
}

absl::StatusOr<Value> MakeThreeWayMergePatch(const Value& original, const Value& modified,
                                             const Value& current,
                                             const std::vector<Precondition>& preconditions) {
  KUBE_RETURN_IF_ERROR(CheckObject(original, "the original"));
  KUBE_RETURN_IF_ERROR(CheckObject(modified, "the modified object"));
  KUBE_RETURN_IF_ERROR(CheckObject(current, "the current object"));
  Map<Value> changes = Filter(Difference(*current.object(), *modified.object()), false);
  Map<Value> patch = Filter(Difference(*original.object(), *modified.object()), true);
  // Upstream checks here whether the two conflict. They never do: `changes` sets what `modified`
  // has, and `patch` deletes what `modified` does not have.
  Merge(patch, changes);
  Value result = std::move(patch);
  KUBE_RETURN_IF_ERROR(internal::CheckPreconditions(preconditions, result), "make merge patch");
  return result;
}

absl::StatusOr<Value> ApplyMergePatch(Value object, Value patch) {
  if (object.is_null()) return absl::InvalidArgumentError("apply merge patch: the object is null");
  if (!patch.is_object() && !patch.is_list()) {
    return absl::InvalidArgumentError("apply merge patch: the patch is not an object");
  }
  if (object.is_object() && patch.is_object()) {
    Merge(*object.object(), *patch.object());
    return object;
  }
  internal::DropNulls(patch);
  return patch;
}

bool MergePatchesConflict(const Value& left, const Value& right) {
  if (left.is_object() && right.is_object()) {
    for (const auto& [key, value] : *left.object()) {
      const Value* other = right.Find(key);
      if (other != nullptr && MergePatchesConflict(value, *other)) return true;
    }
    return false;
  }
  if (!left.is_list() || !right.is_list()) return !(left == right);
  const List<Value>& elements = *left.list();
  const List<Value>& others = *right.list();
  if (elements.size() != others.size()) return true;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (MergePatchesConflict(elements[i], others[i])) return true;
  }
  return false;
}

namespace internal {

absl::StatusOr<std::string> MakeMergePatch(const void* from, const void* to,
                                           const kube::table::Message& message) {
  KUBE_ASSIGN_OR_RETURN(const Value before, unstructured::ToValue(from, message));
  KUBE_ASSIGN_OR_RETURN(const Value after, unstructured::ToValue(to, message));
  KUBE_ASSIGN_OR_RETURN(const Value patch, patch::MakeMergePatch(before, after));
  return unstructured::EncodeJson(patch);
}

absl::Status ApplyMergePatch(void* to, const void* object, const kube::table::Message& message,
                             absl::string_view patch, const codec::DecodeOptions& options) {
  KUBE_ASSIGN_OR_RETURN(Value change, unstructured::ParseJson(patch), "apply merge patch");
  KUBE_ASSIGN_OR_RETURN(Value before, unstructured::ToValue(object, message));
  KUBE_ASSIGN_OR_RETURN(const Value after,
                        patch::ApplyMergePatch(std::move(before), std::move(change)));
  return unstructured::FromValue(after, to, message, options);
}

}  // namespace internal
}  // namespace kube::patch
