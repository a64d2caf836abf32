#include "apimachinery/crd_schema/internal/version_rules.h"

#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "gtest/gtest.h"

namespace kube::crd_schema::internal {
namespace {

using api::apiextensions::v1::CustomResourceColumnDefinition;
using validation::field::Path;

TEST(VersionRulesTest, Columns) {
  const auto column = codec::DecodeYaml<CustomResourceColumnDefinition>(
      "{name: Age, type: time, jsonPath: metadata}");
  const auto errors = CheckColumns({*column}, Path("c"));
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[0].field, "c[0].type");
  EXPECT_EQ(errors[1].field, "c[0].JSONPath");
}

TEST(VersionRulesTest, Deprecation) {
  EXPECT_TRUE(CheckDeprecation(true, "use v2", Path("d")).empty());
  EXPECT_EQ(CheckDeprecation(false, "use v2", Path("d")).size(), 1U);
  EXPECT_EQ(CheckDeprecation(true, "a\nb", Path("d")).size(), 1U);
}

}  // namespace
}  // namespace kube::crd_schema::internal
