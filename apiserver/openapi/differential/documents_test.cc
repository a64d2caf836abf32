// Go is the judge of OpenAPI documents: the libraries with which clients read them, what Kubernetes
// publishes, and apiextensions-apiserver, which makes those of custom resources.

#include "apiserver/openapi/documents.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/crd_schema/crd_validation.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/custom_kind.h"
#include "apiserver/openapi/gnostic.h"
#include "apiserver/resources.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"
#include "tests/oracle/oracle.h"

namespace kube::apiserver::internal {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using oracle::GoCases;
using unstructured::Value;

constexpr char kOracle[] = "openapi_oracle";

// Everything that a structural schema can have.
constexpr char kThings[] = R"({
  "metadata": {"name": "things.a.example.com"},
  "spec": {
    "group": "a.example.com", "scope": "Namespaced", "names": {"plural": "things", "kind": "Thing"},
    "versions": [
      {"name": "v1", "served": true, "storage": true,
       "subresources": {"status": {}, "scale": {
         "specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n",
         "labelSelectorPath": ".status.selector"}},
       "selectableFields": [{"jsonPath": ".spec.color"}, {"jsonPath": ".spec.n"}],
       "schema": {"openAPIV3Schema": {
         "type": "object", "description": "A thing.", "required": ["spec"],
         "properties": {
           "apiVersion": {"type": "string", "description": "Mine."},
           "kind": {"type": "string"}, "metadata": {"type": "object"},
           "spec": {"type": "object", "description": "What it is.", "required": ["name", "n"],
            "properties": {
             "name": {"type": "string", "title": "Name", "minLength": 1, "maxLength": 63,
               "pattern": "^[a-z]+$"},
             "n": {"type": "integer", "format": "int32", "minimum": 0, "maximum": 10,
               "exclusiveMaximum": true, "multipleOf": 2, "default": 2},
             "color": {"type": "string", "description": "Its color.", "enum": ["red", "blue"],
               "default": "red"},
             "port": {"x-kubernetes-int-or-string": true,
               "anyOf": [{"type": "integer"}, {"type": "string"}]},
             "bare": {"x-kubernetes-int-or-string": true, "default": 8080},
             "both": {"x-kubernetes-int-or-string": true, "pattern": "^[0-9]+$", "allOf": [
               {"anyOf": [{"type": "integer"}, {"type": "string"}]}, {"maxLength": 5}]},
             "any": {"type": "object", "x-kubernetes-preserve-unknown-fields": true,
               "properties": {"a": {"type": "string"}}},
             "anything": {"x-kubernetes-preserve-unknown-fields": true},
             "nothing": {"type": "string", "nullable": true, "default": "a"},
             "maybe": {"type": "object", "nullable": true, "properties": {
               "a": {"type": "string"}}},
             "map": {"type": "object", "minProperties": 1, "maxProperties": 3,
               "additionalProperties": {"type": "array", "items": {
                 "type": "number", "format": "double"}}},
             "open": {"type": "object", "additionalProperties": true},
             "atomic": {"type": "object", "x-kubernetes-map-type": "atomic", "properties": {
               "a": {"type": "boolean", "default": false}}},
             "set": {"type": "array", "x-kubernetes-list-type": "set", "maxItems": 9,
               "items": {"type": "string"}},
             "list": {"type": "array", "x-kubernetes-list-type": "map",
               "x-kubernetes-list-map-keys": ["k", "l"],
               "items": {"type": "object", "required": ["k", "l"], "properties": {
                 "k": {"type": "string"}, "l": {"type": "integer"},
                 "v": {"type": "object", "default": {"a": [1]}, "properties": {
                   "a": {"type": "array", "minItems": 1, "items": {
                     "type": "integer", "format": "int64"}}}}}}},
             "template": {"type": "object", "x-kubernetes-embedded-resource": true,
               "x-kubernetes-preserve-unknown-fields": true},
             "resource": {"type": "object", "x-kubernetes-embedded-resource": true,
               "required": ["spec"], "properties": {
                 "spec": {"type": "object", "properties": {"a": {"type": "boolean"}}}}},
             "one": {"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
               "not": {"required": ["c"]}, "properties": {
                 "a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"}}},
             "rule": {"type": "string", "maxLength": 9, "x-kubernetes-validations": [
               {"rule": "self != ''", "message": "must not be empty"}]},
             "when": {"type": "string", "format": "date-time"},
             "bytes": {"type": "string", "format": "byte"}
           }},
           "status": {"type": "object", "properties": {
             "n": {"type": "integer"}, "selector": {"type": "string"}}}
         }}}},
      {"name": "v2", "served": true, "storage": false,
       "schema": {"openAPIV3Schema": {
         "type": "object", "x-kubernetes-preserve-unknown-fields": true}}},
      {"name": "v3", "served": true, "storage": false,
       "schema": {"openAPIV3Schema": {"type": "object"}}},
      {"name": "v4", "served": false, "storage": false,
       "schema": {"openAPIV3Schema": {"type": "object"}}}]}})";

