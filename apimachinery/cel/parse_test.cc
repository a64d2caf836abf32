#include "apimachinery/cel/parse.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/cel/ast.h"
#include "gtest/gtest.h"

namespace kube::cel {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::StartsWith;

absl::StatusOr<std::string> Tree(absl::string_view text, const ParseOptions& options = {}) {
  KUBE_ASSIGN_OR_RETURN(const Ast ast, Parse(text, options));
  return DebugString(*ast.root);
}

std::string Repeat(absl::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) absl::StrAppend(&out, text);
  return out;
}

TEST(ParseTest, Trees) {
  struct Row {
    const char* text;
    const char* tree;
  };
  for (const Row& row : {
           Row{"1 + 2 * 3 - 4", "_-_(_+_(1, _*_(2, 3)), 4)"},
           Row{"(1 + 2) % 3", "_%_(_+_(1, 2), 3)"},
           Row{"a < b == c", "_==_(_<_(a, b), c)"},
           Row{"a in [1, 2u, 1.5]", "@in(a, [1, 2u, 1.5])"},
           Row{"a && b || c && d", "_||_(_&&_(a, b), _&&_(c, d))"},
           Row{"a || b || c || d", "_||_(_||_(a, b), _||_(c, d))"},
           Row{"a ? b : c ? d : e", "_?_:_(a, b, _?_:_(c, d, e))"},
           Row{"-1", "-1"},
           Row{"- 0x10", "-16"},
           Row{"-a", "-_(a)"},
           Row{"--1", "1"},
           Row{"---a", "-_(a)"},
           Row{"!!!a", "!_(a)"},
           Row{"!!a", "a"},
           Row{"a -1", "_-_(a, 1)"},
           Row{"-9223372036854775808", "-9223372036854775808"},
           Row{"a.b.c(1)[2].d", "_[_](a.b.c(1), 2).d"},
           Row{"f() + .g(1, 2)", "_+_(f(), .g(1, 2))"},
           Row{".a.b", ".a.b"},
           Row{"a.?b[?c]", "_[?_](_?._(a, \"b\"), c)"},
           Row{"[?a, b,]", "[?a, b]"},
           Row{"[,]", "[]"},
           Row{"{1: 2, ?'a': b,}", "{1:2, ?\"a\":b}"},
           Row{"{,}", "{}"},
           Row{"a.b.C{d: 1, ?e: f}", "a.b.C{d:1, ?e:f}"},
           Row{"true && !false && null", "_&&_(_&&_(true, !_(false)), null)"},
           Row{"'a' + \"b\" + b'c'", "_+_(_+_(\"a\", \"b\"), b\"c\")"},
           Row{"a.namespace", "a.namespace"},
           Row{"a // comment\n + b", "_+_(a, b)"},
       }) {
    EXPECT_THAT(Tree(row.text), IsOkAndHolds(std::string(row.tree))) << row.text;
  }
}

TEST(ParseTest, Errors) {
  struct Row {
    const char* text;
    const char* error;
  };
  for (const Row& row : {
           Row{"1 +", "1:4: Syntax error: mismatched input '<EOF>' expecting {'[', "},
           Row{"", "1:1: Syntax error: mismatched input '<EOF>' expecting {'[', "},
           Row{"(1", "1:3: Syntax error: missing ')' at '<EOF>'"},
           Row{"1 2", "1:3: Syntax error: extraneous input '2' expecting <EOF>"},
           Row{"a.", "1:3: Syntax error: no viable alternative at input '.'"},
           Row{"a.true", "1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER"},
           Row{"a # b", "1:3: Syntax error: token recognition error at: '#'"},
           Row{"[1,,2]", "1:4: Syntax error: mismatched input ',' expecting {'[', "},
           Row{"{1}", "1:3: Syntax error: missing ':' at '}'"},
           Row{"-!a", "1:2: Syntax error: mismatched input '!' expecting {'[', "},
           Row{"a\n+ package", "2:3: reserved identifier: package"},
           Row{"var()", "1:1: reserved identifier: var"},
           Row{"9223372036854775808", "1:1: invalid int literal"},
           Row{"18446744073709551616u", "1:1: invalid uint literal"},
           Row{"1e400", "1:1: invalid double literal"},
           Row{"b'\\u00e9'", "1:1: unable to unescape string"},
           Row{"a.`b-c`", "1:3: unsupported syntax: '`'"},
       }) {
    EXPECT_THAT(Tree(row.text), StatusIs(absl::StatusCode::kInvalidArgument,
                                         StartsWith(absl::StrCat("ERROR: <input>:", row.error))))
        << row.text;
  }
}

