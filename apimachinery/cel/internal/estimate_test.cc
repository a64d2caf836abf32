#include "apimachinery/cel/internal/estimate.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/compile.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/cel/type.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

using base::IsOk;

Schema Of(SchemaKind kind, std::optional<int64_t> max_size = std::nullopt) {
  Schema schema;
  schema.kind = kind;
  schema.max_size = max_size;
  return schema;
}

Schema ListOf(Schema element, std::optional<int64_t> max_size) {
  Schema list = Of(SchemaKind::kList, max_size);
  list.element = std::make_shared<const Schema>(std::move(element));
  return list;
}

void Add(const char* name, Schema member, Schema& object) {
  object.properties.emplace(name, std::make_shared<const Schema>(std::move(member)));
}

// {min: int, name: string (10), free: string, numbers: [int] (5), texts: [string (10)] (3),
// rows: [{a: [int] (2), b: int}] (10), labels: {string: string (5)} (4)}
Schema MakeSchema() {
  Schema row = Of(SchemaKind::kObject);
  Add("a", ListOf(Of(SchemaKind::kInteger), 2), row);
  Add("b", Of(SchemaKind::kInteger), row);
  Schema labels = Of(SchemaKind::kMap, 4);
  labels.element = std::make_shared<const Schema>(Of(SchemaKind::kString, 5));
  Schema schema = Of(SchemaKind::kObject);
  Add("min", Of(SchemaKind::kInteger), schema);
  Add("name", Of(SchemaKind::kString, 10), schema);
  Add("free", Of(SchemaKind::kString), schema);
  Add("numbers", ListOf(Of(SchemaKind::kInteger), 5), schema);
  Add("texts", ListOf(Of(SchemaKind::kString, 10), 3), schema);
  Add("rows", ListOf(row, 10), schema);
  Add("labels", labels, schema);
  return schema;
}

uint64_t Cost(absl::string_view expression) {
  const Schema schema = MakeSchema();
  Environment environment;
  const auto types = std::make_shared<const SchemaTypes>(schema, "@self");
  environment.AddVariable("self", types->root());
  environment.SetTypes(types);
  const absl::StatusOr<Ast> ast = Compile(expression, environment);
  EXPECT_THAT(ast, IsOk());
  return ast.ok() ? EstimateCost(*ast, schema) : 0;
}

TEST(EstimateTest, ByTheSizesInTheSchema) {
  const struct {
    const char* expression;
    uint64_t cost;
  } kTests[] = {
      {"true", 0},
      {"self.min > 0", 3},
      {"has(self.name)", 1},
      {"self.name == 'ab'", 3},
      {"self.name.contains('abc')", 6},
      {"self.free.contains(self.free)", uint64_t{98'956'172'329} + 4},
      {"self.numbers.all(x, x > 0)", 28},
      {"self.labels.all(k, self.labels[k] == 'a')", 2 + 1 + 4 * (2 + 6)},
      {"self.texts.max() == 'a'", 18},
      {"[1, 2].all(x, x > 0)", 21},
      {"self.name == '' || self.free.contains(self.free)", uint64_t{98'956'172'329} + 6},
      {"self.min > 0 ? true : self.numbers.all(x, x > 0)", 31},
      {"dyn(self.min) == 1", 3},
      {"self.name + self.name == ''", 4 + 8},
      {"{'a': self.min}['a'] == 1", 30 + 2 + 1},
  };
  for (const auto& test : kTests) EXPECT_EQ(Cost(test.expression), test.cost) << test.expression;
}

// Upstream's paths share memory, so that r.b changes the path of r.a, and the inner loop counts as
// empty.
TEST(EstimateTest, PathsThatShareMemory) {
  EXPECT_EQ(Cost("self.rows.all(r, r.a.exists(x, r.b == x))"), 63u);
}

TEST(EstimateTest, NestedLoopsMultiply) {
  const uint64_t inner = 2 + 1 + 5 * (2 + 1 + 3);
  EXPECT_EQ(Cost("self.numbers.all(x, self.numbers.all(y, x >= y))"), 2 + 1 + 5 * (2 + 1 + inner));
}

}  // namespace
}  // namespace kube::cel::internal
