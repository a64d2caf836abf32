#include "apimachinery/intstr/percent.h"

#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/int_or_string.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::intstr {
namespace {

namespace appsv1 = api::apps::v1;

std::string Print(const absl::StatusOr<int64_t>& value) {
  return value.ok() ? absl::StrCat(*value) : absl::StrCat("error: ", value.status().message());
}

TEST(PercentTest, Rows) {
  struct Row {
    const char* name;
    IntOrString value;
    int64_t total;
    const char* up;
    const char* down;
    const char* legacy;  // rounded up
  };
  for (const Row& row : {
           Row{"number", 7, 10, "7", "7", "7"},
           Row{"quarter", "25%", 10, "3", "2", "3"},
           Row{"exact", "50%", 10, "5", "5", "5"},
           Row{"more than all", "150%", 10, "15", "15", "15"},
           Row{"negative", "-25%", 10, "-2", "-3", "-2"},
           Row{"of nothing", "25%", 0, "0", "0", "0"},
           Row{"no percentage", "25", 10,
               "error: invalid value for IntOrString: invalid type: string is not a percentage",
               "error: invalid value for IntOrString: invalid type: string is not a percentage",
               "3"},
           Row{"no number", "x%", 10,
               "error: invalid value for IntOrString: invalid value \"x%\": strconv.Atoi: parsing "
               "\"x\": invalid syntax",
               "error: invalid value for IntOrString: invalid value \"x%\": strconv.Atoi: parsing "
               "\"x\": invalid syntax",
               "error: invalid value for IntOrString: invalid value \"x%\": strconv.Atoi: parsing "
               "\"x\": invalid syntax"},
           Row{"beyond 64 bits", "9223372036854775807%", 1000, "9223372036854775807",
               "9223372036854775807", "9223372036854775807"},
       }) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(Print(GetScaledValueFromIntOrPercent(row.value, row.total, Rounding::kUp)), row.up);
    EXPECT_EQ(Print(GetScaledValueFromIntOrPercent(row.value, row.total, Rounding::kDown)),
              row.down);
    EXPECT_EQ(Print(GetValueFromIntOrPercent(row.value, row.total, Rounding::kUp)), row.legacy);
  }
  EXPECT_EQ(GetScaledValueFromIntOrPercent("x", 1, Rounding::kUp).status().code(),
            absl::StatusCode::kInvalidArgument);
}

// Returns the number of pods that may be missing while a deployment is rolled out.
absl::StatusOr<int64_t> MaxUnavailable(const appsv1::RollingUpdateDeployment& rolling_update,
                                       int64_t replicas) {
  const IntOrString limit = rolling_update.max_unavailable.value_or("25%");
  return intstr::GetScaledValueFromIntOrPercent(limit, replicas, intstr::Rounding::kDown);
}

TEST(PercentTest, EvaluatesTheLimitsOfADeployment_AsInTheHeader) {
  EXPECT_THAT(MaxUnavailable({}, 10), base::IsOkAndHolds(2));
  EXPECT_THAT(MaxUnavailable({.max_unavailable = 3}, 10), base::IsOkAndHolds(3));
  EXPECT_THAT(MaxUnavailable({.max_unavailable = "50%"}, 10), base::IsOkAndHolds(5));
  EXPECT_THAT(MaxUnavailable({.max_unavailable = "half"}, 10),
              base::StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(PercentTest, Go) {
  oracle::TextMaker maker(
      77,
      {"25%", "50%", "100%", "33", "0%", "-1%", "+7%", "1%%", "%", "12", "99999999999999999999%"},
      {"%", "1", "3", "7", "00", "-", "+", " ", "x", "999"});
  oracle::Dice dice(78);
  oracle::GoCases cases("version_oracle");
  for (const std::string& text : maker.Make(5'000)) {
    const int64_t total = static_cast<int64_t>(dice.Below(100'000));
    const IntOrString value = IntOrString::Parse(text);
    const std::string question = absl::StrCat(total, "|", text);
    const auto add = [&](absl::string_view function, const absl::StatusOr<int64_t>& ours) {
      // Where the result is beyond 64 bits, Go's depends on the processor.
      if (ours.ok() && (*ours == std::numeric_limits<int64_t>::max() ||
                        *ours == std::numeric_limits<int64_t>::min())) {
        return;
      }
      cases.Add(function, question, Print(ours));
    };
    add("percent_up", GetScaledValueFromIntOrPercent(value, total, Rounding::kUp));
    add("percent_down", GetScaledValueFromIntOrPercent(value, total, Rounding::kDown));
    add("percent_legacy", GetValueFromIntOrPercent(value, total, Rounding::kUp));
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::intstr
