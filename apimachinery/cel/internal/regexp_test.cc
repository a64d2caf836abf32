#include "apimachinery/cel/internal/regexp.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/cel/internal/budget.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

TEST(RegexpTest, Matches) {
  struct Row {
    const char* pattern;
    const char* text;
    bool matches;
    const char* found;
  };
  for (const Row& row : {
           Row{"b+", "abbc", true, "bb"},
           Row{"^b", "abbc", false, ""},
           Row{"", "", true, ""},
           Row{"(?<name>a|b)c", "xbc", true, "bc"},
           Row{"[(?<]", "<", true, "<"},
           Row{"\\Q(?<\\E", "(?<", true, "(?<"},
           Row{"a|ab", "ab", true, "a"},
       }) {
    const auto regexp = Regexp::Compile(row.pattern);
    ASSERT_THAT(regexp, base::IsOk()) << row.pattern;
    EXPECT_EQ((*regexp)->Matches(row.text), row.matches) << row.pattern;
    EXPECT_EQ((*regexp)->Find(row.text), row.found) << row.pattern;
  }
}

TEST(RegexpTest, FindAll) {
  Context context;
  Budget budget(context, 1'000);
  struct Row {
    const char* pattern;
    const char* text;
    int64_t limit;
    std::vector<std::string> found;
  };
  for (const Row& row : {
           Row{"a.", "abacd", -1, {"ab", "ac"}},
           Row{"a.", "abacd", 1, {"ab"}},
           Row{"a.", "abacd", 0, {}},
           Row{"a*", "baac", -1, {"", "aa", ""}},
           Row{"", "\xc3\xa9x", -1, {"", "", ""}},
           Row{"x", "abc", -1, {}},
       }) {
    const auto regexp = Regexp::Compile(row.pattern);
    ASSERT_THAT(regexp, base::IsOk());
    EXPECT_EQ((*regexp)->FindAll(row.text, row.limit, budget), row.found) << row.pattern;
  }
}

TEST(RegexpTest, ErrorsHaveTheWordsOfGo) {
  struct Row {
    const char* pattern;
    const char* message;
  };
  for (const Row& row : {
           Row{"(a", "error parsing regexp: missing closing ): `(a`"},
           Row{"a)", "error parsing regexp: unexpected ): `a)`"},
           Row{"[a", "error parsing regexp: missing closing ]: `[a`"},
           Row{"*", "error parsing regexp: missing argument to repetition operator: `*`"},
           Row{"(?=a)", "error parsing regexp: invalid or unsupported Perl syntax: `(?=`"},
       }) {
    EXPECT_THAT(Regexp::Compile(row.pattern).status(),
                base::StatusIs(absl::StatusCode::kInvalidArgument, row.message));
  }
  EXPECT_FALSE(Regexp::Compile("\\C").ok());
}

TEST(RegexpTest, TheCacheCompilesOnce) {
  Context context;
  Budget budget(context, 1'000);
  RegexpCache cache;
  const auto first = cache.Get("a+", budget);
  ASSERT_THAT(first, base::IsOk());
  EXPECT_EQ(*cache.Get("a+", budget), *first);
  EXPECT_FALSE(cache.Get("(", budget).ok());
  for (int i = 0; i < 100; ++i)
    ASSERT_THAT(cache.Get(std::string(i + 2, 'b'), budget), base::IsOk());
  EXPECT_THAT(cache.Get("a+", budget), base::IsOk());
}

}  // namespace
}  // namespace kube::cel::internal
