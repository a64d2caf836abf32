#include "codegen/crd_import/internal/message_builder.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "codegen/crd_import/internal/idl.h"
#include "codegen/crd_import/internal/idl_names.h"
#include "codegen/crd_import/internal/idl_printer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;
using testing::Not;
using unstructured::Value;

Map<Value> Schema(absl::string_view yaml) {
  return *unstructured::ParseYaml(yaml).value().object();
}

KindMessages Widget() {
  return {.name = "W",
          .list_name = "WList",
          .kind = {{.name = "scope", .value = "CLUSTER"}},
          .list_kind = {{.name = "list_of", .value = "\"W\""}}};
}

// Returns the messages of a kind with this schema, without those that all kinds have.
std::string Built(absl::string_view yaml) {
  MessageNames names;
  names.Add("W");
  names.Add("WList");
  MessageBuilder builder(names);
  const absl::Status status = builder.AddKind(Widget(), Schema(yaml));
  EXPECT_THAT(status, IsOk());
  IdlFile file;
  file.messages = builder.TakeMessages();
  file.aliases = builder.TakeAliases();
  return PrintIdl(file);
}

// Returns the field of a property `p`.
std::string FieldOf(absl::string_view schema, bool is_required = false) {
  const std::string text = Built(absl::StrCat("{type: object, properties: {p: ", schema, "}",
                                              is_required ? ", required: [p]" : "", "}"));
  const size_t begin = text.find("  kube.api.meta.v1.ObjectMeta metadata = 1;\n");
  EXPECT_NE(begin, std::string::npos) << text;
  const size_t first = text.find('\n', begin) + 1;
  return text.substr(first, text.find("\n}\n", first) - first);
}

