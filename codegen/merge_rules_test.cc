#include "codegen/merge_rules.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "codegen/diagnostics.h"
#include "codegen/testing/sample_idl.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

constexpr char kRelease[] = R"(option (kube.group_version) = {version: "v1" release: "1.36"};)";

struct Outcome {
  std::string bytes;
  std::string error;
};

// Encodes the rules of a field in a file with these options.
Outcome Encode(const std::string& field, absl::string_view file_options = "") {
  SampleIdl idl;
  Diagnostics diagnostics;
  const auto& file = idl.AddBody("row", absl::StrCat("message M { ", field, R"( }
message Atomic { option (kube.struct).atomic = true; }
message Names { option (kube.struct).list = true; repeated string items = 1; }
message Item {
  string text = 1 [(kube.field).omit = NEVER];
  bool flag = 2 [(kube.field).omit = NEVER];
  int32 small = 3 [(kube.field).omit = NEVER];
  int64 big = 4 [(kube.field).omit = ZERO];
  double real = 5 [(kube.field).omit = NEVER];
  string omitted = 6;
  int32 omitted_or_zero = 7 [(kube.field).omit = EMPTY_OR_ZERO];
  optional string pointer = 8 [(kube.field).omit = NEVER];
  string protocol = 9 [(kube.field).default_json = "\"TCP\""];
  string none = 10 [(kube.field) = {omit: NEVER default_json: "\"none\""}];
  string comma = 11 [(kube.field).default_json = "\"a,b\""];
  repeated string list = 12 [(kube.field).omit = NEVER];
  kube.Time time = 13 [(kube.field).omit = NEVER];
  bytes data = 14 [(kube.field).omit = NEVER];
  Inner inner = 15 [(kube.field).inline = true];
}
message Inner { string host_ip = 1 [json_name = "hostIP", (kube.field).omit = NEVER]; }
)",
                                                     file_options));
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
       std::string("\40\0\7ip,port\0", 11)},
      {"repeated string f = 1 [(kube.field).list_type = SET];", std::string("\20\0\0", 3)},
      {"Names f = 1 [(kube.field).list_type = ATOMIC];", std::string("\10\0\0", 3)},
      {"map<string, string> f = 1 [(kube.field).atomic = true];", std::string("\10\0\0", 3)},
      {"optional M f = 1 [(kube.field).atomic = true];", std::string("\10\0\0", 3)},
      {"optional Atomic f = 1 [(kube.field).granular = true];", std::string("\100\0\0", 3)},
      // The table of Atomic says that it is atomic.
      {"optional Atomic f = 1;", ""},
      {"repeated Atomic f = 1;", ""},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.field);
    const Outcome outcome = Encode(row.field);
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.bytes, row.want);
  }
}

TEST(EncodeMergeRules, DefaultsOfListMapKeys) {
  const struct {
    std::string keys;
    std::string want;        // in a user's file
    std::string in_release;  // in a file of a Kubernetes release
  } kRows[] = {
      {"text", "", "\"\""},
      {"flag", "", "false"},
      {"small", "", "0"},
      {"big", "", "0"},
      {"real", "", "0"},
      {"omitted", "", ""},
      {"omittedOrZero", "", ""},
      {"pointer", "", ""},
      {"protocol", "\"TCP\"", "\"TCP\""},
      {"none", "\"none\"", "\"none\""},
      {"list", "", ""},
      {"time", "", ""},
      {"data", "", ""},
      {"hostIP", "", "\"\""},
      {"absent", "", ""},
      {"small,protocol", ",\"TCP\"", "0,\"TCP\""},
      {"text,pointer,flag", "", "\"\",,false"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.keys);
    const std::string field =
        absl::StrCat("repeated Item f = 1 [(kube.field) = {list_type: MAP list_map_key: [\"",
                     absl::StrReplaceAll(row.keys, {{",", "\", \""}}), "\"]}];");
    const auto bytes_of = [&row](const std::string& defaults) {
      std::string bytes("\40\0", 2);
      bytes += static_cast<char>(row.keys.size());
      bytes += row.keys;
      bytes += static_cast<char>(defaults.size());
      return bytes + defaults;
    };
    EXPECT_EQ(Encode(field).bytes, bytes_of(row.want));
    EXPECT_EQ(Encode(field, kRelease).bytes, bytes_of(row.in_release));
  }
}

TEST(EncodeMergeRules, PatchStrategiesOfAReleaseAreListTypes) {
  const struct {
    const char* field;
    std::string want;
    std::string in_release;
  } kRows[] = {
      {"repeated Item f = 1 [(kube.field) = {patch_strategy: \"merge\" patch_merge_key: "
       "\"text\"}];",
       std::string("\1\4text\0", 7), std::string("\41\4text\4text\2\"\"", 14)},
      {"repeated string f = 1 [(kube.field) = {patch_strategy: \"merge\"}];",
       std::string("\1\0\0", 3), std::string("\21\0\0", 3)},
      {"repeated string f = 1 [(kube.field) = {patch_strategy: \"merge\" list_type: ATOMIC}];",
       std::string("\11\0\0", 3), std::string("\11\0\0", 3)},
      {"repeated Item f = 1 [(kube.field) = {patch_strategy: \"retainKeys\"}];",
       std::string("\2\0\0", 3), std::string("\2\0\0", 3)},
      {"optional Item f = 1 [(kube.field) = {patch_strategy: \"merge\"}];",
       std::string("\1\0\0", 3), std::string("\1\0\0", 3)},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.field);
    EXPECT_EQ(Encode(row.field).bytes, row.want);
    EXPECT_EQ(Encode(row.field, kRelease).bytes, row.in_release);
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
      {"map<string, string> f = 1 [(kube.field) = {atomic: true granular: true}];",
       "field f: atomic and granular: must not be set together"},
      {"repeated Item f = 1 [(kube.field) = {list_type: MAP list_map_key: \"comma\"}];",
       "field f: list_map_key \"comma\": default must not contain a comma"},
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
