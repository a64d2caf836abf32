#include "apimachinery/crd_schema/check_object.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::crd_schema {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

CustomResourceDefinition Definition(absl::string_view group = "example.com") {
  CustomResourceDefinition definition = codec::DecodeYaml<CustomResourceDefinition>(R"(
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: string, maxLength: 3}
              count:
                type: integer
                default: 1
                x-kubernetes-validations:
                - {rule: self < 100, message: too many}
                - {rule: self >= oldSelf, message: it does not shrink}
)")
                                            .value();
  definition.spec.group = group;
  return definition;
}

unstructured::Unstructured Object(absl::string_view yaml) {
  return {.object = *unstructured::ParseYaml(yaml).value().object()};
}

// The example of the header.
absl::Status Check(const CustomResourceDefinition& definition,
                   const unstructured::Unstructured& object) {
  KUBE_ASSIGN_OR_RETURN(const CheckedObject checked, CheckObject(definition, object));
  KUBE_RETURN_IF_ERROR(validation::field::ToAggregate(checked.errors));
  return absl::OkStatus();
}

TEST(CheckObject, AValidOneHasItsDefaults) {
  const auto object = Object(
      "{apiVersion: example.com/v1, kind: Widget, metadata: {name: a, namespace: b}, "
      "spec: {size: abc, color: red}}");
  const absl::StatusOr<CheckedObject> checked = CheckObject(Definition(), object);
  ASSERT_THAT(checked, IsOk());
  EXPECT_THAT(checked->errors, IsEmpty());
  EXPECT_THAT(checked->unknown_fields, ElementsAre("unknown field \"spec.color\""));
  const unstructured::Value& spec = *checked->object.object.find("spec");
  EXPECT_EQ(spec["count"].integer(), 1);
  EXPECT_TRUE(spec["color"].is_null());
  EXPECT_THAT(Check(Definition(), object), IsOk());
}

TEST(CheckObject, AnInvalidOneHasErrors) {
  const auto object = Object(
      "{apiVersion: example.com/v1, kind: Widget, metadata: {name: a, namespace: b}, "
      "spec: {size: abcd}}");
  const absl::StatusOr<CheckedObject> checked = CheckObject(Definition(), object);
  ASSERT_THAT(checked, IsOk());
  // Rules are not checked then, and a second error says so.
  EXPECT_THAT(checked->errors, SizeIs(2));
  EXPECT_THAT(Check(Definition(), object),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("spec.size")));
}

unstructured::Unstructured Widget(absl::string_view spec) {
  return Object(absl::StrCat(
      "{apiVersion: example.com/v1, kind: Widget, metadata: {name: a, namespace: b}, spec: ", spec,
      "}"));
}

TEST(CheckObject, Rules) {
  const absl::StatusOr<CheckedObject> checked = CheckObject(Definition(), Widget("{count: 100}"));
  ASSERT_THAT(checked, IsOk());
  ASSERT_THAT(checked->errors, SizeIs(1));
  EXPECT_EQ(checked->errors[0].ToString(), "spec.count: Invalid value: 100: too many");
}

TEST(CheckUpdate, ComparesWithTheOldObject) {
  absl::StatusOr<CheckedObject> checked =
      CheckUpdate(Definition(), Widget("{count: 1}"), Widget("{count: 2}"));
  ASSERT_THAT(checked, IsOk());
  ASSERT_THAT(checked->errors, SizeIs(1));
  EXPECT_EQ(checked->errors[0].ToString(), "spec.count: Invalid value: 1: it does not shrink");
  EXPECT_EQ(checked->object.generation(), 2);
  EXPECT_THAT(CheckUpdate(Definition(), Widget("{count: 2}"), Widget("{count: 2}"))->errors,
              IsEmpty());
}

// The example of the header.
absl::StatusOr<CheckedObject> Update(const CustomResourceDefinition& definition,
                                     const unstructured::Unstructured& object,
                                     const unstructured::Unstructured& stored) {
  KUBE_ASSIGN_OR_RETURN(const CheckedObject checked, CheckUpdate(definition, object, stored));
  return checked;
}

TEST(CheckUpdate, WhatStaysIsAWarning) {
  const absl::StatusOr<CheckedObject> checked =
      Update(Definition(), Widget("{count: 100, size: a}"), Widget("{count: 100, size: b}"));
  ASSERT_THAT(checked, IsOk());
  EXPECT_THAT(checked->errors, IsEmpty());
  EXPECT_THAT(checked->warnings, ElementsAre("spec.count: Invalid value: 100: too many"));
}

TEST(CheckUpdate, OtherVersion) {
  unstructured::Unstructured old = Widget("{count: 1}");
  old.set_api_version("example.com/v0");
  EXPECT_THAT(CheckUpdate(Definition(), Widget("{count: 1}"), old),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("is not \"example.com/v1\"")));
}

TEST(CheckObject, Mistakes) {
  EXPECT_THAT(Check(Definition(), Object("{apiVersion: example.org/v1, kind: Widget}")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "check object: apiVersion \"example.org/v1\" is not of the group "
                       "\"example.com\""));
  EXPECT_THAT(Check(Definition(), Object("{apiVersion: example.com/v2, kind: Widget}")),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("version \"v2\"")));
  EXPECT_THAT(
      Check(Definition(), Object("{apiVersion: example.com/v1, kind: Widget, metadata: 3}")),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("check object: ")));
  EXPECT_THAT(Check(Definition("b"), Object("{apiVersion: b/v1, kind: Widget}")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("definition \"widgets.example.com\": ")));
}

}  // namespace
}  // namespace kube::crd_schema
