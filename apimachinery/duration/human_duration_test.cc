#include "apimachinery/duration/human_duration.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/types/time.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::duration {
namespace {

TEST(HumanDurationTest, Rows) {
  struct Row {
    absl::Duration duration;
    const char* human;
    const char* brief;
  };
  const absl::Duration day = absl::Hours(24);
  for (const Row& row : {
           Row{absl::ZeroDuration(), "0s", "0s"},
           Row{absl::Milliseconds(-1999), "0s", "0s"},
           Row{absl::Seconds(-2), "<invalid>", "<invalid>"},
           Row{absl::Seconds(119), "119s", "1m"},
           Row{absl::Seconds(120), "2m", "2m"},
           Row{absl::Seconds(599), "9m59s", "9m"},
           Row{absl::Minutes(179), "179m", "2h"},
           Row{absl::Minutes(180), "3h", "3h"},
           Row{absl::Minutes(479), "7h59m", "7h"},
           Row{absl::Hours(47), "47h", "1d"},
           Row{absl::Hours(50), "2d2h", "2d"},
           Row{day * 8, "8d", "8d"},
           Row{day * 729, "729d", "1y"},
           Row{day * 731, "2y1d", "2y"},
           Row{day * 365 * 8, "8y", "8y"},
           Row{absl::InfiniteDuration(), "292y", "292y"},
           Row{-absl::InfiniteDuration(), "<invalid>", "<invalid>"},
       }) {
    SCOPED_TRACE(absl::FormatDuration(row.duration));
    EXPECT_EQ(HumanDuration(row.duration), row.human);
    EXPECT_EQ(ShortHumanDuration(row.duration), row.brief);
  }
}

TEST(HumanDurationTest, Age) {
  const absl::Time now = absl::FromUnixSeconds(1'767'225'600);
  EXPECT_EQ(Age(Time(), now), "<unknown>");
  EXPECT_EQ(Age(Time(now - absl::Seconds(312)), now), "5m12s");
  EXPECT_EQ(Age(Time(now + absl::Seconds(1)), now), "0s");
  EXPECT_EQ(Age(Time(now + absl::Minutes(1)), now), "<invalid>");

  base::FakeClock clock(now);
  base::RuntimeScope scope(clock);
  EXPECT_EQ(Age(Time(now - absl::Hours(5))), "5h");
}

TEST(HumanDurationTest, Go) {
  oracle::Dice dice(5);
  oracle::GoCases cases("version_oracle");
  const auto add = [&](int64_t nanoseconds) {
    const std::string question = absl::StrCat(nanoseconds);
    cases.Add("human", question, HumanDuration(absl::Nanoseconds(nanoseconds)));
    cases.Add("short", question, ShortHumanDuration(absl::Nanoseconds(nanoseconds)));
  };
  for (int i = 0; i < 5'000; ++i) {
    add(static_cast<int64_t>(dice.Next()) >> dice.Below(64));
    // Around whole hours, days and years, where units change.
    const int64_t units[] = {60, 3'600, 86'400, 31'536'000};
    const int64_t whole = units[dice.Below(4)] * static_cast<int64_t>(dice.Below(290));
    add(whole * 1'000'000'000 + static_cast<int64_t>(dice.Below(5)) - 2);
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::duration
