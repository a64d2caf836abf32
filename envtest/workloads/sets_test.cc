// Stateful sets, daemon sets and cron jobs with Workloads, through the API.

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
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/in_process_transport.h"
#include "envtest/workloads/pod_run.h"
#include "envtest/workloads/workloads.h"
#include "envtest/workloads/workloads_options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest {
namespace {

namespace appsv1 = api::apps::v1;
namespace batchv1 = api::batch::v1;
namespace corev1 = api::core::v1;
using base::IsOk;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

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
  typed::TypedClient<appsv1::StatefulSet, appsv1::StatefulSetList> stateful_sets =
      ClientOf<appsv1::StatefulSet, appsv1::StatefulSetList>(client, "apps", "statefulsets",
                                                             "StatefulSet");
  typed::TypedClient<appsv1::DaemonSet, appsv1::DaemonSetList> daemon_sets =
      ClientOf<appsv1::DaemonSet, appsv1::DaemonSetList>(client, "apps", "daemonsets", "DaemonSet");
  typed::TypedClient<appsv1::ControllerRevision, appsv1::ControllerRevisionList> revisions =
      ClientOf<appsv1::ControllerRevision, appsv1::ControllerRevisionList>(
          client, "apps", "controllerrevisions", "ControllerRevision");
  typed::TypedClient<batchv1::CronJob, batchv1::CronJobList> cron_jobs =
      ClientOf<batchv1::CronJob, batchv1::CronJobList>(client, "batch", "cronjobs", "CronJob");
  typed::TypedClient<batchv1::Job, batchv1::JobList> jobs =
      ClientOf<batchv1::Job, batchv1::JobList>(client, "batch", "jobs", "Job");
  typed::TypedClient<corev1::Pod, corev1::PodList> pods =
      ClientOf<corev1::Pod, corev1::PodList>(client, "", "pods", "Pod");
  typed::TypedClient<corev1::Node, corev1::NodeList> nodes =
      ClientOf<corev1::Node, corev1::NodeList>(client, "", "nodes", "Node");
  typed::TypedClient<corev1::PersistentVolumeClaim, corev1::PersistentVolumeClaimList> claims =
      ClientOf<corev1::PersistentVolumeClaim, corev1::PersistentVolumeClaimList>(
          client, "", "persistentvolumeclaims", "PersistentVolumeClaim");
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

  // As `kubectl rollout status`: whether the last change is rolled out.
  bool IsRolledOut(const appsv1::StatefulSet& set) {
    const appsv1::StatefulSetStatus& status = set.status;
    return status.observed_generation >= set.metadata.generation &&
           status.ready_replicas >= *set.spec.replicas &&
           status.update_revision == status.current_revision &&
           status.replicas == *set.spec.replicas;
  }
  bool IsRolledOut(const appsv1::DaemonSet& set) {
    const appsv1::DaemonSetStatus& status = set.status;
    return status.observed_generation >= set.metadata.generation &&
           status.updated_number_scheduled >= status.desired_number_scheduled &&
           status.number_available >= status.desired_number_scheduled &&
           status.desired_number_scheduled > 0;
  }
  template <typename ClientT>
  void WaitForRollout(const ClientT& where, absl::string_view name) {
    WaitFor(absl::StrCat("the rollout of ", name), [&] {
      const auto set = where.Get(Context(), name);
      return set.ok() && IsRolledOut(*set);
    });
  }

  // "db-0 db:1 ready", by name. Pods that are being deleted are left out.
  std::vector<std::string> Pods() {
    std::vector<std::string> texts;
    const auto list = pods.List(Context());
    for (const corev1::Pod& pod : list->items) {
      if (pod.metadata.deletion_timestamp.has_value()) continue;
      std::string ready;
      for (const corev1::PodCondition& each : pod.status.conditions) {
        if (each.type == "Ready" && each.status == "True") ready = " ready";
      }
      texts.push_back(
          absl::StrCat(pod.metadata.name.view(), " ", pod.spec.containers[0].image.view(), ready));
    }
    return texts;
  }

  // "Warning InvalidSchedule: … (2)", of one object, as they came.
  std::vector<std::string> EventsOf(absl::string_view name) {
    std::vector<std::string> texts;
    const auto list = events.List(Context());
    for (const corev1::Event& each : list->items) {
      if (each.involved_object.name != name) continue;
      texts.push_back(absl::StrCat(each.type.view(), " ", each.reason.view(), ": ",
                                   each.message.view(), " (", each.count, ")"));
    }
    return texts;
  }
};

