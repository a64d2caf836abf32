#include "envtest/workloads/workloads.h"

#include <cstdint>
#include <functional>
#include <iostream>
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
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/discovery/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/errors/predicates.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/in_process_transport.h"
#include "envtest/workloads/pod_run.h"
#include "envtest/workloads/workloads_options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest {
namespace {

namespace appsv1 = api::apps::v1;
namespace batchv1 = api::batch::v1;
namespace corev1 = api::core::v1;
namespace discoveryv1 = api::discovery::v1;
namespace metav1 = api::meta::v1;
using base::IsOk;
using testing::ElementsAre;
using testing::StartsWith;

constexpr typed::Resource kDeployments = {.group = "apps",
                                          .version = "v1",
                                          .plural = "deployments",
                                          .kind = "Deployment",
                                          .built_in = true};
constexpr typed::Resource kReplicaSets = {.group = "apps",
                                          .version = "v1",
                                          .plural = "replicasets",
                                          .kind = "ReplicaSet",
                                          .built_in = true};
constexpr typed::Resource kJobs = {
    .group = "batch", .version = "v1", .plural = "jobs", .kind = "Job", .built_in = true};
constexpr typed::Resource kPods = {
    .version = "v1", .plural = "pods", .kind = "Pod", .built_in = true};
constexpr typed::Resource kServices = {
    .version = "v1", .plural = "services", .kind = "Service", .built_in = true};
constexpr typed::Resource kSlices = {.group = "discovery.k8s.io",
                                     .version = "v1",
                                     .plural = "endpointslices",
                                     .kind = "EndpointSlice",
                                     .built_in = true};

constexpr absl::string_view kWeb = R"(
metadata: {name: web, annotations: {team: blue}}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1", ports: [{name: http, containerPort: 80}]}]}
)";

// A server with life in it, and clients of the namespace default.
struct Cluster {
  explicit Cluster(WorkloadsOptions options = {},
                   apiserver::HandlerOptions handler = {.cluster_objects = false})
      : server(std::move(handler)),
        client(*rest::MakeClient(InProcessConfig(server))),
        deployments(Deployments(client, kDeployments).Namespace("default")),
        sets(ReplicaSets(client, kReplicaSets).Namespace("default")),
        jobs(Jobs(client, kJobs).Namespace("default")),
        pods(Pods(client, kPods).Namespace("default")),
        services(Services(client, kServices).Namespace("default")),
        slices(Slices(client, kSlices).Namespace("default")),
        workloads(*Workloads::Start(InProcessConfig(server), std::move(options))) {}

  using Deployments = typed::TypedClient<appsv1::Deployment, appsv1::DeploymentList>;
  using ReplicaSets = typed::TypedClient<appsv1::ReplicaSet, appsv1::ReplicaSetList>;
  using Jobs = typed::TypedClient<batchv1::Job, batchv1::JobList>;
  using Pods = typed::TypedClient<corev1::Pod, corev1::PodList>;
  using Services = typed::TypedClient<corev1::Service, corev1::ServiceList>;
  using Slices = typed::TypedClient<discoveryv1::EndpointSlice, discoveryv1::EndpointSliceList>;

  apiserver::ApiHandler server;
  rest::Client client;
  Deployments deployments;
  ReplicaSets sets;
  Jobs jobs;
  Pods pods;
  Services services;
  Slices slices;
  std::unique_ptr<Workloads> workloads;

  // Makes an object of YAML.
  template <typename T, typename ClientT>
  void Make(const ClientT& where, absl::string_view yaml) {
    absl::StatusOr<T> object = codec::DecodeYaml<T>(yaml);
    ASSERT_THAT(object, IsOk());
    ASSERT_THAT(where.Create(Context(), *object), IsOk());
  }

