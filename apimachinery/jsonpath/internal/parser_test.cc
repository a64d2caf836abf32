#include "apimachinery/jsonpath/internal/parser.h"

#include <string>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/jsonpath/internal/node.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"

namespace kube::jsonpath::internal {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;

std::string Show(const Nodes& nodes);

std::string Show(const Actions& actions);

std::string Show(const SliceNode::Bound& bound) {
  return bound.known ? absl::StrCat(bound.value) : "_";
}

std::string Show(const Node& node) {
  if (const auto* field = std::get_if<FieldNode>(&node.node)) {
    return absl::StrCat("field(", field->name, ")");
  }
  if (const auto* slice = std::get_if<SliceNode>(&node.node)) {
    return absl::StrCat(slice->single ? "index(" : "slice(", Show(slice->begin), ",",
                        Show(slice->end), ",", Show(slice->step), ")");
  }
  if (const auto* filter = std::get_if<FilterNode>(&node.node)) {
    return absl::StrCat("filter(", Show(filter->left), " ", filter->op, " ", Show(filter->right),
                        ")");
  }
  if (const auto* literal = std::get_if<LiteralNode>(&node.node)) {
    if (const auto text = literal->value.text()) return absl::StrCat("text(", *text, ")");
    return absl::StrCat(literal->value.is_bool()  ? "bool"
                        : literal->value.is_int() ? "int"
                                                  : "double");
  }
  if (const auto* branches = std::get_if<UnionNode>(&node.node)) {
    return absl::StrCat("union(", Show(branches->branches), ")");
  }
  if (const auto* word = std::get_if<IdentifierNode>(&node.node)) {
    return absl::StrCat("word(", word->name, ")");
  }
  return std::holds_alternative<RecursiveNode>(node.node) ? "descent" : "wildcard";
}

std::string Show(const Nodes& nodes) {
  std::string text;
  for (const Node& node : nodes) text += Show(node);
  return text;
}

std::string Show(const Actions& actions) {
  std::string text;
  for (const Nodes& nodes : actions) absl::StrAppend(&text, text.empty() ? "" : "|", Show(nodes));
  return text;
}

TEST(ParserTest, Nodes) {
  struct Row {
    const char* action;
    const char* nodes;
  };
  for (const Row& row : {
           Row{"{}", ""},
           Row{"{ $.a.b }", "field(a)field(b)"},
           Row{"{.a\\.b\\\\c}", "field(a.bc)"},
           Row{"{.}", "field()"},
           Row{"{['a.b']['c\\.d']}", "field(a)field(b)field(c.d)"},
           Row{"{['*'].*}", "wildcardwildcard"},
           Row{"{[1][-1][]}", "index(1,2,_)index(-1,0,_)index(_,1,_)"},
           Row{"{[*][1:][:2][1:2:3]}", "slice(_,_,_)slice(1,_,_)slice(_,2,_)slice(1,2,3)"},
           Row{"{[9223372036854775807]}", "index(9223372036854775807,-9223372036854775808,_)"},
           Row{"{[?(@.a)]}", "filter(field(a) exists )"},
           Row{"{[?(@.a == \"b)c\")].d}", "filter(field(a) == text(b)c))field(d)"},
           Row{"{[?(@.a==1.5)][?(1!=true)]}", "filter(field(a) == double)filter(int != bool)"},
           Row{"{[?(@.a==-1)]}", "filter(field(a) == int)"},
           Row{"", ""},
           Row{"a {.b}", "text(a )|field(b)"},
           Row{"{.a}}{\"\\n\"}", "field(a)|text(})|text(\n)"},
           Row{"{range .a[*]}{end}", "word(range)field(a)slice(_,_,_)|word(end)"},
           Row{"{true}{truex}{range}", "bool|word(truex)|word(range)"},
           Row{"{..a..b}{..}{...a}", "descentfield(a)descentfield(b)|descent|descentfield(a)"},
           Row{"{..['a']..1}", "descentfield(a)descentfield(1)"},
           Row{"{['a', 'b.c' ,*]}", "union(field(a)|field(b)field(c)|slice(_,_,_))"},
           Row{"{[0,?(@.a),]}", "union(index(0,1,_)|filter(field(a) exists )|index(_,1,_))"},
           Row{"{['a}{.b}c','d']}", "union(field(a)|field(d))"},
       }) {
    SCOPED_TRACE(row.action);
    const absl::StatusOr<Actions> actions = Parser(row.action).Parse();
    ASSERT_THAT(actions, base::IsOk());
    EXPECT_EQ(Show(*actions), row.nodes);
  }
  EXPECT_THAT(Parser("{.a").Parse(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Parser("{....a}").Parse(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Parser("{..*}").Parse(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Parser("{['a,b']}").Parse(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Parser("{['a}{[x','b']}").Parse(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Parser("{..\xc3\xa9}").Parse(), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST(ParserTest, Unquote) {
  EXPECT_THAT(Unquote("''"), IsOkAndHolds(std::string()));
  EXPECT_THAT(Unquote(R"("\a\b\f\n\r\t\v\\\"\x41\102\u00e9\u20ac")"),
              IsOkAndHolds(std::string("\a\b\f\n\r\t\v\\\"AB\xc3\xa9\xe2\x82\xac")));
  for (absl::string_view bad : {"'", "\"'", "'a'b'", R"("\)", R"("\'")", R"('\"')", R"("\x4")"}) {
    EXPECT_THAT(Unquote(bad), StatusIs(absl::StatusCode::kInvalidArgument)) << bad;
  }
}

}  // namespace
}  // namespace kube::jsonpath::internal
