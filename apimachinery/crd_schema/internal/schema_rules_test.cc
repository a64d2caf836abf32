#include "apimachinery/crd_schema/internal/schema_rules.h"

#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "gtest/gtest.h"

namespace kube::crd_schema::internal {
namespace {

using api::apiextensions::v1::JSONSchemaProps;

TEST(SchemaRulesTest, WhatAnOldOneBreaksMayStay) {
  const auto props = codec::DecodeYaml<JSONSchemaProps>("{type: text}");
  const validation::field::Path path("s");
  const auto errors = CheckSchema(*props, {}, path);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].field, "s.type");
  EXPECT_FALSE(RulesOf(*props).valid_types);
  EXPECT_TRUE(CheckSchema(*props, RulesOf(*props), path).empty());
}

}  // namespace
}  // namespace kube::crd_schema::internal
