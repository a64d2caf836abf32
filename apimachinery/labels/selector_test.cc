#include "apimachinery/labels/selector.h"

#include <map>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// apimachinery/labels/differential compares thousands of texts with Go.
namespace kube::labels {
namespace {

using base::StatusIs;
using ::testing::HasSubstr;

TEST(Selector, Matches_Map_WhenAllRequirementsHold) {
  const Map<String> labels = {{"app", "web"}, {"tier", "front"}, {"weight", "7"}};
  const struct {
    const char* text;
    bool matches;
  } kCases[] = {
      {"", true},
      {"app=web", true},
      {"app=web,tier in (front,back),!canary", true},
      {"weight>6,weight<8", true},
      {"app!=api", true},
      {"canary!=true", true},
      {"app", true},
      {"app=we", false},
      {"canary", false},
      {"tier notin (front)", false},
      {"app=web,tier=back", false},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(Parse(c.text)->Matches(labels), c.matches) << c.text;
  }
  EXPECT_FALSE(Nothing().Matches(labels));
  EXPECT_TRUE(Everything().Matches(Map<String>()));
}

absl::StatusOr<bool> IsFrontend(const api::core::v1::Pod& pod) {
  KUBE_ASSIGN_OR_RETURN(Selector selector, Parse("app=web,tier notin (back)"));
  return selector.Matches(pod.metadata.labels);
}

TEST(Selector, MatchesTheLabelsOfAPod_AsInTheHeader) {
  EXPECT_THAT(IsFrontend({.metadata = {.labels = {{"app", "web"}}}}), base::IsOkAndHolds(true));
  EXPECT_THAT(IsFrontend({.metadata = {.labels = {{"app", "web"}, {"tier", "back"}}}}),
              base::IsOkAndHolds(false));
}

TEST(Selector, Matches_LargeMap_FindsEachKey) {
  Map<String> labels;
  for (int i = 0; i < 100; ++i) labels[absl::StrCat("key", i)] = absl::StrCat(i);
  EXPECT_TRUE(Parse("key99=99,key0=0,!key100")->Matches(labels));
  EXPECT_FALSE(Parse("key50=51")->Matches(labels));
}

TEST(Selector, Matches_LookupFunction_AsksItForEachKey) {
  const std::map<std::string, std::string> labels = {{"app", "web"}};
  const auto lookup = [&](absl::string_view key) -> std::optional<absl::string_view> {
    const auto found = labels.find(std::string(key));
    if (found == labels.end()) return std::nullopt;
    return found->second;
  };
  EXPECT_TRUE(Parse("app=web,!tier")->Matches(lookup));
  EXPECT_FALSE(Parse("tier")->Matches(lookup));
  EXPECT_FALSE(Nothing().Matches(lookup));
}

TEST(Selector, EverythingAndNothing_AreToldApart) {
  EXPECT_TRUE(Everything().empty());
  EXPECT_FALSE(Everything().MatchesNothing());
  EXPECT_FALSE(Nothing().empty());
  EXPECT_TRUE(Nothing().MatchesNothing());
  EXPECT_EQ(Nothing().ToString(), "");
  EXPECT_EQ(Selector(), Everything());
  EXPECT_FALSE(Nothing() == Everything());
  EXPECT_EQ(*Parse(" "), Everything());
  EXPECT_EQ(SelectorFromSet({}), Everything());
}

TEST(Selector, ParseThenToString_IsSortedAndCanonical) {
  EXPECT_EQ(Parse(" b in (y, x) ,a == 1, !c,d>5")->ToString(), "a==1,b in (x,y),!c,d>5");
  EXPECT_EQ(Parse("a in (,)")->ToString(), "a in ()");
  EXPECT_EQ(Parse("in in (in,notin)")->ToString(), "in in (in,notin)");
}

TEST(Selector, Add_ReturnsASortedCopyAndNothingStaysNothing) {
  const Selector selector = *Parse("b=1");
  EXPECT_EQ(selector.Add({Requirement::MakeEquals("a", "2")}).ToString(), "a=2,b=1");
  EXPECT_EQ(selector.ToString(), "b=1");
  EXPECT_TRUE(Nothing().Add({Requirement::MakeEquals("a", "2")}).MatchesNothing());
  EXPECT_TRUE(Everything().Add({}).empty());
}

TEST(Selector, RequiresExactMatch_SingleValueOnly_ReturnsIt) {
  const Selector selector = *Parse("a=1,b in (2),c in (3,4),d!=5,e,e=6");
  EXPECT_EQ(selector.RequiresExactMatch("a"), "1");
  EXPECT_EQ(selector.RequiresExactMatch("b"), "2");
  for (const char* key : {"c", "d", "e", "f"}) {
    EXPECT_EQ(selector.RequiresExactMatch(key), std::nullopt) << key;
  }
}

TEST(Selector, Parse_InvalidText_HasTheMessageOfUpstream) {
  const struct {
    const char* text;
    const char* message;
  } kCases[] = {
      {"a,", "found '', expected: identifier after ','"},
      {"=a", "found '=', expected: !, identifier, or 'end of string'"},
      {"a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"},
      {"a in b", "unable to parse requirement: found 'b' expected: '('"},
      {"a in (b c)", "unable to parse requirement: found 'c', expected: ',' or ')'"},
      {"a=b c", "found 'c', expected: ',' or 'end of string'"},
      {"!", "unable to parse requirement: found '', expected: identifier"},
      {"/a",
       "unable to parse requirement: <nil>: Invalid value: \"/a\": prefix part must be "
       "non-empty"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(Parse(c.text).status(), StatusIs(absl::StatusCode::kInvalidArgument, c.message))
        << c.text;
  }
  EXPECT_THAT(Parse("a=-", validation::field::Path("sel")).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("requirement: sel.values[0][a]: Invalid value: \"-\": a valid")));
}

TEST(Selector, SelectorFromSet_InvalidValue_IsRefusedOnlyIfValidated) {
  const Selector selector = SelectorFromSet({{"b", "2"}, {"a", "not valid"}});
  EXPECT_EQ(selector.ToString(), "a=not valid,b=2");
  EXPECT_TRUE(selector.Matches({{"a", "not valid"}, {"b", "2"}, {"c", "3"}}));
  EXPECT_THAT(ValidatedSelectorFromSet({{"a", "not valid"}}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("values[0][a]")));
  EXPECT_EQ(ValidatedSelectorFromSet({{"a", "1"}})->ToString(), "a=1");
}

}  // namespace
}  // namespace kube::labels
