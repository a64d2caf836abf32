#include "codegen/definitions/definitions.h"

#include <google/protobuf/descriptor.h>

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "codegen/diagnostics.h"
#include "codegen/testing/sample_idl.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr absl::string_view kHead =
    "option (kube.group_version) = {group: 'apps' version: 'v1' go_package: "
    "'k8s.io/api/apps/v1'};\n"
    "message Box { option (kube.kind) = {}; }\n";

struct Printed {
  std::string text;
  std::vector<std::string> errors;
};

Printed Print(absl::string_view body) {
  SampleIdl idl;
  Diagnostics diagnostics;
  Printed printed;
  printed.text = PrintDefinitions({&idl.AddBody("a", body)}, diagnostics);
  printed.errors = diagnostics.errors();
  return printed;
}

// Returns the line of message M with this body.
std::string LineOf(absl::string_view message) {
  const Printed printed = Print(absl::StrCat(kHead, message));
  EXPECT_THAT(printed.errors, IsEmpty());
  const size_t line = printed.text.find("\nM ");
  return line == std::string::npos ? "" : printed.text.substr(line + 1);
}

TEST(PrintDefinitions, AFileBeginsWithThePrefixAndItsFirstKind) {
  EXPECT_EQ(Print(kHead).text, "= io.k8s.api.apps.v1. apps/v1 Box\n");
  EXPECT_EQ(Print("option (kube.group_version) = {version: 'v1'};\n"
                  "message M {}\n"
                  "message Core { option (kube.kind) = {name: 'Pod'}; }\n")
                .text,
            "= .v1. v1 Pod\n");
}

TEST(PrintDefinitions, FactsOfAMessage) {
  const struct {
    const char* message;
    const char* line;
  } kRows[] = {
      {"message M { string f = 1; }", ""},
      {"// About M.\nmessage M {}", "M {\"description\":\"About M.\"}\n"},
      {"message M { option (kube.struct).go_name = 'MM'; }", "M {\"name\":\"MM\"}\n"},
      {"message M {\n  // About f.\n  string a_field = 1;\n}",
       "M {\"properties\":{\"aField\":{\"description\":\"About f.\"}}}\n"},
      {"message M { int32 f = 1 [(kube.field).default_json = '3']; }",
       "M {\"properties\":{\"f\":{\"default\":3}}}\n"},
      // The members of an inlined message are those of the message.
      {"message M { N n = 1 [(kube.field).inline = true]; }\n"
       "message N { int32 f = 1 [(kube.field).default_json = '3']; }",
       "M {\"properties\":{\"f\":{\"default\":3}}}\n"
       "N {\"properties\":{\"f\":{\"default\":3}}}\n"},
      {"message M { int32 f = 1 [(kube.field) = {no_json: true default_json: '3'}]; }", ""},
  };
  for (const auto& row : kRows) EXPECT_EQ(LineOf(row.message), row.line) << row.message;
}

TEST(PrintDefinitions, RequiredIsWrittenWhereTheTableDoesNotSayIt) {
  const struct {
    const char* field;
    const char* facts;
  } kRows[] = {
      {"string f = 1;", ""},
      {"string f = 1 [(kube.field).omit = NEVER];", ""},
      {"optional string f = 1 [(kube.field).omit = NEVER];", ""},
      {"string f = 1 [(kube.field) = {omit: NEVER required: true}];", ""},
      {"string f = 1 [(kube.field) = {omit: NEVER required: false}];", "\"required\":false"},
      {"string f = 1 [(kube.field).required = true];", "\"required\":true"},
      {"optional string f = 1 [(kube.field) = {omit: NEVER required: true}];", "\"required\":true"},
      // In the table the list is a plain member.
      {"optional Texts f = 1 [(kube.field).omit = NEVER];", "\"required\":false"},
  };
  for (const auto& row : kRows) {
    const std::string line =
        LineOf(absl::StrCat("message M { ", row.field,
                            " }\nmessage Texts { option (kube.struct).list = true; "
                            "repeated string items = 1; }"));
    const std::string facts = row.facts;
    EXPECT_EQ(line, facts.empty() ? "" : absl::StrCat("M {\"properties\":{\"f\":{", facts, "}}}\n"))
        << row.field;
  }
}

