#include "clientset/openapi/root.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"
#include "clientset/openapi/memory_cache.h"
#include "clientset/openapi/openapi.h"
#include "clientset/openapi/openapi_client.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::openapi {
namespace {

using base::IsOk;
using base::StatusIs;
using rest::JsonReply;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using unstructured::EncodeJson;
using unstructured::Value;

constexpr char kCronTabs[] = R"({
  "apiVersion": "apiextensions.k8s.io/v1",
  "kind": "CustomResourceDefinition",
  "metadata": {"name": "crontabs.stable.example.com"},
  "spec": {
    "group": "stable.example.com",
    "scope": "Namespaced",
    "names": {"plural": "crontabs", "singular": "crontab", "kind": "CronTab"},
    "versions": [{
      "name": "v1", "served": true, "storage": true,
      "schema": {"openAPIV3Schema": {"type": "object", "properties": {
        "spec": {"type": "object", "description": "When to run.", "properties": {
          "schedule": {"type": "string"}}}}}}
    }]
  }
})";

std::vector<std::string> Texts(const std::vector<schema::GroupVersion>& versions) {
  std::vector<std::string> texts;
  for (const schema::GroupVersion& each : versions) texts.push_back(each.ToString());
  return texts;
}

TEST(Root, GroupVersionsAreThoseOfTheIndexSorted) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({}, JsonReply(R"({"paths":{
      ".well-known/openid-configuration":{"serverRelativeURL":"/a"},
      "api":{"serverRelativeURL":"/b"},
      "api/v1":{"serverRelativeURL":"/c"},
      "apis":{"serverRelativeURL":"/d"},
      "apis/batch/v1":{"serverRelativeURL":"/e"},
      "apis/apps":{"serverRelativeURL":"/f"},
      "apis/apps/v1":{"serverRelativeURL":"/g"},
      "version":{"serverRelativeURL":"/h"}}})"));
  const Root root(std::make_shared<OpenApiClient>(
      *rest::MakeClient({.host = "http://localhost", .transport = transport})));
  const absl::StatusOr<std::vector<schema::GroupVersion>> versions = root.GroupVersions(Context());
  ASSERT_THAT(versions, IsOk());
  EXPECT_THAT(Texts(*versions), ElementsAre("apps/v1", "batch/v1", "v1"));
}

TEST(Root, ADocumentThatDoesNotExistOrIsNotJson) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({.path = "/openapi/v3"},
                    JsonReply(R"({"paths":{"api/v1":{"serverRelativeURL":"/x?hash=1"}}})"));
  transport->Always({.path = "/x"}, JsonReply("{"));
  const Root root(std::make_shared<OpenApiClient>(
      *rest::MakeClient({.host = "http://localhost", .transport = transport})));
  EXPECT_THAT(
      root.GroupVersionSpec(Context(), {.group = "apps", .version = "v1"}),
      StatusIs(absl::StatusCode::kNotFound, "GroupVersion (apps/v1) not found as OpenAPI V3 path"));
  EXPECT_THAT(root.GroupVersionSpec(Context(), {.version = "v1"}),
              StatusIs(absl::StatusCode::kInvalidArgument, testing::HasSubstr("get /x?hash=1")));
}

// The example of the header.
absl::StatusOr<Value> ReplicasOf(const Context& ctx, const std::shared_ptr<MemoryCache>& cache) {
  const openapi::Root root(cache);
  KUBE_ASSIGN_OR_RETURN(const unstructured::Value apps,
                        root.GroupVersionSpec(ctx, {.group = "apps", .version = "v1"}));
  const unstructured::Value& schemas = apps["components"]["schemas"];
  return schemas["io.k8s.api.apps.v1.DeploymentSpec"]["properties"]["replicas"];
}

TEST(Root, ReadsTheDocumentsOfTheEmbeddedServer) {
  apiserver::ApiHandler server;
  const rest::Client client = *rest::MakeClient(envtest::InProcessConfig(server));
  const auto cache = std::make_shared<MemoryCache>(std::make_shared<OpenApiClient>(client));
  const Root root(cache);
  const absl::StatusOr<std::vector<schema::GroupVersion>> versions = root.GroupVersions(Context());
  ASSERT_THAT(versions, IsOk());
  EXPECT_THAT(Texts(*versions), Contains("apps/v1"));
  EXPECT_THAT(Texts(*versions), Not(Contains("stable.example.com/v1")));
  const absl::StatusOr<Value> replicas = ReplicasOf(Context(), cache);
  ASSERT_THAT(replicas, IsOk());
  EXPECT_EQ(EncodeJson(*replicas).value(), R"({"format":"int32","type":"integer"})");

  ASSERT_THAT(client.Do(Context(),
                        {.verb = "POST",
                         .absolute_path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                         .body = std::make_shared<const std::string>(kCronTabs),
                         .content_type = "application/json"}),
              IsOk());
  const schema::GroupVersion stable = {.group = "stable.example.com", .version = "v1"};
  EXPECT_THAT(root.GroupVersionSpec(Context(), stable), StatusIs(absl::StatusCode::kNotFound));
  cache->Invalidate();
  const absl::StatusOr<Value> document = root.GroupVersionSpec(Context(), stable);
  ASSERT_THAT(document, IsOk());
  const Value& kind = (*document)["components"]["schemas"]["com.example.stable.v1.CronTab"];
  EXPECT_EQ(EncodeJson(kind["properties"]["spec"]["description"]).value(), R"("When to run.")");
}

TEST(OpenApiClient, FetchesEveryDocumentOfTheEmbeddedServerInBothEncodings) {
  apiserver::ApiHandler server;
  const OpenApiClient client(*rest::MakeClient(envtest::InProcessConfig(server)));
  const absl::StatusOr<GroupVersions> paths = client.Paths(Context());
  ASSERT_THAT(paths, IsOk());
  EXPECT_GE(paths->size(), 22u);
  for (const auto& [name, version] : *paths) {
    for (const char* type : {kJson, kProtobufV3}) {
      const absl::StatusOr<Document> document = version->Schema(Context(), type);
      ASSERT_THAT(document, IsOk()) << name << " " << type;
      EXPECT_FALSE((*document)->empty()) << name << " " << type;
    }
  }
  for (const char* type : {kJson, kProtobufV2}) {
    EXPECT_THAT(client.SchemaV2(Context(), type), IsOk()) << type;
  }
}

}  // namespace
}  // namespace kube::openapi
