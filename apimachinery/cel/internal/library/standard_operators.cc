// Operators. Their errors for operands of the wrong type are cel-go's: they depend on the left
// operand alone.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "apimachinery/cel/internal/equality.h"
#include "apimachinery/cel/internal/library/standard_library.h"
#include "apimachinery/cel/internal/library/text_search.h"
#include "apimachinery/cel/internal/lists.h"
#include "apimachinery/cel/internal/time.h"

namespace kube::cel::internal {
namespace {

Value IntegerOverflow() { return Value::Error("integer overflow"); }
Value UnsignedOverflow() { return Value::Error("unsigned integer overflow"); }
Value TimestampOverflow() { return Value::Error("timestamp overflow"); }

Value AddToTime(const Value& time, int64_t nanoseconds) {
  const std::optional<TimestampValue> sum = Add(time.timestamp(), nanoseconds);
  return sum.has_value() ? Value::FromTimestamp(*sum) : TimestampOverflow();
}

std::string Joined(absl::string_view a, absl::string_view b) { return absl::StrCat(a, b); }

// ---- arithmetic, for operands of the same kind

Value AddSame(const Value& a, const Value& b, const Call& call) {
  int64_t sum = 0;
  uint64_t unsigned_sum = 0;
  switch (a.kind()) {
    case ValueKind::kInt:
      return __builtin_add_overflow(a.integer(), b.integer(), &sum) ? IntegerOverflow()
                                                                    : Value::FromInt(sum);
    case ValueKind::kUint:
      return __builtin_add_overflow(a.unsigned_integer(), b.unsigned_integer(), &unsigned_sum)
                 ? UnsignedOverflow()
                 : Value::FromUint(unsigned_sum);
    case ValueKind::kDouble:
      return Value::FromDouble(a.number() + b.number());
    case ValueKind::kString:
      if (a.text().size() + b.text().size() > kMaxTextSize) break;
      return Value::FromString(Joined(a.text(), b.text()));
    case ValueKind::kBytes:
      if (a.bytes().size() + b.bytes().size() > kMaxTextSize) break;
      return Value::FromBytes(Joined(a.bytes(), b.bytes()));
    case ValueKind::kDuration: {
      const bool overflow = __builtin_add_overflow(a.duration(), b.duration(), &sum);
      return overflow ? IntegerOverflow() : Value::FromDuration(sum);
    }
    case ValueKind::kList:
      return AddLists(a, b, call.budget);
    default:
      return NoSuchOverload();
  }
  return Value::Error("text is too large");
}

bool CanAdd(const Value& value) {
  return value.is_number() || value.is_string() || value.is_list() ||
         value.kind() == ValueKind::kBytes || value.kind() == ValueKind::kDuration ||
         value.kind() == ValueKind::kTimestamp;
}

Value SubtractTime(const Value& a, const Value& b) {
  if (b.kind() == ValueKind::kTimestamp) {
    const std::optional<int64_t> difference = Subtract(a.timestamp(), b.timestamp());
    return difference.has_value() ? Value::FromDuration(*difference) : IntegerOverflow();
  }
  if (b.kind() != ValueKind::kDuration) return NoSuchOverload();
  if (b.duration() == std::numeric_limits<int64_t>::min()) return IntegerOverflow();
  return AddToTime(a, -b.duration());
}

Value SubtractOperator(const Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  if (a.kind() == ValueKind::kTimestamp) return SubtractTime(a, b);
  if (!a.is_number() && a.kind() != ValueKind::kDuration) return NotApplicable(call);
  if (a.kind() != b.kind()) return NoSuchOverload();
  int64_t difference = 0;
  switch (a.kind()) {
    case ValueKind::kInt:
      return __builtin_sub_overflow(a.integer(), b.integer(), &difference)
                 ? IntegerOverflow()
                 : Value::FromInt(difference);
    case ValueKind::kUint:
      return b.unsigned_integer() > a.unsigned_integer()
                 ? UnsignedOverflow()
                 : Value::FromUint(a.unsigned_integer() - b.unsigned_integer());
    case ValueKind::kDouble:
      return Value::FromDouble(a.number() - b.number());
    default:
      break;
  }
  const bool overflow = __builtin_sub_overflow(a.duration(), b.duration(), &difference);
  return overflow ? IntegerOverflow() : Value::FromDuration(difference);
}

Value MultiplyOperator(const Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  if (!a.is_number()) return NotApplicable(call);
  if (a.kind() != b.kind()) return NoSuchOverload();
  if (a.is_int()) {
    int64_t product = 0;
    return __builtin_mul_overflow(a.integer(), b.integer(), &product) ? IntegerOverflow()
                                                                      : Value::FromInt(product);
  }
  if (a.kind() == ValueKind::kDouble) return Value::FromDouble(a.number() * b.number());
  uint64_t product = 0;
  return __builtin_mul_overflow(a.unsigned_integer(), b.unsigned_integer(), &product)
             ? UnsignedOverflow()
             : Value::FromUint(product);
}

Value DivideOperator(const Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  if (!a.is_number()) return NotApplicable(call);
  if (a.kind() != b.kind()) return NoSuchOverload();
  if (a.kind() == ValueKind::kDouble) return Value::FromDouble(a.number() / b.number());
  if (a.is_int()) {
    if (b.integer() == 0) return Value::Error("division by zero");
    if (b.integer() == -1 && a.integer() == std::numeric_limits<int64_t>::min()) {
      return IntegerOverflow();
    }
    return Value::FromInt(a.integer() / b.integer());
  }
  if (b.unsigned_integer() == 0) return Value::Error("division by zero");
  return Value::FromUint(a.unsigned_integer() / b.unsigned_integer());
}

Value ModuloOperator(const Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  if (!a.is_int() && a.kind() != ValueKind::kUint) return NotApplicable(call);
  if (a.kind() != b.kind()) return NoSuchOverload();
  if (a.is_int()) {
    if (b.integer() == 0) return Value::Error("modulus by zero");
    if (b.integer() == -1) {
      return a.integer() == std::numeric_limits<int64_t>::min() ? IntegerOverflow()
                                                                : Value::FromInt(0);
    }
    return Value::FromInt(a.integer() % b.integer());
  }
  if (b.unsigned_integer() == 0) return Value::Error("modulus by zero");
  return Value::FromUint(a.unsigned_integer() % b.unsigned_integer());
}

Value NegateOperator(const Call& call) {
  const Value& a = call[0];
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  switch (a.kind()) {
    case ValueKind::kInt:
      return a.integer() == kMin ? IntegerOverflow() : Value::FromInt(-a.integer());
    case ValueKind::kDouble:
      return Value::FromDouble(-a.number());
    case ValueKind::kDuration:
      return a.duration() == kMin ? IntegerOverflow() : Value::FromDuration(-a.duration());
    case ValueKind::kBool:
      return NoSuchOverload();
    default:
      return NotApplicable(call);
  }
}

Value NotOperator(const Call& call) {
  return call[0].is_bool() ? Value::FromBool(!call[0].boolean()) : NoSuchOverload();
}

// ---- relations

template <bool (*Holds)(int64_t order)>
Value Relation(const Call& call) {
  if (!IsComparable(call[0])) return NotApplicable(call);
  Value order = CompareValues(call[0], call[1]);
  return order.is_error() ? order : Value::FromBool(Holds(order.integer()));
}

bool IsLess(int64_t order) { return order < 0; }
bool IsLessOrEqual(int64_t order) { return order <= 0; }
bool IsGreater(int64_t order) { return order > 0; }
bool IsGreaterOrEqual(int64_t order) { return order >= 0; }

Value InOperator(const Call& call) {
  if (!call[1].is_list() && !call[1].is_map()) return NoSuchOverload();
  return Contains(call[1], call[0], call.budget);
}

Value Size(const Call& call) {
  const Value& value = call[0];
  size_t size = 0;
  switch (value.kind()) {
    case ValueKind::kString:
      call.budget.Work(value.text().size());
      size = CountRunes(value.text());
      break;
    case ValueKind::kBytes:
      size = value.bytes().size();
      break;
    case ValueKind::kList:
      size = value.list().size();
      break;
    case ValueKind::kMap:
      size = value.map().size();
      break;
    default:
      return NotApplicable(call);
  }
  return Value::FromInt(static_cast<int64_t>(size));
}

// ---- declarations

void AddRelation(Functions& functions, absl::string_view name, absl::string_view id,
                 Implementation implementation) {
  for (const TypePtr& type : {BoolType(), IntType(), UintType(), DoubleType(), StringType(),
                              BytesType(), TimestampType(), DurationType()}) {
    const std::string suffix = type->kind == TypeKind::kTimestamp  ? "timestamp"
                               : type->kind == TypeKind::kDuration ? "duration"
                               : type->kind == TypeKind::kInt      ? "int64"
                               : type->kind == TypeKind::kUint     ? "uint64"
                                                                   : type->name;
    functions.AddGlobal(name, absl::StrCat(id, "_", suffix), {type, type}, BoolType());
  }
  const std::pair<TypePtr, absl::string_view> numbers[] = {
      {IntType(), "int64"}, {UintType(), "uint64"}, {DoubleType(), "double"}};
  for (const auto& [a, a_name] : numbers) {
    for (const auto& [b, b_name] : numbers) {
      if (a == b) continue;
      functions.AddGlobal(name, absl::StrCat(id, "_", a_name, "_", b_name), {a, b}, BoolType());
    }
  }
  functions.SetCommon(name, implementation);
}

void AddLogic(Functions& functions) {
  const TypePtr a = TypeParameter("A");
  functions.AddGlobal("_?_:_", "conditional", {BoolType(), a, a}, a);
  functions.AddGlobal("_&&_", "logical_and", {BoolType(), BoolType()}, BoolType());
  functions.AddGlobal("_||_", "logical_or", {BoolType(), BoolType()}, BoolType());
  functions.AddGlobal("!_", "logical_not", {BoolType()}, BoolType());
  functions.SetCommon("!_", NotOperator);
  functions.AddGlobal("@not_strictly_false", "not_strictly_false", {BoolType()}, BoolType());
  functions.AddGlobal("_==_", "equals", {a, a}, BoolType());
  functions.AddGlobal("_!=_", "not_equals", {a, a}, BoolType());
}

void AddArithmetic(Functions& functions) {
  const TypePtr& number = IntType();
  const TypePtr& natural = UintType();
  const TypePtr& real = DoubleType();
  const TypePtr& span = DurationType();
  const TypePtr& time = TimestampType();
  const TypePtr list = ListType(TypeParameter("A"));
  functions.AddGlobal("_+_", "add_bytes", {BytesType(), BytesType()}, BytesType());
  functions.AddGlobal("_+_", "add_double", {real, real}, real);
  functions.AddGlobal("_+_", "add_duration_duration", {span, span}, span);
  functions.AddGlobal("_+_", "add_duration_timestamp", {span, time}, time);
  functions.AddGlobal("_+_", "add_timestamp_duration", {time, span}, time);
  functions.AddGlobal("_+_", "add_int64", {number, number}, number);
  functions.AddGlobal("_+_", "add_list", {list, list}, list);
  functions.AddGlobal("_+_", "add_string", {StringType(), StringType()}, StringType());
  functions.AddGlobal("_+_", "add_uint64", {natural, natural}, natural);
  functions.SetCommon("_+_", AddValues);
  functions.AddGlobal("_-_", "subtract_double", {real, real}, real);
  functions.AddGlobal("_-_", "subtract_duration_duration", {span, span}, span);
  functions.AddGlobal("_-_", "subtract_int64", {number, number}, number);
  functions.AddGlobal("_-_", "subtract_timestamp_duration", {time, span}, time);
  functions.AddGlobal("_-_", "subtract_timestamp_timestamp", {time, time}, span);
  functions.AddGlobal("_-_", "subtract_uint64", {natural, natural}, natural);
  functions.SetCommon("_-_", SubtractOperator);
  functions.AddGlobal("_*_", "multiply_double", {real, real}, real);
  functions.AddGlobal("_*_", "multiply_int64", {number, number}, number);
  functions.AddGlobal("_*_", "multiply_uint64", {natural, natural}, natural);
  functions.SetCommon("_*_", MultiplyOperator);
  functions.AddGlobal("_/_", "divide_double", {real, real}, real);
  functions.AddGlobal("_/_", "divide_int64", {number, number}, number);
  functions.AddGlobal("_/_", "divide_uint64", {natural, natural}, natural);
  functions.SetCommon("_/_", DivideOperator);
  functions.AddGlobal("_%_", "modulo_int64", {number, number}, number);
  functions.AddGlobal("_%_", "modulo_uint64", {natural, natural}, natural);
  functions.SetCommon("_%_", ModuloOperator);
  functions.AddGlobal("-_", "negate_double", {real}, real);
  functions.AddGlobal("-_", "negate_int64", {number}, number);
  functions.SetCommon("-_", NegateOperator);
}

void AddAggregates(Functions& functions) {
  const TypePtr a = TypeParameter("A");
  const TypePtr list = ListType(a);
  const TypePtr map = MapType(a, TypeParameter("B"));
  functions.AddGlobal("_[_]", "index_list", {list, IntType()}, a);
  functions.AddGlobal("_[_]", "index_map", {map, a}, TypeParameter("B"));
  functions.AddGlobal("@in", "in_list", {a, list}, BoolType());
  functions.AddGlobal("@in", "in_map", {a, map}, BoolType());
  functions.SetCommon("@in", InOperator);
  const std::pair<absl::string_view, TypePtr> sized[] = {
      {"bytes", BytesType()}, {"list", list}, {"map", map}, {"string", StringType()}};
  for (const auto& [name, type] : sized) {
    functions.AddGlobal("size", absl::StrCat("size_", name), {type}, IntType());
    functions.AddMember("size", absl::StrCat(name, "_size"), {type}, IntType());
  }
  functions.SetCommon("size", Size);
}

}  // namespace

Value AddValues(const Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  if (!CanAdd(a)) return NotApplicable(call);
  if (a.kind() == ValueKind::kDuration && b.kind() == ValueKind::kTimestamp) {
    return AddToTime(b, a.duration());
  }
  if (a.kind() == ValueKind::kTimestamp && b.kind() == ValueKind::kDuration) {
    return AddToTime(a, b.duration());
  }
  // Two points in time cannot be added.
  const bool same = a.kind() == b.kind() && a.kind() != ValueKind::kTimestamp;
  return same ? AddSame(a, b, call) : NoSuchOverload();
}

void AddOperators(Functions& functions) {
  AddLogic(functions);
  AddArithmetic(functions);
  AddRelation(functions, "_<_", "less", Relation<IsLess>);
  AddRelation(functions, "_<=_", "less_equals", Relation<IsLessOrEqual>);
  AddRelation(functions, "_>_", "greater", Relation<IsGreater>);
  AddRelation(functions, "_>=_", "greater_equals", Relation<IsGreaterOrEqual>);
  AddAggregates(functions);
}

}  // namespace kube::cel::internal
