// Functions of lists and sets.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/cel/internal/equality.h"
#include "apimachinery/cel/internal/key.h"
#include "apimachinery/cel/internal/library/extensions.h"
#include "apimachinery/cel/internal/library/standard_library.h"

namespace kube::cel::internal {
namespace {

// More elements cost more than an API server allows.
constexpr size_t kMaxElements = 1'000'000;

Value Size(size_t size) { return Value::FromInt(static_cast<int64_t>(size)); }

std::vector<TypePtr> ComparableTypes() {
  return {IntType(),      UintType(),      DoubleType(), BoolType(),
          DurationType(), TimestampType(), StringType(), BytesType()};
}

// Returns the name of a type in the ids of overloads.
std::string ShortName(const Type& type) {
  if (type.kind == TypeKind::kDuration) return "duration";
  return type.kind == TypeKind::kTimestamp ? "timestamp" : type.name;
}

// ---- of Kubernetes

Value IsSorted(const Call& call) {
  const ListValue& list = call[0].list();
  for (size_t i = 0; i < list.size() && call.budget.Work(); ++i) {
    const Value element = list.At(i);
    if (element.is_error()) return element;
    if (!IsComparable(element)) return NoSuchOverload();
    if (i == 0) continue;
    const Value order = CompareValues(list.At(i - 1), element);
    if (order.is_int() && order.integer() > 0) return Value::FromBool(false);
  }
  return Value::FromBool(true);
}

template <TypeKind kind>
Value Sum(const Call& call) {
  Value sum = kind == TypeKind::kInt      ? Value::FromInt(0)
              : kind == TypeKind::kUint   ? Value::FromUint(0)
              : kind == TypeKind::kDouble ? Value::FromDouble(0)
                                          : Value::FromDuration(0);
  const ListValue& list = call[0].list();
  for (size_t i = 0; i < list.size() && call.budget.Work(); ++i) {
    const Value element = list.At(i);
    if (element.is_error()) return element;
    const Value pair[] = {sum, element};
    sum = AddValues(
        {.function = "_+_", .arguments = pair, .budget = call.budget, .regexps = call.regexps});
    if (sum.is_error()) return sum;
  }
  return sum;
}

// Returns the first element before which no other comes: in ascending order if `sign` is 1, in
// descending order if it is -1.
Value Extreme(const Call& call, int64_t sign, absl::string_view name) {
  const ListValue& list = call[0].list();
  std::optional<Value> best;
  for (size_t i = 0; i < list.size() && call.budget.Work(); ++i) {
    Value element = list.At(i);
    if (element.is_error()) return element;
    if (!IsComparable(element)) return NoSuchOverload();
    if (best.has_value()) {
      const Value order = CompareValues(*best, element);
      if (!order.is_int() || order.integer() != sign) continue;
    }
    best = std::move(element);
  }
  if (!best.has_value()) return Value::Error(absl::StrCat(name, " called on empty list"));
  return *best;
}

Value Min(const Call& call) { return Extreme(call, 1, "min"); }
Value Max(const Call& call) { return Extreme(call, -1, "max"); }

Value IndexInList(const Call& call) {
  const ListValue& list = call[0].list();
  for (size_t i = 0; i < list.size() && !call.budget.stopped(); ++i) {
    if (EqualBy(list.At(i), call[1], call.budget).IsTrue()) return Size(i);
  }
  return Value::FromInt(-1);
}

Value LastIndexInList(const Call& call) {
  const ListValue& list = call[0].list();
  for (size_t i = list.size(); i > 0 && !call.budget.stopped(); --i) {
    if (EqualBy(list.At(i - 1), call[1], call.budget).IsTrue()) return Size(i - 1);
  }
  return Value::FromInt(-1);
}

// ---- of cel-go

std::vector<Value> Part(const ListValue& list, size_t start, size_t end, Budget& budget) {
  std::vector<Value> part;
  part.reserve(end - start);
  for (size_t i = start; i < end && budget.Work(); ++i) part.push_back(list.At(i));
  return part;
}

Value Slice(const Call& call) {
  const ListValue& list = call[0].list();
  const int64_t start = call[1].integer();
  const int64_t end = call[2].integer();
  const std::string range = absl::StrCat("cannot slice(", start, ", ", end, "), ");
  if (start < 0 || end < 0) return Value::Error(range + "negative indexes not supported");
  if (start > end) {
    return Value::Error(range + "start index must be less than or equal to end index");
  }
  if (static_cast<uint64_t>(end) > list.size()) {
    return Value::Error(absl::StrCat(range, "list is length ", list.size()));
  }
  return Value::FromList(
      Part(list, static_cast<size_t>(start), static_cast<size_t>(end), call.budget));
}

// Appends the elements of a list, and instead of lists their elements, down to a depth.
bool AppendFlat(const ListValue& list, int64_t depth, Budget& budget, std::vector<Value>& flat) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (!budget.Work() || flat.size() > kMaxElements) return false;
    Value element = list.At(i);
    if (element.is_list() && depth > 0) {
      if (!AppendFlat(element.list(), depth - 1, budget, flat)) return false;
    } else {
      flat.push_back(std::move(element));
    }
  }
  return true;
}

