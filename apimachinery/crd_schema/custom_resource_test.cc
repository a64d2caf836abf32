#include "apimachinery/crd_schema/custom_resource.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/crd_schema/crd_validation.h"
#include "apimachinery/unstructured/testing/at.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::crd_schema {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using ::kube::base::StatusIs;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using unstructured::Unstructured;
using unstructured::Value;

constexpr absl::string_view kDefinition = R"(
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {plural: crontabs, kind: CronTab}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [image]
            properties:
              image: {type: string, maxLength: 20}
              replicas: {type: integer, maximum: 10, default: 1}
              ports:
                type: array
                items: {type: integer}
                x-kubernetes-list-type: set
              template:
                type: object
                x-kubernetes-embedded-resource: true
                x-kubernetes-preserve-unknown-fields: true
          status:
            type: object
            x-kubernetes-validations: [{rule: "self.replicas >= 0"}]
            properties:
              replicas: {type: integer, minimum: 0}
)";

CustomResourceDefinition Definition() {
  CustomResourceDefinition definition =
      codec::DecodeYaml<CustomResourceDefinition>(kDefinition).value();
  SetDefaults(definition);
  return definition;
}

Unstructured Object(absl::string_view yaml) {
  Value value = unstructured::ParseYaml(yaml).value();
  At(value, {"apiVersion"}) = "stable.example.com/v1";
  At(value, {"kind"}) = "CronTab";
  At(value, {"metadata", "name"}) = "cron";
  At(value, {"metadata", "namespace"}) = "default";
  return {.object = *value.object()};
}

std::vector<std::string> Texts(const validation::field::ErrorList& errors) {
  std::vector<std::string> texts;
  for (const auto& error : errors) texts.push_back(error.ToString());
  return texts;
}

class CustomResourceTest : public ::testing::Test {
 protected:
  const std::shared_ptr<const CustomResource> rules_ =
      CustomResource::Make(Definition(), "v1").value();
};

