#include "apimachinery/cel/internal/equality.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "apimachinery/cel/internal/objects/go_key.h"
#include "apimachinery/cel/internal/objects/object_values.h"
#include "apimachinery/cel/internal/time.h"
#include "apimachinery/cel/type.h"

namespace kube::cel::internal {
namespace {

// Deeper values are not compared: recursion has a bound.
constexpr int kMaxDepth = 1'000;

Value NoSuchOverload() { return Value::Error("no such overload"); }

template <typename T>
int Order(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

int CompareIntUint(int64_t a, uint64_t b) {
  if (a < 0 || b > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return -1;
  return Order(static_cast<uint64_t>(a), b);
}

// As cel-go, compares a double with an integer after the integer was rounded to a double.
int CompareDoubleInt(double a, int64_t b) {
  constexpr double kTwoTo63 = 9223372036854775808.0;
  if (a < -kTwoTo63) return -1;
  if (a > kTwoTo63) return 1;
  return Order(a, static_cast<double>(b));
}

int CompareDoubleUint(double a, uint64_t b) {
  constexpr double kTwoTo64 = 18446744073709551616.0;
  if (a < 0) return -1;
  if (a > kTwoTo64) return 1;
  return Order(a, static_cast<double>(b));
}

Value EqualOptional(const Value& a, const Value& b, Budget& budget, int depth) {
  if (!b.is_optional()) return Value::FromBool(false);
  if (a.optional() == nullptr || b.optional() == nullptr) {
    return Value::FromBool(a.optional() == b.optional());
  }
  return EqualBy(*a.optional(), *b.optional(), budget, depth);
}

// Compares elements of lists and members of maps: without a schema, null equals null only.
Value EqualNested(bool has_schema, const Value& a, const Value& b, Budget& budget, int depth) {
  if (has_schema || (!a.is_null() && !b.is_null())) return EqualBy(a, b, budget, depth);
  return Value::FromBool(a.is_null() && b.is_null());
}

// ---- lists

Value EqualElements(const ListValue& a, const ListValue& b, Budget& budget, int depth) {
  std::optional<Value> error;
  for (size_t i = 0; i < a.size(); ++i) {
    Value equal = EqualNested(a.has_schema(), a.At(i), b.At(i), budget, depth);
    if (budget.stopped() || equal.IsFalse()) return equal;
    if (equal.is_error() && a.has_schema()) return equal;
    if (equal.is_error() && !error.has_value()) error = std::move(equal);
  }
  return error.value_or(Value::FromBool(true));
}

// Every element of `b` must be in `a`; the sizes are equal.
Value EqualSets(const ListValue& a, const ListValue& b, Budget& budget) {
  absl::flat_hash_set<std::string> keys;
  for (size_t i = 0; i < a.size() && budget.Work(); ++i) {
    if (GoKey key = StoredSetKey(a, i, budget)) keys.insert(*std::move(key));
  }
  for (size_t i = 0; i < b.size() && budget.Work(); ++i) {
    const GoKey key = SetKey(b.At(i), budget);
    if (!key.has_value() || !keys.contains(*key)) return Value::FromBool(false);
  }
  return Value::FromBool(true);
}

Value EqualByKeys(const ListValue& a, const ListValue& b, Budget& budget, int depth) {
  absl::flat_hash_map<std::string, size_t> places;
  for (size_t i = 0; i < a.size() && budget.Work(); ++i) {
    if (GoKey key = ListMapKey(a.At(i), a.keys(), budget)) {
      places.insert_or_assign(*std::move(key), i);
    }
  }
  for (size_t i = 0; i < b.size() && budget.Work(); ++i) {
    const Value element = b.At(i);
    const GoKey key = ListMapKey(element, a.keys(), budget);
    const auto place = key.has_value() ? places.find(*key) : places.end();
    if (place == places.end()) return Value::FromBool(false);
    Value equal = EqualBy(a.At(place->second), element, budget, depth);
    if (!equal.IsTrue()) return equal;
  }
  return Value::FromBool(true);
}

Value EqualLists(const Value& a, const Value& b, Budget& budget, int depth) {
  const ListValue& list = a.list();
  if (!b.is_list()) return list.has_schema() ? NoSuchOverload() : Value::FromBool(false);
  if (list.size() != b.list().size()) return Value::FromBool(false);
  switch (list.list_kind()) {
    case ListKind::kSet:
      return EqualSets(list, b.list(), budget);
    case ListKind::kMap:
      return EqualByKeys(list, b.list(), budget, depth);
    case ListKind::kAtomic:
      break;
  }
  return EqualElements(list, b.list(), budget, depth);
}

// ---- maps

// Compares an object that has a schema. As upstream, members are looked up by their JSON names, of
// those that the schema does not declare only what both objects have is compared, and the other
// object must then have a schema, too. (k8s.io/apiserver: `unstructuredMap.Equal`)
Value EqualObjects(const ObjectMap& a, const MapValue& b, Budget& budget, int depth) {
  const auto* other = dynamic_cast<const ObjectMap*>(&b);
  if (other != nullptr && !other->has_schema()) other = nullptr;
  for (const auto& entry : a.object()) {
    if (!budget.Work()) return Value::FromBool(false);
    const absl::string_view name = entry.key.view();
    if (!a.IsDeclared(name)) {
      if (other == nullptr) return NoSuchOverload();
      const unstructured::Value* theirs = other->object().find(name);
      if (theirs != nullptr && !(entry.value == *theirs)) return Value::FromBool(false);
      continue;
    }
    const std::optional<Value> x = a.Find(Value::FromView(name));
    const std::optional<Value> y = b.Find(Value::FromView(name));
    if (x.has_value() != y.has_value()) return Value::FromBool(false);
    if (!x.has_value()) continue;
    Value equal = EqualBy(*x, *y, budget, depth);
    if (budget.stopped() || !equal.IsTrue()) return equal;
  }
  return Value::FromBool(true);
}

Value EqualMaps(const Value& a, const Value& b, Budget& budget, int depth) {
  const MapValue& map = a.map();
  if (!b.is_map()) return map.has_schema() ? NoSuchOverload() : Value::FromBool(false);
  if (map.size() != b.map().size()) return Value::FromBool(false);
  const auto* object = dynamic_cast<const ObjectMap*>(&map);
  if (map.has_schema() && object != nullptr) return EqualObjects(*object, b.map(), budget, depth);
  std::optional<Value> error;
  for (const Value& key : map.Keys()) {
    const std::optional<Value> x = map.Find(key);
    const std::optional<Value> y = b.map().Find(key);
    if (!x.has_value() && !y.has_value()) continue;
    if (!x.has_value() || !y.has_value()) return Value::FromBool(false);
    Value equal = EqualNested(map.has_schema(), *x, *y, budget, depth);
    if (budget.stopped() || equal.IsFalse()) return equal;
    if (equal.is_error() && map.has_schema()) return equal;
    if (equal.is_error() && !error.has_value()) error = std::move(equal);
  }
  return error.value_or(Value::FromBool(true));
}

Value EqualTexts(absl::string_view a, absl::string_view b, Budget& budget) {
  constexpr size_t kBytesPerStep = 64;
  budget.Work(a.size() / kBytesPerStep);
  return Value::FromBool(a == b);
}

}  // namespace

std::optional<int> CompareNumbers(const Value& a, const Value& b) {
  const bool a_double = a.kind() == ValueKind::kDouble;
  const bool b_double = b.kind() == ValueKind::kDouble;
  if ((a_double && std::isnan(a.number())) || (b_double && std::isnan(b.number()))) {
    return std::nullopt;
  }
  if (a_double && b_double) return Order(a.number(), b.number());
  if (a_double) {
    return b.is_int() ? CompareDoubleInt(a.number(), b.integer())
                      : CompareDoubleUint(a.number(), b.unsigned_integer());
  }
  if (b_double) {
    return a.is_int() ? -CompareDoubleInt(b.number(), a.integer())
                      : -CompareDoubleUint(b.number(), a.unsigned_integer());
  }
  if (a.is_int() && b.is_int()) return Order(a.integer(), b.integer());
  if (a.is_int()) return CompareIntUint(a.integer(), b.unsigned_integer());
  if (b.is_int()) return -CompareIntUint(b.integer(), a.unsigned_integer());
  return Order(a.unsigned_integer(), b.unsigned_integer());
}

bool IsComparable(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kBool:
    case ValueKind::kInt:
    case ValueKind::kUint:
    case ValueKind::kDouble:
    case ValueKind::kString:
    case ValueKind::kBytes:
    case ValueKind::kDuration:
    case ValueKind::kTimestamp:
      return true;
    default:
      return false;
  }
}

Value CompareValues(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) {
    const std::optional<int> order = CompareNumbers(a, b);
    return order.has_value() ? Value::FromInt(*order)
                             : Value::Error("NaN values cannot be ordered");
  }
  if (a.kind() == ValueKind::kDouble && std::isnan(a.number())) {
    return Value::Error("NaN values cannot be ordered");
  }
  if (a.kind() != b.kind()) return b.is_error() ? b : NoSuchOverload();
  switch (a.kind()) {
    case ValueKind::kBool:
      return Value::FromInt(Order(a.boolean(), b.boolean()));
    case ValueKind::kString:
      return Value::FromInt(Order(a.text(), b.text()));
    case ValueKind::kBytes:
      return Value::FromInt(Order(a.bytes(), b.bytes()));
    case ValueKind::kDuration:
      return Value::FromInt(Order(a.duration(), b.duration()));
    case ValueKind::kTimestamp:
      return Value::FromInt(Compare(a.timestamp(), b.timestamp()));
    default:
      return NoSuchOverload();
  }
}

Value EqualBy(const Value& a, const Value& b, Budget& budget, int depth) {
  if (!budget.Work()) return Value::FromBool(false);
  if (depth > kMaxDepth) return Value::Error("value is nested too deeply");
  if (a.is_number() && b.is_number()) return Value::FromBool(CompareNumbers(a, b) == 0);
  switch (a.kind()) {
    case ValueKind::kList:
      return EqualLists(a, b, budget, depth + 1);
    case ValueKind::kMap:
      return EqualMaps(a, b, budget, depth + 1);
    case ValueKind::kOptional:
      return EqualOptional(a, b, budget, depth + 1);
    case ValueKind::kOpaque:
      return a.opaque().Equals(b);
    case ValueKind::kError:
      return a;
    default:
      break;
  }
  if (a.kind() != b.kind()) return Value::FromBool(false);
  switch (a.kind()) {
    case ValueKind::kNull:
      return Value::FromBool(true);
    case ValueKind::kBool:
      return Value::FromBool(a.boolean() == b.boolean());
    case ValueKind::kString:
      return EqualTexts(a.text(), b.text(), budget);
    case ValueKind::kBytes:
      return EqualTexts(a.bytes(), b.bytes(), budget);
    case ValueKind::kDuration:
      return Value::FromBool(a.duration() == b.duration());
    case ValueKind::kTimestamp:
      return Value::FromBool(a.timestamp() == b.timestamp());
    case ValueKind::kType:
      return Value::FromBool(a.type_value()->name == b.type_value()->name);
    default:
      return Value::FromBool(false);
  }
}

Value Equal(const Value& a, const Value& b, Budget& budget) {
  if (a.is_null() || b.is_null()) return Value::FromBool(a.is_null() && b.is_null());
  return EqualBy(a, b, budget);
}

Value Contains(const Value& container, const Value& value, Budget& budget) {
  if (container.is_map()) {
    const std::optional<Value> found = container.map().Find(value);
    if (found.has_value() && found->is_error()) return *found;
    return Value::FromBool(found.has_value());
  }
  const ListValue& list = container.list();
  std::optional<Value> error;
  for (size_t i = 0; i < list.size() && !budget.stopped(); ++i) {
    const Value element = list.At(i);
    Value equal =
        list.has_schema() ? EqualBy(element, value, budget) : EqualBy(value, element, budget);
    if (equal.IsTrue()) return equal;
    if (equal.is_error() && list.has_schema() && !error.has_value()) error = std::move(equal);
  }
  return error.value_or(Value::FromBool(false));
}

}  // namespace kube::cel::internal
