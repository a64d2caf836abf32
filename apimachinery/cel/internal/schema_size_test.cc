#include "apimachinery/cel/internal/schema_size.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apimachinery/cel/schema.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

Schema Of(SchemaKind kind, std::optional<int64_t> max_size = std::nullopt) {
  Schema schema;
  schema.kind = kind;
  schema.max_size = max_size;
  return schema;
}

SchemaPtr Shared(Schema schema) { return std::make_shared<const Schema>(std::move(schema)); }

Schema Of(SchemaKind kind, Schema element, std::optional<int64_t> max_size = std::nullopt) {
  Schema schema = Of(kind, max_size);
  schema.element = Shared(std::move(element));
  return schema;
}

// {a: string, b: date-time, a-b: bool, hidden}
Schema Object(std::vector<std::string> required) {
  Schema schema = Of(SchemaKind::kObject);
  schema.properties.emplace("a", Shared(Of(SchemaKind::kString)));
  schema.properties.emplace("b", Shared(Of(SchemaKind::kDateTime)));
  schema.properties.emplace("a-b", Shared(Of(SchemaKind::kBoolean)));
  schema.properties.emplace("hidden", Shared(Of(SchemaKind::kPreserved)));
  schema.required = std::move(required);
  return schema;
}

TEST(SchemaSizeTest, SmallestJson) {
  const struct {
    const char* name;
    Schema schema;
    std::optional<int64_t> size;
  } kTests[] = {
      {"text", Of(SchemaKind::kString), 2},
      {"date", Of(SchemaKind::kDate), 12},
      {"bool", Of(SchemaKind::kBoolean), 4},
      {"int or text", Of(SchemaKind::kIntOrString), 1},
      {"list", Of(SchemaKind::kList, Of(SchemaKind::kDate)), 2},
      {"without a type", Of(SchemaKind::kPreserved), std::nullopt},
      {"list of it", Of(SchemaKind::kList, Of(SchemaKind::kPreserved)), std::nullopt},
      {"object", Object({}), 2},
      {"required members", Object({"a", "b", "a", "hidden", "other"}), 2 + 7 + 26},
      {"required member that has no identifier", Object({"a-b"}), 2 + 11},
  };
  for (const auto& test : kTests) {
    EXPECT_EQ(MinSerializedSize(test.schema), test.size) << test.name;
  }
}

TEST(SchemaSizeTest, Largest) {
  constexpr int64_t kRest = kMaxRequestSize - 2;
  Schema with_enum = Of(SchemaKind::kString);
  with_enum.longest_enum = 5;
  const struct {
    const char* name;
    Schema schema;
    int64_t size;
  } kTests[] = {
      {"text", Of(SchemaKind::kString), kRest},
      {"text with a limit", Of(SchemaKind::kString, 10), 40},
      {"text with an enum", with_enum, 5},
      {"bytes with a limit", Of(SchemaKind::kByte, 10), 10},
      {"negative limit", Of(SchemaKind::kString, -1), 0},
      {"int or text with a limit", Of(SchemaKind::kIntOrString, 3), 12},
      {"duration", Of(SchemaKind::kDuration), 32},
      {"date", Of(SchemaKind::kDate), 12},
      {"int", Of(SchemaKind::kInteger), 0},
      {"object", Object({}), 0},
      {"list", Of(SchemaKind::kList, Of(SchemaKind::kInteger)), kRest / 2},
      {"list with a limit", Of(SchemaKind::kList, Of(SchemaKind::kInteger), 7), 7},
      {"list of objects", Of(SchemaKind::kList, Object({"a"})), kRest / 10},
      {"map", Of(SchemaKind::kMap, Of(SchemaKind::kString)), kRest / 8},
      {"map with a limit", Of(SchemaKind::kMap, Of(SchemaKind::kString), 9), 9},
  };
  for (const auto& test : kTests) EXPECT_EQ(MaxElements(test.schema), test.size) << test.name;
}

TEST(SchemaSizeTest, Members) {
  const Schema object = Object({});
  EXPECT_EQ(FindMember(object, "a"), object.properties.at("a").get());
  EXPECT_EQ(FindMember(object, "a__dash__b"), object.properties.at("a-b").get());
  EXPECT_EQ(FindMember(object, "a-b"), nullptr);
  EXPECT_EQ(FindMember(object, "hidden"), nullptr);
  EXPECT_EQ(FindMember(object, "other"), nullptr);
  EXPECT_EQ(FindMember(Of(SchemaKind::kString), "a"), nullptr);
}

}  // namespace
}  // namespace kube::cel::internal
