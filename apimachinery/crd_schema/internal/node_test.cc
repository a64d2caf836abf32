#include "apimachinery/crd_schema/internal/node.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_yaml.h"
#include "gtest/gtest.h"

namespace kube::crd_schema::internal {
namespace {

using api::apiextensions::v1::JSONSchemaProps;

TEST(NodeTest, Members) {
  const auto props = codec::DecodeYaml<JSONSchemaProps>(
      "{type: object, additionalProperties: false, properties: {a: {type: string, pattern: '('}}}");
  const auto node = MakeNode(*props);
  ASSERT_TRUE(node.ok());
  EXPECT_EQ((*node)->additional, Additional::kFalse);
  const Node* a = (*node)->FindProperty("a");
  ASSERT_NE(a, nullptr);
  EXPECT_FALSE(a->regexp->error().empty());
  EXPECT_FALSE(a->only_type);
  EXPECT_EQ((*node)->FindProperty("b"), nullptr);
}

TEST(NodeTest, Rules) {
  constexpr absl::string_view kRules =
      "x-kubernetes-validations: [{rule: self, optionalOldSelf: false}]";
  const struct {
    const char* name;
    std::string yaml;
    bool has_rules;
  } kTests[] = {
      {"none", "{type: string}", false},
      {"root", absl::StrCat("{type: string, ", kRules, "}"), true},
      {"property", absl::StrCat("{properties: {a: {type: string, ", kRules, "}}}"), true},
      {"elements", absl::StrCat("{items: {type: string, ", kRules, "}}"), true},
      {"values", absl::StrCat("{additionalProperties: {type: string, ", kRules, "}}"), true},
      {"elsewhere", absl::StrCat("{allOf: [{", kRules, "}]}"), false},
  };
  for (const auto& test : kTests) {
    const auto props = codec::DecodeYaml<JSONSchemaProps>(test.yaml);
    const auto node = MakeNode(*props);
    ASSERT_TRUE(node.ok()) << test.name;
    EXPECT_EQ(HasRules(**node), test.has_rules) << test.name;
  }
  const auto props = codec::DecodeYaml<JSONSchemaProps>(kTests[1].yaml);
  const auto node = MakeNode(*props);
  ASSERT_EQ((*node)->rules.size(), 1u);
  EXPECT_EQ((*node)->rules[0].rule, "self");
  EXPECT_EQ((*node)->rules[0].reason, "");
  EXPECT_EQ((*node)->rules[0].optional_old_self, false);
}

}  // namespace
}  // namespace kube::crd_schema::internal
