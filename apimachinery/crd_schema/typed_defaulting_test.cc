#include "apimachinery/crd_schema/typed_defaulting.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/crd_schema/crd_validation.h"
#include "apimachinery/crd_schema/custom_resource.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::crd_schema {
namespace {

namespace corev1 = api::core::v1;
using api::apiextensions::v1::CustomResourceDefinition;
using base::IsOk;
using base::StatusIs;

// A kind whose objects have the members of a ConfigMap.
constexpr absl::string_view kDefinition = R"(
metadata: {name: settings.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: settings, kind: Setting}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          immutable: {type: boolean, default: true}
          data:
            type: object
            default: {}
            properties:
              mode: {type: string, default: fast}
              level: {type: string}
  - name: v2
    served: true
    storage: false
    schema:
      openAPIV3Schema:
        type: object
        properties:
          data: {type: integer, default: 7}
)";

std::shared_ptr<const CustomResource> Rules(absl::string_view version) {
  CustomResourceDefinition definition =
      codec::DecodeYaml<CustomResourceDefinition>(kDefinition).value();
  SetDefaults(definition);
  return CustomResource::Make(definition, version).value();
}

TEST(WithDefaults, MembersThatAreNotSet_GetTheirDefaults) {
  const corev1::ConfigMap object = {.metadata = {.name = "s"}, .data = {{"level", "high"}}};
  const absl::StatusOr<corev1::ConfigMap> filled = WithDefaults(*Rules("v1"), object);
  ASSERT_THAT(filled, IsOk());
  EXPECT_EQ(filled->metadata.name, "s");
  EXPECT_EQ(filled->immutable.value_or(false), true);
  EXPECT_EQ(filled->data, (Map<String>{{"level", "high"}, {"mode", "fast"}}));
}

// The example of the header.
absl::StatusOr<corev1::ConfigMap> Defaulted(const CustomResourceDefinition& definition,
                                            const corev1::ConfigMap& setting) {
  KUBE_ASSIGN_OR_RETURN(const auto rules, CustomResource::Make(definition, "v1"));
  return WithDefaults(*rules, setting);
}

TEST(WithDefaults, OfADefinition_AsInTheHeader) {
  CustomResourceDefinition definition =
      codec::DecodeYaml<CustomResourceDefinition>(kDefinition).value();
  SetDefaults(definition);
  const absl::StatusOr<corev1::ConfigMap> filled = Defaulted(definition, {});
  ASSERT_THAT(filled, IsOk());
  EXPECT_EQ(filled->data, (Map<String>{{"mode", "fast"}}));
}

TEST(WithDefaults, MembersThatAreSet_StayAsTheyAre) {
  corev1::ConfigMap object = {.metadata = {.name = "s"}, .data = {{"mode", "slow"}}};
  object.immutable = false;
  const absl::StatusOr<corev1::ConfigMap> filled = WithDefaults(*Rules("v1"), object);
  ASSERT_THAT(filled, IsOk());
  EXPECT_EQ(*filled, object);
}

TEST(WithDefaults, DefaultsOfDefaults_AreSetToo) {
  const absl::StatusOr<corev1::ConfigMap> filled =
      WithDefaults(*Rules("v1"), corev1::ConfigMap{.metadata = {.name = "s"}});
  ASSERT_THAT(filled, IsOk());
  EXPECT_EQ(filled->data, (Map<String>{{"mode", "fast"}}));
}

TEST(WithDefaults, ADefaultThatDoesNotFitTheType_IsAnError) {
  EXPECT_THAT(WithDefaults(*Rules("v2"), corev1::ConfigMap{.metadata = {.name = "s"}}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::crd_schema