Value Flatten(const Call& call) {
  constexpr int64_t kMaxDepth = 1'000;
  const int64_t depth = call.size() > 1 ? call[1].integer() : 1;
  if (depth < 0) return Value::Error("level must be non-negative");
  std::vector<Value> flat;
  if (!AppendFlat(call[0].list(), std::min(depth, kMaxDepth), call.budget, flat)) {
    return Value::Error("list is too large");
  }
  return Value::FromList(std::move(flat));
}

// Sorts `list` by `keys`, which has a key for each element.
Value SortBy(const ListValue& list, const ListValue& keys, Budget& budget) {
  if (list.size() != keys.size()) {
    return Value::Error(absl::StrCat(
        "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but "
        "got ",
        list.size(), " and ", keys.size(), " elements respectively"));
  }
  const std::vector<Value> key_values = Part(keys, 0, keys.size(), budget);
  if (budget.stopped() || key_values.empty()) return Value::FromList(std::vector<Value>());
  if (!IsComparable(key_values[0])) return Value::Error("list elements must be comparable");
  for (const Value& key : key_values) {
    if (key.kind() != key_values[0].kind()) {
      return Value::Error("list elements must have the same type");
    }
  }
  std::vector<size_t> order(key_values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    budget.Work();
    const Value compared = CompareValues(key_values[a], key_values[b]);
    return compared.is_int() && compared.integer() < 0;
  });
  std::vector<Value> sorted;
  sorted.reserve(order.size());
  for (const size_t i : order) sorted.push_back(list.At(i));
  return Value::FromList(std::move(sorted));
}

Value Sort(const Call& call) {
  if (!call[0].is_list()) return NotApplicable(call);
  return SortBy(call[0].list(), call[0].list(), call.budget);
}

Value SortByKeys(const Call& call) {
  if (!call[0].is_list()) return NotApplicable(call);
  if (!call[1].is_list()) return NoSuchOverload(call);
  return SortBy(call[0].list(), call[1].list(), call.budget);
}

Value Range(const Call& call) {
  const int64_t count = std::max<int64_t>(call[0].integer(), 0);
  if (static_cast<uint64_t>(count) > kMaxElements) return Value::Error("list is too large");
  std::vector<Value> numbers;
  numbers.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count && call.budget.Work(); ++i) numbers.push_back(Value::FromInt(i));
  return Value::FromList(std::move(numbers));
}

Value Reverse(const Call& call) {
  const ListValue& list = call[0].list();
  std::vector<Value> elements = Part(list, 0, list.size(), call.budget);
  std::reverse(elements.begin(), elements.end());
  return Value::FromList(std::move(elements));
}

Value Distinct(const Call& call) {
  const ListValue& list = call[0].list();
  std::vector<Value> distinct;
  std::vector<Value> others;  // those without a key
  absl::flat_hash_set<std::string> keys;
  for (size_t i = 0; i < list.size() && call.budget.Work(); ++i) {
    Value element = list.At(i);
    bool is_new = true;
    if (std::optional<std::string> key = KeyText(element)) {
      is_new = keys.insert(*std::move(key)).second;
    } else {
      is_new = std::none_of(others.begin(), others.end(), [&](const Value& other) {
        return EqualBy(element, other, call.budget).IsTrue();
      });
      if (is_new) others.push_back(element);
    }
    if (is_new) distinct.push_back(std::move(element));
  }
  return Value::FromList(std::move(distinct));
}

// ---- sets

