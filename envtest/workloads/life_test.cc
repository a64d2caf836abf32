// What tests of operators rely on beside the workloads themselves, through the API: scheduling and
// its events, adoption and release, disruption budgets, Endpoints, and the
// events of the controllers.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/meta/owner_reference.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/in_process_transport.h"
#include "envtest/workloads/workloads.h"
#include "envtest/workloads/workloads_options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest {
namespace {

namespace appsv1 = api::apps::v1;
namespace batchv1 = api::batch::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace policyv1 = api::policy::v1;
using base::IsOk;
using testing::ElementsAre;
using testing::SizeIs;

template <typename T, typename ListT>
typed::TypedClient<T, ListT> ClientOf(const rest::Client& client, absl::string_view group,
                                      absl::string_view plural, absl::string_view kind) {
  return typed::TypedClient<T, ListT>(client, {.group = group,
                                               .version = "v1",
                                               .plural = plural,
                                               .kind = kind,
                                               .namespaced = kind != "Node",
                                               .built_in = true})
      .Namespace(kind == "Node" ? "" : "default");
}

// A server with life in it, and clients of the namespace default.
struct Cluster {
  explicit Cluster(WorkloadsOptions options = {})
      : workloads(*Workloads::Start(InProcessConfig(server), std::move(options))) {}

  apiserver::ApiHandler server{apiserver::HandlerOptions{.cluster_objects = false}};
  rest::Client client = *rest::MakeClient(InProcessConfig(server));
  typed::TypedClient<appsv1::Deployment, appsv1::DeploymentList> deployments =
      ClientOf<appsv1::Deployment, appsv1::DeploymentList>(client, "apps", "deployments",
                                                           "Deployment");
  typed::TypedClient<appsv1::ReplicaSet, appsv1::ReplicaSetList> replica_sets =
      ClientOf<appsv1::ReplicaSet, appsv1::ReplicaSetList>(client, "apps", "replicasets",
                                                           "ReplicaSet");
  typed::TypedClient<appsv1::StatefulSet, appsv1::StatefulSetList> stateful_sets =
      ClientOf<appsv1::StatefulSet, appsv1::StatefulSetList>(client, "apps", "statefulsets",
                                                             "StatefulSet");
  typed::TypedClient<policyv1::PodDisruptionBudget, policyv1::PodDisruptionBudgetList> budgets =
      ClientOf<policyv1::PodDisruptionBudget, policyv1::PodDisruptionBudgetList>(
          client, "policy", "poddisruptionbudgets", "PodDisruptionBudget");
  typed::TypedClient<batchv1::Job, batchv1::JobList> jobs =
      ClientOf<batchv1::Job, batchv1::JobList>(client, "batch", "jobs", "Job");
  typed::TypedClient<corev1::Service, corev1::ServiceList> services =
      ClientOf<corev1::Service, corev1::ServiceList>(client, "", "services", "Service");
  typed::TypedClient<corev1::Endpoints, corev1::EndpointsList> endpoints =
      ClientOf<corev1::Endpoints, corev1::EndpointsList>(client, "", "endpoints", "Endpoints");
  typed::TypedClient<corev1::Pod, corev1::PodList> pods =
      ClientOf<corev1::Pod, corev1::PodList>(client, "", "pods", "Pod");
  typed::TypedClient<corev1::Node, corev1::NodeList> nodes =
      ClientOf<corev1::Node, corev1::NodeList>(client, "", "nodes", "Node");
  typed::TypedClient<corev1::Event, corev1::EventList> events =
      ClientOf<corev1::Event, corev1::EventList>(client, "", "events", "Event");
  std::unique_ptr<Workloads> workloads;

  // Makes an object of YAML.
  template <typename T, typename ClientT>
  void Make(const ClientT& where, absl::string_view yaml) {
    absl::StatusOr<T> object = codec::DecodeYaml<T>(yaml);
    ASSERT_THAT(object, IsOk());
    ASSERT_THAT(where.Create(Context(), *object), IsOk());
  }

