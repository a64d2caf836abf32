#include "codegen/check_idl.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "codegen/diagnostics.h"
#include "codegen/testing/sample_idl.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> ErrorsOf(const std::string& body) {
  SampleIdl idl;
  Diagnostics diagnostics;
  CheckIdl(idl.AddBody("row", body), diagnostics);
  return diagnostics.errors();
}

TEST(CheckIdl, NothingToSay) {
  EXPECT_THAT(ErrorsOf(R"(
option (kube.group_version) = {group: "example.com", version: "v1", release: "1.36"};
message Widget {
  option (kube.kind) = {scope: NAMESPACED};
  string a = 1; bool b = 2; int32 c = 3; int64 d = 4; double e = 5; bytes f = 6;
  optional string g = 7; repeated string h = 8; map<string, Spec> i = 9;
  kube.Time j = 10; optional kube.Quantity k = 11; repeated kube.RawJson l = 32767;
  Names m = 12; map<string, Names> n = 13; Spec o = 14 [(kube.field).inline = true];
}
message Spec { optional Spec parent = 1; }
message Names { option (kube.struct).list = true; repeated string items = 1; }
message OrBool {
  option (kube.struct).json_form = OR_BOOL;
  bool allows = 1; optional Spec spec = 2;
}
message OrArray {
  option (kube.struct).json_form = OR_ARRAY;
  optional Spec spec = 1; repeated Spec specs = 2;
}
message OrStrings {
  option (kube.struct).json_form = OR_STRING_ARRAY;
  optional Spec spec = 1; repeated string texts = 2;
}
)"),
              IsEmpty());
}

