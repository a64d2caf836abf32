#include "envtest/server/schema/defaulting.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "envtest/server/schema/structural.h"
#include "gtest/gtest.h"

namespace kube::envtest::crd_schema {
namespace {

using api::apiextensions::v1::JSONSchemaProps;
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

TEST(DefaultingTest, Nulls) {
  const auto schema = Make(
      "a: {type: string, default: x}, b: {type: string, default: x, nullable: true}, c: {type: "
      "string}");
  Map<Value> object = Object("{a: null, b: null, c: null}");
  PruneNulls(*schema, object);
  Default(*schema, object);
  EXPECT_EQ(object, Object("{a: x, b: null}"));
}

}  // namespace
}  // namespace kube::envtest::crd_schema
