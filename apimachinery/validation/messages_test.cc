#include "apimachinery/validation/messages.h"

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/validation/dns.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::validation {
namespace {

TEST(Messages, Texts) {
  EXPECT_EQ(MaxLenError(63), "must be no more than 63 characters");
  EXPECT_EQ(EmptyError(), "must be non-empty");
  EXPECT_EQ(InclusiveRangeError(1, 65535), "must be between 1 and 65535, inclusive");
  EXPECT_EQ(RegexError("wrong", "a+"), "wrong (regex used for validation is 'a+')");
  EXPECT_EQ(RegexError("wrong", "a+", {"a", "aa"}),
            "wrong (e.g. 'a',  or 'aa', regex used for validation is 'a+')");
}

absl::Status CheckName(absl::string_view name) {
  const Messages wrong = IsDns1123Label(name);
  if (!wrong.empty()) return absl::InvalidArgumentError(wrong.front());
  return absl::OkStatus();
}

TEST(Messages, AreEmptyForAValidText_AsInTheHeader) {
  EXPECT_THAT(CheckName("web-0"), base::IsOk());
  EXPECT_THAT(CheckName("Web"),
              base::StatusIs(absl::StatusCode::kInvalidArgument,
                             testing::StartsWith("a lowercase RFC 1123 label must consist of")));
}

}  // namespace
}  // namespace kube::validation
