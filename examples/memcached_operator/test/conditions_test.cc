// The conditions of a Memcached: a table of Deployments.
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "api/apps/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "examples/memcached_operator/memcached.kube.h"
#include "examples/memcached_operator/operator.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace cache {
namespace {

namespace appsv1 = kube::api::apps::v1;
namespace metav1 = kube::api::meta::v1;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using v1alpha1::Memcached;

Memcached MemcachedOf(int32_t size) {
  return {.metadata = {.name = "sessions", .generation = 4},
          .spec = {.size = size, .container_port = 11211}};
}

// Returns a Deployment of generation 7 with this status.
appsv1::Deployment DeploymentWith(const appsv1::DeploymentStatus& status) {
  return {.metadata = {.name = "sessions", .generation = 7}, .status = status};
}

std::vector<std::string> Texts(const kube::List<metav1::Condition>& conditions) {
  std::vector<std::string> texts;
  for (const metav1::Condition& each : conditions) {
    texts.push_back(absl::StrCat(each.type.view(), "=", each.status.view(), " ", each.reason.view(),
                                 ": ", each.message.view()));
  }
  return texts;
}

TEST(ConditionsOf, ANewDeployment_IsProgressing) {
  EXPECT_THAT(
      Texts(ConditionsOf(MemcachedOf(2), DeploymentWith({}))),
      ElementsAre("Available=False ServersMissing: 0 of 2 servers",
                  "Progressing=True RollingOut: 0 of 2 servers", "Degraded=False AsExpected: "));
}

TEST(ConditionsOf, ARolloutThatIsComplete_IsAvailable) {
  const appsv1::DeploymentStatus status = {
      .observed_generation = 7, .replicas = 2, .updated_replicas = 2, .available_replicas = 2};
  EXPECT_THAT(
      Texts(ConditionsOf(MemcachedOf(2), DeploymentWith(status))),
      ElementsAre("Available=True AllServersAvailable: 2 of 2 servers",
                  "Progressing=False RolloutEnded: 2 of 2 servers", "Degraded=False AsExpected: "));
}

TEST(ConditionsOf, OldServersAreStillThere_IsAvailableAndProgressing) {
  const appsv1::DeploymentStatus status = {
      .observed_generation = 7, .replicas = 3, .updated_replicas = 1, .available_replicas = 2};
  EXPECT_THAT(
      Texts(ConditionsOf(MemcachedOf(2), DeploymentWith(status))),
      ElementsAre("Available=True AllServersAvailable: 2 of 2 servers",
                  "Progressing=True RollingOut: 2 of 2 servers", "Degraded=False AsExpected: "));
}

TEST(ConditionsOf, TheDeploymentsStatusIsOld_IsProgressing) {
  const appsv1::DeploymentStatus status = {
      .observed_generation = 6, .replicas = 2, .updated_replicas = 2, .available_replicas = 2};
  EXPECT_THAT(Texts(ConditionsOf(MemcachedOf(2), DeploymentWith(status)))[1],
              "Progressing=True RollingOut: 2 of 2 servers");
}

TEST(ConditionsOf, NoServersAreWanted_IsAvailable) {
  const appsv1::DeploymentStatus status = {.observed_generation = 7};
  EXPECT_THAT(Texts(ConditionsOf(MemcachedOf(0), DeploymentWith(status)))[0],
              "Available=True AllServersAvailable: 0 of 0 servers");
}

TEST(ConditionsOf, TheRolloutIsStuck_IsDegradedForTheDeploymentsReason) {
  const appsv1::DeploymentCondition available = {
      .type = "Available", .status = "False", .reason = "MinimumReplicasUnavailable"};
  const appsv1::DeploymentCondition stuck = {.type = "Progressing",
                                             .status = "False",
                                             .reason = "ProgressDeadlineExceeded",
                                             .message = "too late"};
  const appsv1::DeploymentStatus status = {
      .observed_generation = 7, .replicas = 2, .conditions = {available, stuck}};
  EXPECT_THAT(Texts(ConditionsOf(MemcachedOf(2), DeploymentWith(status))),
              ElementsAre("Available=False ServersMissing: 0 of 2 servers",
                          "Progressing=False RolloutEnded: 0 of 2 servers",
                          "Degraded=True ProgressDeadlineExceeded: too late"));
}

TEST(ConditionsOf, PodsAreRefused_IsDegraded) {
  const appsv1::DeploymentCondition progressing = {
      .type = "Progressing", .status = "True", .reason = "NewReplicaSetCreated"};
  const appsv1::DeploymentCondition refused = {.type = "ReplicaFailure",
                                               .status = "True",
                                               .reason = "FailedCreate",
                                               .message = "exceeded quota"};
  const appsv1::DeploymentStatus status = {.observed_generation = 7,
                                           .conditions = {progressing, refused}};
  EXPECT_THAT(Texts(ConditionsOf(MemcachedOf(2), DeploymentWith(status)))[2],
              "Degraded=True FailedCreate: exceeded quota");
}

TEST(ConditionsOf, EachConditionHasTheGenerationOfTheMemcached) {
  EXPECT_THAT(ConditionsOf(MemcachedOf(2), DeploymentWith({})),
              Each(Field(&metav1::Condition::observed_generation, 4)));
}

}  // namespace
}  // namespace cache
