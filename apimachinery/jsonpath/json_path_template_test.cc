#include "apimachinery/jsonpath/json_path_template.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::jsonpath {
namespace {

namespace metav1 = api::meta::v1;
using base::IsOkAndHolds;
using base::StatusIs;
using unstructured::Value;

constexpr absl::string_view kPods = R"({
  "items": [
    {"metadata": {"name": "a"}, "spec": {"containers": [{"image": "x:1"}, {"image": "y:2"}]},
     "n": 1000000.0},
    {"metadata": {"name": "b"}, "spec": {"containers": [{"image": "z<3"}]}, "n": 7, "on": true},
    null
  ],
  "empty": [],
  "kind": "List"
})";

Value Pods() { return unstructured::ParseJson(kPods).value(); }

std::string Fill(absl::string_view text, const JsonPathTemplateOptions& options = {}) {
  const absl::StatusOr<JsonPathTemplate> parsed = JsonPathTemplate::Parse(text, options);
  if (!parsed.ok()) return std::string(parsed.status().message());
  const absl::StatusOr<std::string> filled = parsed->Execute(Pods());
  return filled.ok() ? *filled : absl::StrCat("error: ", filled.status().message());
}

struct Row {
  const char* text;
  const char* filled;
};

TEST(JsonPathTemplateTest, Fills) {
  for (const Row& row : {
           Row{"", ""},
           Row{"{}", R"({"empty":[],"items":[{"metadata":{"name":"a"},"n":1000000,)"
                     R"("spec":{"containers":[{"image":"x:1"},{"image":"y:2"}]}},)"
                     R"({"metadata":{"name":"b"},"n":7,"on":true,)"
                     R"("spec":{"containers":[{"image":"z\u003c3"}]}},null],"kind":"List"})"},
           Row{"only } text", "only } text"},
           Row{"kind {.kind}, {.items[1].n}!", "kind List, 7!"},
           Row{"{.items[*].metadata.name}", "a b"},
           Row{"{.items[*].n}{.items[*].on}", "1e+06 7true"},
           Row{"{.items[0,1].metadata['name']}", "a b"},
           Row{"{..image}", "x:1 y:2 z<3"},
           Row{"{.items[2]}", "null"},
           Row{"{.items[0].metadata}", R"({"name":"a"})"},
           Row{R"({"a\tb"}{'c\'"'}{5}{1.50}{true})", "a\tbc'\"51.5true"},
           Row{"{.kind 5}", "5"},
           Row{"{.items[?(@.n==7)].metadata.name}", "error: incompatible types for comparison"},
           Row{"{.items[0:2][?(@.on==true)].metadata.name}",
               "error: "
               "map[string]interface {} is not array "
               "or slice and cannot be filtered"},
           Row{"{.kind.*}", "76 105 115 116"},
       }) {
    SCOPED_TRACE(row.text);
    EXPECT_EQ(Fill(row.text), row.filled);
  }
}

TEST(JsonPathTemplateTest, Ranges) {
  for (const Row& row : {
           Row{R"({range .items[0:2]}{.metadata.name}{"\n"}{end}.)", "a\nb\n."},
           Row{"{range .items[:2]}[{range .spec.containers[*]}<{.image}>{end}]{end}{.kind}",
               "[<x:1><y:2>][<z<3>]List"},
           // Without an end, what follows is evaluated once more, outside of the range.
           Row{"{range .items[:2]}x", "xxx"},
           Row{"{range .empty[*]}x{end}{.kind}", "List"},
           Row{"{range .empty[*]}{.name}{end}", "error: name is not found"},
           Row{"{range .items[2]}{@}{end}", "<no value>"},
           Row{"{range .kind}{@}{end}{range .kind}{@}{end}", "ListList"},
           Row{"{range .items[:2]}{range .spec}{range .containers}-{end}={end}+{end}", "-=+-=+"},
           Row{"{end}", "error: not in range, nothing to end"},
           Row{"{range @}{end}{end}", "error: not in range, nothing to end"},
           Row{"{foo}", "error: unrecognized identifier foo"},
           Row{"{range range .items[0:1]}{.metadata.name}{end}", ""},
       }) {
    SCOPED_TRACE(row.text);
    EXPECT_EQ(Fill(row.text), row.filled);
  }
}

