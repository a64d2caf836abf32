#include "apimachinery/cel/internal/objects/go_key.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/cel/internal/budget.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

unstructured::Value Json(absl::string_view json) { return unstructured::ParseJson(json).value(); }

SchemaPtr SetOf(SchemaKind kind) {
  Schema schema;
  schema.kind = SchemaKind::kList;
  schema.list_kind = ListKind::kSet;
  schema.element = std::make_shared<const Schema>(Schema{.kind = kind, .nullable = true});
  return std::make_shared<const Schema>(std::move(schema));
}

TEST(GoKeyTest, AtTheLeftAsInJsonAndAtTheRightAsExpressionsSeeIt) {
  struct Row {
    SchemaKind kind;
    const char* json;
    bool found;
  };
  const Context context;
  for (const Row& row : {
           Row{SchemaKind::kString, R"(["a"])", true},
           Row{SchemaKind::kInteger, "[1]", true},
           Row{SchemaKind::kBoolean, "[true]", true},
           Row{SchemaKind::kNumber, "[1.5]", true},
           Row{SchemaKind::kNumber, "[1]", false},
           Row{SchemaKind::kDate, R"(["2020-01-02"])", false},
           Row{SchemaKind::kDuration, R"(["1h"])", false},
           Row{SchemaKind::kString, "[null]", false},
           Row{SchemaKind::kString, "[1]", false},
       }) {
    const unstructured::Value json = Json(row.json);
    const SchemaPtr schema = SetOf(row.kind);
    const Value list = ToValue(json, *schema);
    Budget budget(context, 10);
    const GoKey stored = StoredSetKey(list.list(), 0, budget);
    EXPECT_TRUE(stored.has_value()) << row.json;
    EXPECT_EQ(stored == SetKey(list.list().At(0), budget), row.found) << row.json;
    EXPECT_FALSE(budget.stopped()) << row.json;
  }
}

TEST(GoKeyTest, ListsAndObjectsCannotBeHashed) {
  const Context context;
  for (const auto& [json, type] : std::vector<std::pair<const char*, std::string>>{
           {"[[]]", "[]interface {}"}, {"[{}]", "map[string]interface {}"}}) {
    const unstructured::Value value = Json(json);
    Budget budget(context, 10);
    StoredSetKey(ToValue(value).list(), 0, budget);
    EXPECT_TRUE(budget.failed());
    const std::string error = "internal error: runtime error: hash of unhashable type " + type;
    EXPECT_EQ(budget.StopError().error(), error);
    Budget other(context, 10);
    SetKey(ToValue(value).list().At(0), other);
    EXPECT_EQ(other.StopError().error(), error);
  }
  Budget budget(context, 10);
  SetKey(Value::FromBytes("a"), budget);
  EXPECT_EQ(budget.StopError().error(),
            "internal error: runtime error: hash of unhashable type []uint8");
}

TEST(GoKeyTest, MembersOfElements) {
  const Context context;
  Budget budget(context, 10);
  const auto key = [&](const char* json, const std::vector<std::string>& keys) {
    const unstructured::Value value = Json(json);
    return ListMapKey(ToValue(value), keys, budget);
  };
  EXPECT_EQ(key(R"({"a": 1, "b": 2})", {"a"}), key(R"({"a": 1, "b": 3})", {"a"}));
  EXPECT_NE(key(R"({"a": 1})", {"a"}), key(R"({"a": 1.0})", {"a"}));
  EXPECT_EQ(key(R"({"a": null})", {"a"}), key("{}", {"a"}));
  EXPECT_NE(key(R"({"a": "x", "b": "y"})", {"a", "b"}), key(R"({"a": "y", "b": "x"})", {"a", "b"}));
  EXPECT_EQ(key(R"({"a": "x y"})", {"a", "b", "c", "d"}), "[x y <nil> <nil> <nil>]");
  EXPECT_EQ(key("null", {"a"}), std::nullopt);
  EXPECT_FALSE(budget.stopped());
  key(R"({"a": []})", {"a"});
  EXPECT_TRUE(budget.failed());
}

}  // namespace
}  // namespace kube::cel::internal
