#include "net/url/internal/escape.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// All bytes of all parts: net/url/differential.
namespace kube::url::internal {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;

TEST(EscapeTest, EachPartHasItsOwnBytes) {
  const std::string text = "a/b?c@d:e;f é*";
  EXPECT_EQ(Escape(text, Part::kPath), "a/b%3Fc@d:e;f%20%C3%A9%2A");
  EXPECT_EQ(Escape(text, Part::kHost), "a%2Fb%3Fc%40d:e;f%20%C3%A9*");
  EXPECT_EQ(Escape(text, Part::kUser), "a%2Fb%3Fc%40d%3Ae;f%20%C3%A9%2A");
  EXPECT_EQ(Escape(text, Part::kFragment), "a/b?c@d:e;f%20%C3%A9*");
}

TEST(EscapeTest, Unescapes) {
  EXPECT_THAT(Unescape("a%20b%2f+", Part::kPath), IsOkAndHolds("a b/+"));
  EXPECT_THAT(Unescape("%C3%a9", Part::kHost), IsOkAndHolds("é"));
  EXPECT_THAT(Unescape("%25en%200", Part::kZone), IsOkAndHolds("%en 0"));
}

TEST(EscapeTest, WhatIsNoEscape) {
  struct Case {
    std::string text;
    Part part;
  };
  const std::vector<Case> cases = {
      {"%", Part::kPath},   {"a%4", Part::kPath},  {"%4g", Part::kPath},   {"%zz", Part::kUser},
      {"a b", Part::kHost}, {"a/b", Part::kHost},  {"%41", Part::kHost},   {"a%0a", Part::kZone},
      {"%c3", Part::kZone}, {"a\\b", Part::kZone}, {"%", Part::kFragment},
  };
  for (const Case& test : cases) {
    EXPECT_THAT(Unescape(test.text, test.part).status(),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << test.text;
  }
}

TEST(EscapeTest, NormalizeKeepsWhatCouldHaveBeenWrittenSo) {
  EXPECT_THAT(Normalize("/a%2fb!(%41)", Part::kPath), IsOkAndHolds("/a%2fb!(%41)"));
  EXPECT_THAT(Normalize("/a b/%41", Part::kPath), IsOkAndHolds("/a%20b/A"));
  EXPECT_THAT(Normalize("a?b'", Part::kFragment), IsOkAndHolds("a?b'"));
  EXPECT_THAT(Normalize("/%4", Part::kPath).status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::url::internal
