// The objects of a new cluster, and what else a fresh server reports.
// //tests/conformance:fresh_cluster_test checks that a real server has the same.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"
#include "apiserver/testing/fake_exchange.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver {
namespace {

using base::IsOk;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;
using unstructured::Value;

std::shared_ptr<FakeExchange> Send(ApiHandler& server, absl::string_view target,
                                   absl::string_view method = "GET", std::string body = "") {
  httpserver::Request request{.method = std::string(method), .target = std::string(target)};
  request.headers.Set("content-type", "application/json");
  request.body = std::move(body);
  auto exchange = std::make_shared<FakeExchange>(std::move(request));
  server.Handle(exchange);
  return exchange;
}

Value Get(ApiHandler& server, absl::string_view target) {
  const auto exchange = Send(server, target);
  EXPECT_EQ(exchange->status(), 200) << std::string(target) << ": " << exchange->body();
  const absl::StatusOr<Value> value = unstructured::ParseJson(exchange->body());
  return value.ok() ? *value : Value();
}

// "NAMESPACE/NAME" or "NAME" of each item.
std::vector<std::string> NamesOf(const Value& list) {
  std::vector<std::string> names;
  for (const Value& item : *list.Find("items")->list()) {
    const Value& metadata = *item.Find("metadata");
    const Value* const space = metadata.Find("namespace");
    names.push_back(absl::StrCat(space == nullptr ? "" : *space->text(),
                                 space == nullptr ? "" : "/", *metadata.Find("name")->text()));
  }
  return names;
}

TEST(ClusterObjects, AreThereFromTheStart) {
  ApiHandler server({.anonymous = Anonymous::kAll});
  const auto names = [&](absl::string_view path) { return NamesOf(Get(server, path)); };
  EXPECT_THAT(names("/api/v1/services"), ElementsAre("default/kubernetes"));
  EXPECT_THAT(names("/api/v1/endpoints"), ElementsAre("default/kubernetes"));
  EXPECT_THAT(names("/apis/discovery.k8s.io/v1/endpointslices"), ElementsAre("default/kubernetes"));
  EXPECT_THAT(names("/apis/networking.k8s.io/v1/servicecidrs"), ElementsAre("kubernetes"));
  EXPECT_THAT(names("/apis/networking.k8s.io/v1/ipaddresses"), ElementsAre("10.0.0.1"));
  EXPECT_THAT(names("/apis/scheduling.k8s.io/v1/priorityclasses"),
              ElementsAre("system-cluster-critical", "system-node-critical"));
  EXPECT_THAT(names("/apis/rbac.authorization.k8s.io/v1/clusterroles"),
              AllOf(Contains("cluster-admin"), Contains("view"), Contains("system:node"),
                    Contains("system:controller:job-controller")));
  EXPECT_THAT(names("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"),
              Contains("cluster-admin"));
  EXPECT_THAT(names("/apis/rbac.authorization.k8s.io/v1/roles"),
              AllOf(Contains("kube-system/extension-apiserver-authentication-reader"),
                    Contains("kube-public/system:controller:bootstrap-signer")));
  EXPECT_THAT(names("/apis/rbac.authorization.k8s.io/v1/rolebindings"),
              Contains("kube-system/system:controller:token-cleaner"));
  EXPECT_THAT(names("/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas"),
              AllOf(Contains("exempt"), Contains("catch-all"), Contains("probes")));
  EXPECT_THAT(names("/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations"),
              AllOf(Contains("exempt"), Contains("catch-all"), Contains("workload-low")));
  EXPECT_THAT(names("/apis/coordination.k8s.io/v1/leases"),
              ElementsAre(StartsWith("kube-system/apiserver-")));
  EXPECT_THAT(names("/api/v1/configmaps"),
              ElementsAre("kube-system/kube-apiserver-legacy-service-account-token-tracking"));
}

TEST(ClusterObjects, HaveSystemFields) {
  ApiHandler server({.anonymous = Anonymous::kAll});
  const Value service = Get(server, "/api/v1/namespaces/default/services/kubernetes");
  const Value& metadata = *service.Find("metadata");
  EXPECT_THAT(*metadata.Find("uid")->text(), SizeIs(36));
  EXPECT_THAT(*metadata.Find("creationTimestamp")->text(), HasSubstr("T"));
  EXPECT_NE(metadata.Find("resourceVersion"), nullptr);
  // Defaults that clients rely on.
  EXPECT_EQ(*service.Find("spec")->Find("internalTrafficPolicy")->text(), "Cluster");
}

TEST(ClusterObjects, AnApiServiceForEachVersionThatIsServed) {
  ApiHandler server({.anonymous = Anonymous::kAll});
  std::vector<std::string> expected = {"v1."};
  const Value groups = Get(server, "/apis");
  for (const Value& group : *groups.Find("groups")->list()) {
    if (*group.Find("name")->text() == "apiregistration.k8s.io") continue;
    for (const Value& version : *group.Find("versions")->list()) {
      expected.push_back(
          absl::StrCat(*version.Find("version")->text(), ".", *group.Find("name")->text()));
    }
  }
  EXPECT_THAT(NamesOf(Get(server, "/apis/apiregistration.k8s.io/v1/apiservices")),
              testing::UnorderedElementsAreArray(expected));
}

TEST(ClusterObjects, TellTheAddressOfTheServer) {
  struct Row {
    absl::string_view ip;
    absl::string_view type;
  };
  for (const Row& row : {Row{"192.0.2.7", "IPv4"}, Row{"2001:db8::7", "IPv6"}}) {
    ApiHandler server({.anonymous = Anonymous::kAll});
    server.SetAddress({.ip = std::string(row.ip), .port = 4711, .client_ca = "-----BEGIN\n"});
    const std::string endpoints = Send(server, "/api/v1/endpoints")->body();
    EXPECT_THAT(endpoints, AllOf(HasSubstr(row.ip), HasSubstr("4711")));
    const std::string slices = Send(server, "/apis/discovery.k8s.io/v1/endpointslices")->body();
    EXPECT_THAT(slices, AllOf(HasSubstr(row.ip), HasSubstr("4711"),
                              HasSubstr(absl::StrCat("\"addressType\":\"", row.type, "\""))));
    EXPECT_THAT(Send(server, "/api/v1/services")->body(), HasSubstr("\"targetPort\":4711"));
    const Value map =
        Get(server, "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication");
    EXPECT_EQ(*map.Find("data")->Find("client-ca-file")->text(), "-----BEGIN\n");
  }
}

TEST(ClusterObjects, CanBeLeftOut) {
  ApiHandler server({.anonymous = Anonymous::kAll, .cluster_objects = false});
  EXPECT_EQ(server.revision(), 5);
  for (const char* path : {"/api/v1/services", "/api/v1/configmaps",
                           "/apis/rbac.authorization.k8s.io/v1/clusterroles"}) {
    EXPECT_THAT(NamesOf(Get(server, path)), IsEmpty()) << path;
  }
  EXPECT_THAT(NamesOf(Get(server, "/api/v1/namespaces")), SizeIs(4));
}

TEST(ClusterObjects, AreObjectsAsAnyOther) {
  ApiHandler server({.anonymous = Anonymous::kAll});
  // The first request for the resource is a write.
  const char* const role = "/apis/rbac.authorization.k8s.io/v1/clusterroles/view";
  EXPECT_EQ(Send(server, role, "DELETE")->status(), 200);
  EXPECT_EQ(Send(server, role)->status(), 404);
  const auto watch = Send(server, "/api/v1/services?watch=1&resourceVersion=1");
  EXPECT_THAT(watch->lines(), ElementsAre(HasSubstr("\"ADDED\"")));
  EXPECT_EQ(Send(server, "/api/v1/namespaces/default/services/kubernetes", "DELETE")->status(),
            200);
  EXPECT_THAT(watch->lines(), ElementsAre(HasSubstr("\"ADDED\""), HasSubstr("\"DELETED\"")));
  const auto taken = Send(server, "/apis/scheduling.k8s.io/v1/priorityclasses", "POST",
                          R"({"metadata":{"name":"system-node-critical"},"value":1})");
  EXPECT_NE(taken->status(), 201);
}

TEST(ClusterObjects, ANewClusterHasThemAnew) {
  ApiHandler server({.anonymous = Anonymous::kAll});
  const char* const path = "/api/v1/namespaces/default/services/kubernetes";
  const std::string uid(*Get(server, path).Find("metadata")->Find("uid")->text());
  server.Restart();
  EXPECT_EQ(*Get(server, path).Find("metadata")->Find("uid")->text(), uid);
  server.Restart({.keep_data = false});
  EXPECT_NE(*Get(server, path).Find("metadata")->Find("uid")->text(), uid);
}

TEST(ClusterObjects, AreTheSameInEachRunOfASeed) {
  std::vector<std::string> runs;
  for (int run = 0; run < 2; ++run) {
    base::SimRuntime sim({.seed = 7});
    ASSERT_THAT(sim.Run([&] {
      ApiHandler server({.anonymous = Anonymous::kAll});
      runs.push_back(
          absl::StrCat(Send(server, "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas")->body(),
                       Send(server, "/apis/coordination.k8s.io/v1/leases")->body()));
    }),
                IsOk());
  }
  EXPECT_EQ(runs[0], runs[1]);
}

TEST(ComponentStatuses, SayWhoAnswers) {
  ApiHandler server({.anonymous = Anonymous::kAll});
  EXPECT_THAT(NamesOf(Get(server, "/api/v1/componentstatuses")),
              ElementsAre("controller-manager", "etcd-0", "scheduler"));
  const auto etcd = Send(server, "/api/v1/componentstatuses/etcd-0");
  EXPECT_THAT(etcd->body(),
              HasSubstr(R"("conditions":[{"type":"Healthy","status":"True","message":"ok"}])"));
  EXPECT_THAT(*etcd->headers().Get("warning"),
              HasSubstr("v1 ComponentStatus is deprecated in v1.19+"));
  EXPECT_THAT(Send(server, "/api/v1/componentstatuses/scheduler")->body(),
              HasSubstr("dial tcp 127.0.0.1:10259: connect: connection refused"));
  EXPECT_THAT(
      NamesOf(Get(server, "/api/v1/componentstatuses?fieldSelector=metadata.name%3Detcd-0")),
      ElementsAre("etcd-0"));
  const auto none = Send(server, "/api/v1/componentstatuses/x");
  EXPECT_EQ(none->status(), 404);
  EXPECT_THAT(none->body(), HasSubstr(R"(componentstatus \"x\" not found)"));
}

// The hashes of a real kube-apiserver 1.36.
TEST(Discovery, HasStorageVersionHashes) {
  struct Row {
    absl::string_view path;
    absl::string_view resource;
    absl::string_view hash;
  };
  const Row rows[] = {
      {"/api/v1", "pods", "xPOwRZ+Yhw8="},
      {"/api/v1", "events", "r2yiGXH7wu8="},
      {"/api/v1", "componentstatuses", ""},
      {"/api/v1", "bindings", ""},
      {"/api/v1", "pods/status", ""},
      {"/apis/apps/v1", "deployments", "8aSe+NMegvE="},
      // These are stored in another group or version.
      {"/apis/events.k8s.io/v1", "events", "r2yiGXH7wu8="},
      {"/apis/autoscaling/v1", "horizontalpodautoscalers", "qwQve8ut294="},
      {"/apis/autoscaling/v2", "horizontalpodautoscalers", "qwQve8ut294="},
      {"/apis/apiextensions.k8s.io/v1", "customresourcedefinitions", "jfWCUB31mvA="},
      {"/apis/admissionregistration.k8s.io/v1", "mutatingadmissionpolicies", "LYmCf+UMVdg="},
      {"/apis/admissionregistration.k8s.io/v1", "mutatingadmissionpolicybindings", "90V5FRZZ3Zg="},
      {"/apis/authorization.k8s.io/v1", "subjectaccessreviews", ""},
  };
  ApiHandler server({.anonymous = Anonymous::kAll});
  for (const Row& row : rows) {
    const Value list = Get(server, row.path);
    bool found = false;
    for (const Value& each : *list.Find("resources")->list()) {
      if (*each.Find("name")->text() != row.resource) continue;
      found = true;
      const Value* const hash = each.Find("storageVersionHash");
      EXPECT_EQ(hash == nullptr ? "" : *hash->text(), row.hash) << row.resource;
    }
    EXPECT_TRUE(found) << row.resource;
  }
}

TEST(Metrics, CountRequestsAsUpstreamDoes) {
  ApiHandler server({.anonymous = Anonymous::kAll, .cluster_objects = false});
  const char* const maps = "/api/v1/namespaces/default/configmaps";
  const std::string map = R"({"metadata":{"name":"a"}})";
  EXPECT_EQ(Send(server, maps, "POST", map)->status(), 201);
  EXPECT_EQ(Send(server, maps, "POST", map)->status(), 409);
  EXPECT_EQ(Send(server, absl::StrCat(maps, "?dryRun=All"), "POST", R"({"metadata":{"name":"b"}})")
                ->status(),
            201);
  EXPECT_EQ(Send(server, maps)->status(), 200);
  EXPECT_EQ(Send(server, "/api/v1/configmaps?fieldSelector=metadata.name%3Da")->status(), 200);
  EXPECT_EQ(Send(server, absl::StrCat(maps, "/a"))->status(), 200);
  const auto watch = Send(server, "/api/v1/configmaps?watch=1");
  EXPECT_EQ(Send(server, "/readyz")->status(), 200);
  // Clients must not be able to create labels.
  EXPECT_EQ(Send(server, "/api/v1/namespaces/default/nothing")->status(), 404);
  EXPECT_EQ(Send(server, absl::StrCat(maps, "/a/nothing"))->status(), 404);
  EXPECT_EQ(Send(server, "/readyz/nothing")->status(), 404);

  const auto answer = Send(server, "/metrics");
  EXPECT_EQ(answer->status(), 200);
  EXPECT_THAT(std::string(*answer->headers().Get("content-type")),
              StartsWith("text/plain; version=0.0.4"));
  const std::string text = answer->body();
  const auto count = [](absl::string_view verb, absl::string_view dry_run, absl::string_view scope,
                        int code) {
    return absl::StrCat("apiserver_request_total{verb=\"", verb, "\",dry_run=\"", dry_run,
                        R"(",group="",version="v1",resource="configmaps",subresource="",scope=")",
                        scope, R"(",component="apiserver",code=")", code, "\"} 1\n");
  };
  EXPECT_THAT(text, HasSubstr(count("POST", "", "resource", 201)));
  EXPECT_THAT(text, HasSubstr(count("POST", "", "resource", 409)));
  EXPECT_THAT(text, HasSubstr(count("POST", "All", "resource", 201)));
  EXPECT_THAT(text, HasSubstr(count("LIST", "", "namespace", 200)));
  EXPECT_THAT(text, HasSubstr(count("LIST", "", "cluster", 200)));
  EXPECT_THAT(text, HasSubstr(count("GET", "", "resource", 200)));
  EXPECT_THAT(text, HasSubstr(count("WATCH", "", "cluster", 200)));
  EXPECT_THAT(text,
              HasSubstr(R"(subresource="/readyz",scope="",component="apiserver",code="200"} 1)"));
  EXPECT_THAT(text, HasSubstr("apiserver_request_duration_seconds_count{verb=\"LIST\""));
  EXPECT_THAT(text, testing::Not(HasSubstr("nothing")));
  EXPECT_THAT(text,
              testing::Not(HasSubstr("apiserver_request_duration_seconds_count{verb=\"WATCH\"")));
  EXPECT_THAT(text,
              HasSubstr("apiserver_resource_objects{group=\"\",resource=\"configmaps\"} 1\n"));
  EXPECT_THAT(text,
              HasSubstr("apiserver_resource_objects{group=\"\",resource=\"namespaces\"} 4\n"));
  EXPECT_THAT(text, HasSubstr("kubernetes_build_info{"));
}

TEST(Metrics, AreNotForEverybody) {
  ApiHandler server;
  EXPECT_EQ(Send(server, "/metrics")->status(), 403);
}

}  // namespace
}  // namespace kube::apiserver
