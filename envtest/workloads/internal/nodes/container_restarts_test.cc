#include "envtest/workloads/internal/nodes/container_restarts.h"

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/time.h"
#include "envtest/workloads/container_restart.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "envtest/workloads/internal/nodes/node.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;

const absl::Time kStart = absl::FromUnixSeconds(1'000'000);
const absl::Time kEnd = kStart + absl::Seconds(30);
const absl::Time kAgain = kStart + absl::Seconds(40);

// With two containers that run since kStart.
corev1::Pod RunningPod(absl::string_view policy = "Always") {
  corev1::Pod pod;
  pod.metadata.name = "web";
  pod.metadata.namespace_ = "prod";
  pod.metadata.uid = "u";
  pod.spec.node_name = "a";
  pod.spec.restart_policy = policy;
  pod.spec.containers = {{.name = "web", .image = "web:1"}, {.name = "log", .image = "log:1"}};
  pod.status.phase = "Pending";
  pod.status = *PlanPod(pod, {}, {}, "10.244.0.7", "10.0.0.1", kStart).status;
  return pod;
}

TEST(ContainerRestarts, EndThenStart_CountsARestartAndIsReadyAgain) {
  corev1::Pod pod = RunningPod();
  const corev1::ContainerStatus& web = pod.status.container_statuses[0];
  const corev1::ContainerStatus log = pod.status.container_statuses[1];
  ASSERT_THAT(EndContainer(pod, "web", {.exit_code = 137, .reason = "OOMKilled"}, kEnd), IsOk());
  EXPECT_EQ(pod.status.phase, "Running");
  EXPECT_FALSE(web.ready);
  EXPECT_EQ(web.started, false);
  EXPECT_EQ(web.restart_count, 0);
  EXPECT_FALSE(web.state.running.has_value());
  EXPECT_EQ(web.state.terminated->exit_code, 137);
  EXPECT_EQ(web.state.terminated->reason, "OOMKilled");
  EXPECT_EQ(web.state.terminated->started_at, Time(kStart));
  EXPECT_EQ(web.state.terminated->finished_at, Time(kEnd));
  EXPECT_EQ(web.state.terminated->container_id, "envtest://u/web");
  EXPECT_FALSE(IsReady(pod));
  EXPECT_EQ(FindCondition(pod, "Ready")->reason, "ContainersNotReady");
  EXPECT_EQ(FindCondition(pod, "ContainersReady")->message,
            "containers with unready status: [web]");
  EXPECT_EQ(FindCondition(pod, "Ready")->last_transition_time, Time(kEnd));

  ASSERT_THAT(StartContainerAgain(pod, "web", kAgain), IsOk());
  EXPECT_TRUE(web.ready);
  EXPECT_EQ(web.started, true);
  EXPECT_EQ(web.restart_count, 1);
  EXPECT_EQ(web.state.running->started_at, Time(kAgain));
  EXPECT_FALSE(web.state.terminated.has_value());
  EXPECT_EQ(web.last_state.terminated->exit_code, 137);
  EXPECT_EQ(web.last_state.terminated->container_id, "envtest://u/web");
  EXPECT_EQ(web.container_id, "envtest://u/web/1");
  EXPECT_TRUE(IsReady(pod));
  EXPECT_EQ(FindCondition(pod, "Ready")->reason, "");
  EXPECT_EQ(FindCondition(pod, "Ready")->message, "");
  EXPECT_EQ(FindCondition(pod, "Ready")->last_transition_time, Time(kAgain));
  EXPECT_EQ(FindCondition(pod, "Initialized")->last_transition_time, Time(kStart));
  EXPECT_EQ(pod.status.container_statuses[1], log) << "the other one goes on";
}

TEST(ContainerRestarts, BackOff_IsInCrashLoopBackOffUntilItStarts) {
  corev1::Pod pod = RunningPod("OnFailure");
  const corev1::ContainerStatus& web = pod.status.container_statuses[0];
  const ContainerRestart restart = {.back_off = absl::Seconds(10)};
  ASSERT_THAT(EndContainer(pod, "web", restart, kEnd), IsOk());
  EXPECT_EQ(web.state.terminated->reason, "Error");
  ASSERT_THAT(BackOffContainer(pod, "web", restart, kEnd), IsOk());
  EXPECT_FALSE(web.state.terminated.has_value());
  EXPECT_EQ(web.state.waiting->reason, "CrashLoopBackOff");
  EXPECT_EQ(web.state.waiting->message,
            "back-off 10s restarting failed container=web pod=web_prod(u)");
  EXPECT_EQ(web.last_state.terminated->exit_code, 1);
  EXPECT_EQ(web.restart_count, 0);
  EXPECT_FALSE(IsReady(pod));
  ASSERT_THAT(StartContainerAgain(pod, "web", kAgain), IsOk());
  EXPECT_FALSE(web.state.waiting.has_value());
  EXPECT_EQ(web.last_state.terminated->exit_code, 1);
  EXPECT_EQ(web.restart_count, 1);
}

TEST(ContainerRestarts, ThePodIsReadyWhenAllItsContainersAre) {
  corev1::Pod pod = RunningPod();
  ASSERT_THAT(EndContainer(pod, "web", {.exit_code = 0}, kEnd), IsOk());
  EXPECT_EQ(pod.status.container_statuses[0].state.terminated->reason, "Completed");
  ASSERT_THAT(EndContainer(pod, "log", {}, kEnd), IsOk());
  EXPECT_EQ(FindCondition(pod, "Ready")->message, "containers with unready status: [web log]");
  ASSERT_THAT(StartContainerAgain(pod, "web", kAgain), IsOk());
  EXPECT_FALSE(IsReady(pod));
  EXPECT_EQ(FindCondition(pod, "Ready")->message, "containers with unready status: [log]");
  EXPECT_EQ(FindCondition(pod, "Ready")->last_transition_time, Time(kEnd));
  ASSERT_THAT(StartContainerAgain(pod, "log", kAgain), IsOk());
  EXPECT_TRUE(IsReady(pod));
}

TEST(ContainerRestarts, InvalidTransition_IsFailedPrecondition) {
  const auto precondition = [](absl::string_view cause) {
    return StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr(cause));
  };
  corev1::Pod pod = RunningPod();
  EXPECT_THAT(EndContainer(pod, "db", {}, kEnd),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("has no container \"db\"")));
  EXPECT_THAT(StartContainerAgain(pod, "web", kEnd), precondition("already running"));
  EXPECT_THAT(BackOffContainer(pod, "web", {}, kEnd), precondition("not terminated"));
  ASSERT_THAT(EndContainer(pod, "web", {}, kEnd), IsOk());
  EXPECT_THAT(EndContainer(pod, "web", {}, kEnd), precondition("not running"));
  pod = RunningPod("Never");
  EXPECT_THAT(EndContainer(pod, "web", {}, kEnd), precondition("restartPolicy Never"));
  pod = RunningPod("OnFailure");
  EXPECT_THAT(EndContainer(pod, "web", {.exit_code = 0}, kEnd),
              precondition("restartPolicy OnFailure"));
  EXPECT_EQ(pod.status, RunningPod("OnFailure").status);
}

}  // namespace
}  // namespace kube::envtest::internal
