#include "apimachinery/cel/internal/equality.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/cel/internal/budget.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

// Returns "true", "false" or the error.
std::string Show(const Value& value) {
  if (value.is_error()) return value.error();
  return value.IsTrue() ? "true" : "false";
}

class EqualityTest : public testing::Test {
 protected:
  std::string Compared(const Value& a, const Value& b) { return Show(Equal(a, b, budget_)); }

  Context context_;
  Budget budget_{context_, 1'000};
};

SchemaPtr ListSchema(ListKind kind, SchemaPtr element, std::vector<std::string> keys = {}) {
  Schema schema;
  schema.kind = SchemaKind::kList;
  schema.list_kind = kind;
  schema.list_keys = std::move(keys);
  schema.element = std::move(element);
  return std::make_shared<const Schema>(std::move(schema));
}

SchemaPtr IntegerSchema() {
  Schema schema;
  schema.kind = SchemaKind::kInteger;
  return std::make_shared<const Schema>(std::move(schema));
}

SchemaPtr PairSchema() {
  Schema schema;
  schema.kind = SchemaKind::kObject;
  schema.properties = {{"k", IntegerSchema()}, {"v", IntegerSchema()}};
  return std::make_shared<const Schema>(std::move(schema));
}

unstructured::Value Json(absl::string_view json) { return unstructured::ParseJson(json).value(); }

TEST_F(EqualityTest, Scalars) {
  const double nan = std::nan("");
  struct Row {
    Value a;
    Value b;
    bool equal;
  };
  for (const Row& row : {
           Row{Value(), Value(), true},
           Row{Value(), Value::FromInt(0), false},
           Row{Value::FromInt(1), Value::FromUint(1), true},
           Row{Value::FromInt(-1), Value::FromUint(std::numeric_limits<uint64_t>::max()), false},
           Row{Value::FromInt(1), Value::FromDouble(1), true},
           Row{Value::FromUint(1), Value::FromDouble(1.5), false},
           Row{Value::FromDouble(nan), Value::FromDouble(nan), false},
           Row{Value::FromInt(1), Value::FromString("1"), false},
           Row{Value::FromString("a"), Value::FromView("a"), true},
           Row{Value::FromString("a"), Value::FromBytes("a"), false},
           Row{Value::FromDuration(1), Value::FromDuration(1), true},
           Row{Value::FromTimestamp({.seconds = 1}),
               Value::FromTimestamp({.seconds = 1, .offset_seconds = 60}), true},
           Row{Value::FromType(IntType()), Value::FromType(IntType()), true},
           Row{Value::FromType(IntType()), Value::FromType(UintType()), false},
           Row{Value::None(), Value::None(), true},
           Row{Value::Optional(Value::FromInt(1)), Value::Optional(Value::FromUint(1)), true},
           Row{Value::Optional(Value::FromInt(1)), Value::None(), false},
           Row{Value::None(), Value::FromInt(1), false},
       }) {
    EXPECT_EQ(Compared(row.a, row.b), row.equal ? "true" : "false");
  }
}

TEST_F(EqualityTest, ListsAndMapsWithoutASchema) {
  const unstructured::Value a = Json(R"({"x": [1, null, {"y": 2}], "z": null})");
  const unstructured::Value b = Json(R"({"x": [1.0, null, {"y": 2}], "z": null})");
  const unstructured::Value c = Json(R"({"x": [1, null, {"y": 3}], "z": null})");
  EXPECT_EQ(Compared(ToValue(a), ToValue(b)), "true");
  EXPECT_EQ(Compared(ToValue(a), ToValue(c)), "false");
  EXPECT_EQ(Compared(ToValue(a), Value::FromInt(1)), "false");
  EXPECT_EQ(Compared(ToValue(a), MapBuilder().Build()), "false");
}

TEST_F(EqualityTest, ListsOfObjectsAreComparedByTheirKind) {
  const unstructured::Value a = Json("[1, 2, 3]");
  const unstructured::Value b = Json("[3, 1, 2]");
  const unstructured::Value c = Json("[3, 1, 4]");
  const SchemaPtr atomic = ListSchema(ListKind::kAtomic, IntegerSchema());
  const SchemaPtr set = ListSchema(ListKind::kSet, IntegerSchema());
  EXPECT_EQ(Compared(ToValue(a, *atomic), ToValue(b, *atomic)), "false");
  EXPECT_EQ(Compared(ToValue(a, *set), ToValue(b, *set)), "true");
  EXPECT_EQ(Compared(ToValue(a, *set), ToValue(c, *set)), "false");
  EXPECT_EQ(Compared(ToValue(a, *set), Value::FromInt(1)), "no such overload");
  const SchemaPtr map = ListSchema(ListKind::kMap, PairSchema(), {"k"});
  const unstructured::Value x = Json(R"([{"k": 1, "v": 1}, {"k": 2, "v": 2}])");
  const unstructured::Value y = Json(R"([{"k": 2, "v": 2}, {"k": 1, "v": 1}])");
  const unstructured::Value z = Json(R"([{"k": 2, "v": 2}, {"k": 1, "v": 3}])");
  EXPECT_EQ(Compared(ToValue(x, *map), ToValue(y, *map)), "true");
  EXPECT_EQ(Compared(ToValue(x, *map), ToValue(z, *map)), "false");
}

TEST_F(EqualityTest, UnknownMembersAreCompared) {
  const SchemaPtr schema = PairSchema();
  const unstructured::Value a = Json(R"({"k": 1, "other": {"x": 1}})");
  const unstructured::Value b = Json(R"({"k": 1, "other": {"x": 2}})");
  EXPECT_EQ(Compared(ToValue(a, *schema), ToValue(a, *schema)), "true");
  EXPECT_EQ(Compared(ToValue(a, *schema), ToValue(b, *schema)), "false");
  EXPECT_EQ(Compared(ToValue(a, *schema), Value::FromInt(1)), "no such overload");
  EXPECT_EQ(Compared(ToValue(a, *schema), ToValue(a)), "no such overload");
  EXPECT_EQ(Compared(ToValue(a), ToValue(a, *schema)), "false");
}

TEST_F(EqualityTest, MembersOfListsWithKeys) {
  Schema names;
  names.kind = SchemaKind::kObject;
  Schema text;
  text.kind = SchemaKind::kString;
  names.properties = {{"namespace", std::make_shared<const Schema>(text)}};
  const SchemaPtr map =
      ListSchema(ListKind::kMap, std::make_shared<const Schema>(std::move(names)), {"namespace"});
  const unstructured::Value two = Json(R"([{"namespace": "a"}, {"namespace": "b"}])");
  const unstructured::Value one = Json(R"([{"namespace": "a"}])");
  EXPECT_EQ(Compared(ToValue(one, *map), ToValue(one, *map)), "true");
  // As upstream, which does not find keys whose identifiers are not their names.
  EXPECT_EQ(Compared(ToValue(two, *map), ToValue(two, *map)), "false");
  const unstructured::Value null = Json("[null]");
  EXPECT_EQ(Compared(ToValue(null, *map), ToValue(null, *map)), "false");
}

TEST_F(EqualityTest, PreservedMembers) {
  Schema schema;
  schema.kind = SchemaKind::kObject;
  schema.properties = {
      {"any", std::make_shared<const Schema>(Schema{.kind = SchemaKind::kPreserved})}};
  const unstructured::Value a = Json(R"({"any": {"x": 1}})");
  const unstructured::Value b = Json(R"({"any": {"x": 1.0}})");
  EXPECT_EQ(Compared(ToValue(a, schema), ToValue(a, schema)), "true");
  EXPECT_EQ(Compared(ToValue(a, schema), ToValue(b, schema)), "false");
  EXPECT_EQ(Compared(ToValue(a, schema), ToValue(a)), "true");
  EXPECT_EQ(Compared(ToValue(a), ToValue(a, schema)), "false");
  const SchemaPtr list = ListSchema(ListKind::kAtomic, schema.properties["any"]);
  const unstructured::Value null = Json("[null]");
  EXPECT_EQ(Compared(ToValue(null, *list), ToValue(null, *list)),
            "invalid data, got null for schema with nullable=false");
}

TEST_F(EqualityTest, SetsOfObjectsEndTheEvaluation) {
  const unstructured::Value json = Json(R"([{"k": 1}])");
  const SchemaPtr set = ListSchema(ListKind::kSet, PairSchema());
  Compared(ToValue(json, *set), ToValue(json, *set));
  EXPECT_TRUE(budget_.failed());
}

TEST_F(EqualityTest, Order) {
  struct Row {
    Value a;
    Value b;
    const char* order;
  };
  for (const Row& row : {
           Row{Value::FromInt(1), Value::FromDouble(1.5), "-1"},
           Row{Value::FromUint(2), Value::FromInt(-1), "1"},
           Row{Value::FromDouble(1e300), Value::FromInt(1), "1"},
           Row{Value::FromString("a"), Value::FromString("b"), "-1"},
           Row{Value::FromBool(false), Value::FromBool(true), "-1"},
           Row{Value::FromBytes("b"), Value::FromBytes("a"), "1"},
           Row{Value::FromDuration(1), Value::FromDuration(1), "0"},
           Row{Value::FromDouble(std::nan("")), Value::FromInt(1), "NaN values cannot be ordered"},
           Row{Value::FromString("a"), Value::FromInt(1), "no such overload"},
           Row{Value(), Value(), "no such overload"},
       }) {
    const Value order = CompareValues(row.a, row.b);
    EXPECT_EQ(order.is_error() ? order.error() : std::to_string(order.integer()), row.order);
  }
}

TEST_F(EqualityTest, Contains) {
  const unstructured::Value json = Json(R"({"a": [1, "x", null]})");
  const Value map = ToValue(json);
  const Value list = *map.map().Find(Value::FromView("a"));
  EXPECT_EQ(Show(internal::Contains(map, Value::FromView("a"), budget_)), "true");
  EXPECT_EQ(Show(internal::Contains(map, Value::FromView("b"), budget_)), "false");
  EXPECT_EQ(Show(internal::Contains(list, Value::FromDouble(1), budget_)), "true");
  EXPECT_EQ(Show(internal::Contains(list, Value(), budget_)), "true");
  EXPECT_EQ(Show(internal::Contains(list, Value::FromBool(true), budget_)), "false");
}

TEST_F(EqualityTest, DeepValuesAreAnError) {
  std::string text(2'000, '[');
  text += std::string(2'000, ']');
  const unstructured::Value deep = Json(text);
  EXPECT_EQ(Compared(ToValue(deep), ToValue(deep)), "value is nested too deeply");
}

}  // namespace
}  // namespace kube::cel::internal
