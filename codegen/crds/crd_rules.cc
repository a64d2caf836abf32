#include "codegen/crds/crd_rules.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "codegen/crds/known_formats.h"
#include "codegen/crds/members.h"
#include "kube/options.pb.h"

namespace kube::codegen {
namespace {

using unstructured::Value;
using unstructured::ValueType;

constexpr char kPreserve[] = "x-kubernetes-preserve-unknown-fields";

// Parses the value of an option such as (kube.field).default_json.
absl::StatusOr<Value> ParseOption(absl::string_view json) {
  absl::StatusOr<Value> value = unstructured::ParseJson(json);
  if (value.ok()) return value;
  return absl::InvalidArgumentError(absl::StrCat("\"", absl::CHexEscape(json),
                                                 "\": ", value.status().message(),
                                                 "; a string needs quotes: \"\\\"a\\\"\""));
}

class RuleWriter {
 public:
  RuleWriter(const Validation& rules, Map<Value>& schema, std::vector<std::string>& problems)
      : rules_(rules), schema_(schema), problems_(problems), type_(TypeOf(schema)) {}

  void Write() {
    WriteNumbers();
    WriteStrings();
    WriteContainers();
    WriteExtensions();
    WriteValues();
    WriteCelRules();
    WriteOthers();
  }

 private:
  void WriteNumbers();
  void WriteStrings();
  void WriteContainers();
  void WriteExtensions();
  void WriteValues();
  void WriteCelRules();
  void WriteOthers();
  void WriteOther(absl::string_view name, const Value& value);
  Value CelRuleOf(const CelRule& rule);

  void Problem(absl::string_view rule, absl::string_view problem) {
    problems_.push_back(absl::StrCat("validation.", rule, ": ", problem));
  }
  // Writes a rule if it is set. `rule` is its name in the IDL, `key` that in JSON. Reports an error
  // unless the schema has one of `types` or allows any type.
  void Put(bool has, absl::string_view rule, const std::string& key,
           std::initializer_list<absl::string_view> types, Value value) {
    if (!has) return;
    schema_[key] = std::move(value);
    const bool fits = type_.empty() || std::find(types.begin(), types.end(), type_) != types.end();
    if (!fits) Problem(rule, absl::StrCat("does not apply to type ", type_));
  }
  void PutSize(bool has, absl::string_view rule, const std::string& key, absl::string_view type,
               int64_t value) {
    Put(has, rule, key, {type}, value);
    if (has && value < 0) Problem(rule, "must be greater than or equal to 0");
  }