TEST(ParseTest, AllDefectsThatAreNoSyntaxErrorsAreReported) {
  EXPECT_EQ(Parse("[if, 1, for]").status().message(),
            "ERROR: <input>:1:2: reserved identifier: if\n | [if, 1, for]\n | .^\n"
            "ERROR: <input>:1:9: reserved identifier: for\n | [if, 1, for]\n | ........^");
}

TEST(ParseTest, PlacesOfNodes) {
  struct Row {
    const char* text;
    size_t offset;
  };
  for (const Row& row : {
           Row{"a + b", 2},
           Row{"a.b", 1},
           Row{"a.b(c)", 3},
           Row{"f(c)", 1},
           Row{"a[0]", 1},
           Row{"a ? b : c", 2},
           Row{"  !a", 2},
           Row{"a.all(x, x)", 5},
           Row{"has(a.b)", 3},
       }) {
    const absl::StatusOr<Ast> ast = Parse(row.text);
    ASSERT_THAT(ast, IsOk());
    EXPECT_EQ(ast->root->offset, row.offset) << row.text;
  }
}

TEST(ParseTest, EscapedIdentifiersWhereTheyAreAllowed) {
  EXPECT_THAT(Tree("a.`b-c/d e`", {.escaped_identifiers = true}),
              IsOkAndHolds(std::string("a.b-c/d e")));
}

TEST(ParseTest, Limits) {
  constexpr char kTooDeep[] = "ERROR: <input>:-1:0: expression recursion limit exceeded: 250";
  struct Row {
    const char* what;
    std::string good;
    std::string bad;
    const char* error;
  };
  for (const Row& row : {
           Row{"brackets", Repeat("(", 249) + "a" + Repeat(")", 249),
               Repeat("(", 250) + "a" + Repeat(")", 250), kTooDeep},
           Row{"lists", Repeat("[", 250) + Repeat("]", 250), Repeat("[", 251) + Repeat("]", 251),
               kTooDeep},
           Row{"sums", "a" + Repeat("+a", 248), "a" + Repeat("+a", 249), kTooDeep},
           Row{"fields", "a" + Repeat(".a", 249), "a" + Repeat(".a", 250), kTooDeep},
           Row{"unlimited", "a" + Repeat(" || a", 2000), "a" + Repeat(" ? a : a", 251), kTooDeep},
           Row{"operators of several kinds", "a" + Repeat(".a", 120) + Repeat("+a", 120),
               "a" + Repeat(".a", 150) + Repeat("+a", 120),
               "ERROR: <input>:-1:0: max recursion depth exceeded"},
       }) {
    EXPECT_THAT(Tree(row.good), IsOk()) << row.what;
    EXPECT_THAT(Tree(row.bad), StatusIs(absl::StatusCode::kInvalidArgument, row.error)) << row.what;
  }
  EXPECT_THAT(Tree("a" + Repeat(".optMap(x, x)", 10)), IsOk());
  EXPECT_THAT(
      Tree("a" + Repeat(".optMap(x, x)", 100)),
      StatusIs(absl::StatusCode::kInvalidArgument, "ERROR: <input>:-1:0: expression is too large"));
  EXPECT_THAT(Tree("1234", {.max_code_points = 3}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "ERROR: <input>:-1:0: expression code point size exceeds limit: size: 4, "
                       "limit 3"));
}

}  // namespace
}  // namespace kube::cel
