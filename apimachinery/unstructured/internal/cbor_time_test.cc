#include "apimachinery/unstructured/internal/cbor_time.h"

#include <cstdint>
#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace kube::unstructured::internal {
namespace {

TEST(CborTimeTest, NormalRfc3339) {
  EXPECT_EQ(NormalRfc3339("2020-01-02T03:04:05.50-01:30"), "2020-01-02T03:04:05.5-01:30");
  EXPECT_EQ(NormalRfc3339("2020-01-02T03:04:05.000Z"), "2020-01-02T03:04:05Z");
  EXPECT_EQ(NormalRfc3339("2020-01-02T03:04:05+23:60"), std::nullopt);
  EXPECT_EQ(NormalRfc3339(""), std::nullopt);
  EXPECT_EQ(NormalRfc3339("2020-13-02T03:04:05Z"), std::nullopt);
}

TEST(CborTimeTest, Unix) {
  EXPECT_EQ(UnixToRfc3339(int64_t{0}), "1970-01-01T00:00:00Z");
  EXPECT_EQ(UnixToRfc3339(int64_t{253'402'300'799}), "9999-12-31T23:59:59Z");
  EXPECT_EQ(UnixToRfc3339(int64_t{253'402'300'800}), std::nullopt);
  EXPECT_EQ(UnixToRfc3339(int64_t{-62'167'219'200}), "0000-01-01T00:00:00Z");
  EXPECT_EQ(UnixToRfc3339(int64_t{-62'167'219'201}), std::nullopt);
  EXPECT_EQ(UnixToRfc3339(0.25), "1970-01-01T00:00:00.25Z");
  EXPECT_EQ(UnixToRfc3339(-0.25), "1969-12-31T23:59:59.75Z");
  EXPECT_EQ(UnixToRfc3339(-62'167'219'200.5), std::nullopt);
  EXPECT_EQ(UnixToRfc3339(1e300), std::nullopt);
}

}  // namespace
}  // namespace kube::unstructured::internal
