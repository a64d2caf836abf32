#include "apimachinery/patch/internal/merge_lists.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/patch/internal/directives.h"
#include "apimachinery/patch/internal/element_order.h"
#include "apimachinery/patch/internal/go_value.h"
#include "apimachinery/patch/internal/patch_schema.h"
#include "apimachinery/patch/internal/strategic_merge.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch::internal {
namespace {

using unstructured::Value;
using unstructured::ValueType;

absl::Status CheckHashable(const List<Value>& list) {
  return std::any_of(list.begin(), list.end(), IsUnhashable) ? UnhashableError() : absl::OkStatus();
}

// Sorts `merged` by two orders: what `patch_order` has by that, the rest by `server_order`.
absl::StatusOr<List<Value>> Arrange(List<Value> merged, const KeyIndex& patch_order,
                                    const KeyIndex& server_order, const ElementKind& kind) {
  List<Value> patched, server_only;
  for (Value& element : merged) {
    KUBE_ASSIGN_OR_RETURN(const Value* key, KeyOf(element, kind));
    KUBE_ASSIGN_OR_RETURN(const int position, patch_order.Find(*key));
    (position >= 0 ? patched : server_only).push_back(std::move(element));
  }
  return NormalizeElementOrder(std::move(patched), std::move(server_only), patch_order,
                               server_order, kind);
}

// A list of objects while a patch is merged into it.
struct ObjectList {
  List<Value> elements;
  KeyIndex keys;
};

absl::Status DeleteMatching(ObjectList& list, const Value& key) {
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const int position, list.keys.Find(key));
    if (position < 0) return absl::OkStatus();
    list.elements.erase(list.elements.begin() + position);
    list.keys.Erase(static_cast<size_t>(position));
  }
}

bool IsReplaceDirective(const Value& element) {
  const Value* directive = element.Find(kDirective);
  return directive != nullptr && directive->text() == kReplace;
}

// Takes the elements with directives out of `patch` and does what they say: "delete" that element,
// "replace" the whole list, which is empty then. (mergeSliceWithSpecialElements)
absl::Status ApplyDirectives(ObjectList& original, List<Value>& patch, bool replace,
                             absl::string_view merge_key) {
  for (const Value& element : patch) {
    const Value* directive = element.Find(kDirective);
    if (directive == nullptr) continue;
    const absl::string_view text = directive->text().value_or("");
    if (text == kDelete) {
      const Value* key = element.Find(merge_key);
      if (key == nullptr) return NoMergeKeyError(merge_key);
      KUBE_RETURN_IF_ERROR(DeleteMatching(original, *key));
    } else if (text == kMerge) {
      return absl::InvalidArgumentError("merging lists cannot yet be specified in the patch");
    } else if (text != kReplace) {
      return absl::InvalidArgumentError(
          absl::StrCat("unknown patch type: ", FormatAsString(*directive)));
    }
  }
  erase_if(patch, [](const Value& element) { return element.Find(kDirective) != nullptr; });
  if (!replace) return absl::OkStatus();
  KUBE_ASSIGN_OR_RETURN(original.keys,
                        KeyIndex::Of(patch, {.objects = true, .merge_key = merge_key}));
  original.elements = std::exchange(patch, List<Value>::Empty());
  return absl::OkStatus();
}

