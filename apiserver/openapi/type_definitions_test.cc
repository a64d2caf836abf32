#include "apiserver/openapi/type_definitions.h"

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace apiextensionsv1 = api::apiextensions::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using unstructured::EncodeJson;
using unstructured::ParseJson;
using unstructured::Value;

// Removes descriptions, which the IDL may change.
void Strip(Value& value) {
  if (Map<Value>* members = value.object(); members != nullptr) {
    const Value* text = members->find("description");
    if (text != nullptr && text->is_string()) members->erase("description");
    for (auto& [key, member] : *members) Strip(member);
  }
  if (List<Value>* elements = value.list(); elements != nullptr) {
    for (Value& element : *elements) Strip(element);
  }
}

Value SchemaOf(const table::Message& message) {
  Value schema = ParseJson(TypeDefinitions::BuiltIn().Of(message).schema).value();
  Strip(schema);
  return schema;
}

std::string PropertyOf(const table::Message& message, absl::string_view name) {
  return EncodeJson(SchemaOf(message)["properties"][name]).value();
}

std::vector<std::string> ReferencesOf(const table::Message& message) {
  std::vector<std::string> names;
  for (const TypeDefinition* each : TypeDefinitions::BuiltIn().Of(message).references) {
    names.push_back(each->name);
  }
  return names;
}

TEST(TypeDefinitions, OfADeploymentAreThoseOfKubernetes) {
  EXPECT_EQ(SchemaOf(appsv1::Deployment::kMessage), ParseJson(R"({
        "type": "object",
        "properties": {
          "apiVersion": {"type": "string"},
          "kind": {"type": "string"},
          "metadata": {"default": {}, "allOf": [
              {"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}]},
          "spec": {"default": {}, "allOf": [
              {"$ref": "#/components/schemas/io.k8s.api.apps.v1.DeploymentSpec"}]},
          "status": {"default": {}, "allOf": [
              {"$ref": "#/components/schemas/io.k8s.api.apps.v1.DeploymentStatus"}]}
        },
        "x-kubernetes-group-version-kind": [
          {"group": "apps", "version": "v1", "kind": "Deployment"}]
      })")
                                                        .value());
  EXPECT_EQ(SchemaOf(appsv1::DeploymentSpec::kMessage), ParseJson(R"({
        "type": "object",
        "properties": {
          "minReadySeconds": {"type": "integer", "format": "int32"},
          "paused": {"type": "boolean"},
          "progressDeadlineSeconds": {"type": "integer", "format": "int32"},
          "replicas": {"type": "integer", "format": "int32"},
          "revisionHistoryLimit": {"type": "integer", "format": "int32"},
          "selector": {
              "$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector"},
          "strategy": {"default": {}, "x-kubernetes-patch-strategy": "retainKeys", "allOf": [
              {"$ref": "#/components/schemas/io.k8s.api.apps.v1.DeploymentStrategy"}]},
          "template": {"default": {}, "allOf": [
              {"$ref": "#/components/schemas/io.k8s.api.core.v1.PodTemplateSpec"}]}
        },
        "required": ["selector", "template"]
      })")
                                                            .value());
  EXPECT_THAT(
      ReferencesOf(appsv1::DeploymentSpec::kMessage),
      ElementsAre("io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector",
                  "io.k8s.api.core.v1.PodTemplateSpec", "io.k8s.api.apps.v1.DeploymentStrategy"));
}

TEST(TypeDefinitions, PropertiesAreThoseOfKubernetes) {
  const struct {
    const char* name;
    const table::Message& message;
    const char* property;
    const char* json;
  } rows[] = {
      {"list map with defaults of keys", corev1::Container::kMessage, "ports",
       R"({"items":{"allOf":[{"$ref":"#/components/schemas/io.k8s.api.core.v1.ContainerPort"}],)"
       R"("default":{}},"type":"array","x-kubernetes-list-map-keys":["containerPort","protocol"],)"
       R"("x-kubernetes-list-type":"map","x-kubernetes-patch-merge-key":"containerPort",)"
       R"("x-kubernetes-patch-strategy":"merge"})"},
      {"always written", corev1::ContainerPort::kMessage, "containerPort",
       R"({"default":0,"format":"int32","type":"integer"})"},
      {"default of the IDL", corev1::ContainerPort::kMessage, "protocol",
       R"({"default":"TCP","enum":["SCTP","TCP","UDP"],"type":"string"})"},
      {"set", metav1::ObjectMeta::kMessage, "finalizers",
       R"({"items":{"default":"","type":"string"},"type":"array","x-kubernetes-list-type":"set",)"
       R"("x-kubernetes-patch-strategy":"merge"})"},
      {"atomic list", corev1::Container::kMessage, "args",
       R"({"items":{"default":"","type":"string"},"type":"array",)"
       R"("x-kubernetes-list-type":"atomic"})"},
      {"map", metav1::ObjectMeta::kMessage, "labels",
       R"({"additionalProperties":{"default":"","type":"string"},"type":"object"})"},
      {"atomic map", corev1::PodSpec::kMessage, "nodeSelector",
       R"({"additionalProperties":{"default":"","type":"string"},"type":"object",)"
       R"("x-kubernetes-map-type":"atomic"})"},
      {"map of quantities", corev1::ResourceRequirements::kMessage, "limits",
       R"({"additionalProperties":{"$ref":"#/components/schemas/)"
       R"(io.k8s.apimachinery.pkg.api.resource.Quantity"},"type":"object"})"},
      {"time", metav1::ObjectMeta::kMessage, "creationTimestamp",
       R"({"$ref":"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time"})"},
      {"int or string", corev1::ServicePort::kMessage, "targetPort",
       R"({"$ref":"#/components/schemas/io.k8s.apimachinery.pkg.util.intstr.IntOrString"})"},
      {"bytes", corev1::Secret::kMessage, "data",
       R"({"additionalProperties":{"format":"byte","type":"string"},"type":"object"})"},
      {"granular override", corev1::PersistentVolumeSpec::kMessage, "claimRef",
       R"({"allOf":[{"$ref":"#/components/schemas/io.k8s.api.core.v1.ObjectReference"}],)"
       R"("x-kubernetes-map-type":"granular"})"},
      {"two patch strategies", corev1::PodSpec::kMessage, "volumes",
       R"({"items":{"allOf":[{"$ref":"#/components/schemas/io.k8s.api.core.v1.Volume"}],)"
       R"("default":{}},"type":"array","x-kubernetes-list-map-keys":["name"],)"
       R"("x-kubernetes-list-type":"map","x-kubernetes-patch-merge-key":"name",)"
       R"("x-kubernetes-patch-strategy":"merge,retainKeys"})"},
      {"list that is a type", metav1::APIResource::kMessage, "verbs",
       R"({"items":{"default":"","type":"string"},"type":"array"})"},
      {"forms of JSON have no default", apiextensionsv1::JSONSchemaProps::kMessage, "items",
       R"({"$ref":"#/components/schemas/io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.)"
       R"(JSONSchemaPropsOrArray"})"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(PropertyOf(row.message, row.property), row.json) << row.name;
  }
}

