#include "apiserver/openapi/custom_schema.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/custom_kind.h"
#include "apiserver/openapi/testing/sample_kind.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using unstructured::EncodeJson;
using unstructured::ParseJson;
using unstructured::Value;

constexpr absl::string_view kKinds =
    R"([{"group":"stable.example.com","kind":"CronTab","version":"v1"}])";

// Returns the schema without the extension that names the kind.
std::string SchemaOf(const CustomKind& kind, SpecVersion version) {
  Map<Value> schema = SchemaOfKind(kind, version);
  EXPECT_EQ(EncodeJson(schema["x-kubernetes-group-version-kind"]).value(), kKinds);
  schema.erase("x-kubernetes-group-version-kind");
  return EncodeJson(schema).value();
}

// Fills in $API_VERSION, $KIND and $META, the schemas that every kind gets.
std::string Filled(absl::string_view json) {
  const std::string filled = absl::StrReplaceAll(
      json, {{"$API_VERSION",
              R"({"description":"The group and version that define the kind, such as apps/v1.",)"
              R"("type":"string"})"},
             {"$KIND",
              R"({"description":"The kind of the object, such as Deployment.","type":"string"})"},
             {"$META", R"({"allOf":[{"$ref":"#/components/schemas/)"
                       R"(io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}],"description":)"
                       R"("The name, labels and other metadata that all objects have."})"}});
  return EncodeJson(ParseJson(filled).value()).value();
}

struct Row {
  const char* name;
  const char* property;  // the schema of the property `p`
  const char* v3;
  const char* v2;
};

TEST(SchemaOfKind, Properties) {
  const Row rows[] = {
      {"a scalar with rules",
       R"({"type":"integer","minimum":1,"maximum":9,"description":"How many.","default":3})",
       R"({"type":"integer","minimum":1,"maximum":9,"description":"How many.","default":3})",
       R"({"type":"integer","minimum":1,"maximum":9,"description":"How many.","default":3})"},
      {"lists",
       R"({"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}},)"
       R"("x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"]})",
       R"({"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}},)"
       R"("x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"]})",
       R"({"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}},)"
       R"("x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"]})"},
      {"rules in CEL", R"({"type":"string","x-kubernetes-validations":[{"rule":"self != ''"}]})",
       R"({"type":"string","x-kubernetes-validations":[{"rule":"self != ''"}]})",
       R"({"type":"string","x-kubernetes-validations":[{"rule":"self != ''"}]})"},
      {"what is as good as absent", R"({"type":"object","default":null,"example":null})",
       R"({"type":"object"})", R"({"type":"object"})"},
      {"int or string", R"({"x-kubernetes-int-or-string":true})",
       R"({"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]})",
       R"({"x-kubernetes-int-or-string":true})"},
      {"int or string that says so",
       R"({"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]})",
       R"({"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]})",
       R"({"x-kubernetes-int-or-string":true})"},
      {"int or string with rules",
       R"({"x-kubernetes-int-or-string":true,"anyOf":[{"minimum":1},{"maxLength":2}]})",
       R"({"x-kubernetes-int-or-string":true,"anyOf":[{"minimum":1},{"maxLength":2}],)"
       R"("allOf":[{"anyOf":[{"type":"integer"},{"type":"string"}]}]})",
       R"({"x-kubernetes-int-or-string":true})"},
      {"null", R"({"type":"array","nullable":true,"items":{"type":"string"}})",
       R"({"type":"array","nullable":true,"items":{"type":"string"}})", "{}"},
      {"a required property that may be null",
       R"({"type":"object","required":["a","b"],)"
       R"("properties":{"a":{"type":"string","nullable":true},"b":{"type":"string"}}})",
       R"({"type":"object","required":["a","b"],)"
       R"("properties":{"a":{"type":"string","nullable":true},"b":{"type":"string"}}})",
       R"({"type":"object","required":["b"],"properties":{"a":{},"b":{"type":"string"}}})"},
      {"unknown fields",
       R"({"type":"object","x-kubernetes-preserve-unknown-fields":true,)"
       R"("properties":{"a":{"type":"string"}}})",
       R"({"type":"object","x-kubernetes-preserve-unknown-fields":true,)"
       R"("properties":{"a":{"type":"string"}}})",
       R"({"x-kubernetes-preserve-unknown-fields":true})"},
      {"validation",
       R"({"type":"string","oneOf":[{"pattern":"a"},{"pattern":"b"}],)"
       R"("not":{"pattern":"c"}})",
       R"({"type":"string","oneOf":[{"pattern":"a"},{"pattern":"b"}],"not":{"pattern":"c"}})",
       R"({"type":"string"})"},
      {"an embedded resource",
       R"({"type":"object","x-kubernetes-embedded-resource":true,"required":["kind"],)"
       R"("properties":{"spec":{"type":"string"}}})",
       R"({"type":"object","x-kubernetes-embedded-resource":true,"required":["kind","apiVersion"],)"
       R"("properties":{"spec":{"type":"string"},"apiVersion":$API_VERSION,"kind":$KIND,)"
       R"("metadata":$META}})",
       R"({"type":"object","x-kubernetes-embedded-resource":true,"required":["kind","apiVersion"],)"
       R"("properties":{"spec":{"type":"string"},"apiVersion":$API_VERSION,"kind":$KIND,)"
       R"("metadata":$META}})"},
      {"an embedded resource with unknown fields",
       R"({"type":"object","x-kubernetes-embedded-resource":true,)"
       R"("x-kubernetes-preserve-unknown-fields":true})",
       R"({"type":"object","x-kubernetes-embedded-resource":true,)"
       R"("x-kubernetes-preserve-unknown-fields":true,"required":["kind","apiVersion"],)"
       R"("properties":{"apiVersion":$API_VERSION,"kind":$KIND,"metadata":$META}})",
       R"({"x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true})"},
  };
  for (const Row& row : rows) {
    const std::shared_ptr<const CustomKind> kind =
        SampleKind(absl::StrCat(R"({"type":"object","properties":{"p":)", row.property, "}}"));
    const auto wanted = [](absl::string_view p) {
      return Filled(
          absl::StrCat(R"({"type":"object","properties":{"apiVersion":$API_VERSION,"kind":$KIND,)",
                       R"("metadata":$META,"p":)", p, "}}"));
    };
    EXPECT_EQ(SchemaOf(*kind, SpecVersion::kV3), wanted(row.v3)) << row.name;
    EXPECT_EQ(SchemaOf(*kind, SpecVersion::kV2), wanted(row.v2)) << row.name;
  }
}

