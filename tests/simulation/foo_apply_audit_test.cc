#include "tests/simulation/foo_apply_audit.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/raw.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/time.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/watch/event.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "examples/sample_controller/foo.client.kube.h"
#include "examples/sample_controller/foo.kube.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/simulation/foo_applier.h"
#include "tests/simulation/foo_audit.h"
#include "tests/simulation/foo_cluster.h"
#include "tests/simulation/foo_history.h"
#include "tests/simulation/foo_writer.h"

namespace kube::simulation {
namespace {

namespace appsv1 = api::apps::v1;
using appsv1::Deployment;
using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using samplecontroller::v1alpha1::Foo;
using samplecontroller::v1alpha1::FooClient;
using testing::FieldsAre;
using testing::HasSubstr;
using watch::EventType;

const Foo kFoo = {.metadata = {.name = "a", .labels = {{"team", "red"}, {"tier", "web"}}},
                  .spec = {.deployment_name = "web", .replicas = 2}};

// Runs the test in a cluster with this many controllers.
void Simulate(size_t processes, const std::function<void(FooCluster&)>& test) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  const absl::Status end = sim.Run([&] {
    FooCluster cluster({.processes = processes, .controller = RunFooApplier});
    ASSERT_THAT(cluster.Start(), IsOk());
    test(cluster);
  });
  ASSERT_THAT(end, IsOk());
}

void Pass(absl::Duration time) { base::SleepFor(Context(), time).IgnoreError(); }

absl::Status LabelAsHuman(const FooCluster& cluster) {
  unstructured::Unstructured label;
  label.set_name("web");
  label.set_labels({{kHumanLabel, "yes"}});
  return cluster.deployments("default")
      .Apply(Context(), label, {.force = true, .field_manager = kHuman})
      .status();
}

// ---- the controller

TEST(FooApplyAuditTest, AllIsWell) {
  Simulate(1, [](FooCluster& cluster) {
    ASSERT_THAT(cluster.foos("default").Create(Context(), kFoo), IsOk());
    Pass(absl::Minutes(1));
    EXPECT_THAT(CheckConverged(cluster), IsOkAndHolds(FieldsAre(0, 0)));
    EXPECT_THAT(CheckRequests(cluster, FooApplierRights()), IsOk());
    EXPECT_THAT(CheckApplies(cluster), IsOk());
    EXPECT_THAT(CheckOwnership(cluster), IsOkAndHolds(FieldsAre(1, 1, 0)));
    const absl::StatusOr<std::vector<Happened>> history = ReadHistory(cluster);
    ASSERT_THAT(history, IsOk());
    EXPECT_THAT(CheckApplyHistory(*history), IsOk());
    EXPECT_THAT(CheckFewApplies(cluster, *history), IsOk());
    EXPECT_THAT(CheckQuiet(cluster, 0), IsOk());
  });
}

TEST(FooApplyAuditTest, WhatTheFooNoLongerAsksForGoes) {
  Simulate(1, [](FooCluster& cluster) {
    const auto foos = cluster.foos("default");
    ASSERT_THAT(foos.Create(Context(), kFoo), IsOk());
    Pass(absl::Minutes(1));
    const auto forget = [](Foo& foo) {
      foo.metadata.labels.erase("team");
      foo.spec.replicas.reset();
      return absl::OkStatus();
    };
    ASSERT_THAT(foos.Edit(Context(), "a", forget), IsOk());
    Pass(absl::Minutes(1));
    const absl::StatusOr<Deployment> web = cluster.deployments("default").Get(Context(), "web");
    ASSERT_THAT(web, IsOk());
    EXPECT_EQ(web->metadata.labels, (Map<String>{{"tier", "web"}}));
    EXPECT_EQ(web->spec.replicas, 1) << "the server's default";
    EXPECT_THAT(CheckOwnership(cluster), IsOkAndHolds(FieldsAre(1, 1, 0)));
  });
}

TEST(FooApplyAuditTest, PeopleKeepTheirLabelAndWhatTheFooLeavesToThem) {
  Simulate(1, [](FooCluster& cluster) {
    const auto foos = cluster.foos("default");
    const auto deployments = cluster.deployments("default");
    Foo foo = kFoo;
    foo.spec.replicas.reset();
    ASSERT_THAT(foos.Create(Context(), foo), IsOk());
    Pass(absl::Minutes(1));
    absl::StatusOr<Deployment> web = deployments.Get(Context(), "web");
    ASSERT_THAT(web, IsOk());
    web->spec.replicas = 3;
    ASSERT_THAT(deployments.Update(Context(), *web, {.field_manager = "scaler"}), IsOk());
    ASSERT_THAT(LabelAsHuman(cluster), IsOk());
    const auto relabel = [](Foo& changed) {
      changed.metadata.labels["team"] = "blue";
      return absl::OkStatus();
    };
    ASSERT_THAT(foos.Edit(Context(), "a", relabel), IsOk());
    Pass(absl::Minutes(1));
    web = deployments.Get(Context(), "web");
    ASSERT_THAT(web, IsOk());
    EXPECT_EQ(web->metadata.labels,
              (Map<String>{{"team", "blue"}, {"tier", "web"}, {kHumanLabel, "yes"}}));
    EXPECT_EQ(web->spec.replicas, 3);
    EXPECT_THAT(CheckOwnership(cluster), IsOkAndHolds(FieldsAre(1, 1, 1)));
  });
}

TEST(FooApplyAuditTest, TheControllerTakesBackTheSizeThatTheFooAsksFor) {
  Simulate(1, [](FooCluster& cluster) {
    const auto deployments = cluster.deployments("default");
    ASSERT_THAT(cluster.foos("default").Create(Context(), kFoo), IsOk());
    Pass(absl::Minutes(1));
    absl::StatusOr<Deployment> web = deployments.Get(Context(), "web");
    ASSERT_THAT(web, IsOk());
    web->spec.replicas = 3;
    ASSERT_THAT(deployments.Update(Context(), *web, {.field_manager = "scaler"}), IsOk());
    Pass(absl::Minutes(1));
    web = deployments.Get(Context(), "web");
    ASSERT_THAT(web, IsOk());
    EXPECT_EQ(web->spec.replicas, 2);
    EXPECT_THAT(CheckOwnership(cluster), IsOkAndHolds(FieldsAre(1, 1, 0)));
  });
}

// ---- mistakes in what is owned

// What a controller does wrong after it has applied all that it should.
struct OwnershipMistake {
  const char* name;
  absl::Status (*make)(const FooCluster& cluster, const Foo& foo);
  const char* error;
};

absl::Status ApplyAll(const FooCluster& cluster, const Foo& foo) {
  absl::Status status =
      cluster.foos("default")
          .ApplyStatus(Context(), DesiredStatus(foo, 0), {.force = true, .field_manager = kApplier})
          .status();
  status.Update(
      cluster.deployments("default")
          .Apply(Context(), DesiredDeployment(foo), {.force = true, .field_manager = kApplier})
          .status());
  return status;
}

const OwnershipMistake kOwnershipMistakes[] = {
    {"an update of the size in its name",
     [](const FooCluster& cluster, const Foo&) {
       const auto scale = [](Deployment& web) {
         web.spec.replicas = 3;
         return absl::OkStatus();
       };
       return cluster.deployments("default")
           .Edit(Context(), "web", scale, {.patch = {.field_manager = kApplier}})
           .status();
     },
     "foo-applier has 2 entries"},
    {"a field that it leaves out",
     [](const FooCluster& cluster, const Foo& foo) {
       Foo sizeless = foo;
       sizeless.spec.replicas.reset();
       return cluster.deployments("default")
           .Apply(Context(), DesiredDeployment(sizeless),
                  {.force = true, .field_manager = kApplier})
           .status();
     },
     "foo-applier owns"},
    {"a label that the Foo does not have",
     [](const FooCluster& cluster, const Foo&) {
       const auto label = [](Deployment& web) {
         web.metadata.labels["colour"] = "blue";
         return absl::OkStatus();
       };
       return cluster.deployments("default").Edit(Context(), "web", label).status();
     },
     "its labels are not those of its Foo"},
    {"an update of the status in its name",
     [](const FooCluster& cluster, const Foo&) {
       const FooClient foos = cluster.foos("default");
       absl::StatusOr<Foo> now = foos.Get(Context(), "a");
       if (!now.ok()) return now.status();
       now->status.available_replicas = 5;
       return foos.UpdateStatus(Context(), *now, {.field_manager = kApplier}).status();
     },
     "the entry of foo-applier is: Update status"},
    {"an apply to a foreign Deployment",
     [](const FooCluster& cluster, const Foo& foo) {
       unstructured::Unstructured foreign = DesiredDeployment(foo);
       foreign.set_name("foreign");
       foreign.set_owner_references({});
       return cluster.deployments("default")
           .Apply(Context(), foreign, {.force = true, .field_manager = kApplier})
           .status();
     },
     "default/foreign: it is foreign"},
    {"a Deployment of a former name that it has updated",
     [](const FooCluster& cluster, const Foo&) {
       const auto rename = [](Foo& renamed) {
         renamed.spec.deployment_name = "other";
         return absl::OkStatus();
       };
       absl::Status status = cluster.foos("default").Edit(Context(), "a", rename).status();
       const auto scale = [](Deployment& web) {
         web.spec.replicas = 3;
         return absl::OkStatus();
       };
       status.Update(cluster.deployments("default")
                         .Edit(Context(), "web", scale, {.patch = {.field_manager = kApplier}})
                         .status());
       return status;
     },
     "default/web: foo-applier has 2 entries"},
    {"a person's label that it takes away",
     [](const FooCluster& cluster, const Foo&) {
       absl::Status status = LabelAsHuman(cluster);
       const auto relabel = [](Deployment& web) {
         web.metadata.labels[kHumanLabel] = "no";
         return absl::OkStatus();
       };
       status.Update(cluster.deployments("default").Edit(Context(), "web", relabel).status());
       return status;
     },
     "human has 0 entries"},
};

TEST(FooApplyAuditTest, MistakesInWhatIsOwnedAreFound) {
  for (const OwnershipMistake& mistake : kOwnershipMistakes) {
    SCOPED_TRACE(mistake.name);
    Simulate(0, [&mistake](FooCluster& cluster) {
      const absl::StatusOr<Foo> foo = cluster.foos("default").Create(Context(), kFoo);
      ASSERT_THAT(foo, IsOk());
      ASSERT_THAT(ApplyAll(cluster, *foo), IsOk());
      ASSERT_THAT(CheckOwnership(cluster), IsOkAndHolds(FieldsAre(1, 1, 0)));
      ASSERT_THAT(mistake.make(cluster, *foo), IsOk());
      EXPECT_THAT(CheckOwnership(cluster),
                  StatusIs(absl::StatusCode::kDataLoss, HasSubstr(mistake.error)));
    });
  }
}

TEST(FooApplyAuditTest, AFooWithoutAStatusOfTheControllerIsAMistakeOnlyIfItHasADeployment) {
  Simulate(0, [](FooCluster& cluster) {
    const absl::StatusOr<Foo> foo = cluster.foos("default").Create(Context(), kFoo);
    ASSERT_THAT(foo, IsOk());
    EXPECT_THAT(CheckOwnership(cluster), IsOkAndHolds(FieldsAre(0, 0, 0)));
    ASSERT_THAT(cluster.deployments("default").Apply(Context(), DesiredDeployment(*foo),
                                                     {.force = true, .field_manager = kApplier}),
                IsOk());
    EXPECT_THAT(CheckOwnership(cluster),
                StatusIs(absl::StatusCode::kDataLoss, HasSubstr("default/a: foo-applier has 0")));
  });
}

// ---- mistakes in requests

TEST(FooApplyAuditTest, AWriteThatIsNoForcedApplyIsFound) {
  struct Row {
    const char* name;
    void (*write)(const appsv1::DeploymentClient& deployments);
  };
  const Row rows[] = {
      {"create",
       [](const appsv1::DeploymentClient& deployments) {
         deployments.Create(Context(), {.metadata = {.name = "web"}}).IgnoreError();
       }},
      {"delete",
       [](const appsv1::DeploymentClient& deployments) {
         deployments.Delete(Context(), "web").IgnoreError();
       }},
      {"apply without force",
       [](const appsv1::DeploymentClient& deployments) {
         deployments.Apply(Context(), DesiredDeployment(kFoo), {.field_manager = kApplier})
             .IgnoreError();
       }},
      {"apply of another manager",
       [](const appsv1::DeploymentClient& deployments) {
         deployments
             .Apply(Context(), DesiredDeployment(kFoo), {.force = true, .field_manager = kHuman})
             .IgnoreError();
       }},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    Simulate(0, [&row](FooCluster& cluster) {
      const auto deployments = cluster.ClientAsController().AppsV1().Deployments("default");
      ASSERT_THAT(deployments.List(Context()), IsOk());
      EXPECT_THAT(CheckApplies(cluster), IsOk());
      row.write(deployments);
      EXPECT_THAT(CheckApplies(cluster),
                  StatusIs(absl::StatusCode::kDataLoss, HasSubstr("no forced apply")));
    });
  }
}

TEST(FooApplyAuditTest, AStormOfAppliesIsFoundAndMakesNoVersions) {
  Simulate(0, [](FooCluster& cluster) {
    const absl::StatusOr<Foo> foo = cluster.foos("default").Create(Context(), kFoo);
    ASSERT_THAT(foo, IsOk());
    const auto deployments = cluster.ClientAsController().AppsV1().Deployments("default");
    const auto apply = [&] {
      return deployments.Apply(Context(), DesiredDeployment(*foo),
                               {.force = true, .field_manager = kApplier});
    };
    ASSERT_THAT(apply(), IsOk());
    Pass(absl::Minutes(1));
    const absl::StatusOr<Deployment> settled = deployments.Get(Context(), "web");
    ASSERT_THAT(settled, IsOk());
    const absl::StatusOr<std::vector<Happened>> history = ReadHistory(cluster);
    ASSERT_THAT(history, IsOk());
    EXPECT_THAT(CheckFewApplies(cluster, *history), IsOk());
    for (size_t i = 0; i < 2 * history->size(); ++i) {
      Pass(absl::Seconds(2));  // the times of the managed fields would differ
      const absl::StatusOr<Deployment> same = apply();
      ASSERT_THAT(same, IsOk());
      EXPECT_EQ(same->metadata.resource_version, settled->metadata.resource_version);
    }
    EXPECT_THAT(CheckFewApplies(cluster, *history),
                StatusIs(absl::StatusCode::kDataLoss, HasSubstr("changes and 0 failures")));
  });
}

// ---- mistakes in the history

// One Foo and its Deployment, which have changed.
class FooApplyHistoryTest : public testing::Test {
 protected:
  FooApplyHistoryTest() {
    foo_ = {.metadata = {.name = "a", .namespace_ = "default", .uid = "foo-1"},
            .spec = {.deployment_name = "web"}};
    web_ = {.metadata = {.name = "web",
                         .namespace_ = "default",
                         .uid = "web-1",
                         .labels = {{kHumanLabel, "yes"}},
                         .managed_fields = {{.manager = kHuman,
                                             .operation = "Apply",
                                             .time = Time::FromUnixSeconds(1),
                                             .fields_v1 = FieldsV1("{}")}}}};
    Happens(EventType::kAdded, foo_);
    Happens(EventType::kAdded, web_);
  }

