#include "apimachinery/meta/resource_version.h"

#include <compare>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::meta {
namespace {

TEST(CompareResourceVersion, Compare_NumbersOfAnyLength_OrdersByNumber) {
  const struct {
    const char* a;
    const char* b;
    std::strong_ordering want;
  } kRows[] = {
      {"1", "1", std::strong_ordering::equal},
      {"1", "2", std::strong_ordering::less},
      {"9", "10", std::strong_ordering::less},
      {"100", "99", std::strong_ordering::greater},
      {"18446744073709551616", "18446744073709551615", std::strong_ordering::greater},
      {"99999999999999999999999999", "100000000000000000000000000", std::strong_ordering::less},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(absl::StrCat(row.a, " ", row.b));
    const auto order = CompareResourceVersion(row.a, row.b);
    ASSERT_THAT(order, base::IsOk());
    EXPECT_TRUE(*order == row.want);
  }
}

TEST(CompareResourceVersion, Compare_NotANumber_IsInvalidArgument) {
  for (const char* bad : {"", "0", "01", "-1", "+1", "1 ", "1a", "abc", "1.0", "\xd9\xa1"}) {
    const auto refused = base::StatusIs(absl::StatusCode::kInvalidArgument,
                                        absl::StrCat("resource version is not well formed: ", bad));
    EXPECT_THAT(CompareResourceVersion(bad, "1"), refused);
    EXPECT_THAT(CompareResourceVersion("1", bad), refused);
    EXPECT_THAT(CompareResourceVersion(bad, "x"), refused) << "the first one is named";
  }
}

}  // namespace
}  // namespace kube::meta
