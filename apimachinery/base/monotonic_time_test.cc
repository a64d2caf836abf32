#include "apimachinery/base/monotonic_time.h"

#include <cstddef>
#include <vector>

#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

TEST(MonotonicTimeTest, Compare_OrdersFromNegativeToPositiveInfinity) {
  const std::vector<MonotonicTime> ascending = {MonotonicTime(-absl::InfiniteDuration()),
                                                MonotonicTime(-absl::Seconds(1)),
                                                MonotonicTime(),
                                                MonotonicTime(absl::Nanoseconds(1)),
                                                MonotonicTime(absl::Hours(1)),
                                                MonotonicTime::Infinite()};
  for (size_t i = 0; i < ascending.size(); ++i) {
    for (size_t j = 0; j < ascending.size(); ++j) {
      SCOPED_TRACE(testing::Message() << i << " and " << j);
      const MonotonicTime a = ascending[i];
      const MonotonicTime b = ascending[j];
      EXPECT_EQ(a == b, i == j);
      EXPECT_EQ(a != b, i != j);
      EXPECT_EQ(a < b, i < j);
      EXPECT_EQ(a > b, i > j);
      EXPECT_EQ(a <= b, i <= j);
      EXPECT_EQ(a >= b, i >= j);
    }
  }
}

TEST(MonotonicTimeTest, Arithmetic_AddsAndSubtractsDurations) {
  const MonotonicTime t(absl::Seconds(10));
  EXPECT_EQ(t + absl::Seconds(2), MonotonicTime(absl::Seconds(12)));
  EXPECT_EQ(t - absl::Seconds(12), MonotonicTime(-absl::Seconds(2)));
  EXPECT_EQ(t - MonotonicTime(absl::Seconds(3)), absl::Seconds(7));
  EXPECT_EQ(MonotonicTime().since_epoch(), absl::ZeroDuration());
}

TEST(MonotonicTimeTest, InfinityAbsorbs) {
  EXPECT_TRUE(MonotonicTime::Infinite().is_infinite());
  EXPECT_FALSE(MonotonicTime(absl::Hours(24 * 365 * 1000)).is_infinite());
  EXPECT_FALSE(MonotonicTime(-absl::InfiniteDuration()).is_infinite());
  EXPECT_TRUE((MonotonicTime::Infinite() - absl::Hours(1)).is_infinite());
  EXPECT_TRUE((MonotonicTime() + absl::InfiniteDuration()).is_infinite());
  EXPECT_EQ(MonotonicTime::Infinite() - MonotonicTime(), absl::InfiniteDuration());
}

}  // namespace
}  // namespace kube::base
