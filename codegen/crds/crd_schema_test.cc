#include "codegen/crds/crd_schema.h"

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "codegen/diagnostics.h"
#include "codegen/testing/sample_idl.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using unstructured::EncodeYaml;
using unstructured::Value;

namespace pb = google::protobuf;

struct Written {
  std::string yaml;
  std::vector<std::string> errors;
};

// The schema of the file's first message.
Written OfKind(absl::string_view body) {
  SampleIdl idl;
  const pb::FileDescriptor& file = idl.AddBody("row", body);
  Diagnostics diagnostics;
  Written written;
  const Map<Value> schema = SchemaWriter({&file}, diagnostics).OfKind(*file.message_type(0));
  written.yaml = EncodeYaml(schema).value();
  written.errors = diagnostics.errors();
  return written;
}

// The schema of field `f`, the only one of a message. Others may follow it.
Written OfField(absl::string_view field, absl::string_view others = "") {
  SampleIdl idl;
  const pb::FileDescriptor& file =
      idl.AddBody("row", absl::StrCat("message M {\n  ", field, "\n}\n", others));
  Diagnostics diagnostics;
  const Value schema = SchemaWriter({&file}, diagnostics).OfKind(*file.message_type(0));
  return {EncodeYaml(schema["properties"]["f"]).value(), diagnostics.errors()};
}

TEST(SchemaWriter, Types) {
  const struct {
    const char* field;
    const char* yaml;
  } kRows[] = {
      {"string f = 1;", "type: string\n"},
      {"bool f = 1;", "type: boolean\n"},
      {"int32 f = 1;", "format: int32\ntype: integer\n"},
      {"optional int64 f = 1;", "format: int64\ntype: integer\n"},
      {"double f = 1;", "type: number\n"},
      {"bytes f = 1;", "format: byte\ntype: string\n"},
      {"kube.Time f = 1;", "format: date-time\ntype: string\n"},
      {"optional kube.MicroTime f = 1;", "format: date-time\ntype: string\n"},
      {"kube.Duration f = 1;", "type: string\n"},
      {"kube.IntOrString f = 1;",
       "anyOf:\n- type: integer\n- type: string\nx-kubernetes-int-or-string: true\n"},
      {"kube.Quantity f = 1;",
       "anyOf:\n- type: integer\n- type: string\n"
       "pattern: ^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?"
       "(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$\n"
       "x-kubernetes-int-or-string: true\n"},
      {"kube.RawExtension f = 1;", "type: object\nx-kubernetes-preserve-unknown-fields: true\n"},
      {"kube.FieldsV1 f = 1;", "type: object\nx-kubernetes-preserve-unknown-fields: true\n"},
      {"kube.RawJson f = 1;", "x-kubernetes-preserve-unknown-fields: true\n"},
      {"kube.Value f = 1;", "x-kubernetes-preserve-unknown-fields: true\n"},
      {"repeated kube.Value f = 1;",
       "items:\n  x-kubernetes-preserve-unknown-fields: true\ntype: array\n"},
      {"optional Open f = 1;",
       "properties:\n  x:\n    type: string\ntype: object\n"
       "x-kubernetes-preserve-unknown-fields: true\n"},
      {"repeated int32 f = 1;", "items:\n  format: int32\n  type: integer\ntype: array\n"},
      {"map<string, bool> f = 1;", "additionalProperties:\n  type: boolean\ntype: object\n"},
      {"Names f = 1;", "items:\n  type: string\ntype: array\n"},
      {"map<string, Names> f = 1;",
       "additionalProperties:\n  items:\n    type: string\n  type: array\ntype: object\n"},
      {"Point f = 1;", "properties:\n  x:\n    type: string\ntype: object\n"},
      {"optional Point f = 1;", "properties:\n  x:\n    type: string\ntype: object\n"},
      {"repeated Point f = 1;",
       "items:\n  properties:\n    x:\n      type: string\n  type: object\ntype: array\n"},
      {"Empty f = 1;", "type: object\n"},
      {"Typed f = 1;",
       "properties:\n  apiVersion:\n    type: string\n  kind:\n    type: string\ntype: object\n"},
      {"Atomic f = 1;", "type: object\nx-kubernetes-map-type: atomic\n"},
  };
  for (const auto& row : kRows) {
    const Written written = OfField(row.field, R"(
message Names { option (kube.struct).list = true; repeated string items = 1; }
message Point { string x = 1; }
message Empty {}
message Typed { option (kube.struct).type_meta = true; }
message Atomic { option (kube.struct).atomic = true; }
message Open {
  string x = 1; map<string, kube.Value> others = 2 [(kube.field).holds_unknown_fields = true];
}
)");
    EXPECT_EQ(written.yaml, row.yaml) << row.field;
    EXPECT_THAT(written.errors, IsEmpty()) << row.field;
  }
}

