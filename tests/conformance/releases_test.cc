#include "tests/conformance/releases.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::conformance {
namespace {

using ::testing::HasSubstr;

TEST(ReleasesTest, Parse_EachWord_CoversItsMinorVersions) {
  const absl::StatusOr<std::vector<ReleaseRow>> rows = ParseReleases(
      "# of a test\n"
      "since 1.36 | behaviour | A thing is new | a gate\n"
      "\n"
      "until 1.36 | variant | also_old | it was dropped\n"
      "only 1.36 | test | //a:b_test | it compares\n");
  ASSERT_TRUE(rows.ok()) << rows.status();
  ASSERT_EQ(rows->size(), 3u);
  const struct {
    int minor;
    bool since, until, only;
  } cases[] = {{35, false, true, false}, {36, true, true, true}, {37, true, false, false}};
  for (const auto& each : cases) {
    EXPECT_EQ((*rows)[0].Covers(each.minor), each.since) << each.minor;
    EXPECT_EQ((*rows)[1].Covers(each.minor), each.until) << each.minor;
    EXPECT_EQ((*rows)[2].Covers(each.minor), each.only) << each.minor;
  }
  EXPECT_EQ((*rows)[0].kind, "behaviour");
  EXPECT_EQ((*rows)[0].name, "A thing is new");
  EXPECT_EQ((*rows)[0].reason, "a gate");
}

TEST(ReleasesTest, Parse_WrongRow_SaysItsLine) {
  for (const char* row : {"since 1.36 | behaviour | no reason", "from 1.36 | behaviour | a | b",
                          "since 36 | behaviour | a | b", "since 1.x | behaviour | a | b",
                          "since 1.36|behaviour|a|b"}) {
    const absl::StatusOr<std::vector<ReleaseRow>> rows =
        ParseReleases(std::string("# of a test\n") + row);
    EXPECT_THAT(rows, base::StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("line 2: ")))
        << row;
  }
}

}  // namespace
}  // namespace kube::conformance
