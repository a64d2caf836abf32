#include "tests/streaming/pattern.h"

#include <string>

#include "absl/strings/escaping.h"
#include "gtest/gtest.h"

namespace kube::streaming {
namespace {

TEST(PatternTest, IsThatOfTheNode) {
  EXPECT_EQ(Pattern(0, 1), "");
  EXPECT_EQ(absl::BytesToHexString(Pattern(11, 1)), "c15c0289ec2d0a9167ec8e");
  EXPECT_EQ(Pattern(100'000, 1).substr(0, 11), Pattern(11, 1));
  EXPECT_NE(Pattern(8, 1), Pattern(8, 2));
}

TEST(Sha256Test, Hashes) {
  EXPECT_EQ(Sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256(Pattern(100'000, 1)),
            "04c671df807f1f4141677aaefec27fa33ad3aacc9f92fda675650a0278577ae0");
}

}  // namespace
}  // namespace kube::streaming
