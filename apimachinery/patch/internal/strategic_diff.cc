#include "apimachinery/patch/internal/strategic_diff.h"

// Computes a strategic merge patch by a recursive walk over two objects, with the schema of each
// member (diffMaps upstream). DiffValues decides by the types: objects are compared again, lists
// that are merged are compared element by element, and everything else is replaced.
//
// Lists are sorted first, scalars by their text and objects by the text of their merge key, and
// then walked over in parallel; this finds what is new, removed or changed. Removed scalars go into
// $deleteFromPrimitiveList, and removed objects into elements with "$patch": "delete".
// $setElementOrder has the keys of the modified list in its order. Where upstream's result depends
// on details of Go's sort or of its in-place changes, these are imitated (see element_order.h).

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/patch/internal/directives.h"
#include "apimachinery/patch/internal/element_order.h"
#include "apimachinery/patch/internal/go_value.h"
#include "apimachinery/patch/internal/map_editor.h"
#include "apimachinery/patch/internal/patch_schema.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/go_format.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch::internal {
namespace {

using unstructured::Value;
using unstructured::ValueType;

// What a patch has for a list: elements to add or change, scalars to delete, and the order.
struct ListDifference {
  List<Value> patch;
  List<Value> deletions;
  List<Value> order;
};

// An element with the text by which upstream sorts it: its own, or that of its merge key.
struct SortedElement {
  const Value* element = nullptr;
  const Value* key = nullptr;  // null: it has none
  std::string text;
};

std::vector<SortedElement> Sort(const List<Value>& list, const ElementKind& kind) {
  std::vector<SortedElement> elements;
  elements.reserve(list.size());
  for (const Value& element : list) {
    const Value* key = kind.objects ? element.Find(kind.merge_key) : &element;
    elements.push_back({&element, key, unstructured::FormatAsGo(key == nullptr ? Value() : *key)});
  }
  const std::vector<size_t> order = SortAsGo(
      elements.size(), [&](size_t a, size_t b) { return elements[a].text <= elements[b].text; });
  std::vector<SortedElement> sorted;
  sorted.reserve(order.size());
  for (const size_t i : order) sorted.push_back(std::move(elements[i]));
  return sorted;
}

// (client-go: `diffListsOfScalars`)
absl::StatusOr<ListDifference> DiffScalars(const List<Value>& original, const List<Value>& modified,
                                           const StrategicDiffOptions& options) {
  const std::vector<SortedElement> before = Sort(original, {});
  const std::vector<SortedElement> after = Sort(modified, {});
  ListDifference difference;
  size_t i = 0, k = 0;
  while (i < before.size() || k < after.size()) {
    const int order = i == before.size()  ? 1
                      : k == after.size() ? -1
                                          : before[i].text.compare(after[k].text);
    if (order < 0 && !options.ignore_deletions) {
      difference.deletions.push_back(*before[i].element);
    } else if (order > 0 && !options.ignore_changes_and_additions) {
      difference.patch.push_back(*after[k].element);
    }
    i += order <= 0 ? 1 : 0;
    k += order >= 0 ? 1 : 0;
  }
  DropDuplicates(difference.deletions);
  KUBE_ASSIGN_OR_RETURN(const KeyIndex order, KeyIndex::Of(modified, {}));
  KUBE_ASSIGN_OR_RETURN(difference.patch, NormalizeOrder(std::move(difference.patch), order, {}));
  // Upstream compares after it has sorted the original in place, so an original that was not sorted
  // gets an order although nothing has changed.
  const bool is_same =
      std::equal(before.begin(), before.end(), modified.begin(), modified.end(),
                 [](const SortedElement& a, const Value& b) { return *a.element == b; });
  if (options.set_element_order && ((!options.ignore_deletions && !difference.deletions.empty()) ||
                                    (!options.ignore_changes_and_additions && !is_same))) {
    difference.order = modified;
  }
  return difference;
}

// Adds the patches of elements that both lists have, the new elements, and a delete directive for
// each removed element (client-go: `diffListsOfMaps`).
absl::Status DiffElements(const std::vector<SortedElement>& before,
                          const std::vector<SortedElement>& after, const PatchSchema& schema,
                          absl::string_view merge_key, const StrategicDiffOptions& options,
                          ListDifference& difference) {
  size_t i = 0, k = 0;
  while (i < before.size() || k < after.size()) {
    if ((i < before.size() && before[i].key == nullptr) ||
        (k < after.size() && after[k].key == nullptr)) {
      return NoMergeKeyError(merge_key);
    }
    const int order = i == before.size()  ? 1
                      : k == after.size() ? -1
                                          : before[i].text.compare(after[k].text);
    if (order == 0) {
      KUBE_ASSIGN_OR_RETURN(Map<Value> patch,
                            DiffStrategically(*before[i].element->object(),
                                              *after[k].element->object(), schema, options));
      if (!patch.empty()) {
        patch[merge_key] = *after[k].key;
        difference.patch.push_back(std::move(patch));
      }
    } else if (order < 0 && !options.ignore_deletions) {
      Map<Value> deletion = {{kDirective, kDelete}};
      deletion[merge_key] = *before[i].key;
      difference.deletions.push_back(std::move(deletion));
    } else if (order > 0 && !options.ignore_changes_and_additions) {
      difference.patch.push_back(*after[k].element);
    }
    i += order <= 0 ? 1 : 0;
    k += order >= 0 ? 1 : 0;
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> IsOrderSame(const List<Value>& original, const List<Value>& modified,
                                 const ElementKind& kind) {
  if (original.size() != modified.size()) return false;
  for (size_t i = 0; i < original.size(); ++i) {
    KUBE_ASSIGN_OR_RETURN(const Value* before, KeyOf(original[i], kind));
    KUBE_ASSIGN_OR_RETURN(const Value* after, KeyOf(modified[i], kind));
    KUBE_ASSIGN_OR_RETURN(const bool is_same, SameScalar(*before, *after));
    if (!is_same) return false;
  }
  return true;
}

absl::StatusOr<ListDifference> DiffObjects(const List<Value>& original, const List<Value>& modified,
                                           const PatchSchema& schema, absl::string_view merge_key,
                                           const StrategicDiffOptions& options) {
  const ElementKind kind = {.objects = true, .merge_key = merge_key};
  ListDifference difference;
  KUBE_RETURN_IF_ERROR(DiffElements(Sort(original, kind), Sort(modified, kind), schema, merge_key,
                                    options, difference));
  KUBE_ASSIGN_OR_RETURN(const KeyIndex order, KeyIndex::Of(modified, kind));
  KUBE_ASSIGN_OR_RETURN(difference.patch, NormalizeOrder(std::move(difference.patch), order, kind));
  KUBE_ASSIGN_OR_RETURN(const bool is_order_same, IsOrderSame(original, modified, kind));
  for (Value& deletion : difference.deletions) difference.patch.push_back(std::move(deletion));
  difference.deletions = {};
  const bool has_patch = !difference.patch.empty();
  if (options.set_element_order &&
      ((!options.ignore_changes_and_additions && (has_patch || !is_order_same)) ||
       (!options.ignore_deletions && has_patch))) {
    for (const Value& element : modified) {
      Map<Value> handle;
      handle[merge_key] = *element.Find(merge_key);
      difference.order.push_back(std::move(handle));
    }
  }
  return difference;
}

// (client-go: `diffLists`)
absl::StatusOr<ListDifference> DiffLists(const List<Value>& original, const List<Value>& modified,
                                         const PatchSchema& schema, absl::string_view merge_key,
                                         const StrategicDiffOptions& options) {
  if (original.empty()) {
    if (options.ignore_changes_and_additions) return ListDifference{};
    return ListDifference{.patch = modified, .deletions = {}, .order = {}};
  }
  KUBE_ASSIGN_OR_RETURN(const ValueType type, ElementType(&original, &modified));
  if (type == ValueType::kObject) {
    return DiffObjects(original, modified, schema, merge_key, options);
  }
  return DiffScalars(original, modified, options);
}

void ReplaceIfDifferent(absl::string_view key, const Value& original, const Value& modified,
                        const StrategicDiffOptions& options, MapEditor& patch) {
  if (options.ignore_changes_and_additions || original == modified) return;
  patch[key] = modified;
}

// (client-go: `handleMapDiff`)
absl::Status DiffMember(absl::string_view key, const Value& original, const Value& modified,
                        const PatchSchema& schema, StrategicDiffOptions options, MapEditor& patch) {
  const absl::StatusOr<MemberSchema> member = schema.FindMember(key);
  if (!member.ok()) return original == modified ? absl::OkStatus() : member.status();
  options.build_retain_keys = member->retain_keys;
  if (member->replace) {
    // As upstream, also if the values are equal.
    if (!options.ignore_changes_and_additions) patch[key] = modified;
    return absl::OkStatus();
  }
  KUBE_ASSIGN_OR_RETURN(
      Map<Value> difference,
      DiffStrategically(*original.object(), *modified.object(), member->schema, options));
  if (!difference.empty()) patch[key] = std::move(difference);
  return absl::OkStatus();
}

// (client-go: `handleSliceDiff`)
absl::Status DiffListMember(absl::string_view key, const Value& original, const Value& modified,
                            const PatchSchema& schema, StrategicDiffOptions options,
                            MapEditor& patch) {
  const absl::StatusOr<MemberSchema> member = schema.FindList(key);
  if (!member.ok()) return original == modified ? absl::OkStatus() : member.status();
  if (!member->merge) {
    ReplaceIfDifferent(key, original, modified, options, patch);
    return absl::OkStatus();
  }
  options.build_retain_keys = member->retain_keys;
  KUBE_ASSIGN_OR_RETURN(
      ListDifference difference,
      DiffLists(*original.list(), *modified.list(), member->schema, member->merge_key, options));
  if (!difference.patch.empty()) patch[key] = std::move(difference.patch);
  if (!difference.deletions.empty()) {
    patch[ListDirective(kDeleteFromPrimitiveList, key)] = std::move(difference.deletions);
  }
  if (!difference.order.empty()) {
    patch[ListDirective(kSetElementOrder, key)] = std::move(difference.order);
  }
  return absl::OkStatus();
}

// Compares a member that both objects have.
absl::Status DiffValues(absl::string_view key, const Value& original, const Value& modified,
                        const PatchSchema& schema, const StrategicDiffOptions& options,
                        MapEditor& patch) {
  if (key == kDirective) {
    if (!original.is_string() || !modified.is_string()) {
      return absl::InvalidArgumentError(absl::StrCat("invalid value for special key: ", key));
    }
    if (!(original == modified)) patch[key] = modified;
    return absl::OkStatus();
  }
  if (original.type() == modified.type()) {
    if (original.is_object()) return DiffMember(key, original, modified, schema, options, patch);
    if (original.is_list()) return DiffListMember(key, original, modified, schema, options, patch);
  }
  ReplaceIfDifferent(key, original, modified, options, patch);
  return absl::OkStatus();
}

// Adds the members that an object with the strategy retainKeys keeps (client-go: the end of
// `diffMaps`).
void AddRetainKeys(const Map<Value>& original, const Map<Value>& modified, Map<Value>& patch) {
  List<Value> kept;
  for (const auto& [key, value] : modified) {
    if (!value.is_null()) kept.push_back(key);
  }
  const bool has_gone =
      std::any_of(original.begin(), original.end(), [&](const Map<Value>::Entry& entry) {
        return !entry.value.is_null() && !modified.contains(entry.key);
      });
  if (!kept.empty() && (!patch.empty() || has_gone)) patch[kRetainKeys] = std::move(kept);
}

}  // namespace

absl::StatusOr<Map<Value>> DiffStrategically(const Map<Value>& original, const Map<Value>& modified,
                                             const PatchSchema& schema,
                                             const StrategicDiffOptions& options) {
  Map<Value> patch = Map<Value>::Empty();
  MapEditor editor(patch);
  for (const auto& [key, value] : modified) {
    const Value* before = original.find(key);
    if (before != nullptr) {
      KUBE_RETURN_IF_ERROR(DiffValues(key, *before, value, schema, options, editor));
    } else if (!options.ignore_changes_and_additions) {
      editor[key] = value;
    }
  }
  if (!options.ignore_deletions) {
    for (const auto& [key, value] : original) {
      if (!modified.contains(key)) editor[key] = Value();
    }
  }
  editor.Commit();
  if (options.build_retain_keys) AddRetainKeys(original, modified, patch);
  return patch;
}

}  // namespace kube::patch::internal
