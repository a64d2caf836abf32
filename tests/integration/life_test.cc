// Adoption, disruption budgets, Endpoints and the events of controllers: envtest::Workloads on the
// embedded server against kube-controller-manager on a real one. On both, Workloads does what the
// scheduler and the nodes do.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/yaml/json_to_yaml.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/control_plane.h"
#include "envtest/environment.h"
#include "envtest/workloads/workloads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "re2/re2.h"
#include "tests/integration/real_server.h"

namespace kube::integration {
namespace {

namespace appsv1 = api::apps::v1;
namespace batchv1 = api::batch::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace policyv1 = api::policy::v1;
using base::IsOk;

template <typename T, typename ListT>
typed::TypedClient<T, ListT> ClientFor(const rest::Client& client, absl::string_view group,
                                       absl::string_view plural, absl::string_view kind) {
  return typed::TypedClient<T, ListT>(
             client,
             {.group = group, .version = "v1", .plural = plural, .kind = kind, .built_in = true})
      .Namespace("default");
}

// The clients of one server.
struct Cluster {
  explicit Cluster(const rest::Client& rest_client) : client(rest_client) {}

  rest::Client client;
  typed::TypedClient<appsv1::Deployment, appsv1::DeploymentList> deployments =
      ClientFor<appsv1::Deployment, appsv1::DeploymentList>(client, "apps", "deployments",
                                                            "Deployment");
  typed::TypedClient<appsv1::ReplicaSet, appsv1::ReplicaSetList> sets =
      ClientFor<appsv1::ReplicaSet, appsv1::ReplicaSetList>(client, "apps", "replicasets",
                                                            "ReplicaSet");
  typed::TypedClient<appsv1::StatefulSet, appsv1::StatefulSetList> stateful_sets =
      ClientFor<appsv1::StatefulSet, appsv1::StatefulSetList>(client, "apps", "statefulsets",
                                                              "StatefulSet");
  typed::TypedClient<batchv1::Job, batchv1::JobList> jobs =
      ClientFor<batchv1::Job, batchv1::JobList>(client, "batch", "jobs", "Job");
  typed::TypedClient<policyv1::PodDisruptionBudget, policyv1::PodDisruptionBudgetList> budgets =
      ClientFor<policyv1::PodDisruptionBudget, policyv1::PodDisruptionBudgetList>(
          client, "policy", "poddisruptionbudgets", "PodDisruptionBudget");
  typed::TypedClient<corev1::Service, corev1::ServiceList> services =
      ClientFor<corev1::Service, corev1::ServiceList>(client, "", "services", "Service");
  typed::TypedClient<corev1::Endpoints, corev1::EndpointsList> endpoints =
      ClientFor<corev1::Endpoints, corev1::EndpointsList>(client, "", "endpoints", "Endpoints");
  typed::TypedClient<corev1::Pod, corev1::PodList> pods =
      ClientFor<corev1::Pod, corev1::PodList>(client, "", "pods", "Pod");
  typed::TypedClient<corev1::Event, corev1::EventList> events =
      ClientFor<corev1::Event, corev1::EventList>(client, "", "events", "Event");
};

void WaitFor(absl::string_view what, absl::FunctionRef<bool()> done) {
  for (int i = 0; i < 900; ++i) {
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

void WaitForReplicaSet(const Cluster& cluster, const char* name, int32_t replicas) {
  WaitFor(absl::StrCat(replicas, " pods of ", name), [&] {
    const auto set = cluster.sets.Get(Soon(), name);
    return set.ok() && set->status.observed_generation >= set->metadata.generation &&
           set->status.replicas == replicas && set->status.available_replicas == replicas;
  });
}

void WaitForDeployment(const Cluster& cluster, const char* name) {
  WaitFor(absl::StrCat("the rollout of ", name), [&] {
    const auto web = cluster.deployments.Get(Soon(), name);
    return web.ok() && web->status.observed_generation >= web->metadata.generation &&
           web->status.updated_replicas == *web->spec.replicas &&
           web->status.replicas == *web->spec.replicas &&
           web->status.available_replicas == *web->spec.replicas;
  });
}

void WaitForBudget(const Cluster& cluster, const char* name, int32_t allowed) {
  WaitFor(absl::StrCat("the budget ", name), [&] {
    const auto budget = cluster.budgets.Get(Soon(), name);
    return budget.ok() && budget->status.observed_generation == budget->metadata.generation &&
           budget->status.disruptions_allowed == allowed && budget->status.disrupted_pods.empty();
  });
}

absl::Status Evict(const Cluster& cluster, absl::string_view pod) {
  policyv1::Eviction eviction;
  eviction.metadata.name = pod;
  return cluster.pods
      .CreateSubresource<policyv1::Eviction, metav1::Status>(
          Soon(), pod, {.name = "eviction", .group = "policy", .version = "v1", .kind = "Eviction"},
          eviction)
      .status();
}

// What is different each time: the hash in the names of replica sets.
std::vector<std::pair<std::string, std::string>> NamesOf(const Cluster& cluster) {
  std::vector<std::pair<std::string, std::string>> names;
  const auto sets = cluster.sets.List(Soon());
  for (const appsv1::ReplicaSet& set : sets->items) {
    const auto hash = set.metadata.labels.value_or("pod-template-hash", "");
    if (!hash.view().empty()) names.emplace_back(hash.view(), "HASH");
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
    object.metadata.annotations.erase("endpoints.kubernetes.io/last-change-trigger-time");
    if (object.metadata.annotations.empty()) object.metadata.annotations.reset();
    std::string text =
        absl::StrCat("--- ", kind, "\n", *codec::JsonToYaml(*codec::EncodeJson(object)));
    text = absl::StrReplaceAll(text, NamesOf(cluster));
    RE2::GlobalReplace(&text, R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)", "TIME");
    RE2::GlobalReplace(&text, R"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})",
                       "UID");
    RE2::GlobalReplace(&text, R"(resourceVersion: "\d+")", "resourceVersion: NUMBER");
    RE2::GlobalReplace(&text, R"(10\.\d+\.\d+\.\d+)", "IP");
    RE2::GlobalReplace(&text, R"(-[bcdfghjklmnpqrstvwxz2456789]{5}\b)", "-RAND");
    texts.push_back(std::move(text));
  }
  std::sort(texts.begin(), texts.end());
  return absl::StrJoin(texts, "");
}

// Describes the Endpoints of services; the API server writes those of its own.
std::string DescribeEndpoints(const Cluster& cluster) {
  auto endpoints = cluster.endpoints.List(Soon());
  corev1::EndpointsList list;
  for (const corev1::Endpoints& each : endpoints->items) {
    if (each.metadata.name != "kubernetes") list.items.push_back(each);
  }
  return Describe(cluster, "Endpoints", absl::StatusOr<corev1::EndpointsList>(std::move(list)));
}

// Describes the events of workloads. How often a budget was looked at differs each time, and those
// of pods are the scheduler's, which is the same one on both. There are no volumes here, so those
// of claims are left out, too.
std::string DescribeEvents(const Cluster& cluster) {
  const auto events = cluster.events.List(Soon());
  corev1::EventList list;
  for (const corev1::Event& each : events->items) {
    const absl::string_view kind = each.involved_object.kind.view();
    if (kind == "Pod" || kind == "PodDisruptionBudget" || kind == "Node" ||
        kind == "PersistentVolumeClaim") {
      continue;
    }
    list.items.push_back(each);
    list.items.back().metadata.name = "";
  }
  return Describe(cluster, "Event", absl::StatusOr<corev1::EventList>(std::move(list)));
}

// An orphan that a replica set adopts, and another one that it has to release.
void LiveWithOrphans(const Cluster& cluster) {
  Make<corev1::Pod>(cluster.pods, R"(
metadata: {name: orphan, labels: {app: loose}}
spec: {containers: [{name: loose, image: "loose:1"}]}
)");
  WaitFor("the orphan",
          [&] { return cluster.pods.Get(Soon(), "orphan")->status.phase == "Running"; });
  Make<appsv1::ReplicaSet>(cluster.sets, R"(
metadata: {name: loose}
spec:
  replicas: 2
  selector: {matchLabels: {app: loose}}
  template:
    metadata: {labels: {app: loose}}
    spec: {containers: [{name: loose, image: "loose:1"}]}
)");
  WaitForReplicaSet(cluster, "loose", 2);
  const auto pods = cluster.pods.List(Soon());
  for (const corev1::Pod& each : pods->items) {
    if (each.metadata.name == "orphan") continue;
    ASSERT_THAT(cluster.pods.Edit(Soon(), each.metadata.name.view(),
                                  [](corev1::Pod& pod) {
                                    pod.metadata.labels["app"] = "released";
                                    return absl::OkStatus();
                                  }),
                IsOk());
  }
  WaitFor("the replacement", [&] { return cluster.pods.List(Soon())->items.size() == 3; });
  WaitForReplicaSet(cluster, "loose", 2);
  Make<corev1::Service>(cluster.services, R"(
metadata: {name: loose}
spec: {clusterIP: None, selector: {app: loose}}
)");
}

// A budget that allows one eviction at a time, and a deployment that loses its replica set.
void LiveWithBudgets(const Cluster& cluster) {
  constexpr absl::string_view kWeb = R"(
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: "web:1", ports: [{name: http, containerPort: 80}]}
)";
  Make<corev1::Service>(cluster.services, R"(
metadata: {name: web, labels: {team: blue}}
spec: {selector: {app: web}, ports: [{name: main, port: 8080, targetPort: http}]}
)");
  Make<appsv1::Deployment>(cluster.deployments, kWeb);
  WaitForDeployment(cluster, "web");
  Make<policyv1::PodDisruptionBudget>(cluster.budgets, R"(
metadata: {name: web}
spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}
)");
  Make<policyv1::PodDisruptionBudget>(cluster.budgets, R"(
metadata: {name: loose}
spec: {minAvailable: 100%, selector: {matchLabels: {app: loose}}}
)");
  WaitForBudget(cluster, "web", 1);
  WaitForBudget(cluster, "loose", 0);
  EXPECT_TRUE(errors::IsTooManyRequests(Evict(cluster, "orphan")));
  const auto pods = cluster.pods.List(Soon(), {.label_selector = "app=web"});
  ASSERT_THAT(pods, IsOk());
  EXPECT_THAT(Evict(cluster, pods->items[0].metadata.name.view()), IsOk());
  WaitForBudget(cluster, "web", 1);

