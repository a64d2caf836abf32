#include "apimachinery/fields/selector.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// apimachinery/fields/differential compares thousands of texts with Go.
namespace kube::fields {
namespace {

using base::StatusIs;

TEST(FieldSelector, ParseSelector_InvalidText_HasTheMessageOfUpstream) {
  EXPECT_EQ(ParseSelector("b!=2,a==1")->ToString(), "a=1,b!=2");
  EXPECT_EQ(ParseSelector("a=x\\,y\\=z\\\\")->requirements()[0].value, "x,y=z\\");
  EXPECT_TRUE(ParseSelector("")->empty());
  EXPECT_TRUE(ParseSelector(",=,")->empty());
  EXPECT_THAT(ParseSelector("a=1,b").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "invalid selector: 'a=1,b'; can't understand 'b'"));
  EXPECT_THAT(ParseSelector("a=b=c").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "invalid field selector: unescaped character in value: 61"));
  EXPECT_THAT(ParseSelector("a=\\x").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "invalid field selector: invalid escape sequence: \\x"));
}

TEST(FieldSelector, Matches_AbsentField_IsTheEmptyText) {
  const Map<String> fields = {{"a", "1"}};
  EXPECT_TRUE(ParseSelector("a=1,b=,b!=2")->Matches(fields));
  EXPECT_FALSE(ParseSelector("a!=1")->Matches(fields));
  EXPECT_TRUE(Everything().Matches(fields));
  EXPECT_FALSE(Nothing().Matches(fields));
}

absl::StatusOr<bool> IsOnNode1(const Map<String>& fields) {
  KUBE_ASSIGN_OR_RETURN(Selector selector, ParseSelector("spec.nodeName=node-1"));
  return selector.Matches(fields);
}

TEST(FieldSelector, MatchesTheFieldsOfAnObject_AsInTheHeader) {
  EXPECT_THAT(IsOnNode1({{"spec.nodeName", "node-1"}}), base::IsOkAndHolds(true));
  EXPECT_THAT(IsOnNode1({{"spec.nodeName", "node-2"}}), base::IsOkAndHolds(false));
}

TEST(FieldSelector, AndSelectors_JoinsTermsAndNothingWins) {
  const Selector a = OneTermEqualSelector("a", "1,2");
  const Selector b = OneTermNotEqualSelector("b", "");
  EXPECT_EQ(a.ToString(), "a=1\\,2");
  EXPECT_EQ(AndSelectors({b, Everything(), a}).ToString(), "b!=,a=1\\,2");
  EXPECT_TRUE(AndSelectors({a, Nothing()}).MatchesNothing());
  EXPECT_TRUE(AndSelectors({}).empty());
  EXPECT_EQ(SelectorFromSet({{"b", "2"}, {"a", "1"}}).ToString(), "a=1,b=2");
  EXPECT_TRUE(SelectorFromSet({}).empty());
  EXPECT_FALSE(Nothing() == Everything());
}

TEST(FieldSelector, RequiresExactMatch_EqualityOnly_ReturnsTheValue) {
  const Selector selector = *ParseSelector("a!=1,a=2,b!=3");
  EXPECT_EQ(selector.RequiresExactMatch("a"), "2");
  EXPECT_EQ(selector.RequiresExactMatch("b"), std::nullopt);
}

TEST(FieldSelector, Transform_RenamesDropsOrFails) {
  const auto rename = [](absl::string_view field,
                         absl::string_view value) -> absl::StatusOr<FieldValue> {
    if (field == "spec.host") return FieldValue{"spec.nodeName", std::string(value)};
    if (field == "drop") return FieldValue();
    return absl::InvalidArgumentError("no");
  };
  EXPECT_EQ(ParseAndTransformSelector("spec.host!=n,drop=1", rename)->ToString(),
            "spec.nodeName!=n");
  EXPECT_THAT(ParseSelector("a=1")->Transform(rename).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, "no"));
  EXPECT_TRUE(Nothing().Transform(rename)->MatchesNothing());
}

TEST(FieldSelector, EscapeThenUnescape_ReturnsTheValue) {
  EXPECT_EQ(EscapeValue("a,b=c\\"), "a\\,b\\=c\\\\");
  EXPECT_EQ(*UnescapeValue("a\\,b\\=c\\\\"), "a,b=c\\");
  EXPECT_EQ(*UnescapeValue("\xff"), "\xff") << "nothing to unescape: as it is";
  EXPECT_EQ(*UnescapeValue("\\,\xff"), ",\xEF\xBF\xBD");
  EXPECT_FALSE(UnescapeValue("a\\").ok());
}

}  // namespace
}  // namespace kube::fields
