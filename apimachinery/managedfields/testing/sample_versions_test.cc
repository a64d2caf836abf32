#include "apimachinery/managedfields/testing/sample_versions.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using base::IsOk;
using base::StatusIs;
using unstructured::Value;

TEST(SampleVersionsTest, SchemaOf_BothVersions_IsTheSame) {
  const SampleVersions versions;
  EXPECT_EQ(versions.SchemaOf("apps/v1"), &versions.schema());
  EXPECT_EQ(versions.SchemaOf("apps/v2"), &versions.schema());
  EXPECT_EQ(versions.SchemaOf("apps/v3"), nullptr);
  ASSERT_NE(versions.schema().map, nullptr);
  EXPECT_NE(versions.schema().map->FindField("spec"), nullptr);
}

TEST(SampleVersionsTest, Convert_Object_ChangesOnlyItsVersion) {
  const SampleVersions versions;
  const Value first = Map<Value>{{"apiVersion", "apps/v1"}, {"spec", Map<Value>{{"replicas", 1}}}};
  const Value second = Map<Value>{{"apiVersion", "apps/v2"}, {"spec", Map<Value>{{"replicas", 1}}}};
  const absl::StatusOr<Value> converted = versions.Convert(first, "apps/v2");
  ASSERT_THAT(converted, IsOk());
  EXPECT_EQ(*converted, second);
  const absl::StatusOr<Value> back = versions.Convert(second, "apps/v1");
  ASSERT_THAT(back, IsOk());
  EXPECT_EQ(*back, first);
}

TEST(SampleVersionsTest, Convert_UnknownVersionOrNoObject_IsAnError) {
  const SampleVersions versions;
  EXPECT_THAT(versions.Convert(Map<Value>{{"apiVersion", "apps/v1"}}, "apps/v3"),
              StatusIs(absl::StatusCode::kNotFound, "no version apps/v3"));
  EXPECT_THAT(versions.Convert("text", "apps/v2"),
              StatusIs(absl::StatusCode::kInvalidArgument, "not an object"));
}

}  // namespace
}  // namespace kube::managedfields