  template <typename T, typename ClientT>
  void Change(const ClientT& where, absl::string_view name, absl::FunctionRef<void(T&)> change) {
    ASSERT_THAT(where.Edit(Context(), name,
                           [&](T& object) {
                             change(object);
                             return absl::OkStatus();
                           }),
                IsOk());
  }

  // Blocks until `done` holds, for an hour at most.
  void WaitFor(absl::string_view what, absl::FunctionRef<bool()> done) {
    for (int i = 0; i < 36'000; ++i) {
      if (done()) return;
      ASSERT_THAT(base::SleepFor(Context(), absl::Milliseconds(100)), IsOk());
    }
    FAIL() << "waited in vain for " << what;
  }

  std::string PhaseOf(absl::string_view pod) {
    const auto got = pods.Get(Context(), pod);
    return got.ok() ? std::string(got->status.phase) : "";
  }

  absl::Status Evict(absl::string_view pod) {
    policyv1::Eviction eviction;
    eviction.metadata.name = pod;
    return pods
        .CreateSubresource<policyv1::Eviction, metav1::Status>(
            Context(), pod,
            {.name = "eviction", .group = "policy", .version = "v1", .kind = "Eviction"}, eviction)
        .status();
  }

  // Returns the name of the controller of a pod, or "".
  std::string OwnerOf(absl::string_view pod) {
    const auto got = pods.Get(Context(), pod);
    if (!got.ok()) return "";
    const auto* owner = meta::GetControllerOf(got->metadata);
    return owner == nullptr ? "" : std::string(owner->name);
  }

  // "Warning FailedScheduling: …", of one object, as they came.
  std::vector<std::string> EventsOf(absl::string_view kind, absl::string_view name) {
    std::vector<std::string> texts;
    const auto list = events.List(Context());
    for (const corev1::Event& each : list->items) {
      if (each.involved_object.kind != kind || each.involved_object.name != name) continue;
      texts.push_back(
          absl::StrCat(each.type.view(), " ", each.reason.view(), ": ", each.message.view()));
    }
    return texts;
  }
};

void InSimulation(uint64_t seed, absl::FunctionRef<void()> body) {
  base::SimRuntime sim({.seed = seed});
  const absl::Status end = sim.Run([&] { body(); });
  EXPECT_THAT(end, IsOk());
}

TEST(Scheduling, NodeSelector_NoNodeHasTheLabel_SaysSoUntilOneHas) {
  InSimulation(1, [] {
    Cluster cluster;
    cluster.Make<corev1::Pod>(cluster.pods, R"(
metadata: {name: p}
spec: {nodeSelector: {disk: ssd}, containers: [{name: c, image: i}]}
)");
    constexpr absl::string_view kFailure =
        "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. "
        "no new claims to deallocate, preemption: 0/1 nodes are available: "
        "1 Preemption is not helpful for scheduling.";
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(1)), IsOk());
    const auto waiting = cluster.pods.Get(Context(), "p");
    ASSERT_THAT(waiting, IsOk());
    EXPECT_EQ(waiting->spec.node_name, "");
    ASSERT_EQ(waiting->status.conditions.size(), 1u);
    EXPECT_EQ(waiting->status.conditions[0].reason, "Unschedulable");
    EXPECT_EQ(waiting->status.conditions[0].message, kFailure);

    cluster.Change<corev1::Node>(cluster.nodes, "node-0",
                                 [](corev1::Node& node) { node.metadata.labels["disk"] = "ssd"; });
    cluster.WaitFor("the pod", [&] { return cluster.PhaseOf("p") == "Running"; });
    const auto running = cluster.pods.Get(Context(), "p");
    EXPECT_EQ(running->status.conditions[0].type, "PodScheduled");
    EXPECT_EQ(running->status.conditions[0].status, "True");
    EXPECT_EQ(running->status.conditions[0].message, "");
    EXPECT_THAT(cluster.EventsOf("Pod", "p"),
                ElementsAre(absl::StrCat("Warning FailedScheduling: ", kFailure),
                            "Normal Scheduled: Successfully assigned default/p to node-0"));
  });
}

