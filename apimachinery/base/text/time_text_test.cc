#include "apimachinery/base/text/time_text.h"

#include <cstdio>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"

namespace kube::text {
namespace {

using testing::Eq;
using testing::Optional;

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kFirst = -9'223'371'966'606'163'200;  // in the calendar

std::string Text(int64_t seconds) {
  char buffer[kMaxRfc3339Size];
  return std::string(buffer, WriteRfc3339(seconds, buffer));
}

std::string MicroText(MicroSeconds time) {
  char buffer[kMaxRfc3339Size];
  return std::string(buffer, WriteRfc3339Micro(time, buffer));
}

// The results of the oracle.
std::string Answer(int64_t seconds) {
  if (seconds == 0) return "zero";
  return absl::StrCat(Text(seconds), " ", Year1ToUnix(seconds), " 0");
}

std::string MicroAnswer(MicroSeconds time) {
  if (time == MicroSeconds{}) return "zero";
  return absl::StrCat(MicroText(time), " ", Year1ToUnix(time.seconds), " ", time.micros * 1000);
}

// behaviour.md: COD-5
TEST(TimeTextTest, ParseThenWrite_ValidText_IsUtcWithWholeSeconds) {
  struct Row {
    const char* name;
    const char* text;
    int64_t unix_seconds;
    const char* written;
  };
  for (const Row& row : {
           Row{"epoch", "1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z"},
           Row{"leap day", "2024-02-29T23:59:59Z", 1709251199, "2024-02-29T23:59:59Z"},
           Row{"offset east", "2026-01-02T03:04:05+02:30", 1767314045, "2026-01-02T00:34:05Z"},
           Row{"offset west", "2026-01-02T03:04:05-02:30", 1767332045, "2026-01-02T05:34:05Z"},
           Row{"offset beyond a day", "2026-01-02T03:04:05+24:60", 1767233045,
               "2026-01-01T02:04:05Z"},
           Row{"fraction", "1970-01-01T00:00:01.999999999999Z", 1, "1970-01-01T00:00:01Z"},
           Row{"fraction before 1970", "1969-12-31T23:59:59.5Z", -1, "1969-12-31T23:59:59Z"},
           Row{"comma", "1970-01-01T00:00:01,9Z", 1, "1970-01-01T00:00:01Z"},
           Row{"hour of one digit", "1970-01-01T1:00:00Z", 3600, "1970-01-01T01:00:00Z"},
           Row{"last", "9999-12-31T23:59:59Z", 253402300799, "9999-12-31T23:59:59Z"},
           Row{"year 10000", "9999-12-31T23:59:59-00:01", 253402300859, "10000-01-01T00:00:59Z"},
           Row{"year 0", "0000-01-01T00:00:00Z", -62167219200, "0000-01-01T00:00:00Z"},
           Row{"before year 0", "0000-01-01T00:00:00+00:01", -62167219260, "-0001-12-31T23:59:00Z"},
       }) {
    SCOPED_TRACE(row.name);
    const std::optional<int64_t> seconds = ParseRfc3339(row.text);
    ASSERT_THAT(seconds, Optional(UnixToYear1(row.unix_seconds)));
    EXPECT_EQ(Text(*seconds), row.written);
  }
}

TEST(TimeTextTest, Parse_InvalidText_IsRefused) {
  for (const char* text : {"",
                           "null",
                           "2026-01-02",
                           "2026-01-02T03:04:05",
                           "2026-01-02t03:04:05Z",
                           "2026-01-02T03:04:05z",
                           "2026-01-02 03:04:05Z",
                           "2026-02-29T00:00:00Z",
                           "2026-00-01T00:00:00Z",
                           "2026-13-01T00:00:00Z",
                           "2026-01-00T00:00:00Z",
                           "2026-01-02T24:00:00Z",
                           "2026-01-02T03:60:05Z",
                           "2026-01-02T23:59:60Z",
                           "2026-01-02T03:04:05.Z",
                           "2026-01-02T03:04:05+25:00",
                           "2026-01-02T03:04:05+00:61",
                           "2026-01-02T03:04:05+0100",
                           "2026-01-02T03:04:05ZZ",
                           "2026-1-02T03:04:05Z",
                           "2026-01-02T:04:05Z",
                           "12026-01-02T03:04:05Z",
                           "-0001-01-02T03:04:05Z"}) {
    EXPECT_EQ(ParseRfc3339(text), std::nullopt) << text;
  }
}

// behaviour.md: COD-5
TEST(TimeTextTest, Micro_NeedsAndWritesSixDigits) {
  EXPECT_THAT(ParseRfc3339Micro("1970-01-01T00:00:01.000002Z"),
              Optional(Eq(MicroSeconds{UnixToYear1(1), 2})));
  EXPECT_EQ(MicroText({UnixToYear1(1), 2}), "1970-01-01T00:00:01.000002Z");
  EXPECT_EQ(MicroText({0, 0}), "0001-01-01T00:00:00.000000Z");
  for (const char* text :
       {"1970-01-01T00:00:01Z", "1970-01-01T00:00:01.00002Z", "1970-01-01T00:00:01.0000002Z",
        "1970-01-01T00:00:01.-00002Z", "1970-01-01T00:00:01.", ""}) {
    EXPECT_EQ(ParseRfc3339Micro(text), std::nullopt) << text;
  }
}

TEST(TimeTextTest, Write_SecondsOutsideTheCalendar_WrapsAround) {
  EXPECT_EQ(Text(kMax), "292277024627-12-06T15:30:07Z");
  EXPECT_EQ(Text(kMin), "292277024627-12-06T15:30:08Z");
  EXPECT_EQ(Text(kFirst), "-292277022400-03-01T00:00:00Z");
  EXPECT_EQ(MicroText({kFirst, 999999}), "-292277022400-03-01T00:00:00.999999Z");
  EXPECT_EQ(Text(kFirst - 1), "292277026854-01-07T07:00:15Z");
}

// A date, or nearly one: each part is right more often than not.
std::string AlmostATime(oracle::Dice& dice) {
  const auto pick = [&dice](std::initializer_list<absl::string_view> parts) {
    return parts.begin()[dice.Next() % parts.size()];
  };
  const auto number = [&dice](int from, int to, const char* format = "%02d") {
    const int step = dice.Next() % 40 == 0 ? 1 : 0;
    char text[16];
    std::snprintf(text, sizeof text, format,
                  from - step + static_cast<int>(dice.Next() % (to - from + 1 + 2 * step)));
    return std::string(text);
  };
  return absl::StrCat(number(0, 9999, "%04d"), "-", number(1, 12), "-", number(1, 29), "T",
                      number(0, 23, dice.Next() % 8 == 0 ? "%d" : "%02d"), ":", number(0, 59), ":",
                      number(0, 59),
                      pick({"", "", ".123456", ".000001", ",999999", ".+12345", ".5", ".1234567"}),
                      pick({"Z", "Z", "Z", "+01:00", "-24:60", "+25:00", "-00:00", "z", ""}));
}

// behaviour.md: COD-5
TEST(TimeTextTest, ParseAndWrite_RandomTexts_AgreeWithGo) {
  const std::vector<std::string> samples = {
      "",
      "2026-11-21T07:00:20Z",
      "2026-11-21T07:00:20.123456Z",
      "2026-11-21T07:00:20,123456789Z",
      "2026-11-21T07:00:20.+12345Z",
      "2026-11-21T07:00:20.-00000+01:00",
      "2026-11-21T7:00:20-07:59",
      "0001-01-01T00:00:00Z",
      "0001-01-01T00:00:00.5Z",
      "0001-01-01T00:00:00.000000Z",
      "0001-01-01T01:00:00+01:00",
      "0000-01-01T00:00:00+24:00",
      "0000-02-29T00:00:00.999999+24:00",
      "9999-12-31T23:59:59-24:60",
      "2000-02-29T12:00:00Z",
      "1900-02-28T23:59:59.000001Z",
      "2024-02-29T24:00:00Z",
  };
  const std::vector<std::string> pieces = {
      "0",  "00",        "01",     "1970",   "2024", "-",      ":",    "T",   "Z",
      "+",  ".",         ",",      "12",     "23",   "29",     "30",   "31",  "t",
      "60", ".12345678", "+01:00", "-24:60", "\n",   "\u00e9", "-02-", "T2:", ".+00001"};
  std::vector<std::string> texts = oracle::TextMaker(1, samples, pieces).Make(10'000);
  oracle::Dice dice(12);
  while (texts.size() < 30'000) texts.push_back(AlmostATime(dice));
  oracle::GoCases cases("values_oracle");
  for (const std::string& text : texts) {
    const std::optional<int64_t> seconds = ParseRfc3339(text);
    cases.Add("time", text, seconds ? Answer(*seconds) : oracle::GoCases::kError);
    const std::optional<MicroSeconds> micros = ParseRfc3339Micro(text);
    cases.Add("micro", text, micros ? MicroAnswer(*micros) : oracle::GoCases::kError);
  }
  cases.Check();
}

TEST(TimeTextTest, Write_DaysOfTenThousandYears_AgreesWithGo) {
  oracle::GoCases cases("values_oracle");
  oracle::Dice dice(2);
  for (int64_t day = -1000; day < 3'700'000; day += 1 + static_cast<int64_t>(dice.Next() % 300)) {
    const int64_t seconds = day * 86'400 + static_cast<int64_t>(dice.Next() % 86'400);
    cases.Add("time_unix", absl::StrCat(Year1ToUnix(seconds), " 0"), Answer(seconds));
  }
  for (int i = 0; i < 5000; ++i) {
    const int64_t seconds = static_cast<int64_t>(dice.Next()) >> (dice.Next() % 64);
    cases.Add("time_unix", absl::StrCat(Year1ToUnix(seconds), " 1"), Answer(seconds));
    // A written time can be read again wherever Go can read it.
    const std::string text = Text(seconds);
    cases.Add("time", text, text.size() == 20 ? Answer(seconds) : oracle::GoCases::kError);
    EXPECT_EQ(ParseRfc3339(text).has_value(), text.size() == 20) << text;
  }
  for (const int64_t edge :
       {kMin, kMax, kFirst, int64_t{0}, UnixToYear1(kMin), UnixToYear1(kMax)}) {
    for (const int64_t step : {0, 1, -1}) {
      const int64_t seconds = static_cast<int64_t>(static_cast<uint64_t>(edge) + step);
      cases.Add("time_unix", absl::StrCat(Year1ToUnix(seconds), " 0"), Answer(seconds));
    }
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::text