  // Blocks until `done` holds, for an hour at most.
  void WaitFor(absl::string_view what, absl::FunctionRef<bool()> done) {
    for (int i = 0; i < 36'000; ++i) {
      if (done()) return;
      ASSERT_THAT(base::SleepFor(Context(), absl::Milliseconds(100)), IsOk());
    }
    FAIL() << "waited in vain for " << what;
  }

  // As `kubectl rollout status`: whether the last change is rolled out.
  bool IsRolledOut(absl::string_view name) {
    const auto found = deployments.Get(Context(), name);
    if (!found.ok()) return false;
    const appsv1::DeploymentStatus& status = found->status;
    const int32_t wanted = *found->spec.replicas;
    return found->metadata.generation <= status.observed_generation &&
           status.updated_replicas >= wanted && status.replicas <= status.updated_replicas &&
           status.available_replicas >= status.updated_replicas;
  }
};

void InSimulation(uint64_t seed, absl::FunctionRef<void()> body) {
  base::SimRuntime sim({.seed = seed});
  const absl::Status end = sim.Run([&] { body(); });
  EXPECT_THAT(end, IsOk());
}

std::string Describe(const appsv1::DeploymentStatus& status) {
  std::string text =
      absl::StrCat("gen ", status.observed_generation, " replicas ", status.replicas, " updated ",
                   status.updated_replicas, " ready ", status.ready_replicas, " available ",
                   status.available_replicas, " unavailable ", status.unavailable_replicas,
                   " terminating ", status.terminating_replicas.value_or(-1));
  for (const auto& each : status.conditions) {
    absl::StrAppend(&text, "; ", each.type.view(), "=", each.status.view(), " ",
                    each.reason.view());
  }
  return text;
}

TEST(Workloads, ADeploymentBecomesAvailable) {
  InSimulation(1, [] {
    Cluster cluster({.pod_ready_after = absl::Seconds(5)});
    const absl::Time start = base::WallNow();
    cluster.Make<appsv1::Deployment>(cluster.deployments, kWeb);
    cluster.WaitFor("the rollout", [&] { return cluster.IsRolledOut("web"); });
    const absl::Duration took = base::WallNow() - start;
    EXPECT_GE(took, absl::Seconds(5));
    EXPECT_LE(took, absl::Seconds(7));

    const auto web = cluster.deployments.Get(Context(), "web");
    EXPECT_EQ(Describe(web->status),
              "gen 1 replicas 3 updated 3 ready 3 available 3 unavailable 0 terminating 0; "
              "Available=True MinimumReplicasAvailable; Progressing=True NewReplicaSetAvailable");
    const auto sets = cluster.sets.List(Context());
    ASSERT_EQ(sets->items.size(), 1u);
    const std::string name(sets->items[0].metadata.name);
    EXPECT_THAT(name, StartsWith("web-"));
    EXPECT_EQ(sets->items[0].metadata.annotations.value_or("team", ""), "blue");
    EXPECT_EQ(web->metadata.annotations.value_or("deployment.kubernetes.io/revision", ""), "1");
    EXPECT_EQ(web->status.conditions[1].message,
              absl::StrCat("ReplicaSet \"", name, "\" has successfully progressed."));
    const auto pods = cluster.pods.List(Context());
    ASSERT_EQ(pods->items.size(), 3u);
    for (const corev1::Pod& pod : pods->items) {
      EXPECT_THAT(std::string(pod.metadata.name), StartsWith(name + "-"));
      EXPECT_EQ(pod.spec.node_name, "node-0");
      EXPECT_EQ(pod.status.phase, "Running");
      EXPECT_FALSE(pod.status.pod_ip.empty());
    }
  });
}

// Ready pods that are not being deleted.
int Ready(const Cluster& cluster) {
  int ready = 0;
  const auto pods = cluster.pods.List(Context());
  for (const corev1::Pod& pod : pods->items) {
    if (pod.metadata.deletion_timestamp.has_value()) continue;
    for (const corev1::PodCondition& each : pod.status.conditions) {
      if (each.type == "Ready" && each.status == "True") ++ready;
    }
  }
  return ready;
}

