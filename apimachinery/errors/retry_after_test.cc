#include "apimachinery/errors/retry_after.h"

#include <optional>

#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace kube::errors {
namespace {

TEST(ParseRetryAfter, ParseRetryAfter_SecondsOrADate_ReturnsTheDelay) {
  const absl::Time now =
      absl::FromCivil(absl::CivilSecond(2026, 10, 21, 7, 28, 0), absl::UTCTimeZone());
  const struct {
    const char* header;
    std::optional<absl::Duration> want;
  } kRows[] = {
      {"", std::nullopt},
      {"0", absl::ZeroDuration()},
      {"120", absl::Seconds(120)},
      {"+5", absl::Seconds(5)},
      {"-5", absl::Seconds(-5)},
      {"007", absl::Seconds(7)},
      {"+", std::nullopt},
      {"+-5", std::nullopt},
      {" 5", std::nullopt},
      {"5 ", std::nullopt},
      {"1.5", std::nullopt},
      {"1e3", std::nullopt},
      {"99999999999999999999", std::nullopt},
      {"soon", std::nullopt},
      {"Wed, 21 Oct 2026 07:28:30 GMT", absl::Seconds(30)},
      {"Wed, 21 Oct 2026 07:27:30 GMT", absl::ZeroDuration()},
      {"Wed, 21 Oct 2026 07:28:30 CET", std::nullopt},
      {"21 Oct 2026", std::nullopt},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.header);
    EXPECT_EQ(ParseRetryAfter(row.header, now), row.want);
  }
  EXPECT_EQ(ParseRetryAfter("Wed, 21 Oct 2026 07:28:30 GMT", now + absl::Milliseconds(1)),
            absl::Seconds(30));
}

}  // namespace
}  // namespace kube::errors