TEST(Scheduling, TaintedAndCordonedNodes_GetOnlyPodsThatTolerateThem) {
  InSimulation(1, [] {
    Cluster cluster({.nodes = {"a", "b"}});
    cluster.WaitFor("the nodes", [&] {
      return cluster.nodes.Get(Context(), "a").ok() && cluster.nodes.Get(Context(), "b").ok();
    });
    cluster.Change<corev1::Node>(cluster.nodes, "a", [](corev1::Node& node) {
      corev1::Taint& taint = node.spec.taints.emplace_back();
      taint.key = "gpu";
      taint.effect = "NoSchedule";
    });
    // The scheduler may see the pods before it sees the taint otherwise.
    ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());
    for (const absl::string_view name : {"p", "q"}) {
      cluster.Make<corev1::Pod>(cluster.pods,
                                absl::StrCat("{metadata: {name: ", name,
                                             "}, spec: {containers: [{name: c, image: i}]}}"));
      cluster.WaitFor(name, [&] { return cluster.PhaseOf(name) == "Running"; });
      EXPECT_EQ(cluster.pods.Get(Context(), name)->spec.node_name, "b");
    }
    cluster.Make<corev1::Pod>(cluster.pods, R"(
metadata: {name: trains}
spec: {tolerations: [{key: gpu, operator: Exists}], containers: [{name: c, image: i}]}
)");
    cluster.WaitFor("the third", [&] { return cluster.PhaseOf("trains") == "Running"; });
    EXPECT_EQ(cluster.pods.Get(Context(), "trains")->spec.node_name, "a");

    cluster.Change<corev1::Node>(cluster.nodes, "b",
                                 [](corev1::Node& node) { node.spec.unschedulable = true; });
    ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());
    cluster.Make<corev1::Pod>(cluster.pods, R"(
metadata: {name: late}
spec: {containers: [{name: c, image: i}]}
)");
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(1)), IsOk());
    EXPECT_EQ(cluster.PhaseOf("late"), "Pending");
    EXPECT_EQ(cluster.PhaseOf("p"), "Running") << "what runs stays";
  });
}

constexpr absl::string_view kOrphan = R"(
metadata: {name: orphan, labels: {app: web}}
spec: {containers: [{name: web, image: "web:1"}]}
)";

TEST(Adoption, ReplicaSet_TakesAnOrphan_AndReleasesItWithItsLabel) {
  InSimulation(1, [] {
    Cluster cluster;
    cluster.Make<corev1::Pod>(cluster.pods, kOrphan);
    cluster.WaitFor("the orphan", [&] { return cluster.PhaseOf("orphan") == "Running"; });
    cluster.Make<appsv1::ReplicaSet>(cluster.replica_sets, R"(
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
)");
    const auto ready = [&](int replicas) {
      const auto set = cluster.replica_sets.Get(Context(), "web");
      return set.ok() && set->status.ready_replicas == replicas && set->status.replicas == replicas;
    };
    cluster.WaitFor("two pods", [&] { return ready(2); });
    EXPECT_EQ(cluster.OwnerOf("orphan"), "web");
    EXPECT_THAT(cluster.pods.List(Context())->items, SizeIs(2)) << "one was there";

    cluster.Change<corev1::Pod>(cluster.pods, "orphan",
                                [](corev1::Pod& pod) { pod.metadata.labels["app"] = "debug"; });
    cluster.WaitFor("a third pod",
                    [&] { return cluster.pods.List(Context())->items.size() == 3 && ready(2); });
    EXPECT_EQ(cluster.OwnerOf("orphan"), "");
    EXPECT_EQ(cluster.PhaseOf("orphan"), "Running");
  });
}