TEST(Workloads, ARollingUpdateKeepsItsLimits) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    InSimulation(seed, [] {
      Cluster cluster({.pod_ready_after = absl::Seconds(2), .pod_stops_after = absl::Seconds(1)});
      cluster.Make<appsv1::Deployment>(cluster.deployments, kWeb);
      cluster.WaitFor("the first rollout", [&] { return cluster.IsRolledOut("web"); });
      ASSERT_THAT(cluster.deployments.Edit(Context(), "web",
                                           [](appsv1::Deployment& web) {
                                             web.spec.template_.spec.containers[0].image = "web:2";
                                             return absl::OkStatus();
                                           }),
                  IsOk());
      // A quarter of three, rounded up, may be too many, and, rounded down, too few.
      cluster.WaitFor("the second rollout", [&] {
        const auto sets = cluster.sets.List(Context());
        int32_t wanted = 0;
        for (const appsv1::ReplicaSet& set : sets->items) wanted += *set.spec.replicas;
        EXPECT_LE(wanted, 4);
        EXPECT_GE(Ready(cluster), 3);
        return cluster.IsRolledOut("web");
      });
      const auto sets = cluster.sets.List(Context());
      ASSERT_EQ(sets->items.size(), 2u);
      std::vector<std::string> revisions;
      for (const appsv1::ReplicaSet& set : sets->items) {
        const auto& annotations = set.metadata.annotations;
        revisions.push_back(
            absl::StrCat(annotations.value_or("deployment.kubernetes.io/revision", "").view(), ":",
                         *set.spec.replicas));
      }
      EXPECT_THAT(revisions, testing::UnorderedElementsAre("1:0", "2:3"));

      // Back again: the old replica set is the newest then.
      ASSERT_THAT(cluster.deployments.Edit(Context(), "web",
                                           [](appsv1::Deployment& web) {
                                             web.spec.template_.spec.containers[0].image = "web:1";
                                             return absl::OkStatus();
                                           }),
                  IsOk());
      cluster.WaitFor("the third rollout", [&] { return cluster.IsRolledOut("web"); });
      const auto web = cluster.deployments.Get(Context(), "web");
      EXPECT_EQ(web->metadata.annotations.value_or("deployment.kubernetes.io/revision", ""), "3");
      EXPECT_EQ(cluster.sets.List(Context())->items.size(), 2u);
    });
  }
}

TEST(Workloads, RecreateEndsTheOldPodsFirst) {
  InSimulation(1, [] {
    Cluster cluster({.pod_ready_after = absl::Seconds(1), .pod_stops_after = absl::Seconds(3)});
    std::string yaml(kWeb);
    absl::StrAppend(&yaml, "  strategy: {type: Recreate}\n");
    cluster.Make<appsv1::Deployment>(cluster.deployments, yaml);
    cluster.WaitFor("the first rollout", [&] { return cluster.IsRolledOut("web"); });
    ASSERT_THAT(cluster.deployments.Edit(Context(), "web",
                                         [](appsv1::Deployment& web) {
                                           web.spec.template_.spec.containers[0].image = "web:2";
                                           return absl::OkStatus();
                                         }),
                IsOk());
    cluster.WaitFor("the second rollout", [&] {
      int old_pods = 0;
      int new_pods = 0;
      const auto pods = cluster.pods.List(Context());
      for (const corev1::Pod& pod : pods->items) {
        ++(pod.spec.containers[0].image == "web:1" ? old_pods : new_pods);
      }
      EXPECT_TRUE(old_pods == 0 || new_pods == 0) << old_pods << " old, " << new_pods << " new";
      return cluster.IsRolledOut("web");
    });
    EXPECT_EQ(cluster.deployments.Get(Context(), "web")->status.updated_replicas, 3);
  });
}

