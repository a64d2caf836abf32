#include "envtest/server/schema/default_validation.h"

#include "apimachinery/validation/field_path.h"
#include "envtest/server/schema/schema_for_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::crd_schema {
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
}  // namespace kube::envtest::crd_schema
