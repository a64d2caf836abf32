#include "apimachinery/crd_schema/structural.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/crd_schema/testing/sample_schema.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::crd_schema {
namespace {

namespace field = ::kube::validation::field;

using api::apiextensions::v1::JSONSchemaProps;
using ::kube::base::IsOk;
using ::kube::base::StatusIs;
using ::testing::ElementsAre;
using validation::field::Path;

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
      Texts(ValidateStructural(
          *MakeSchema("b: {}, a: {type: array}, c: {type: string, not: {title: x}}"), Path("s"))),
      ElementsAre("s.properties[a].items: Required value: must be specified",
                  "s.properties[b].type: Required value: must not be empty for specified object "
                  "fields",
                  "s.properties[c].not.title: Forbidden: must be empty to be structural"));
}

TEST(StructuralTest, TellsOfRules) {
  EXPECT_FALSE(MakeSchema("a: {type: string}")->has_rules());
  EXPECT_TRUE(
      MakeSchema("a: {type: string, x-kubernetes-validations: [{rule: 'true'}]}")->has_rules());
}

TEST(StructuralTest, IsMadeAndValidated_AsInTheHeader) {
  const JSONSchemaProps props = Props("{type: object, properties: {a: {type: string}}}");
  const absl::StatusOr<std::shared_ptr<const Structural>> schema = Structural::Make(props);
  ASSERT_THAT(schema, IsOk());
  const field::ErrorList errors = ValidateStructural(**schema, field::Path("openAPIV3Schema"));
  EXPECT_THAT(Texts(errors), ElementsAre());
}

}  // namespace
}  // namespace kube::crd_schema
