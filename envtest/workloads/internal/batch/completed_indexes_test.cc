#include "envtest/workloads/internal/batch/completed_indexes.h"

#include <set>
#include <string>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CompletedIndexes, FormatAndParse_EachSet_AreInverse) {
  const struct {
    absl::string_view text;
    std::set<int> indexes;
  } cases[] = {
      {"", {}},
      {"0", {0}},
      {"0,1", {0, 1}},
      {"0-2", {0, 1, 2}},
      {"1,3-5,7,9,10", {1, 3, 4, 5, 7, 9, 10}},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(FormatIndexes(test.indexes), test.text);
    EXPECT_EQ(ParseIndexes(test.text, 100), test.indexes) << test.text;
  }
}

// TestCalculateSucceededIndexes of indexed_job_utils_test.go.
TEST(CompletedIndexes, Parse_InvalidOrTooLargeIndexes_LeavesThemOut) {
  EXPECT_THAT(ParseIndexes("0-7", 3), ElementsAre(0, 1, 2));
  EXPECT_THAT(ParseIndexes("0,3-5", 5), ElementsAre(0, 3, 4));
  EXPECT_THAT(ParseIndexes("a,1-b,2,", 5), ElementsAre(2));
  EXPECT_THAT(ParseIndexes("5-1", 9), IsEmpty());
}

}  // namespace
}  // namespace kube::envtest::internal