// The third column of the second line of a message M.
TEST(CheckIdl, Fields) {
  const struct {
    const char* field;
    const char* want;
  } kRows[] = {
      {"float f = 1;", "field f: type float: write string, bool, int32, int64, double or bytes"},
      {"uint32 f = 1;", "field f: type uint32: write string, bool, int32, int64, double or bytes"},
      {"repeated sfixed64 f = 1;",
       "field f: type sfixed64: write string, bool, int32, int64, double or bytes"},
      {"map<int32, string> f = 1;", "field f: map key int32: write string"},
      {"map<string, uint64> f = 1;",
       "field f: map value uint64: write string, bool, int32, int64, double, bytes or a message"},
      {"string f = 32768;", "field f: number is larger than 32767"},
      {"kube.GroupVersion f = 1;", "field f: type kube.GroupVersion: not part of an API"},
      {"map<string, Own> f = 1;",
       "field f: map value enum: write string, bool, int32, int64, double, bytes or a message"},
      {"optional Names f = 1;",
       "field f: optional Names: must not be optional, an absent list is null"},
      {"repeated Names f = 1;", "field f: repeated Names: already a list"},
      {"string f = 1 [(kube.field) = {no_json: true no_wire: true}];",
       "field f: (kube.field): no_json and no_wire must not both be set"},
      {"string f = 1 [(kube.field).inline = true];",
       "field f: (kube.field).inline: must be a message that is neither optional nor repeated"},
      {"optional Spec f = 1 [(kube.field).inline = true];",
       "field f: (kube.field).inline: must be a message that is neither optional nor repeated"},
      {"repeated Spec f = 1 [(kube.field).inline = true];",
       "field f: (kube.field).inline: must be a message that is neither optional nor repeated"},
      {"map<string, Spec> f = 1 [(kube.field).inline = true];",
       "field f: (kube.field).inline: must be a message that is neither optional nor repeated"},
      {"kube.Time f = 1 [(kube.field).inline = true];",
       "field f: (kube.field).inline: the message is not an object in JSON"},
      {"Names f = 1 [(kube.field).inline = true];",
       "field f: (kube.field).inline: the message is not an object in JSON"},
      {"Form f = 1 [(kube.field).inline = true];",
       "field f: (kube.field).inline: the message is not an object in JSON"},
      {"Typed f = 1 [(kube.field).inline = true];",
       "field f: (kube.field).inline: the message has a kind of its own"},
      {"Spec f = 1 [(kube.field) = {inline: true omit: ZERO}];",
       "field f: (kube.field).inline: no_json and omit must be set on its members"},
      {"M f = 1 [(kube.field).inline = true];",
       "field f: (kube.field).inline: the message contains itself"},
      {"Around f = 1 [(kube.field).inline = true];",
       "field f: (kube.field).inline: the message contains itself"},
      {"Open f = 1 [(kube.field).inline = true];",
       "field f: (kube.field).inline: the message keeps unknown fields"},
      {"optional kube.Value f = 1;",
       "field f: optional Value: must not be optional, an absent one is null"},
      {"kube.Value f = 1 [(kube.field).no_json = true];",
       "field f: (kube.field).no_json: a Value is only in JSON"},
      {"map<string, string> f = 1 [(kube.field).holds_unknown_fields = true];",
       "field f: (kube.field).holds_unknown_fields: write map<string, kube.Value>"},
      {"kube.Value f = 1 [(kube.field).holds_unknown_fields = true];",
       "field f: (kube.field).holds_unknown_fields: write map<string, kube.Value>"},
      {"map<string, kube.Value> f = 1 [(kube.field).holds_unknown_fields = true]; string g = 2;",
       "field f: (kube.field).holds_unknown_fields: must be the last field of its message"},
      {"map<string, kube.Value> f = 1 [(kube.field) = {holds_unknown_fields: true omit: NEVER}];",
       "field f: (kube.field).holds_unknown_fields: omit and validation must not be set"},
      {"string f = 1 [json_name = \"\"];", "field f: json_name: must not be empty"},
      {"enum E { A = 0; }", "enum E: write string, with (kube.field).enum_value"},
      {"message N {}", "message N: write it outside of other messages"},
      {"oneof o { string f = 1; }", "oneof o: write optional fields"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.field);
    const bool around = absl::string_view(row.field).substr(0, 6) == "Around";
    EXPECT_THAT(ErrorsOf(absl::StrCat("message M {\n  ", row.field, R"(
}
enum Own { NONE = 0; }
message Spec { string name = 1; }
message Around { )",
                                      around ? "M m = 1 [(kube.field).inline = true];" : "", R"( }
message Names { option (kube.struct).list = true; repeated string items = 1; }
message Form {
  option (kube.struct).json_form = OR_BOOL;
  bool allows = 1; Spec spec = 2;
}
message Typed { option (kube.struct).type_meta = true; }
message Open { map<string, kube.Value> others = 1 [(kube.field).holds_unknown_fields = true]; }
)")),
                testing::Contains(absl::StrCat("test/row.proto:3:3: ", row.want)));
  }
}

TEST(CheckIdl, LongNames) {
  const std::string name(256, 'n');
  EXPECT_THAT(
      ErrorsOf("message " + name + " {}"),
      ElementsAre("test/row.proto:2:1: message " + name + ": name is longer than 255 bytes"));
  EXPECT_THAT(ErrorsOf("message M { string f = 1 [json_name = \"" + name + "\"]; }"),
              ElementsAre("test/row.proto:2:13: field f: name is longer than 255 bytes"));
}

TEST(CheckIdl, Messages) {
  const struct {
    const char* body;
    const char* want;
  } kRows[] = {
      {"option (kube.kind) = {};",
       "message M: is a kind, but the file has no (kube.group_version) with a version"},
      {"option (kube.struct).list = true;",
       "message M: (kube.struct).list: write one field, repeated string items = 1"},
      {"option (kube.struct).list = true; repeated int32 items = 1;",
       "message M: (kube.struct).list: write one field, repeated string items = 1"},
      {"option (kube.struct).list = true; repeated string items = 2;",
       "message M: (kube.struct).list: write one field, repeated string items = 1"},
      {"option (kube.struct).list = true; repeated string items = 1; bool b = 2;",
       "message M: (kube.struct).list: write one field, repeated string items = 1"},
      {"option (kube.struct) = {list: true type_meta: true}; repeated string items = 1;",
       "message M: (kube.struct).list: a list must not have a kind"},
      {"option (kube.struct).json_form = OR_BOOL; bool allows = 1;",
       "message M: (kube.struct).json_form OR_BOOL: fields do not match this form"},
      {"option (kube.struct).json_form = OR_BOOL; optional bool a = 1; optional M m = 2;",
       "message M: (kube.struct).json_form OR_BOOL: fields do not match this form"},
      {"option (kube.struct).json_form = OR_ARRAY; optional M m = 1; repeated string s = 2;",
       "message M: (kube.struct).json_form OR_ARRAY: fields do not match this form"},
      {"option (kube.struct).json_form = OR_STRING_ARRAY; optional M m = 1; repeated M s = 2;",
       "message M: (kube.struct).json_form OR_STRING_ARRAY: fields do not match this form"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.body);
    EXPECT_THAT(ErrorsOf(absl::StrCat("message M {", row.body, "}")),
                ElementsAre(absl::StrCat("test/row.proto:2:1: ", row.want)));
  }
}

