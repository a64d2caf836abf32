#include "envtest/workloads/internal/batch/cron_job_controller.h"

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/time.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/in_process_transport.h"
#include "envtest/workloads/internal/cluster/cluster.h"
#include "envtest/workloads/internal/cluster/events.h"
#include "envtest/workloads/internal/cluster/outcome.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace batchv1 = api::batch::v1;
namespace corev1 = api::core::v1;
using base::IsOk;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr typed::Resource kEvents = {
    .version = "v1", .plural = "events", .kind = "Event", .built_in = true};

// A simulation starts at a full hour.
absl::Time Start() { return base::SimOptions().wall_start; }

// Returns the name of the job that is scheduled for this hour of the simulation.
std::string JobOfHour(int hour) {
  return absl::StrCat("tick-", absl::ToUnixSeconds(Start() + absl::Hours(hour)) / 60);
}

// A server, and what the controller sees of it. The mirrors do not run: they show what is written
// through them.
struct World {
  apiserver::ApiHandler handler{apiserver::HandlerOptions{.cluster_objects = false}};
  rest::Client client = *rest::MakeClient(InProcessConfig(handler));
  Cluster cluster{client, true, [] {}};
  Events events{client};
  CronJobController controller{cluster, events};

  // Makes the cron job "tick", which has a job each hour.
  void MakeCronJob(absl::string_view policy) {
    absl::StatusOr<batchv1::CronJob> cron_job =
        codec::DecodeYaml<batchv1::CronJob>(absl::StrCat(R"(
metadata: {name: tick, namespace: default}
spec:
  schedule: 0 * * * *
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}
  concurrencyPolicy: )",
                                                         policy));
    ASSERT_THAT(cron_job, IsOk());
    ASSERT_THAT(cluster.cron_jobs.Create(Context(), *cron_job), IsOk());
  }

  batchv1::CronJob CronJob() { return *cluster.cron_jobs.All()[0]; }

  // Returns a job of the template of the cron job, which nobody controls.
  batchv1::Job NewJob(absl::string_view name) {
    batchv1::Job job;
    job.metadata.name = name;
    job.metadata.namespace_ = "default";
    job.spec = CronJob().spec.job_template.spec;
    return job;
  }
  batchv1::Job NewControlledJob(absl::string_view name) {
    batchv1::Job job = NewJob(name);
    job.metadata.owner_references.push_back(meta::NewControllerRef(
        CronJob().metadata, {.group = "batch", .version = "v1", .kind = "CronJob"}));
    return job;
  }

  Outcome Pass() {
    Outcome outcome;
    controller.Sync(Context(), outcome);
    return outcome;
  }
  // Makes a pass, and another one when the next job is due. Returns the outcome of that.
  Outcome PassWhenDue() {
    const Outcome before = Pass();
    EXPECT_FALSE(before.failed());
    EXPECT_THAT(base::SleepFor(Context(), before.again()), IsOk());
    return Pass();
  }

  std::vector<std::string> Jobs() {
    const auto list = cluster.jobs.client().Namespace("default").List(Context());
    EXPECT_THAT(list, IsOk());
    std::vector<std::string> names;
    for (const batchv1::Job& each : list->items) names.emplace_back(each.metadata.name);
    return names;
  }

  std::vector<std::string> Active() {
    const batchv1::CronJob cron_job = CronJob();
    std::vector<std::string> names;
    for (const corev1::ObjectReference& each : cron_job.status.active) {
      names.emplace_back(each.name);
    }
    return names;
  }

  std::vector<std::string> Told() {
    const auto list = typed::TypedClient<corev1::Event, corev1::EventList>(client, kEvents)
                          .Namespace("default")
                          .List(Context());
    EXPECT_THAT(list, IsOk());
    std::vector<std::string> texts;
    for (const corev1::Event& each : list->items) {
      EXPECT_EQ(each.source.component, "cronjob-controller");
      texts.push_back(absl::StrCat(each.type.view(), " ", each.reason.view(), ": ",
                                   each.message.view(), " (", each.count, ")"));
    }
    return texts;
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

TEST(CronJobController, DueJob_IsCreatedAndBecomesActive) {
  InSimulation([](World& world) {
    world.MakeCronJob("Allow");
    EXPECT_FALSE(world.Pass().failed());
    EXPECT_THAT(world.Jobs(), IsEmpty());
    EXPECT_FALSE(world.PassWhenDue().failed());
    EXPECT_THAT(world.Jobs(), ElementsAre(JobOfHour(1)));
    EXPECT_THAT(world.Active(), ElementsAre(JobOfHour(1)));
    EXPECT_EQ(world.CronJob().status.last_schedule_time, Time(Start() + absl::Hours(1)));
    EXPECT_THAT(world.Told(), ElementsAre(absl::StrCat("Normal SuccessfulCreate: Created job ",
                                                       JobOfHour(1), " (1)")));
  });
}

TEST(CronJobController, UnchangedObjects_AreNotToldOfAgain) {
  InSimulation([](World& world) {
    world.MakeCronJob("Allow");
    ASSERT_THAT(world.cluster.jobs.Create(Context(), world.NewControlledJob("other")), IsOk());
    const std::string unexpected =
        "Warning UnexpectedJob: Saw a job that the controller did not create or forgot: other";
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(world.Pass().failed());
    EXPECT_THAT(world.Told(), ElementsAre(unexpected + " (1)"));

    batchv1::Job changed = *world.cluster.jobs.All()[0];
    changed.metadata.labels["team"] = "blue";
    ASSERT_THAT(world.cluster.jobs.Update(Context(), changed), IsOk());
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(world.Pass().failed());
    EXPECT_THAT(world.Told(), ElementsAre(unexpected + " (2)"));
  });
}

TEST(CronJobController, PolicyReplace_DeletesTheActiveJobBeforeTheNext) {
  InSimulation([](World& world) {
    world.MakeCronJob("Replace");
    EXPECT_FALSE(world.PassWhenDue().failed());
    EXPECT_FALSE(world.PassWhenDue().failed());
    EXPECT_THAT(world.Jobs(), ElementsAre(JobOfHour(2)));
    EXPECT_THAT(world.Active(), ElementsAre(JobOfHour(2)));
    EXPECT_THAT(
        world.Told(),
        ElementsAre(absl::StrCat("Normal SuccessfulCreate: Created job ", JobOfHour(1), " (1)"),
                    absl::StrCat("Normal SuccessfulDelete: Deleted job ", JobOfHour(1), " (1)"),
                    absl::StrCat("Normal SuccessfulCreate: Created job ", JobOfHour(2), " (1)")));
  });
}

TEST(CronJobController, DeletionFails_CreatesNoJobAndFailsThePass) {
  InSimulation([](World& world) {
    world.MakeCronJob("Replace");
    EXPECT_FALSE(world.PassWhenDue().failed());
    // The mirror does not see this.
    ASSERT_THAT(world.cluster.jobs.client().Namespace("default").Delete(
                    Context(), JobOfHour(1), {.propagation_policy = "Background"}),
                IsOk());
    EXPECT_TRUE(world.PassWhenDue().failed());
    EXPECT_THAT(world.Jobs(), IsEmpty());
    EXPECT_THAT(
        world.Told(),
        ElementsAre(absl::StrCat("Normal SuccessfulCreate: Created job ", JobOfHour(1), " (1)"),
                    absl::StrCat("Warning FailedDelete: Deleted job: jobs.batch \"", JobOfHour(1),
                                 "\" not found (1)")));
  });
}

TEST(CronJobController, JobExistsAlready_IsActiveIfTheCronJobControlsIt) {
  for (const bool controlled : {true, false}) {
    SCOPED_TRACE(controlled ? "controlled by the cron job" : "controlled by nobody");
    InSimulation([&](World& world) {
      world.MakeCronJob("Allow");
      const batchv1::Job job =
          controlled ? world.NewControlledJob(JobOfHour(1)) : world.NewJob(JobOfHour(1));
      // The mirror does not see this.
      ASSERT_THAT(world.cluster.jobs.client().Namespace("default").Create(Context(), job), IsOk());
      EXPECT_FALSE(world.PassWhenDue().failed());
      EXPECT_EQ(world.Active(),
                controlled ? std::vector<std::string>{JobOfHour(1)} : std::vector<std::string>());
      EXPECT_EQ(world.CronJob().status.last_schedule_time.has_value(), controlled);
      EXPECT_THAT(world.Told(), IsEmpty());
    });
  }
}

}  // namespace
}  // namespace kube::envtest::internal
