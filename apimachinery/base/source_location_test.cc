#include "apimachinery/base/source_location.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

SourceLocation Caller(SourceLocation where = SourceLocation::Current()) { return where; }

TEST(SourceLocation, DefaultArgumentIsThePlaceOfTheCall) {
  const SourceLocation where = Caller();
  const int line = __LINE__ - 1;
  EXPECT_EQ(where.line, line);
  EXPECT_THAT(where.file, testing::EndsWith("apimachinery/base/source_location_test.cc"));
  EXPECT_EQ(where.ToString(), absl::StrCat("source_location_test.cc:", line));
}

TEST(SourceLocation, Basename_ReturnsWhatFollowsTheLastSlash) {
  static_assert(SourceLocation{}.line == 0);
  EXPECT_EQ(std::string(SourceLocation{"a/b/c.cc", 1}.Basename()), "c.cc");
  EXPECT_EQ(std::string(SourceLocation{"c.cc", 1}.Basename()), "c.cc");
  EXPECT_EQ(std::string(SourceLocation{"a/", 1}.Basename()), "");
  EXPECT_EQ(SourceLocation{}.ToString(), ":0");
}

}  // namespace
}  // namespace kube::base
