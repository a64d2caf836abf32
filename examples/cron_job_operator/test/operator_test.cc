// The operator on the embedded API server, which asks its webhooks, in virtual time.
#include "examples/cron_job_operator/operator.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/list.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/batch/v1/client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "controller/testing/operator_environment.h"
#include "envtest/workloads/pod_run.h"
#include "envtest/workloads/workloads.h"
#include "envtest/workloads/workloads_options.h"
#include "examples/cron_job_operator/v1.client.kube.h"
#include "examples/cron_job_operator/v1.kube.h"
#include "examples/cron_job_operator/v2.client.kube.h"
#include "examples/cron_job_operator/v2.kube.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tutorial {
namespace {

namespace batchv1 = kube::api::batch::v1;
namespace corev1 = kube::api::core::v1;
namespace fault = kube::apiserver::fault;
using kube::Context;
using kube::base::IsOk;
using kube::base::StatusIs;
using kube::controller::OperatorEnvironment;
using testing::HasSubstr;

constexpr char kCrds[] = "examples/cron_job_operator/cron_job_crds.yaml";

batchv1::JobTemplateSpec Template() {
  batchv1::JobTemplateSpec made;
  made.metadata.labels["app"] = "hello";
  made.spec.backoff_limit = 0;
  corev1::PodSpec& pod = made.spec.template_.spec;
  pod.restart_policy = "Never";
  corev1::Container& container = pod.containers.emplace_back();
  container.name = "hello";
  container.image = "busybox:1.36";
  return made;
}

v1::CronJob Hello(absl::string_view schedule) {
  v1::CronJob made;
  made.metadata.name = "hello";
  made.spec.schedule = schedule;
  made.spec.job_template = Template();
  return made;
}

// A cluster with the operator. Jobs stay active unless the test starts Workloads.
class World {
 public:
  absl::Status Start() {
    KUBE_ASSIGN_OR_RETURN(environment_, OperatorEnvironment::Make({.crds = {.paths = {kCrds}}}));
    environment_->Add<CronJobOperator>();
    return environment_->Start();
  }
  // Has pods run for five seconds.
  absl::Status RunPods(int exit_code) {
    kube::envtest::WorkloadsOptions options;
    options.pod_run = [exit_code](const corev1::Pod& /*pod*/, kube::envtest::PodRun run) {
      run.ends_after = absl::Seconds(5);
      run.exit_code = exit_code;
      return run;
    };
    KUBE_ASSIGN_OR_RETURN(workloads_, kube::envtest::Workloads::Start(environment_->admin_config(),
                                                                      std::move(options)));
    return absl::OkStatus();
  }

  OperatorEnvironment& environment() { return *environment_; }
  v1::CronJobClient cron_jobs() const { return {environment_->client(), "default"}; }
  v2::CronJobClient cron_jobs_v2() const { return {environment_->client(), "default"}; }
  batchv1::JobClient jobs() const { return {environment_->client(), "default"}; }

  absl::Status Create(const v1::CronJob& cron_job) const {
    return cron_jobs().Create(Context(), cron_job).status();
  }
  absl::Status SetSuspended(bool suspended) const {
    return cron_jobs()
        .Edit(Context(), "hello",
              [suspended](v1::CronJob& cron_job) {
                cron_job.spec.suspend = suspended;
                return absl::OkStatus();
              })
        .status();
  }
  v1::CronJob hello() const {
    const auto found = cron_jobs().Get(Context(), "hello");
    return found.ok() ? *found : v1::CronJob();
  }
  kube::List<batchv1::Job> AllJobs() const {
    const auto list = jobs().List(Context());
    return list.ok() ? list->items : kube::List<batchv1::Job>();
  }
  size_t JobCount() const { return AllJobs().size(); }
  // Returns how many Jobs were ever created.
  int CreationCount() const {
    int count = 0;
    for (const kube::apiserver::LoggedRequest& request : environment_->server()->Requests()) {
      if (request.verb == "create" && request.resource == "jobs") ++count;
    }
    return count;
  }
  bool HasEvent(absl::string_view reason) const {
    const auto list = corev1::EventClient(environment_->client(), "default").List(Context());
    if (!list.ok()) return false;
    for (const corev1::Event& event : list->items) {
      if (event.reason == reason) return true;
    }
    return false;
  }