// Returns true if `list` contains all elements of `part`; otherwise false or an error.
Value ContainsAll(const Value& list, const Value& part, Budget& budget) {
  for (size_t i = 0; i < part.list().size() && !budget.stopped(); ++i) {
    Value contains = Contains(list, part.list().At(i), budget);
    if (!contains.IsTrue()) return contains;
  }
  return Value::FromBool(true);
}

Value SetsContain(const Call& call) { return ContainsAll(call[0], call[1], call.budget); }

Value SetsEquivalent(const Call& call) {
  Value contains = ContainsAll(call[0], call[1], call.budget);
  return contains.IsTrue() ? ContainsAll(call[1], call[0], call.budget) : contains;
}

Value SetsIntersect(const Call& call) {
  for (size_t i = 0; i < call[0].list().size() && !call.budget.stopped(); ++i) {
    if (Contains(call[1], call[0].list().At(i), call.budget).IsTrue()) {
      return Value::FromBool(true);
    }
  }
  return Value::FromBool(false);
}

void AddKubernetesLists(Functions& functions) {
  for (const TypePtr& type : ComparableTypes()) {
    const std::string name = ShortName(*type);
    const TypePtr list = ListType(type);
    functions.AddMember("isSorted", absl::StrCat("list_", name, "_is_sorted_bool"), {list},
                        BoolType(), IsSorted);
    functions.AddMember("max", absl::StrCat("list_", name, "_max_", name), {list}, type, Max);
    functions.AddMember("min", absl::StrCat("list_", name, "_min_", name), {list}, type, Min);
  }
  functions.AddMember("sum", "list_int_sum_int", {ListType(IntType())}, IntType(),
                      Sum<TypeKind::kInt>);
  functions.AddMember("sum", "list_uint_sum_uint", {ListType(UintType())}, UintType(),
                      Sum<TypeKind::kUint>);
  functions.AddMember("sum", "list_double_sum_double", {ListType(DoubleType())}, DoubleType(),
                      Sum<TypeKind::kDouble>);
  functions.AddMember("sum", "list_duration_sum_duration", {ListType(DurationType())},
                      DurationType(), Sum<TypeKind::kDuration>);
  const TypePtr a = TypeParameter("A");
  functions.AddMember("indexOf", "list_a_index_of_int", {ListType(a), a}, IntType(), IndexInList);
  functions.AddMember("lastIndexOf", "list_a_last_index_of_int", {ListType(a), a}, IntType(),
                      LastIndexInList);
}

}  // namespace

void AddListExtensions(Functions& functions) {
  AddKubernetesLists(functions);
  const TypePtr list = ListType(TypeParameter("T"));
  functions.AddMember("slice", "list_slice", {list, IntType(), IntType()}, list, Slice);
  functions.AddMember("flatten", "list_flatten", {ListType(list)}, list, Flatten);
  functions.AddMember("flatten", "list_flatten_int", {ListType(DynType()), IntType()},
                      ListType(DynType()), Flatten);
  functions.SetUnguarded("flatten");
  for (const TypePtr& type : ComparableTypes()) {
    functions.AddMember("sort", absl::StrCat("list_", type->name, "_sort"), {ListType(type)},
                        ListType(type));
    functions.AddMember("@sortByAssociatedKeys",
                        absl::StrCat("list_", type->name, "_sortByAssociatedKeys"),
                        {list, ListType(type)}, list);
  }
  functions.SetCommon("sort", Sort);
  functions.SetCommon("@sortByAssociatedKeys", SortByKeys);
  functions.AddGlobal("lists.range", "lists_range", {IntType()}, ListType(IntType()), Range);
  functions.AddMember("reverse", "list_reverse", {list}, list, Reverse);
  functions.AddMember("distinct", "list_distinct", {list}, list, Distinct);
}

void AddSetExtensions(Functions& functions) {
  const TypePtr list = ListType(TypeParameter("T"));
  functions.AddGlobal("sets.contains", "list_sets_contains_list", {list, list}, BoolType(),
                      SetsContain);
  functions.AddGlobal("sets.equivalent", "list_sets_equivalent_list", {list, list}, BoolType(),
                      SetsEquivalent);
  functions.AddGlobal("sets.intersects", "list_sets_intersects_list", {list, list}, BoolType(),
                      SetsIntersect);
}

}  // namespace kube::cel::internal
