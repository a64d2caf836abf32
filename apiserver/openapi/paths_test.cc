#include "apiserver/openapi/paths.h"

#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
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

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using unstructured::EncodeJson;
using unstructured::ParseJson;
using unstructured::Value;

DocumentParts PartsOf(const Resources& resources, absl::string_view group,
                      absl::string_view version, absl::string_view plural) {
  DocumentParts parts;
  const Resource* resource = resources.Find(group, version, plural);
  EXPECT_NE(resource, nullptr);
  AddPaths(*resource, parts);
  return parts;
}

std::vector<std::string> KeysOf(const Map<Value>& members) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : members) keys.push_back(key);
  return keys;
}

std::vector<std::string> MethodsOf(const DocumentParts& parts, absl::string_view path) {
  const Value* item = parts.paths.find(path);
  return item == nullptr ? std::vector<std::string>() : KeysOf(*item->object());
}

// Returns the names of the parameters of a path item or an operation.
std::vector<std::string> ParametersOf(const Value& owner) {
  std::vector<std::string> names;
  const List<Value>* parameters = owner["parameters"].list();
  if (parameters == nullptr) return names;
  for (const Value& each : *parameters) names.emplace_back(each["name"].text().value_or(""));
  return names;
}

std::string Canonical(const char* json) { return EncodeJson(ParseJson(json).value()).value(); }

TEST(AddPaths, OfADeployment) {
  const DocumentParts parts = PartsOf(Resources::BuiltIn(), "apps", "v1", "deployments");
  const std::string root = "/apis/apps/v1/namespaces/{namespace}/deployments";
  EXPECT_THAT(
      KeysOf(parts.paths),
      ElementsAre("/apis/apps/v1/deployments", root, root + "/{name}", root + "/{name}/scale",
                  root + "/{name}/status", "/apis/apps/v1/watch/deployments",
                  "/apis/apps/v1/watch/namespaces/{namespace}/deployments",
                  "/apis/apps/v1/watch/namespaces/{namespace}/deployments/{name}"));
  EXPECT_THAT(MethodsOf(parts, root), ElementsAre("delete", "get", "parameters", "post"));
  EXPECT_THAT(MethodsOf(parts, root + "/{name}"),
              ElementsAre("delete", "get", "parameters", "patch", "put"));
  const Value& item = *parts.paths.find(root + "/{name}");
  EXPECT_EQ(EncodeJson(item["patch"]).value(), Canonical(R"({
    "operationId": "patchAppsV1NamespacedDeployment",
    "parameters": [
      {"in": "query", "name": "dryRun", "schema": {"type": "string", "uniqueItems": true}},
      {"in": "query", "name": "fieldManager", "schema": {"type": "string", "uniqueItems": true}},
      {"in": "query", "name": "fieldValidation",
       "schema": {"type": "string", "uniqueItems": true}},
      {"in": "query", "name": "force", "schema": {"type": "boolean", "uniqueItems": true}}
    ],
    "requestBody": {"required": true, "content": {
      "application/apply-patch+yaml": {
          "schema": {"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Patch"}},
      "application/json-patch+json": {
          "schema": {"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Patch"}},
      "application/merge-patch+json": {
          "schema": {"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Patch"}},
      "application/strategic-merge-patch+json": {
          "schema": {"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Patch"}}
    }},
    "responses": {
      "200": {"description": "OK", "content": {
        "application/json": {"schema": {"$ref": "#/components/schemas/io.k8s.api.apps.v1.Deployment"}},
        "application/vnd.kubernetes.protobuf": {
            "schema": {"$ref": "#/components/schemas/io.k8s.api.apps.v1.Deployment"}},
        "application/yaml": {"schema": {"$ref": "#/components/schemas/io.k8s.api.apps.v1.Deployment"}}
      }},
      "201": {"description": "Created", "content": {
        "application/json": {"schema": {"$ref": "#/components/schemas/io.k8s.api.apps.v1.Deployment"}},
        "application/vnd.kubernetes.protobuf": {
            "schema": {"$ref": "#/components/schemas/io.k8s.api.apps.v1.Deployment"}},
        "application/yaml": {"schema": {"$ref": "#/components/schemas/io.k8s.api.apps.v1.Deployment"}}
      }},
      "401": {"description": "Unauthorized"}
    },
    "tags": ["apps_v1"],
    "x-kubernetes-action": "patch",
    "x-kubernetes-group-version-kind": {"group": "apps", "kind": "Deployment", "version": "v1"}
  })"));
  EXPECT_THAT(ParametersOf(item), ElementsAre("name", "namespace", "pretty"));
  EXPECT_EQ(EncodeJson(item["parameters"].list()->front()).value(),
            Canonical(R"({"in": "path", "name": "name", "required": true,
                          "schema": {"type": "string", "uniqueItems": true}})"));
  // A definition brings those that it refers to.
  EXPECT_THAT(parts.schemas, Contains(Key("io.k8s.api.core.v1.Container")));
  EXPECT_THAT(parts.schemas, Not(Contains(Key("io.k8s.api.core.v1.Node"))));
}