TEST(MessageBuilder, FieldsKeepWhatIsThere) {
  const struct {
    const char* schema;
    const char* optional;
    const char* required;
  } kRows[] = {
      {"{type: string}", "  optional string p = 2;",
       "  string p = 2 [(kube.field) = {omit: NEVER}];"},
      {"{type: string, nullable: true}",
       "  optional string p = 2 [(kube.field) = {validation: {nullable: true}}];",
       "  optional string p = 2 [(kube.field) = {\n    omit: NEVER\n    required: true\n"
       "    validation: {nullable: true}\n  }];"},
      {"{type: array, items: {type: string}}",
       "  repeated string p = 2 [(kube.field) = {omit: ZERO}];",
       "  repeated string p = 2 [(kube.field) = {omit: NEVER}];"},
      {"{type: object, additionalProperties: {type: integer, format: int32}}",
       "  map<string, int32> p = 2 [(kube.field) = {omit: ZERO}];",
       "  map<string, int32> p = 2 [(kube.field) = {omit: NEVER}];"},
      {"{type: object, properties: {a: {type: string}}}", "  optional WP p = 2;",
       "  WP p = 2 [(kube.field) = {omit: NEVER}];"},
      {"{x-kubernetes-preserve-unknown-fields: true}", "  kube.Value p = 2;",
       "  kube.Value p = 2 [(kube.field) = {omit: NEVER}];"},
      {"{type: boolean, default: true}",
       "  optional bool p = 2 [(kube.field) = {default_json: \"true\"}];",
       "  bool p = 2 [(kube.field) = {omit: NEVER, default_json: \"true\", required: true}];"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(FieldOf(row.schema), row.optional);
    EXPECT_EQ(FieldOf(row.schema, true), row.required);
  }
}

TEST(MessageBuilder, OptionsOfFields) {
  const struct {
    const char* schema;
    const char* want;
  } kRows[] = {
      {"{type: string, enum: [a, b], description: \"What.\\nIt is.\"}",
       "  // What.\n  // It is.\n"
       "  optional string p = 2 [(kube.field) = {enum_value: \"a\", enum_value: \"b\"}];"},
      {"{type: array, items: {type: string, enum: [a], maxLength: 3}, "
       "x-kubernetes-list-type: set}",
       "  repeated string p = 2 [(kube.field) = {\n    omit: ZERO\n    list_type: SET\n"
       "    enum_value: \"a\"\n    validation: {items: {max_length: 3}}\n  }];"},
      {"{type: array, items: {type: array, items: {type: string}}}",
       "  repeated kube.Value p = 2 [(kube.field) = {\n    omit: ZERO\n    validation: {\n"
       "      items: {\n        schema_json: \"{\\\"items\\\":{\\\"type\\\":\\\"string\\\"},"
       "\\\"type\\\":\\\"array\\\",\\\"x-kubernetes-preserve-unknown-fields\\\":null}\"\n"
       "      }\n    }\n  }];"},
      {"{type: object, additionalProperties: true}",
       "  map<string, kube.Value> p = 2 [(kube.field) = {\n    omit: ZERO\n"
       "    validation: {schema_json: \"{\\\"additionalProperties\\\":true}\"}\n  }];"},
      {"{type: object, additionalProperties: {type: string}, x-kubernetes-map-type: atomic}",
       "  map<string, string> p = 2 [(kube.field) = {omit: ZERO, atomic: true}];"},
  };
  for (const auto& row : kRows) EXPECT_EQ(FieldOf(row.schema), row.want);
}

TEST(MessageBuilder, ListMapsHaveKeysOfTheirMessages) {
  EXPECT_THAT(FieldOf("{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], "
                      "items: {type: object, required: [a], properties: {a: {type: string}}}}"),
              HasSubstr("  repeated WP p = 2 [(kube.field) = {omit: ZERO, list_type: MAP, "
                        "list_map_key: \"a\"}];"));
  // A key that a table cannot have.
  EXPECT_THAT(
      FieldOf("{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [\"a,b\"], "
              "items: {type: object, required: [\"a,b\"], properties: {\"a,b\": {type: string}}}}"),
      HasSubstr("schema_json: \"{\\\"x-kubernetes-list-map-keys\\\":[\\\"a,b\\\"],"
                "\\\"x-kubernetes-list-type\\\":\\\"map\\\"}\""));
}

TEST(MessageBuilder, UnknownFieldsHaveAMember) {
  const std::string text = Built(
      "{type: object, x-kubernetes-preserve-unknown-fields: true, "
      "properties: {unknownFields: {type: string}}}");
  EXPECT_THAT(text, HasSubstr("  optional string unknown_fields = 2;\n"));
  EXPECT_THAT(text, HasSubstr("  map<string, kube.Value> unknown_fields_2 = 3 "
                              "[(kube.field) = {holds_unknown_fields: true}];\n"));
  EXPECT_THAT(text, Not(HasSubstr("schema_json")));
}

// A name that cannot be a field's is a member of the map of unknown fields, and the schema says
// that no other is.
TEST(MessageBuilder, OddNamesAreUnknownFields) {
  const std::string text =
      Built("{type: object, required: [\"a\\\"b\"], properties: {\"a\\\"b\": {type: string}}}");
  EXPECT_THAT(text, HasSubstr("  map<string, kube.Value> unknown_fields = 2 "
                              "[(kube.field) = {holds_unknown_fields: true}];\n"));
  EXPECT_THAT(
      text,
      HasSubstr(R"("{\"properties\":{\"a\\\"b\":{\"type\":\"string\"}},)"
                R"(\"required\":[\"a\\\"b\"],\"x-kubernetes-preserve-unknown-fields\":null}")"));
}

TEST(MessageBuilder, EqualMessagesAreWrittenOnce) {
  const std::string text = Built(R"(
type: object
properties:
  a: {type: object, properties: {x: {type: object, properties: {y: {type: string}}}}}
  b: {type: object, properties: {x: {type: object, properties: {y: {type: string}}}}}
  c: {type: object}
  d: {type: object}
)");
  EXPECT_THAT(text, HasSubstr("option (kube.alias) = {name: \"WBX\", of: \"WAX\"};\n"
                              "option (kube.alias) = {name: \"WB\", of: \"WA\"};\n"));
  EXPECT_THAT(text, HasSubstr("  optional WA a = 2;\n  optional WA b = 3;\n  optional WC c = 4;\n"
                              "  optional WD d = 5;\n"));
  EXPECT_THAT(text, Not(HasSubstr("message WB {")));
}

TEST(MessageBuilder, MetadataMayRestrictTheName) {
  EXPECT_THAT(Built("{type: object, required: [metadata], "
                    "properties: {metadata: {type: object, properties: {name: {maxLength: 9}}}}}"),
              HasSubstr("  kube.api.meta.v1.ObjectMeta metadata = 1 [(kube.field) = {\n"
                        "    required: true\n"
                        "    validation: {schema_json: "
                        "\"{\\\"properties\\\":{\\\"name\\\":{\\\"maxLength\\\":9}}}\"}\n  }];\n"));
}

TEST(MessageBuilder, LargeStructsAreHeldByPointers) {
  std::string properties;
  for (int i = 0; i < 400; ++i) {
    absl::StrAppend(&properties, i == 0 ? "" : ", ", "p", i, ": {type: string}");
  }
  const std::string part = absl::StrCat("{type: object, properties: {", properties, "}}");
  const std::string text =
      Built(absl::StrCat("{type: object, required: [a, b], properties: {a: ", part,
                         ", b: {type: object, required: [c], properties: {c: ", part, "}}}}"));
  EXPECT_THAT(text, HasSubstr("  WA a = 2 [(kube.field) = {omit: NEVER}];\n"));
  EXPECT_THAT(text,
              HasSubstr("  optional WB b = 3 [(kube.field) = {omit: NEVER, required: true}];"));
}

TEST(MessageBuilder, TooManyProperties) {
  std::string properties;
  for (int i = 0; i < 999; ++i) absl::StrAppend(&properties, i == 0 ? "" : ", ", "p", i, ": {}");
  MessageNames names;
  MessageBuilder builder(names);
  const Map<Value> schema = Schema(absl::StrCat("{type: object, properties: {", properties, "}}"));
  absl::Status status;
  int count = 0;
  while (status.ok() && count < 200) {
    status = builder.AddKind(Widget(), schema);
    ++count;
  }
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted,
                               HasSubstr("more than 100000 properties")));
  EXPECT_EQ(count, 101);
}

}  // namespace
}  // namespace kube::codegen::internal