TEST(Workloads, Deployment_ScaledThenDeleted_PodsFollow) {
  InSimulation(1, [] {
    Cluster cluster({.nodes = {"a", "b"}});
    cluster.Make<appsv1::Deployment>(cluster.deployments, kWeb);
    cluster.WaitFor("the rollout", [&] { return cluster.IsRolledOut("web"); });
    for (const int replicas : {6, 2, 0, 4}) {
      ASSERT_THAT(cluster.deployments.Edit(Context(), "web",
                                           [&](appsv1::Deployment& web) {
                                             web.spec.replicas = replicas;
                                             return absl::OkStatus();
                                           }),
                  IsOk());
      cluster.WaitFor("another size", [&] {
        return cluster.IsRolledOut("web") &&
               cluster.pods.List(Context())->items.size() == static_cast<size_t>(replicas);
      });
      EXPECT_EQ(cluster.deployments.Get(Context(), "web")->status.replicas, replicas);
    }
    int on_a = 0;
    const auto pods = cluster.pods.List(Context());
    for (const corev1::Pod& pod : pods->items) on_a += pod.spec.node_name == "a" ? 1 : 0;
    EXPECT_EQ(on_a, 2);
    EXPECT_EQ(cluster.sets.List(Context())->items.size(), 1u);

    ASSERT_THAT(cluster.deployments.Delete(Context(), "web"), IsOk());
    cluster.WaitFor("the end of the pods",
                    [&] { return cluster.pods.List(Context())->items.empty(); });
    EXPECT_TRUE(cluster.sets.List(Context())->items.empty());
  });
}

TEST(Workloads, Deployment_PodsNeverReady_ExceedsItsProgressDeadline) {
  InSimulation(1, [] {
    const auto pod_run = [](const corev1::Pod& pod, PodRun run) {
      if (pod.spec.containers[0].image == "web:broken") {
        run.ready_after = absl::InfiniteDuration();
      }
      return run;
    };
    Cluster cluster({.pod_run = pod_run});
    std::string yaml(kWeb);
    absl::StrAppend(&yaml, "  progressDeadlineSeconds: 30\n");
    cluster.Make<appsv1::Deployment>(cluster.deployments, yaml);
    cluster.WaitFor("the first rollout", [&] { return cluster.IsRolledOut("web"); });
    ASSERT_THAT(cluster.deployments.Edit(Context(), "web",
                                         [](appsv1::Deployment& web) {
                                           web.spec.template_.spec.containers[0].image =
                                               "web:broken";
                                           return absl::OkStatus();
                                         }),
                IsOk());
    cluster.WaitFor("the deadline", [&] {
      return absl::StrContains(Describe(cluster.deployments.Get(Context(), "web")->status),
                               "ProgressDeadlineExceeded");
    });
    EXPECT_EQ(Describe(cluster.deployments.Get(Context(), "web")->status),
              "gen 2 replicas 4 updated 1 ready 3 available 3 unavailable 1 terminating 0; "
              "Available=True MinimumReplicasAvailable; "
              "Progressing=False ProgressDeadlineExceeded");
  });
}

TEST(Workloads, Deployment_PodCreationForbidden_ReportsReplicaFailure) {
  InSimulation(1, [] {
    Cluster cluster({}, {.deny = {{.verb = "create", .resource = "pods"}}});
    cluster.Make<appsv1::Deployment>(cluster.deployments, kWeb);
    cluster.WaitFor("the failure", [&] {
      return absl::StrContains(Describe(cluster.deployments.Get(Context(), "web")->status),
                               "ReplicaFailure=True FailedCreate");
    });
    const auto before = cluster.server.Requests().size();
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(1)), IsOk());
    EXPECT_LT(cluster.server.Requests().size() - before, 100u) << "it tries again all the time";
    cluster.server.SetDenyRules({});
    cluster.WaitFor("the rollout", [&] { return cluster.IsRolledOut("web"); });
    EXPECT_FALSE(absl::StrContains(Describe(cluster.deployments.Get(Context(), "web")->status),
                                   "ReplicaFailure"));
  });
}