TEST(Adoption, Deployment_DeletedAndCreatedAgain_TakesItsReplicaSetBack) {
  InSimulation(1, [] {
    Cluster cluster;
    constexpr absl::string_view kWeb = R"(
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
)";
    const auto available = [&] {
      const auto web = cluster.deployments.Get(Context(), "web");
      return web.ok() && web->status.available_replicas == 2;
    };
    cluster.Make<appsv1::Deployment>(cluster.deployments, kWeb);
    cluster.WaitFor("the rollout", available);
    const auto sets = cluster.replica_sets.List(Context());
    ASSERT_THAT(sets->items, SizeIs(1));

    ASSERT_THAT(cluster.deployments.Delete(Context(), "web", {.propagation_policy = "Orphan"}),
                IsOk());
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(1)), IsOk());
    auto set = cluster.replica_sets.Get(Context(), sets->items[0].metadata.name.view());
    ASSERT_THAT(set, IsOk());
    EXPECT_EQ(meta::GetControllerOf(set->metadata), nullptr);

    cluster.Make<appsv1::Deployment>(cluster.deployments, kWeb);
    cluster.WaitFor("the rollout", available);
    EXPECT_THAT(cluster.replica_sets.List(Context())->items, SizeIs(1));
    set = cluster.replica_sets.Get(Context(), sets->items[0].metadata.name.view());
    ASSERT_THAT(set, IsOk());
    EXPECT_EQ(set->metadata.uid, sets->items[0].metadata.uid);
    EXPECT_TRUE(
        meta::IsControlledBy(set->metadata, cluster.deployments.Get(Context(), "web")->metadata));
    EXPECT_THAT(cluster.pods.List(Context())->items, SizeIs(2));
  });
}

TEST(Adoption, StatefulSet_TakesThePodOfItsName_AndLabelsIt) {
  InSimulation(1, [] {
    Cluster cluster;
    for (const absl::string_view name : {"db-0", "other"}) {
      cluster.Make<corev1::Pod>(
          cluster.pods,
          absl::StrCat("{metadata: {name: ", name,
                       ", labels: {app: db}}, spec: {containers: [{name: db, image: 'db:1'}]}}"));
    }
    cluster.Make<appsv1::StatefulSet>(cluster.stateful_sets, R"(
metadata: {name: db}
spec:
  replicas: 1
  serviceName: db
  updateStrategy: {type: OnDelete}
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: "db:1"}]}
)");
    cluster.WaitFor("the label", [&] {
      const auto pod = cluster.pods.Get(Context(), "db-0");
      return pod->metadata.labels.value_or("statefulset.kubernetes.io/pod-name", "") == "db-0";
    });
    EXPECT_EQ(cluster.OwnerOf("db-0"), "db");
    EXPECT_EQ(cluster.OwnerOf("other"), "") << "it has another name";
    EXPECT_THAT(cluster.pods.List(Context())->items, SizeIs(2));
  });
}

TEST(DisruptionBudgets, Evictions_AreAllowedAsLongAsEnoughPodsAreReady) {
  InSimulation(1, [] {
    Cluster cluster({.pod_ready_after = absl::Seconds(5)});
    cluster.Make<policyv1::PodDisruptionBudget>(cluster.budgets, R"(
metadata: {name: web}
spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}
)");
    const auto allowed = [&](int count) {
      const auto budget = cluster.budgets.Get(Context(), "web");
      return budget.ok() && budget->status.observed_generation == budget->metadata.generation &&
             budget->status.disruptions_allowed == count;
    };
    cluster.WaitFor("the status", [&] { return allowed(0); });
    EXPECT_THAT(cluster.EventsOf("PodDisruptionBudget", "web"),
                ElementsAre("Normal NoPods: No matching pods found"));
    cluster.Make<appsv1::Deployment>(cluster.deployments, R"(
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
)");
    cluster.WaitFor("three pods", [&] { return allowed(1); });

    const auto pods = cluster.pods.List(Context());
    ASSERT_THAT(pods->items, SizeIs(3));
    EXPECT_THAT(cluster.Evict(pods->items[0].metadata.name.view()), IsOk());
    const absl::Status refused = cluster.Evict(pods->items[1].metadata.name.view());
    EXPECT_TRUE(errors::IsTooManyRequests(refused)) << refused;
    const auto status = errors::StatusOf(refused);
    ASSERT_TRUE(status.has_value() && status->details && !status->details->causes.empty());
    EXPECT_THAT(std::string(status->details->causes[0].message),
                testing::StartsWith("The disruption budget web "));

    cluster.WaitFor("the replacement", [&] { return allowed(1); });
    EXPECT_THAT(cluster.Evict(pods->items[1].metadata.name.view()), IsOk());
    cluster.WaitFor("the next one", [&] { return allowed(1); });
    EXPECT_TRUE(cluster.budgets.Get(Context(), "web")->status.disrupted_pods.empty());
  });
}

