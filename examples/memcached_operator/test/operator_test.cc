// The operator on the embedded API server, in virtual time: with the rights and webhooks of its
// manifests, and with controllers that make pods of Deployments.
#include "examples/memcached_operator/operator.h"

#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/conditions.h"
#include "apimachinery/meta/finalizers.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/list.h"
#include "envtest/testing/eventually.h"
#include "envtest/workloads/workloads_options.h"
#include "examples/memcached_operator/test/cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace cache {
namespace {

namespace appsv1 = kube::api::apps::v1;
namespace corev1 = kube::api::core::v1;
namespace metav1 = kube::api::meta::v1;
using kube::Context;
using kube::base::IsOk;
using kube::envtest::EventuallyGet;
using kube::envtest::EventuallyGone;
using testing::Contains;
using testing::Truly;
using v1alpha1::Memcached;

constexpr char kSample[] = "examples/memcached_operator/deploy/sample.yaml";

// In virtual time: no test waits.
void Simulate(const std::function<void(Cluster&)>& test,
              const kube::envtest::WorkloadsOptions& workloads = {
                  .pod_ready_after = absl::Seconds(1)}) {
  const kube::log::LogCapture quiet;
  kube::base::SimRuntime sim;
  const absl::Status end = sim.Run([&] {
    Cluster cluster;
    ASSERT_THAT(cluster.Start(workloads), IsOk());
    test(cluster);
    EXPECT_THAT(cluster.Stop(), IsOk());
  });
  ASSERT_THAT(end, IsOk());
}

auto HasReplicas(int replicas) {
  return Truly([replicas](const appsv1::Deployment& deployment) {
    return deployment.spec.replicas == replicas;
  });
}

TEST(MemcachedOperatorTest, AMemcached_GetsItsServersAndConditions) {
  Simulate([](Cluster& cluster) {
    ASSERT_THAT(cluster.Create("sessions", 2), IsOk());
    const auto memcached = cluster.AwaitDeployed("sessions");
    ASSERT_THAT(memcached, IsOk());
    EXPECT_TRUE(kube::meta::ContainsFinalizer(memcached->metadata, kFinalizer));

    const auto deployment = cluster.deployments().Get(Context(), "sessions");
    ASSERT_THAT(deployment, IsOk());
    EXPECT_TRUE(kube::meta::IsControlledBy(deployment->metadata, memcached->metadata));
    EXPECT_EQ(deployment->spec.replicas, 2);
    const kube::List<corev1::Container>& containers = deployment->spec.template_.spec.containers;
    ASSERT_EQ(containers.size(), 1u);
    EXPECT_THAT(containers[0].command, Contains("--port=11211"));
    ASSERT_EQ(containers[0].ports.size(), 1u);
    EXPECT_EQ(containers[0].ports[0].container_port, 11211);
    EXPECT_THAT(cluster.AwaitEvents("Available", 1), IsOk());
  });
}

TEST(MemcachedOperatorTest, TheSample_GetsItsServers) {
  Simulate([](Cluster& cluster) {
    std::ifstream file(kSample);
    ASSERT_TRUE(file.is_open());
    const std::string yaml((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
    const auto sample = kube::codec::DecodeYaml<Memcached>(yaml);
    ASSERT_THAT(sample, IsOk());
    ASSERT_THAT(cluster.memcacheds().Create(Context(), *sample), IsOk());
    EXPECT_THAT(cluster.AwaitDeployed("memcached-sample"), IsOk());
  });
}

TEST(MemcachedOperatorTest, TheWebhooks_SetTheSizeAndRefuseAPort) {
  Simulate([](Cluster& cluster) {
    const auto memcached = cluster.Create("sessions", std::nullopt);
    ASSERT_THAT(memcached, IsOk());
    EXPECT_EQ(memcached->spec.size, 1);
    EXPECT_THAT(cluster.AwaitDeployed("sessions"), IsOk());

    const absl::Status refused = cluster.Create("other", 1, /*port=*/80).status();
    EXPECT_TRUE(kube::errors::IsInvalid(refused)) << refused;
    EXPECT_THAT(std::string(refused.message()), testing::HasSubstr("at least 1024"));
  });
}

TEST(MemcachedOperatorTest, TheSizeChanges_TheDeploymentFollows) {
  Simulate([](Cluster& cluster) {
    ASSERT_THAT(cluster.Create("sessions", 1), IsOk());
    ASSERT_THAT(cluster.AwaitDeployed("sessions"), IsOk());
    for (const int size : {3, 0, 2}) {
      ASSERT_THAT(cluster.Resize("sessions", size), IsOk());
      ASSERT_THAT(cluster.AwaitDeployed("sessions"), IsOk());
      const auto deployment = cluster.deployments().Get(Context(), "sessions");
      ASSERT_THAT(deployment, IsOk());
      EXPECT_EQ(deployment->spec.replicas, size);
      EXPECT_EQ(deployment->status.available_replicas, size);
    }
  });
}

TEST(MemcachedOperatorTest, OthersScaleTheDeployment_ItIsScaledBack) {
  Simulate([](Cluster& cluster) {
    ASSERT_THAT(cluster.Create("sessions", 2), IsOk());
    ASSERT_THAT(cluster.AwaitDeployed("sessions"), IsOk());
    ASSERT_THAT(cluster.ResizeDeployment("sessions", 7), IsOk());
    EXPECT_THAT(EventuallyGet(cluster.deployments(), "sessions", HasReplicas(2), Soon()), IsOk());
    EXPECT_THAT(cluster.AwaitDeployed("sessions"), IsOk());
  });
}

TEST(MemcachedOperatorTest, TheDeploymentIsDeleted_ThereIsANewOne) {
  Simulate([](Cluster& cluster) {
    ASSERT_THAT(cluster.Create("sessions", 1), IsOk());
    ASSERT_THAT(cluster.AwaitDeployed("sessions"), IsOk());
    const auto before = cluster.deployments().Get(Context(), "sessions");
    ASSERT_THAT(before, IsOk());
    ASSERT_THAT(cluster.deployments().Delete(Context(), "sessions"), IsOk());
    const auto is_new = Truly([&before](const appsv1::Deployment& deployment) {
      return deployment.metadata.uid != before->metadata.uid;
    });
    EXPECT_THAT(EventuallyGet(cluster.deployments(), "sessions", is_new, Soon()), IsOk());
    EXPECT_THAT(cluster.AwaitDeployed("sessions"), IsOk());
  });
}

TEST(MemcachedOperatorTest, TheMemcachedIsDeleted_AnEventSaysSoAndNothingIsLeft) {
  Simulate([](Cluster& cluster) {
    ASSERT_THAT(cluster.Create("sessions", 1), IsOk());
    ASSERT_THAT(cluster.AwaitDeployed("sessions"), IsOk());
    ASSERT_THAT(cluster.memcacheds().Delete(Context(), "sessions"), IsOk());
    EXPECT_THAT(EventuallyGone(cluster.memcacheds(), "sessions", Soon()), IsOk());
    EXPECT_THAT(EventuallyGone(cluster.deployments(), "sessions", Soon()), IsOk());
    EXPECT_THAT(cluster.AwaitEvents("Deleting", 1), IsOk());
  });
}

TEST(MemcachedOperatorTest, TheServersNeverGetReady_IsDegradedAfterTheDeadline) {
  Simulate(
      [](Cluster& cluster) {
        ASSERT_THAT(cluster.Create("sessions", 1), IsOk());
        const auto is_degraded = Truly([](const Memcached& memcached) {
          return Has(memcached, kDegraded, metav1::kConditionTrue);
        });
        const auto memcached = EventuallyGet(cluster.memcacheds(), "sessions", is_degraded,
                                             {.timeout = absl::Minutes(20)});
        ASSERT_THAT(memcached, IsOk());
        EXPECT_TRUE(Has(*memcached, kAvailable, metav1::kConditionFalse));
        EXPECT_TRUE(Has(*memcached, kProgressing, metav1::kConditionFalse));
        EXPECT_EQ(kube::meta::FindStatusCondition(memcached->status.conditions, kDegraded)->reason,
                  "ProgressDeadlineExceeded");
      },
      {.pod_ready_after = absl::InfiniteDuration()});
}

TEST(MemcachedOperatorTest, ADeploymentOfAnotherOwner_StaysAsItIsAndTheConditionSaysSo) {
  Simulate([](Cluster& cluster) {
    const auto owner = cluster.config_maps().Create(Context(), {.metadata = {.name = "owner"}});
    ASSERT_THAT(owner, IsOk());
    appsv1::Deployment other = {
        .metadata = {.name = "sessions"},
        .spec = {.replicas = 1,
                 .selector = {{.match_labels = {{"app", "other"}}}},
                 .template_ = {.metadata = {.labels = {{"app", "other"}}},
                               .spec = {.containers = {{.name = "main", .image = "other:1"}}}}}};
    other.metadata.owner_references.push_back(
        kube::meta::NewControllerRef(owner->metadata, {.version = "v1", .kind = "ConfigMap"}));
    ASSERT_THAT(cluster.deployments().Create(Context(), other), IsOk());

    ASSERT_THAT(cluster.Create("sessions", 3), IsOk());
    const auto is_degraded = Truly([](const Memcached& memcached) {
      const metav1::Condition* degraded =
          kube::meta::FindStatusCondition(memcached.status.conditions, kDegraded);
      return degraded != nullptr && degraded->status == metav1::kConditionTrue &&
             degraded->reason == "DeploymentNotApplied";
    });
    EXPECT_THAT(EventuallyGet(cluster.memcacheds(), "sessions", is_degraded, Soon()), IsOk());
    const auto found = cluster.deployments().Get(Context(), "sessions");
    ASSERT_THAT(found, IsOk());
    EXPECT_EQ(found->spec.replicas, 1);
    EXPECT_EQ(found->spec.template_.spec.containers[0].image, "other:1");
  });
}

}  // namespace
}  // namespace cache