constexpr absl::string_view kSum = R"(
metadata: {name: sum}
spec:
  completions: 5
  parallelism: 2
  backoffLimit: 1
  template:
    spec: {restartPolicy: Never, containers: [{name: sum, image: "sum:1"}]}
)";

std::string Describe(const batchv1::JobStatus& status) {
  std::string text = absl::StrCat("active ", status.active, " succeeded ", status.succeeded,
                                  " failed ", status.failed);
  for (const auto& each : status.conditions) {
    absl::StrAppend(&text, "; ", each.type.view(), "=", each.status.view(), " ",
                    each.reason.view());
  }
  return text;
}

TEST(Workloads, Job_AllPodsSucceed_Completes) {
  InSimulation(1, [] {
    Cluster cluster({.pod_ready_after = absl::Seconds(1), .pod_ends_after = absl::Seconds(2)});
    cluster.Make<batchv1::Job>(cluster.jobs, kSum);
    cluster.WaitFor("completion", [&] {
      const auto job = cluster.jobs.Get(Context(), "sum");
      EXPECT_LE(job->status.active, 2);
      return job->status.completion_time.has_value();
    });
    const auto job = cluster.jobs.Get(Context(), "sum");
    EXPECT_EQ(Describe(job->status),
              "active 0 succeeded 5 failed 0; SuccessCriteriaMet=True CompletionsReached; "
              "Complete=True CompletionsReached");
    // Three rounds of two, two and one.
    EXPECT_GE(
        job->status.completion_time->ToUnixSeconds() - job->status.start_time->ToUnixSeconds(), 9);
    const auto pods = cluster.pods.List(Context());
    EXPECT_EQ(pods->items.size(), 5u);
    for (const corev1::Pod& pod : pods->items) EXPECT_TRUE(pod.metadata.finalizers.empty());
  });
}

TEST(Workloads, Job_PodsFail_FailsAtItsBackoffLimit) {
  InSimulation(1, [] {
    Cluster cluster({.pod_run = [](const corev1::Pod&, PodRun run) {
      run.exit_code = 3;
      return run;
    }});
    cluster.Make<batchv1::Job>(cluster.jobs, kSum);
    cluster.WaitFor("failure", [&] {
      return absl::StrContains(Describe(cluster.jobs.Get(Context(), "sum")->status), "; Failed=");
    });
    EXPECT_EQ(Describe(cluster.jobs.Get(Context(), "sum")->status),
              "active 0 succeeded 0 failed 2; FailureTarget=True BackoffLimitExceeded; "
              "Failed=True BackoffLimitExceeded");
  });
}

TEST(Workloads, IndexedJob_AllPodsSucceed_CompletesEachIndex) {
  InSimulation(1, [] {
    Cluster cluster;
    std::string yaml(kSum);
    absl::StrAppend(&yaml, "  completionMode: Indexed\n");
    cluster.Make<batchv1::Job>(cluster.jobs, yaml);
    cluster.WaitFor("completion", [&] {
      return cluster.jobs.Get(Context(), "sum")->status.completion_time.has_value();
    });
    EXPECT_EQ(cluster.jobs.Get(Context(), "sum")->status.completed_indexes, "0-4");
  });
}

