// Conversions between types: int("1"), string(2.5), type(x).
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "apimachinery/base/text/duration_text.h"
#include "apimachinery/base/text/go_int.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/cel/internal/library/standard_library.h"
#include "apimachinery/cel/internal/literals.h"
#include "apimachinery/cel/internal/time.h"

namespace kube::cel::internal {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;
constexpr double kTwoTo64 = 18446744073709551616.0;

Value Identity(const Call& call) { return call[0]; }

Value WrongText(const Value& value, const TypePtr& type) {
  return Value::Error(
      absl::StrCat("type conversion error from '", TypeName(value), "' to '", type->name, "'"));
}

Value TypeOf(const Call& call) { return Value::FromType(call[0].type()); }

// (Go: `strconv.ParseBool`)
Value StringToBool(const Call& call) {
  const absl::string_view text = call[0].text();
  for (const absl::string_view yes : {"1", "t", "T", "true", "TRUE", "True"}) {
    if (text == yes) return Value::FromBool(true);
  }
  for (const absl::string_view no : {"0", "f", "F", "false", "FALSE", "False"}) {
    if (text == no) return Value::FromBool(false);
  }
  return WrongText(call[0], BoolType());
}

Value StringToBytes(const Call& call) { return Value::FromBytes(std::string(call[0].text())); }

// ---- numbers

Value IntToDouble(const Call& call) {
  return Value::FromDouble(static_cast<double>(call[0].integer()));
}

Value UintToDouble(const Call& call) {
  return Value::FromDouble(static_cast<double>(call[0].unsigned_integer()));
}

Value StringToDouble(const Call& call) {
  const std::optional<double> number = ParseGoDouble(call[0].text());
  return number.has_value() ? Value::FromDouble(*number) : WrongText(call[0], DoubleType());
}

Value DoubleToInt(const Call& call) {
  const double number = call[0].number();
  // As upstream, the limits themselves are out of range.
  if (!(number > -kTwoTo63 && number < kTwoTo63)) return Value::Error("integer overflow");
  return Value::FromInt(static_cast<int64_t>(number));
}

Value UintToInt(const Call& call) {
  const uint64_t number = call[0].unsigned_integer();
  if (number > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return Value::Error("integer overflow");
  }
  return Value::FromInt(static_cast<int64_t>(number));
}

Value StringToInt(const Call& call) {
  const text::GoInt<int64_t> number = text::ParseGoInt(call[0].text());
  return number.ok() ? Value::FromInt(number.value) : WrongText(call[0], IntType());
}

Value DurationToInt(const Call& call) { return Value::FromInt(call[0].duration()); }
Value TimestampToInt(const Call& call) { return Value::FromInt(call[0].timestamp().seconds); }

Value DoubleToUint(const Call& call) {
  const double number = call[0].number();
  if (!(number >= 0 && number < kTwoTo64)) return Value::Error("unsigned integer overflow");
  return Value::FromUint(static_cast<uint64_t>(number));
}

Value IntToUint(const Call& call) {
  const int64_t number = call[0].integer();
  if (number < 0) return Value::Error("unsigned integer overflow");
  return Value::FromUint(static_cast<uint64_t>(number));
}

Value StringToUint(const Call& call) {
  const text::GoInt<uint64_t> number = text::ParseGoUint(call[0].text());
  return number.ok() ? Value::FromUint(number.value) : WrongText(call[0], UintType());
}

// ---- strings

Value BoolToString(const Call& call) {
  return Value::FromString(call[0].boolean() ? "true" : "false");
}

Value BytesToString(const Call& call) {
  if (!text::IsValidUtf8(call[0].bytes())) {
    return Value::Error("invalid UTF-8 in bytes, cannot convert to string");
  }
  return Value::FromString(std::string(call[0].bytes()));
}

Value DoubleToString(const Call& call) {
  return Value::FromString(text::FormatGeneral(call[0].number()));
}

Value DurationToString(const Call& call) {
  return Value::FromString(absl::StrCat(FormatSeconds(call[0].duration()), "s"));
}

Value IntToString(const Call& call) { return Value::FromString(absl::StrCat(call[0].integer())); }

Value TimestampToString(const Call& call) {
  return Value::FromString(FormatTimestamp(call[0].timestamp()));
}

Value UintToString(const Call& call) {
  return Value::FromString(absl::StrCat(call[0].unsigned_integer()));
}

// ---- times

// Declared upstream, but without an implementation.
Value IntToDuration(const Call& call) { return WrongText(call[0], DurationType()); }

Value StringToDuration(const Call& call) {
  const std::optional<int64_t> duration = text::ParseGoDuration(call[0].text());
  return duration.has_value() ? Value::FromDuration(*duration) : WrongText(call[0], DurationType());
}

bool IsInRange(int64_t seconds) { return seconds >= kMinTimestamp && seconds <= kMaxTimestamp; }

Value IntToTimestamp(const Call& call) {
  const int64_t seconds = call[0].integer();
  if (!IsInRange(seconds)) return Value::Error("timestamp overflow");
  return Value::FromTimestamp({.seconds = seconds});
}

Value StringToTimestamp(const Call& call) {
  const std::optional<TimestampValue> time = ParseTimestamp(call[0].text());
  if (!time.has_value()) return WrongText(call[0], TimestampType());
  if (!IsInRange(time->seconds)) return Value::Error("timestamp overflow");
  return Value::FromTimestamp(*time);
}

// Declares a function with the name of a type, which accepts its own type.
void AddIdentity(Functions& functions, absl::string_view name, absl::string_view id,
                 const TypePtr& type) {
  functions.AddGlobal(name, id, {type}, type, Identity);
}

void AddToNumbers(Functions& functions) {
  AddIdentity(functions, "double", "double_to_double", DoubleType());
  functions.AddGlobal("double", "int64_to_double", {IntType()}, DoubleType(), IntToDouble);
  functions.AddGlobal("double", "string_to_double", {StringType()}, DoubleType(), StringToDouble);
  functions.AddGlobal("double", "uint64_to_double", {UintType()}, DoubleType(), UintToDouble);
  AddIdentity(functions, "int", "int64_to_int64", IntType());
  functions.AddGlobal("int", "double_to_int64", {DoubleType()}, IntType(), DoubleToInt);
  functions.AddGlobal("int", "duration_to_int64", {DurationType()}, IntType(), DurationToInt);
  functions.AddGlobal("int", "string_to_int64", {StringType()}, IntType(), StringToInt);
  functions.AddGlobal("int", "timestamp_to_int64", {TimestampType()}, IntType(), TimestampToInt);
  functions.AddGlobal("int", "uint64_to_int64", {UintType()}, IntType(), UintToInt);
  AddIdentity(functions, "uint", "uint64_to_uint64", UintType());
  functions.AddGlobal("uint", "double_to_uint64", {DoubleType()}, UintType(), DoubleToUint);
  functions.AddGlobal("uint", "int64_to_uint64", {IntType()}, UintType(), IntToUint);
  functions.AddGlobal("uint", "string_to_uint64", {StringType()}, UintType(), StringToUint);
}

void AddToString(Functions& functions) {
  const TypePtr& text = StringType();
  AddIdentity(functions, "string", "string_to_string", text);
  functions.AddGlobal("string", "bool_to_string", {BoolType()}, text, BoolToString);
  functions.AddGlobal("string", "bytes_to_string", {BytesType()}, text, BytesToString);
  functions.AddGlobal("string", "double_to_string", {DoubleType()}, text, DoubleToString);
  functions.AddGlobal("string", "duration_to_string", {DurationType()}, text, DurationToString);
  functions.AddGlobal("string", "int64_to_string", {IntType()}, text, IntToString);
  functions.AddGlobal("string", "timestamp_to_string", {TimestampType()}, text, TimestampToString);
  functions.AddGlobal("string", "uint64_to_string", {UintType()}, text, UintToString);
}

void AddToTimes(Functions& functions) {
  AddIdentity(functions, "duration", "duration_to_duration", DurationType());
  functions.AddGlobal("duration", "int64_to_duration", {IntType()}, DurationType(), IntToDuration);
  functions.AddGlobal("duration", "string_to_duration", {StringType()}, DurationType(),
                      StringToDuration);
  AddIdentity(functions, "timestamp", "timestamp_to_timestamp", TimestampType());
  functions.AddGlobal("timestamp", "int64_to_timestamp", {IntType()}, TimestampType(),
                      IntToTimestamp);
  functions.AddGlobal("timestamp", "string_to_timestamp", {StringType()}, TimestampType(),
                      StringToTimestamp);
}

}  // namespace

void AddConversions(Functions& functions) {
  const TypePtr a = TypeParameter("A");
  functions.AddGlobal("type", "type", {a}, TypeOfType(a));
  functions.SetCommon("type", TypeOf);
  AddIdentity(functions, "bool", "bool_to_bool", BoolType());
  functions.AddGlobal("bool", "string_to_bool", {StringType()}, BoolType(), StringToBool);
  AddIdentity(functions, "bytes", "bytes_to_bytes", BytesType());
  functions.AddGlobal("bytes", "string_to_bytes", {StringType()}, BytesType(), StringToBytes);
  functions.AddGlobal("dyn", "to_dyn", {a}, DynType());
  functions.SetCommon("dyn", Identity);
  AddToNumbers(functions);
  AddToString(functions);
  AddToTimes(functions);
}

}  // namespace kube::cel::internal