TEST(AddPaths, ParametersOfAllOperationsAreThoseOfThePath) {
  const DocumentParts parts = PartsOf(Resources::BuiltIn(), "apps", "v1", "deployments");
  const Value& all = *parts.paths.find("/apis/apps/v1/deployments");
  EXPECT_THAT(ParametersOf(all),
              ElementsAre("allowWatchBookmarks", "continue", "fieldSelector", "labelSelector",
                          "limit", "pretty", "resourceVersion", "resourceVersionMatch",
                          "sendInitialEvents", "shardSelector", "timeoutSeconds", "watch"));
  EXPECT_THAT(ParametersOf(all["get"]), IsEmpty());
  const Value& some = *parts.paths.find("/apis/apps/v1/namespaces/{namespace}/deployments");
  EXPECT_THAT(ParametersOf(some), ElementsAre("namespace", "pretty"));
  EXPECT_THAT(ParametersOf(some["post"]), ElementsAre("dryRun", "fieldManager", "fieldValidation"));
  EXPECT_THAT(
      ParametersOf(some["delete"]),
      ElementsAre("continue", "dryRun", "fieldSelector", "gracePeriodSeconds",
                  "ignoreStoreReadErrorWithClusterBreakingPotential", "labelSelector", "limit",
                  "orphanDependents", "propagationPolicy", "resourceVersion",
                  "resourceVersionMatch", "sendInitialEvents", "shardSelector", "timeoutSeconds"));
}

TEST(AddPaths, OperationsHaveTheNamesAndKindsOfKubernetes) {
  const struct {
    const char* plural;
    const char* path;
    const char* method;
    const char* id;
    const char* action;
    const char* kind;
  } rows[] = {
      {"pods", "/api/v1/pods", "get", "listCoreV1PodForAllNamespaces", "list", "Pod"},
      {"pods", "/api/v1/namespaces/{namespace}/pods", "delete",
       "deleteCoreV1CollectionNamespacedPod", "deletecollection", "Pod"},
      {"pods", "/api/v1/namespaces/{namespace}/pods/{name}/eviction", "post",
       "createCoreV1NamespacedPodEviction", "post", "Eviction"},
      {"pods", "/api/v1/namespaces/{namespace}/pods/{name}/log", "get",
       "readCoreV1NamespacedPodLog", "get", "Pod"},
      {"pods", "/api/v1/namespaces/{namespace}/pods/{name}/status", "put",
       "replaceCoreV1NamespacedPodStatus", "put", "Pod"},
      {"pods", "/api/v1/watch/pods", "get", "watchCoreV1PodListForAllNamespaces", "watchlist",
       "Pod"},
      {"serviceaccounts", "/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token", "post",
       "createCoreV1NamespacedServiceAccountToken", "post", "TokenRequest"},
      {"nodes", "/api/v1/nodes/{name}", "get", "readCoreV1Node", "get", "Node"},
      {"nodes", "/api/v1/watch/nodes/{name}", "get", "watchCoreV1Node", "watch", "Node"},
      {"bindings", "/api/v1/namespaces/{namespace}/bindings", "post",
       "createCoreV1NamespacedBinding", "post", "Binding"},
  };
  for (const auto& row : rows) {
    const DocumentParts parts = PartsOf(Resources::BuiltIn(), "", "v1", row.plural);
    const Value* item = parts.paths.find(row.path);
    ASSERT_NE(item, nullptr) << row.path;
    const Value& operation = (*item)[row.method];
    EXPECT_EQ(operation["operationId"].text(), row.id) << row.path;
    EXPECT_EQ(operation["x-kubernetes-action"].text(), row.action) << row.path;
    EXPECT_EQ(operation["x-kubernetes-group-version-kind"]["kind"].text(), row.kind) << row.path;
  }
}

