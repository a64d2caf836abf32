#include "envtest/workloads/internal/adoption.h"

#include <functional>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/time.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "envtest/in_process_transport.h"
#include "envtest/workloads/internal/batch/job.h"
#include "envtest/workloads/internal/cluster/cluster.h"
#include "envtest/workloads/internal/cluster/outcome.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace batchv1 = api::batch::v1;
namespace corev1 = api::core::v1;
using base::IsOk;
using testing::IsEmpty;
using testing::SizeIs;

// A server, and what the controllers see of it. The mirrors do not run: they show what is written
// through them.
struct World {
  apiserver::ApiHandler handler{apiserver::HandlerOptions{.cluster_objects = false}};
  rest::Client client = *rest::MakeClient(InProcessConfig(handler));
  Cluster cluster{client, true, [] {}};

  template <typename T, typename MirrorT>
  void Make(MirrorT& mirror, absl::string_view yaml) {
    absl::StatusOr<T> object = codec::DecodeYaml<T>(yaml);
    ASSERT_THAT(object, IsOk());
    object->metadata.namespace_ = "default";
    ASSERT_THAT(mirror.Create(Context(), *object), IsOk());
  }

  std::set<std::string> Pass() {
    Outcome outcome;
    std::set<std::string> seen = AdoptAndRelease(Context(), cluster, outcome);
    EXPECT_FALSE(outcome.failed());
    return seen;
  }

  corev1::Pod Pod(absl::string_view name) {
    return *cluster.pods.client().Namespace("default").Get(Context(), name);
  }
};

void InSimulation(const std::function<void(World&)>& body) {
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([&] {
    World world;
    body(world);
  }),
              IsOk());
}

constexpr absl::string_view kPod = R"(
metadata: {name: p, labels: {app: sum}}
spec: {nodeName: node-0, restartPolicy: Never, containers: [{name: c, image: i}]}
)";
constexpr absl::string_view kJob = R"(
metadata: {name: sum}
spec:
  manualSelector: true
  selector: {matchLabels: {app: sum}}
  template:
    metadata: {labels: {app: sum}}
    spec: {restartPolicy: Never, containers: [{name: c, image: i}]}
)";

TEST(AdoptAndRelease, Job_TracksWhatItAdopts_AndReleasesBoth) {
  InSimulation([](World& world) {
    world.Make<corev1::Pod>(world.cluster.pods, kPod);
    world.Make<batchv1::Job>(world.cluster.jobs, kJob);
    const batchv1::Job job = *world.cluster.jobs.All()[0];
    EXPECT_THAT(world.Pass(), testing::ElementsAre(std::string(job.metadata.uid)));
    corev1::Pod pod = world.Pod("p");
    EXPECT_TRUE(meta::IsControlledBy(pod.metadata, job.metadata));
    EXPECT_TRUE(HasJobTracking(pod));

    pod.metadata.labels["app"] = "other";
    ASSERT_THAT(world.cluster.pods.Update(Context(), pod), IsOk());
    world.Pass();
    pod = world.Pod("p");
    EXPECT_THAT(pod.metadata.owner_references, IsEmpty());
    EXPECT_FALSE(HasJobTracking(pod));
  });
}

TEST(AdoptAndRelease, FinishedJob_AdoptsNothing) {
  InSimulation([](World& world) {
    world.Make<corev1::Pod>(world.cluster.pods, kPod);
    world.Make<batchv1::Job>(world.cluster.jobs, kJob);
    batchv1::Job job = *world.cluster.jobs.All()[0];
    job.status.start_time = Time::FromUnixSeconds(1'000'000);
    for (const absl::string_view type : {"FailureTarget", "Failed"}) {
      batchv1::JobCondition& failed = job.status.conditions.emplace_back();
      failed.type = type;
      failed.status = "True";
    }
    ASSERT_THAT(world.cluster.jobs.UpdateStatus(Context(), job), IsOk());
    EXPECT_THAT(world.Pass(), SizeIs(1));
    EXPECT_THAT(world.Pod("p").metadata.owner_references, IsEmpty());
  });
}

constexpr absl::string_view kSet = R"(
metadata: {name: sum}
spec:
  replicas: 1
  selector: {matchLabels: {app: sum}}
  template:
    metadata: {labels: {app: sum}}
    spec: {containers: [{name: c, image: i}]}
)";

// The mirror still shows the set: its dependents would be collected with it.
TEST(AdoptAndRelease, ControllerThatWasDeleted_AdoptsNothing) {
  InSimulation([](World& world) {
    world.Make<corev1::Pod>(world.cluster.pods, kPod);
    world.Make<appsv1::ReplicaSet>(world.cluster.replica_sets, kSet);
    ASSERT_THAT(world.cluster.replica_sets.client().Namespace("default").Delete(Context(), "sum"),
                IsOk());
    EXPECT_THAT(world.Pass(), SizeIs(1));
    EXPECT_THAT(world.Pod("p").metadata.owner_references, IsEmpty());
  });
}

TEST(AdoptAndRelease, PodThatHasEnded_IsNotForReplicaSets) {
  InSimulation([](World& world) {
    world.Make<corev1::Pod>(world.cluster.pods, kPod);
    corev1::Pod pod = world.Pod("p");
    pod.status.phase = "Failed";
    ASSERT_THAT(world.cluster.pods.UpdateStatus(Context(), pod), IsOk());
    world.Make<appsv1::ReplicaSet>(world.cluster.replica_sets, kSet);
    world.Pass();
    EXPECT_THAT(world.Pod("p").metadata.owner_references, IsEmpty());
  });
}

TEST(AdoptAndRelease, DaemonSet_AdoptsAndReleasesRevisions) {
  InSimulation([](World& world) {
    world.Make<appsv1::DaemonSet>(world.cluster.daemon_sets, R"(
metadata: {name: sum}
spec:
  selector: {matchLabels: {app: sum}}
  template:
    metadata: {labels: {app: sum}}
    spec: {containers: [{name: c, image: i}]}
)");
    world.Make<appsv1::ControllerRevision>(world.cluster.revisions, R"(
metadata: {name: sum-1, labels: {app: sum}}
revision: 1
data: {spec: {template: {}}}
)");
    world.Pass();
    appsv1::ControllerRevision revision = *world.cluster.revisions.All()[0];
    EXPECT_TRUE(
        meta::IsControlledBy(revision.metadata, world.cluster.daemon_sets.All()[0]->metadata));
    revision.metadata.labels["app"] = "other";
    ASSERT_THAT(world.cluster.revisions.Update(Context(), revision), IsOk());
    world.Pass();
    EXPECT_THAT(world.cluster.revisions.All()[0]->metadata.owner_references, IsEmpty());
  });
}

}  // namespace
}  // namespace kube::envtest::internal