 private:
  std::unique_ptr<OperatorEnvironment> environment_;
  std::unique_ptr<kube::envtest::Workloads> workloads_;
};

void Sleep(absl::Duration duration) {
  ASSERT_THAT(kube::base::SleepFor(Context(), duration), IsOk());
}

// Sleeps until half a minute after a full hour.
void SleepPastTheHour() {
  const absl::Duration of_hour = absl::Seconds(absl::ToUnixSeconds(kube::base::WallNow()) % 3600);
  Sleep(absl::Hours(1) - of_hour + absl::Seconds(30));
}

void Simulate(const std::function<void(World&)>& test) {
  const kube::log::LogCapture quiet;
  kube::base::SimRuntime sim;
  const absl::Status end = sim.Run([&] {
    World world;
    ASSERT_THAT(world.Start(), IsOk());
    test(world);
  });
  ASSERT_THAT(end, IsOk());
}

TEST(CronJobWebhooks, Defaults_AreSet) {
  Simulate([](World& world) {
    ASSERT_THAT(world.Create(Hello("0 0 * * *")), IsOk());
    const v1::CronJob stored = world.hello();
    EXPECT_EQ(stored.spec.concurrency_policy, "Allow");
    EXPECT_EQ(stored.spec.suspend, false);
    EXPECT_EQ(stored.spec.successful_jobs_history_limit, 3);
    EXPECT_EQ(stored.spec.failed_jobs_history_limit, 1);
  });
}

TEST(CronJobWebhooks, WrongCronJobs_AreRefused) {
  Simulate([](World& world) {
    EXPECT_THAT(world.Create(Hello("0 25 * * *")),
                StatusIs(testing::_, HasSubstr("end of range (25) above maximum (23): 25")));
    EXPECT_THAT(world.Create(Hello("@daily")), StatusIs(testing::_, HasSubstr("has not 5 fields")));
    v1::CronJob long_name = Hello("0 0 * * *");
    long_name.metadata.name = std::string(53, 'a');
    EXPECT_THAT(world.Create(long_name),
                StatusIs(testing::_, HasSubstr("must be no more than 52 characters")));
    v1::CronJob policy = Hello("0 0 * * *");
    policy.spec.concurrency_policy = "Sometimes";
    EXPECT_THAT(world.Create(policy), StatusIs(testing::_, HasSubstr("concurrencyPolicy")));
  });
}

TEST(CronJobWebhooks, AStructuredSchedule_IsConvertedDefaultedAndChecked) {
  Simulate([](World& world) {
    v2::CronJob cron_job;
    cron_job.metadata.name = "hello";
    cron_job.spec.schedule.minute = "*/5";
    cron_job.spec.job_template = Template();
    ASSERT_THAT(world.cron_jobs_v2().Create(Context(), cron_job), IsOk());
    EXPECT_EQ(world.hello().spec.schedule, "*/5 * * * *");
    EXPECT_EQ(world.hello().spec.concurrency_policy, "Allow");
    const auto read = world.cron_jobs_v2().Get(Context(), "hello");
    ASSERT_THAT(read, IsOk());
    EXPECT_EQ(read->spec.schedule, cron_job.spec.schedule);
    cron_job.metadata.name = "wrong";
    cron_job.spec.schedule.minute = "61";
    EXPECT_THAT(world.cron_jobs_v2().Create(Context(), cron_job),
                StatusIs(testing::_, HasSubstr("end of range (61) above maximum (59): 61")));
  });
}

TEST(CronJobOperator, ARun_IsAJobWithOwnerTimeAndTemplate) {
  Simulate([](World& world) {
    ASSERT_THAT(world.Create(Hello("0 * * * *")), IsOk());
    SleepPastTheHour();
    const kube::List<batchv1::Job> jobs = world.AllJobs();
    ASSERT_EQ(jobs.size(), 1u);
    const v1::CronJob stored = world.hello();
    EXPECT_TRUE(kube::meta::IsControlledBy(jobs[0].metadata, stored.metadata));
    EXPECT_EQ(jobs[0].metadata.labels.value_or("app", ""), "hello");
    EXPECT_EQ(jobs[0].spec.backoff_limit, 0);
    ASSERT_TRUE(stored.status.last_schedule_time.has_value());
    EXPECT_EQ(jobs[0].metadata.annotations.value_or(kScheduledAt, ""),
              stored.status.last_schedule_time->ToString());
    ASSERT_EQ(stored.status.active.size(), 1u);
    EXPECT_EQ(stored.status.active[0].uid, jobs[0].metadata.uid);
  });
}

TEST(CronJobOperator, TheHistory_HasThreeSuccessfulAndOneFailedJob) {
  for (const int exit_code : {0, 1}) {
    SCOPED_TRACE(exit_code);
    Simulate([exit_code](World& world) {
      ASSERT_THAT(world.RunPods(exit_code), IsOk());
      ASSERT_THAT(world.Create(Hello("* * * * *")), IsOk());
      SleepPastTheHour();
      EXPECT_EQ(world.JobCount(), exit_code == 0 ? 3u : 1u);
      EXPECT_TRUE(world.hello().status.active.empty());
    });
  }
}

TEST(CronJobOperator, Policies_DecideHowManyJobsAreActive) {
  for (const char* const policy : {"Allow", "Forbid", "Replace"}) {
    SCOPED_TRACE(policy);
    Simulate([policy](World& world) {
      v1::CronJob cron_job = Hello("*/10 * * * *");
      cron_job.spec.concurrency_policy = policy;
      SleepPastTheHour();
      ASSERT_THAT(world.Create(cron_job), IsOk());
      Sleep(absl::Minutes(30));
      const absl::string_view name(policy);
      EXPECT_EQ(world.JobCount(), name == "Allow" ? 3u : 1u);
      EXPECT_EQ(world.CreationCount(), name == "Forbid" ? 1 : 3);
    });
  }
}

TEST(CronJobOperator, Suspended_StartsNothingAndThenTheMissedRun) {
  Simulate([](World& world) {
    v1::CronJob cron_job = Hello("0 * * * *");
    cron_job.spec.suspend = true;
    ASSERT_THAT(world.Create(cron_job), IsOk());
    SleepPastTheHour();
    EXPECT_EQ(world.JobCount(), 0u);
    ASSERT_THAT(world.SetSuspended(false), IsOk());
    Sleep(absl::Seconds(10));
    EXPECT_EQ(world.JobCount(), 1u);
  });
}

TEST(CronJobOperator, AfterTheDeadline_TheMissedRunIsSkipped) {
  Simulate([](World& world) {
    v1::CronJob cron_job = Hello("0 * * * *");
    cron_job.spec.suspend = true;
    cron_job.spec.starting_deadline_seconds = 20;
    ASSERT_THAT(world.Create(cron_job), IsOk());
    SleepPastTheHour();
    ASSERT_THAT(world.SetSuspended(false), IsOk());
    Sleep(absl::Minutes(10));
    EXPECT_EQ(world.JobCount(), 0u);
    SleepPastTheHour();
    EXPECT_EQ(world.JobCount(), 1u);
  });
}

TEST(CronJobOperator, TooManyMissedRuns_AreTold) {
  Simulate([](World& world) {
    v1::CronJob cron_job = Hello("* * * * *");
    cron_job.spec.suspend = true;
    ASSERT_THAT(world.Create(cron_job), IsOk());
    Sleep(absl::Hours(3));
    ASSERT_THAT(world.SetSuspended(false), IsOk());
    Sleep(absl::Minutes(2));
    EXPECT_EQ(world.JobCount(), 0u);
    EXPECT_TRUE(world.HasEvent("TooManyMissedTimes"));
  });
}

TEST(CronJobOperator, AJobIsDeleted_ItsRunIsNotRepeated) {
  Simulate([](World& world) {
    ASSERT_THAT(world.RunPods(/*exit_code=*/0), IsOk());
    v1::CronJob cron_job = Hello("0 * * * *");
    cron_job.spec.successful_jobs_history_limit = 0;
    ASSERT_THAT(world.Create(cron_job), IsOk());
    SleepPastTheHour();
    Sleep(absl::Minutes(20));
    EXPECT_EQ(world.JobCount(), 0u);
    EXPECT_EQ(world.CreationCount(), 1);
  });
}

// Runs a CronJob while answers are lost, writes fail and the watch of Jobs falls behind. Returns an
// error if a run is repeated, or if there are no runs when the faults are over.
absl::Status RunWithFaults() {
  World world;
  KUBE_RETURN_IF_ERROR(world.Start());
  KUBE_RETURN_IF_ERROR(world.RunPods(/*exit_code=*/0));
  v1::CronJob cron_job = Hello("* * * * *");
  cron_job.spec.successful_jobs_history_limit = 0;
  KUBE_RETURN_IF_ERROR(world.Create(cron_job));
  kube::apiserver::Faults faults = world.environment().server()->faults();
  const kube::apiserver::FaultId lost = faults.Add({.verbs = {"create", "delete"},
                                                    .resource = "jobs",
                                                    .probability = 0.5,
                                                    .fault = fault::Drop{.after_commit = true}});
  const kube::apiserver::FaultId failed =
      faults.Add({.verbs = {"patch"},
                  .resource = "cronjobs/status",
                  .probability = 0.3,
                  .fault = fault::Error{.status = absl::InternalError("bad luck")}});
  std::map<std::string, std::string> uids;
  for (int second = 0; second < 900; ++second) {
    if (second % 180 == 50) {
      const kube::apiserver::FaultId lag = faults.Add(
          {.verbs = {"watch"}, .resource = "jobs", .fault = fault::Lag{.revisions = 1'000'000}});
      KUBE_RETURN_IF_ERROR(kube::base::SleepFor(Context(), absl::Seconds(30)));
      faults.Remove(lag);
    }
    for (const batchv1::Job& job : world.AllJobs()) {
      const std::string name(job.metadata.name.view());
      const std::string uid(job.metadata.uid.view());
      if (uids.emplace(name, uid).first->second != uid) {
        return absl::InternalError(absl::StrCat(name, " has run twice"));
      }
    }
    KUBE_RETURN_IF_ERROR(kube::base::SleepFor(Context(), absl::Seconds(1)));
  }
  faults.Remove(lost);
  faults.Remove(failed);
  KUBE_RETURN_IF_ERROR(kube::base::SleepFor(Context(), absl::Hours(1)));
  const v1::CronJob stored = world.hello();
  if (!stored.status.last_schedule_time.has_value() ||
      kube::base::WallNow() - stored.status.last_schedule_time->ToAbslTime() > absl::Minutes(2)) {
    return absl::InternalError("the last run was long ago");
  }
  if (uids.empty()) return absl::InternalError("no Job was seen");
  return absl::OkStatus();
}

TEST(CronJobSimulation, LostAnswersErrorsAndALateCache_RepeatNoRun) {
  const kube::log::LogCapture quiet;
  const auto program = [](kube::base::SimRuntime& sim) -> absl::Status {
    absl::Status outcome;
    KUBE_RETURN_IF_ERROR(sim.Run([&outcome] { outcome = RunWithFaults(); }));
    return outcome;
  };
  EXPECT_THAT(kube::base::SearchSeeds(program, {.seeds = kube::base::SimulationSeeds(5)}), IsOk());
}

}  // namespace
}  // namespace tutorial
