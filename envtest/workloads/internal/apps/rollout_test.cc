#include "envtest/workloads/internal/apps/rollout.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/int_or_string.h"
#include "apimachinery/types/opt.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;

appsv1::Deployment DeploymentOf(int32_t replicas, const IntOrString& surge,
                                const IntOrString& unavailable) {
  appsv1::Deployment deployment;
  deployment.metadata.name = "web";
  deployment.spec.replicas = replicas;
  deployment.spec.strategy.type = "RollingUpdate";
  appsv1::RollingUpdateDeployment& rolling = deployment.spec.strategy.rolling_update.emplace();
  rolling.max_surge = surge;
  rolling.max_unavailable = unavailable;
  return deployment;
}

appsv1::ReplicaSet SetOf(int32_t replicas) {
  appsv1::ReplicaSet set;
  set.spec.replicas = replicas;
  return set;
}

// TestResolveFenceposts of deployment_util_test.go, and the comment at ResolveFenceposts.
TEST(Rollout, ResolveFenceposts_EachPair_AreUpstreams) {
  const struct {
    std::optional<absl::string_view> surge;
    std::optional<absl::string_view> unavailable;
    int32_t desired;
    int32_t want_surge;
    int32_t want_unavailable;
    bool error = false;
  } cases[] = {
      {"0%", "0%", 0, 0, 1},
      {"39%", "39%", 10, 4, 3},
      {"oops", "39%", 10, 0, 0, true},
      {"55%", "urg", 10, 0, 0, true},
      {std::nullopt, "39%", 10, 0, 3},
      {"39%", std::nullopt, 10, 4, 0},
      {std::nullopt, std::nullopt, 10, 0, 1},
      {"0%", "1%", 2, 0, 1},
      {"1%", "25%", 2, 1, 0},
      {"1%", "0%", 1, 1, 0},
      {"25%", "25%", 3, 1, 0},
      {"3", "2", 10, 0, 0, true},  // texts are percentages
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(absl::StrCat(test.surge.value_or("-"), " ", test.unavailable.value_or("-"), " of ",
                              test.desired));
    Opt<IntOrString> surge;
    Opt<IntOrString> unavailable;
    if (test.surge.has_value()) surge = IntOrString(std::string(*test.surge));
    if (test.unavailable.has_value()) unavailable = IntOrString(std::string(*test.unavailable));
    const auto fenceposts = ResolveFenceposts(surge, unavailable, test.desired);
    EXPECT_EQ(fenceposts.ok(), !test.error);
    if (!fenceposts.ok()) continue;
    EXPECT_EQ(fenceposts->surge, test.want_surge);
    EXPECT_EQ(fenceposts->unavailable, test.want_unavailable);
  }
}

// TestMaxUnavailable and TestMaxSurge.
TEST(Rollout, MaxUnavailableAndMaxSurge_EachStrategy_AreUpstreams) {
  EXPECT_EQ(MaxUnavailable(DeploymentOf(10, 0, 5)), 5);
  EXPECT_EQ(MaxUnavailable(DeploymentOf(5, 0, 10)), 5) << "not more than there are";
  EXPECT_EQ(MaxUnavailable(DeploymentOf(5, 0, 0)), 1) << "both are zero";
  EXPECT_EQ(MaxUnavailable(DeploymentOf(0, 1, 1)), 0);
  EXPECT_EQ(MaxUnavailable(DeploymentOf(10, "0%", "50%")), 5);
  EXPECT_EQ(MaxSurge(DeploymentOf(10, "25%", 1)), 3);
  appsv1::Deployment recreate = DeploymentOf(10, 5, 5);
  recreate.spec.strategy.type = "Recreate";
  EXPECT_EQ(MaxUnavailable(recreate), 0);
  EXPECT_EQ(MaxSurge(recreate), 0);
}

// TestNewRSNewReplicas: one old replica set of five.
TEST(Rollout, NewReplicas_EachStrategy_StaysWithinTheSurge) {
  const struct {
    absl::string_view name;
    absl::string_view strategy;
    int32_t wanted;
    int32_t newest;
    int32_t surge;
    int32_t expected;
  } cases[] = {
      {"cannot scale up", "RollingUpdate", 1, 5, 1, 5},
      {"up to the deployment's", "RollingUpdate", 6, 2, 10, 6},
      {"recreate: all of them", "Recreate", 3, 1, 1, 3},
      {"as the surge allows", "RollingUpdate", 5, 0, 2, 2},
  };
  for (const auto& test : cases) {
    appsv1::Deployment deployment = DeploymentOf(test.wanted, test.surge, 1);
    deployment.spec.strategy.type = test.strategy;
    const appsv1::ReplicaSet old = SetOf(5);
    EXPECT_EQ(NewReplicas(deployment, {&old, nullptr}, SetOf(test.newest)), test.expected)
        << test.name;
  }
}