TEST(SchemaWriter, OtherMembersOfSchemas) {
  const Written written = OfKind(R"(
message M {
  option (kube.kind) = {};
  option (kube.struct).validation.schema_json =
      '{"title": "M", "properties": {"odd name": {"type": "string"}, "gone": null}}';
  Meta metadata = 1 [(kube.field).validation.schema_json =
      '{"properties": {"name": {"type": "string", "maxLength": 9}}}'];
  repeated string gone = 2;
  map<string, string> texts = 3 [(kube.field).validation.items.schema_json = '{"example": "a"}'];
}
message Meta { string name = 1; }
)");
  EXPECT_THAT(written.errors, IsEmpty());
  EXPECT_EQ(written.yaml, R"(properties:
  apiVersion:
    type: string
  kind:
    type: string
  metadata:
    properties:
      name:
        maxLength: 9
        type: string
    type: object
  odd name:
    type: string
  texts:
    additionalProperties:
      example: a
      type: string
    type: object
title: M
type: object
)");
}

TEST(SchemaWriter, OptionsOfFields) {
  const struct {
    const char* options;
    const char* yaml;
  } kRows[] = {
      {"string f = 1 [(kube.field) = {enum_value: 'a' enum_value: 'b'}];",
       "enum:\n- a\n- b\ntype: string\n"},
      {"repeated string f = 1 [(kube.field).enum_value = 'a'];",
       "items:\n  enum:\n  - a\n  type: string\ntype: array\n"},
      {"Names f = 1 [(kube.field).enum_value = 'a'];",
       "items:\n  enum:\n  - a\n  type: string\ntype: array\n"},
      {"map<string, string> f = 1 [(kube.field).enum_value = 'a'];",
       "additionalProperties:\n  enum:\n  - a\n  type: string\ntype: object\n"},
      {"string f = 1 [(kube.field).default_json = '\"a\"'];", "default: a\ntype: string\n"},
      {"repeated string f = 1 [(kube.field).list_type = ATOMIC];",
       "items:\n  type: string\ntype: array\nx-kubernetes-list-type: atomic\n"},
      {"Names f = 1 [(kube.field).list_type = SET];",
       "items:\n  type: string\ntype: array\nx-kubernetes-list-type: set\n"},
      {"repeated Atomic f = 1 [(kube.field).list_type = SET];",
       "items:\n  type: object\n  x-kubernetes-map-type: atomic\ntype: array\n"
       "x-kubernetes-list-type: set\n"},
      {"repeated Point f = 1 [(kube.field) = {list_type: MAP list_map_key: 'x' list_map_key: "
       "'y'}];",
       "items:\n  properties:\n    x:\n      type: string\n    \"y\":\n      default: b\n"
       "      type: string\n  required:\n  - x\n  type: object\ntype: array\n"
       "x-kubernetes-list-map-keys:\n- x\n- \"y\"\nx-kubernetes-list-type: map\n"},
      {"map<string, string> f = 1 [(kube.field).atomic = true];",
       "additionalProperties:\n  type: string\ntype: object\nx-kubernetes-map-type: atomic\n"},
      {"Atomic f = 1 [(kube.field).granular = true];",
       "type: object\nx-kubernetes-map-type: granular\n"},
      {"repeated string f = 1 [(kube.field).validation = {max_items: 2 items: {max_length: 3}}];",
       "items:\n  maxLength: 3\n  type: string\nmaxItems: 2\ntype: array\n"},
      {"map<string, Names> f = 1 [(kube.field).validation.items.items.max_length = 3];",
       "additionalProperties:\n  items:\n    maxLength: 3\n    type: string\n  type: array\n"
       "type: object\n"},
      {"optional M f = 1 [(kube.field).validation = {schemaless: true}];", "type: object\n"},
      {"map<string, M> f = 1 [(kube.field).validation.items = {schemaless: true}];",
       "additionalProperties:\n  type: object\ntype: object\n"},
      {"OrBool f = 1 [(kube.field).validation = {schemaless: true preserve_unknown_fields: true}];",
       "x-kubernetes-preserve-unknown-fields: true\n"},
      // A type's rules, and more of the field.
      {"repeated Ruled f = 1 [(kube.field).validation.items = {max_properties: 1 rule {rule: "
       "'b'}}];",
       "items:\n  maxProperties: 1\n  type: object\n  x-kubernetes-validations:\n  - rule: a\n"
       "  - rule: b\ntype: array\n"},
  };
  for (const auto& row : kRows) {
    const Written written = OfField(row.options, R"(
message Names { option (kube.struct).list = true; repeated string items = 1; }
message Atomic { option (kube.struct).atomic = true; }
message Point {
  string x = 1 [(kube.field).omit = NEVER];
  string y = 2 [(kube.field).default_json = '"b"'];
}
message OrBool { option (kube.struct).json_form = OR_BOOL; bool allows = 1; M m = 2; }
message Ruled { option (kube.struct).validation = {max_properties: 2 rule {rule: "a"}}; }
)");
    EXPECT_EQ(written.yaml, row.yaml) << row.options;
    EXPECT_THAT(written.errors, IsEmpty()) << row.options;
  }
}

