#include "apiserver/crd_schema/crd_validation.h"

#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/validation/field_error.h"
#include "gtest/gtest.h"

namespace kube::crd_schema {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;

TEST(CrdValidationTest, DefaultsOfNames) {
  CustomResourceDefinition definition;
  definition.spec.names.kind = "Thing";
  SetDefaults(definition);
  EXPECT_EQ(definition.spec.names.singular, "thing");
  EXPECT_EQ(definition.spec.names.list_kind, "ThingList");
  EXPECT_EQ(definition.spec.conversion->strategy, "None");
}

TEST(CrdValidationTest, TheGroupStays) {
  CustomResourceDefinition old_definition;
  old_definition.spec.group = "example.com";
  CustomResourceDefinition definition = old_definition;
  definition.spec.group = "example.org";
  EXPECT_EQ(ValidateDefinitionUpdate(definition, old_definition).size(),
            ValidateDefinitionUpdate(old_definition, old_definition).size() + 1);
}

TEST(CrdValidationTest, RefusesADefinitionWithoutVersions_AsInTheHeader) {
  CustomResourceDefinition definition;
  definition.spec.names.kind = "Thing";
  SetDefaults(definition);
  const validation::field::ErrorList errors = ValidateDefinition(definition);
  const int code = errors.empty() ? 201 : 422;
  EXPECT_EQ(code, 422);
}

}  // namespace
}  // namespace kube::crd_schema