TEST(AddPaths, OfPodsHaveNoConnections) {
  const DocumentParts parts = PartsOf(Resources::BuiltIn(), "", "v1", "pods");
  for (const auto& [path, item] : parts.paths) {
    EXPECT_THAT(std::string(path), Not(testing::HasSubstr("/exec")));
    EXPECT_THAT(std::string(path), Not(testing::HasSubstr("/proxy")));
  }
}

TEST(AddPaths, ADeleteReturnsAStatusOrTheObject) {
  const struct {
    const char* group;
    const char* plural;
    const char* path;
    const char* reference;
  } rows[] = {
      {"apps", "deployments", "/apis/apps/v1/namespaces/{namespace}/deployments/{name}",
       "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Status"},
      {"", "pods", "/api/v1/namespaces/{namespace}/pods/{name}",
       "#/components/schemas/io.k8s.api.core.v1.Pod"},
      {"", "namespaces", "/api/v1/namespaces/{name}",
       "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Status"},
  };
  for (const auto& row : rows) {
    const DocumentParts parts = PartsOf(Resources::BuiltIn(), row.group, "v1", row.plural);
    const Value& operation = (*parts.paths.find(row.path))["delete"];
    const Value& content = operation["responses"]["202"]["content"];
    EXPECT_EQ(content["application/json"]["schema"]["$ref"].text(), row.reference);
    EXPECT_TRUE(operation["requestBody"]["required"].is_null());
  }
}

