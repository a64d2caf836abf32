#include "tests/simulation/foo_applier.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/apps/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "examples/sample_controller/foo.client.kube.h"
#include "examples/sample_controller/foo.kube.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/simulation/foo_cluster.h"

namespace kube::simulation {
namespace {

namespace appsv1 = api::apps::v1;
using base::IsOk;
using base::IsOkAndHolds;
using samplecontroller::v1alpha1::Foo;

Foo MakeFoo() {
  return {.metadata = {.name = "a",
                       .namespace_ = "default",
                       .uid = "u-1",
                       .resource_version = "7",
                       .labels = {{"team", "red"}}},
          .spec = {.deployment_name = "web", .replicas = 2}};
}

TEST(FooApplierTest, TheDeploymentHasAllThatTheFooAsksFor) {
  EXPECT_THAT(
      unstructured::EncodeJson(DesiredDeployment(MakeFoo()).object),
      IsOkAndHolds(
          R"({"metadata":{"labels":{"team":"red"},"name":"web","namespace":"default",)"
          R"("ownerReferences":[{"apiVersion":"samplecontroller.k8s.io/v1alpha1",)"
          R"("blockOwnerDeletion":true,"controller":true,"kind":"Foo","name":"a","uid":"u-1"}]},)"
          R"("spec":{"replicas":2,"selector":{"matchLabels":{"app":"nginx","controller":"a",)"
          R"("samplecontroller.k8s.io/foo-uid":"u-1"}},)"
          R"("template":{"metadata":{"labels":{"app":"nginx","controller":"a",)"
          R"("samplecontroller.k8s.io/foo-uid":"u-1"}},)"
          R"("spec":{"containers":[{"image":"nginx:latest","name":"nginx"}]}}}})"));
}

TEST(FooApplierTest, WhatTheFooDoesNotAskForIsAbsent) {
  Foo foo = MakeFoo();
  foo.metadata.labels.clear();
  foo.spec.replicas.reset();
  const unstructured::Unstructured deployment = DesiredDeployment(foo);
  EXPECT_TRUE(deployment.labels().is_null());
  EXPECT_EQ(deployment.object.find("spec")->Find("replicas"), nullptr);
}

TEST(FooApplierTest, TheStatusIsForOneVersionOfTheFoo) {
  EXPECT_THAT(unstructured::EncodeJson(DesiredStatus(MakeFoo(), 3).object),
              IsOkAndHolds(R"({"metadata":{"name":"a","namespace":"default",)"
                           R"("resourceVersion":"7"},"status":{"availableReplicas":3}})"));
}

// ---- on a server, without a controller

class FooApplierOnServerTest : public testing::Test {
 protected:
  // Runs the test in a cluster with a Foo.
  template <typename Body>
  void Simulate(const Body& test) {
    const log::LogCapture quiet;
    base::SimRuntime sim;
    const absl::Status end = sim.Run([&] {
      FooCluster cluster({.processes = 0});
      ASSERT_THAT(cluster.Start(), IsOk());
      const absl::StatusOr<Foo> foo = CreateFoo(cluster);
      ASSERT_THAT(foo, IsOk());
      test(cluster, *foo);
    });
    ASSERT_THAT(end, IsOk());
  }

  static absl::StatusOr<Foo> CreateFoo(const FooCluster& cluster) {
    return cluster.foos("default").Create(
        Context(), {.metadata = {.name = "a"}, .spec = {.deployment_name = "web", .replicas = 2}});
  }

  static absl::StatusOr<appsv1::Deployment> ApplyDeployment(const FooCluster& cluster,
                                                            const Foo& foo) {
    return cluster.deployments("default").Apply(Context(), DesiredDeployment(foo),
                                                {.force = true, .field_manager = kApplier});
  }

  static absl::StatusOr<Foo> ApplyStatus(const FooCluster& cluster, const Foo& foo) {
    return cluster.foos("default").ApplyStatus(Context(), DesiredStatus(foo, 1),
                                               {.force = true, .field_manager = kApplier});
  }
};

TEST_F(FooApplierOnServerTest, ItsOwnDeploymentIsMadeAndChanged) {
  Simulate([](const FooCluster& cluster, Foo foo) {
    ASSERT_THAT(ApplyDeployment(cluster, foo), IsOk());
    foo.spec.replicas = 3;
    const absl::StatusOr<appsv1::Deployment> changed = ApplyDeployment(cluster, foo);
    ASSERT_THAT(changed, IsOk());
    EXPECT_EQ(changed->spec.replicas, 3);
  });
}

TEST_F(FooApplierOnServerTest, AForeignDeploymentIsNotTakenOver) {
  Simulate([](const FooCluster& cluster, const Foo& foo) {
    const auto deployments = cluster.deployments("default");
    const absl::StatusOr<appsv1::Deployment> foreign = deployments.Create(
        Context(),
        {.metadata = {.name = "web"},
         .spec = {
             .selector = {{.match_labels = {{"app", "nginx"}, {"controller", "a"}}}},
             .template_ = {.metadata = {.labels = {{"app", "nginx"}, {"controller", "a"}}},
                           .spec = {.containers = {{.name = "nginx", .image = "nginx:latest"}}}}}});
    ASSERT_THAT(foreign, IsOk());
    EXPECT_TRUE(errors::IsInvalid(ApplyDeployment(cluster, foo).status()));
    const absl::StatusOr<appsv1::Deployment> now = deployments.Get(Context(), "web");
    ASSERT_THAT(now, IsOk());
    EXPECT_EQ(now->spec, foreign->spec);
    EXPECT_TRUE(now->metadata.owner_references.empty());
  });
}

TEST_F(FooApplierOnServerTest, TheDeploymentOfAFormerFooOfThatNameIsNotTakenOver) {
  Simulate([](const FooCluster& cluster, const Foo& foo) {
    ASSERT_THAT(ApplyDeployment(cluster, foo), IsOk());
    api::meta::v1::DeleteOptions orphans;
    orphans.propagation_policy = "Orphan";
    ASSERT_THAT(cluster.foos("default").Delete(Context(), "a", orphans), IsOk());
    const absl::StatusOr<Foo> next = CreateFoo(cluster);
    ASSERT_THAT(next, IsOk());
    EXPECT_TRUE(errors::IsInvalid(ApplyDeployment(cluster, *next).status()));
  });
}

TEST_F(FooApplierOnServerTest, TheStatusOfAFormerFooIsNotApplied) {
  Simulate([](const FooCluster& cluster, const Foo& foo) {
    ASSERT_THAT(cluster.foos("default").Delete(Context(), "a"), IsOk());
    EXPECT_TRUE(errors::IsNotFound(ApplyStatus(cluster, foo).status()));
    const absl::StatusOr<Foo> next = CreateFoo(cluster);
    ASSERT_THAT(next, IsOk());
    EXPECT_TRUE(errors::IsConflict(ApplyStatus(cluster, foo).status()));
    EXPECT_THAT(ApplyStatus(cluster, *next), IsOk());
  });
}

}  // namespace
}  // namespace kube::simulation
