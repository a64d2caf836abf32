// Stateful sets, daemon sets, cron jobs and nodes of envtest::Workloads on the embedded server
// against kube-controller-manager on a real one: what becomes of the same objects. On both,
// Workloads does what nodes do.

#include <algorithm>
#include <cstdint>
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
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/yaml/json_to_yaml.h"
#include "apimachinery/types/list.h"
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
using base::IsOk;

template <typename T, typename ListT>
typed::TypedClient<T, ListT> ClientFor(const rest::Client& client, absl::string_view group,
                                       absl::string_view plural, absl::string_view kind) {
  return typed::TypedClient<T, ListT>(client, {.group = group,
                                               .version = "v1",
                                               .plural = plural,
                                               .kind = kind,
                                               .namespaced = kind != "Node",
                                               .built_in = true})
      .Namespace(kind == "Node" ? "" : "default");
}

// The clients of one server.
struct Cluster {
  explicit Cluster(const rest::Client& rest_client) : client(rest_client) {}

  rest::Client client;
  typed::TypedClient<appsv1::StatefulSet, appsv1::StatefulSetList> stateful_sets =
      ClientFor<appsv1::StatefulSet, appsv1::StatefulSetList>(client, "apps", "statefulsets",
                                                              "StatefulSet");
  typed::TypedClient<appsv1::DaemonSet, appsv1::DaemonSetList> daemon_sets =
      ClientFor<appsv1::DaemonSet, appsv1::DaemonSetList>(client, "apps", "daemonsets",
                                                          "DaemonSet");
  typed::TypedClient<appsv1::ControllerRevision, appsv1::ControllerRevisionList> revisions =
      ClientFor<appsv1::ControllerRevision, appsv1::ControllerRevisionList>(
          client, "apps", "controllerrevisions", "ControllerRevision");
  typed::TypedClient<batchv1::CronJob, batchv1::CronJobList> cron_jobs =
      ClientFor<batchv1::CronJob, batchv1::CronJobList>(client, "batch", "cronjobs", "CronJob");
  typed::TypedClient<batchv1::Job, batchv1::JobList> jobs =
      ClientFor<batchv1::Job, batchv1::JobList>(client, "batch", "jobs", "Job");
  typed::TypedClient<corev1::Pod, corev1::PodList> pods =
      ClientFor<corev1::Pod, corev1::PodList>(client, "", "pods", "Pod");
  typed::TypedClient<corev1::Node, corev1::NodeList> nodes =
      ClientFor<corev1::Node, corev1::NodeList>(client, "", "nodes", "Node");
  typed::TypedClient<corev1::PersistentVolumeClaim, corev1::PersistentVolumeClaimList> claims =
      ClientFor<corev1::PersistentVolumeClaim, corev1::PersistentVolumeClaimList>(
          client, "", "persistentvolumeclaims", "PersistentVolumeClaim");
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

template <typename T, typename ClientT>
void Change(const ClientT& client, const char* name, absl::FunctionRef<void(T&)> change) {
  ASSERT_THAT(client.Edit(Soon(), name,
                          [&](T& object) {
                            change(object);
                            return absl::OkStatus();
                          }),
              IsOk());
}

void WaitForStatefulSet(const Cluster& cluster, const char* name) {
  WaitFor(absl::StrCat("the rollout of ", name), [&] {
    const auto set = cluster.stateful_sets.Get(Soon(), name);
    const int32_t wanted = *set->spec.replicas;
    return set->status.observed_generation >= set->metadata.generation &&
           set->status.updated_replicas == wanted && set->status.replicas == wanted &&
           set->status.available_replicas == wanted && set->status.current_replicas == wanted;
  });
}

void WaitForDaemonSet(const Cluster& cluster, const char* name) {
  WaitFor(absl::StrCat("the rollout of ", name), [&] {
    const auto set = cluster.daemon_sets.Get(Soon(), name);
    return set->status.observed_generation >= set->metadata.generation &&
           set->status.desired_number_scheduled > 0 &&
           set->status.updated_number_scheduled == set->status.desired_number_scheduled &&
           set->status.number_available == set->status.desired_number_scheduled;
  });
}

// What is different each time: hashes of a daemon set's revisions, by their numbers.
std::vector<std::pair<std::string, std::string>> NamesOf(const Cluster& cluster) {
  std::vector<std::pair<std::string, std::string>> names;
  const auto revisions = cluster.revisions.List(Soon());
  for (const appsv1::ControllerRevision& each : revisions->items) {
    const auto hash = each.metadata.labels.value_or("controller-revision-hash", "");
    if (hash.view().empty()) continue;
    names.emplace_back(hash.view(), absl::StrCat("HASH", each.revision));
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
    std::string text =
        absl::StrCat("--- ", kind, "\n", *codec::JsonToYaml(*codec::EncodeJson(object)));
    text = absl::StrReplaceAll(text, NamesOf(cluster));
    RE2::GlobalReplace(&text, R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)", "TIME");
    RE2::GlobalReplace(&text, R"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})",
                       "UID");
    RE2::GlobalReplace(&text, R"(resourceVersion: "\d+")", "resourceVersion: NUMBER");
    RE2::GlobalReplace(&text, R"(10\.\d+\.\d+\.\d+)", "IP");
    RE2::GlobalReplace(&text, R"(tick-\d+)", "tick-MINUTE");
    RE2::GlobalReplace(&text, R"(-[bcdfghjklmnpqrstvwxz2456789]{5}\b)", "-RAND");
    texts.push_back(std::move(text));
  }
  std::sort(texts.begin(), texts.end());
  return absl::StrJoin(texts, "");
}

// Names, labels and owners: what the controller of volumes makes of them is another thing.
std::string DescribeClaims(const Cluster& cluster) {
  auto claims = cluster.claims.List(Soon());
  for (corev1::PersistentVolumeClaim& each : claims->items) {
    each.metadata.finalizers.reset();
    each.status = {};
  }
  return Describe(cluster, "PersistentVolumeClaim", std::move(claims));
}

// Conditions, and the taints that follow from them.
std::string DescribeNodes(const Cluster& cluster) {
  const auto nodes = cluster.nodes.List(Soon());
  corev1::NodeList list;
  for (const corev1::Node& each : nodes->items) {
    corev1::Node& node = list.items.emplace_back();
    node.metadata.name = each.metadata.name;
    node.status.conditions = each.status.conditions;
    for (const corev1::Taint& taint : each.spec.taints) {
      if (taint.effect == "NoSchedule") node.spec.taints.push_back(taint);
    }
  }
  return Describe(cluster, "Node", absl::StatusOr<corev1::NodeList>(std::move(list)));
}

// Describes the events of cron jobs; life_test compares those of the other controllers.
std::string DescribeEvents(const Cluster& cluster) {
  const auto events = cluster.events.List(Soon());
  corev1::EventList list;
  for (const corev1::Event& each : events->items) {
    if (each.involved_object.kind != "CronJob") continue;
    list.items.push_back(each);
    list.items.back().metadata.name = "";
  }
  return Describe(cluster, "Event", absl::StatusOr<corev1::EventList>(std::move(list)));
}

void MakeObjects(const Cluster& cluster) {
  Make<batchv1::CronJob>(cluster.cron_jobs, R"(
metadata: {name: never}
spec:
  schedule: 0 0 31 2 *
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}
)");
  Make<batchv1::CronJob>(cluster.cron_jobs, R"(
metadata: {name: tick}
spec:
  schedule: "* * * * *"
  jobTemplate:
    metadata: {labels: {app: tick}}
    spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}
)");
  Make<corev1::Node>(cluster.nodes, "metadata: {name: lonely}");
  Make<corev1::Node>(cluster.nodes, "{metadata: {name: cordoned}, spec: {unschedulable: true}}");
  Make<appsv1::StatefulSet>(cluster.stateful_sets, R"(
metadata: {name: db, annotations: {team: blue}}
spec:
  replicas: 3
  serviceName: dbs
  minReadySeconds: 1
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}, annotations: {a: "<b>"}}
    spec:
      terminationGracePeriodSeconds: 5
      containers:
      - name: db
        image: "db:1"
        resources: {limits: {cpu: 500m, memory: 64Mi}}
        ports: [{name: sql, containerPort: 5432}]
        volumeMounts: [{name: data, mountPath: /data}]
  volumeClaimTemplates:
  - metadata: {name: data, labels: {tier: gold}}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
)");
  Make<appsv1::StatefulSet>(cluster.stateful_sets, R"(
metadata: {name: queue}
spec:
  replicas: 2
  podManagementPolicy: Parallel
  ordinals: {start: 3}
  revisionHistoryLimit: 1
  persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete, whenScaled: Delete}
  selector: {matchLabels: {app: queue}}
  template:
    metadata: {labels: {app: queue}}
    spec: {containers: [{name: queue, image: "queue:1"}]}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
)");
  Make<appsv1::DaemonSet>(cluster.daemon_sets, R"(
metadata: {name: log, annotations: {team: blue}}
spec:
  selector: {matchLabels: {app: log}}
  template:
    metadata: {labels: {app: log}}
    spec:
      nodeSelector: {kubernetes.io/os: linux}
      tolerations: [{key: gpu, operator: Exists}]
      containers: [{name: log, image: "log:1"}]
)");
}

