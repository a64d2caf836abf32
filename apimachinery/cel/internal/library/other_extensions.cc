// Functions of optional values and maps, and regular expressions.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/cel/internal/describe.h"
#include "apimachinery/cel/internal/library/extensions.h"
#include "apimachinery/cel/internal/lists.h"
#include "apimachinery/cel/internal/regexp.h"

namespace kube::cel::internal {
namespace {

// ---- optional values

Value Of(const Call& call) { return Value::Optional(call[0]); }
Value None(const Call&) { return Value::None(); }

// Returns whether the value is what a member of its type is if nobody has set it.
bool IsZero(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kNull:
      return true;
    case ValueKind::kBool:
      return !value.boolean();
    case ValueKind::kInt:
      return value.integer() == 0;
    case ValueKind::kUint:
      return value.unsigned_integer() == 0;
    case ValueKind::kDouble:
      return value.number() == 0;
    case ValueKind::kString:
      return value.text().empty();
    case ValueKind::kBytes:
      return value.bytes().empty();
    case ValueKind::kDuration:
      return value.duration() == 0;
    case ValueKind::kTimestamp:
      return value.timestamp() == TimestampValue{.seconds = -62'135'596'800};
    // As upstream, lists and maps of objects have no zero value.
    case ValueKind::kList:
      return value.list().size() == 0 && !value.list().has_schema();
    case ValueKind::kMap:
      return value.map().size() == 0 && !value.map().has_schema();
    default:
      return false;
  }
}

Value OfNonZeroValue(const Call& call) {
  return IsZero(call[0]) ? Value::None() : Value::Optional(call[0]);
}

Value ValueOf(const Call& call) {
  if (call[0].optional() == nullptr) return Value::Error("optional.none() dereference");
  return *call[0].optional();
}

Value HasValue(const Call& call) { return Value::FromBool(call[0].optional() != nullptr); }

Value ElementOrNone(const ListValue& list, bool last) {
  if (list.size() == 0) return Value::None();
  Value element = list.At(last ? list.size() - 1 : 0);
  return element.is_error() ? element : Value::Optional(std::move(element));
}

Value First(const Call& call) { return ElementOrNone(call[0].list(), /*last=*/false); }
Value Last(const Call& call) { return ElementOrNone(call[0].list(), /*last=*/true); }

Value Unwrap(const Call& call) {
  const ListValue& list = call[0].list();
  std::vector<Value> values;
  for (size_t i = 0; i < list.size() && call.budget.Work(); ++i) {
    const Value element = list.At(i);
    if (element.is_error()) return element;
    if (!element.is_optional()) {
      return Value::Error(absl::StrCat("value ", PlainText(element), " is not optional"));
    }
    if (element.optional() != nullptr) values.push_back(*element.optional());
  }
  return Value::FromList(std::move(values));
}

void AddOptionalSyntax(Functions& functions) {
  const TypePtr k = TypeParameter("K");
  const TypePtr v = TypeParameter("V");
  const TypePtr list = ListType(v);
  const TypePtr map = MapType(k, v);
  const TypePtr optional = OptionalType(v);
  // The evaluator knows all of these.
  functions.AddMember("or", "optional_or_optional", {optional, optional}, optional);
  functions.AddMember("orValue", "optional_orValue_value", {optional, v}, v);
  functions.AddGlobal("_?._", "select_optional_field", {DynType(), StringType()}, optional);
  functions.AddGlobal("_[?_]", "list_optindex_optional_int", {list, IntType()}, optional);
  functions.AddGlobal("_[?_]", "optional_list_optindex_optional_int",
                      {OptionalType(list), IntType()}, optional);
  functions.AddGlobal("_[?_]", "map_optindex_optional_value", {map, k}, optional);
  functions.AddGlobal("_[?_]", "optional_map_optindex_optional_value", {OptionalType(map), k},
                      optional);
  functions.AddGlobal("_[_]", "optional_list_index_int", {OptionalType(list), IntType()}, optional);
  functions.AddGlobal("_[_]", "optional_map_index_value", {OptionalType(map), k}, optional);
}

// ---- regular expressions

// Returns the compiled pattern, the second argument.
absl::StatusOr<std::shared_ptr<const Regexp>> PatternOf(const Call& call) {
  return call.regexps.Get(call[1].text(), call.budget);
}

Value IllegalRegexp(absl::string_view message) {
  return Value::Error(absl::StrCat("Illegal regex: ", message));
}

Value Find(const Call& call) {
  if (call.regexp != nullptr) return Value::FromString(call.regexp->Find(call[0].text()));
  const absl::StatusOr<std::shared_ptr<const Regexp>> regexp = PatternOf(call);
  if (!regexp.ok()) return IllegalRegexp(regexp.status().message());
  return Value::FromString((*regexp)->Find(call[0].text()));
}

Value FindAll(const Call& call) {
  const int64_t limit = call.size() > 2 ? call[2].integer() : -1;
  if (call.regexp != nullptr) {
    return StringList(call.regexp->FindAll(call[0].text(), limit, call.budget));
  }
  const absl::StatusOr<std::shared_ptr<const Regexp>> regexp = PatternOf(call);
  if (!regexp.ok()) return IllegalRegexp(regexp.status().message());
  return StringList((*regexp)->FindAll(call[0].text(), limit, call.budget));
}

// ---- maps

// Copies a map, and adds one entry. The evaluator adds the entries of a loop without copies.
Value Insert(const Call& call) {
  MapBuilder builder;
  const auto add = [&](const MapValue& map) -> std::optional<Value> {
    for (const Value& key : map.Keys()) {
      if (builder.Contains(key)) {
        return Value::Error(absl::StrCat("insert failed: key ", PlainText(key), " already exists"));
      }
      if (!call.budget.Work() || !builder.Set(key, map.Find(key).value_or(Value()))) {
        return Value::Error(absl::StrCat("unsupported key type: ", TypeName(key)));
      }
    }
    return std::nullopt;
  };
  std::optional<Value> error = add(call[0].map());
  if (call.size() == 2) {
    if (!error.has_value()) error = add(call[1].map());
  } else if (builder.Contains(call[1])) {
    error =
        Value::Error(absl::StrCat("insert failed: key ", PlainText(call[1]), " already exists"));
  } else if (!builder.Set(call[1], call[2])) {
    error = Value::Error(absl::StrCat("unsupported key type: ", TypeName(call[1])));
  }
  return error.has_value() ? *error : builder.Build();
}

}  // namespace

void AddOptionalExtensions(Functions& functions) {
  const TypePtr v = TypeParameter("V");
  const TypePtr optional = OptionalType(v);
  functions.AddGlobal("optional.of", "optional_of", {v}, optional, Of);
  functions.AddGlobal("optional.ofNonZeroValue", "optional_ofNonZeroValue", {v}, optional,
                      OfNonZeroValue);
  functions.AddGlobal("optional.none", "optional_none", {}, optional, None);
  functions.AddMember("value", "optional_value", {optional}, v, ValueOf);
  functions.AddMember("hasValue", "optional_hasValue", {optional}, BoolType(), HasValue);
  AddOptionalSyntax(functions);
  functions.AddMember("last", "list_last", {ListType(v)}, optional, Last);
  functions.AddMember("first", "list_first", {ListType(v)}, optional, First);
  functions.AddGlobal("optional.unwrap", "optional_unwrap", {ListType(optional)}, ListType(v),
                      Unwrap);
  functions.AddMember("unwrapOpt", "optional_unwrapOpt", {ListType(optional)}, ListType(v), Unwrap);
}

void AddRegexExtensions(Functions& functions) {
  const TypePtr& text = StringType();
  functions.AddMember("find", "string_find_string", {text, text}, text, Find);
  functions.AddMember("findAll", "string_find_all_string", {text, text}, ListType(text), FindAll);
  functions.AddMember("findAll", "string_find_all_string_int", {text, text, IntType()},
                      ListType(text), FindAll);
}

void AddMapExtensions(Functions& functions) {
  const TypePtr k = TypeParameter("K");
  const TypePtr v = TypeParameter("V");
  const TypePtr map = MapType(k, v);
  functions.AddGlobal("cel.@mapInsert", "@mapInsert_map_key_value", {map, k, v}, map, Insert);
  functions.AddGlobal("cel.@mapInsert", "@mapInsert_map_map", {map, map}, map, Insert);
}

}  // namespace kube::cel::internal
