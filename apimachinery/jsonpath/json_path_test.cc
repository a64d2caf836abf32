#include "apimachinery/jsonpath/json_path.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::jsonpath {
namespace {

namespace metav1 = api::meta::v1;
using base::StatusIs;
using unstructured::Value;

constexpr absl::string_view kObject = R"({
  "spec": {"replicas": 3, "ratio": 1.5, "paused": false, "none": null, "empty": []},
  "metadata": {"name": "web", "labels": {"app.io/name": "a", "tier": "front", "a b": "c"}},
  "status": {"conditions": [
    {"type": "Available", "status": "True", "n": 1},
    {"type": "Ready", "status": "False", "n": 2},
    {"type": "Old", "n": 3, "extra": {"x": 1}}
  ]},
  "matrix": [[1, 2], [3]]
})";

// Each result as JSON, with ";" behind it; or the status.
std::string Show(const absl::StatusOr<std::vector<const Value*>>& found) {
  if (!found.ok()) return std::string(found.status().message());
  std::string text;
  for (const Value* value : *found) {
    absl::StrAppend(&text, unstructured::EncodeJson(*value).value(), ";");
  }
  return text;
}

std::string Follow(absl::string_view path, const JsonPathOptions& options = {}) {
  const absl::StatusOr<JsonPath> parsed = JsonPath::Parse(path, options);
  if (!parsed.ok()) return std::string(parsed.status().message());
  const Value object = unstructured::ParseJson(kObject).value();
  return Show(parsed->Find(object));
}

TEST(JsonPathTest, Paths) {
  struct Row {
    const char* path;
    const char* found;
  };
  for (const Row& row : {
           Row{".spec.replicas", "3;"},
           Row{"{.spec.replicas}", "3;"},
           Row{"$.spec.replicas", "3;"},
           Row{"{ $.spec.replicas }", "3;"},
           Row{".spec.none", "null;"},
           Row{".metadata.labels.app\\.io/name", "\"a\";"},
           Row{".metadata.labels['app\\.io/name']", "\"a\";"},
           Row{".metadata.labels.a\\ b", "\"c\";"},
           Row{"['metadata']['name']", "\"web\";"},
           Row{"['metadata.name']", "\"web\";"},
           Row{".metadata.labels.*", "\"c\";\"a\";\"front\";"},
           Row{".status.conditions[0].type", "\"Available\";"},
           Row{".status.conditions[-1].type", "\"Old\";"},
           Row{".status.conditions[*].n", "1;2;3;"},
           Row{".status.conditions.*.n", "1;2;3;"},
           Row{".status.conditions[1:].n", "2;3;"},
           Row{".status.conditions[:-1].n", "1;2;"},
           Row{".status.conditions[::2].n", "1;3;"},
           Row{".status.conditions[0:3:9223372036854775807].n", "1;"},
           Row{".status.conditions[1:1]", ""},
           Row{".status.conditions[].n", "1;"},
           Row{".spec.empty[*]", ""},
           Row{".matrix[*][*]", "1;2;3;"},
           Row{".metadata.labels['tier','app\\.io/name']", "\"front\";\"a\";"},
           Row{".status.conditions[0, 2,-1].n", "1;3;3;"},
           Row{".status.conditions[0:2,2].n", "1;2;3;"},
           Row{"['spec','status']['replicas','missing']", "missing is not found"},
           Row{"['spec','metadata']['ratio','name']", "1.5;\"web\";"},
           Row{"..n", "1;2;3;"},
           Row{".status..type", "\"Available\";\"Ready\";\"Old\";"},
           Row{"..['name']", "\"web\";"},
           Row{"..extra..x", "1;"},
           Row{".matrix..", "[[1,2],[3]];[1,2];[3];"},
           Row{".spec.none..", ""},
           Row{"..[0]", "map[string]interface {} is not array or slice"},
           Row{".metadata.name.*", "119;101;98;"},
           Row{".metadata.name..", "\"web\";"},
           Row{R"(.status.conditions[?(@.type=="Ready")].status)", "\"False\";"},
           Row{R"(.status.conditions[?(@.type == 'Ready')].n)", "2;"},
           Row{R"(.status.conditions[?(@.type!="Ready")].n)", "1;3;"},
           Row{".status.conditions[?(@.n>=2)].n", "2;3;"},
           Row{".status.conditions[?(@.n<2)].n", "1;"},
           Row{".status.conditions[?(@.extra)].n", "3;"},
           Row{".status.conditions[?(@.extra.x==1)].n", "extra is not found"},
       }) {
    SCOPED_TRACE(row.path);
    EXPECT_EQ(Follow(row.path), row.found);
  }
  EXPECT_EQ(Follow(".status.conditions[?(@.extra.x==1)].n", {.allow_missing_keys = true}), "3;");
}

