#include "codegen/crds/crd_rules.h"

#include <google/protobuf/text_format.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kube/options.pb.h"

namespace kube::codegen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using unstructured::EncodeYaml;
using unstructured::Value;

struct Written {
  std::string yaml;
  std::vector<std::string> problems;
};

// The rules, in protobuf's text format, of a schema of this type, or of any.
Written Write(absl::string_view type, const std::string& rules) {
  Validation validation;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(rules, &validation)) << rules;
  Map<Value> schema;
  if (!type.empty()) schema["type"] = type;
  Written written;
  WriteRules(validation, schema, written.problems);
  if (!type.empty()) schema.erase("type");
  written.yaml = EncodeYaml(schema).value();
  return written;
}

TEST(WriteRules, EachOfItsType) {
  const struct {
    const char* type;
    const char* rules;
    const char* yaml;
  } kRows[] = {
      {"integer", "minimum: 0 maximum: 100", "maximum: 100\nminimum: 0\n"},
      {"number", "minimum: 0.5 exclusive_minimum: true", "exclusiveMinimum: true\nminimum: 0.5\n"},
      {"number", "maximum: 2 exclusive_maximum: true", "exclusiveMaximum: true\nmaximum: 2\n"},
      {"integer", "minimum: 1 exclusive_minimum: false", "minimum: 1\n"},
      {"integer", "multiple_of: 5", "multipleOf: 5\n"},
      {"string", "min_length: 0 max_length: 63", "maxLength: 63\nminLength: 0\n"},
      {"string", "pattern: '^a: #$'", "pattern: '^a: #$'\n"},
      {"string", "format: 'date-time'", "format: date-time\n"},
      {"array", "min_items: 1 max_items: 3", "maxItems: 3\nminItems: 1\n"},
      {"array", "unique_items: false", "{}\n"},
      {"object", "min_properties: 1 max_properties: 2", "maxProperties: 2\nminProperties: 1\n"},
      {"object", "nullable: true", "nullable: true\n"},
      {"object", "preserve_unknown_fields: true", "x-kubernetes-preserve-unknown-fields: true\n"},
      {"object", "embedded_resource: true preserve_unknown_fields: true",
       "x-kubernetes-embedded-resource: true\nx-kubernetes-preserve-unknown-fields: true\n"},
      {"integer", "enum_json: '1' enum_json: '2'", "enum:\n- 1\n- 2\n"},
      {"string", "nullable: true enum_json: '\"1\"' enum_json: 'null'",
       "enum:\n- \"1\"\n- null\nnullable: true\n"},
      {"string", "format: ''", "{}\n"},
      {"string", "min_length: 1 schema_json: '{\"title\": \"T\", \"minLength\": null}'",
       "title: T\n"},
      {"array", "schema_json: '{\"items\": {\"type\": \"array\"}}'", "items:\n  type: array\n"},
      {"object", "schema_json: '{\"properties\": {\"a\": {}, \"b\": null}}'",
       "properties:\n  a: {}\n"},
      // Any type: an IntOrString.
      {"", "minimum: 0 pattern: '%$'", "minimum: 0\npattern: '%$'\n"},
      {"string", "rule: {rule: 'self == oldSelf' message: 'it does not change'}",
       "x-kubernetes-validations:\n- message: it does not change\n  rule: self == oldSelf\n"},
      {"string",
       "rule: {rule: 'a' message_expression: 'b' reason: 'FieldValueRequired' field_path: '.c' "
       "optional_old_self: true} rule: {rule: 'd'}",
       "x-kubernetes-validations:\n- fieldPath: .c\n  messageExpression: b\n  optionalOldSelf: "
       "true\n"
       "  reason: FieldValueRequired\n  rule: a\n- rule: d\n"},
  };
  for (const auto& row : kRows) {
    const Written written = Write(row.type, row.rules);
    EXPECT_EQ(written.yaml, row.yaml) << row.rules;
    EXPECT_THAT(written.problems, IsEmpty()) << row.rules;
  }
}