void InSimulation(uint64_t seed, absl::FunctionRef<void()> body) {
  base::SimRuntime sim({.seed = seed});
  const absl::Status end = sim.Run([&] { body(); });
  EXPECT_THAT(end, IsOk());
}

constexpr absl::string_view kDb = R"(
metadata: {name: db}
spec:
  replicas: 3
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      containers: [{name: db, image: "db:1", volumeMounts: [{name: data, mountPath: /data}]}]
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
)";

TEST(StatefulSets, RollOutInOrder) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    InSimulation(seed, [] {
      Cluster cluster({.pod_ready_after = absl::Seconds(2), .pod_stops_after = absl::Seconds(1)});
      cluster.Make<appsv1::StatefulSet>(cluster.stateful_sets, kDb);
      // A pod comes when those before it are ready.
      cluster.WaitFor("the rollout", [&] {
        const std::vector<std::string> pods = cluster.Pods();
        for (size_t i = 0; i < pods.size(); ++i) {
          EXPECT_TRUE(absl::StartsWith(pods[i], absl::StrCat("db-", i, " ")));
          EXPECT_TRUE(i + 1 == pods.size() || absl::EndsWith(pods[i], "ready"));
        }
        return cluster.IsRolledOut(*cluster.stateful_sets.Get(Context(), "db"));
      });
      auto set = cluster.stateful_sets.Get(Context(), "db");
      EXPECT_EQ(set->status.available_replicas, 3);
      EXPECT_EQ(set->status.current_replicas, 3);
      EXPECT_EQ(set->status.updated_replicas, 3);
      const std::string first(set->status.current_revision);
      auto revisions = cluster.revisions.List(Context());
      ASSERT_THAT(revisions->items, SizeIs(1));
      EXPECT_EQ(revisions->items[0].metadata.name, first);
      std::vector<std::string> claims;
      const auto claim_list = cluster.claims.List(Context());
      for (const auto& each : claim_list->items) claims.emplace_back(each.metadata.name);
      EXPECT_THAT(claims, ElementsAre("data-db-0", "data-db-1", "data-db-2"));
      const auto pod = cluster.pods.Get(Context(), "db-2");
      EXPECT_EQ(pod->metadata.labels.value_or("apps.kubernetes.io/pod-index", ""), "2");
      EXPECT_EQ(pod->metadata.labels.value_or("controller-revision-hash", ""), first);

      // The update goes from the last to the first.
      cluster.Change<appsv1::StatefulSet>(cluster.stateful_sets, "db", [](auto& db) {
        db.spec.template_.spec.containers[0].image = "db:2";
      });
      cluster.WaitFor("the update", [&] {
        const std::vector<std::string> pods = cluster.Pods();
        EXPECT_GE(pods.size(), 2u);
        bool updated = false;
        for (const std::string& each : pods) {
          if (absl::StrContains(each, "db:2")) updated = true;
          EXPECT_EQ(absl::StrContains(each, "db:2"), updated) << absl::StrJoin(pods, ", ");
        }
        return cluster.IsRolledOut(*cluster.stateful_sets.Get(Context(), "db"));
      });
      EXPECT_THAT(cluster.Pods(),
                  ElementsAre("db-0 db:2 ready", "db-1 db:2 ready", "db-2 db:2 ready"));
      set = cluster.stateful_sets.Get(Context(), "db");
      EXPECT_NE(set->status.current_revision, first);
      EXPECT_THAT(cluster.revisions.List(Context())->items, SizeIs(2));

      // Smaller, from the end; claims stay.
      cluster.Change<appsv1::StatefulSet>(cluster.stateful_sets, "db",
                                          [](auto& db) { db.spec.replicas = 1; });
      cluster.WaitForRollout(cluster.stateful_sets, "db");
      EXPECT_THAT(cluster.Pods(), ElementsAre("db-0 db:2 ready"));
      EXPECT_THAT(cluster.claims.List(Context())->items, SizeIs(3));

      ASSERT_THAT(cluster.stateful_sets.Delete(Context(), "db"), IsOk());
      cluster.WaitFor("the end of the pods", [&] {
        return cluster.pods.List(Context())->items.empty() &&
               cluster.revisions.List(Context())->items.empty();
      });
    });
  }
}

