#include "apimachinery/labels/label_selector.h"

#include "absl/status/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::labels {
namespace {

using base::StatusIs;

namespace metav1 = api::meta::v1;

const metav1::LabelSelector kSelector = {
    .match_labels = {{"app", "web"}},
    .match_expressions = {{.key = "tier", .operator_ = "In", .values = {"front"}}}};

TEST(LabelSelector, AsSelector_NullMatchesNothing_EmptyMatchesEverything) {
  EXPECT_EQ(LabelSelectorAsSelector(&kSelector)->ToString(), "app=web,tier in (front)");
  EXPECT_TRUE(LabelSelectorAsSelector(nullptr)->MatchesNothing());
  const metav1::LabelSelector all;
  EXPECT_TRUE(LabelSelectorAsSelector(&all)->empty());
  const metav1::LabelSelector bad = {.match_expressions = {{.key = "a", .operator_ = "Is"}}};
  EXPECT_THAT(LabelSelectorAsSelector(&bad).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "\"Is\" is not a valid label selector operator"));
}

TEST(LabelSelector, AsMap_OtherThanEquality_IsInvalidArgument) {
  EXPECT_EQ(*LabelSelectorAsMap(&kSelector), Set({{"app", "web"}, {"tier", "front"}}));
  EXPECT_TRUE(LabelSelectorAsMap(nullptr)->is_null());
  const metav1::LabelSelector exists = {.match_expressions = {{.key = "a", .operator_ = "Exists"}}};
  EXPECT_THAT(LabelSelectorAsMap(&exists).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "operator \"Exists\" cannot be converted into the old label selector "
                       "format"));
}

TEST(LabelSelector, ParseToLabelSelector_UnsupportedOperator_IsInvalidArgument) {
  EXPECT_EQ(*ParseToLabelSelector("app=web,tier in (front)"), kSelector);
  EXPECT_THAT(
      ParseToLabelSelector("a>5").status(),
      StatusIs(absl::StatusCode::kInvalidArgument, "\"gt\" isn't supported in label selectors"));
  EXPECT_THAT(ParseToLabelSelector("a!=5").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "\"!=\" is not a valid label selector operator"));
  EXPECT_THAT(ParseToLabelSelector(",").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "couldn't parse the selector string \",\": found ',', expected: !, "
                       "identifier, or 'end of string'"));
}

TEST(LabelSelector, SetAsLabelSelector_EmptySet_IsNothing) {
  EXPECT_FALSE(SetAsLabelSelector(Set()).has_value());
  EXPECT_EQ(SetAsLabelSelector({{"a", "1"}})->match_labels, Set({{"a", "1"}}));
}

TEST(LabelSelector, FormatLabelSelector_NullOrInvalid_IsNoneOrError) {
  EXPECT_EQ(FormatLabelSelector(&kSelector), "app=web,tier in (front)");
  EXPECT_EQ(FormatLabelSelector(nullptr), "<none>");
  const metav1::LabelSelector bad = {.match_labels = {{"-", ""}}};
  EXPECT_EQ(FormatLabelSelector(&bad), "<error>");
}

}  // namespace
}  // namespace kube::labels
