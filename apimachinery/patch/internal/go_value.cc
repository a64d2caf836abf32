#include "apimachinery/patch/internal/go_value.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/map_edit.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch::internal {
namespace {

using unstructured::Value;
using unstructured::ValueType;

absl::string_view NameOf(ValueType type) {
  switch (type) {
    case ValueType::kNull:
      return "null";
    case ValueType::kBool:
      return "bool";
    case ValueType::kInt:
    case ValueType::kDouble:
      return "number";
    case ValueType::kString:
      return "string";
    case ValueType::kList:
      return "list";
    case ValueType::kObject:
      return "object";
  }
  return "";
}

bool SameObjects(const Map<Value>& a, const Map<Value>& b) {
  if (a.size() != b.size()) return false;
  const auto* other = b.begin();
  for (const auto& [key, member] : a) {
    if (key != other->key || !SameJson(member, other->value)) return false;
    ++other;
  }
  return true;
}

bool SameLists(const List<Value>& a, const List<Value>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!SameJson(a[i], b[i])) return false;
  }
  return true;
}

struct HashOfPointee {
  size_t operator()(const Value* value) const { return absl::Hash<Value>()(*value); }
};
struct EqualPointees {
  bool operator()(const Value* a, const Value* b) const { return *a == *b; }
};

// Returns for each element the index of the first element that equals it.
std::vector<size_t> Classes(const List<Value>& elements) {
  absl::flat_hash_map<const Value*, size_t, HashOfPointee, EqualPointees> first;
  std::vector<size_t> classes;
  classes.reserve(elements.size());
  for (const Value& element : elements) {
    classes.push_back(first.try_emplace(&element, classes.size()).first->second);
  }
  return classes;
}

}  // namespace

absl::StatusOr<bool> SameScalar(const Value& a, const Value& b) {
  if (a.type() != b.type()) return false;
  if (IsUnhashable(a)) return UnhashableError();
  return a == b;
}

absl::Status UnhashableError() {
  return absl::InvalidArgumentError("merge key must be a scalar, got a list or an object");
}

void DropDuplicates(List<Value>& scalars) {
  const std::vector<size_t> classes = Classes(scalars);
  const bool all_differ =
      std::adjacent_find(classes.begin(), classes.end(), std::greater_equal<>()) == classes.end();
  if (all_differ) return;
  std::vector<std::set<size_t>> places(scalars.size());
  for (size_t i = 0; i < classes.size(); ++i) places[classes[i]].insert(i);
  std::vector<size_t> left(scalars.size());
  std::iota(left.begin(), left.end(), size_t{0});
  for (size_t i = 0; i + 1 < left.size(); ++i) {
    std::set<size_t>& equal = places[classes[left[i]]];
    for (auto at = equal.upper_bound(i); at != equal.end(); at = equal.upper_bound(i)) {
      const size_t place = *at;
      equal.erase(at);
      // The last element takes its place.
      const size_t last = left.size() - 1;
      if (place < last) {
        left[place] = left[last];
        places[classes[left[last]]].erase(last);
        places[classes[left[last]]].insert(place);
      }
      left.pop_back();
    }
  }
  List<Value> result = List<Value>::Empty();
  result.reserve(left.size());
  for (const size_t i : left) result.push_back(std::move(scalars[i]));
  scalars = std::move(result);
}

void DropNulls(Value& value) {
  if (Map<Value>* object = value.object(); object != nullptr) {
    kube::table::EraseIf(*object, [](Map<Value>::Entry& member) {
      if (member.value.is_null()) return true;
      DropNulls(member.value);
      return false;
    });
  } else if (List<Value>* list = value.list(); list != nullptr) {
    for (Value& element : *list) DropNulls(element);
  }
}

bool SameJson(const Value& a, const Value& b) {
  if (a.is_int() && b.is_int()) return *a.integer() == *b.integer();
  if (a.is_number() && b.is_number()) return *a.number() == *b.number();
  if (a.object() != nullptr && b.object() != nullptr) return SameObjects(*a.object(), *b.object());
  if (a.list() != nullptr && b.list() != nullptr) return SameLists(*a.list(), *b.list());
  return a == b;
}

absl::Status TypeError(ValueType expected, const Value& actual) {
  const auto with_article = [](absl::string_view name) {
    return absl::StrCat(name == "object" ? "an " : name == "null" ? "" : "a ", name);
  };
  return absl::InvalidArgumentError(absl::StrCat("expected ", with_article(NameOf(expected)),
                                                 ", but received ",
                                                 with_article(NameOf(actual.type()))));
}

absl::StatusOr<ValueType> ElementType(const List<Value>* a, const List<Value>* b) {
  std::optional<ValueType> type;
  for (const List<Value>* list : {a, b}) {
    if (list == nullptr) continue;
    for (const Value& element : *list) {
      if (!type.has_value()) {
        type = element.type();
        if (type == ValueType::kNull) {
          return absl::InvalidArgumentError("lists of null are not supported");
        }
        if (type == ValueType::kList) {
          return absl::InvalidArgumentError("lists of lists are not supported");
        }
      } else if (type != element.type()) {
        return absl::InvalidArgumentError("list element types are not identical");
      }
    }
  }
  if (type.has_value()) return *type;
  return absl::InvalidArgumentError("no elements in any of the given lists");
}

}  // namespace kube::patch::internal
