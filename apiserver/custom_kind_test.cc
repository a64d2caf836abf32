#include "apiserver/custom_kind.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/types/kind_info.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using base::IsOk;
using ::testing::ElementsAre;

// With these versions, each one's members between the braces.
CustomResourceDefinition Dogs(const std::vector<std::string>& versions) {
  std::string all;
  for (const std::string& each : versions) {
    absl::StrAppend(&all, all.empty() ? "" : ",",
                    R"({"schema":{"openAPIV3Schema":{"type":"object"}},)", each, "}");
  }
  return *codec::DecodeJson<CustomResourceDefinition>(absl::StrCat(
      R"({"metadata":{"name":"dogs.example.com"},)",
      R"("spec":{"group":"example.com","scope":"Namespaced","names":{"kind":"Dog"},"versions":[)",
      all, R"(]},"status":{"acceptedNames":{"plural":"dogs","singular":"dog","kind":"Dog",)",
      R"("listKind":"DogList","shortNames":["d"],"categories":["all"]}}})"));
}

TEST(CustomKindTest, KindsAreThoseThatWereAccepted) {
  const auto kinds = CustomKind::MakeAll(
      Dogs({R"("name":"v1","served":true,"storage":true,"subresources":{"status":{},)"
            R"("scale":{"specReplicasPath":".spec.n","statusReplicasPath":".status.n"}})",
            R"("name":"v2","served":false)"}));
  ASSERT_THAT(kinds, IsOk());
  ASSERT_EQ(kinds->size(), 2);
  const KindInfo& kind = (*kinds)[0]->kind();
  EXPECT_EQ(kind.group, "example.com");
  EXPECT_EQ(kind.version, "v1");
  EXPECT_EQ(kind.kind, "Dog");
  EXPECT_EQ(kind.plural, "dogs");
  EXPECT_EQ(kind.scope, Scope::kNamespaced);
  EXPECT_THAT(kind.short_names, ElementsAre("d"));
  EXPECT_THAT(kind.categories, ElementsAre("all"));
  ASSERT_EQ(kind.subresources.size(), 2);
  EXPECT_EQ(kind.subresources[1].result, "autoscaling/v1 Scale");
  EXPECT_EQ((*kinds)[0]->list_kind().kind, "DogList");
  EXPECT_EQ((*kinds)[0]->definition_name(), "dogs.example.com");
  EXPECT_TRUE((*kinds)[0]->served());
  EXPECT_FALSE((*kinds)[1]->served());
  EXPECT_TRUE((*kinds)[1]->kind().subresources.empty());
}

TEST(CustomKindTest, OneOfThemKeepsAll) {
  std::shared_ptr<const CustomKind> second;
  {
    const auto kinds = CustomKind::MakeAll(
        Dogs({R"("name":"v1","served":true,"storage":true)", R"("name":"v2","served":true)"}));
    ASSERT_THAT(kinds, IsOk());
    second = (*kinds)[1];
  }
  EXPECT_EQ(second->stored().kind().version, "v1");
  EXPECT_EQ(second->Find("v2"), second.get());
  EXPECT_EQ(second->Find("v1"), &second->stored());
  EXPECT_EQ(second->Find("v3"), nullptr);
}

TEST(CustomKindTest, WithoutAStoredVersionThereAreNone) {
  EXPECT_EQ(CustomKind::MakeAll(Dogs({R"("name":"v1","served":true)"})).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(CustomKindTest, DeprecationNamesTheBestVersionAboveIt) {
  const struct {
    const char* name;
    std::vector<std::string> versions;
    const char* expected;
  } rows[] = {
      {"not deprecated", {R"("name":"v1","storage":true,"served":true)"}, ""},
      {"nothing else",
       {R"("name":"v1","storage":true,"served":true,"deprecated":true)"},
       "example.com/v1 Dog is deprecated"},
      {"words of its own",
       {R"("name":"v1","storage":true,"deprecated":true,"deprecationWarning":"cats!")"},
       "cats!"},
      {"the best of three",
       {R"("name":"v1beta1","storage":true,"deprecated":true)", R"("name":"v1","served":true)",
        R"("name":"v3","served":true)", R"("name":"v2","served":true)"},
       "example.com/v1beta1 Dog is deprecated; use example.com/v3 Dog"},
      {"not those below, deprecated or not served",
       {R"("name":"v2","storage":true,"deprecated":true)", R"("name":"v1","served":true)",
        R"("name":"v4","served":true,"deprecated":true)", R"("name":"v5")"},
       "example.com/v2 Dog is deprecated"},
  };
  for (const auto& row : rows) {
    const auto kinds = CustomKind::MakeAll(Dogs(row.versions));
    ASSERT_THAT(kinds, IsOk()) << row.name;
    EXPECT_EQ((*kinds)[0]->deprecation(), row.expected) << row.name;
  }
}

TEST(CustomKindTest, SelectableFieldsAreNamedWithoutTheirDot) {
  const auto kinds = CustomKind::MakeAll(
      Dogs({R"("name":"v1","storage":true,"selectableFields":[{"jsonPath":".spec.color"}])"}));
  ASSERT_THAT(kinds, IsOk());
  EXPECT_THAT((*kinds)[0]->selectable(), ElementsAre("spec.color"));
}

}  // namespace
}  // namespace kube::apiserver
