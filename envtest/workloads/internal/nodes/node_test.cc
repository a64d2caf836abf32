#include "envtest/workloads/internal/nodes/node.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/time.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "envtest/workloads/pod_run.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;
using testing::ElementsAre;

const absl::Time kNow = absl::FromUnixSeconds(1'000'000);

std::shared_ptr<corev1::Node> ReadyNode(absl::string_view name) {
  auto node = std::make_shared<corev1::Node>(NewNode(name));
  node->status = ReadyNodeStatus(name, "10.0.0.1", kNow);
  return node;
}

corev1::Pod PodOf(absl::string_view phase = "Pending") {
  corev1::Pod pod;
  pod.metadata.name = "web";
  pod.metadata.uid = "u";
  pod.metadata.generation = 2;
  pod.spec.node_name = "a";
  pod.spec.containers = {{.name = "web", .image = "web:1"}};
  pod.spec.init_containers = {{.name = "init", .image = "init:1"}};
  pod.status.phase = phase;
  pod.status.conditions = {{.type = "PodScheduled", .status = "True"}};
  return pod;
}

PodPlan Plan(const corev1::Pod& pod, const PodRun& run, const PodAge& age) {
  return PlanPod(pod, run, age, "10.244.0.7", "10.0.0.1", kNow);
}

TEST(ReadyNodeStatus, HasTheConditionsOfAKubelet) {
  std::vector<std::string> conditions;
  const auto node = ReadyNode("a");
  for (const corev1::NodeCondition& each : node->status.conditions) {
    conditions.push_back(absl::StrCat(each.type.view(), " ", each.status.view(), " ",
                                      each.reason.view(), ": ", each.message.view()));
  }
  EXPECT_THAT(conditions,
              ElementsAre("MemoryPressure False KubeletHasSufficientMemory: kubelet has sufficient "
                          "memory available",
                          "DiskPressure False KubeletHasNoDiskPressure: kubelet has no disk "
                          "pressure",
                          "PIDPressure False KubeletHasSufficientPID: kubelet has sufficient PID "
                          "available",
                          "Ready True KubeletReady: kubelet is posting ready status"));
}

// "key:effect" of each taint.
std::string TaintsOf(const List<corev1::Taint>& taints) {
  std::vector<std::string> texts;
  for (const corev1::Taint& each : taints) {
    texts.push_back(absl::StrCat(each.key.view(), ":", each.effect.view()));
  }
  return absl::StrJoin(texts, " ");
}

corev1::Node NodeWith(absl::string_view type, absl::string_view status) {
  corev1::Node node = *ReadyNode("a");
  for (corev1::NodeCondition& each : node.status.conditions) {
    if (each.type == type) each.status = status;
  }
  return node;
}

TEST(PlanNode, TaintsFollowConditions) {
  const struct {
    const char* type;
    const char* status;
    const char* taints;
  } kCases[] = {
      {"Ready", "True", ""},
      {"Ready", "False", "node.kubernetes.io/not-ready:NoSchedule"},
      {"Ready", "Unknown", "node.kubernetes.io/unreachable:NoSchedule"},
      {"MemoryPressure", "True", "node.kubernetes.io/memory-pressure:NoSchedule"},
      {"MemoryPressure", "Unknown", ""},
      {"PIDPressure", "True", "node.kubernetes.io/pid-pressure:NoSchedule"},
  };
  for (const auto& each : kCases) {
    SCOPED_TRACE(absl::StrCat(each.type, " ", each.status));
    corev1::Node node = NodeWith(each.type, each.status);
    // As a server makes it.
    node.spec.taints = {{.key = "node.kubernetes.io/not-ready", .effect = "NoSchedule"}};
    NodePlan plan = PlanNode(node, kNow);
    if (plan.taints.has_value()) node.spec.taints = *plan.taints;
    EXPECT_EQ(TaintsOf(node.spec.taints), each.taints);
    EXPECT_FALSE(PlanNode(node, kNow).taints.has_value());
    EXPECT_FALSE(plan.status.has_value());
  }
}

TEST(PlanNode, TaintsFollowCordons) {
  corev1::Node node = *ReadyNode("a");
  node.spec.taints = {{.key = "gpu", .effect = "NoSchedule"}};
  EXPECT_FALSE(PlanNode(node, kNow).taints.has_value());
  node.spec.unschedulable = true;
  node.spec.taints = *PlanNode(node, kNow).taints;
  EXPECT_EQ(TaintsOf(node.spec.taints),
            "gpu:NoSchedule node.kubernetes.io/unschedulable:NoSchedule");
  EXPECT_EQ(node.spec.taints[1].time_added, Time(kNow));
  node.spec.unschedulable = false;
  EXPECT_EQ(TaintsOf(*PlanNode(node, kNow).taints), "gpu:NoSchedule");
}

