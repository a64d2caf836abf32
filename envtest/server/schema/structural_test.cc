#include "envtest/server/schema/structural.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/status_matchers.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::crd_schema {
namespace {

using api::apiextensions::v1::JSONSchemaProps;
using ::kube::base::StatusIs;
using ::testing::ElementsAre;
using validation::field::Path;

JSONSchemaProps Props(absl::string_view yaml) {
  return codec::DecodeYaml<JSONSchemaProps>(yaml).value();
}

// Of an object with those properties.
std::shared_ptr<const Structural> Make(absl::string_view properties) {
  return Structural::Make(Props(absl::StrCat("{type: object, properties: {", properties, "}}")))
      .value();
}

std::vector<std::string> Texts(const validation::field::ErrorList& errors) {
  std::vector<std::string> texts;
  for (const auto& error : errors) texts.push_back(error.ToString());
  return texts;
}

TEST(StructuralTest, RefusesWhatNoStructuralSchemaHas) {
  EXPECT_THAT(
      Structural::Make(Props("{$ref: x}")),
      StatusIs(absl::StatusCode::kInvalidArgument, "OpenAPIV3Schema '$ref' is not supported"));
  JSONSchemaProps deep = Props("{type: object}");
  for (int i = 0; i < 250; ++i) {
    JSONSchemaProps outer;
    outer.properties["a"] = deep;
    deep = outer;
  }
  EXPECT_THAT(Structural::Make(deep), StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(StructuralTest, ErrorsAreSorted) {
  EXPECT_THAT(
      Texts(ValidateStructural(*Make("b: {}, a: {type: array}, c: {type: string, not: {title: x}}"),
                               Path("s"))),
      ElementsAre("s.properties[a].items: Required value: must be specified",
                  "s.properties[b].type: Required value: must not be empty for specified object "
                  "fields",
                  "s.properties[c].not.title: Forbidden: must be empty to be structural"));
}

TEST(StructuralTest, TellsOfRules) {
  EXPECT_FALSE(Make("a: {type: string}")->has_rules());
  EXPECT_TRUE(Make("a: {type: string, x-kubernetes-validations: [{rule: 'true'}]}")->has_rules());
}

}  // namespace
}  // namespace kube::envtest::crd_schema