  ASSERT_THAT(cluster.deployments.Delete(Soon(), "web", {.propagation_policy = "Orphan"}), IsOk());
  WaitFor("the end of the deployment",
          [&] { return errors::IsNotFound(cluster.deployments.Get(Soon(), "web").status()); });
  Make<appsv1::Deployment>(cluster.deployments, kWeb);
  WaitForDeployment(cluster, "web");
}

void LiveWithOthers(const Cluster& cluster) {
  Make<appsv1::StatefulSet>(cluster.stateful_sets, R"(
metadata: {name: db}
spec:
  replicas: 1
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: "db:1"}]}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
)");
  WaitFor("the stateful set",
          [&] { return cluster.stateful_sets.Get(Soon(), "db")->status.available_replicas == 1; });
  Make<batchv1::Job>(cluster.jobs, R"(
metadata: {name: sum}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}
)");
  WaitFor("the job",
          [&] { return cluster.jobs.Get(Soon(), "sum")->status.completion_time.has_value(); });
}

// A life, and what is there at its end.
std::string Live(const rest::Client& client) {
  const Cluster cluster(client);
  LiveWithOrphans(cluster);
  LiveWithBudgets(cluster);
  LiveWithOthers(cluster);
  WaitFor("endpoints", [&] {
    const auto web = cluster.endpoints.Get(Soon(), "web");
    const auto loose = cluster.endpoints.Get(Soon(), "loose");
    return web.ok() && loose.ok() && web->subsets.size() == 1 && loose->subsets.size() == 1 &&
           web->subsets[0].addresses.size() == 3 && loose->subsets[0].addresses.size() == 2;
  });
  WaitFor("the last event", [&] {
    const auto events = cluster.events.List(Soon());
    return std::any_of(events->items.begin(), events->items.end(),
                       [](const corev1::Event& each) { return each.reason == "Completed"; });
  });
  return absl::StrCat(Describe(cluster, "Deployment", cluster.deployments.List(Soon())),
                      Describe(cluster, "ReplicaSet", cluster.sets.List(Soon())),
                      Describe(cluster, "Pod", cluster.pods.List(Soon())),
                      Describe(cluster, "PodDisruptionBudget", cluster.budgets.List(Soon())),
                      DescribeEndpoints(cluster), DescribeEvents(cluster));
}

TEST(Life, AsTheRealOne) {
  // Nobody renews the lease of the node that Workloads makes.
  auto plane = envtest::ControlPlane::Start(
      Soon(),
      {.controller_manager = true, .controller_manager_flags = {"--node-monitor-grace-period=1h"}});
  ASSERT_THAT(plane, IsOk());
  auto nodes = envtest::Workloads::Start((*plane)->Config(), {.controllers = false});
  ASSERT_THAT(nodes, IsOk());
  const std::string expected = Live(ClientOf((*plane)->Config()));
  nodes->reset();
  // What it is about is there at all.
  for (const char* each : {"name: orphan", "reason: SufficientPods", "reason: ScalingReplicaSet",
                           "--- PodDisruptionBudget", "reason: Completed"}) {
    EXPECT_THAT(expected, testing::HasSubstr(each));
  }

  auto embedded = envtest::EmbeddedEnvironment::Start();
  ASSERT_THAT(embedded, IsOk());
  auto workloads = envtest::Workloads::Start((*embedded)->Config());
  ASSERT_THAT(workloads, IsOk());
  EXPECT_EQ(Live(ClientOf((*embedded)->Config())), expected);
}

}  // namespace
}  // namespace kube::integration
