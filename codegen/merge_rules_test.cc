#include "codegen/merge_rules.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "codegen/diagnostics.h"
#include "codegen/testing/sample_idl.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

struct Outcome {
  std::string bytes;
  std::string error;
};

Outcome Encode(const std::string& field) {
  SampleIdl idl;
  Diagnostics diagnostics;
  const auto& file = idl.AddBody("row", absl::StrCat("message M { ", field, R"( }
message Atomic { option (kube.struct).atomic = true; }
message Names { option (kube.struct).list = true; repeated string items = 1; })"));
  Outcome outcome;
  outcome.bytes = EncodeMergeRules(*file.message_type(0)->field(0), diagnostics);
  if (!diagnostics.empty()) outcome.error = diagnostics.errors().front();
  return outcome;
}

TEST(EncodeMergeRules, StrategyAndKeys) {
  const struct {
    const char* field;
    std::string want;
  } kRows[] = {
      {"repeated string f = 1;", ""},
      {"repeated M f = 1 [(kube.field) = {patch_strategy: \"merge\" patch_merge_key: \"name\"}];",
       std::string("\1\4name\0", 7)},
      {"optional M f = 1 [(kube.field) = {patch_strategy: \"retainKeys\"}];",
       std::string("\2\0\0", 3)},
      {"repeated M f = 1 [(kube.field) = {patch_strategy: [\"merge\", \"retainKeys\"]}];",
       std::string("\3\0\0", 3)},
      {"repeated M f = 1 [(kube.field) = {patch_strategy: \"replace\"}];",
       std::string("\4\0\0", 3)},
      {"repeated M f = 1 [(kube.field) = {list_type: MAP list_map_key: [\"ip\", \"port\"]}];",
       std::string("\40\0\7ip,port", 10)},
      {"repeated string f = 1 [(kube.field).list_type = SET];", std::string("\20\0\0", 3)},
      {"Names f = 1 [(kube.field).list_type = ATOMIC];", std::string("\10\0\0", 3)},
      {"map<string, string> f = 1 [(kube.field).atomic = true];", std::string("\10\0\0", 3)},
      {"optional Atomic f = 1;", std::string("\10\0\0", 3)},
      {"repeated Atomic f = 1;", ""},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.field);
    const Outcome outcome = Encode(row.field);
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.bytes, row.want);
  }
}

TEST(EncodeMergeRules, Errors) {
  const struct {
    std::string field;
    const char* want;
  } kRows[] = {
      {"repeated M f = 1 [(kube.field).patch_strategy = \"mix\"];",
       "field f: patch_strategy \"mix\": write merge, retainKeys or replace"},
      {"M f = 1 [(kube.field).list_type = SET];", "field f: list_type: field is not a list"},
      {"map<string, string> f = 1 [(kube.field).list_type = ATOMIC];",
       "field f: list_type: field is not a list"},
      {"repeated M f = 1 [(kube.field).list_type = MAP];",
       "field f: list_type MAP and list_map_key: must be set together"},
      {"repeated M f = 1 [(kube.field).list_map_key = \"a\"];",
       "field f: list_type MAP and list_map_key: must be set together"},
      {absl::StrCat("repeated M f = 1 [(kube.field).patch_merge_key = \"", std::string(256, 'k'),
                    "\"];"),
       "field f: merge keys: longer than 255 bytes"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.field);
    EXPECT_EQ(Encode(row.field).error, absl::StrCat("test/row.proto:2:13: ", row.want));
  }
}

}  // namespace
}  // namespace kube::codegen
