#include "apimachinery/managedfields/testing/json_comparison.h"

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/testing/sample_object.h"
#include "apimachinery/managedfields/comparison.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using base::IsOk;
using codec::internal::SampleObject;

SampleObject Pod(absl::string_view json) {
  SampleObject object(api::core::v1::Pod::kMessage);
  const codec::PaddedBuffer buffer(json);
  EXPECT_THAT(codec::DecodeInto(object.get(), object.message(), codec::Encoding::kJson,
                                buffer.view(), /*options=*/{}),
              IsOk());
  return object;
}

TEST(JsonComparisonTest, CompareAsJson_TwoPods_HasALineForEachField) {
  const absl::StatusOr<Comparison> found = CompareAsJson(
      Pod(R"({"metadata":{"labels":{"a":"1","b":"1"}}})"),
      Pod(R"({"metadata":{"labels":{"b":"2","c":"1"},"managedFields":[{"manager":"m"}]}})"));
  ASSERT_THAT(found, IsOk());
  EXPECT_EQ(ComparisonText(*found),
            "- .metadata.labels.a\n~ .metadata.labels.b\n+ .metadata.labels.c");
}

TEST(JsonComparisonTest, CompareAsJson_EqualPods_IsTheSame) {
  const SampleObject pod = Pod(R"({"metadata":{"name":"a"}})");
  const absl::StatusOr<Comparison> found = CompareAsJson(pod, pod);
  ASSERT_THAT(found, IsOk());
  EXPECT_TRUE(found->IsSame());
  EXPECT_EQ(ComparisonText(*found), "");
}

}  // namespace
}  // namespace kube::managedfields
