#include "apimachinery/labels/requirement.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::labels {
namespace {

using ::testing::HasSubstr;

Requirement Make(Operator op, std::vector<std::string> values) {
  return Requirement::Make("a", op, std::move(values)).value();
}

TEST(Requirement, Matches_EachOperator_ByValueOrAbsence) {
  const struct {
    const char* name;
    Requirement requirement;
    std::vector<std::optional<absl::string_view>> yes;
    std::vector<std::optional<absl::string_view>> no;
  } kCases[] = {
      {"in", Make(Operator::kIn, {"y", "x"}), {"x", "y"}, {"", "z", std::nullopt}},
      {"notin", Make(Operator::kNotIn, {"y", "x"}), {"", "z", std::nullopt}, {"x", "y"}},
      {"equals", Make(Operator::kEquals, {""}), {""}, {"x", std::nullopt}},
      {"double equals", Make(Operator::kDoubleEquals, {"x"}), {"x"}, {"", "xx"}},
      {"not equals", Make(Operator::kNotEquals, {"x"}), {"", std::nullopt}, {"x"}},
      {"exists", Make(Operator::kExists, {}), {"", "x"}, {std::nullopt}},
      {"does not exist", Make(Operator::kDoesNotExist, {}), {std::nullopt}, {"", "x"}},
      {"greater",
       Make(Operator::kGreaterThan, {"5"}),
       {"6", "+6"},
       {"5", "-6", "", "x", "6x", "+-6", "9223372036854775808", std::nullopt}},
      {"less", Make(Operator::kLessThan, {"5"}), {"4", "-6"}, {"5", "", std::nullopt}},
  };
  for (const auto& c : kCases) {
    for (const auto& value : c.yes) EXPECT_TRUE(c.requirement.Matches(value)) << c.name;
    for (const auto& value : c.no) EXPECT_FALSE(c.requirement.Matches(value)) << c.name;
    const String text("x");
    EXPECT_EQ(c.requirement.Matches(&text),
              c.requirement.Matches(std::optional<absl::string_view>("x")))
        << c.name;
  }
}

absl::StatusOr<bool> IsWeb(std::optional<absl::string_view> app) {
  KUBE_ASSIGN_OR_RETURN(Requirement web, Requirement::Make("app", Operator::kEquals, {"web"}));
  return web.Matches(app);
}

TEST(Requirement, MatchesTheValueOfALabel_AsInTheHeader) {
  EXPECT_THAT(IsWeb("web"), base::IsOkAndHolds(true));
  EXPECT_THAT(IsWeb("shop"), base::IsOkAndHolds(false));
  EXPECT_THAT(IsWeb(std::nullopt), base::IsOkAndHolds(false));
}

TEST(Requirement, ToString_EachOperator_IsItsCanonicalText) {
  EXPECT_EQ(Make(Operator::kIn, {"y", "x"}).ToString(), "a in (x,y)");
  EXPECT_EQ(Make(Operator::kNotIn, {""}).ToString(), "a notin ()");
  EXPECT_EQ(Make(Operator::kLessThan, {"5"}).ToString(), "a<5");
  EXPECT_EQ(Make(Operator::kDoesNotExist, {}).ToString(), "!a");
  EXPECT_EQ(Requirement::MakeEquals("not valid", "at all").ToString(), "not valid=at all");
  EXPECT_EQ(Make(Operator::kIn, {"y", "x"}), Make(Operator::kIn, {"x", "y"}));
}

TEST(Requirement, Make_SeveralMistakes_NamesThemAll) {
  EXPECT_THAT(Requirement::Make("-", Operator::kGreaterThan, {"x", "_"}).status(),
              base::StatusIs(absl::StatusCode::kInvalidArgument,
                             ::testing::AllOf(HasSubstr("[key: Invalid value: \"-\""),
                                              HasSubstr("exactly one value is required"),
                                              HasSubstr("values[1]: Invalid value: \"_\""),
                                              HasSubstr("values[1][-]: Invalid value"))));
  EXPECT_THAT(Requirement::Make("a", Operator::kIn, {}, validation::field::Path("x")).status(),
              base::StatusIs(absl::StatusCode::kInvalidArgument,
                             "x.values: Invalid value: null: for 'in', 'notin' operators, values "
                             "set can't be empty"));
}

}  // namespace
}  // namespace kube::labels