TEST(SchemaWriter, Kinds) {
  const Written written = OfKind(R"idl(
// Of the kind.
message Box {
  option (kube.kind) = {scope: NAMESPACED plural: "boxes"};
  option (kube.struct).validation.rule = {rule: "has(self.spec)"};
  // It is the server's.
  Meta metadata = 1 [(kube.field).validation.max_properties = 3];
  // First line,
  //   second line.
  //
  // ---
  // Not for users.
  Spec spec = 2 [(kube.field).required = true];
  string not_json = 3 [(kube.field).no_json = true];
  int32 size = 4;  // Behind it.
}
message Meta { string name = 1; }
// Of the message.
message Spec {
  string z = 1 [(kube.field).omit = NEVER];
  string a = 2 [(kube.field).omit = NEVER];
  optional string pointer = 3 [(kube.field).omit = NEVER];
  string with_default = 4 [(kube.field) = {omit: NEVER default_json: '""'}];
  string not_required = 5 [(kube.field) = {omit: NEVER required: false}];
  // Of the field.
  Inner own = 6 [json_name = "OWN"];
  Inner inner = 7;
  Inner inlined = 8 [(kube.field).inline = true];
}
// Of Inner.
message Inner {
  option (kube.struct).validation.rule = {rule: "self.m != ''"};
  string m = 1 [(kube.field).omit = NEVER];
}
)idl");
  EXPECT_THAT(written.errors, IsEmpty());
  EXPECT_EQ(written.yaml, R"(description: Of the kind.
properties:
  apiVersion:
    type: string
  kind:
    type: string
  metadata:
    type: object
  size:
    description: Behind it.
    format: int32
    type: integer
  spec:
    description: |-
      First line,
        second line.
    properties:
      OWN:
        description: Of the field.
        properties:
          m:
            type: string
        required:
        - m
        type: object
        x-kubernetes-validations:
        - rule: self.m != ''
      a:
        type: string
      inner:
        description: Of Inner.
        properties:
          m:
            type: string
        required:
        - m
        type: object
        x-kubernetes-validations:
        - rule: self.m != ''
      m:
        type: string
      notRequired:
        type: string
      pointer:
        type: string
      withDefault:
        default: ""
        type: string
      z:
        type: string
    required:
    - a
    - m
    - z
    type: object
    x-kubernetes-validations:
    - rule: self.m != ''
required:
- spec
type: object
x-kubernetes-validations:
- rule: has(self.spec)
)");
}

TEST(SchemaWriter, EmbeddedMetadataAndAReleasesTypes) {
  SampleIdl idl;
  idl.Add("meta.proto", R"(syntax = "proto3"; package kube.api.meta.v1; import "kube/options.proto";
option (kube.group_version) = {version: "v1" release: "1.36"};
message ObjectMeta { string name = 1; string uid = 2; }
message Part {
  string policy = 1 [(kube.field) = {enum_value: "a" validation: {format: "k8s-label-key"}}];
  string date = 2 [(kube.field).validation.format = "date"];
}
message Deep { optional Deep deep = 1; }
)");
  const pb::FileDescriptor& file = idl.Add("own.proto", R"(syntax = "proto3"; package own.v1;
import "meta.proto"; import "kube/options.proto";
message Kind {
  kube.api.meta.v1.ObjectMeta metadata = 1;
  Template template = 2;
  kube.api.meta.v1.Part part = 3;
}
message Template { kube.api.meta.v1.ObjectMeta metadata = 1; }
message Other {
  Inner inner = 1;
}
message Inner {
  kube.api.meta.v1.Deep deep = 1;
}
)");
  Diagnostics diagnostics;
  SchemaWriter writer({&file}, diagnostics);
  EXPECT_EQ(EncodeYaml(writer.OfKind(*file.message_type(0))).value(), R"(properties:
  metadata:
    type: object
  part:
    properties:
      date:
        format: date
        type: string
      policy:
        type: string
    type: object
  template:
    properties:
      metadata:
        properties:
          annotations:
            additionalProperties:
              type: string
            type: object
          finalizers:
            items:
              type: string
            type: array
          labels:
            additionalProperties:
              type: string
            type: object
          name:
            type: string
          namespace:
            type: string
        type: object
    type: object
type: object
)");
  EXPECT_THAT(diagnostics.errors(), IsEmpty());
  // It cannot be changed there: the field that leads to it is named.
  writer.OfKind(*file.message_type(2));
  EXPECT_THAT(
      diagnostics.errors(),
      ElementsAre("own.proto:13:3: field deep: Deep holds Deep, but a schema cannot be recursive: "
                  "write validation: {schemaless: true, preserve_unknown_fields: true}"));
}

