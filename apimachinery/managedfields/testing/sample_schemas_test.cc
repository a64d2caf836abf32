#include "apimachinery/managedfields/testing/sample_schemas.h"

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/testing/schema_builder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

TEST(SampleSchemasTest, Roots_AreStructsWithoutTheFieldsFooAndUnknown) {
  for (const absl::string_view text : {kSampleSchema, kTwoKeysSchema}) {
    const absl::StatusOr<BuiltSchema> built = ParseSchema(text, "root");
    ASSERT_THAT(built, base::IsOk());
    ASSERT_NE(built->schema->map, nullptr);
    EXPECT_NE(built->schema->map->FindField("ports"), nullptr);
    EXPECT_EQ(built->schema->map->FindField("foo"), nullptr);
    EXPECT_EQ(built->schema->map->FindField("unknown"), nullptr);
  }
}

}  // namespace
}  // namespace kube::managedfields