TEST(CheckIdl, Files) {
  const struct {
    const char* name;
    const char* text;
    std::vector<std::string> want;
  } kRows[] = {
      {"no package",
       "syntax = \"proto3\";",
       {"f.proto:1:1: package: must be specified, it becomes the C++ namespace"}},
      {"release",
       "syntax = \"proto3\"; package p; import \"kube/options.proto\";\n"
       " option (kube.group_version) = {version: \"v1\" release: \"36\"};",
       {"f.proto:2:2: (kube.group_version).release \"36\": write two numbers, as \"1.36\""}},
      {"enum, service and extension",
       "syntax = \"proto3\"; package p; import \"google/protobuf/descriptor.proto\";\n"
       "enum E { A = 0; }\nmessage M {}\nservice S { rpc Do(M) returns (M); }\n"
       "extend google.protobuf.FieldOptions { bool x = 50000; }",
       {"f.proto:2:1: enum E: write string, with (kube.field).enum_value",
        "f.proto:4:1: service S: services are not part of an API, see (kube.kind)",
        "f.proto:5:39: field x: extensions are not part of an API"}},
      {"proto2",
       "syntax = \"proto2\"; package p;\n"
       "message M {\n  required string f = 1;\n  optional group G = 2 {}\n  extensions 100;\n}",
       {"f.proto:1:1: syntax: write \"proto3\"",
        "f.proto:4:3: message G: write it outside of other "
        "messages",
        "f.proto:2:1: message M: extensions are not part of an API",
        "f.proto:3:3: field f: required: write nothing, or (kube.field).required",
        "f.proto:4:3: field g: group: write a message"}},
      {"field of an enum",
       "syntax = \"proto3\"; package p;\nenum E { A = 0; }\nmessage M {\n  E e = 1;\n}",
       {"f.proto:2:1: enum E: write string, with (kube.field).enum_value",
        "f.proto:4:3: field e: enum: write string, with (kube.field).enum_value"}},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    SampleIdl idl;
    Diagnostics diagnostics;
    CheckIdl(idl.Add("f.proto", row.text), diagnostics);
    EXPECT_EQ(diagnostics.errors(), row.want);
  }
}

TEST(CheckIdl, ImportsToo) {
  SampleIdl idl;
  idl.Add("a.proto", "syntax = \"proto3\"; package a;\nmessage A { float f = 1; }");
  Diagnostics diagnostics;
  CheckIdl(idl.Add("b.proto",
                   "syntax = \"proto3\"; package b; import \"a.proto\";\n"
                   "message B { a.A a = 1; }"),
           diagnostics);
  EXPECT_THAT(diagnostics.errors(), ElementsAre(testing::StartsWith("a.proto:2:13: field f: ")));
}

TEST(IsApiFile, NotTheVocabulary) {
  SampleIdl idl;
  const auto& file = idl.AddBody("a", "");
  EXPECT_TRUE(IsApiFile(file));
  for (int i = 0; i < file.dependency_count(); ++i) {
    EXPECT_FALSE(IsApiFile(*file.dependency(i))) << file.dependency(i)->name();
  }
  EXPECT_TRUE(IsApiFile(idl.Add("kube/own.proto", "syntax = \"proto3\"; package own;")));
}

}  // namespace
}  // namespace kube::codegen
