#include "apimachinery/labels/set.h"

#include "absl/status/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::labels {
namespace {

TEST(Set, ToString_IsSortedByText) {
  EXPECT_EQ(ToString({{"b", "2"}, {"a", "1"}}), "a=1,b=2");
  EXPECT_EQ(ToString({{"a", "1"}, {"a-b", "2"}}), "a-b=2,a=1") << "by text, as upstream";
  EXPECT_EQ(FormatLabels({}), "<none>");
  EXPECT_EQ(FormatLabels({{"a", ""}}), "a=");
}

TEST(Set, Merge_SameKey_TakesTheSecondValue) {
  const Set a = {{"x", "1"}, {"y", "2"}};
  EXPECT_FALSE(Conflicts(a, {{"x", "1"}, {"z", "3"}}));
  EXPECT_TRUE(Conflicts(a, {{"x", "2"}}));
  EXPECT_EQ(Merge(a, {{"x", "5"}, {"z", "3"}}), Set({{"x", "5"}, {"y", "2"}, {"z", "3"}}));
  EXPECT_FALSE(Merge({}, {}).is_null());
}

TEST(Set, SetMatches_SubsetOnly_IsTrue) {
  EXPECT_TRUE(SetMatches({}, {}));
  EXPECT_TRUE(SetMatches({{"a", "1"}}, {{"a", "1"}, {"b", "2"}}));
  EXPECT_FALSE(SetMatches({{"a", "1"}}, {{"a", "2"}}));
  EXPECT_FALSE(SetMatches({{"a", ""}}, {}));
}

TEST(Set, ParseSet_InvalidText_IsInvalidArgument) {
  EXPECT_EQ(*ParseSet("b = 2 , a=1"), Set({{"a", "1"}, {"b", "2"}}));
  EXPECT_FALSE(ParseSet("")->is_null());
  EXPECT_THAT(ParseSet("a==1").status(),
              base::StatusIs(absl::StatusCode::kInvalidArgument, "invalid selector: [a  1]"));
  EXPECT_THAT(ParseSet("a=-").status(),
              base::StatusIs(absl::StatusCode::kInvalidArgument,
                             ::testing::HasSubstr("[a]: Invalid value: \"-\"")));
}

}  // namespace
}  // namespace kube::labels