TEST(StatefulSets, Parallel_WithPartition_UpdatesOrdinalsFromThePartition) {
  InSimulation(1, [] {
    Cluster cluster({.pod_ready_after = absl::Seconds(5)});
    const absl::Time start = base::WallNow();
    cluster.Make<appsv1::StatefulSet>(cluster.stateful_sets, absl::StrCat(kDb, R"(
  podManagementPolicy: Parallel
  ordinals: {start: 4}
  updateStrategy: {rollingUpdate: {partition: 2}}
  persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete, whenScaled: Delete}
)"));
    cluster.WaitForRollout(cluster.stateful_sets, "db");
    EXPECT_LT(base::WallNow() - start, absl::Seconds(7));
    cluster.Change<appsv1::StatefulSet>(cluster.stateful_sets, "db", [](auto& db) {
      db.spec.template_.spec.containers[0].image = "db:2";
    });
    cluster.WaitFor("the update of one", [&] {
      const auto set = cluster.stateful_sets.Get(Context(), "db");
      return set->status.updated_replicas == 1 && set->status.ready_replicas == 3;
    });
    EXPECT_THAT(cluster.Pods(),
                ElementsAre("db-4 db:1 ready", "db-5 db:1 ready", "db-6 db:2 ready"));
    EXPECT_EQ(cluster.stateful_sets.Get(Context(), "db")->status.current_replicas, 2);
    cluster.Change<appsv1::StatefulSet>(cluster.stateful_sets, "db",
                                        [](auto& db) { db.spec.replicas = 2; });
    cluster.WaitFor("the end of a claim",
                    [&] { return cluster.claims.List(Context())->items.size() == 2; });
    ASSERT_THAT(cluster.stateful_sets.Delete(Context(), "db"), IsOk());
    cluster.WaitFor("the end of all claims",
                    [&] { return cluster.claims.List(Context())->items.empty(); });
  });
}

constexpr absl::string_view kLog = R"(
metadata: {name: log}
spec:
  selector: {matchLabels: {app: log}}
  template:
    metadata: {labels: {app: log}}
    spec: {containers: [{name: log, image: "log:1"}]}
)";

std::vector<std::string> NodesOf(Cluster& cluster) {
  std::vector<std::string> nodes;
  const auto pods = cluster.pods.List(Context());
  for (const corev1::Pod& each : pods->items) nodes.emplace_back(each.spec.node_name);
  return nodes;
}

TEST(DaemonSets, FollowNodesAndUpdateOnePodAtATime) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    InSimulation(seed, [] {
      Cluster cluster({.nodes = {"a", "b"},
                       .pod_ready_after = absl::Seconds(2),
                       .pod_stops_after = absl::Seconds(1)});
      cluster.Make<appsv1::DaemonSet>(cluster.daemon_sets, kLog);
      cluster.WaitForRollout(cluster.daemon_sets, "log");
      EXPECT_THAT(NodesOf(cluster), UnorderedElementsAre("a", "b"));
      cluster.Make<corev1::Node>(cluster.nodes, "metadata: {name: c}");
      cluster.WaitFor("the new node", [&] {
        return cluster.daemon_sets.Get(Context(), "log")->status.number_available == 3;
      });
      EXPECT_THAT(NodesOf(cluster), UnorderedElementsAre("a", "b", "c"));

      cluster.Change<appsv1::DaemonSet>(cluster.daemon_sets, "log", [](auto& log) {
        log.spec.template_.spec.containers[0].image = "log:2";
      });
      cluster.WaitFor("the update", [&] {
        const std::vector<std::string> pods = cluster.Pods();
        EXPECT_GE(pods.size(), 2u);
        const auto set = cluster.daemon_sets.Get(Context(), "log");
        EXPECT_LE(set->status.number_unavailable, 1);
        return cluster.IsRolledOut(*set);
      });
      EXPECT_THAT(cluster.revisions.List(Context())->items, SizeIs(2));
      const auto set = cluster.daemon_sets.Get(Context(), "log");
      EXPECT_EQ(set->status.current_number_scheduled, 3);
      EXPECT_EQ(set->status.number_misscheduled, 0);
      EXPECT_EQ(set->status.number_unavailable, 0);
    });
  }
}

// Its pods stay, and new ones come to it.
TEST(DaemonSets, GoToCordonedNodes) {
  InSimulation(1, [] {
    Cluster cluster;
    cluster.Make<corev1::Node>(cluster.nodes, "{metadata: {name: x}, spec: {unschedulable: true}}");
    cluster.Make<appsv1::DaemonSet>(cluster.daemon_sets, kLog);
    cluster.WaitFor("both nodes", [&] {
      return cluster.daemon_sets.Get(Context(), "log")->status.number_available == 2;
    });
    EXPECT_THAT(NodesOf(cluster), UnorderedElementsAre("node-0", "x"));
    const auto node = cluster.nodes.Get(Context(), "x");
    ASSERT_THAT(node->spec.taints, SizeIs(1));
    EXPECT_EQ(node->spec.taints[0].key, "node.kubernetes.io/unschedulable");
    EXPECT_THAT(cluster.nodes.Get(Context(), "node-0")->spec.taints, IsEmpty());
  });
}