  const Validation& rules_;
  Map<Value>& schema_;
  std::vector<std::string>& problems_;
  const std::string type_;
};

void RuleWriter::WriteNumbers() {
  const auto put = [this](bool has, const char* rule, const char* key, Value value) {
    Put(has, rule, key, {"integer", "number"}, std::move(value));
  };
  put(rules_.has_minimum(), "minimum", "minimum", rules_.minimum());
  put(rules_.has_maximum(), "maximum", "maximum", rules_.maximum());
  put(rules_.exclusive_minimum(), "exclusive_minimum", "exclusiveMinimum", true);
  put(rules_.exclusive_maximum(), "exclusive_maximum", "exclusiveMaximum", true);
  put(rules_.has_multiple_of(), "multiple_of", "multipleOf", rules_.multiple_of());
  if (rules_.exclusive_minimum() && !rules_.has_minimum()) {
    Problem("exclusive_minimum", "requires minimum");
  }
  if (rules_.exclusive_maximum() && !rules_.has_maximum()) {
    Problem("exclusive_maximum", "requires maximum");
  }
  if (rules_.has_multiple_of() && !(rules_.multiple_of() > 0)) {
    Problem("multiple_of", "must be greater than 0");
  }
  if (rules_.has_minimum() && rules_.has_maximum() && rules_.minimum() > rules_.maximum()) {
    Problem("minimum", "must be less than or equal to maximum");
  }
}

void RuleWriter::WriteStrings() {
  PutSize(rules_.has_min_length(), "min_length", "minLength", "string", rules_.min_length());
  PutSize(rules_.has_max_length(), "max_length", "maxLength", "string", rules_.max_length());
  Put(rules_.has_pattern(), "pattern", "pattern", {"string"}, rules_.pattern());
  if (!rules_.has_format()) return;
  if (rules_.format().empty()) {
    schema_.erase("format");
    return;
  }
  Put(true, "format", "format", {"string", "integer", "number"}, rules_.format());
  if (!IsKnownFormat(type_, rules_.format())) {
    Problem("format", absl::StrCat("unknown format \"", rules_.format(), "\""));
  }
}

void RuleWriter::WriteContainers() {
  PutSize(rules_.has_min_items(), "min_items", "minItems", "array", rules_.min_items());
  PutSize(rules_.has_max_items(), "max_items", "maxItems", "array", rules_.max_items());
  PutSize(rules_.has_min_properties(), "min_properties", "minProperties", "object",
          rules_.min_properties());
  PutSize(rules_.has_max_properties(), "max_properties", "maxProperties", "object",
          rules_.max_properties());
  if (rules_.unique_items()) {
    Problem("unique_items", "cannot be set to true in a CRD, use list_type: SET");
  }
}

void RuleWriter::WriteExtensions() {
  if (rules_.nullable()) schema_["nullable"] = true;
  Put(rules_.preserve_unknown_fields(), "preserve_unknown_fields", kPreserve, {"object"}, true);
  Put(rules_.embedded_resource(), "embedded_resource", "x-kubernetes-embedded-resource", {"object"},
      true);
  // An embedded resource needs a type, and either a schema or preserve_unknown_fields.
  if (rules_.embedded_resource()) {
    schema_["type"] = "object";
    if (!schema_.contains("properties") && !schema_.contains(kPreserve)) {
      Problem("embedded_resource", "properties or preserve_unknown_fields must be specified");
    }
  }
}

// Returns whether a number is an integer. In a CRD 1.0 is the same as 1.
bool IsInteger(const Value& value) {
  const double number = value.number().value_or(0.5);
  return value.is_int() || (std::floor(number) == number && std::abs(number) < 9e18);
}

// Returns whether the kind of a value fits the type of a schema.
bool Fits(const Value& value, const Map<Value>& schema) {
  const std::string type = TypeOf(schema);
  if (type.empty()) return true;
  switch (value.type()) {
    case ValueType::kObject:
      return type == "object";
    case ValueType::kList:
      return type == "array";
    case ValueType::kString:
      return type == "string";
    case ValueType::kBool:
      return type == "boolean";
    case ValueType::kInt:
    case ValueType::kDouble:
      return type == "number" || (type == "integer" && IsInteger(value));
    case ValueType::kNull:
      return schema.contains("nullable");
  }
  return false;
}

void RuleWriter::WriteValues() {
  if (rules_.enum_json_size() == 0) return;
  List<Value> values;
  for (const std::string& json : rules_.enum_json()) {
    absl::StatusOr<Value> value = ParseOption(json);
    if (!value.ok()) {
      Problem("enum_json", value.status().message());
      continue;
    }
    if (!Fits(*value, schema_)) {
      Problem("enum_json", absl::StrCat(json, " is not of type ", type_));
    }
    values.push_back(*std::move(value));
  }
  schema_["enum"] = std::move(values);
}

Value RuleWriter::CelRuleOf(const CelRule& rule) {
  static constexpr absl::string_view kReasons[] = {"", "FieldValueInvalid", "FieldValueForbidden",
                                                   "FieldValueRequired", "FieldValueDuplicate"};
  Map<Value> value;
  value["rule"] = rule.rule();
  if (rule.has_message()) value["message"] = rule.message();
  if (rule.has_message_expression()) {
    value["messageExpression"] = rule.message_expression();
  }
  if (rule.has_reason()) value["reason"] = rule.reason();
  if (rule.has_field_path()) value["fieldPath"] = rule.field_path();
  if (rule.optional_old_self()) value["optionalOldSelf"] = true;
  if (rule.rule().empty()) Problem("rule", "rule is not specified");
  if (rule.message().find('\n') != std::string::npos) {
    Problem("rule", "message must not contain line breaks");
  }
  if (rule.rule().find('\n') != std::string::npos && !rule.has_message() &&
      !rule.has_message_expression()) {
    Problem("rule", "message must be specified if rule contains line breaks");
  }
  if (std::find(std::begin(kReasons), std::end(kReasons), rule.reason()) == std::end(kReasons)) {
    Problem("rule", absl::StrCat("reason \"", rule.reason(),
                                 "\": must be FieldValueInvalid, FieldValueForbidden, "
                                 "FieldValueRequired or FieldValueDuplicate"));
  }
  return value;
}

void RuleWriter::WriteCelRules() {
  if (rules_.rule_size() == 0) return;
  List<Value>& list = ListAt(schema_, "x-kubernetes-validations");
  for (const CelRule& rule : rules_.rule()) list.push_back(CelRuleOf(rule));
}

// Returns whether code that reads the schema would find a member of schema_json as it expects it.
bool IsSchemaMember(absl::string_view name, const Value& value) {
  if (name == "required") return value.is_list();
  if (name == "type") return value.is_string();
  return name != "items" || value.is_object();
}

void RuleWriter::WriteOther(absl::string_view name, const Value& value) {
  if (value.is_null()) {
    schema_.erase(name);
    return;
  }
  if (name != "properties") {
    if (!IsSchemaMember(name, value)) {
      return Problem("schema_json", absl::StrCat(name, ": wrong type"));
    }
    schema_[name] = value;
    return;
  }
  if (!value.is_object()) return Problem("schema_json", "properties: must be an object");
  for (const auto& [property, of_property] : *value.object()) {
    if (of_property.is_object()) {
      ObjectAt(schema_, "properties")[property] = of_property;
    } else if (of_property.is_null()) {
      ObjectAt(schema_, "properties").erase(property);
    } else {
      Problem("schema_json", absl::StrCat("properties[", property.view(), "]: must be an object"));
    }
  }
}

void RuleWriter::WriteOthers() {
  if (!rules_.has_schema_json()) return;
  const absl::StatusOr<Value> members = ParseOption(rules_.schema_json());
  if (!members.ok()) return Problem("schema_json", members.status().message());
  if (!members->is_object()) return Problem("schema_json", "must be an object");
  for (const auto& [name, value] : *members->object()) WriteOther(name.view(), value);
}

}  // namespace

void WriteRules(const Validation& rules, Map<Value>& schema, std::vector<std::string>& problems) {
  RuleWriter(rules, schema, problems).Write();
}

void WriteDefault(absl::string_view json, Map<Value>& schema, std::vector<std::string>& problems) {
  absl::StatusOr<Value> value = ParseOption(json);
  if (!value.ok()) {
    problems.push_back(absl::StrCat("default_json ", value.status().message()));
    return;
  }
  if (!Fits(*value, schema)) {
    problems.push_back(absl::StrCat("default_json ", json, ": must be of type ", TypeOf(schema)));
  }
  schema["default"] = *std::move(value);
}

}  // namespace kube::codegen