TEST(WriteRules, Problems) {
  const struct {
    const char* type;
    const char* rules;
    const char* want;
  } kRows[] = {
      {"string", "minimum: 0", "validation.minimum: does not apply to type string"},
      {"integer", "max_length: 3", "validation.max_length: does not apply to type integer"},
      {"array", "pattern: 'a'", "validation.pattern: does not apply to type array"},
      {"object", "max_items: 3", "validation.max_items: does not apply to type object"},
      {"array", "min_properties: 1", "validation.min_properties: does not apply to type array"},
      {"string", "preserve_unknown_fields: true",
       "validation.preserve_unknown_fields: does not apply to type string"},
      {"integer", "minimum: 2 maximum: 1",
       "validation.minimum: must be less than or equal to maximum"},
      {"integer", "exclusive_minimum: true", "validation.exclusive_minimum: requires minimum"},
      {"integer", "exclusive_maximum: true", "validation.exclusive_maximum: requires maximum"},
      {"integer", "multiple_of: 0", "validation.multiple_of: must be greater than 0"},
      {"string", "min_length: -1", "validation.min_length: must be greater than or equal to 0"},
      {"string", "format: 'colour'", "validation.format: unknown format \"colour\""},
      {"integer", "format: 'date'", "validation.format: unknown format \"date\""},
      {"array", "unique_items: true",
       "validation.unique_items: cannot be set to true in a CRD, use list_type: SET"},
      {"object", "embedded_resource: true",
       "validation.embedded_resource: properties or preserve_unknown_fields must be specified"},
      {"string", "enum_json: 'small'",
       "validation.enum_json: \"small\": decode JSON: expected a value (line 1, column 1); a "
       "string needs quotes: \"\\\"a\\\"\""},
      {"string", "enum_json: '\"a\" b'",
       "validation.enum_json: \"\\\"a\\\" b\": decode JSON: unexpected data after the object (line "
       "1, "
       "column "
       "5); a string needs quotes: \"\\\"a\\\"\""},
      {"integer", "enum_json: '1.5'", "validation.enum_json: 1.5 is not of type integer"},
      {"integer", "enum_json: 'null'", "validation.enum_json: null is not of type integer"},
      {"string", "schema_json: '[]'", "validation.schema_json: must be an object"},
      {"array", "schema_json: '{\"items\": true}'", "validation.schema_json: items: wrong type"},
      {"object", "schema_json: '{\"required\": \"a\"}'",
       "validation.schema_json: required: wrong type"},
      {"object", "schema_json: '{\"properties\": [1]}'",
       "validation.schema_json: properties: must be an object"},
      {"object", "schema_json: '{\"properties\": {\"a\": 1}}'",
       "validation.schema_json: properties[a]: must be an object"},
      {"string", "rule: {}", "validation.rule: rule is not specified"},
      {"string", "rule: {rule: 'a' message: 'b\\nc'}",
       "validation.rule: message must not contain line breaks"},
      {"string", "rule: {rule: 'a\\nb'}",
       "validation.rule: message must be specified if rule contains line breaks"},
      {"string", "rule: {rule: 'a' reason: 'Wrong'}",
       "validation.rule: reason \"Wrong\": must be FieldValueInvalid, FieldValueForbidden, "
       "FieldValueRequired or FieldValueDuplicate"},
  };
  for (const auto& row : kRows) {
    EXPECT_THAT(Write(row.type, row.rules).problems, ElementsAre(row.want)) << row.rules;
  }
}

// A field's rules on top of those of its type.
TEST(WriteRules, LaterOnesCountAndCelRulesAddUp) {
  Validation first, second;
  first.set_max_properties(3);
  first.add_rule()->set_rule("a");
  second.set_max_properties(2);
  second.add_rule()->set_rule("b");
  Map<Value> schema;
  std::vector<std::string> problems;
  WriteRules(first, schema, problems);
  WriteRules(second, schema, problems);
  EXPECT_EQ(EncodeYaml(schema).value(),
            "maxProperties: 2\nx-kubernetes-validations:\n- rule: a\n- rule: b\n");
}

TEST(WriteDefault, OfItsType) {
  const struct {
    const char* type;
    const char* json;
    const char* yaml;
    const char* problem;
  } kRows[] = {
      {"string", "\"a\"", "default: a\n", ""},
      {"integer", "3", "default: 3\n", ""},
      {"integer", "3.0", "default: 3\n", ""},
      {"number", "3", "default: 3\n", ""},
      {"number", "-0.25E-1", "default: -0.025\n", ""},
      {"number", "0.5", "default: 0.5\n", ""},
      {"boolean", "false", "default: false\n", ""},
      {"array", "[]", "default: []\n", ""},
      {"object", "{\"a\": 1}", "default:\n  a: 1\n", ""},
      {"string", R"("\u00fc\ud83d\ude00")", "default: \"\xC3\xBC\\U0001F600\"\n", ""},
      {"string", "3", "default: 3\n", "default_json 3: must be of type string"},
      {"integer", "123456789012345678901234567890", "default: 1.2345678901234568e+29\n",
       "default_json 123456789012345678901234567890: must be of type integer"},
      {"integer", "0.5", "default: 0.5\n", "default_json 0.5: must be of type integer"},
      {"object", "[]", "default: []\n", "default_json []: must be of type object"},
      {"array", "null", "default: null\n", "default_json null: must be of type array"},
  };
  for (const auto& row : kRows) {
    Map<Value> schema;
    schema["type"] = row.type;
    std::vector<std::string> problems;
    WriteDefault(row.json, schema, problems);
    EXPECT_EQ(EncodeYaml(schema).value(), absl::StrCat(row.yaml, "type: ", row.type, "\n"));
    if (*row.problem == '\0') {
      EXPECT_THAT(problems, IsEmpty());
    } else {
      EXPECT_THAT(problems, ElementsAre(row.problem));
    }
  }
}

// go-yaml's order of keys is not transitive ("1" before "01" before "0a" before "1"): a container
// sorted by it would contain a key twice, and not find others.
TEST(WriteDefault, KeysWhoseOrderGoesInCircles) {
  Map<Value> schema;
  std::vector<std::string> problems;
  WriteDefault(
      R"({"09": 1, "9": 2, "001": 3, "01": 4, "0b": 5, "0a": 6, "02": 7, "3": 8, "09": 9})", schema,
      problems);
  EXPECT_THAT(problems, IsEmpty());
  const std::string yaml = EncodeYaml(schema).value();
  EXPECT_EQ(unstructured::ParseYaml(yaml)->Find("default")->object()->size(), 8u) << yaml;
  EXPECT_EQ(unstructured::ParseYaml(yaml).value(), Value(schema)) << yaml;
  EXPECT_EQ(schema["default"]["09"], Value(9));
}

}  // namespace
}  // namespace kube::codegen
