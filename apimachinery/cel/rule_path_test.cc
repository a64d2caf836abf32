#include "apimachinery/cel/rule_path.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/validation/field_path.h"
#include "gtest/gtest.h"

namespace kube::cel {
namespace {

using base::IsOk;
using base::StatusIs;
using validation::field::Path;

SchemaPtr Text() { return std::make_shared<const Schema>(Schema{.kind = SchemaKind::kString}); }

// An object with a: {b-c: string}, and m: a map of strings.
Schema MakeSchema() {
  Schema inner;
  inner.kind = SchemaKind::kObject;
  inner.properties.emplace("b-c", Text());
  Schema map;
  map.kind = SchemaKind::kMap;
  map.element = Text();
  Schema schema;
  schema.kind = SchemaKind::kObject;
  schema.properties.emplace("a", std::make_shared<const Schema>(std::move(inner)));
  schema.properties.emplace("m", std::make_shared<const Schema>(std::move(map)));
  return schema;
}

TEST(RulePathTest, Paths) {
  const struct {
    const char* path;
    const char* text;
  } kTests[] = {
      {".a", "a"},
      {".a.b-c", "a.b-c"},
      {".a['b-c']", "a.b-c"},
      {"['a']['b-c']", "a.b-c"},
      {".m['x.y']", "m[x.y]"},
      {R"(.m['it\'s'])", "m[it's]"},
      {".m.x", "m[x]"},
  };
  const Schema schema = MakeSchema();
  for (const auto& test : kTests) {
    const absl::StatusOr<Path> path = ParseRulePath(test.path, schema);
    ASSERT_THAT(path, IsOk()) << test.path;
    EXPECT_EQ(path->ToString(), test.text);
  }
}

TEST(RulePathTest, Defects) {
  const struct {
    const char* path;
    const char* message;
  } kTests[] = {
      {"a", "expected [ or . but got: a"},
      {".x", "does not refer to a valid field"},
      {".a.b-c.d", "does not refer to a valid field"},
      {".", "unexpected end of JSON path"},
      {".a[", "unexpected end of JSON path"},
      {".a[b]", "expected single quoted string but got b"},
      {".a['b-c'", "unexpected end of JSON path"},
      {".a['b-c'.", "expected ] but got ."},
      {R"(.m['\x'])", "invalid string literal: invalid escape char \\x"},
  };
  const Schema schema = MakeSchema();
  for (const auto& test : kTests) {
    EXPECT_THAT(ParseRulePath(test.path, schema),
                StatusIs(absl::StatusCode::kInvalidArgument, test.message))
        << test.path;
  }
}

}  // namespace
}  // namespace kube::cel