absl::StatusOr<List<Value>> MergeObjects(List<Value> original, List<Value> patch,
                                         const MemberSchema& list, MergeTarget target) {
  const ElementKind kind = {.objects = true, .merge_key = list.merge_key};
  if (list.merge_key.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot merge lists without merge key for ", list.schema.kind_name()));
  }
  ObjectList merged;
  const bool replace = std::any_of(patch.begin(), patch.end(), IsReplaceDirective);
  // Elements that are replaced need no merge key.
  if (!replace) {
    KUBE_ASSIGN_OR_RETURN(merged.keys, KeyIndex::Of(original, kind));
    merged.elements = std::move(original);
  }
  KUBE_RETURN_IF_ERROR(ApplyDirectives(merged, patch, replace, list.merge_key));
  const KeyIndex server_order = merged.keys;
  KUBE_ASSIGN_OR_RETURN(const KeyIndex patch_order, KeyIndex::Of(patch, kind));
  for (Value& element : patch) {
    KUBE_ASSIGN_OR_RETURN(const Value* key, KeyOf(element, kind));
    KUBE_ASSIGN_OR_RETURN(const int position, merged.keys.Find(*key));
    if (position >= 0) {
      KUBE_RETURN_IF_ERROR(
          MergeStrategically(*merged.elements[static_cast<size_t>(position)].object(),
                             *element.object(), list.schema, target));
    } else {
      merged.keys.Append(*key);
      merged.elements.push_back(std::move(element));
    }
  }
  return Arrange(std::move(merged.elements), patch_order, server_order, kind);
}

absl::StatusOr<List<Value>> MergeScalars(List<Value> original, List<Value> patch,
                                         const MemberSchema& list) {
  List<Value> merged = original;
  for (const Value& scalar : patch) merged.push_back(scalar);
  DropDuplicates(merged);
  // Upstream looks for objects where there is a merge key.
  if (!list.merge_key.empty()) return TypeError(ValueType::kObject, merged.front());
  KUBE_ASSIGN_OR_RETURN(const KeyIndex patch_order, KeyIndex::Of(patch, {}));
  KUBE_ASSIGN_OR_RETURN(const KeyIndex server_order, KeyIndex::Of(original, {}));
  return Arrange(std::move(merged), patch_order, server_order, {});
}

// What upstream looks up as the server's order when a patch with an order was merged: its list
// after elements were deleted from it and added to it in place.
absl::StatusOr<KeyIndex> OrderAfterDeletions(const List<Value>& original, const List<Value>* patch,
                                             const ElementKind& kind) {
  KUBE_ASSIGN_OR_RETURN(KeyIndex order, KeyIndex::Of(original, kind));
  if (patch == nullptr || !kind.objects) return order;
  std::vector<Value> keys;
  for (const Value& element : original) keys.push_back(*element.Find(kind.merge_key));
  const auto begin = keys.begin();
  auto end = keys.end();
  for (const Value& element : *patch) {
    const Value* directive = element.Find(kDirective);
    const Value* key = element.Find(kind.merge_key);
    if (directive == nullptr || key == nullptr || directive->text() != kDelete) continue;
    for (auto at = std::find(begin, end, *key); at != end; at = std::find(begin, end, *key)) {
      std::copy(at + 1, end, at);
      --end;
    }
  }
  if (end == keys.end()) return order;
  // New elements are put where deleted ones were.
  const bool replace = std::any_of(patch->begin(), patch->end(), IsReplaceDirective);
  for (const Value& element : *patch) {
    const Value* key = element.Find(kind.merge_key);
    if (replace || end == keys.end()) break;
    if (key == nullptr || element.Find(kDirective) != nullptr) continue;
    if (std::find(begin, end, *key) == end) *end++ = *key;
  }
  order = KeyIndex();
  for (const Value& key : keys) order.Append(key);
  return order;
}

}  // namespace

bool RemoveDirectives(Value& value) {
  if (Map<Value>* object = value.object(); object != nullptr) {
    if (object->contains(kDirective)) return false;
    std::vector<String> dropped;
    for (auto& [key, member] : *object) {
      if (!RemoveDirectives(member)) dropped.push_back(key);
    }
    for (const String& key : dropped) object->erase(key);
  } else if (List<Value>* list = value.list(); list != nullptr) {
    List<Value> kept = List<Value>::Empty();
    for (Value& element : *list) {
      if (RemoveDirectives(element)) kept.push_back(std::move(element));
    }
    *list = std::move(kept);
  }
  return true;
}

