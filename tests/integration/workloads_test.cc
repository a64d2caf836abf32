// envtest::Workloads on the embedded server against kube-controller-manager on a real one: what
// becomes of the same objects. On both, Workloads does what nodes do.

#include "envtest/workloads/workloads.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/discovery/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/yaml/json_to_yaml.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/control_plane.h"
#include "envtest/environment.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "re2/re2.h"
#include "tests/integration/real_server.h"

namespace kube::integration {
namespace {

namespace appsv1 = api::apps::v1;
namespace batchv1 = api::batch::v1;
namespace corev1 = api::core::v1;
namespace discoveryv1 = api::discovery::v1;
using base::IsOk;

constexpr typed::Resource kReplicaSets = {.group = "apps",
                                          .version = "v1",
                                          .plural = "replicasets",
                                          .kind = "ReplicaSet",
                                          .built_in = true};
constexpr typed::Resource kJobs = {
    .group = "batch", .version = "v1", .plural = "jobs", .kind = "Job", .built_in = true};
constexpr typed::Resource kServices = {
    .version = "v1", .plural = "services", .kind = "Service", .built_in = true};
constexpr typed::Resource kSlices = {.group = "discovery.k8s.io",
                                     .version = "v1",
                                     .plural = "endpointslices",
                                     .kind = "EndpointSlice",
                                     .built_in = true};

// The clients of one server.
struct Cluster {
  explicit Cluster(const rest::Client& client)
      : deployments(Deployments(client, kDeployments).Namespace("default")),
        sets(ReplicaSets(client, kReplicaSets).Namespace("default")),
        jobs(Jobs(client, kJobs).Namespace("default")),
        pods(Pods(client, kPods).Namespace("default")),
        services(Services(client, kServices).Namespace("default")),
        slices(Slices(client, kSlices).Namespace("default")) {}

  using Deployments = typed::TypedClient<appsv1::Deployment, appsv1::DeploymentList>;
  using ReplicaSets = typed::TypedClient<appsv1::ReplicaSet, appsv1::ReplicaSetList>;
  using Jobs = typed::TypedClient<batchv1::Job, batchv1::JobList>;
  using Pods = typed::TypedClient<corev1::Pod, corev1::PodList>;
  using Services = typed::TypedClient<corev1::Service, corev1::ServiceList>;
  using Slices = typed::TypedClient<discoveryv1::EndpointSlice, discoveryv1::EndpointSliceList>;

  Deployments deployments;
  ReplicaSets sets;
  Jobs jobs;
  Pods pods;
  Services services;
  Slices slices;
};

void WaitFor(absl::string_view what, absl::FunctionRef<bool()> done) {
  for (int i = 0; i < 600; ++i) {
    if (done()) return;
    base::SleepFor(Context(), absl::Milliseconds(100)).IgnoreError();
  }
  ADD_FAILURE() << "waited in vain for " << what;
}

template <typename T, typename ClientT>
void Make(const ClientT& client, absl::string_view yaml) {
  const absl::StatusOr<T> object = codec::DecodeYaml<T>(yaml);
  ASSERT_THAT(object, IsOk());
  ASSERT_THAT(client.Create(Soon(), *object), IsOk());
}

void WaitForRollout(const Cluster& cluster, const char* name) {
  WaitFor(absl::StrCat("the rollout of ", name), [&] {
    const auto found = cluster.deployments.Get(Soon(), name);
    if (!found.ok()) return false;
    const int32_t wanted = *found->spec.replicas;
    return found->status.observed_generation >= found->metadata.generation &&
           found->status.updated_replicas == wanted && found->status.replicas == wanted &&
           found->status.available_replicas == wanted && found->status.terminating_replicas == 0;
  });
}

void Change(const Cluster& cluster, const char* name,
            absl::FunctionRef<void(appsv1::Deployment&)> change) {
  ASSERT_THAT(cluster.deployments.Edit(Soon(), name,
                                       [&](appsv1::Deployment& deployment) {
                                         change(deployment);
                                         return absl::OkStatus();
                                       }),
              IsOk());
  WaitForRollout(cluster, name);
}

// What is different each time: of a replica set its name, by its revision.
std::vector<std::pair<std::string, std::string>> NamesOf(const Cluster& cluster) {
  std::vector<std::pair<std::string, std::string>> names;
  const auto sets = cluster.sets.List(Soon());
  for (const appsv1::ReplicaSet& set : sets->items) {
    names.emplace_back(
        set.metadata.labels.value_or("pod-template-hash", "").view(),
        absl::StrCat(
            "HASH",
            set.metadata.annotations.value_or("deployment.kubernetes.io/revision", "").view()));
  }
  return names;
}

// The objects of one kind, without what differs each time.
template <typename ListT>
std::string Describe(const Cluster& cluster, absl::string_view kind, absl::StatusOr<ListT> list) {
  std::vector<std::string> texts;
  for (auto& object : list->items) {
    object.metadata.managed_fields.reset();
    object.metadata.resource_version = "";
    // How often the endpoints changed, and when.
    if (kind == "EndpointSlice") object.metadata.generation = 0;
    object.metadata.annotations.erase("endpoints.kubernetes.io/last-change-trigger-time");
    if (object.metadata.annotations.empty()) object.metadata.annotations.reset();
    std::string text =
        absl::StrCat("--- ", kind, "\n", *codec::JsonToYaml(*codec::EncodeJson(object)));
    text = absl::StrReplaceAll(text, NamesOf(cluster));
    RE2::GlobalReplace(&text, R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)", "TIME");
    RE2::GlobalReplace(&text, R"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})",
                       "UID");
    RE2::GlobalReplace(&text, R"(10\.\d+\.\d+\.\d+)", "IP");
    RE2::GlobalReplace(&text, R"(-[bcdfghjklmnpqrstvwxz2456789]{5}\b)", "-RAND");
    texts.push_back(std::move(text));
  }
  std::sort(texts.begin(), texts.end());
  return absl::StrJoin(texts, "");
}

// A life, and what is there at its end.
std::string Live(const rest::Client& client) {
  const Cluster cluster(client);
  Make<corev1::Service>(cluster.services, R"(
metadata: {name: web, labels: {team: blue}}
spec: {selector: {app: web}, ports: [{name: main, port: 8080, targetPort: http}]}
)");
  Make<appsv1::Deployment>(cluster.deployments, R"(
metadata: {name: web, annotations: {team: blue}}
spec:
  replicas: 3
  minReadySeconds: 1
  selector: {matchLabels: {app: web}}
  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}
  template:
    metadata: {labels: {app: web}, annotations: {a: b}}
    spec:
      terminationGracePeriodSeconds: 5
      containers: [{name: web, image: "web:1", ports: [{name: http, containerPort: 80}]}]
)");
  WaitForRollout(cluster, "web");
  Change(cluster, "web",
         [](appsv1::Deployment& web) { web.spec.template_.spec.containers[0].image = "web:2"; });
  Change(cluster, "web", [](appsv1::Deployment& web) { web.spec.replicas = 5; });
  Change(cluster, "web",
         [](appsv1::Deployment& web) { web.spec.template_.spec.containers[0].image = "web:1"; });
  Change(cluster, "web", [](appsv1::Deployment& web) { web.spec.replicas = 2; });