// In the same group as the things.
constexpr char kPlaces[] = R"({
  "metadata": {"name": "places.a.example.com"},
  "spec": {
    "group": "a.example.com", "scope": "Cluster",
    "names": {"plural": "places", "kind": "Place", "listKind": "Places"},
    "versions": [{"name": "v1", "served": true, "storage": true,
      "schema": {"openAPIV3Schema": {"type": "object", "properties": {
        "spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}}}]}})";

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// Returns the path of a new file.
std::string WriteFile(absl::string_view name, absl::string_view text) {
  std::string path = absl::StrCat(testing::TempDir(), "/", name);
  std::ofstream file(path, std::ios::binary);
  file << std::string(text);
  EXPECT_TRUE(file.good()) << path;
  return path;
}

std::string Question(const Map<Value>& files) { return unstructured::EncodeJson(files).value(); }

// Writes a document in both encodings, and asks whether Go can read them.
Map<Value> AddReadV3(const std::string& name, const std::string& json, GoCases& cases) {
  const std::string protobuf = EncodeGnosticV3(unstructured::ParseJson(json).value());
  Map<Value> files = {{"json", WriteFile(absl::StrCat(name, ".json"), json)},
                      {"protobuf", WriteFile(absl::StrCat(name, ".pb"), protobuf)}};
  cases.Add("read_v3", Question(files), "");
  return files;
}

Map<Value> AddReadV2(const std::string& name, const std::string& json, GoCases& cases) {
  const std::string protobuf = EncodeGnosticV2(unstructured::ParseJson(json).value());
  Map<Value> files = {{"json", WriteFile(absl::StrCat(name, ".json"), json)},
                      {"protobuf", WriteFile(absl::StrCat(name, ".pb"), protobuf)}};
  cases.Add("read_v2", Question(files), "");
  return files;
}

// Returns the name of a file in api/openapi-spec/v3, without its end.
std::string NameOf(const schema::GroupVersion& version) {
  return version.group.empty() ? absl::StrCat("api__", version.version)
                               : absl::StrCat("apis__", version.group, "__", version.version);
}

TEST(OpenApiGoTest, DocumentsOfBuiltInKindsAreThoseThatKubernetesPublishes) {
  const absl::StatusOr<std::string> folder =
      oracle::FindData("kubernetes_openapi_spec", "openapi-spec");
  if (oracle::PrintSkipped(folder.status())) GTEST_SKIP();
  ASSERT_TRUE(folder.ok()) << folder.status();
  const Resources resources = Resources::BuiltIn();
  GoCases cases(kOracle);
  for (const schema::GroupVersion& version : resources.group_versions()) {
    const std::string name = NameOf(version);
    Map<Value> files = AddReadV3(name, DocumentOf(resources, version), cases);
    files["published"] = absl::StrCat(*folder, "/v3/", name, "_openapi.json");
    cases.Add("published_v3", Question(files), "");
  }
  Map<Value> files = AddReadV2("swagger", SwaggerOf(resources), cases);
  files["published"] = absl::StrCat(*folder, "/swagger.json");
  cases.Add("published_v2", Question(files), "");
  cases.Check();
}

// What a group version consists of.
struct Part {
  std::vector<ServedKind> kinds = {};
  std::vector<std::string> definitions = {};  // their JSON
};

using Parts = std::map<schema::GroupVersion, Part>;

// Adds the served versions of a definition, as if it were established.
void AddDefinition(CustomResourceDefinition definition, Parts& parts) {
  crd_schema::SetDefaults(definition);
  definition.status.accepted_names = definition.spec.names;
  const std::string json = codec::EncodeJson(definition).value();
  const auto kinds = CustomKind::MakeAll(definition);
  ASSERT_TRUE(kinds.ok()) << kinds.status();
  for (const std::shared_ptr<const CustomKind>& kind : *kinds) {
    if (!kind->served()) continue;
    const schema::GroupVersion version = {.group = std::string(kind->kind().group),
                                          .version = std::string(kind->kind().version)};
    Part& part = parts[version];
    part.kinds.push_back({.kind = kind});
    part.definitions.push_back(json);
  }
}

// Asks about the v3 documents of all parts, and about their share of a v2 document.
void AddParts(const Parts& parts, GoCases& cases) {
  std::vector<ServedKind> all;
  for (const auto& [version, part] : parts) {
    all.insert(all.end(), part.kinds.begin(), part.kinds.end());
  }
  const Map<Value> swagger = AddReadV2("swagger", SwaggerOf(Resources::With(all)), cases);
  for (const auto& [version, part] : parts) {
    const std::string name = NameOf(version);
    const std::string json = DocumentOf(Resources::With(part.kinds), version);
    Map<Value> v3 = AddReadV3(name, json, cases);
    Map<Value> v2 = swagger;
    const std::string definitions =
        WriteFile(absl::StrCat(name, "_definitions.json"),
                  absl::StrCat("[", absl::StrJoin(part.definitions, ","), "]"));
    for (Map<Value>* files : {&v3, &v2}) {
      (*files)["definitions"] = definitions;
      (*files)["version"] = version.version;
    }
    cases.Add("defined_v3", Question(v3), "");
    cases.Add("defined_v2", Question(v2), "");
  }
}

TEST(OpenApiGoTest, DocumentsOfCustomResourcesAreThoseOfApiextensions) {
  Parts parts;
  for (const char* json : {kThings, kPlaces}) {
    AddDefinition(codec::DecodeJson<CustomResourceDefinition>(json).value(), parts);
  }
  EXPECT_EQ(parts.size(), 3u);
  GoCases cases(kOracle);
  AddParts(parts, cases);
  cases.Check();
}

class ProjectTest : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(ProjectTest, DocumentsOfItsCustomResourcesAreThoseOfApiextensions) {
  const absl::StatusOr<std::string> folder = oracle::FindData(GetParam().first, GetParam().second);
  if (oracle::PrintSkipped(folder.status())) GTEST_SKIP();
  ASSERT_TRUE(folder.ok()) << folder.status();
  std::set<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) paths.insert(entry.path());
  Parts parts;
  for (const std::filesystem::path& path : paths) {
    SCOPED_TRACE(path.string());
    const std::string yaml = ReadFile(path);
    if (!absl::StrContains(yaml, "\nkind: CustomResourceDefinition\n")) continue;
    auto definition = codec::DecodeYaml<CustomResourceDefinition>(yaml);
    ASSERT_TRUE(definition.ok()) << definition.status();
    ASSERT_NO_FATAL_FAILURE(AddDefinition(*std::move(definition), parts));
  }
  EXPECT_FALSE(parts.empty());
  GoCases cases(kOracle);
  AddParts(parts, cases);
  cases.Check();
}

INSTANTIATE_TEST_SUITE_P(Projects, ProjectTest,
                         testing::Values(std::pair("gateway_api_crds", "standard"),
                                         std::pair("prometheus_operator_crds",
                                                   "prometheus-operator-crd"),
                                         std::pair("snapshotter_crds", "crd")),
                         [](const testing::TestParamInfo<ProjectTest::ParamType>& param) {
                           return std::string(param.param.first);
                         });

}  // namespace
}  // namespace kube::apiserver::internal