TEST(TypeDefinitions, ClosedStringTypesAreEnums) {
  const Value property =
      ParseJson(TypeDefinitions::BuiltIn().Of(corev1::Container::kMessage).schema)
          .value()["properties"]["imagePullPolicy"];
  EXPECT_EQ(EncodeJson(property["enum"]).value(), R"(["Always","IfNotPresent","Never"])");
  EXPECT_THAT(std::string(property["description"].text().value_or("")),
              testing::HasSubstr("Possible enum values:\n - `\"Always\"`"));
}

TEST(TypeDefinitions, AtomicStructsAndSeveralFormsOfJson) {
  EXPECT_EQ(SchemaOf(corev1::ObjectReference::kMessage)["x-kubernetes-map-type"].text(), "atomic");
  EXPECT_EQ(EncodeJson(SchemaOf(apiextensionsv1::JSONSchemaPropsOrBool::kMessage)).value(), "{}");
}

TEST(TypeDefinitions, AStructThatHoldsItselfRefersToItself) {
  EXPECT_EQ(PropertyOf(apiextensionsv1::JSONSchemaProps::kMessage, "not"),
            R"({"$ref":"#/components/schemas/)"
            R"(io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps"})");
  EXPECT_THAT(ReferencesOf(apiextensionsv1::JSONSchemaProps::kMessage),
              Not(Contains(testing::EndsWith(".JSONSchemaProps"))));
}

TEST(TypeDefinitions, KindsOfMetaAreOfTheCoreGroup) {
  const std::vector<std::string> kinds = {
      EncodeJson(SchemaOf(metav1::Status::kMessage)["x-kubernetes-group-version-kind"]).value(),
      EncodeJson(SchemaOf(metav1::WatchEvent::kMessage)["x-kubernetes-group-version-kind"])
          .value()};
  EXPECT_THAT(kinds, ElementsAre(R"([{"group":"","kind":"Status","version":"v1"}])",
                                 R"([{"group":"","kind":"WatchEvent","version":"v1"}])"));
  EXPECT_TRUE(SchemaOf(metav1::ObjectMeta::kMessage)["x-kubernetes-group-version-kind"].is_null());
}

TEST(TypeDefinitions, ThatOfAPatchIsAnyObject) {
  EXPECT_EQ(TypeDefinitions::BuiltIn().patch().name, "io.k8s.apimachinery.pkg.apis.meta.v1.Patch");
  EXPECT_THAT(TypeDefinitions::BuiltIn().patch().references, IsEmpty());
}

}  // namespace
}  // namespace kube::apiserver::internal
