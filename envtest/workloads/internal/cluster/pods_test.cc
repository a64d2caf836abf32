#include "envtest/workloads/internal/cluster/pods.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;
using testing::ElementsAre;

const absl::Time kNow = absl::FromUnixSeconds(1'000'000);

struct PodSpec {
  absl::string_view name;
  absl::string_view node = "a";
  absl::string_view phase = "Running";
  bool ready = true;
  absl::Duration ready_for = absl::Hours(1);
  absl::Duration age = absl::Hours(1);
  absl::string_view cost = "";
  int32_t restarts = 0;
};

std::shared_ptr<const corev1::Pod> PodOf(const PodSpec& spec) {
  auto pod = std::make_shared<corev1::Pod>();
  pod->metadata.name = spec.name;
  pod->metadata.creation_timestamp = Time(kNow - spec.age);
  if (!spec.cost.empty()) {
    pod->metadata.annotations["controller.kubernetes.io/pod-deletion-cost"] = spec.cost;
  }
  pod->spec.node_name = spec.node;
  pod->status.phase = spec.phase;
  corev1::PodCondition& ready = pod->status.conditions.emplace_back();
  ready.type = "Ready";
  ready.status = spec.ready ? "True" : "False";
  ready.last_transition_time = Time(kNow - spec.ready_for);
  pod->status.container_statuses.emplace_back().name = "calm";
  pod->status.container_statuses.emplace_back().restart_count = spec.restarts;
  return pod;
}

TEST(Pods, Predicates_EachStateOfAPod_TellItApart) {
  corev1::Pod pod = *PodOf({"web"});
  EXPECT_TRUE(IsReady(pod));
  EXPECT_TRUE(IsActive(pod));
  EXPECT_FALSE(IsTerminating(pod));
  EXPECT_EQ(FindCondition(pod, "Initialized"), nullptr);
  pod.metadata.deletion_timestamp = Time(kNow);
  EXPECT_FALSE(IsActive(pod));
  EXPECT_TRUE(IsTerminating(pod));
  pod.status.phase = "Failed";
  EXPECT_FALSE(IsActive(pod));
  EXPECT_FALSE(IsTerminating(pod));
}

// TestIsPodAvailable of pkg/api/v1/pod.
TEST(Pods, AvailableFrom_ReadyPod_IsMinReadySecondsLater) {
  const corev1::Pod pod = *PodOf({.name = "web", .ready_for = absl::Seconds(10)});
  EXPECT_EQ(AvailableFrom(pod, 0), absl::InfinitePast());
  EXPECT_EQ(AvailableFrom(pod, 10), kNow);
  EXPECT_EQ(AvailableFrom(pod, 15), kNow + absl::Seconds(5));
  EXPECT_EQ(AvailableFrom(*PodOf({.name = "web", .ready = false}), 0), absl::InfiniteFuture());
}

TEST(Pods, PodFrom_Template_CopiesItAndSetsTheOwner) {
  corev1::PodTemplateSpec spec;
  spec.metadata.labels = {{"app", "web"}};
  spec.metadata.annotations = {{"a", "b"}};
  spec.metadata.name = "ignored";
  spec.spec.containers = {{.name = "web"}};
  api::meta::v1::ObjectMeta owner;
  owner.name = "web-5d8f";
  owner.namespace_ = "prod";
  owner.uid = "u";
  const corev1::Pod pod =
      PodFrom(spec, owner, meta::NewControllerRef(owner, {.version = "v1", .kind = "ReplicaSet"}));
  EXPECT_EQ(pod.metadata.generate_name, "web-5d8f-");
  EXPECT_EQ(pod.metadata.name, "");
  EXPECT_EQ(pod.metadata.namespace_, "prod");
  EXPECT_EQ(pod.metadata.labels, spec.metadata.labels);
  EXPECT_EQ(pod.metadata.annotations, spec.metadata.annotations);
  EXPECT_TRUE(meta::IsControlledBy(pod.metadata, owner));
  EXPECT_EQ(pod.spec, spec.spec);
}

// TestSortingActivePodsWithRanks of controller_utils_test.go, step by step.
TEST(Pods, SortForDeletion_LeastUsefulPodComesFirst) {
  Objects<corev1::Pod> pods;
  for (const PodSpec& spec : std::vector<PodSpec>{
           {.name = "old", .age = absl::Hours(5)},
           {.name = "alone on its node, so", .node = "b"},
           {.name = "dear", .cost = "10"},
           {.name = "ready for long", .ready_for = absl::Hours(2)},
           {.name = "restarted", .age = absl::Hours(4), .restarts = 2},
           {.name = "cheap", .cost = "-10"},
           {.name = "not ready", .ready = false},
           {.name = "unknown", .phase = "Unknown", .ready = false},
           {.name = "pending", .phase = "Pending", .ready = false},
           {.name = "not scheduled", .node = "", .phase = "Pending", .ready = false},
           {.name = "b"},
           {.name = "a"},
       }) {
    pods.push_back(PodOf(spec));
  }
  SortForDeletion(pods);
  std::vector<std::string> names;
  for (const auto& pod : pods) names.emplace_back(pod->metadata.name);
  EXPECT_THAT(names,
              ElementsAre("not scheduled", "pending", "unknown", "not ready", "cheap", "restarted",
                          "a", "b", "old", "ready for long", "alone on its node, so", "dear"));
}

}  // namespace
}  // namespace kube::envtest::internal
