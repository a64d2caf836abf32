#include "apiserver/openapi/documents.h"

#include <memory>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/custom_kind.h"
#include "apiserver/openapi/testing/sample_kind.h"
#include "apiserver/resources.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using unstructured::EncodeJson;
using unstructured::ParseJson;
using unstructured::Value;

// Adds the names that references in a document have behind `prefix`.
void CollectReferences(const Value& value, absl::string_view prefix, std::set<std::string>& names) {
  if (const Map<Value>* members = value.object(); members != nullptr) {
    for (const auto& [key, member] : *members) {
      absl::string_view text = member.text().value_or("");
      if (key == "$ref" && absl::ConsumePrefix(&text, prefix)) names.emplace(text);
      CollectReferences(member, prefix, names);
    }
  }
  if (const List<Value>* elements = value.list(); elements != nullptr) {
    for (const Value& element : *elements) CollectReferences(element, prefix, names);
  }
}

// Returns the names that a document refers to and does not define.
std::set<std::string> Missing(const Value& document, const Value& definitions,
                              absl::string_view prefix) {
  std::set<std::string> missing;
  CollectReferences(document, prefix, missing);
  for (const auto& [name, schema] : *definitions.object()) missing.erase(std::string(name));
  return missing;
}

Value ParsedDocument(const Resources& resources, const schema::GroupVersion& version) {
  return ParseJson(DocumentOf(resources, version)).value();
}

TEST(DocumentOf, EveryBuiltInGroupVersionDefinesWhatItRefersTo) {
  const Resources resources = Resources::BuiltIn();
  for (const schema::GroupVersion& version : resources.group_versions()) {
    const Value document = ParsedDocument(resources, version);
    EXPECT_EQ(document["openapi"].text(), "3.0.0");
    EXPECT_EQ(document["info"]["title"].text(), "Kubernetes");
    EXPECT_FALSE(document["paths"].object()->empty()) << version;
    EXPECT_THAT(Missing(document, document["components"]["schemas"], "#/components/schemas/"),
                IsEmpty())
        << version;
  }
}

TEST(DocumentOf, IsCanonicalJsonAndTheSameEachTime) {
  const schema::GroupVersion apps = {.group = "apps", .version = "v1"};
  const std::string json = DocumentOf(Resources::BuiltIn(), apps);
  EXPECT_EQ(EncodeJson(ParseJson(json).value()).value(), json);
  EXPECT_EQ(DocumentOf(Resources::BuiltIn(), apps), json);
}

TEST(DocumentOf, SomeTypesOfMetaBelongToTheGroupToo) {
  const Resources resources = Resources::BuiltIn();
  const auto kinds = [&](const schema::GroupVersion& version, absl::string_view type) {
    const Value document = ParsedDocument(resources, version);
    const Value& schema = document["components"]["schemas"]
                                  [absl::StrCat("io.k8s.apimachinery.pkg.apis.meta.v1.", type)];
    return EncodeJson(schema["x-kubernetes-group-version-kind"]).value();
  };
  EXPECT_EQ(kinds({.group = "apps", .version = "v1"}, "DeleteOptions"),
            R"([{"group":"","kind":"DeleteOptions","version":"v1"},)"
            R"({"group":"apps","kind":"DeleteOptions","version":"v1"}])");
  EXPECT_EQ(kinds({.group = "", .version = "v1"}, "WatchEvent"),
            R"([{"group":"","kind":"WatchEvent","version":"v1"}])");
}

TEST(DocumentOf, ACustomGroupVersionHasTheSchemasOfItsDefinitions) {
  const std::shared_ptr<const CustomKind> kind =
      SampleKind(R"({"type":"object","properties":{"spec":{"type":"object"}}})");
  const Resources resources = Resources::With({{.kind = kind}});
  const Value document =
      ParsedDocument(resources, {.group = "stable.example.com", .version = "v1"});
  EXPECT_EQ(document["info"]["title"].text(), "Kubernetes CRD Swagger");
  const Value& schemas = document["components"]["schemas"];
  EXPECT_EQ(EncodeJson(schemas["com.example.stable.v1.CronTab"]["properties"]["spec"]).value(),
            R"({"type":"object"})");
  EXPECT_FALSE(schemas["com.example.stable.v1.CronTabList"].is_null());
  EXPECT_THAT(Missing(document, schemas, "#/components/schemas/"), IsEmpty());
  EXPECT_TRUE(document["paths"]["/apis/stable.example.com/v1/"].is_null());
}

TEST(SwaggerOf, HasAllGroupVersionsAndDefinesWhatItRefersTo) {
  const std::shared_ptr<const CustomKind> kind =
      SampleKind(R"({"type":"object","properties":{"spec":{"type":"object","nullable":true}}})");
  const Value document = ParseJson(SwaggerOf(Resources::With({{.kind = kind}}))).value();
  EXPECT_EQ(document["swagger"].text(), "2.0");
  EXPECT_EQ(document["info"]["title"].text(), "Kubernetes");
  const Value& paths = document["paths"];
  EXPECT_FALSE(paths["/api/v1/namespaces/{namespace}/pods/{name}"].is_null());
  EXPECT_FALSE(paths["/apis/apps/v1/deployments"].is_null());
  EXPECT_FALSE(paths["/apis/stable.example.com/v1/crontabs"].is_null());
  EXPECT_FALSE(paths["/apis/apps/"].is_null());
  EXPECT_TRUE(paths["/apis/stable.example.com/"].is_null());
  const Value& definitions = document["definitions"];
  EXPECT_EQ(
      EncodeJson(definitions["io.k8s.apimachinery.pkg.util.intstr.IntOrString"]["type"]).value(),
      R"("string")");
  EXPECT_EQ(EncodeJson(definitions["com.example.stable.v1.CronTab"]["properties"]["spec"]).value(),
            "{}");
  EXPECT_EQ(definitions["com.example.stable.v1.CronTab"]["properties"]["metadata"]["$ref"].text(),
            "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
  EXPECT_GT(definitions["io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"]
                       ["x-kubernetes-group-version-kind"]
                           .list()
                           ->size(),
            20u);
  EXPECT_THAT(Missing(document, definitions, "#/definitions/"), IsEmpty());
  std::set<std::string> of_v3;
  CollectReferences(document, "#/components/", of_v3);
  EXPECT_THAT(of_v3, IsEmpty());
}

}  // namespace
}  // namespace kube::apiserver::internal
