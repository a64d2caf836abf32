// A document is put together from texts, because definitions are the same in all documents and are
// large: Values are made of the paths and of the schemas of custom resources only.

#include "apiserver/openapi/documents.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/custom_kind.h"
#include "apiserver/openapi/custom_schema.h"
#include "apiserver/openapi/paths.h"
#include "apiserver/openapi/swagger.h"
#include "apiserver/openapi/type_definitions.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;
using unstructured::Value;

constexpr absl::string_view kInfo =
    R"({"title":"Kubernetes","version":"v)" KUBERNETES_VERSION R"("})";
constexpr absl::string_view kCustomInfo =
    R"({"title":"Kubernetes CRD Swagger","version":"v0.1.0"})";
constexpr absl::string_view kBearerToken =
    R"({"BearerToken":{"description":"Bearer Token authentication","in":"header",)"
    R"("name":"authorization","type":"apiKey"}})";

std::string ToJson(const Value& value) { return unstructured::EncodeJson(value).value(); }

Value FromJson(absl::string_view json) {
  absl::StatusOr<Value> value = unstructured::ParseJson(json);
  KUBE_CHECK_OK(value) << "schema of a definition";
  return *std::move(value);
}

void AddCustom(const CustomKind& kind, SpecVersion version, DocumentParts& parts) {
  const TypeDefinitions& definitions = TypeDefinitions::BuiltIn();
  AddDefinition(definitions.Of(metav1::ObjectMeta::kMessage), parts);
  AddDefinition(definitions.Of(metav1::ListMeta::kMessage), parts);
  parts.schemas[CustomDefinitionName(kind.kind())] = ToJson(SchemaOfKind(kind, version));
  parts.schemas[CustomDefinitionName(kind.list_kind())] = ToJson(SchemaOfList(kind));
}

bool HasBuiltIn(const std::vector<const Resource*>& resources) {
  return absl::c_any_of(resources,
                        [](const Resource* resource) { return resource->custom == nullptr; });
}

void AddGroupVersion(const Resources& resources, const schema::GroupVersion& version,
                     SpecVersion spec, DocumentParts& parts) {
  const std::vector<const Resource*> found = resources.InGroupVersion(version);
  if (HasBuiltIn(found)) AddDiscoveryPath(version, parts);
  for (const Resource* resource : found) {
    AddPaths(*resource, parts);
    if (resource->custom != nullptr) AddCustom(*resource->custom, spec, parts);
  }
}

// Adds the group versions to those that a definition is said to belong to (kube-apiserver registers
// some types of meta/v1 in each group: `metav1.AddToGroupVersion`).
void AddKinds(const TypeDefinition& definition, absl::string_view kind,
              const std::vector<schema::GroupVersion>& versions, DocumentParts& parts) {
  const auto found = parts.schemas.find(definition.name);
  if (found == parts.schemas.end()) return;
  Value parsed = FromJson(found->second);
  Value* kinds = parsed.Find("x-kubernetes-group-version-kind");
  KUBE_CHECK(kinds != nullptr && kinds->is_list()) << definition.name;
  for (const schema::GroupVersion& version : versions) {
    if (version.group.empty()) continue;  // is among them
    kinds->list()->push_back(
        Map<Value>{{"group", version.group}, {"version", version.version}, {"kind", kind}});
  }
  found->second = ToJson(parsed);
}

void AddSharedKinds(const std::vector<schema::GroupVersion>& versions, DocumentParts& parts) {
  const TypeDefinitions& definitions = TypeDefinitions::BuiltIn();
  AddKinds(definitions.Of(metav1::DeleteOptions::kMessage), "DeleteOptions", versions, parts);
  AddKinds(definitions.Of(metav1::WatchEvent::kMessage), "WatchEvent", versions, parts);
}

// Appends a member with JSON as its value to the text of an object.
void AppendMember(absl::string_view name, absl::string_view json, std::string& out) {
  absl::StrAppend(&out, out.back() == '{' ? "" : ",", ToJson(name), ":", json);
}

}  // namespace

std::string DocumentOf(const Resources& resources, const schema::GroupVersion& version) {
  DocumentParts parts;
  AddGroupVersion(resources, version, SpecVersion::kV3, parts);
  const bool is_built_in = HasBuiltIn(resources.InGroupVersion(version));
  if (is_built_in) AddSharedKinds({version}, parts);
  std::string json = R"({"components":{"schemas":{)";
  for (const auto& [name, schema] : parts.schemas) AppendMember(name, schema, json);
  absl::StrAppend(&json, "}");
  if (is_built_in) absl::StrAppend(&json, R"(,"securitySchemes":)", kBearerToken);
  absl::StrAppend(&json, R"(},"info":)", is_built_in ? kInfo : kCustomInfo,
                  R"(,"openapi":"3.0.0","paths":)", ToJson(std::move(parts.paths)), "}");
  return json;
}

std::string SwaggerOf(const Resources& resources) {
  DocumentParts parts;
  std::vector<schema::GroupVersion> built_in;
  for (const schema::GroupVersion& version : resources.group_versions()) {
    AddGroupVersion(resources, version, SpecVersion::kV2, parts);
    if (HasBuiltIn(resources.InGroupVersion(version))) built_in.push_back(version);
  }
  AddRootDiscoveryPaths(built_in, parts);
  AddSharedKinds(built_in, parts);
  std::string json = R"({"definitions":{)";
  for (const auto& [name, text] : parts.schemas) {
    Value schema = FromJson(text);
    AppendMember(name, ToJson(ToSwaggerSchema(std::move(*schema.object()))), json);
  }
  absl::StrAppend(&json, R"(},"info":)", kInfo, R"(,"paths":{)");
  for (const auto& [path, item] : parts.paths) {
    AppendMember(path, ToJson(ToSwaggerPathItem(*item.object())), json);
  }
  absl::StrAppend(&json, R"(},"security":[{"BearerToken":[]}],"securityDefinitions":)",
                  kBearerToken, R"(,"swagger":"2.0"})");
  return json;
}

}  // namespace kube::apiserver::internal
