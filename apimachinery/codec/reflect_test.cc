#include "apimachinery/codec/reflect.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/testing/sample_structs.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codec {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using internal::TestLeaves;
using internal::TestPart;
using internal::TestShapes;
using testing::ElementsAre;
using testing::HasSubstr;

TestShapes Shapes() {
  TestShapes shapes;
  shapes.text = "t";
  shapes.parts = {{.name = "a"}, {.name = "b", .labels = {{"app.io/name", "x"}}}};
  shapes.source = "s";
  shapes.ints = {7};
  shapes.strings_map = {{"k", {"y"}}};
  shapes.lists = {{"z"}};
  return shapes;
}

std::string JsonAt(const TestShapes& shapes, absl::string_view path) {
  const absl::StatusOr<ValueView> view = FindPath(shapes, path);
  if (!view.ok()) return view.status().ToString();
  return *view->Json();
}

TEST(Reflect, Paths) {
  const TestShapes shapes = Shapes();
  EXPECT_EQ(JsonAt(shapes, "text"), "\"t\"");
  EXPECT_EQ(JsonAt(shapes, "time"), "null");
  EXPECT_EQ(JsonAt(shapes, "source"), "\"s\"");
  EXPECT_EQ(JsonAt(shapes, "parts[1].labels[app.io/name]"), "\"x\"");
  EXPECT_EQ(JsonAt(shapes, "parts[1].labels"), "{\"app.io/name\":\"x\"}");
  EXPECT_EQ(JsonAt(shapes, "parts"), R"([{"name":"a"},{"name":"b","labels":{"app.io/name":"x"}}])");
  EXPECT_EQ(JsonAt(shapes, "partMap"), "null");
  EXPECT_EQ(JsonAt(shapes, "stringsMap[k][0]"), "\"y\"");
  EXPECT_EQ(JsonAt(shapes, "lists[0][0]"), "\"z\"");
  EXPECT_EQ(JsonAt(shapes, ""), *EncodeJson(shapes));
}

TEST(Reflect, PathsThatLeadNowhere) {
  const TestShapes shapes = Shapes();
  for (const absl::string_view path :
       {"part.name", "parts[2]", "parts[1].labels[y]", "intMap[x]", "lists[0][1]"}) {
    EXPECT_THAT(FindPath(shapes, path), StatusIs(absl::StatusCode::kNotFound)) << path;
  }
  for (const absl::string_view path :
       {"none", "parts.name", "parts[x]", "text[0]", "text.x", ".text", "parts[0", "parts[0]name",
        "parts..name", "parts[-1]"}) {
    EXPECT_THAT(FindPath(shapes, path), StatusIs(absl::StatusCode::kInvalidArgument)) << path;
  }
  EXPECT_THAT(FindPath(shapes, "parts[0].nam"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "follow path \"parts[0].nam\": \"parts[0]\" has no member \"nam\""));
}

TEST(Reflect, Forms) {
  const TestShapes shapes = Shapes();
  EXPECT_EQ(View(shapes).form(), ValueForm::kObject);
  EXPECT_EQ(View(shapes).type_name(), "Shapes");
  EXPECT_EQ(View(shapes).Member("part")->form(), ValueForm::kAbsent);
  EXPECT_EQ(View(shapes).Member("time")->form(), ValueForm::kAbsent);
  EXPECT_EQ(View(shapes).Member("text")->form(), ValueForm::kLeaf);
  EXPECT_EQ(View(shapes).Member("parts")->form(), ValueForm::kList);
  EXPECT_EQ(View(shapes).Member("parts")->type_name(), "Part");
  EXPECT_EQ(View(shapes).Member("partMap")->form(), ValueForm::kMap);
  EXPECT_EQ(View(shapes).Member("partMap")->size(), 0);
  const ValueView map = *View(shapes).Member("stringsMap");
  ASSERT_EQ(map.size(), 1);
  EXPECT_EQ(map.key(0), "k");
  EXPECT_EQ(map.element(0).form(), ValueForm::kList);
}

TEST(Reflect, AsTheType) {
  const TestShapes shapes = Shapes();
  EXPECT_EQ(View(shapes).As<TestShapes>(), &shapes);
  EXPECT_EQ(View(shapes).As<TestPart>(), nullptr);
  EXPECT_EQ(FindPath(shapes, "parts[1]")->As<TestPart>(), &shapes.parts[1]);
  EXPECT_EQ(FindPath(shapes, "parts")->As<TestPart>(), nullptr);
  EXPECT_EQ(FindPath(shapes, "text")->As<TestPart>(), nullptr);
}

TEST(Reflect, MembersInOrder) {
  const TestPart part;
  std::vector<std::string> names;
  for (size_t i = 0; i < View(part).size(); ++i) names.emplace_back(View(part).member_name(i));
  EXPECT_THAT(names, ElementsAre("name", "port", "labels", "next", "parts", "resources"));
}

TEST(Reflect, LeavesByType) {
  TestLeaves leaves;
  leaves.text = "t";
  leaves.flag = true;
  leaves.int32 = -1;
  leaves.number = 0.5;
  leaves.int_value = 8;
  const auto at = [&](absl::string_view name) { return *View(leaves).Member(name); };
  EXPECT_EQ(at("text").text(), "t");
  EXPECT_EQ(at("text").integer(), std::nullopt);
  EXPECT_EQ(at("int32").integer(), -1);
  EXPECT_EQ(at("int32").text(), std::nullopt);
  EXPECT_EQ(at("flag").boolean(), true);
  EXPECT_EQ(at("number").number(), 0.5);
  EXPECT_EQ(at("intOrString").integer(), 8);
  EXPECT_EQ(at("intOrString").text(), std::nullopt);
  EXPECT_EQ(at("time").integer(), std::nullopt);
}

