#include "apimachinery/validation/value.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::validation {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Value, Texts) {
  const struct {
    const char* name;
    Messages (*check)(absl::string_view);
    std::vector<std::string> valid;
    std::vector<std::string> invalid;
  } kCases[] = {
      {"port name", IsValidPortName, {"http", "a", "80a"}, {"", "80", "a--b", "-a", "HTTP"}},
      {"C identifier", IsCIdentifier, {"_", "a1"}, {"", "1a", "a-b"}},
      {"percent", IsValidPercent, {"0%", "123%"}, {"", "%", "1", "1%%", "-1%"}},
      {"header", IsHttpHeaderName, {"X-Y", "-"}, {"", "a_b"}},
      {"env", IsEnvVarName, {"A", "a.b", "-", ".a"}, {"", "1", "a b", ".", "..", "..a"}},
      {"relaxed env", IsRelaxedEnvVarName, {"a b", "1", "~"}, {"", "a=b", "\t", "\x7f", "é"}},
      {"config key", IsConfigMapKey, {"a", ".a", "A_1"}, {"", ".", "..", "..a", "a/b"}},
      {"path name", IsValidPathSegmentName, {"", "a b", "..."}, {".", "..", "a/b", "%"}},
      {"path prefix", IsValidPathSegmentPrefix, {".", ".."}, {"/", "%"}},
      {"decimal", IsDecimalInteger, {"0", "-1", "10"}, {"", "-", "-0", "01", "+1", "1a"}},
  };
  for (const auto& c : kCases) {
    for (const std::string& text : c.valid) EXPECT_THAT(c.check(text), IsEmpty()) << c.name << text;
    for (const std::string& text : c.invalid) {
      EXPECT_FALSE(c.check(text).empty()) << c.name << " " << text;
    }
  }
  EXPECT_THAT(IsValidPortName(""), SizeIs(2));
  EXPECT_THAT(IsConfigMapKey(".."), ElementsAre("must not be '..'"));
  EXPECT_THAT(IsValidPathSegmentName("/%"),
              ElementsAre("may not contain '/'", "may not contain '%'"));
}

TEST(Value, Numbers) {
  EXPECT_THAT(IsValidPortNum(1), IsEmpty());
  EXPECT_THAT(IsValidPortNum(65535), IsEmpty());
  EXPECT_THAT(IsValidPortNum(0), ElementsAre("must be between 1 and 65535, inclusive"));
  EXPECT_THAT(IsInRange(5, 5, 6), IsEmpty());
  EXPECT_THAT(IsInRange(7, 5, 6), ElementsAre("must be between 5 and 6, inclusive"));
  EXPECT_THAT(IsValidUserId(0), IsEmpty());
  EXPECT_THAT(IsValidGroupId(int64_t{1} << 31),
              ElementsAre("must be between 0 and 2147483647, inclusive"));
}

}  // namespace
}  // namespace kube::validation
