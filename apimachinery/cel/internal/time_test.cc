#include "apimachinery/cel/internal/time.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/civil_time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/cel/value.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;

TEST(TimeTest, TimestampsKeepTheirOffset) {
  struct Row {
    const char* text;
    const char* formatted;
  };
  for (const Row& row : {
           Row{"2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"},
           Row{"2026-01-02T03:04:05.120Z", "2026-01-02T03:04:05.12Z"},
           Row{"2026-01-02T03:04:05,000000001+00:00", "2026-01-02T03:04:05.000000001Z"},
           Row{"2026-01-02T03:04:05.1234567899-08:30", "2026-01-02T03:04:05.123456789-08:30"},
           Row{"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"},
           Row{"9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"},
       }) {
    const std::optional<TimestampValue> time = ParseTimestamp(row.text);
    ASSERT_TRUE(time.has_value()) << row.text;
    EXPECT_EQ(FormatTimestamp(*time), row.formatted);
  }
  EXPECT_EQ(ParseTimestamp("2026-01-02"), std::nullopt);
  EXPECT_EQ(ParseTimestamp("2026-02-30T00:00:00Z"), std::nullopt);
  EXPECT_EQ(ParseTimestamp("2026-01-02T03:04:05+01:00")->seconds,
            ParseTimestamp("2026-01-02T02:04:05Z")->seconds);
}

TEST(TimeTest, FormatsOfOpenApi) {
  EXPECT_EQ(FormatTimestamp(*ParseDate("2026-01-02")), "2026-01-02T00:00:00Z");
  EXPECT_EQ(ParseDate("2026-1-02"), std::nullopt);
  EXPECT_EQ(FormatTimestamp(*ParseDateTime("")), "1970-01-01T00:00:00Z");
  EXPECT_EQ(FormatTimestamp(*ParseDateTime("2026-01-02T03:04:05.5")), "2026-01-02T03:04:05.5Z");
  EXPECT_EQ(ParseDateTime("now"), std::nullopt);
  struct Row {
    const char* text;
    std::optional<int64_t> nanoseconds;
  };
  for (const Row& row : {
           Row{"1.5s", 1'500'000'000},
           Row{"5 minutes", 300'000'000'000},
           Row{"2d 1 hr", 176'400'000'000'000},
           Row{"3 \xc2\xb5s", 3'000},
           Row{"1WEEK", 604'800'000'000'000},
           Row{"5 parsecs", std::nullopt},
           Row{"", std::nullopt},
       }) {
    EXPECT_EQ(ParseAnyDuration(row.text), row.nanoseconds) << row.text;
  }
}

TEST(TimeTest, Arithmetic) {
  const TimestampValue time = {.seconds = 10, .nanoseconds = 999'999'999, .offset_seconds = 3'600};
  EXPECT_EQ(Add(time, 1)->seconds, 11);
  EXPECT_EQ(Add(time, 1)->nanoseconds, 0);
  EXPECT_EQ(Add(time, 1)->offset_seconds, 3'600);
  EXPECT_EQ(Add({.seconds = 10}, -1)->seconds, 9);
  EXPECT_EQ(Add({.seconds = 10}, -1)->nanoseconds, 999'999'999);
  EXPECT_EQ(Add({.seconds = kMaxTimestamp}, kNanosecondsPerSecond), std::nullopt);
  EXPECT_EQ(Add({.seconds = kMinTimestamp}, -1), std::nullopt);
  EXPECT_EQ(Subtract(time, {.seconds = 9}), 1'999'999'999);
  EXPECT_EQ(Subtract({.seconds = kMaxTimestamp}, {.seconds = kMinTimestamp}), std::nullopt);
  EXPECT_EQ(Compare(time, time), 0);
  EXPECT_EQ(Compare({.seconds = 1}, {.seconds = 1, .nanoseconds = 1}), -1);
  EXPECT_EQ(Compare({.seconds = 2}, {.seconds = 1, .nanoseconds = 1}), 1);
  EXPECT_EQ(FormatSeconds(1'500'000'000), "1.5");
  EXPECT_EQ(FormatSeconds(-1), "-0.000000001");
}

TEST(TimeTest, Zones) {
  const TimestampValue time = {.seconds = 1'767'323'045};  // 2026-01-02T03:04:05Z
  EXPECT_THAT(ToCivil(time, ""), IsOkAndHolds(absl::CivilSecond(2026, 1, 2, 3, 4, 5)));
  EXPECT_THAT(ToCivil(time, "UTC"), IsOkAndHolds(absl::CivilSecond(2026, 1, 2, 3, 4, 5)));
  EXPECT_THAT(ToCivil(time, "-08:30"), IsOkAndHolds(absl::CivilSecond(2026, 1, 1, 18, 34, 5)));
  EXPECT_THAT(ToCivil(time, "02:00"), IsOkAndHolds(absl::CivilSecond(2026, 1, 2, 5, 4, 5)));
  for (const char* zone : {"Mars/Base", "../etc/passwd", "/etc/localtime", "file", "a b"}) {
    EXPECT_THAT(ToCivil(time, zone), StatusIs(absl::StatusCode::kInvalidArgument,
                                              testing::StartsWith("unknown time zone ")));
  }
  EXPECT_THAT(ToCivil(time, "x:00"), StatusIs(absl::StatusCode::kInvalidArgument,
                                              "strconv.Atoi: parsing \"x\": invalid syntax"));
  EXPECT_THAT(ToCivil(time, "9999999:00"), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::cel::internal