absl::StatusOr<std::string> Readiness(const Value& object) {
  KUBE_ASSIGN_OR_RETURN(JsonPath ready,
                        JsonPath::Parse(R"(.status.conditions[?(@.type=="Ready")].status)"));
  KUBE_ASSIGN_OR_RETURN(std::vector<const Value*> found, ready.Find(object));
  if (found.empty()) return "Unknown";
  return Print(*found.front());
}

TEST(JsonPathTest, FindsTheStatusOfACondition_AsInTheHeader) {
  EXPECT_THAT(Readiness(*unstructured::ParseJson(kObject)), base::IsOkAndHolds("False"));
  EXPECT_THAT(Readiness(*unstructured::ParseJson(R"({"status":{"conditions":[]}})")),
              base::IsOkAndHolds("Unknown"));
  EXPECT_THAT(Readiness(*unstructured::ParseJson("{}")), StatusIs(absl::StatusCode::kNotFound));
}

TEST(JsonPathTest, ErrorsOfFollowing) {
  struct Row {
    const char* path;
    const char* error;
    const char* lenient;  // where members may be missing
  };
  for (const Row& row : {
           Row{".spec.missing", "missing is not found", ""},
           Row{".spec.missing.deeper", "missing is not found", ""},
           Row{".spec.replicas.deeper", "deeper is not found", ""},
           Row{".status.conditions[3]", "array index out of bounds: index 3, length 3",
               "array index out of bounds: index 3, length 3"},
           Row{".status.conditions[-4]", "array index out of bounds: index -1, length 3",
               "array index out of bounds: index -1, length 3"},
           Row{".status.conditions[0:4]", "array index out of bounds: index 3, length 3",
               "array index out of bounds: index 3, length 3"},
           Row{".status.conditions[2:1]", "starting index 2 is greater than ending index 1",
               "starting index 2 is greater than ending index 1"},
           Row{".status.conditions[::0]", "step must be > 0", "step must be > 0"},
           Row{".spec[0]", "map[string]interface {} is not array or slice",
               "map[string]interface {} is not array or slice"},
           Row{".metadata.name[?(@.a)]", "string is not array or slice and cannot be filtered",
               "string is not array or slice and cannot be filtered"},
           Row{".status.conditions[?(@.n==1.0)]", "incompatible types for comparison",
               "incompatible types for comparison"},
           Row{".status.conditions[?(@.n=1)]",
               "unrecognized filter operator =", "unrecognized filter operator ="},
           Row{".matrix[?(@[*]==1)]", "can only compare one element at a time",
               "can only compare one element at a time"},
           Row{".spec.none[0]", "", ""},
           Row{".spec[0,1]", "map[string]interface {} is not array or slice",
               "map[string]interface {} is not array or slice"},
           Row{".metadata.name.*[0]", "uint8 is not array or slice", "uint8 is not array or slice"},
       }) {
    SCOPED_TRACE(row.path);
    EXPECT_EQ(Follow(row.path), row.error);
    EXPECT_EQ(Follow(row.path, {.allow_missing_keys = true}), row.lenient);
  }
  const Value object = unstructured::ParseJson(kObject).value();
  EXPECT_THAT(JsonPath::Parse(".x")->Find(object), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(JsonPath::Parse(".matrix[9]")->Find(object), StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_THAT(JsonPath::Parse(".spec[9]")->Find(object),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(JsonPathTest, ErrorsOfParsing) {
  constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;
  constexpr absl::StatusCode kUnimplemented = absl::StatusCode::kUnimplemented;
  struct Row {
    const char* path;
    absl::StatusCode code;
    const char* message;
  };
  for (const Row& row : {
           Row{"{.a", kInvalid, "unclosed action"},
           Row{".a\n", kInvalid, "unclosed action"},
           Row{".a[0", kInvalid, "unterminated array"},
           Row{".a[x]", kInvalid, "invalid array index x"},
           Row{".a[-]", kInvalid, "array index - is not a number"},
           Row{".a[?(@.b]", kInvalid, "unterminated filter"},
           Row{".a[?(@.b)", kInvalid, "unclosed array expect ]"},
           Row{".a[?(@.b==\"x)]", kInvalid, "unterminated filter"},
           Row{".a[?(@.b==1.2.3)]", kInvalid, "cannot parse number 1.2.3"},
           Row{".a[?(@.b==\"\\q\")]", kInvalid, "unquote string \"\\q\" error invalid syntax"},
           Row{".a]", kInvalid, "unrecognized character in action: U+005D ']'"},
           Row{"..a....b", kInvalid, "invalid multiple recursive descent"},
           Row{"..*", kInvalid, "unrecognized character in action: U+002A '*'"},
           Row{".a['b,c']", kInvalid, "invalid array index 'b"},
           Row{".a[?(range)]", kUnimplemented, "\"range\" is not supported"},
           Row{".a['b 5','c']", kUnimplemented, "a constant outside of a filter is not supported"},
           Row{"range .a", kUnimplemented, "\"range\" is not supported"},
           Row{"{.a}{.b}", kUnimplemented, "text outside of the braces is not supported"},
           Row{"\"x\"", kUnimplemented, "a constant outside of a filter is not supported"},
           Row{".a 5", kUnimplemented, "a constant outside of a filter is not supported"},
           Row{"{.a} ", kUnimplemented, "text outside of the braces is not supported"},
       }) {
    SCOPED_TRACE(row.path);
    const absl::Status status = JsonPath::Parse(row.path).status();
    EXPECT_EQ(status.code(), row.code);
    EXPECT_TRUE(absl::EndsWith(status.message(), absl::StrCat("\": ", row.message)))
        << status.message();
  }
  EXPECT_EQ(JsonPath::Parse(".a[").status().message(), "parse path \".a[\": unterminated array");
}

// Each of these doubles the values: without a limit they would fill all memory.
TEST(JsonPathTest, LimitsTheNumberOfValues) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "[0,0]";
  Value object = 1;
  for (int i = 0; i < 60; ++i) object = List<Value>{Value(std::move(object))};
  EXPECT_THAT(JsonPath::Parse(text)->Find(object),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       "the path leads to more than 20000000 values"));
}

// Deep objects need no stack.
TEST(JsonPathTest, DescendsIntoDeepObjects) {
  std::string json;
  for (int i = 0; i < 9'000; ++i) json += '[';
  json.append(9'000, ']');
  const Value object = unstructured::ParseJson(json).value();
  // The innermost list is empty.
  EXPECT_EQ(JsonPath::Parse("..")->Find(object)->size(), 8'999);
}

TEST(JsonPathTest, Escapes) {
  const Value object = {List<Value>{Map<Value>{{"k", "a\"b'\\\n\xc3\xa9\xf0\x9f\x98\x80z"}}}};
  for (absl::string_view literal :
       {R"("a\"b'\\\n\u00e9\U0001F600\172")", R"('a"b\'\\\n\xc3\xa9😀z')"}) {
    const absl::StatusOr<JsonPath> path = JsonPath::Parse(absl::StrCat("[?(@.k==", literal, ")]"));
    ASSERT_THAT(path, base::IsOk());
    EXPECT_EQ(path->Find(object)->size(), 1) << literal;
  }
  for (absl::string_view bad : {R"("\'")", R"("\u12")", R"("\ud800")", R"("\400")", R"("\xg0")",
                                R"("\U00110000")", R"("\8")"}) {
    EXPECT_THAT(JsonPath::Parse(absl::StrCat("[?(@.k==", bad, ")]")),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << bad;
  }
}

TEST(JsonPathTest, Typed) {
  const metav1::ObjectMeta meta =
      codec::DecodeJson<metav1::ObjectMeta>(
          R"({"name": "web", "generation": 0, "labels": {"app.io/x": "1", "empty": ""},
              "creationTimestamp": "2026-01-02T03:04:05Z",
              "ownerReferences": [{"apiVersion": "v1", "kind": "A", "name": "a", "uid": "1"},
                                  {"apiVersion": "v1", "kind": "B", "name": "b", "uid": "2",
                                   "controller": true}]})")
          .value();
  struct Row {
    const char* path;
    const char* found;
  };
  for (const Row& row : {
           Row{".name", "\"web\";"},
           Row{".creationTimestamp", "\"2026-01-02T03:04:05Z\";"},
           Row{".labels.app\\.io/x", "\"1\";"},
           Row{".labels.empty", "\"\";"},
           Row{".labels.other", "other is not found"},
           Row{".generation", "generation is not found"},
           Row{".namespace", "namespace is not found"},
           Row{".deletionTimestamp", "deletionTimestamp is not found"},
           Row{".noSuchMember", "noSuchMember is not found"},
           Row{".ownerReferences[-1].name", "\"b\";"},
           Row{".ownerReferences[?(@.controller==true)].kind", "controller is not found"},
           Row{".ownerReferences[?(@.controller)].kind", "\"B\";"},
       }) {
    SCOPED_TRACE(row.path);
    const absl::StatusOr<std::vector<Value>> found = JsonPath::Parse(row.path)->Find(meta);
    std::string text;
    if (found.ok()) {
      for (const Value& value : *found) {
        absl::StrAppend(&text, unstructured::EncodeJson(value).value(), ";");
      }
    } else {
      text = std::string(found.status().message());
    }
    EXPECT_EQ(text, row.found);
  }
  EXPECT_EQ(JsonPath::Parse("")->Find(meta)->size(), 1);
}

// Members of structs that are empty, and of such that are not: as in their JSON.
TEST(JsonPathTest, TypedIsAsItsJson) {
  const metav1::Status empty;
  const metav1::Status full =
      codec::DecodeJson<metav1::Status>(
          R"({"metadata": {"resourceVersion": "0", "remainingItemCount": 0}, "status": "Failure",
              "message": "", "reason": "Gone", "code": 410,
              "details": {"name": "0", "causes": [{"field": "a"}], "retryAfterSeconds": 0}})")
          .value();
  int found_some = 0;
  for (const metav1::Status* status : {&empty, &full}) {
    const Value json = unstructured::ToValue(*status).value();
    const codec::ValueView view = codec::View(*status);
    std::vector<std::string> paths = {".details.causes[0].field",
                                      ".details.retryAfterSeconds",
                                      ".details.name",
                                      ".metadata.resourceVersion",
                                      ".details.kind",
                                      ".metadata.remainingItemCount",
                                      ".metadata.continue"};
    for (size_t i = 0; i < view.size(); ++i)
      paths.push_back(absl::StrCat(".", view.member_name(i)));
    for (const std::string& text : paths) {
      SCOPED_TRACE(text);
      const JsonPath path = JsonPath::Parse(text, {.allow_missing_keys = true}).value();
      const std::vector<Value> typed = path.Find(*status).value();
      std::vector<Value> untyped;
      const std::vector<const Value*> found = path.Find(json).value();
      for (const Value* value : found) untyped.push_back(*value);
      EXPECT_EQ(typed, untyped);
      found_some += typed.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(found_some, 8);
}

TEST(JsonPathTest, Print) {
  struct Row {
    Value value;
    const char* printed;
  };
  for (const Row& row : {
           Row{"a\"b", "a\"b"},
           Row{3, "3"},
           Row{1.5, "1.5"},
           Row{1e6, "1e+06"},
           Row{true, "true"},
           Row{nullptr, "null"},
           Row{List<Value>{1, "<"}, "[1,\"\\u003c\"]"},
           Row{Map<Value>{{"b", 1e6}, {"a", nullptr}}, "{\"a\":null,\"b\":1000000}"},
       }) {
    EXPECT_EQ(Print(row.value).value(), row.printed);
  }
}

}  // namespace
}  // namespace kube::jsonpath
