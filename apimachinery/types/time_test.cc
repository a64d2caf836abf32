#include "apimachinery/types/time.h"

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

static_assert(std::is_trivially_copyable_v<Time> && std::is_standard_layout_v<Time>);
static_assert(std::is_convertible_v<absl::Time, Time> && !std::is_convertible_v<Time, absl::Time>);
static_assert(!std::is_convertible_v<int64_t, Time> && !std::is_convertible_v<int, Time>);
static_assert(Time().IsZero() && Time::FromUnixSeconds(0) > Time());

TEST(TimeTest, Zero) {
  struct Object {
    Time created;
    Time deleted = {};
  };
  const Object object{};
  EXPECT_TRUE(object.created.IsZero());
  EXPECT_EQ(object.deleted, Time::FromUnixSeconds(-62135596800));
  EXPECT_EQ(object.created.ToString(), "0001-01-01T00:00:00Z");
}

TEST(TimeTest, AbslTime) {
  struct Row {
    const char* name;
    absl::Time time;
    int64_t unix_seconds;
  };
  for (const Row& row : {
           Row{"epoch", absl::UnixEpoch(), 0},
           Row{"fraction", absl::FromUnixMillis(1999), 1},
           Row{"fraction before 1970", absl::FromUnixMillis(-1), -1},
           Row{"the infinite past", absl::InfinitePast(), kMin},
           Row{"the infinite future", absl::InfiniteFuture(), kMax - 62135596800},
           Row{"last second", absl::FromUnixSeconds(kMax - 62135596800), kMax - 62135596800},
           Row{"beyond the last second", absl::FromUnixSeconds(kMax), kMax - 62135596800},
       }) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(Time(row.time).ToUnixSeconds(), row.unix_seconds);
    EXPECT_EQ(Time(row.time).ToAbslTime(), absl::FromUnixSeconds(row.unix_seconds));
  }
  Time assigned;
  assigned = absl::FromUnixSeconds(7);
  EXPECT_EQ(assigned, Time::FromUnixSeconds(7));
}

TEST(TimeTest, OrderHashAndPrint) {
  const std::vector<Time> times = {Time::FromUnixSeconds(kMin), Time(), Time::FromUnixSeconds(-1),
                                   Time::FromUnixSeconds(0), Time::FromUnixSeconds(1)};
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(times));
  for (size_t i = 1; i < times.size(); ++i) EXPECT_LT(times[i - 1], times[i]);
  std::ostringstream out;
  out << Time::FromUnixSeconds(1767225600);
  EXPECT_EQ(out.str(), "2026-01-01T00:00:00Z");
}

TEST(TimeTest, Access) {
  EXPECT_EQ(internal::TimeAccess::Make(62135596800), Time::FromUnixSeconds(0));
  EXPECT_EQ(internal::TimeAccess::Get(Time::FromUnixSeconds(1)), 62135596801);
}

// Compares with Go: reads and writes the times of protobuf.
TEST(TimeTest, Go) {
  oracle::GoCases cases("values_oracle");
  oracle::Dice dice(21);
  const auto add = [&cases](int64_t seconds, int32_t nanos) {
    const Time time = Time::FromUnixSeconds(seconds);
    cases.Add(
        "time_unix", absl::StrCat(seconds, " ", nanos),
        time.IsZero() ? "zero" : absl::StrCat(time.ToString(), " ", time.ToUnixSeconds(), " 0"));
  };
  for (const int64_t seconds : {int64_t{0}, int64_t{-62135596800}, kMin, kMax}) add(seconds, 5);
  for (int i = 0; i < 3000; ++i) {
    add(static_cast<int64_t>(dice.Next()) >> (dice.Next() % 64), static_cast<int32_t>(dice.Next()));
  }
  cases.Check();
}

}  // namespace
}  // namespace kube
