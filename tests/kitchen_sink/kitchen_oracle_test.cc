#include "tests/kitchen_sink/kitchen_oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tests/oracle/oracle.h"

namespace kube::oracle {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// Each operation, and the errors that are the program's own.
struct Row {
  std::string operation;
  std::string type;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  // Part of the error, where there is one instead of outputs.
  std::string error = "";
};

constexpr char kTapJson[] =
    R"({"kind":"Tap","apiVersion":"kitchen.example.com/v1","metadata":{},"open":true})";

std::vector<Row> Rows() {
  const std::string point_wire = {0x08, 0x01, 0x10, 0x02, 0x1a, 0x01, 'a'};
  return {
      {"json_to_json", "Point", {R"({"y":2,"x":1,"z":3})"}, {R"({"x":1,"y":2})"}},
      {"json_to_json", "HttpAction", {"{}"}, {R"({"port":0})"}},
      {"json_to_pretty_json", "Point", {R"({"x":1})"}, {"{\n  \"x\": 1\n}"}},
      {"json_to_pb", "Point", {R"({"x":1,"y":2,"label":"a"})"}, {point_wire}},
      {"pb_to_json", "Point", {point_wire}, {R"({"x":1,"y":2,"label":"a"})"}},
      {"pb_to_pb", "Point", {point_wire}, {point_wire}},
      {"json_to_yaml", "Point", {R"({"y":2,"x":1})"}, {"x: 1\n\"y\": 2\n"}},
      {"yaml_to_json", "Point", {"label: a\nx: 0x10\n"}, {R"({"x":16,"label":"a"})"}},
      {"yaml_to_pb", "Empty", {"{}"}, {""}},
      {"strict_json",
       "Point",
       {R"({"X":1,"x":1,"x":2})"},
       {R"({"x":2})", "unknown field \"X\"", "duplicate field \"x\""}},
      {"strict_yaml",
       "Point",
       {"x: 1\nx: 2\nz: 3\n"},
       {R"({"x":2})", "yaml: unmarshal errors:\n  line 2: key \"x\" already set in map",
        "unknown field \"z\""}},
      {"json_into_json", "Point", {R"({"x":1,"y":1})", R"({"y":2})"}, {R"({"x":1,"y":2})"}},
      {"pb_into_pb", "Point", {{0x08, 0x01}, {0x10, 0x02, 0x1a, 0x01, 'a'}}, {point_wire}},
      {"equal", "Lists", {R"({"texts":[]})", "{}"}, {"true"}},
      {"equal", "Lists", {R"({"texts":["a"]})", "{}"}, {"false"}},
      {"strategic_patch",
       "Merges",
       {R"({"parts":[{"name":"a","image":"1"},{"name":"b"}]})",
        R"({"parts":[{"name":"a","image":"2"}]})"},
       {R"({"parts":[{"image":"2","name":"a"},{"name":"b"}]})"}},
      {"create_strategic_patch",
       "Merges",
       {R"({"set":["a"]})", R"({"set":["a","b"]})"},
       {R"({"$setElementOrder/set":["a","b"],"set":["b"]})"}},
      {"merge_patch", "", {R"({"a":1,"b":2})", R"({"a":null,"c":3})"}, {R"({"b":2,"c":3})"}},
      {"create_merge_patch", "", {R"({"a":1,"b":2})", R"({"b":3})"}, {R"({"a":null,"b":3})"}},
      {"json_patch", "", {R"({"a":1})", R"([{"op":"remove","path":"/a"}])"}, {"{}"}},
      {"plain_yaml_to_json", "", {"a: yes\n"}, {R"({"a":true})"}},
      {"plain_json_to_yaml", "", {R"({"a":"yes"})"}, {"a: \"yes\"\n"}},
      {"fields",
       "HttpAction",
       {},
       {"path|string|omitempty|1||", "port|intstr.IntOrString||2||", "host|string|omitempty|3||"}},
      {"json_to_json", "Point", {"{"}, {}, "unexpected end of JSON input"},
      {"json_to_json", "Nothing", {"{}"}, {}, "no type \"Nothing\""},
      {"json_to_json", "Point", {}, {}, "takes 1 inputs, not 0"},
      {"nothing", "Point", {}, {}, "no operation \"nothing\""},
  };
}

TEST(KitchenOracleTest, Operations) {
  const std::vector<Row> rows = Rows();
  KitchenOracle go;
  for (const Row& row : rows) go.Ask(row.operation, row.type, row.inputs);
  const absl::Status ran = go.Run();
  if (PrintSkipped(ran)) GTEST_SKIP();
  ASSERT_TRUE(ran.ok()) << ran;
  for (size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(rows[i].operation + " " + rows[i].type);
    if (rows[i].error.empty()) {
      ASSERT_TRUE(go[i].ok()) << go[i].status();
      EXPECT_EQ(*go[i], rows[i].outputs);
    } else {
      EXPECT_THAT(go.Output(i), HasSubstr(rows[i].error));
    }
  }
}

// What one answer says is the next question.
TEST(KitchenOracleTest, EnvelopesAndRandomObjects) {
  KitchenOracle go;
  const size_t envelope = go.Ask("json_to_envelope", "Tap", {kTapJson});
  const size_t random = go.Ask("random", "Sink", {"7", "20"});
  const size_t again = go.Ask("random", "Sink", {"7", "20"});
  const size_t types = go.Ask("types", "", {});
  const absl::Status ran = go.Run();
  if (PrintSkipped(ran)) GTEST_SKIP();
  ASSERT_TRUE(ran.ok()) << ran;
  EXPECT_THAT(*go[types], Contains("SinkSpec"));
  ASSERT_THAT(*go[random], SizeIs(40));
  EXPECT_EQ(*go[random], *go[again]);

  const size_t parts = go.Ask("envelope_parts", "", {go.Output(envelope)});
  const size_t typed = go.Ask("envelope_to_json", "Tap", {go.Output(envelope)});
  const size_t untyped = go.Ask("envelope_to_json", "", {go.Output(envelope)});
  const size_t json = go.Ask("json_to_json", "Sink", {(*go[random])[0]});
  const size_t wire = go.Ask("pb_to_pb", "Sink", {(*go[random])[1]});
  ASSERT_TRUE(go.Run().ok());
  EXPECT_EQ(go[parts]->at(0), "kitchen.example.com/v1");
  EXPECT_EQ(go[parts]->at(1), "Tap");
  EXPECT_EQ(go.Output(typed), kTapJson);
  EXPECT_EQ(go.Output(untyped), kTapJson);
  EXPECT_TRUE(go[json].ok());
  EXPECT_TRUE(go[wire].ok());
}

}  // namespace
}  // namespace kube::oracle