TEST(Workloads, AServiceGetsTheAddressesOfItsPods) {
  InSimulation(1, [] {
    Cluster cluster({.pod_ready_after = absl::Seconds(1)});
    cluster.Make<corev1::Service>(cluster.services, R"(
metadata: {name: web}
spec: {selector: {app: web}, ports: [{name: main, port: 8080, targetPort: http}]}
)");
    const auto endpoints = [&] {
      std::vector<std::string> lines;
      const auto slices = cluster.slices.List(Context());
      for (const discoveryv1::EndpointSlice& slice : slices->items) {
        for (const discoveryv1::Endpoint& each : slice.endpoints) {
          lines.push_back(absl::StrCat(each.addresses[0].view(), ":", *slice.ports[0].port,
                                       *each.conditions.ready ? " ready" : ""));
        }
      }
      return lines;
    };
    cluster.Make<appsv1::Deployment>(cluster.deployments, kWeb);
    cluster.WaitFor("endpoints", [&] { return endpoints().size() == 3; });
    EXPECT_THAT(endpoints(),
                testing::UnorderedElementsAre("10.244.0.1:80 ready", "10.244.0.2:80 ready",
                                              "10.244.0.3:80 ready"));
    ASSERT_THAT(cluster.deployments.Delete(Context(), "web"), IsOk());
    cluster.WaitFor("the end of the endpoints", [&] { return endpoints().empty(); });
    ASSERT_THAT(cluster.services.Delete(Context(), "web"), IsOk());
    cluster.WaitFor("the end of the slices",
                    [&] { return cluster.slices.List(Context())->items.empty(); });
  });
}

// A namespace with all of it goes, though a job's pods are held by a finalizer.
TEST(Workloads, ANamespaceCanBeDeleted) {
  InSimulation(1, [] {
    Cluster cluster({.pod_stops_after = absl::Seconds(1)});
    const typed::TypedClient<corev1::Namespace, corev1::NamespaceList> namespaces(
        cluster.client, {.version = "v1",
                         .plural = "namespaces",
                         .kind = "Namespace",
                         .namespaced = false,
                         .built_in = true});
    cluster.Make<corev1::Namespace>(namespaces, "metadata: {name: old}");
    cluster.Make<batchv1::Job>(cluster.jobs.Namespace("old"), kSum);
    cluster.Make<appsv1::Deployment>(cluster.deployments.Namespace("old"), kWeb);
    cluster.WaitFor(
        "pods", [&] { return cluster.pods.Namespace("old").List(Context())->items.size() > 3; });
    ASSERT_THAT(namespaces.Delete(Context(), "old"), IsOk());
    cluster.WaitFor("its end",
                    [&] { return errors::IsNotFound(namespaces.Get(Context(), "old").status()); });
  });
}

// What there was before counts as well, and two that do the same do not harm each other.
TEST(Workloads, Start_SecondInstance_TakesOver) {
  InSimulation(1, [] {
    Cluster cluster({.pod_ready_after = absl::Seconds(1)});
    cluster.Make<appsv1::Deployment>(cluster.deployments, kWeb);
    auto second = Workloads::Start(InProcessConfig(cluster.server));
    cluster.workloads.reset();
    cluster.WaitFor("the rollout", [&] { return cluster.IsRolledOut("web"); });
    EXPECT_EQ(cluster.pods.List(Context())->items.size(), 3u);
  });
}

