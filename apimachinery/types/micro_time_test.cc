#include "apimachinery/types/micro_time.h"

#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"

namespace kube {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kLast = kMax - 62135596800;

static_assert(std::is_trivially_copyable_v<MicroTime> && std::is_standard_layout_v<MicroTime>);
static_assert(std::is_convertible_v<absl::Time, MicroTime>);
static_assert(!std::is_convertible_v<MicroTime, absl::Time>);
static_assert(!std::is_convertible_v<int64_t, MicroTime>);
static_assert(MicroTime().IsZero() && MicroTime::FromUnix(0, 0) > MicroTime());

TEST(MicroTimeTest, Unix) {
  struct Row {
    const char* name;
    int64_t seconds;
    int32_t nanos;
    int64_t out_seconds;
    int32_t out_nanos;
  };
  for (const Row& row : {
           Row{"epoch", 0, 0, 0, 0},
           Row{"cut", 1, 999'999'999, 1, 999'999'000},
           Row{"cut towards zero", 1, -999, 1, 0},
           Row{"negative", 1, -1000, 0, 999'999'000},
           Row{"a second back", 1, -1'000'000'000, 0, 0},
           Row{"more than a second", 1, 2'000'001'000, 3, 1000},
           Row{"most", 1, std::numeric_limits<int32_t>::max(), 3, 147'483'000},
           Row{"least", 1, std::numeric_limits<int32_t>::min(), -2, 852'517'000},
       }) {
    SCOPED_TRACE(row.name);
    const MicroTime time = MicroTime::FromUnix(row.seconds, row.nanos);
    EXPECT_EQ(time.ToUnixSeconds(), row.out_seconds);
    EXPECT_EQ(time.Nanos(), row.out_nanos);
  }
}

TEST(MicroTimeTest, AbslTime) {
  struct Row {
    const char* name;
    absl::Time time;
    MicroTime expected;
  };
  for (const Row& row : {
           Row{"epoch", absl::UnixEpoch(), MicroTime::FromUnix(0, 0)},
           Row{"fraction", absl::FromUnixNanos(1'234'567'899), MicroTime::FromUnix(1, 234'567'000)},
           Row{"before 1970", absl::FromUnixNanos(-1), MicroTime::FromUnix(-1, 999'999'000)},
           Row{"the infinite past", absl::InfinitePast(), MicroTime::FromUnix(kMin, 0)},
           Row{"the infinite future", absl::InfiniteFuture(),
               MicroTime::FromUnix(kLast, 999'999'000)},
           Row{"beyond the last", absl::FromUnixSeconds(kMax),
               MicroTime::FromUnix(kLast, 999'999'000)},
       }) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(MicroTime(row.time), row.expected);
    EXPECT_EQ(MicroTime(row.time).ToAbslTime(),
              absl::FromUnixSeconds(row.expected.ToUnixSeconds()) +
                  absl::Nanoseconds(row.expected.Nanos()));
  }
}

TEST(MicroTimeTest, OrderHashAndPrint) {
  const std::vector<MicroTime> times = {MicroTime::FromUnix(kMin, 0),
                                        MicroTime(),
                                        MicroTime::FromUnix(-62135596800, 1000),
                                        MicroTime::FromUnix(0, 0),
                                        MicroTime::FromUnix(0, 1000),
                                        MicroTime::FromUnix(1, 0)};
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(times));
  for (size_t i = 1; i < times.size(); ++i) EXPECT_LT(times[i - 1], times[i]);
  EXPECT_FALSE(times[2].IsZero());
  std::ostringstream out;
  out << MicroTime::FromUnix(1767225600, 12'000);
  EXPECT_EQ(out.str(), "2026-01-01T00:00:00.000012Z");
}

TEST(MicroTimeTest, Access) {
  const MicroTime time = internal::MicroTimeAccess::Make({62135596800, 5});
  EXPECT_EQ(time, MicroTime::FromUnix(0, 5000));
  EXPECT_EQ(internal::MicroTimeAccess::Get(time), (text::MicroSeconds{62135596800, 5}));
}

// Compares with Go: reads and writes the times of protobuf.
TEST(MicroTimeTest, Go) {
  oracle::GoCases cases("values_oracle");
  oracle::Dice dice(22);
  const auto add = [&cases](int64_t seconds, int32_t nanos) {
    const MicroTime time = MicroTime::FromUnix(seconds, nanos);
    cases.Add("micro_unix", absl::StrCat(seconds, " ", nanos),
              time.IsZero()
                  ? "zero"
                  : absl::StrCat(time.ToString(), " ", time.ToUnixSeconds(), " ", time.Nanos()));
  };
  for (const int64_t seconds : {int64_t{0}, int64_t{-62135596800}, kMin, kMax}) {
    for (const int32_t nanos : {0, 999, 1000, -1, -1000, std::numeric_limits<int32_t>::min()}) {
      add(seconds, nanos);
    }
  }
  for (int i = 0; i < 5000; ++i) {
    add(static_cast<int64_t>(dice.Next()) >> (dice.Next() % 64),
        static_cast<int32_t>(dice.Next()) >> (dice.Next() % 32));
  }
  cases.Check();
}

}  // namespace
}  // namespace kube
