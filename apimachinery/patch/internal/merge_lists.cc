#include "apimachinery/patch/internal/merge_lists.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
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
#include "apimachinery/types/map.h"
#include "apimachinery/types/map_edit.h"
#include "apimachinery/unstructured/go_format.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch::internal {
namespace {

using unstructured::Value;
using unstructured::ValueType;

absl::Status CheckHashable(const List<Value>& list) {
  return std::any_of(list.begin(), list.end(), IsUnhashable) ? UnhashableError() : absl::OkStatus();
}

// Sorts `merged`: the elements in `patch_order` by that, and the others by `server_order`.
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

// A list of objects into which a patch is being merged.
struct ObjectList {
  List<Value> elements;
  KeyIndex keys;
};

bool IsReplaceDirective(const Value& element) {
  const Value* directive = element.Find(kDirective);
  return directive != nullptr && directive->text() == kReplace;
}

// Removes the elements with directives from `patch` and executes them: "delete" removes the
// element, and "replace" replaces the whole list by the other elements of `patch`, which is empty
// afterwards. (client-go: `mergeSliceWithSpecialElements`)
absl::Status ApplyDirectives(ObjectList& original, List<Value>& patch, bool replace,
                             absl::string_view merge_key) {
  // Collected, because each erasure would move the elements after it.
  absl::flat_hash_set<Value> deleted;
  for (const Value& element : patch) {
    const Value* directive = element.Find(kDirective);
    if (directive == nullptr) continue;
    const absl::string_view text = directive->text().value_or("");
    if (text == kDelete) {
      const Value* key = element.Find(merge_key);
      if (key == nullptr) return NoMergeKeyError(merge_key);
      KUBE_ASSIGN_OR_RETURN(const int position, original.keys.Find(*key));
      if (position >= 0) deleted.insert(*key);
    } else if (text == kMerge) {
      return absl::InvalidArgumentError("merging lists cannot yet be specified in the patch");
    } else if (text != kReplace) {
      return absl::InvalidArgumentError(
          absl::StrCat("unknown patch type: ", unstructured::FormatAsGoString(*directive)));
    }
  }
  if (!deleted.empty()) {
    erase_if(original.elements,
             [&](const Value& element) { return deleted.contains(*element.Find(merge_key)); });
    original.keys.Erase(deleted);
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
  // Elements that will be replaced need no merge key.
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
  // With a merge key, upstream expects objects here.
  if (!list.merge_key.empty()) return TypeError(ValueType::kObject, merged.front());
  KUBE_ASSIGN_OR_RETURN(const KeyIndex patch_order, KeyIndex::Of(patch, {}));
  KUBE_ASSIGN_OR_RETURN(const KeyIndex server_order, KeyIndex::Of(original, {}));
  return Arrange(std::move(merged), patch_order, server_order, {});
}

// The keys of a Go slice from which elements are deleted in place: the remaining elements move to
// the front, and old values stay in the memory after them.
class InPlaceKeys {
 public:
  explicit InPlaceKeys(std::vector<Value> keys) : keys_(std::move(keys)), live_(keys_.size()) {
    for (size_t i = 0; i < keys_.size(); ++i) places_[keys_[i]].push_back(i);
    stale_.resize(keys_.size());
    is_dead_.resize(keys_.size());
  }

  bool has_deletions() const { return live_ < keys_.size(); }

  // Deletes all keys that are equal to `key`.
  void Delete(const Value& key) {
    const auto found = places_.find(key);
    if (found == places_.end()) return;
    for (const size_t place : found->second) {
      while (is_dead_[last_ - 1]) --last_;
      // The elements after it move forward by one, and a copy of the last one stays behind.
      stale_[--live_] = last_ - 1;
      is_dead_[place] = true;
    }
    places_.erase(found);
  }

  // Returns the contents of the slice's memory after `added` was appended, over old values, in
  // order.
  std::vector<Value> Take(const std::vector<const Value*>& added) && {
    std::vector<Value> result;
    result.reserve(keys_.size());
    for (size_t i = 0; i < keys_.size(); ++i) {
      if (!is_dead_[i]) result.push_back(keys_[i]);
    }
    for (const Value* key : added) {
      if (result.size() == keys_.size()) break;
      if (places_.try_emplace(*key).second) result.push_back(*key);
    }
    while (result.size() < keys_.size()) result.push_back(keys_[stale_[result.size()]]);
    return result;
  }

 private:
  const std::vector<Value> keys_;
  // The positions of the keys that are not deleted.
  absl::flat_hash_map<Value, std::vector<size_t>> places_;
  std::vector<bool> is_dead_;
  // By position in the result: the index in `keys_` of the value that stayed there.
  std::vector<size_t> stale_;
  size_t live_;
  // No key from this index on is left.
  size_t last_ = keys_.size();
};

// Returns the order that upstream uses as the server's after it has merged a patch with an order:
// its list, from which elements were deleted in place and to which elements were added.
absl::StatusOr<KeyIndex> OrderAfterDeletions(const List<Value>& original, const List<Value>* patch,
                                             const ElementKind& kind) {
  KUBE_ASSIGN_OR_RETURN(KeyIndex order, KeyIndex::Of(original, kind));
  if (patch == nullptr || !kind.objects) return order;
  const auto is_deletion = [](const Value& element) {
    const Value* directive = element.Find(kDirective);
    return directive != nullptr && directive->text() == kDelete;
  };
  if (std::none_of(patch->begin(), patch->end(), is_deletion)) return order;
  std::vector<Value> all;
  all.reserve(original.size());
  for (const Value& element : original) all.push_back(*element.Find(kind.merge_key));
  InPlaceKeys keys(std::move(all));
  for (const Value& element : *patch) {
    const Value* key = element.Find(kind.merge_key);
    if (key != nullptr && is_deletion(element)) keys.Delete(*key);
  }
  if (!keys.has_deletions()) return order;
  // New elements take the memory of deleted ones.
  std::vector<const Value*> added;
  const bool replace = std::any_of(patch->begin(), patch->end(), IsReplaceDirective);
  for (const Value& element : *patch) {
    const Value* key = element.Find(kind.merge_key);
    if (replace || key == nullptr || element.Find(kDirective) != nullptr) continue;
    added.push_back(key);
  }
  order = KeyIndex();
  for (const Value& key : std::move(keys).Take(added)) order.Append(key);
  return order;
}

}  // namespace

bool RemoveDirectives(Value& value) {
  if (Map<Value>* object = value.object(); object != nullptr) {
    if (object->contains(kDirective)) return false;
    kube::table::EraseIf(*object,
                         [](Map<Value>::Entry& member) { return !RemoveDirectives(member.value); });
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
      // Upstream checks elements with other directives only at the end of the order.
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
