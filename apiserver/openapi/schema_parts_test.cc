#include "apiserver/openapi/schema_parts.h"

#include <string>
#include <utility>
#include <vector>

#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using unstructured::EncodeJson;
using unstructured::Value;

TEST(WithReference, StandsAloneOrInAnAllOf) {
  EXPECT_EQ(EncodeJson(WithReference({}, "a.B")).value(), R"({"$ref":"#/components/schemas/a.B"})");
  Map<Value> schema;
  schema["default"] = Map<Value>::Empty();
  EXPECT_EQ(EncodeJson(WithReference(schema, "a.B")).value(),
            R"({"allOf":[{"$ref":"#/components/schemas/a.B"}],"default":{}})");
}

TEST(ForEachPart, VisitsItemsPropertiesAndValues) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> rows = {
      {R"({"type":"string"})", {}},
      {R"({"items":{"type":"a"}})", {"a"}},
      {R"({"additionalProperties":{"type":"a"}})", {"a"}},
      {R"({"additionalProperties":true})", {}},
      {R"({"properties":{"items":{"type":"a"},"x":{"type":"b"}}})", {"a", "b"}},
      {R"({"allOf":[{"type":"a"}]})", {}},
  };
  for (const auto& [json, wanted] : rows) {
    Value schema = unstructured::ParseJson(json).value();
    std::vector<std::string> types;
    ForEachPart(*schema.object(), [&types](Map<Value>& part) {
      types.emplace_back(Value(part)["type"].text().value_or(""));
    });
    EXPECT_EQ(types, wanted) << json;
  }
}

}  // namespace
}  // namespace kube::apiserver::internal