TEST(SchemaWriter, Errors) {
  const struct {
    const char* field;
    const char* want;
  } kRows[] = {
      {"optional M f = 1;",
       "M holds M, but a schema cannot be recursive: write validation: {schemaless: true, "
       "preserve_unknown_fields: true}"},
      {"OrBool f = 1;",
       "JSON of OrBool has two forms, which a schema cannot express: write validation: "
       "{schemaless: "
       "true, "
       "preserve_unknown_fields: true}"},
      {"string f = 1 [(kube.field).string_type = 'Size'];", "unknown string_type \"Size\""},
      {"int32 f = 1 [(kube.field).enum_value = 'a'];", "enum_value: applies only to strings"},
      {"int32 f = 1 [(kube.field).default_json = '\"a\"'];",
       "default_json \"a\": must be of type integer"},
      {"int32 f = 1 [(kube.field).validation.pattern = 'a'];",
       "validation.pattern: does not apply to type integer"},
      {"repeated int32 f = 1 [(kube.field).validation.items.pattern = 'a'];",
       "validation.pattern: does not apply to type integer"},
      {"int32 f = 1 [(kube.field).validation.items.minimum = 1];",
       "validation.items: field has no elements"},
      {"string f = 1 [(kube.field).atomic = true];", "atomic: field must be a map or a message"},
      {"string f = 1 [(kube.field).granular = true];",
       "granular: field must be a map or a message"},
      {"string f = 1 [(kube.field).list_type = SET];", "list_type: field is not a list"},
      {"repeated string f = 1 [(kube.field).list_map_key = 'x'];",
       "list_map_key: requires list_type MAP"},
      {"repeated Point f = 1 [(kube.field).list_type = SET];",
       "list_type SET: message elements must be atomic, see (kube.struct).atomic"},
      {"repeated Point f = 1 [(kube.field).list_type = MAP];",
       "list_type MAP: requires a list_map_key"},
      {"repeated string f = 1 [(kube.field) = {list_type: MAP list_map_key: 'x'}];",
       "list_type MAP: elements must be messages"},
      {"repeated Point f = 1 [(kube.field) = {list_type: MAP list_map_key: 'q'}];",
       "list_map_key \"q\": no such field in the elements, use its JSON name"},
      {"repeated Point f = 1 [(kube.field) = {list_type: MAP list_map_key: 'x'}];",
       "list_map_key \"x\": must be required or have a default: write omit: NEVER or a "
       "default_json"},
      {"repeated Point f = 1 [(kube.field) = {list_type: MAP list_map_key: 'l'}];",
       "list_map_key \"l\": must be a scalar, got type array"},
      {"Point f = 1 [(kube.field) = {inline: true validation: {min_properties: 1}}];",
       "(kube.field).inline: validation must be set on its members"},
  };
  for (const auto& row : kRows) {
    const Written written = OfField(row.field, R"(
message Point { string x = 1; repeated string l = 2; }
message OrBool { option (kube.struct).json_form = OR_BOOL; bool allows = 1; M m = 2; }
)");
    EXPECT_THAT(written.errors, Contains(absl::StrCat("test/row.proto:3:3: field f: ", row.want)));
  }
}

TEST(SchemaWriter, RecursionIsReportedWhereItCloses) {
  const Written written = OfKind(R"(message A { optional B b = 1; }
message B { repeated C cs = 1; }
message C {
  string name = 1;
  map<string, B> bs = 2;
}
)");
  EXPECT_THAT(written.errors,
              ElementsAre("test/row.proto:6:3: field bs: B holds C holds B, but a schema cannot be "
                          "recursive: write "
                          "validation: {schemaless: true, preserve_unknown_fields: true}"));
}

TEST(SchemaWriter, ProblemsOfMessages) {
  EXPECT_THAT(
      OfKind("message M { option (kube.struct).validation.max_items = 3; }").errors,
      ElementsAre("test/row.proto:2:1: message M: validation.max_items: does not apply to type "
                  "object"));
}

}  // namespace
}  // namespace kube::codegen