TEST(Reflect, ViewsCompareByMeaning) {
  TestShapes a = Shapes();
  TestShapes b = Shapes();
  EXPECT_EQ(View(a), View(b));
  EXPECT_EQ(*View(a).Member("parts"), *View(b).Member("parts"));
  b.parts[0].name = "other";
  EXPECT_FALSE(*View(a).Member("parts") == *View(b).Member("parts"));
  EXPECT_EQ(*View(a).Member("stringsMap"), *View(b).Member("stringsMap"));
  EXPECT_FALSE(*View(a).Member("ints") == *View(a).Member("text"));
}

TEST(Reflect, SetMakesWhatIsAbsent) {
  TestShapes shapes;
  for (const auto& [path, text] : std::vector<std::pair<std::string, std::string>>{
           {"text", ""},
           {"time", "1970-01-01T00:00:00Z"},
           {"part.next.port", "-7"},
           {"parts[0].labels[app.io/name]", "web"},
           {"parts[1].resources[cpu]", "1500m"},
           {"ints[0]", "1"},
           {"ints[1]", "2"},
           {"ints[0]", "3"},
           {"stringsMap[k][0]", "x"},
           {"lists[0][0]", "y"},
           {"source", "a source that is not inline"}}) {
    EXPECT_THAT(SetPath(shapes, path, text), IsOk()) << path;
  }
  EXPECT_THAT(
      EncodeJson(shapes),
      IsOkAndHolds(
          R"({"text":"","time":"1970-01-01T00:00:00Z","part":{"name":"","next":{"name":"","port":-7}},)"
          R"("parts":[{"name":"","labels":{"app.io/name":"web"}},)"
          R"({"name":"","resources":{"cpu":"1500m"}}],"source":"a source that is not inline",)"
          R"("ints":[3,2],"partMap":null,"stringsMap":{"k":["x"]},"lists":[["y"]]})"));
}

TEST(Reflect, SetLeavesOfEveryKind) {
  TestLeaves leaves;
  for (const auto& [path, text] : std::vector<std::pair<std::string, std::string>>{
           {"text", "a text that is not inside"},
           {"text", "another text, likewise"},
           {"bytes", ""},
           {"quantity", "1Gi"},
           {"rawExtension", "{}"},
           {"fieldsV1", "{}"},
           {"json", "[1]"},
           {"flag", "true"},
           {"int32", "-5"},
           {"int64", "9223372036854775807"},
           {"number", "1e3"},
           {"time", "1970-01-01T00:00:00Z"},
           {"microTime", "1970-01-01T00:00:00.000001Z"},
           {"duration", "90s"},
           {"intOrString", "25%"},
           {"strings[0]", "s"}}) {
    EXPECT_THAT(SetPath(leaves, path, text), IsOk()) << path;
  }
  EXPECT_THAT(
      EncodeJson(leaves),
      IsOkAndHolds(
          R"({"text":"another text, likewise","bytes":"","quantity":"1Gi","rawExtension":{},)"
          R"("fieldsV1":{},"json":[1],"flag":true,"int32":-5,"int64":9223372036854775807,)"
          R"("number":1000,"time":"1970-01-01T00:00:00Z","microTime":"1970-01-01T00:00:00.000001Z",)"
          R"("duration":"1m30s","intOrString":"25%","strings":["s"],"part":{"name":""}})"));
  EXPECT_THAT(SetPath(leaves, "intOrString", "-8"), IsOk());
  EXPECT_THAT(EncodeJson(leaves), IsOkAndHolds(HasSubstr("\"intOrString\":-8,")));
}

TEST(Reflect, SetRefuses) {
  TestLeaves leaves;
  for (const auto& [path, text] :
       std::vector<std::pair<std::string, std::string>>{{"quantity", "1 Gi"},
                                                        {"rawExtension", "{"},
                                                        {"flag", "yes"},
                                                        {"int32", "2147483648"},
                                                        {"int32", "1.0"},
                                                        {"int64", ""},
                                                        {"number", "x"},
                                                        {"time", "now"},
                                                        {"microTime", ""},
                                                        {"duration", "1"},
                                                        {"strings", "x"},
                                                        {"part", "x"},
                                                        {"none", "x"},
                                                        {"text.x", "x"},
                                                        {"text[0]", "x"},
                                                        {"strings[x]", "x"},
                                                        {"part[0]", "x"},
                                                        {"", "x"}}) {
    EXPECT_THAT(SetPath(leaves, path, text), StatusIs(absl::StatusCode::kInvalidArgument)) << path;
  }
  EXPECT_THAT(SetPath(leaves, "strings[1]", "x"), StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_EQ(leaves, TestLeaves{});
  EXPECT_THAT(SetPath(leaves, "int32", "x"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "set \"int32\": \"x\" is not a value of its type"));
}

TEST(Reflect, Clear) {
  TestShapes shapes = Shapes();
  shapes.part = TestPart{.next = TestPart{.name = "n"}};
  for (const absl::string_view path :
       {"text", "parts[1].labels", "part.next", "source", "ints", "time", "stringsMap[k]",
        "part.next.name", "partMap[none]"}) {
    EXPECT_THAT(ClearPath(shapes, path), IsOk()) << path;
  }
  EXPECT_THAT(ClearPath(shapes, "none"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(EncodeJson(shapes),
              IsOkAndHolds(R"({"text":null,"time":null,"part":{"name":""},)"
                           R"("parts":[{"name":"a"},{"name":"b"}],"partMap":null,)"
                           R"("stringsMap":{"k":null},"lists":[["z"]]})"));
  EXPECT_THAT(ClearPath(shapes, ""), IsOk());
  EXPECT_EQ(shapes, TestShapes{});
}

}  // namespace
}  // namespace kube::codec
