#include "apimachinery/types/parse.h"

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;
using testing::SizeIs;
using testing::StrEq;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

TEST(ParseTest, Quantity) {
  EXPECT_THAT(ParseQuantity("500m"), IsOkAndHolds(Quantity("500m")));
  EXPECT_THAT(ParseQuantity("0.5"), IsOkAndHolds(Quantity("500m")));
  EXPECT_EQ(ParseQuantity("1024Mi")->source(), "1024Mi");
  EXPECT_THAT(ParseQuantity(""),
              StatusIs(kInvalid, StrEq("parse quantity \"\": quantities must match "
                                       "the regular expression '^([+-]?[0-9.]+)"
                                       "([eEinumkKMGTP]*[-+]?[0-9]*)$'")));
  EXPECT_THAT(
      ParseQuantity("1K"),
      StatusIs(kInvalid, StrEq("parse quantity \"1K\": unable to parse quantity's suffix")));
  EXPECT_THAT(
      ParseQuantity("Pi"),
      StatusIs(kInvalid, StrEq("parse quantity \"Pi\": unable to parse numeric part of quantity")));
}

TEST(ParseTest, Time) {
  EXPECT_THAT(ParseTime("1970-01-01T00:00:01.5Z"), IsOkAndHolds(Time::FromUnixSeconds(1)));
  EXPECT_THAT(
      ParseTime("now\n"),
      StatusIs(kInvalid, StrEq("parse time \"now\\n\": expected format 2006-01-02T15:04:05Z")));
  EXPECT_THAT(ParseTime("null"), StatusIs(kInvalid));
}

TEST(ParseTest, MicroTime) {
  EXPECT_THAT(ParseMicroTime("1970-01-01T00:00:01.500000Z"),
              IsOkAndHolds(MicroTime::FromUnix(1, 500'000'000)));
  EXPECT_THAT(
      ParseMicroTime("1970-01-01T00:00:01Z"),
      StatusIs(
          kInvalid,
          StrEq(
              "parse time \"1970-01-01T00:00:01Z\": expected format 2006-01-02T15:04:05.000000Z")));
}

TEST(ParseTest, Duration) {
  EXPECT_THAT(ParseDuration("1h30m"), IsOkAndHolds(Duration(absl::Minutes(90))));
  EXPECT_THAT(ParseDuration("5"),
              StatusIs(kInvalid,
                       StrEq("parse duration \"5\": expected format 1h30m0.5s, or out of range")));
}

TEST(ParseTest, LongTextsAreNotRepeated) {
  EXPECT_THAT(ParseTime(std::string(1'000'000, 'x')).status().message(), SizeIs(154));
}

}  // namespace
}  // namespace kube
