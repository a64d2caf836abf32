#include "apimachinery/crd_schema/defaulting.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "apimachinery/crd_schema/testing/sample_schema.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"

namespace kube::crd_schema {
namespace {

using unstructured::Value;

TEST(DefaultingTest, Nulls) {
  const auto schema = MakeSchema(
      "a: {type: string, default: x}, b: {type: string, default: x, nullable: true}, c: {type: "
      "string}");
  Map<Value> object = ObjectOf("{a: null, b: null, c: null}");
  PruneNulls(*schema, object);
  Default(*schema, object);
  EXPECT_EQ(object, ObjectOf("{a: x, b: null}"));
}

// Three hundred thousand erasures from the front of a map would take minutes.
TEST(DefaultingTest, ManyNulls) {
  const auto schema = MakeSchema("a: {type: object, additionalProperties: {type: string}}");
  Map<Value> nulls = Map<Value>::Empty();
  for (int i = 0; i < 300'000; ++i) nulls[absl::StrCat("a", 1'000'000 + i)] = nullptr;
  nulls["z"] = "kept";
  Map<Value> object = {{"a", std::move(nulls)}};
  PruneNulls(*schema, object);
  EXPECT_EQ(object, (Map<Value>{{"a", Map<Value>{{"z", "kept"}}}}));
}

}  // namespace
}  // namespace kube::crd_schema