TEST(AddPaths, OfACustomResource) {
  const std::shared_ptr<const CustomKind> kind =
      SampleKind(R"({"type":"object"})",
                 {.version = R"(,"subresources":{"scale":{"specReplicasPath":".spec.n",)"
                             R"("statusReplicasPath":".status.n"}})"});
  const DocumentParts parts =
      PartsOf(Resources::With({{.kind = kind}}), "stable.example.com", "v1", "crontabs");
  const std::string root = "/apis/stable.example.com/v1/namespaces/{namespace}/crontabs";
  EXPECT_THAT(KeysOf(parts.paths), ElementsAre("/apis/stable.example.com/v1/crontabs", root,
                                               root + "/{name}", root + "/{name}/scale"));
  const Value& item = *parts.paths.find(root + "/{name}");
  EXPECT_EQ(EncodeJson(item["put"]).value(), Canonical(R"({
    "operationId": "replaceStableExampleComV1NamespacedCronTab",
    "parameters": [
      {"in": "query", "name": "dryRun", "schema": {"type": "string", "uniqueItems": true}},
      {"in": "query", "name": "fieldManager", "schema": {"type": "string", "uniqueItems": true}},
      {"in": "query", "name": "fieldValidation",
       "schema": {"type": "string", "uniqueItems": true}}
    ],
    "requestBody": {"required": true, "content": {
      "application/json": {
          "schema": {"$ref": "#/components/schemas/com.example.stable.v1.CronTab"}},
      "application/yaml": {
          "schema": {"$ref": "#/components/schemas/com.example.stable.v1.CronTab"}}
    }},
    "responses": {
      "200": {"description": "OK", "content": {
        "application/json": {
            "schema": {"$ref": "#/components/schemas/com.example.stable.v1.CronTab"}},
        "application/yaml": {
            "schema": {"$ref": "#/components/schemas/com.example.stable.v1.CronTab"}}
      }},
      "201": {"description": "Created", "content": {
        "application/json": {
            "schema": {"$ref": "#/components/schemas/com.example.stable.v1.CronTab"}},
        "application/yaml": {
            "schema": {"$ref": "#/components/schemas/com.example.stable.v1.CronTab"}}
      }},
      "401": {"description": "Unauthorized"}
    },
    "tags": ["stableExampleCom_v1"],
    "x-kubernetes-action": "put",
    "x-kubernetes-group-version-kind": {
        "group": "stable.example.com", "kind": "CronTab", "version": "v1"}
  })"));
  EXPECT_THAT(ParametersOf(item["get"]), ElementsAre("resourceVersion"));
  const Value& scale = (*parts.paths.find(root + "/{name}/scale"))["get"];
  EXPECT_EQ(scale["x-kubernetes-group-version-kind"]["kind"].text(), "CronTab");
  EXPECT_EQ(scale["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].text(),
            "#/components/schemas/io.k8s.api.autoscaling.v1.Scale");
  EXPECT_THAT(parts.schemas, Contains(Key("io.k8s.api.autoscaling.v1.Scale")));
  const Value& collection = *parts.paths.find(root);
  EXPECT_TRUE(collection["delete"]["requestBody"].is_null());
  EXPECT_THAT(ParametersOf(collection["delete"]), Contains("watch"));
}

TEST(AddDiscoveryPath, ListsResources) {
  DocumentParts parts;
  AddDiscoveryPath({.group = "rbac.authorization.k8s.io", .version = "v1"}, parts);
  const Value* item = parts.paths.find("/apis/rbac.authorization.k8s.io/v1/");
  ASSERT_NE(item, nullptr);
  EXPECT_EQ((*item)["get"]["operationId"].text(), "getRbacAuthorizationV1APIResources");
  EXPECT_THAT(parts.schemas, Contains(Key("io.k8s.apimachinery.pkg.apis.meta.v1.APIResource")));
}

TEST(AddRootDiscoveryPaths, ListVersionsAndGroups) {
  const struct {
    const char* path;
    const char* id;
    const char* tag;
    const char* type;
  } rows[] = {
      {"/api/", "getCoreAPIVersions", "core", "APIVersions"},
      {"/apis/", "getAPIVersions", "apis", "APIGroupList"},
      {"/apis/apps/", "getAppsAPIGroup", "apps", "APIGroup"},
      {"/apis/rbac.authorization.k8s.io/", "getRbacAuthorizationAPIGroup", "rbacAuthorization",
       "APIGroup"},
  };
  DocumentParts parts;
  AddRootDiscoveryPaths({{.group = "", .version = "v1"},
                         {.group = "apps", .version = "v1"},
                         {.group = "rbac.authorization.k8s.io", .version = "v1"}},
                        parts);
  EXPECT_EQ(parts.paths.size(), std::size(rows));
  for (const auto& row : rows) {
    const Value* item = parts.paths.find(row.path);
    ASSERT_NE(item, nullptr) << row.path;
    const Value& get = (*item)["get"];
    EXPECT_EQ(get["operationId"].text(), row.id);
    EXPECT_EQ(get["tags"].list()->front().text(), row.tag) << row.path;
    const std::string name = absl::StrCat("io.k8s.apimachinery.pkg.apis.meta.v1.", row.type);
    EXPECT_EQ(get["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].text(),
              absl::StrCat("#/components/schemas/", name));
    EXPECT_THAT(parts.schemas, Contains(Key(name)));
  }
}

TEST(PathOf, OfTheCoreGroupAndOthers) {
  EXPECT_EQ(PathOf({.group = "", .version = "v1"}), "api/v1");
  EXPECT_EQ(PathOf({.group = "apps", .version = "v1"}), "apis/apps/v1");
}

}  // namespace
}  // namespace kube::apiserver::internal