TEST(Endpoints, Service_HasTheAddressesOfItsPodsUntilItIsDeleted) {
  InSimulation(1, [] {
    Cluster cluster({.pod_ready_after = absl::Seconds(5)});
    cluster.Make<corev1::Service>(cluster.services, R"(
metadata: {name: web}
spec: {selector: {app: web}, ports: [{name: main, port: 80, targetPort: 8080}]}
)");
    cluster.Make<corev1::Endpoints>(cluster.endpoints, R"(
metadata: {name: outside}
subsets: [{addresses: [{ip: 192.0.2.1}], ports: [{port: 443}]}]
)");
    cluster.WaitFor("empty endpoints",
                    [&] { return cluster.endpoints.Get(Context(), "web").ok(); });
    EXPECT_TRUE(cluster.endpoints.Get(Context(), "web")->subsets.empty());
    cluster.Make<corev1::Pod>(cluster.pods, R"(
metadata: {name: p, labels: {app: web}}
spec: {containers: [{name: web, image: "web:1"}]}
)");
    cluster.WaitFor("an address", [&] {
      const auto endpoints = cluster.endpoints.Get(Context(), "web");
      return endpoints.ok() && !endpoints->subsets.empty() &&
             !endpoints->subsets[0].addresses.empty();
    });
    const auto endpoints = cluster.endpoints.Get(Context(), "web");
    EXPECT_EQ(endpoints->subsets[0].addresses[0].target_ref->name, "p");
    EXPECT_EQ(endpoints->subsets[0].ports[0].port, 8080);

    ASSERT_THAT(cluster.services.Delete(Context(), "web"), IsOk());
    cluster.WaitFor("the end of the endpoints",
                    [&] { return !cluster.endpoints.Get(Context(), "web").ok(); });
    EXPECT_THAT(cluster.endpoints.Get(Context(), "outside"), IsOk()) << "they are not ours";
  });
}

TEST(Events, Controllers_TellWhatTheyDo) {
  InSimulation(1, [] {
    Cluster cluster({.pod_ends_after = absl::Seconds(5)});
    cluster.Make<appsv1::Deployment>(cluster.deployments, R"(
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
)");
    cluster.Make<appsv1::StatefulSet>(cluster.stateful_sets, R"(
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
    cluster.Make<batchv1::Job>(cluster.jobs, R"(
metadata: {name: sum}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}
)");
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(1)), IsOk());
    cluster.Change<appsv1::Deployment>(cluster.deployments, "web",
                                       [](appsv1::Deployment& web) { web.spec.replicas = 0; });
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(1)), IsOk());

    const auto sets = cluster.replica_sets.List(Context());
    ASSERT_THAT(sets->items, SizeIs(1));
    const std::string set(sets->items[0].metadata.name);
    EXPECT_THAT(cluster.EventsOf("Deployment", "web"),
                ElementsAre(absl::StrCat("Normal ScalingReplicaSet: Scaled up replica set ", set,
                                         " from 0 to 1"),
                            absl::StrCat("Normal ScalingReplicaSet: Scaled down replica set ", set,
                                         " from 1 to 0")));
    EXPECT_THAT(
        cluster.EventsOf("ReplicaSet", set),
        ElementsAre(
            testing::StartsWith(absl::StrCat("Normal SuccessfulCreate: Created pod: ", set, "-")),
            testing::StartsWith(absl::StrCat("Normal SuccessfulDelete: Deleted pod: ", set, "-"))));
    EXPECT_THAT(cluster.EventsOf("StatefulSet", "db"),
                ElementsAre("Normal SuccessfulCreate: Create Claim data-db-0 Pod db-0 in "
                            "StatefulSet db success",
                            "Normal SuccessfulCreate: Create Pod db-0 in StatefulSet db "
                            "successful"));
    EXPECT_THAT(cluster.EventsOf("Job", "sum"),
                ElementsAre(testing::StartsWith("Normal SuccessfulCreate: Created pod: sum-"),
                            "Normal Completed: Job completed"));
  });
}

}  // namespace
}  // namespace kube::envtest