std::string CronJobOf(absl::string_view name, absl::string_view spec) {
  return absl::StrCat(R"(
metadata: {name: )",
                      name, R"(}
spec:
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}
)",
                      spec);
}

TEST(CronJobs, Hourly_OverSevenHours_MakesJobsAndKeepsTheLastThree) {
  InSimulation(1, [] {
    Cluster cluster({.pod_ready_after = absl::Seconds(1), .pod_ends_after = absl::Minutes(1)});
    cluster.Make<batchv1::CronJob>(cluster.cron_jobs, CronJobOf("hourly", "  schedule: '@hourly'"));
    cluster.Make<batchv1::CronJob>(cluster.cron_jobs, CronJobOf("never", "  schedule: 0 0 31 2 *"));
    cluster.Make<batchv1::CronJob>(cluster.cron_jobs,
                                   CronJobOf("asleep", "  schedule: '* * * * *'\n  suspend: true"));
    ASSERT_THAT(base::SleepFor(Context(), absl::Hours(7) + absl::Minutes(30)), IsOk());

    const auto hourly = cluster.cron_jobs.Get(Context(), "hourly");
    ASSERT_TRUE(hourly->status.last_schedule_time.has_value());
    const absl::Time last = hourly->status.last_schedule_time->ToAbslTime();
    EXPECT_EQ(absl::ToUnixSeconds(last) % 3600, 0);
    EXPECT_LT(base::WallNow() - last, absl::Hours(1));
    ASSERT_TRUE(hourly->status.last_successful_time.has_value());
    EXPECT_THAT(hourly->status.active, IsEmpty());
    // The last three, each with the minute in its name.
    std::vector<std::string> names;
    const auto jobs = cluster.jobs.List(Context());
    for (const batchv1::Job& each : jobs->items) names.emplace_back(each.metadata.name);
    const int64_t minute = absl::ToUnixSeconds(last) / 60;
    EXPECT_THAT(names,
                ElementsAre(absl::StrCat("hourly-", minute - 120),
                            absl::StrCat("hourly-", minute - 60), absl::StrCat("hourly-", minute)));
    EXPECT_EQ(jobs->items[2].metadata.annotations.value_or(
                  "batch.kubernetes.io/cronjob-scheduled-timestamp", ""),
              absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", last, absl::UTCTimeZone()));
    const std::vector<std::string> events = cluster.EventsOf("hourly");
    const std::string name = names[2];
    EXPECT_THAT(events, testing::IsSupersetOf(
                            {absl::StrCat("Normal SuccessfulCreate: Created job ", name, " (1)"),
                             absl::StrCat("Normal SawCompletedJob: Saw completed job: ", name,
                                          ", condition: Complete (1)")}));

    EXPECT_THAT(cluster.EventsOf("never"),
                ElementsAre("Warning InvalidSchedule: invalid schedule: 0 0 31 2 * : time "
                            "difference between two schedules is less than 1 second (1)"));
    EXPECT_THAT(cluster.EventsOf("asleep"), IsEmpty());
  });
}

TEST(CronJobs, ConcurrencyPolicy_JobStillRuns_ReplacesOrSkips) {
  InSimulation(1, [] {
    Cluster cluster({.pod_ends_after = absl::Hours(10)});
    cluster.Make<batchv1::CronJob>(
        cluster.cron_jobs,
        CronJobOf("slow", "  schedule: '*/10 * * * *'\n  concurrencyPolicy: Replace"));
    cluster.Make<batchv1::CronJob>(
        cluster.cron_jobs,
        CronJobOf("one", "  schedule: '*/10 * * * *'\n  concurrencyPolicy: Forbid"));
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(35)), IsOk());
    const auto slow = cluster.cron_jobs.Get(Context(), "slow");
    const auto one = cluster.cron_jobs.Get(Context(), "one");
    ASSERT_THAT(slow->status.active, SizeIs(1));
    ASSERT_THAT(one->status.active, SizeIs(1));
    EXPECT_EQ(*slow->status.last_schedule_time,
              Time(one->status.last_schedule_time->ToAbslTime() + absl::Minutes(20)));
    EXPECT_THAT(cluster.jobs.List(Context())->items, SizeIs(2));
    EXPECT_THAT(cluster.EventsOf("one"), testing::Contains(testing::HasSubstr("JobAlreadyActive")));
  });
}

}  // namespace
}  // namespace kube::envtest
