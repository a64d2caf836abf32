#include "apimachinery/patch/internal/strategic_conflicts.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
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
#include "apimachinery/patch/internal/patch_schema.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/go_format.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch::internal {
namespace {

using unstructured::Value;
using unstructured::ValueType;

using Elements = std::map<std::string, const Value*>;

absl::StatusOr<Elements> ByMergeKey(const List<Value>& list, absl::string_view merge_key) {
  Elements elements;
  for (const Value& element : list) {
    KUBE_ASSIGN_OR_RETURN(const Value* key,
                          KeyOf(element, {.objects = true, .merge_key = merge_key}));
    elements[unstructured::FormatAsGoString(*key)] = &element;
  }
  return elements;
}

List<Value> Sorted(List<Value> scalars) {
  DropDuplicates(scalars);
  std::vector<std::string> texts;
  for (const Value& scalar : scalars) texts.push_back(unstructured::FormatAsGo(scalar));
  List<Value> sorted;
  for (const size_t i :
       SortAsGo(texts.size(), [&](size_t a, size_t b) { return texts[a] <= texts[b]; })) {
    sorted.push_back(std::move(scalars[i]));
  }
  return sorted;
}

// Each function returns whether there is a conflict, and leaves its path in `path_`.
class Finder {
 public:
  absl::StatusOr<bool> CompareMembers(const Map<Value>& left, const Map<Value>& right,
                                      const PatchSchema& schema) {
    for (const auto& [key, value] : left) {
      if (key == kDirective || key == kRetainKeys) continue;
      const Value* other = right.find(key);
      if (other == nullptr) continue;
      const size_t size = path_.size();
      absl::StrAppend(&path_, path_.empty() ? "" : ".", key.view());
      KUBE_ASSIGN_OR_RETURN(const bool conflicts, CompareMember(key, value, *other, schema));
      if (conflicts) return true;
      path_.resize(size);
    }
    return false;
  }

  std::string TakePath() { return std::move(path_); }

 private:
  absl::StatusOr<bool> CompareMember(absl::string_view key, const Value& left, const Value& right,
                                     const PatchSchema& schema) {
    if (left.is_list()) {
      KUBE_ASSIGN_OR_RETURN(const MemberSchema list, schema.FindList(key));
      return Compare(left, right, list);
    }
    if (left.is_object()) {
      KUBE_ASSIGN_OR_RETURN(const MemberSchema member, schema.FindMember(key));
      return Compare(left, right, member);
    }
    return !(left == right);
  }

  // (client-go: `mergingMapFieldsHaveConflicts`)
  absl::StatusOr<bool> Compare(const Value& left, const Value& right, const MemberSchema& member) {
    if (left.type() != right.type()) return true;
    if (left.is_list()) return CompareLists(*left.list(), *right.list(), member);
    if (!left.is_object()) return !(left == right);
    const Value* directive = left.Find(kDirective);
    const Value* other = right.Find(kDirective);
    if ((directive == nullptr) != (other == nullptr)) return true;
    if (directive != nullptr) {
      KUBE_ASSIGN_OR_RETURN(const bool is_same, SameScalar(*directive, *other));
      if (!is_same) return true;
    }
    if (member.replace) return false;
    return CompareMembers(*left.object(), *right.object(), member.schema);
  }

  // (client-go: `slicesHaveConflicts`)
  absl::StatusOr<bool> CompareLists(const List<Value>& left, const List<Value>& right,
                                    const MemberSchema& list) {
    KUBE_ASSIGN_OR_RETURN(const ValueType type, ElementType(&left, &right));
    const bool has_objects = type == ValueType::kObject;
    // Lists of scalars that are merged never conflict.
    if (list.merge) return has_objects ? CompareMerging(left, right, list) : false;
    if (left.size() != right.size()) return true;
    if (has_objects) return CompareElements(left, right, list.schema);
    const List<Value> sorted = Sorted(left), other = Sorted(right);
    if (sorted.size() > other.size()) return true;
    return !std::equal(sorted.begin(), sorted.end(), other.begin());
  }

  absl::StatusOr<bool> CompareElements(const List<Value>& left, const List<Value>& right,
                                       const PatchSchema& schema) {
    for (size_t i = 0; i < left.size(); ++i) {
      KUBE_ASSIGN_OR_RETURN(const bool conflicts,
                            Compare(left[i], right[i], MemberSchema{.schema = schema}));
      if (conflicts) return true;
    }
    return false;
  }

  absl::StatusOr<bool> CompareMerging(const List<Value>& left, const List<Value>& right,
                                      const MemberSchema& list) {
    KUBE_ASSIGN_OR_RETURN(const Elements elements, ByMergeKey(left, list.merge_key));
    KUBE_ASSIGN_OR_RETURN(const Elements others, ByMergeKey(right, list.merge_key));
    for (const auto& [key, element] : elements) {
      const auto other = others.find(key);
      if (other == others.end()) continue;
      KUBE_ASSIGN_OR_RETURN(const bool conflicts,
                            Compare(*element, *other->second, MemberSchema{.schema = list.schema}));
      if (conflicts) return true;
    }
    return false;
  }

  std::string path_;
};

}  // namespace

absl::StatusOr<std::optional<std::string>> FindStrategicConflict(const Map<Value>& left,
                                                                 const Map<Value>& right,
                                                                 const PatchSchema& schema) {
  // As for members: the patches themselves may have a directive too.
  const Value* directive = left.find(kDirective);
  const Value* other = right.find(kDirective);
  if ((directive == nullptr) != (other == nullptr)) return std::string(kDirective);
  if (directive != nullptr) {
    KUBE_ASSIGN_OR_RETURN(const bool is_same, SameScalar(*directive, *other));
    if (!is_same) return std::string(kDirective);
  }
  Finder finder;
  KUBE_ASSIGN_OR_RETURN(const bool conflicts, finder.CompareMembers(left, right, schema));
  if (!conflicts) return std::nullopt;
  return finder.TakePath();
}

}  // namespace kube::patch::internal
