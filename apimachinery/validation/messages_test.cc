#include "apimachinery/validation/messages.h"

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

}  // namespace
}  // namespace kube::validation
