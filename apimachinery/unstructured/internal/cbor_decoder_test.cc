#include "apimachinery/unstructured/internal/cbor_decoder.h"

#include <cmath>
#include <limits>

#include "absl/status/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"

namespace kube::unstructured::internal {
namespace {

TEST(CborDecoderTest, Decode) {
  EXPECT_THAT(CborDecoder("\x01").Decode(), base::IsOkAndHolds(Value(1)));
  EXPECT_THAT(CborDecoder("\x01\x01").Decode(), base::StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(CborDecoderTest, HalfToDouble) {
  EXPECT_EQ(HalfToDouble(0x3c00), 1.0);
  EXPECT_EQ(HalfToDouble(0xc000), -2.0);
  EXPECT_EQ(HalfToDouble(0x7bff), 65504.0);
  EXPECT_EQ(HalfToDouble(0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(HalfToDouble(0x03ff), std::ldexp(1023.0, -24));
  EXPECT_EQ(HalfToDouble(0x0400), std::ldexp(1.0, -14));
  EXPECT_TRUE(std::signbit(HalfToDouble(0x8000)));
  EXPECT_EQ(HalfToDouble(0xfc00), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(HalfToDouble(0x7e00)));
}

}  // namespace
}  // namespace kube::unstructured::internal
