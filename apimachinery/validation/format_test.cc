#include "apimachinery/validation/format.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::validation {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

const field::Path kPath("it");

TEST(Format, Origins) {
  EXPECT_EQ(ShortName(kPath, "A").front().origin, "format=k8s-short-name");
  EXPECT_EQ(LongName(kPath, "A").front().origin, "format=k8s-long-name");
  EXPECT_EQ(LongNameCaseless(kPath, "_").front().origin, "format=k8s-long-name-caseless");
  EXPECT_EQ(LabelKey(kPath, "").front().origin, "format=k8s-label-key");
  EXPECT_EQ(LabelValue(kPath, "-").front().origin, "format=k8s-label-value");
  EXPECT_EQ(PathSegmentName(kPath, ".").front().origin, "format=k8s-path-segment-name");
  EXPECT_EQ(Uuid(kPath, "").front().origin, "format=k8s-uuid");
}

TEST(Format, Resources) {
  EXPECT_THAT(Uuid(kPath, "01234567-89ab-cdef-0123-456789abcdef"), IsEmpty());
  EXPECT_THAT(ResourcePoolName(kPath, "example.com/pool/1"), IsEmpty());
  EXPECT_EQ(ResourcePoolName(kPath, "a//B").size(), 2u);
  EXPECT_EQ(ResourcePoolName(kPath, "a//b").front().ToString(),
            "it: Invalid value: \"a//b\": segment 1: must not be empty");
  EXPECT_THAT(ExtendedResourceName(kPath, "example.com/gpu"), IsEmpty());
  EXPECT_THAT(ExtendedResourceName(kPath, "requests.x.kubernetes.io/gpu"), SizeIs(2));
  EXPECT_THAT(ResourceFullyQualifiedName(kPath, "example.com/my_device"), IsEmpty());
  EXPECT_THAT(ResourceFullyQualifiedName(kPath, "a/b/c"), IsEmpty()) << "as upstream";
  EXPECT_THAT(ResourceFullyQualifiedName(kPath, "/"), SizeIs(2));
}

TEST(Format, Limits) {
  EXPECT_THAT(MaxLength(kPath, "ééé", 3), IsEmpty());
  EXPECT_EQ(MaxLength(kPath, "ééé", 2).front().ToString(),
            "it: Too long: may not be more than 2 characters");
  EXPECT_THAT(MinLength(kPath, "é", 2), SizeIs(1));
  EXPECT_THAT(MaxBytes(kPath, "é", 1), SizeIs(1));
  EXPECT_THAT(MaxItems(kPath, 3, 3), IsEmpty());
  EXPECT_THAT(MinItems(kPath, 2, 3), SizeIs(1));
  EXPECT_EQ(Minimum(kPath, 1, 2).front().ToString(),
            "it: Invalid value: 1: must be greater than or equal to 2");
  EXPECT_THAT(Maximum(kPath, 2, 2), IsEmpty());
}

}  // namespace
}  // namespace kube::validation
