#include "envtest/server/schema/pruning.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "envtest/server/schema/structural.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::crd_schema {
namespace {

using api::apiextensions::v1::JSONSchemaProps;
using ::testing::ElementsAre;
using unstructured::Value;

JSONSchemaProps Props(absl::string_view yaml) {
  return codec::DecodeYaml<JSONSchemaProps>(yaml).value();
}

// Of an object with those properties.
std::shared_ptr<const Structural> Make(absl::string_view properties) {
  return Structural::Make(Props(absl::StrCat("{type: object, properties: {", properties, "}}")))
      .value();
}

Map<Value> Object(absl::string_view yaml) {
  return *unstructured::ParseYaml(yaml).value().object();
}

TEST(PruningTest, KeepsMetadataAndWhatIsPreserved) {
  const auto schema = Make(
      "a: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: "
      "object}}}, l: {type: array, items: {type: object}}");
  Map<Value> object =
      Object("{kind: X, metadata: {x: 1}, a: {b: {c: 1}, d: 1}, l: [{e: 1}], z: 1}");
  EXPECT_THAT(Prune(schema.get(), object), ElementsAre("a.b.c", "l[0].e", "z"));
  EXPECT_EQ(object, Object("{kind: X, metadata: {x: 1}, a: {b: {}, d: 1}, l: [{}]}"));
  EXPECT_THAT(Prune(nullptr, object), ElementsAre("a", "l"));
}

TEST(PruningTest, DeepListsWithoutSchema) {
  const auto schema = Make("a: {type: object, additionalProperties: true}");
  Value list = Value(List<Value>::Empty());
  for (int i = 0; i < 900; ++i) list = Value(List<Value>(&list, &list + 1));
  Map<Value> object = {{"a", Map<Value>{{"b", list}}}};
  EXPECT_TRUE(Prune(schema.get(), object).empty());
}

}  // namespace
}  // namespace kube::envtest::crd_schema