TEST(JsonPathTemplateTest, MissingKeys) {
  EXPECT_EQ(Fill("[{.kind.a}{.b}]"), "error: a is not found");
  EXPECT_EQ(Fill("[{.kind.a}{.b}]", {.allow_missing_keys = true}), "[]");
  EXPECT_EQ(Fill("{range .b[*]}{.name}{end}.", {.allow_missing_keys = true}), ".");
  EXPECT_EQ(Fill("{range .items[*]}{.n} {end}", {.allow_missing_keys = true}), "1e+06 7  ");
}

TEST(JsonPathTemplateTest, OutputJson) {
  EXPECT_EQ(Fill("{.items[:2].n}{.empty}{.empty[*]}{.items[0].metadata}", {.output_json = true}),
            "[\n    1000000,\n    7\n]\n"
            "[\n    []\n]\n"
            "[]\n"
            "[\n    {\n        \"name\": \"a\"\n    }\n]\n");
  EXPECT_EQ(Fill("a<{range .items[2]}{@}{end}", {.output_json = true}),
            "[\n    \"a\\u003c\"\n]\n[\n    null\n]\n");
}

TEST(JsonPathTemplateTest, FindResults) {
  const Value pods = Pods();
  const absl::StatusOr<JsonPathTemplate> parsed =
      JsonPathTemplate::Parse("{range .items[:2]}{.metadata.name}{end}-{.empty[*]}");
  ASSERT_THAT(parsed, base::IsOk());
  const auto results = parsed->FindResults(pods);
  ASSERT_THAT(results, base::IsOk());
  ASSERT_EQ(results->size(), 4);
  const std::vector<const Value*> first = {pods["items"].list()->front()["metadata"].Find("name")};
  EXPECT_EQ((*results)[0], first);
  ASSERT_EQ((*results)[2].size(), 1);
  EXPECT_EQ(*(*results)[2][0], Value("-"));
  EXPECT_TRUE((*results)[3].empty());
}

absl::StatusOr<std::string> Lines(const Value& pods) {
  constexpr char kText[] = R"({range .items[*]}{.metadata.name}{"\n"}{end})";
  KUBE_ASSIGN_OR_RETURN(JsonPathTemplate lines,
                        JsonPathTemplate::Parse(kText, {.allow_missing_keys = true}));
  return lines.Execute(pods);
}

TEST(JsonPathTemplateTest, PrintsALineForEachPod_AsInTheHeader) {
  EXPECT_THAT(Lines(Pods()), IsOkAndHolds(std::string("a\nb\n\n")));
  EXPECT_THAT(Lines(Value()), IsOkAndHolds(std::string()));
}

TEST(JsonPathTemplateTest, Typed) {
  metav1::ObjectMeta meta;
  meta.name = "web";
  meta.labels = {{"a", "1"}, {"b", "2"}};
  EXPECT_THAT(JsonPathTemplate::Parse("{.name}: {.labels.*}")->Execute(meta),
              IsOkAndHolds(std::string("web: 1 2")));
}

TEST(JsonPathTemplateTest, Errors) {
  const absl::Status status = JsonPathTemplate::Parse("x{.a\n}").status();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument,
                               "parse template \"x{.a\\n}\": unclosed action"));
  EXPECT_THAT(JsonPathTemplate::Parse("{.a").status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(JsonPathTemplate::Parse("{\xc3\xa9}").status(),
              StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_THAT(JsonPathTemplate::Parse("{.x}")->Execute(Pods()),
              StatusIs(absl::StatusCode::kNotFound));
  std::string deep;
  for (int i = 0; i < 101; ++i) deep += "{range @}";
  EXPECT_THAT(
      JsonPathTemplate::Parse(deep)->Execute(Pods()),
      StatusIs(absl::StatusCode::kResourceExhausted, "ranges are nested more than 100 deep"));
}

}  // namespace
}  // namespace kube::jsonpath
