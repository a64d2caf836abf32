#include "codegen/template.h"

#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

Values Sample() {
  Values values;
  values.texts["name"] = "outer";
  values.texts["empty"] = "";
  values.lists["none"];
  for (const char* name : {"a", "b"}) {
    Values& item = values.Add("items");
    item.texts["name"] = name;
    item.lists["parts"];
  }
  values.lists["items"][1].Add("parts").texts["part"] = "p";
  return values;
}

TEST(Expand, FillsTextsAndLists) {
  const struct {
    const char* name;
    const char* text;
    const char* want;
  } kRows[] = {
      {"no directive", "plain {{}}\n\nlast\n", "plain {{}}\n\nlast\n"},
      {"text", "struct $name$ { $name$$empty$; };\n", "struct outer { outer; };\n"},
      {"list", "$each items$\n- $name$\n$end$\n$name$\n", "- a\n- b\nouter\n"},
      {"empty list", "x\n$each none$\n- $name$\n$end$\ny\n", "x\ny\n"},
      {"nested lists", "$each items$\n$name$\n$each parts$\n  $part$ of $name$\n$end$\n$end$\n",
       "a\nb\n  p of b\n"},
      {"indented directives", "  $each items$\n  - $name$\n  $end$\n", "  - a\n  - b\n"},
      {"if of a text", "$if name$\nyes\n$end$\n$if empty$\nno\n$end$\n", "yes\n"},
      {"if of a list", "$if items$\nyes\n$end$\n$if none$\nno\n$end$\n", "yes\n"},
      {"if within each", "$each items$\n$if parts$\n$name$\n$end$\n$end$\n", "b\n"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(Expand(row.text, Sample()), row.want);
  }
}

TEST(Expand, FillsAStruct_AsInTheHeader) {
  Values values;
  values.texts["name"] = "Point";
  for (const char* name : {"x", "y"}) {
    Values& field = values.Add("fields");
    field.texts["type"] = "int";
    field.texts["name"] = name;
  }
  EXPECT_EQ(Expand(R"(
struct $name$ {
$each fields$
  $type$ $name${};
$end$
};
)",
                   values),
            R"(
struct Point {
  int x{};
  int y{};
};
)");
}

TEST(ExpandDeathTest, StopsAtMistakesInTheTemplate) {
  EXPECT_DEATH(Expand("$nothing$\n", Sample()), "no such text: \\$nothing\\$");
  EXPECT_DEATH(Expand("$each nothing$\n$end$\n", Sample()), "no such value");
  EXPECT_DEATH(Expand("$each items$\n", Sample()), "no \\$end\\$");
  EXPECT_DEATH(Expand("$end$\n", Sample()), "unexpected \\$end\\$");
  EXPECT_DEATH(Expand("a $ b\n", Sample()), "odd \\$");
}

}  // namespace
}  // namespace kube::codegen
