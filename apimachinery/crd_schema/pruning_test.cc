#include "apimachinery/crd_schema/pruning.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "apimachinery/crd_schema/testing/sample_schema.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::crd_schema {
namespace {

using ::testing::ElementsAre;
using unstructured::Value;

TEST(PruningTest, KeepsMetadataAndWhatIsPreserved) {
  const auto schema = MakeSchema(
      "a: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: "
      "object}}}, l: {type: array, items: {type: object}}");
  Map<Value> object =
      ObjectOf("{kind: X, metadata: {x: 1}, a: {b: {c: 1}, d: 1}, l: [{e: 1}], z: 1}");
  EXPECT_THAT(Prune(schema.get(), object), ElementsAre("a.b.c", "l[0].e", "z"));
  EXPECT_EQ(object, ObjectOf("{kind: X, metadata: {x: 1}, a: {b: {}, d: 1}, l: [{}]}"));
  EXPECT_THAT(Prune(nullptr, object), ElementsAre("a", "l"));
}

TEST(PruningTest, DeepListsWithoutSchema) {
  const auto schema = MakeSchema("a: {type: object, additionalProperties: true}");
  Value list = Value(List<Value>::Empty());
  for (int i = 0; i < 900; ++i) list = Value(List<Value>(&list, &list + 1));
  Map<Value> object = {{"a", Map<Value>{{"b", list}}}};
  EXPECT_TRUE(Prune(schema.get(), object).empty());
}

// Three hundred thousand erasures from the front of a map would take minutes.
TEST(PruningTest, ManyUnknownMembers) {
  const auto schema = MakeSchema("z: {type: string}");
  Map<Value> object = Map<Value>::Empty();
  for (int i = 0; i < 300'000; ++i) object[absl::StrCat("a", 1'000'000 + i)] = i;
  object["z"] = "kept";
  EXPECT_EQ(Prune(schema.get(), object).size(), 300'000u);
  EXPECT_EQ(object, (Map<Value>{{"z", "kept"}}));
}

TEST(PruningTest, ReturnsThePaths_AsInTheHeader) {
  const auto schema = MakeSchema("spec: {type: object, properties: {a: {type: integer}}}");
  Map<Value> object = ObjectOf("{spec: {a: 1, foo: 2}}");
  std::vector<std::string> warnings;
  for (const std::string& path : Prune(schema.get(), object)) {
    warnings.push_back(absl::StrCat("unknown field \"", path, "\""));
  }
  EXPECT_THAT(warnings, ElementsAre("unknown field \"spec.foo\""));
}

}  // namespace
}  // namespace kube::crd_schema