// A pod is not ready while a container is down, and afterwards it is as a kubelet leaves it.
TEST(Workloads, AContainerIsRestarted) {
  InSimulation(1, [] {
    Cluster cluster;
    cluster.Make<appsv1::Deployment>(cluster.deployments, kWeb);
    cluster.Make<corev1::Service>(
        cluster.services,
        "{metadata: {name: web}, spec: {selector: {app: web}, ports: [{port: 80}]}}");
    cluster.WaitFor("the rollout", [&] { return cluster.IsRolledOut("web"); });
    const corev1::Pod before = cluster.pods.List(Context())->items[0];
    const std::string name(before.metadata.name);
    auto watcher =
        *cluster.pods.Watch(Context(), {.field_selector = absl::StrCat("metadata.name=", name),
                                        .resource_version = before.metadata.resource_version});
    const absl::Time start = base::WallNow();
    base::ThreadGroup node{Context()};
    node.Go("crash", [&](const Context& ctx) {
      return cluster.workloads->RestartContainer(ctx, "default", name, "web",
                                                 {.exit_code = 3, .back_off = absl::Seconds(10)});
    });
    // Meanwhile.
    cluster.WaitFor("a pod less", [&] { return Ready(cluster) == 2; });
    cluster.WaitFor("its deployment", [&] { return !cluster.IsRolledOut("web"); });
    cluster.WaitFor("the restart", [&] { return cluster.IsRolledOut("web"); });
    ASSERT_THAT(node.Wait(), IsOk());
    EXPECT_GE(base::WallNow() - start, absl::Seconds(10));

    std::vector<std::string> states;
    while (states.size() < 3) {
      const auto event = watcher->Next(WithTimeout(Context(), absl::Minutes(1)));
      ASSERT_THAT(event, IsOk());
      const corev1::ContainerStatus& web = (*event)->object->status.container_statuses[0];
      states.push_back(absl::StrCat(web.state.terminated ? "terminated"
                                    : web.state.waiting  ? web.state.waiting->reason.view()
                                                         : "running",
                                    web.ready ? " ready " : " ", web.restart_count));
    }
    EXPECT_THAT(states, ElementsAre("terminated 0", "CrashLoopBackOff 0", "running ready 1"));
    const auto after = cluster.pods.Get(Context(), name);
    ASSERT_THAT(after, IsOk());
    EXPECT_EQ(after->metadata.uid, before.metadata.uid);
    EXPECT_EQ(after->status.container_statuses[0].last_state.terminated->exit_code, 3);

    EXPECT_TRUE(errors::IsNotFound(
        cluster.workloads->RestartContainer(Context(), "default", "none", "web")));
    EXPECT_THAT(cluster.workloads->RestartContainer(Context(), "default", name, "db"),
                base::StatusIs(absl::StatusCode::kNotFound));
    EXPECT_THAT(cluster.workloads->RestartContainer(Context(), "default", name, "web"), IsOk());
    EXPECT_EQ(cluster.pods.Get(Context(), name)->status.container_statuses[0].restart_count, 2);
  });
}

// Only what nodes do.
TEST(Workloads, Start_WithoutControllers_OnlyRunsPods) {
  InSimulation(1, [] {
    Cluster cluster({.controllers = false});
    cluster.Make<appsv1::Deployment>(cluster.deployments, kWeb);
    cluster.Make<corev1::Pod>(cluster.pods, R"(
metadata: {name: alone}
spec: {containers: [{name: c, image: i}]}
)");
    cluster.WaitFor(
        "the pod", [&] { return cluster.pods.Get(Context(), "alone")->status.phase == "Running"; });
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(1)), IsOk());
    EXPECT_TRUE(cluster.sets.List(Context())->items.empty());
  });
}

std::string LogOfARollout(uint64_t seed) {
  std::string log;
  InSimulation(seed, [&] {
    Cluster cluster({.pod_ready_after = absl::Seconds(1)});
    cluster.Make<appsv1::Deployment>(cluster.deployments, kWeb);
    cluster.Make<batchv1::Job>(cluster.jobs, kSum);
    cluster.WaitFor("the rollout", [&] { return cluster.IsRolledOut("web"); });
    for (const apiserver::LoggedRequest& each : cluster.server.Requests()) {
      absl::StrAppend(&log, each.method, " ", each.target, " ", each.code, "\n");
    }
  });
  return log;
}

TEST(Workloads, EachRunOfASeedIsTheSame) {
  LogOfARollout(0);
  std::string before;
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    const std::string log = LogOfARollout(seed);
    EXPECT_EQ(log, LogOfARollout(seed));
    EXPECT_NE(log, before) << "seeds make no difference";
    before = log;
  }
}

// On real threads.
TEST(Workloads, Deployment_OnRealThreads_BecomesReady) {
  Cluster cluster;
  cluster.Make<appsv1::Deployment>(cluster.deployments, kWeb);
  cluster.WaitFor("the rollout", [&] { return cluster.IsRolledOut("web"); });
  EXPECT_EQ(Ready(cluster), 3);
}

}  // namespace
}  // namespace kube::envtest
