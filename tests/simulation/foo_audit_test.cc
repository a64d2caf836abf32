#include "tests/simulation/foo_audit.h"

#include <cstddef>
#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "examples/sample_controller/foo.client.kube.h"
#include "examples/sample_controller/foo.kube.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/simulation/foo_cluster.h"

namespace kube::simulation {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using samplecontroller::v1alpha1::Foo;
using testing::FieldsAre;
using testing::HasSubstr;

const Foo kFoo = {.metadata = {.name = "a"}, .spec = {.deployment_name = "web", .replicas = 2}};

// Runs the test in a cluster with this many controllers.
void Simulate(size_t processes, const std::function<void(FooCluster&)>& test) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([&] {
    FooCluster cluster({.processes = processes});
    ASSERT_THAT(cluster.Start(), IsOk());
    test(cluster);
  }),
              IsOk());
}

void Pass(absl::Duration time) { base::SleepFor(Context(), time).IgnoreError(); }

TEST(FooAuditTest, AllIsWell) {
  Simulate(1, [](FooCluster& cluster) {
    EXPECT_THAT(CheckConverged(cluster), IsOkAndHolds(FieldsAre(0, 0)));
    ASSERT_THAT(cluster.foos("default").Create(Context(), kFoo), IsOk());
    EXPECT_THAT(CheckConverged(cluster), StatusIs(absl::StatusCode::kUnavailable));
    Pass(absl::Minutes(1));
    EXPECT_THAT(CheckConverged(cluster), IsOkAndHolds(FieldsAre(0, 0)));
    EXPECT_THAT(CheckRequests(cluster, SampleControllerRights()), IsOk());
    EXPECT_THAT(CheckQuiet(cluster, 0), IsOk());
  });
}

TEST(FooAuditTest, ATakenNameIsCountedAndWhetherAnEventSaysSo) {
  for (const size_t processes : {0, 1}) {
    Simulate(processes, [processes](FooCluster& cluster) {
      ASSERT_THAT(
          cluster.deployments("default").Create(
              Context(),
              {.metadata = {.name = "web"},
               .spec = {.selector = {{.match_labels = {{"a", "b"}}}},
                        .template_ = {.metadata = {.labels = {{"a", "b"}}},
                                      .spec = {.containers = {{.name = "c", .image = "c:1"}}}}}}),
          IsOk());
      ASSERT_THAT(cluster.foos("default").Create(Context(), kFoo), IsOk());
      Pass(absl::Minutes(1));
      EXPECT_THAT(CheckConverged(cluster),
                  IsOkAndHolds(FieldsAre(1, static_cast<int64_t>(processes))));
    });
  }
}

TEST(FooAuditTest, WithoutAControllerADeploymentIsMissing) {
  Simulate(0, [](FooCluster& cluster) {
    ASSERT_THAT(cluster.foos("default").Create(Context(), kFoo), IsOk());
    Pass(absl::Minutes(1));
    EXPECT_THAT(CheckConverged(cluster),
                StatusIs(absl::StatusCode::kUnavailable, "default/a: no deployment"));
  });
}

TEST(FooAuditTest, AWriteIsNotQuiet) {
  Simulate(1, [](FooCluster& cluster) {
    ASSERT_THAT(cluster.foos("default").Create(Context(), kFoo), IsOk());
    Pass(absl::Minutes(1));
    const kubernetes::Clientset client = cluster.ClientAsController();
    base::Thread writer;
    ASSERT_THAT(writer.Start(Context(), "writer",
                             [&](const Context& ctx) {
                               const auto deployments = client.AppsV1().Deployments("default");
                               base::SleepFor(ctx, absl::Seconds(30)).IgnoreError();
                               deployments.Update(ctx, *deployments.Get(ctx, "web")).IgnoreError();
                             }),
                IsOk());
    EXPECT_THAT(CheckQuiet(cluster, 0),
                StatusIs(absl::StatusCode::kDataLoss, HasSubstr("a write without a reason")));
  });
}

TEST(FooAuditTest, WithoutEndIsNotQuiet) {
  Simulate(1, [](FooCluster& cluster) {
    const kubernetes::Clientset client = cluster.ClientAsController();
    base::Thread reader;
    ASSERT_THAT(reader.Start(Context(), "reader",
                             [&](const Context& ctx) {
                               while (base::SleepFor(ctx, absl::Seconds(5)).ok()) {
                                 client.AppsV1().Deployments("").List(ctx).IgnoreError();
                               }
                             }),
                IsOk());
    EXPECT_THAT(CheckQuiet(cluster, 0),
                StatusIs(absl::StatusCode::kDataLoss, HasSubstr("it reads without end")));
  });
}

TEST(FooAuditTest, NoRoleAllowsADeletion) {
  Simulate(1, [](FooCluster& cluster) {
    cluster.ClientAsController()
        .AppsV1()
        .Deployments("default")
        .Delete(Context(), "web")
        .IgnoreError();
    EXPECT_THAT(CheckRequests(cluster, SampleControllerRights()),
                StatusIs(absl::StatusCode::kDataLoss, HasSubstr("no role allows that")));
  });
}

}  // namespace
}  // namespace kube::simulation
