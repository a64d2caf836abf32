#include "envtest/server/schema/default_validation.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "envtest/server/schema/structural.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::crd_schema {
namespace {

using api::apiextensions::v1::JSONSchemaProps;
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

TEST(DefaultValidationTest, DefaultsAreValid) {
  EXPECT_THAT(
      Texts(ValidateDefaults(
          *Make("a: {type: integer, default: x}, b: {type: object, default: {c: 1}}"), true,
          Path("s"))),
      ElementsAre(
          R"(s.properties[a].default: Invalid value: "string":  in body must be of type integer: "string")",
          R"(s.properties[b].default: Invalid value: {"c":1}: must not have unknown fields)"));
}

}  // namespace
}  // namespace kube::envtest::crd_schema