TEST(Rollout, Proportion_IsTheShareOfTheSetAndNoMoreThanIsLeft) {
  appsv1::Deployment deployment = DeploymentOf(20, 2, 0);
  appsv1::ReplicaSet set = SetOf(6);
  set.metadata.annotations[kMaxReplicas] = "12";
  EXPECT_EQ(Proportion(set, deployment, 10, 0), 5);
  EXPECT_EQ(Proportion(set, deployment, 10, 7), 3) << "no more than there is to add";
  EXPECT_EQ(Proportion(set, deployment, 10, 10), 0);
  EXPECT_EQ(Proportion(SetOf(0), deployment, 10, 0), 0);
  EXPECT_EQ(Proportion(SetOf(6), deployment, 10, 0), 0) << "nobody says what the total was";
  deployment.status.replicas = 11;
  EXPECT_EQ(Proportion(SetOf(6), deployment, 10, 0), 6) << "of the pods there are";
  deployment.spec.replicas = 0;
  EXPECT_EQ(Proportion(set, deployment, -6, 0), -6);
}

TEST(Rollout, IsSaturated_AllReplicasAvailable_IsTrue) {
  const appsv1::Deployment deployment = DeploymentOf(3, 1, 0);
  appsv1::ReplicaSet set = SetOf(3);
  EXPECT_FALSE(IsSaturated(deployment, nullptr));
  EXPECT_FALSE(IsSaturated(deployment, &set));
  EXPECT_TRUE(SetReplicasAnnotations(deployment, set));
  EXPECT_FALSE(SetReplicasAnnotations(deployment, set)) << "they are there";
  EXPECT_EQ(DesiredReplicas(set), 3);
  EXPECT_EQ(set.metadata.annotations.value_or(kMaxReplicas, ""), "4");
  EXPECT_FALSE(IsSaturated(deployment, &set));
  set.status.available_replicas = 3;
  EXPECT_TRUE(IsSaturated(deployment, &set));
}

TEST(Rollout, DesiredReplicas_InvalidAnnotation_IsMinusOne) {
  for (const absl::string_view text : {"x", "-1", "3000000000", ""}) {
    appsv1::ReplicaSet set = SetOf(1);
    set.metadata.annotations[kDesiredReplicas] = text;
    EXPECT_EQ(DesiredReplicas(set), -1) << text;
  }
}

// TestAnnotationUtils, and the comments at SetNewReplicaSetAnnotations.
TEST(Rollout, SetRevision_LaterRevision_KeepsTheEarlierInTheHistory) {
  appsv1::Deployment deployment = DeploymentOf(1, 1, 0);
  deployment.metadata.annotations["team"] = "blue";
  deployment.metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"] = "{}";
  appsv1::ReplicaSet set = SetOf(1);
  EXPECT_TRUE(SetRevision(deployment, 1, set));
  EXPECT_EQ(set.metadata.annotations.value_or("team", ""), "blue");
  EXPECT_EQ(set.metadata.annotations.size(), 2u) << "kubectl's is not copied";
  EXPECT_FALSE(SetRevision(deployment, 1, set));
  EXPECT_FALSE(set.metadata.annotations.contains(kRevisionHistory));

  EXPECT_TRUE(SetRevision(deployment, 3, set));
  EXPECT_EQ(set.metadata.annotations.value_or(kRevisionHistory, ""), "1");
  EXPECT_TRUE(SetRevision(deployment, 12, set));
  EXPECT_EQ(set.metadata.annotations.value_or(kRevisionHistory, ""), "1,3");
  EXPECT_FALSE(SetRevision(deployment, 2, set)) << "it was later than that";
  EXPECT_EQ(RevisionOf(set), 12);
  const appsv1::ReplicaSet other = SetOf(1);
  EXPECT_EQ(MaxRevision({&other, &set}), 12);

  set.metadata.annotations[kRevision] = "x";
  EXPECT_FALSE(SetRevision(deployment, 13, set)) << "somebody else's text stays";
  EXPECT_EQ(RevisionOf(set), 0);
}

TEST(Rollout, SetRevision_LongHistory_KeepsTheLastTwoThousandBytes) {
  const appsv1::Deployment deployment = DeploymentOf(1, 1, 0);
  appsv1::ReplicaSet set = SetOf(1);
  for (int64_t revision = 1; revision <= 1000; ++revision) SetRevision(deployment, revision, set);
  const std::string history(set.metadata.annotations.value_or(kRevisionHistory, ""));
  EXPECT_LE(history.size(), 2000u);
  EXPECT_GT(history.size(), 1990u);
  EXPECT_THAT(history, testing::EndsWith(",998,999"));
}

TEST(Rollout, IsSameTemplate_IgnoresTheHashLabelOnly) {
  corev1::PodTemplateSpec a;
  a.metadata.labels = {{"app", "web"}};
  a.spec.containers = {{.name = "web", .image = "web:1"}};
  corev1::PodTemplateSpec b = a;
  b.metadata.labels[kTemplateHashLabel] = "5d8f";
  EXPECT_TRUE(IsSameTemplate(a, b));
  b.metadata.labels["x"] = "y";
  EXPECT_FALSE(IsSameTemplate(a, b));
  b = a;
  b.spec.containers[0].image = "web:2";
  EXPECT_FALSE(IsSameTemplate(a, b));
}

TEST(Rollout, ReplicaSetName_LongName_IsCutBeforeTheHash) {
  EXPECT_EQ(ReplicaSetName("web", "5d8f"), "web-5d8f");
  EXPECT_EQ(ReplicaSetName(std::string(253, 'a'), "5d8f"), std::string(248, 'a') + "-5d8f");
}

}  // namespace
}  // namespace kube::envtest::internal
