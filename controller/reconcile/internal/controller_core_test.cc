#include "controller/reconcile/internal/controller_core.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/object_name.h"
#include "controller/manager/manager_status.h"
#include "controller/reconcile/cause.h"
#include "controller/reconcile/internal/steps.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/result.h"
#include "controller/workqueue/key_traits.h"
#include "controller/workqueue/queue_options.h"
#include "controller/workqueue/run_workers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

int64_t NowMillis() { return absl::ToInt64Milliseconds(base::Now().since_epoch()); }

CoreOptions Options() {
  CoreOptions options;
  options.name = "website";
  options.kind = {.group = "example.com", .version = "v1", .kind = "Website"};
  options.name_of = &workqueue::KeyTraits<meta::ObjectName>::FromText;
  return options;
}

// Runs a test's body in virtual time.
void Simulate(absl::AnyInvocable<void()> body) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run(std::move(body)), IsOk());
}

// Runs a core's workers on a thread.
class Workers {
 public:
  explicit Workers(ControllerCore& core) {
    EXPECT_THAT(thread_.Start(Context(), "controller",
                              [this, &core](const Context&) {
                                EXPECT_THAT(core.RunWorkers(take.context(), work.context()),
                                            IsOk());
                              }),
                IsOk());
  }
  void Stop() {
    take.Cancel();
    work.Cancel();
    Join();
  }
  void Join() { thread_.Join(); }
  ~Workers() { Stop(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  CancelScope take = WithCancel(Context());
  CancelScope work = WithCancel(Context());

 private:
  base::Thread thread_;
};

void Sleep(absl::Duration duration) { EXPECT_THAT(base::SleepFor(Context(), duration), IsOk()); }

// ---- what follows from a result

struct VerdictCase {
  std::string name;
  std::vector<absl::StatusOr<Result>> results;  // of the calls; after the last one: success
  std::vector<int64_t> calls;                   // their times in milliseconds
  std::vector<int> failures;                    // what the requests say
  int max_retries = -1;
  std::string comment = {};
};

absl::Status No() { return absl::InternalError("no"); }

class VerdictTest : public testing::TestWithParam<VerdictCase> {};

// behaviour.md: CTRL-5, CTRL-16, CTRL-17, CTRL-18, CTRL-20
TEST_P(VerdictTest, Call) {
  Simulate([] {
    const log::LogCapture quiet;
    CoreOptions options = Options();
    options.max_retries = GetParam().max_retries;
    ControllerCore core(std::move(options));
    std::vector<int64_t> calls;
    std::vector<int> failures;
    core.SetReconcile([&](RequestParts& parts) -> absl::StatusOr<Result> {
      calls.push_back(NowMillis());
      failures.push_back(parts.failures);
      if (calls.size() <= GetParam().results.size()) return GetParam().results[calls.size() - 1];
      return Result();
    });
    core.Add("prod/web", {}, {});
    Workers workers(core);
    Sleep(absl::Hours(1));
    workers.Stop();
    EXPECT_EQ(calls, GetParam().calls);
    EXPECT_EQ(failures, GetParam().failures);
  });
}

INSTANTIATE_TEST_SUITE_P(
    Results, VerdictTest,
    testing::Values(
        VerdictCase{"SuccessIsNotCalledAgain", {Result()}, {0}, {0}, -1, "CTRL-20"},
        VerdictCase{"RequeueAfterIsCalledThen",
                    {Result{.requeue_after = absl::Seconds(2)}},
                    {0, 2000},
                    {0, 0},
                    -1,
                    "CTRL-18"},
        VerdictCase{
            "ErrorsBackOff", {No(), No(), No()}, {0, 5, 15, 35}, {0, 1, 2, 3}, -1, "CTRL-16"},
        VerdictCase{"RequeueAfterForgetsFailures",
                    {No(), No(), Result{.requeue_after = absl::Seconds(1)}, No()},
                    {0, 5, 15, 1015, 1020},
                    {0, 1, 2, 0, 1},
                    -1,
                    "CTRL-18"},
        VerdictCase{
            "TerminalErrorIsNotRetried", {workqueue::TerminalError(No())}, {0}, {0}, -1, "CTRL-17"},
        VerdictCase{"RetryAfterIsNoFailure",
                    {workqueue::RetryAfter(No(), absl::Seconds(3))},
                    {0, 3000},
                    {0, 0}},
        VerdictCase{"MaxRetriesGivesUp", {No(), No(), No()}, {0, 5, 15}, {0, 1, 2}, 2}),
    [](const testing::TestParamInfo<VerdictCase>& test) { return test.param.name; });

// ---- causes

TEST(ControllerCoreTest, Causes_TheFirstEightAreKept_TheRestIsCounted) {
  Simulate([] {
    ControllerCore core(Options());
    std::vector<std::string> causes;
    int more = 0;
    core.SetReconcile([&](RequestParts& parts) -> absl::StatusOr<Result> {
      for (const Cause& cause : parts.causes) causes.push_back(cause.ToString());
      more = parts.more_causes;
      return Result();
    });
    for (int i = 1; i <= 10; ++i) {
      core.Add("prod/web", {},
               {.type = Cause::Type::kUpdated,
                .kind = "Website",
                .old_version = absl::StrCat(i),
                .new_version = absl::StrCat(i + 1)});
    }
    Workers workers(core);
    Sleep(absl::Seconds(1));
    EXPECT_EQ(causes.size(), 8u);
    EXPECT_EQ(causes.front(), "updated Website 1->2");
    EXPECT_EQ(causes.back(), "updated Website 8->9");
    EXPECT_EQ(more, 2);
  });
}

TEST(ControllerCoreTest, Causes_AResyncIsAmongThem_AfterManyOthers) {
  Simulate([] {
    ControllerCore core(Options());
    std::vector<Cause::Type> causes;
    int more = 0;
    core.SetReconcile([&](RequestParts& parts) -> absl::StatusOr<Result> {
      for (const Cause& cause : parts.causes) causes.push_back(cause.type);
      more = parts.more_causes;
      return Result();
    });
    for (int i = 0; i < 9; ++i) core.Add("prod/web", {}, {.type = Cause::Type::kUpdated});
    core.Add("prod/web", {}, {.type = Cause::Type::kResync});
    core.Add("prod/web", {}, {.type = Cause::Type::kUpdated});
    Workers workers(core);
    Sleep(absl::Seconds(1));
    ASSERT_EQ(causes.size(), 8u);
    EXPECT_EQ(causes.front(), Cause::Type::kUpdated);
    EXPECT_EQ(causes.back(), Cause::Type::kResync);
    EXPECT_EQ(more, 3);
  });
}

TEST(ControllerCoreTest, Causes_ARetryAndARequeueSaySo) {
  Simulate([] {
    const log::LogCapture quiet;
    ControllerCore core(Options());
    std::vector<std::string> causes;
    core.SetReconcile([&](RequestParts& parts) -> absl::StatusOr<Result> {
      EXPECT_EQ(parts.causes.size(), 1u);
      for (const Cause& cause : parts.causes) causes.push_back(cause.ToString());
      if (causes.size() == 1) return No();
      if (causes.size() == 2) return Result{.requeue_after = absl::Seconds(1)};
      return Result();
    });
    core.Add("prod/web", {}, {});
    Workers workers(core);
    Sleep(absl::Minutes(1));
    EXPECT_THAT(causes, ElementsAre("enqueued", "retry", "requeued"));
  });
}

// ---- order, and one worker a key

// behaviour.md: CTRL-16
TEST(ControllerCoreTest, Order_HigherPrioritiesFirst_AlsoForTheirRetries) {
  Simulate([] {
    const log::LogCapture quiet;
    ControllerCore core(Options());
    std::vector<std::string> order;
    core.SetReconcile([&](RequestParts& parts) -> absl::StatusOr<Result> {
      order.push_back(parts.key);
      Sleep(absl::Milliseconds(10));  // longer than the first delay
      if (parts.key == "low" && parts.failures == 0) return No();
      return Result();
    });
    core.Add("low", {.priority = workqueue::kLowPriority}, {});
    core.Add("a", {}, {});
    core.Add("low2", {.priority = workqueue::kLowPriority}, {});
    core.Add("b", {}, {});
    Workers workers(core);
    Sleep(absl::Milliseconds(29));  // "low" is in work
    core.Add("c", {}, {});
    Sleep(absl::Seconds(1));
    EXPECT_THAT(order, ElementsAre("a", "b", "low", "c", "low2", "low"));
  });
}

// behaviour.md: CTRL-14
TEST(ControllerCoreTest, AKeyIsNeverWithTwoWorkers) {
  const auto program = [](base::SimRuntime& sim) -> absl::Status {
    int twice = 0;
    int calls = 0;
    KUBE_RETURN_IF_ERROR(sim.Run([&] {
      CoreOptions options = Options();
      options.workers = 3;
      ControllerCore core(std::move(options));
      base::Mutex mutex;
      std::set<std::string> in_work;
      core.SetReconcile([&](RequestParts& parts) -> absl::StatusOr<Result> {
        {
          base::MutexLock lock(mutex);
          ++calls;
          if (!in_work.insert(parts.key).second) ++twice;
        }
        Sleep(absl::Milliseconds(base::UniformInt(0, 5)));
        base::MutexLock lock(mutex);
        in_work.erase(parts.key);
        return Result();
      });
      Workers workers(core);
      for (int i = 0; i < 50; ++i) {
        core.Add(absl::StrCat("key-", base::UniformInt(0, 3)), {}, {});
        Sleep(absl::Milliseconds(base::UniformInt(0, 3)));
      }
      workers.Stop();
    }));
    if (twice > 0) return absl::InternalError(absl::StrCat(twice, " times with two workers"));
    if (calls < 3) return absl::InternalError("keys were not reconciled");
    return absl::OkStatus();
  };
  const log::LogCapture quiet;
  EXPECT_THAT(base::SearchSeeds(program, {.seeds = base::SimulationSeeds(50)}), IsOk());
}

// ---- the end

// behaviour.md: MGR-19, CTRL-12, CTRL-27
TEST(ControllerCoreTest, Drain_KeysInWorkFinish_NoOtherIsTaken) {
  Simulate([] {
    const log::LogCapture capture;
    ControllerCore core(Options());
    std::vector<std::string> finished;
    core.SetReconcile([&](RequestParts& parts) -> absl::StatusOr<Result> {
      KUBE_RETURN_IF_ERROR(base::SleepFor(parts.context, absl::Seconds(10)));
      finished.push_back(parts.key);
      return Result();
    });
    core.Add("first", {}, {});
    core.Add("second", {}, {});
    Workers workers(core);
    Sleep(absl::Seconds(1));
    workers.take.Cancel();
    workers.Join();
    EXPECT_EQ(NowMillis(), 10'000);
    EXPECT_THAT(finished, ElementsAre("first"));
    EXPECT_THAT(capture.Lines(),
                Contains(HasSubstr("Shutdown signal received, waiting for all workers to finish")));
    EXPECT_THAT(capture.Lines(), Contains(HasSubstr("All workers finished")));
  });
}

TEST(ControllerCoreTest, Cancel_ContextsEnd_TheErrorIsNotTheKeys) {
  Simulate([] {
    const log::LogCapture capture;
    ControllerCore core(Options());
    absl::Status seen;
    core.SetReconcile([&](RequestParts& parts) -> absl::StatusOr<Result> {
      seen = base::WaitUntilDone(parts.context);
      return seen;
    });
    core.Add("prod/web", {}, {});
    Workers workers(core);
    Sleep(absl::Seconds(1));
    workers.Stop();
    EXPECT_EQ(NowMillis(), 1000);
    EXPECT_THAT(seen, StatusIs(absl::StatusCode::kCancelled));
    EXPECT_THAT(capture.Lines(), Not(Contains(HasSubstr("Reconciler error"))));
  });
}

TEST(ControllerCoreTest, Cancel_WithoutADrain_EndsIdleWorkers) {
  Simulate([] {
    const log::LogCapture quiet;
    ControllerCore core(Options());
    core.SetReconcile([](RequestParts&) -> absl::StatusOr<Result> { return Result(); });
    Workers workers(core);
    Sleep(absl::Seconds(1));
    workers.work.Cancel();
    workers.Join();
    EXPECT_EQ(NowMillis(), 1000);
    EXPECT_FALSE(core.status().running);
  });
}

// behaviour.md: CTRL-11
TEST(ControllerCoreTest, RunWorkers_ASecondTime_IsRefused) {
  Simulate([] {
    const log::LogCapture quiet;
    ControllerCore core(Options());
    core.SetReconcile([](RequestParts&) -> absl::StatusOr<Result> { return Result(); });
    {
      Workers workers(core);
      Sleep(absl::Seconds(1));
    }
    EXPECT_THAT(core.RunWorkers(Context(), Context()),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr("controller was started more than once")));
  });
}

// ---- errors of the program

// behaviour.md: CTRL-3
TEST(ControllerCoreTest, WaitForSync_SaysWhatTheControllerLacks) {  // BLD-2, BLD-6
  const log::LogCapture quiet;
  ControllerCore core(Options());
  EXPECT_THAT(core.WaitForSync(Context()),
              StatusIs(absl::StatusCode::kFailedPrecondition, "must provide a reconcile function"));
  core.SetReconcile([](RequestParts&) -> absl::StatusOr<Result> { return Result(); });
  EXPECT_THAT(core.WaitForSync(Context()), IsOk());
  core.NoteSetupError(absl::AlreadyExistsError("taken"));
  core.NoteSetupError(absl::InternalError("later"));
  EXPECT_THAT(core.WaitForSync(Context()), StatusIs(absl::StatusCode::kAlreadyExists, "taken"));
  EXPECT_EQ(core.status().waits_for, "taken");
}

// behaviour.md: CTRL-23
TEST(ControllerCoreDeathTest, AnExceptionEndsTheProcess_TheLogNamesTheKey) {
  const ControllerCore::Reconcile throws = [](RequestParts& parts) -> absl::StatusOr<Result> {
    static_cast<void>(parts.key.at(100));  // std::out_of_range
    return Result();
  };
  RequestParts parts;
  parts.key = "prod/web";
  EXPECT_DEATH(CallNoexcept(throws, "website", parts).IgnoreError(),
               "threw an exception.*website.*prod/web");
}

// ---- logs and metrics

// behaviour.md: CTRL-25, CTRL-26, CTRL-27
TEST(ControllerCoreTest, Log_FieldsAreThoseOfControllerRuntime) {
  Simulate([] {
    const log::LogCapture capture;
    ControllerCore core(Options());
    core.SetReconcile([](RequestParts&) -> absl::StatusOr<Result> {
      return workqueue::TerminalError(absl::InternalError("no"));
    });
    core.Add("prod/web", {}, {});
    Workers workers(core);
    Sleep(absl::Seconds(1));
    EXPECT_THAT(capture.Lines(), Contains(HasSubstr("\"Starting Controller\"")));
    EXPECT_THAT(capture.Lines(), Contains(HasSubstr("\"Starting workers\"")));
    EXPECT_THAT(capture.Lines(),
                Contains(AllOf(HasSubstr("E \"Reconciler error\""),
                               HasSubstr("controller=\"website\" controllerGroup=\"example.com\" "
                                         "controllerKind=\"Website\" Website=\"prod/web\" "
                                         "namespace=\"prod\" name=\"web\" reconcileID=\""))));
  });
}

// behaviour.md: CTRL-24
TEST(ControllerCoreTest, Timeout_AReconcileThatLooksAtNoContext_IsReportedOnce) {
  Simulate([] {
    const log::LogCapture capture;
    const auto registry = std::make_shared<base::PrometheusRegistry>();
    CoreOptions options = Options();
    options.metrics = registry;
    options.reconcile_timeout = absl::Minutes(1);
    ControllerCore core(std::move(options));
    core.SetReconcile([](RequestParts& parts) -> absl::StatusOr<Result> {
      EXPECT_EQ(parts.context.TimeLeft(), absl::Minutes(1));
      parts.steps->Enter("apply deployments \"prod/web\"");
      Sleep(absl::Minutes(10));
      return Result();
    });
    core.Add("prod/web", {}, {});
    Workers workers(core);
    Sleep(absl::Minutes(5));
    const ControllerStatus status = core.status();
    ASSERT_EQ(status.workers.size(), 1u);
    EXPECT_EQ(status.workers[0].key, "prod/web");
    EXPECT_EQ(status.workers[0].where, "apply deployments \"prod/web\"");
    EXPECT_THAT(capture.Lines(),
                Contains(AllOf(HasSubstr("Reconcile runs longer than its timeout"),
                               HasSubstr(R"(where="apply deployments \"prod/web\"")"))));
    Sleep(absl::Minutes(10));
    int reports = 0;
    for (const std::string& line : capture.Lines()) {
      if (absl::StrContains(line, "Reconcile runs longer than its timeout")) ++reports;
    }
    EXPECT_EQ(reports, 1);
    EXPECT_THAT(registry->Render(),
                HasSubstr("controller_runtime_reconcile_timeouts_total{controller=\"website\"} 1"));
  });
}

// behaviour.md: CTRL-24
TEST(ControllerCoreTest, Timeout_AReconcileThatLooksAtItsContext_IsCountedAndNotReported) {
  Simulate([] {
    const log::LogCapture capture;
    const auto registry = std::make_shared<base::PrometheusRegistry>();
    CoreOptions options = Options();
    options.metrics = registry;
    options.reconcile_timeout = absl::Minutes(1);
    options.max_retries = 0;
    ControllerCore core(std::move(options));
    core.SetReconcile([](RequestParts& parts) -> absl::StatusOr<Result> {
      return base::WaitUntilDone(parts.context);
    });
    core.Add("prod/web", {}, {});
    Workers workers(core);
    Sleep(absl::Minutes(5));
    EXPECT_THAT(capture.Lines(), Not(Contains(HasSubstr("Reconcile runs longer"))));
    EXPECT_THAT(registry->Render(),
                HasSubstr("controller_runtime_reconcile_timeouts_total{controller=\"website\"} 1"));
  });
}

// Returns the lines of a counter or a gauge.
std::vector<std::string> Samples(const base::PrometheusRegistry& registry, absl::string_view name) {
  std::vector<std::string> samples;
  const std::string page = registry.Render();
  for (const absl::string_view line : absl::StrSplit(page, '\n')) {
    if (absl::StartsWith(line, name)) samples.emplace_back(line);
  }
  return samples;
}

// behaviour.md: CTRL-17, CTRL-29
TEST(ControllerCoreTest, Metrics_AreThoseOfControllerRuntime) {
  Simulate([] {
    const log::LogCapture quiet;
    const auto registry = std::make_shared<base::PrometheusRegistry>();
    CoreOptions options = Options();
    options.metrics = registry;
    options.workers = 2;
    ControllerCore core(std::move(options));
    core.SetReconcile([](RequestParts& parts) -> absl::StatusOr<Result> {
      if (parts.key == "terminal") return workqueue::TerminalError(No());
      if (parts.key == "error" && parts.failures == 0) return No();
      if (parts.key == "again" && parts.causes[0].type == Cause::Type::kEnqueued) {
        return Result{.requeue_after = absl::Seconds(1)};
      }
      return Result();
    });
    for (const char* key : {"ok", "terminal", "error", "again"}) core.Add(key, {}, {});
    Workers workers(core);
    Sleep(absl::Minutes(1));
    EXPECT_THAT(
        Samples(*registry, "controller_runtime_reconcile_total"),
        ElementsAre(
            R"(controller_runtime_reconcile_total{controller="website",result="error"} 2)",
            R"(controller_runtime_reconcile_total{controller="website",result="requeue"} 0)",
            R"(controller_runtime_reconcile_total{controller="website",result="requeue_after"} 1)",
            R"(controller_runtime_reconcile_total{controller="website",result="success"} 3)"));
    EXPECT_THAT(Samples(*registry, "controller_runtime_terminal_reconcile_errors_total"),
                ElementsAre(HasSubstr("} 1")));
    EXPECT_THAT(Samples(*registry, "controller_runtime_reconcile_errors_total"),
                ElementsAre(HasSubstr("} 2")));
    EXPECT_THAT(Samples(*registry, "controller_runtime_max_concurrent_reconciles"),
                ElementsAre(HasSubstr("} 2")));
    EXPECT_THAT(Samples(*registry, "controller_runtime_active_workers"),
                ElementsAre(HasSubstr("} 0")));
    EXPECT_THAT(Samples(*registry, "workqueue_adds_total"), ElementsAre(HasSubstr("website")));
  });
}

TEST(ControllerCoreTest, Status_NamesTheKeysThatHaveWaitedLongest) {
  Simulate([] {
    ControllerCore core(Options());
    core.SetReconcile([](RequestParts&) -> absl::StatusOr<Result> { return Result(); });
    for (const char* key : {"first", "second"}) {
      core.Add(key, {}, {});
      Sleep(absl::Seconds(1));
    }
    const QueueStatus waiting = core.status().queue;
    EXPECT_EQ(waiting.ready, 2);
    EXPECT_EQ(waiting.oldest_key, "first");
    ASSERT_EQ(waiting.oldest_keys.size(), 2u);
    EXPECT_EQ(waiting.oldest_keys[0].key, "first");
    EXPECT_EQ(waiting.oldest_keys[0].age, waiting.oldest_age);
    EXPECT_EQ(waiting.oldest_keys[1].key, "second");
    Workers workers(core);
    Sleep(absl::Seconds(1));
    EXPECT_EQ(core.status().queue.oldest_keys.size(), 0u);
  });
}

// behaviour.md: CTRL-32
TEST(ControllerCoreTest, Status_HasTheNewestErrorsFirst) {
  Simulate([] {
    const log::LogCapture quiet;
    ControllerCore core(Options());
    core.SetReconcile([](RequestParts& parts) -> absl::StatusOr<Result> {
      if (parts.key == "ok") return Result();
      return workqueue::TerminalError(absl::InternalError(absl::StrCat("no ", parts.key)));
    });
    for (int i = 0; i < 12; ++i) core.Add(absl::StrCat("key-", i), {}, {});
    core.Add("ok", {}, {});
    core.Add("late", {.after = absl::Hours(1)}, {});
    Workers workers(core);
    Sleep(absl::Seconds(1));
    const ControllerStatus status = core.status();
    EXPECT_EQ(status.name, "website");
    EXPECT_EQ(status.kind, "Website.example.com/v1");
    EXPECT_TRUE(status.running);
    EXPECT_EQ(status.reconciles, 13);
    EXPECT_EQ(status.failed_reconciles, 12);
    ASSERT_EQ(status.last_errors.size(), 10u);
    EXPECT_EQ(status.last_errors[0].message, "no key-11");
    EXPECT_EQ(status.last_errors[0].failures, 1);
    EXPECT_EQ(status.queue.delayed, 1);
  });
}

}  // namespace
}  // namespace kube::controller::internal