TEST(SchemaOfKind, WithoutAStructuralSchemaIsThatOfAnyObject) {
  for (const char* schema : {"", R"({"properties":{"a":{"type":"string"}}})",
                             R"({"type":"object","properties":{"a":{}}})",
                             R"({"type":"object","properties":{"a":{"type":"text"}}})"}) {
    const std::shared_ptr<const CustomKind> kind = SampleKind(schema);
    EXPECT_EQ(SchemaOf(*kind, SpecVersion::kV3), R"({"type":"object"})") << schema;
    EXPECT_EQ(SchemaOf(*kind, SpecVersion::kV2), R"({"type":"object"})") << schema;
  }
}

TEST(SchemaOfKind, OfV2HasNoPropertiesIfOthersAreAllowed) {
  const std::shared_ptr<const CustomKind> open =
      SampleKind(R"({"type":"object","x-kubernetes-preserve-unknown-fields":true})");
  const std::shared_ptr<const CustomKind> old =
      SampleKind(R"({"type":"object"})", {.spec = R"(,"preserveUnknownFields":true)"});
  EXPECT_EQ(SchemaOf(*open, SpecVersion::kV2), R"({"type":"object"})");
  EXPECT_EQ(SchemaOf(*old, SpecVersion::kV2), R"({"type":"object"})");
  EXPECT_NE(SchemaOf(*open, SpecVersion::kV3), R"({"type":"object"})");
  EXPECT_NE(SchemaOf(*old, SpecVersion::kV3), R"({"type":"object"})");
}

TEST(SchemaOfKind, SelectableFieldsAreAnExtension) {
  const std::shared_ptr<const CustomKind> kind =
      SampleKind(R"({"type":"object","properties":{"color":{"type":"string"}}})",
                 {.version = R"(,"selectableFields":[{"jsonPath":".color"}])"});
  for (const Map<Value>& schema : {SchemaOfKind(*kind, SpecVersion::kV3),
                                   SchemaOfKind(*kind, SpecVersion::kV2), SchemaOfList(*kind)}) {
    EXPECT_EQ(EncodeJson(Value(schema)["x-kubernetes-selectable-fields"]).value(),
              R"([{"fieldPath":"color"}])");
  }
}

TEST(SchemaOfList, HasItemsOfTheKind) {
  Map<Value> schema = SchemaOfList(*SampleKind(R"({"type":"object"})"));
  const Value& properties = schema["properties"];
  EXPECT_EQ(properties["items"]["items"]["$ref"].text(),
            "#/components/schemas/com.example.stable.v1.CronTab");
  EXPECT_EQ(EncodeJson(properties["metadata"]["allOf"]).value(),
            R"([{"$ref":"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta"}])");
  EXPECT_EQ(EncodeJson(schema["required"]).value(), R"(["items"])");
  EXPECT_EQ(EncodeJson(schema["x-kubernetes-group-version-kind"]).value(),
            R"([{"group":"stable.example.com","kind":"CronTabList","version":"v1"}])");
}

}  // namespace
}  // namespace kube::apiserver::internal
