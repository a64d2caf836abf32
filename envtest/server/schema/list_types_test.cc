#include "envtest/server/schema/list_types.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"
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

TEST(ListTypesTest, OneAndOnePointZeroDiffer) {
  const auto schema = Make("s: {type: array, x-kubernetes-list-type: set, items: {type: number}}");
  EXPECT_TRUE(ValidateListTypes(*schema, {{"s", List<Value>{1, 1.0}}}).empty());
  EXPECT_EQ(ValidateListTypes(*schema, {{"s", List<Value>{1, 1, 1}}}).size(), 1U);
}

}  // namespace
}  // namespace kube::envtest::crd_schema
