#include "codegen/crd_import/internal/schema_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "codegen/crd_import/internal/idl.h"
#include "codegen/crd_import/internal/idl_printer.h"
#include "codegen/crd_import/internal/schema_type.h"
#include "codegen/crds/known_formats.h"

namespace kube::codegen::internal {
namespace {

using unstructured::Value;
using unstructured::ValueType;

// The value comes from JSON, so it has one.
std::string JsonOf(const Value& value) { return unstructured::EncodeJson(value).value_or("null"); }

// Returns whether the fields and messages say what this member says.
bool IsStructure(absl::string_view name) {
  return name == "properties" || name == "required" || name == "items" ||
         name == "additionalProperties";
}

std::optional<double> NumberAt(const Map<Value>& schema, absl::string_view name) {
  const Value* member = schema.find(name);
  return member == nullptr ? std::nullopt : member->number();
}

bool IsInteger(const Value& value) {
  const double number = value.number().value_or(0.5);
  return value.is_int() || (std::floor(number) == number && std::abs(number) < 9e18);
}

}  // namespace

SchemaReader::SchemaReader(const Map<Value>& schema, const SchemaType& type)
    : type_(type),
      type_name_(TextOf(type.written, "type")),
      nullable_(IsTrue(schema, "nullable")),
      written_(type.written) {
  for (const auto& [name, value] : schema) {
    // `additionalProperties: true` says nothing of the values.
    const bool is_plain = type.form == Form::kValue || !IsStructure(name.view()) ||
                          (value.is_bool() && type.form == Form::kMap);
    if (is_plain) rest_[name] = value;
  }
}

void SchemaReader::Take(absl::string_view name) { rest_.erase(name); }

void SchemaReader::Set(absl::string_view name, Value value) {
  rest_[name] = std::move(value);
  // It is written whatever the type says.
  written_.erase(name);
}

std::vector<std::string> SchemaReader::TakeEnumTexts() {
  std::vector<std::string> texts;
  const Value* values = rest_.find("enum");
  if (values == nullptr || !values->is_list() || type_name_ != "string") return texts;
  for (const Value& value : *values->list()) {
    if (!value.is_string()) return {};
    texts.emplace_back(*value.text());
  }
  if (!texts.empty()) rest_.erase("enum");
  return texts;
}

// As codegen/crds checks options.
bool SchemaReader::Fits(const Value& value) const {
  if (type_name_.empty()) return true;
  switch (value.type()) {
    case ValueType::kObject:
      return type_name_ == "object";
    case ValueType::kList:
      return type_name_ == "array";
    case ValueType::kString:
      return type_name_ == "string";
    case ValueType::kBool:
      return type_name_ == "boolean";
    case ValueType::kInt:
    case ValueType::kDouble:
      return type_name_ == "number" || (type_name_ == "integer" && IsInteger(value));
    case ValueType::kNull:
      return nullable_;
  }
  return false;
}

std::string SchemaReader::TakeDefault() {
  const Value* value = rest_.find("default");
  if (value == nullptr || value->is_null() || !Fits(*value)) return "";
  std::string json = JsonOf(*value);
  rest_.erase("default");
  return json;
}

// ---- rules of the IDL

void SchemaReader::MoveNumber(absl::string_view name, absl::string_view option) {
  const Value* value = rest_.find(name);
  if (value == nullptr || !value->is_number()) return;
  std::string text = JsonOf(*value);
  // protobuf's text format limits integers to 64 bits.
  if (text.size() > 15 && text.find_first_of(".eE") == text.npos) text += ".0";
  options_.push_back({.name = std::string(option), .value = std::move(text)});
  rest_.erase(name);
}

void SchemaReader::MoveSize(absl::string_view name, absl::string_view option,
                            absl::string_view type) {
  const Value* value = rest_.find(name);
  if (value == nullptr || value->integer().value_or(-1) < 0) return;
  if (type_name_ != type && !type_name_.empty()) return;
  options_.push_back({.name = std::string(option), .value = absl::StrCat(*value->integer())});
  rest_.erase(name);
}

void SchemaReader::MoveTrue(absl::string_view name, absl::string_view option) {
  if (!IsTrue(rest_, name)) return;
  options_.push_back({.name = std::string(option), .value = "true"});
  rest_.erase(name);
}

bool SchemaReader::HasConsistentLimits() const {
  const std::optional<double> minimum = NumberAt(rest_, "minimum");
  const std::optional<double> maximum = NumberAt(rest_, "maximum");
  if (IsTrue(rest_, "exclusiveMinimum") && !minimum.has_value()) return false;
  if (IsTrue(rest_, "exclusiveMaximum") && !maximum.has_value()) return false;
  return !minimum.has_value() || !maximum.has_value() || *minimum <= *maximum;
}

void SchemaReader::ReadNumbers() {
  if (type_name_ != "integer" && type_name_ != "number" && !type_name_.empty()) return;
  if (HasConsistentLimits()) {
    MoveNumber("minimum", "minimum");
    MoveNumber("maximum", "maximum");
    MoveTrue("exclusiveMinimum", "exclusive_minimum");
    MoveTrue("exclusiveMaximum", "exclusive_maximum");
  }
  if (NumberAt(rest_, "multipleOf").value_or(0) > 0) MoveNumber("multipleOf", "multiple_of");
}

void SchemaReader::ReadFormat() {
  const Value* format = rest_.find("format");
  const bool is_known = format != nullptr && format->is_string() && !type_name_.empty() &&
                        IsKnownFormat(type_name_, *format->text());
  if (written_.contains("format")) {
    if (format != nullptr) return;
    written_.erase("format");
    options_.push_back({.name = "format", .value = "\"\""});
  } else if (is_known) {
    options_.push_back({.name = "format", .value = Quoted(*format->text())});
    rest_.erase("format");
  }
}

void SchemaReader::ReadTexts() {
  MoveSize("minLength", "min_length", "string");
  MoveSize("maxLength", "max_length", "string");
  const Value* pattern = rest_.find("pattern");
  const bool is_text = type_name_ == "string" || type_name_.empty();
  if (pattern != nullptr && pattern->is_string() && is_text && !written_.contains("pattern")) {
    options_.push_back({.name = "pattern", .value = Quoted(*pattern->text())});
    rest_.erase("pattern");
  }
  ReadFormat();
}

void SchemaReader::ReadContainers() {
  if (type_name_.empty()) return;
  MoveSize("minItems", "min_items", "array");
  MoveSize("maxItems", "max_items", "array");
  MoveSize("minProperties", "min_properties", "object");
  MoveSize("maxProperties", "max_properties", "object");
}

void SchemaReader::ReadEnum() {
  const Value* values = rest_.find("enum");
  if (values == nullptr || !values->is_list()) return;
  const List<Value>& list = *values->list();
  if (!std::all_of(list.begin(), list.end(), [this](const Value& each) { return Fits(each); })) {
    return;
  }
  for (const Value& value : list) {
    options_.push_back({.name = "enum_json", .value = Quoted(JsonOf(value))});
  }
  rest_.erase("enum");
}

// Returns false if the IDL cannot say the rule.
bool SchemaReader::ReadRule(const Value& rule, IdlOption& option) const {
  static constexpr struct {
    absl::string_view name;
    absl::string_view option;
  } kTexts[] = {{"rule", "rule"},
                {"message", "message"},
                {"messageExpression", "message_expression"},
                {"reason", "reason"},
                {"fieldPath", "field_path"}};
  if (!rule.is_object()) return false;
  const Map<Value>& members = *rule.object();
  size_t known = members.contains("optionalOldSelf") ? 1 : 0;
  for (const auto& each : kTexts) {
    const Value* text = members.find(each.name);
    if (text == nullptr) continue;
    if (!text->is_string()) return false;
    option.members.push_back({.name = std::string(each.option), .value = Quoted(*text->text())});
    ++known;
  }
  if (IsTrue(members, "optionalOldSelf")) {
    option.members.push_back({.name = "optional_old_self", .value = "true"});
  }
  const absl::string_view text = TextOf(members, "rule");
  const bool has_message = members.contains("message") || members.contains("messageExpression");
  return known == members.size() && !text.empty() &&
         !absl::StrContains(TextOf(members, "message"), "\n") &&
         (has_message || !absl::StrContains(text, "\n"));
}

void SchemaReader::ReadRules() {
  const Value* rules = rest_.find("x-kubernetes-validations");
  if (rules == nullptr || !rules->is_list()) return;
  IdlOptions options;
  for (const Value& rule : *rules->list()) {
    IdlOption& option = options.emplace_back();
    option.name = "rule";
    if (!ReadRule(rule, option)) return;
  }
  options_.insert(options_.end(), options.begin(), options.end());
  rest_.erase("x-kubernetes-validations");
}

IdlOptions SchemaReader::Finish() {
  if (type_.form != Form::kValue) {
    ReadNumbers();
    ReadTexts();
    ReadContainers();
    MoveTrue("nullable", "nullable");
    ReadEnum();
    ReadRules();
  }
  for (const auto& [name, value] : written_) {
    const Value* wanted = rest_.find(name);
    if (wanted == nullptr) {
      rest_[name] = Value();
    } else if (*wanted == value) {
      rest_.erase(name);
    }
  }
  if (!rest_.empty()) options_.push_back(SchemaJson(rest_));
  return std::move(options_);
}

IdlOption SchemaJson(const Map<Value>& members) {
  return {.name = "schema_json", .value = Quoted(JsonOf(Value(members)))};
}

}  // namespace kube::codegen::internal