TEST(PrintDefinitions, AClosedStringTypeIsAnEnumThatTheDescriptionExplains) {
  constexpr absl::string_view kTypes =
      "option (kube.string_type) = {name: 'Open' constant: {name: 'A' value: 'a'}};\n"
      "option (kube.string_type) = {name: 'Size' closed: true\n"
      "  constant: {name: 'Small' value: 's' comment: 'Fits a hand.'}\n"
      "  constant: {name: 'Big' value: 'b'}\n"
      "  constant: {name: 'Large' value: 'b'}};\n";
  EXPECT_EQ(
      LineOf(absl::StrCat(kTypes,
                          "message M {\n  string open = 1 [(kube.field).string_type = "
                          "'Open'];\n  // The size.\n  string size = 2 "
                          "[(kube.field).string_type = 'Size'];\n}")),
      R"(M {"properties":{"size":{"description":"The size.\n\nPossible enum values:\n - `\"b\"`\n )"
      R"(- `\"s\"` Fits a hand.","enum":["b","s"]}}})"
      "\n");
  EXPECT_EQ(LineOf(absl::StrCat(kTypes,
                                "message M { repeated string f = 1 [(kube.field) = "
                                "{string_type: 'Size' enum_value: 's'}]; }")),
            R"(M {"properties":{"f":{"description":"Possible enum values:\n - `\"s\"` Fits a )"
            R"(hand.","enum":["s"]}}})"
            "\n");
}

TEST(PrintDefinitions, AListOfValuesDoesNotRuleOutTheEmptyOneOfTheType) {
  EXPECT_EQ(LineOf("option (kube.string_type) = {name: 'Size' closed: true\n"
                   "  constant: {name: 'Unset' value: ''}\n"
                   "  constant: {name: 'Small' value: 's'}\n"
                   "  constant: {name: 'Big' value: 'b'}};\n"
                   "message M { string f = 1 [(kube.field) = "
                   "{string_type: 'Size' enum_value: 's'}]; }"),
            R"(M {"properties":{"f":{"description":"Possible enum values:\n - `\"\"`\n )"
            R"(- `\"s\"`","enum":["","s"]}}})"
            "\n");
}

TEST(PrintDefinitions, AStringTypeMayBeInAFileThatIsNotImported) {
  SampleIdl idl;
  Diagnostics diagnostics;
  const google::protobuf::FileDescriptor& types =
      idl.AddBody("types",
                  "message Crate { option (kube.kind) = {}; }\n"
                  "option (kube.string_type) = {name: 'Size' closed: true\n"
                  "  constant: {name: 'Small' value: 's'}};\n");
  const google::protobuf::FileDescriptor& file =
      idl.AddBody("a", absl::StrCat(kHead, "message M { string f = 1 [(kube.field).string_type = '",
                                    types.package(), ".Size']; }"));
  EXPECT_THAT(PrintDefinitions({&file, &types}, diagnostics), HasSubstr(R"("enum":["s"])"));
  EXPECT_THAT(diagnostics.errors(), IsEmpty());
}

TEST(PrintDefinitions, ReportsFilesWithoutKindsAndDefaultsThatAreNotJson) {
  EXPECT_THAT(Print("message M {}").errors,
              ElementsAre("test/a.proto:1:1: definitions: no message is a kind"));
  const std::vector<std::string> errors =
      Print(absl::StrCat(kHead, "message M { int32 f = 1 [(kube.field).default_json = 'x']; }"))
          .errors;
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_THAT(errors[0], testing::HasSubstr("field f: default_json: "));
}

}  // namespace
}  // namespace kube::codegen
