#include "apimachinery/base/text/http_date.h"

#include <clocale>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace kube::text {
namespace {

absl::Time Utc(int year, int month, int day, int hour, int minute, int second) {
  return absl::FromCivil(absl::CivilSecond(year, month, day, hour, minute, second),
                         absl::UTCTimeZone());
}

TEST(HttpDateTest, Format_Time_IsImfFixdate) {
  EXPECT_EQ(FormatHttpDate(Utc(2026, 10, 21, 7, 28, 0) + absl::Milliseconds(999)),
            "Wed, 21 Oct 2026 07:28:00 GMT");
  EXPECT_EQ(FormatHttpDate(absl::UnixEpoch()), "Thu, 01 Jan 1970 00:00:00 GMT");
}

TEST(HttpDateTest, EveryDayAndMonthIsReadAgain) {
  for (int i = 0; i < 366; ++i) {
    const absl::Time time = Utc(2028, 1, 1, 23, 59, 58) + i * absl::Hours(24);
    EXPECT_EQ(ParseHttpDate(FormatHttpDate(time)), time) << FormatHttpDate(time);
  }
}

TEST(HttpDateTest, Parse_OnlyImfFixdate_IsAccepted) {
  const struct {
    const char* text;
    std::optional<absl::Time> time;
  } cases[] = {
      {"Sun, 06 Nov 1994 08:49:37 GMT", Utc(1994, 11, 6, 8, 49, 37)},
      {"SUN, 06 nOV 1994 08:49:37 GMT", Utc(1994, 11, 6, 8, 49, 37)},
      {"Mon, 29 Feb 2028 00:00:00 GMT", Utc(2028, 2, 29, 0, 0, 0)},
      {"Sat, 31 Dec 2016 23:59:60 GMT", Utc(2017, 1, 1, 0, 0, 0)},
      {"Sun, 29 Feb 2026 00:00:00 GMT", std::nullopt},
      {"Sun, 00 Nov 1994 08:49:37 GMT", std::nullopt},
      {"Sun, 06 Nov 1994 24:00:00 GMT", std::nullopt},
      {"Sun, 06 Nov 1994 08:60:37 GMT", std::nullopt},
      {"Sun, 06 Nov 1994 08:49:61 GMT", std::nullopt},
      {"Son, 06 Nov 1994 08:49:37 GMT", std::nullopt},
      {"Sun, 06 Nvo 1994 08:49:37 GMT", std::nullopt},
      {"Sun, 6 Nov 1994 08:49:37 GMT", std::nullopt},
      {"Sun, 06 Nov 1994 08:49:37 gmt", std::nullopt},
      {"Sun, 06 Nov 1994 08:49:37 UTC", std::nullopt},
      {"Sun, 06 Nov 1994 08:49:37 GMT ", std::nullopt},
      {"Sun, 06 Nov 199x 08:49:37 GMT", std::nullopt},
      {"Sunday, 06-Nov-94 08:49:37 GMT", std::nullopt},
      {"Sun Nov  6 08:49:37 1994", std::nullopt},
      {"", std::nullopt},
  };
  for (const auto& c : cases) EXPECT_EQ(ParseHttpDate(c.text), c.time) << c.text;
}

// A locale of our own, whose days and months begin with "x": a machine need not have another one.
class LocaleTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string folder = testing::TempDir();
    std::ofstream(absl::StrCat(folder, "/source")) << R"(comment_char %
escape_char /
LC_TIME
abday "xSun";"xMon";"xTue";"xWed";"xThu";"xFri";"xSat"
day "xSunday";"xMonday";"xTuesday";"xWednesday";"xThursday";"xFriday";"xSaturday"
abmon "xJan";"xFeb";"xMar";"xApr";"xMay";"xJun";"xJul";"xAug";"xSep";"xOct";"xNov";"xDec"
mon "xJan";"xFeb";"xMar";"xApr";"xMay";"xJun";"xJul";"xAug";"xSep";"xOct";"xNov";"xDec"
d_t_fmt "%a"
d_fmt "%a"
t_fmt "%a"
am_pm "a";"p"
t_fmt_ampm "%a"
END LC_TIME
)";
    // It ends with 1, as the other categories are not there.
    const int status = std::system(absl::StrCat("localedef -c -i ", folder, "/source ", folder,
                                                "/other >", folder, "/log 2>&1")
                                       .c_str());
    if (!std::filesystem::exists(absl::StrCat(folder, "/other/LC_TIME"))) {
      std::cout << std::ifstream(absl::StrCat(folder, "/log")).rdbuf();
      std::cout << "SKIPPED: localedef cannot make a locale: " << status << "\n";
      GTEST_SKIP();
    }
    setenv("LOCPATH", folder.c_str(), 1);
    ASSERT_NE(std::setlocale(LC_ALL, "other"), nullptr);
  }
  void TearDown() override { std::setlocale(LC_ALL, "C"); }
};

TEST_F(LocaleTest, DatesAreEnglishInEveryLocale) {
  const std::time_t zero = 0;
  char text[32];
  ASSERT_NE(std::strftime(text, sizeof(text), "%a %b", std::gmtime(&zero)), 0u);
  ASSERT_STREQ(text, "xThu xJan");
  EXPECT_EQ(FormatHttpDate(absl::UnixEpoch()), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(ParseHttpDate("Thu, 01 Jan 1970 00:00:00 GMT"), absl::UnixEpoch());
}

}  // namespace
}  // namespace kube::text
