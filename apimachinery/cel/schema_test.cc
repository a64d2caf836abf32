#include "apimachinery/cel/schema.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/cel/internal/objects/object_values.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::cel {
namespace {

SchemaPtr Of(SchemaKind kind, bool nullable = false) {
  Schema schema;
  schema.kind = kind;
  schema.nullable = nullable;
  return std::make_shared<const Schema>(std::move(schema));
}

SchemaPtr ListOf(SchemaPtr element, ListKind kind = ListKind::kAtomic,
                 std::vector<std::string> keys = {}) {
  Schema schema;
  schema.kind = SchemaKind::kList;
  schema.element = std::move(element);
  schema.list_kind = kind;
  schema.list_keys = std::move(keys);
  return std::make_shared<const Schema>(std::move(schema));
}

SchemaPtr MapOf(SchemaPtr element) {
  Schema schema;
  schema.kind = SchemaKind::kMap;
  schema.element = std::move(element);
  return std::make_shared<const Schema>(std::move(schema));
}

SchemaPtr ObjectOf(std::map<std::string, SchemaPtr, std::less<>> properties) {
  Schema schema;
  schema.kind = SchemaKind::kObject;
  schema.properties = std::move(properties);
  return std::make_shared<const Schema>(std::move(schema));
}

unstructured::Value Json(absl::string_view json) { return unstructured::ParseJson(json).value(); }

TEST(SchemaTest, Scalars) {
  struct Row {
    SchemaKind kind;
    const char* json;
    ValueKind value;
  };
  for (const Row& row : {
           Row{SchemaKind::kAny, "1.0", ValueKind::kDouble},
           Row{SchemaKind::kAny, "null", ValueKind::kNull},
           Row{SchemaKind::kIntOrString, "1", ValueKind::kInt},
           Row{SchemaKind::kIntOrString, "\"1\"", ValueKind::kString},
           Row{SchemaKind::kIntOrString, "1.5", ValueKind::kError},
           Row{SchemaKind::kString, "\"a\"", ValueKind::kString},
           Row{SchemaKind::kString, "1", ValueKind::kError},
           Row{SchemaKind::kByte, "\"aGk_\"", ValueKind::kBytes},
           Row{SchemaKind::kByte, "\"aGk/\"", ValueKind::kError},
           Row{SchemaKind::kDuration, "\"5m\"", ValueKind::kDuration},
           Row{SchemaKind::kDuration, "\"soon\"", ValueKind::kError},
           Row{SchemaKind::kDate, "\"2026-01-02\"", ValueKind::kTimestamp},
           Row{SchemaKind::kDateTime, "\"2026-01-02T03:04:05Z\"", ValueKind::kTimestamp},
           Row{SchemaKind::kDateTime, "\"2026-01-02\"", ValueKind::kError},
           Row{SchemaKind::kInteger, "1", ValueKind::kInt},
           Row{SchemaKind::kInteger, "1.0", ValueKind::kError},
           Row{SchemaKind::kNumber, "1", ValueKind::kDouble},
           Row{SchemaKind::kNumber, "1.5", ValueKind::kDouble},
           Row{SchemaKind::kNumber, "\"1\"", ValueKind::kError},
           Row{SchemaKind::kBoolean, "true", ValueKind::kBool},
           Row{SchemaKind::kBoolean, "null", ValueKind::kError},
           Row{SchemaKind::kObject, "[]", ValueKind::kError},
           Row{SchemaKind::kObject, "{}", ValueKind::kMap},
           Row{SchemaKind::kList, "[]", ValueKind::kError},
       }) {
    const unstructured::Value json = Json(row.json);
    const SchemaPtr schema = Of(row.kind);
    EXPECT_EQ(ToValue(json, *schema).kind(), row.value) << row.json;
  }
  const unstructured::Value null;
  const SchemaPtr nullable = Of(SchemaKind::kString, /*nullable=*/true);
  EXPECT_TRUE(ToValue(null, *nullable).is_null());
  const SchemaPtr strict = Of(SchemaKind::kString);
  EXPECT_EQ(ToValue(null, *strict).error(),
            "invalid data, got null for schema with nullable=false");
  const unstructured::Value number = Json("1.5");
  EXPECT_EQ(ToValue(number, *strict).error(), "invalid data, expected string, got float64");
}

TEST(SchemaTest, ObjectsShowWhatIsDeclared) {
  const unstructured::Value json =
      Json(R"({"a-b": 1, "namespace": "x", "null": null, "unknown": 2, "$": 3, "blob": {"x": 1}})");
  const SchemaPtr schema = ObjectOf({{"a-b", Of(SchemaKind::kInteger)},
                                     {"namespace", Of(SchemaKind::kString)},
                                     {"null", Of(SchemaKind::kString, true)},
                                     {"absent", Of(SchemaKind::kString)},
                                     {"$", Of(SchemaKind::kInteger)},
                                     {"blob", Of(SchemaKind::kPreserved)}});
  const Value value = ToValue(json, *schema);
  const MapValue& map = value.map();
  EXPECT_TRUE(map.has_schema());
  EXPECT_EQ(map.size(), 6u);
  EXPECT_EQ(map.Find(Value::FromView("a__dash__b"))->integer(), 1);
  EXPECT_EQ(map.Find(Value::FromView("__namespace__"))->text(), "x");
  EXPECT_EQ(map.Find(Value::FromView("__null__")), std::nullopt);
  EXPECT_EQ(map.Find(Value::FromView("absent")), std::nullopt);
  EXPECT_EQ(map.Find(Value::FromView("unknown")), std::nullopt);
  EXPECT_EQ(map.Find(Value::FromInt(1))->error(), "no such overload");
  std::vector<std::string> keys;
  for (const Value& key : map.Keys()) keys.emplace_back(key.text());
  EXPECT_EQ(keys,
            (std::vector<std::string>{"$", "a__dash__b", "blob", "__namespace__", "__null__"}));
}

TEST(SchemaTest, MapsAndLists) {
  const unstructured::Value json = Json(R"({"m": {"a-b": 1, "c": null}, "l": [1, 2.5]})");
  const SchemaPtr schema =
      ObjectOf({{"m", MapOf(Of(SchemaKind::kInteger))},
                {"l", ListOf(Of(SchemaKind::kNumber), ListKind::kMap, {"a-b"})}});
  const Value value = ToValue(json, *schema);
  const Value map = *value.map().Find(Value::FromView("m"));
  EXPECT_EQ(map.map().Find(Value::FromView("a-b"))->integer(), 1);
  EXPECT_TRUE(map.map().Find(Value::FromView("c"))->is_error());
  EXPECT_EQ(map.map().Keys()[0].text(), "a-b");
  const Value list = *value.map().Find(Value::FromView("l"));
  EXPECT_EQ(list.list().size(), 2u);
  EXPECT_EQ(list.list().At(0).number(), 1.0);
  EXPECT_EQ(list.list().list_kind(), ListKind::kMap);
  EXPECT_EQ(list.list().keys(), std::vector<std::string>{"a__dash__b"});
}

TEST(SchemaTest, WithoutASchema) {
  const unstructured::Value json = Json(R"({"a-b": [1, 1.0, {"c": null}]})");
  const Value value = ToValue(json);
  const Value list = *value.map().Find(Value::FromView("a-b"));
  EXPECT_TRUE(list.list().At(0).is_int());
  EXPECT_EQ(list.list().At(1).kind(), ValueKind::kDouble);
  EXPECT_TRUE(list.list().At(2).map().Find(Value::FromView("c"))->is_null());
  EXPECT_FALSE(list.list().has_schema());
  EXPECT_EQ(value.map().Find(Value::FromInt(1)), std::nullopt);
}

TEST(SchemaTest, TypesForTheChecker) {
  const SchemaPtr schema = ObjectOf(
      {{"a-b", Of(SchemaKind::kByte)},
       {"namespace", Of(SchemaKind::kString)},
       {"spec", ObjectOf({{"ports", ListOf(ObjectOf({{"port", Of(SchemaKind::kIntOrString)}}))},
                          {"labels", MapOf(Of(SchemaKind::kDateTime))}})},
       {"hidden", Of(SchemaKind::kPreserved)},
       {"hiddenList", ListOf(Of(SchemaKind::kPreserved))}});
  const SchemaTypes types(*schema, "root");
  EXPECT_EQ(FormatType(*types.root()), "root");
  struct Row {
    const char* name;
    const char* field;
    const char* type;
  };
  for (const Row& row : {
           Row{"root", "a__dash__b", "bytes"},
           Row{"root", "spec", "root.spec"},
           Row{"root.spec", "ports", "list(root.spec.ports.@idx)"},
           Row{"root.spec.ports.@idx", "port", "dyn"},
           Row{"root.spec", "labels", "map(string, timestamp)"},
           Row{"root", "__namespace__", "string"},
           Row{"root", "namespace", "string"},
           Row{"root", "package", ""},
           Row{"root", "a-b", ""},
           Row{"root", "hidden", ""},
           Row{"root", "hiddenList", ""},
           Row{"other", "spec", ""},
       }) {
    const TypePtr type = types.FindField(row.name, row.field);
    EXPECT_EQ(type == nullptr ? "" : FormatType(*type), row.type) << row.name << "." << row.field;
  }
  EXPECT_TRUE(types.HasStruct("root.spec"));
  EXPECT_FALSE(types.HasStruct("spec"));
  const SchemaTypes invisible(*Of(SchemaKind::kPreserved), "root");
  EXPECT_EQ(invisible.root(), nullptr);
}

TEST(SchemaTest, WhatExpressionsCanSee) {
  EXPECT_TRUE(IsVisible(*Of(SchemaKind::kString)));
  EXPECT_TRUE(IsVisible(*Of(SchemaKind::kAny)));
  EXPECT_FALSE(IsVisible(*Of(SchemaKind::kPreserved)));
  EXPECT_FALSE(IsVisible(*ListOf(nullptr)));
  EXPECT_TRUE(IsVisible(*ListOf(MapOf(Of(SchemaKind::kInteger)))));
  EXPECT_FALSE(IsVisible(*ListOf(MapOf(Of(SchemaKind::kPreserved)))));
  EXPECT_TRUE(IsVisible(*ObjectOf({{"a", Of(SchemaKind::kPreserved)}})));
}

}  // namespace
}  // namespace kube::cel