  Make<appsv1::Deployment>(cluster.deployments, R"(
metadata: {name: db}
spec:
  replicas: 1
  revisionHistoryLimit: 1
  selector: {matchLabels: {app: db}}
  strategy: {type: Recreate}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: "db:1"}]}
)");
  WaitForRollout(cluster, "db");
  for (const absl::string_view image : {"db:2", "db:3"}) {
    Change(cluster, "db",
           [image](appsv1::Deployment& db) { db.spec.template_.spec.containers[0].image = image; });
  }
  Make<batchv1::Job>(cluster.jobs, R"(
metadata: {name: sum}
spec:
  completions: 3
  parallelism: 2
  template: {spec: {restartPolicy: Never, containers: [{name: sum, image: "sum:1"}]}}
)");
  Make<batchv1::Job>(cluster.jobs, R"(
metadata: {name: parts}
spec:
  completions: 3
  parallelism: 3
  completionMode: Indexed
  template: {spec: {restartPolicy: Never, containers: [{name: part, image: "part:1"}]}}
)");
  for (const char* name : {"sum", "parts"}) {
    WaitFor(name, [&] {
      const auto job = cluster.jobs.Get(Soon(), name);
      return job->status.completion_time.has_value();
    });
  }
  // The history beyond its limit, and what services learn of, go later.
  WaitFor("the end of the history", [&] { return cluster.sets.List(Soon())->items.size() == 4; });
  WaitFor("the endpoints", [&] {
    const auto slices = cluster.slices.List(Soon());
    return std::any_of(slices->items.begin(), slices->items.end(), [](const auto& slice) {
      return slice.endpoints.size() == 2 && *slice.endpoints[0].conditions.ready &&
             *slice.endpoints[1].conditions.ready;
    });
  });
  return absl::StrCat(
      Describe(cluster, "Deployment", cluster.deployments.List(Soon())),
      Describe(cluster, "ReplicaSet", cluster.sets.List(Soon())),
      Describe(cluster, "Pod", cluster.pods.List(Soon())),
      Describe(cluster, "Job", cluster.jobs.List(Soon())),
      Describe(cluster, "EndpointSlice",
               cluster.slices.List(Soon(), {.label_selector = "kubernetes.io/service-name=web"})));
}

TEST(Workloads, AsTheRealOnes) {
  auto plane = envtest::ControlPlane::Start(Soon(), {.controller_manager = true});
  ASSERT_THAT(plane, IsOk());
  auto nodes = envtest::Workloads::Start((*plane)->Config(), {.controllers = false});
  ASSERT_THAT(nodes, IsOk());
  const std::string expected = Live(ClientOf((*plane)->Config()));
  nodes->reset();

  auto embedded = envtest::EmbeddedEnvironment::Start();
  ASSERT_THAT(embedded, IsOk());
  auto workloads = envtest::Workloads::Start((*embedded)->Config());
  ASSERT_THAT(workloads, IsOk());
  EXPECT_EQ(Live(ClientOf((*embedded)->Config())), expected);
}

}  // namespace
}  // namespace kube::integration
