#include "apimachinery/crd_schema/default_validation.h"

#include "apimachinery/crd_schema/testing/sample_schema.h"
#include "apimachinery/validation/field_path.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::crd_schema {
namespace {

using ::testing::ElementsAre;
using validation::field::Path;

TEST(DefaultValidationTest, DefaultsAreValid) {
  EXPECT_THAT(
      Texts(ValidateDefaults(
          *MakeSchema("a: {type: integer, default: x}, b: {type: object, default: {c: 1}}"), true,
          Path("s"))),
      ElementsAre(
          R"(s.properties[a].default: Invalid value: "string":  in body must be of type integer: "string")",
          R"(s.properties[b].default: Invalid value: {"c":1}: must not have unknown fields)"));
}

}  // namespace
}  // namespace kube::crd_schema