// A life, and what is there at its end.
std::string Live(const rest::Client& client) {
  const Cluster cluster(client);
  MakeObjects(cluster);
  WaitForStatefulSet(cluster, "db");
  WaitForStatefulSet(cluster, "queue");
  WaitForDaemonSet(cluster, "log");
  for (const char* image : {"db:2", "db:1"}) {
    Change<appsv1::StatefulSet>(cluster.stateful_sets, "db", [&](appsv1::StatefulSet& db) {
      db.spec.template_.spec.containers[0].image = image;
    });
    WaitForStatefulSet(cluster, "db");
  }
  Change<appsv1::StatefulSet>(cluster.stateful_sets, "db",
                              [](appsv1::StatefulSet& db) { db.spec.replicas = 2; });
  WaitForStatefulSet(cluster, "db");
  for (const char* image : {"queue:2", "queue:3", "queue:4"}) {
    Change<appsv1::StatefulSet>(cluster.stateful_sets, "queue", [&](appsv1::StatefulSet& queue) {
      queue.spec.template_.spec.containers[0].image = image;
    });
    WaitForStatefulSet(cluster, "queue");
  }
  Change<appsv1::StatefulSet>(cluster.stateful_sets, "queue",
                              [](appsv1::StatefulSet& queue) { queue.spec.replicas = 1; });
  WaitForStatefulSet(cluster, "queue");
  for (const char* image : {"log:2", "log:1"}) {
    Change<appsv1::DaemonSet>(cluster.daemon_sets, "log", [&](appsv1::DaemonSet& log) {
      log.spec.template_.spec.containers[0].image = image;
    });
    WaitForDaemonSet(cluster, "log");
  }
  WaitFor("a job", [&] {
    return cluster.cron_jobs.Get(Soon(), "tick")->status.last_successful_time.has_value();
  });
  Change<batchv1::CronJob>(cluster.cron_jobs, "tick",
                           [](batchv1::CronJob& tick) { tick.spec.suspend = true; });
  for (const char* name : {"lonely", "cordoned"}) {
    WaitFor(absl::StrCat("nobody to speak for ", name), [&] {
      const auto node = cluster.nodes.Get(Soon(), name);
      const auto& taints = node->spec.taints;
      return node->status.conditions.size() == 4 &&
             std::any_of(taints.begin(), taints.end(), [](const corev1::Taint& each) {
               return each.key == "node.kubernetes.io/unreachable" && each.effect == "NoSchedule";
             });
    });
  }
  WaitFor("the end of a claim and of the history", [&] {
    return cluster.claims.List(Soon())->items.size() == 4 &&
           cluster.revisions.List(Soon())->items.size() == 6;
  });
  return absl::StrCat(Describe(cluster, "StatefulSet", cluster.stateful_sets.List(Soon())),
                      Describe(cluster, "DaemonSet", cluster.daemon_sets.List(Soon())),
                      Describe(cluster, "ControllerRevision", cluster.revisions.List(Soon())),
                      Describe(cluster, "Pod", cluster.pods.List(Soon())), DescribeClaims(cluster),
                      Describe(cluster, "CronJob", cluster.cron_jobs.List(Soon())),
                      Describe(cluster, "Job", cluster.jobs.List(Soon())), DescribeEvents(cluster),
                      DescribeNodes(cluster));
}

TEST(Sets, AsTheRealOnes) {
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
  for (const char* each : {"name: data-db-0", "reason: InvalidSchedule", "name: tick-MINUTE",
                           "reason: NodeStatusNeverUpdated"}) {
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