absl::Status CheckOrder(const List<Value>& patch, const List<Value>& order,
                        absl::string_view merge_key) {
  if (patch.empty() || order.empty()) return absl::OkStatus();
  const ElementKind kind = {.objects = !merge_key.empty(), .merge_key = merge_key};
  size_t position = 0;
  for (const Value& element : patch) {
    if (kind.objects && !element.is_object()) return TypeError(ValueType::kObject, element);
    if (const Value* directive = element.Find(kDirective); directive != nullptr) {
      if (directive->text() == kDelete) continue;
      // Upstream looks at others only while there are more in the order.
      if (position < order.size()) continue;
    }
    for (bool is_found = false; !is_found; ++position) {
      if (position == order.size()) {
        return absl::InvalidArgumentError(absl::StrCat(
            "the order in the patch list does not match the ", kSetElementOrder, " list"));
      }
      KUBE_ASSIGN_OR_RETURN(const Value* key, KeyOf(element, kind));
      KUBE_ASSIGN_OR_RETURN(const Value* other, KeyOf(order[position], kind));
      KUBE_ASSIGN_OR_RETURN(is_found, SameScalar(*key, *other));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<List<Value>> MergeLists(List<Value> original, List<Value> patch,
                                       const MemberSchema& list, MergeTarget target) {
  if (!list.merge) return patch;
  if (original.empty() && patch.empty()) return original;
  KUBE_ASSIGN_OR_RETURN(const ValueType type, ElementType(&original, &patch));
  if (type == ValueType::kObject) {
    return MergeObjects(std::move(original), std::move(patch), list, target);
  }
  return MergeScalars(std::move(original), std::move(patch), list);
}

absl::StatusOr<List<Value>> DeleteFromList(List<Value> original, List<Value> deletions,
                                           const MemberSchema& list) {
  if (original.empty() && deletions.empty()) return original;
  KUBE_ASSIGN_OR_RETURN(const ValueType type, ElementType(&original, &deletions));
  if (type == ValueType::kObject) {
    return MergeObjects(std::move(original), std::move(deletions), list, MergeTarget::kObject);
  }
  const absl::flat_hash_set<Value> gone(deletions.begin(), deletions.end());
  erase_if(original, [&](const Value& element) { return gone.contains(element); });
  return original;
}

absl::StatusOr<List<Value>> MergeOrderedLists(const List<Value>* original, List<Value>* patch,
                                              const List<Value>& order, const MemberSchema& list,
                                              MergeTarget target) {
  static const List<Value> kEmpty = List<Value>::Empty();
  const List<Value>& server = original != nullptr ? *original : kEmpty;
  KUBE_RETURN_IF_ERROR(CheckOrder(patch != nullptr ? *patch : kEmpty, order, list.merge_key));
  KUBE_ASSIGN_OR_RETURN(const ValueType type, ElementType(original, patch));
  const ElementKind kind = {.objects = type == ValueType::kObject, .merge_key = list.merge_key};
  if (list.merge_key.empty()) KUBE_RETURN_IF_ERROR(CheckHashable(order));
  KUBE_ASSIGN_OR_RETURN(const KeyIndex patch_order, KeyIndex::Of(order, kind));
  const bool deletes = list.merge && original != nullptr;
  KUBE_ASSIGN_OR_RETURN(const KeyIndex server_order,
                        OrderAfterDeletions(server, deletes ? patch : nullptr, kind));
  List<Value> merged;
  if (patch == nullptr) {
    merged = server;
  } else if (original == nullptr) {
    Value kept = std::move(*patch);
    RemoveDirectives(kept);
    merged = std::move(*kept.list());
  } else {
    KUBE_ASSIGN_OR_RETURN(merged, MergeLists(server, std::move(*patch), list, target));
  }
  if (!list.merge_key.empty() && !kind.objects && !merged.empty()) {
    return TypeError(ValueType::kObject, merged.front());
  }
  return Arrange(std::move(merged), patch_order, server_order, kind);
}

}  // namespace kube::patch::internal