TEST_F(CustomResourceTest, TheDefinitionIsValid) {
  EXPECT_THAT(Texts(ValidateDefinition(Definition())), IsEmpty());
  EXPECT_THAT(CustomResource::Make(Definition(), "v2"), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_TRUE(rules_->has_rules());
  EXPECT_TRUE(rules_->has_status());
}

TEST_F(CustomResourceTest, DecodesPrunesAndDefaults) {
  Unstructured object = Object("{metadata: {color: red}, spec: {image: a, foo: 1, ports: null}}");
  const absl::StatusOr<std::vector<std::string>> unknown = rules_->Decode(object);
  ASSERT_TRUE(unknown.ok()) << unknown.status();
  EXPECT_THAT(*unknown,
              ElementsAre("unknown field \"metadata.color\"", "unknown field \"spec.foo\""));
  EXPECT_EQ(*object.object.find("spec"),
            Value(unstructured::ParseYaml("{image: a, replicas: 1}").value()));
}

TEST_F(CustomResourceTest, RefusesMalformedMetadata) {
  Unstructured object = Object("{spec: {image: a, template: {kind: 1}}}");
  EXPECT_THAT(rules_->Decode(object), StatusIs(absl::StatusCode::kInvalidArgument));
  Unstructured stored = Object("{spec: {image: a, template: {kind: 1}}}");
  EXPECT_TRUE(rules_->Read(stored).ok());
  EXPECT_EQ(stored.generation(), 1);
  EXPECT_EQ(stored.object.find("spec")->Find("template")->Find("kind"), nullptr);
}

TEST_F(CustomResourceTest, ErrorsOfAnObject) {
  EXPECT_THAT(
      Texts(rules_->Validate(Object("{spec: {replicas: 11, ports: [1, 1]}}"))),
      ElementsAre(
          "spec.replicas: Invalid value: 11: spec.replicas in body should be less than or equal to "
          "10",
          "spec.image: Required value", "spec.ports[1]: Duplicate value: 1",
          "<nil>: Invalid value: null: some validation rules were not checked because the object "
          "was invalid; correct the existing errors to complete validation"));
  EXPECT_THAT(Texts(rules_->Validate(Object("{spec: {image: a}}"))), IsEmpty());
}

TEST_F(CustomResourceTest, UpdatesForgiveWhatStays) {
  const Unstructured old =
      Object("{metadata: {resourceVersion: '1'}, spec: {image: a, replicas: 11}}");
  const Unstructured same =
      Object("{metadata: {resourceVersion: '1'}, spec: {image: b, replicas: 11}}");
  EXPECT_THAT(Texts(rules_->ValidateUpdate(same, old).errors), IsEmpty());
  const Unstructured worse =
      Object("{metadata: {resourceVersion: '1'}, spec: {image: b, replicas: 12}}");
  EXPECT_EQ(rules_->ValidateUpdate(worse, old).errors.size(), 1U);
}

TEST_F(CustomResourceTest, RulesThatAreBroken) {
  const std::string text = "status: Invalid value: failed rule: self.replicas >= 0";
  const Unstructured bad =
      Object("{metadata: {resourceVersion: '1'}, spec: {image: a}, status: {replicas: -1}}");
  EXPECT_THAT(Texts(rules_->Validate(bad)), Contains(text));
  // An update of something else may keep what is wrong.
  const Unstructured other =
      Object("{metadata: {resourceVersion: '1'}, spec: {image: b}, status: {replicas: -1}}");
  const UpdateFindings kept = rules_->ValidateUpdate(other, bad);
  EXPECT_THAT(Texts(kept.errors), Not(Contains(text)));
  EXPECT_THAT(kept.warnings, ElementsAre(text));
  // An object that is invalid anyway is not evaluated.
  const Unstructured odd = Object("{spec: {image: 1}, status: {replicas: -1}}");
  EXPECT_THAT(Texts(rules_->Validate(odd)), Not(Contains(text)));
}

TEST_F(CustomResourceTest, TheStatusIsApart) {
  Unstructured created = Object("{spec: {image: a}, status: {replicas: 1}}");
  rules_->PrepareForCreate(created);
  EXPECT_EQ(created.object.find("status"), nullptr);
  EXPECT_EQ(created.generation(), 1);

  Unstructured updated = Object("{spec: {image: b}, status: {replicas: 1}}");
  rules_->PrepareForUpdate(updated, created);
  EXPECT_EQ(updated.object.find("status"), nullptr);
  EXPECT_EQ(updated.generation(), 2);

  Unstructured status = Object("{spec: {image: c}, status: {replicas: -1}}");
  rules_->PrepareForStatusUpdate(status, created);
  EXPECT_EQ(*status.object.find("spec"), *created.object.find("spec"));
  EXPECT_THAT(Texts(rules_->ValidateStatusUpdate(status, created).errors),
              ElementsAre("metadata.resourceVersion: Invalid value: \"\": must be specified for an "
                          "update",
                          "status.replicas: Invalid value: -1: replicas in body should be greater "
                          "than or equal to 0",
                          ".status.replicas: Invalid value: -1: should be a non-negative integer",
                          "status: Invalid value: failed rule: self.replicas >= 0"));
}

// As for fieldValidation=Strict.
absl::StatusOr<validation::field::ErrorList> Admit(const CustomResourceDefinition& definition,
                                                   Unstructured& object) {
  KUBE_ASSIGN_OR_RETURN(const auto rules, CustomResource::Make(definition, "v1"));
  KUBE_ASSIGN_OR_RETURN(const std::vector<std::string> unknown, rules->Decode(object));
  if (!unknown.empty()) return absl::InvalidArgumentError(unknown[0]);  // `unknown field "foo"`
  rules->PrepareForCreate(object);
  return rules->Validate(object);  // a 422 if it is not empty
}

TEST_F(CustomResourceTest, AdmitsObjects_AsInTheHeader) {
  Unstructured good = Object("{spec: {image: a}}");
  EXPECT_THAT(Admit(Definition(), good), kube::base::IsOkAndHolds(IsEmpty()));
  EXPECT_EQ(good.generation(), 1);
  Unstructured bad = Object("{spec: {}}");
  EXPECT_THAT(Admit(Definition(), bad), kube::base::IsOkAndHolds(Not(IsEmpty())));
  Unstructured odd = Object("{spec: {image: a, foo: 1}}");
  EXPECT_THAT(Admit(Definition(), odd),
              StatusIs(absl::StatusCode::kInvalidArgument, "unknown field \"spec.foo\""));
}

}  // namespace
}  // namespace kube::crd_schema
