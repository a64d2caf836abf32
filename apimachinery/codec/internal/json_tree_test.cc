#include "apimachinery/codec/internal/json_tree.h"

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace kube::codec::internal {
namespace {

TEST(JsonTree, Nodes) {
  const std::optional<JsonTree> tree =
      JsonTree::Parse(R"( {"a" : [1, {"b":null}], "c":"x,]}\"", "a2":-1.50e3} )");
  ASSERT_TRUE(tree.has_value());
  ASSERT_EQ(tree->root().members.size(), 3);
  const JsonNode& list = tree->root().members[0].value;
  EXPECT_EQ(list.text, R"([1,{"b":null}])");
  EXPECT_EQ(list.type, JsonNode::Type::kArray);
  EXPECT_EQ(list.members[0].value.text, "1");
  EXPECT_TRUE(list.members[1].value.members[0].value.is_null());
  EXPECT_EQ(tree->root().members[1].value.text, R"("x,]}\"")");
  EXPECT_EQ(tree->root().members[2].name, "\"a2\"");
  EXPECT_EQ(tree->root().members[2].value.text, "-1.50e3");
}

TEST(JsonTree, EqualTextsHaveOneForm) {
  const std::optional<JsonTree> tree = JsonTree::Parse(
      R"(["\u0061\n\/\u00e9\ud83d\ude00<", "a\u000a/é😀\u003c", "\ud83d", "\ud83dx", "\ufffd"])");
  ASSERT_TRUE(tree.has_value());
  const auto& members = tree->root().members;
  EXPECT_EQ(members[0].value.text, members[1].value.text);
  EXPECT_EQ(members[2].value.text, members[4].value.text);
  EXPECT_EQ(members[3].value.text, "\"\ufffdx\"");
}

TEST(JsonTree, OfTwoMembersTheLaterCounts) {
  const std::optional<JsonTree> tree = JsonTree::Parse(R"({"a":1,"b":2,"\u0061":3})");
  ASSERT_TRUE(tree.has_value());
  ASSERT_EQ(tree->root().members.size(), 2);
  EXPECT_EQ(MembersOf(tree->root()).at("\"a\"")->text, "3");
}

TEST(JsonTree, RefusesWhatIsInvalidOrTooDeep) {
  EXPECT_FALSE(JsonTree::Parse("{").has_value());
  EXPECT_FALSE(JsonTree::Parse("").has_value());
  const auto nested = [](int depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(JsonTree::Parse(nested(JsonTree::kMaxDepth)).has_value());
  EXPECT_FALSE(JsonTree::Parse(nested(JsonTree::kMaxDepth + 1)).has_value());
}

TEST(JsonTree, Same) {
  const auto same = [](absl::string_view a, absl::string_view b) {
    return SameJson(JsonTree::Parse(a)->root(), JsonTree::Parse(b)->root());
  };
  EXPECT_TRUE(same(R"({"a":[1,{"b":2,"c":3}]})", R"({ "a" : [1, {"c":3,"b":2}] })"));
  EXPECT_FALSE(same("[1,2]", "[2,1]"));
  EXPECT_FALSE(same("[1]", "[1,2]"));
  EXPECT_FALSE(same(R"({"a":1})", R"({"b":1})"));
  EXPECT_FALSE(same("[]", "{}"));
  EXPECT_FALSE(same("9007199254740993", "9007199254740992"));
}

}  // namespace
}  // namespace kube::codec::internal