  void Happens(EventType type, Foo foo) {
    foo.metadata.resource_version = absl::StrCat(Next());
    history_.push_back({.version = Next(), .type = type, .foo = std::make_shared<Foo>(foo)});
  }
  void Happens(EventType type, Deployment deployment) {
    deployment.metadata.resource_version = absl::StrCat(Next());
    history_.push_back(
        {.version = Next(), .type = type, .deployment = std::make_shared<Deployment>(deployment)});
  }
  int64_t Next() const { return static_cast<int64_t>(history_.size()) + 1; }

  void ExpectMistake(const char* what) const {
    EXPECT_THAT(CheckApplyHistory(history_),
                StatusIs(absl::StatusCode::kDataLoss, HasSubstr(what)));
  }

  Foo foo_;
  Deployment web_;
  std::vector<Happened> history_;
};

TEST_F(FooApplyHistoryTest, ChangesAreRight) {
  foo_.status.available_replicas = 1;
  Happens(EventType::kModified, foo_);
  web_.metadata.managed_fields[0].fields_v1 = FieldsV1(R"({"f:spec":{}})");
  Happens(EventType::kModified, web_);
  web_.metadata.labels["team"] = "red";
  Happens(EventType::kModified, web_);
  Happens(EventType::kDeleted, web_);
  web_.metadata.uid = "web-2";
  web_.metadata.labels = {};
  Happens(EventType::kAdded, web_);
  Happens(EventType::kDeleted, foo_);
  EXPECT_THAT(CheckApplyHistory(history_), IsOk());
}

TEST_F(FooApplyHistoryTest, ANewVersionOfAFooWithoutAChangeIsAMistake) {
  Happens(EventType::kModified, foo_);
  ExpectMistake("default/a: at 3 nothing changed but the version");
}

TEST_F(FooApplyHistoryTest, NewTimesOfTheManagedFieldsAreNoChange) {
  web_.metadata.managed_fields[0].time = Time::FromUnixSeconds(2);
  Happens(EventType::kModified, web_);
  ExpectMistake("default/web: at 3 nothing changed but the version");
}

TEST_F(FooApplyHistoryTest, AChangeThatTakesAPersonsLabelAwayIsAMistake) {
  web_.metadata.labels = {};
  Happens(EventType::kModified, web_);
  ExpectMistake("default/web: at 3 the label of human is gone");
}

}  // namespace
}  // namespace kube::simulation
