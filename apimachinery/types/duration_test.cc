#include "apimachinery/types/duration.h"

#include <limits>
#include <sstream>
#include <type_traits>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace kube {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

static_assert(std::is_trivially_copyable_v<Duration> && std::is_standard_layout_v<Duration>);
static_assert(std::is_convertible_v<absl::Duration, Duration>);
static_assert(!std::is_convertible_v<Duration, absl::Duration>);
static_assert(!std::is_convertible_v<int64_t, Duration> && !std::is_convertible_v<int, Duration>);
static_assert(Duration().IsZero());

TEST(DurationTest, ConvertsFromAndToAbsl_AsInTheHeader) {
  const Duration timeout = absl::Minutes(5);  // from absl::Duration
  const absl::Duration period = timeout.ToAbslDuration();
  EXPECT_EQ(period, absl::Minutes(5));
}

TEST(DurationTest, AbslDuration) {
  struct Row {
    const char* name;
    absl::Duration duration;
    int64_t nanoseconds;
  };
  for (const Row& row : {
           Row{"zero", absl::ZeroDuration(), 0},
           Row{"minutes", absl::Minutes(5), 300'000'000'000},
           Row{"cut", absl::Nanoseconds(1.75), 1},
           Row{"cut towards zero", absl::Nanoseconds(-1.75), -1},
           Row{"endless", absl::InfiniteDuration(), kMax},
           Row{"endless the other way", -absl::InfiniteDuration(), kMin},
           Row{"too long", absl::Hours(3'000'000), kMax},
       }) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(Duration(row.duration).ToNanoseconds(), row.nanoseconds);
    EXPECT_EQ(Duration(row.duration).ToAbslDuration(), absl::Nanoseconds(row.nanoseconds));
  }
}

TEST(DurationTest, OrderHashAndPrint) {
  const std::vector<Duration> durations = {Duration::FromNanoseconds(kMin),
                                           Duration::FromNanoseconds(-1), Duration(),
                                           absl::Nanoseconds(1), absl::Hours(1)};
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(durations));
  for (size_t i = 1; i < durations.size(); ++i) EXPECT_LT(durations[i - 1], durations[i]);
  std::ostringstream out;
  out << Duration(absl::Minutes(90)) << " " << Duration();
  EXPECT_EQ(out.str(), "1h30m0s 0s");
}

}  // namespace
}  // namespace kube