TEST(PlanNode, NodeWithoutStatus_IsUnknownAfterAMinute) {
  corev1::Node node = NewNode("a");
  node.metadata.creation_timestamp = Time(kNow);
  NodePlan plan = PlanNode(node, kNow + absl::Seconds(20));
  EXPECT_FALSE(plan.status.has_value());
  EXPECT_EQ(plan.again, kNow + absl::Minutes(1));
  const absl::Time later = kNow + absl::Seconds(61);
  plan = PlanNode(node, later);
  ASSERT_TRUE(plan.status.has_value());
  EXPECT_EQ(plan.again, absl::InfiniteFuture());
  std::vector<std::string> conditions;
  for (const corev1::NodeCondition& each : plan.status->conditions) {
    conditions.push_back(absl::StrCat(each.type.view(), "=", each.status.view(), " ",
                                      each.reason.view(), ": ", each.message.view()));
    EXPECT_EQ(each.last_heartbeat_time, Time(kNow));
    EXPECT_EQ(each.last_transition_time, Time(later));
  }
  constexpr absl::string_view kNever =
      "=Unknown NodeStatusNeverUpdated: Kubelet never posted node status.";
  EXPECT_THAT(
      conditions,
      ElementsAre(absl::StrCat("Ready", kNever), absl::StrCat("MemoryPressure", kNever),
                  absl::StrCat("DiskPressure", kNever), absl::StrCat("PIDPressure", kNever)));
  node.status = *plan.status;
  EXPECT_FALSE(PlanNode(node, later).status.has_value());
}

TEST(PlanPod, ReadyAfter_HasPassed_IsRunningAndReady) {
  const PodRun run = {.ready_after = absl::Seconds(5)};
  PodPlan plan = Plan(PodOf(), run, {.scheduled = absl::Seconds(2)});
  EXPECT_FALSE(plan.status.has_value());
  EXPECT_EQ(plan.again, absl::Seconds(3));
  plan = Plan(PodOf(), run, {.scheduled = absl::Seconds(5)});
  ASSERT_TRUE(plan.status.has_value());
  const corev1::PodStatus& status = *plan.status;
  EXPECT_EQ(status.phase, "Running");
  EXPECT_EQ(status.pod_ip, "10.244.0.7");
  EXPECT_EQ(status.pod_ips[0].ip, "10.244.0.7");
  EXPECT_EQ(status.host_ip, "10.0.0.1");
  EXPECT_EQ(status.start_time, Time(kNow));
  EXPECT_EQ(status.observed_generation, 2);
  ASSERT_EQ(status.container_statuses.size(), 1u);
  EXPECT_TRUE(status.container_statuses[0].ready);
  EXPECT_TRUE(status.container_statuses[0].state.running.has_value());
  EXPECT_EQ(status.init_container_statuses[0].state.terminated->reason, "Completed");
  corev1::Pod pod = PodOf();
  pod.status = status;
  EXPECT_TRUE(IsReady(pod));
  EXPECT_EQ(FindCondition(pod, "PodScheduled")->status, "True");
  EXPECT_EQ(pod.status.conditions.size(), 5u);

  EXPECT_EQ(Plan(PodOf(), {.ready_after = absl::InfiniteDuration()}, {}).again,
            absl::InfiniteDuration());
}

TEST(PlanPod, HostNetwork_HasTheAddressOfItsNode) {
  corev1::Pod pod = PodOf();
  pod.spec.host_network = true;
  EXPECT_EQ(Plan(pod, {}, {}).status->pod_ip, "10.0.0.1");
}

TEST(PlanPod, EndsAfter_HasPassed_SucceedsOrFailsByItsExitCode) {
  corev1::Pod pod = PodOf();
  pod.status = *Plan(pod, {}, {}).status;
  EXPECT_FALSE(Plan(pod, {}, {.running = absl::Hours(100)}).status.has_value()) << "for ever";
  PodRun run = {.ends_after = absl::Seconds(5)};
  EXPECT_EQ(Plan(pod, run, {.running = absl::Seconds(1)}).again, absl::Seconds(4));
  for (const int code : {0, 3}) {
    SCOPED_TRACE(code);
    run.exit_code = code;
    const PodPlan plan = Plan(pod, run, {.running = absl::Seconds(5)});
    ASSERT_TRUE(plan.status.has_value());
    EXPECT_EQ(plan.status->phase, code == 0 ? "Succeeded" : "Failed");
    const corev1::ContainerStatus& container = plan.status->container_statuses[0];
    EXPECT_EQ(container.state.terminated->exit_code, code);
    EXPECT_EQ(container.state.terminated->reason, code == 0 ? "Completed" : "Error");
    EXPECT_EQ(container.state.terminated->started_at, Time(kNow));
    EXPECT_FALSE(container.state.running.has_value());
    corev1::Pod ended = pod;
    ended.status = *plan.status;
    EXPECT_FALSE(IsReady(ended));
    EXPECT_FALSE(Plan(ended, run, {.running = absl::Hours(1)}).status.has_value());
  }
}

TEST(PlanPod, Deleted_StopsAfterHasPassed_IsRemoved) {
  corev1::Pod pod = PodOf("Running");
  pod.metadata.deletion_timestamp = Time(kNow);
  pod.metadata.deletion_grace_period_seconds = 30;
  const PodRun run = {.stops_after = absl::Seconds(3)};
  PodPlan plan = Plan(pod, run, {.deleted = absl::Seconds(1)});
  EXPECT_FALSE(plan.remove);
  EXPECT_EQ(plan.again, absl::Seconds(2));
  EXPECT_TRUE(Plan(pod, run, {.deleted = absl::Seconds(3)}).remove);
  pod.metadata.deletion_grace_period_seconds = 0;
  plan = Plan(pod, run, {.deleted = absl::Seconds(3)});
  EXPECT_FALSE(plan.remove) << "finalizers hold it";
  EXPECT_EQ(plan.again, absl::InfiniteDuration());
}

}  // namespace
}  // namespace kube::envtest::internal
