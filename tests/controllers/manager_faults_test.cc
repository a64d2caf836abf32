// One manager whose server has a fault at some moment between its start and its end. It must end
// within its time limits whatever happens, leave nothing behind that runs, and a new program must
// then do what is left to do.

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apiserver/fault_rule.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/config.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/controllers/operator.h"
#include "tests/controllers/recorder.h"

namespace kube::controllers {
namespace {

namespace corev1 = api::core::v1;
namespace fault = apiserver::fault;
using base::IsOk;
using corev1::ConfigMap;

// When a program is told to end, after its start. It then has a child to create, for which the
// server takes kSlow.
constexpr absl::Duration kStop = absl::Seconds(40);
constexpr absl::Duration kSlow = absl::Seconds(10);
// The defaults of ManagerOptions.
constexpr absl::Duration kDrain = absl::Seconds(15);
constexpr absl::Duration kEnd = absl::Seconds(10);
constexpr char kUser[] = "program";

struct PhaseRow {
  const char* name;
  absl::Duration fault_begins;  // after the start
};

constexpr absl::Duration kBeforeStop = absl::Milliseconds(100);

std::vector<PhaseRow> Phases() {
  return {
      {"before the start", absl::ZeroDuration()},       {"while it leads", absl::Seconds(20)},
      {"just before the stop", kStop - kBeforeStop},    {"in the drain", kStop + absl::Seconds(5)},
      {"after the drain", kStop + kSlow + kBeforeStop},
  };
}

struct FaultRow {
  const char* name;
  apiserver::FaultRule rule;
};

std::vector<FaultRow> FaultRows() {
  return {
      {"nothing", {}},
      {"the server is silent", {.fault = fault::Partition{}}},
      {"the server refuses", {.fault = fault::Partition{.refuse = true}}},
      {"the server fails", {.fault = fault::Error{errors::InternalError("etcd")}}},
      {"lists do not end", {.verbs = {"list"}, .fault = fault::Partition{}}},
      {"watches say nothing", {.verbs = {"watch"}, .fault = fault::StallWatch{}}},
      {"the lease is out of reach", {.resource = "leases", .fault = fault::Partition{}}},
      {"events cannot be written", {.resource = "events", .fault = fault::Partition{}}},
      {"children cannot be created",
       {.verbs = {"create"}, .resource = "secrets", .fault = fault::Partition{}}},
      {"answers are lost",
       {.verbs = {"create", "update", "patch"}, .fault = fault::Drop{.after_commit = true}}},
  };
}

// A server with one set, and programs that run one after the other.
class World {
 public:
  World() : admin_(*kubernetes::Clientset::Make(envtest::InProcessConfig(server_))) {
    ConfigMap set;
    set.metadata.name = "set";
    set.metadata.labels[kRole] = kSet;
    set.data[kCount] = "2";
    EXPECT_THAT(Maps().Create(Context(), set), IsOk());
  }

  apiserver::ApiHandler& server() { return server_; }
  Recorder& recorder() { return recorder_; }
  corev1::ConfigMapClient Maps() const { return admin_.CoreV1().ConfigMaps("default"); }

  void SetCount(const std::string& count) {
    EXPECT_THAT(Maps().Edit(Context(), "set",
                            [&count](ConfigMap& set) {
                              set.data[kCount] = count;
                              return absl::OkStatus();
                            }),
                IsOk());
  }

  size_t Children() const {
    api::meta::v1::ListOptions options;
    options.label_selector = absl::StrCat(kRole, "=", kChild);
    const absl::StatusOr<corev1::SecretList> children =
        admin_.CoreV1().Secrets("default").List(Context(), options);
    EXPECT_THAT(children, IsOk());
    return children.ok() ? children->items.size() : 0;
  }

  // Returns when the Run of the last program has returned. Call it when that has ended.
  base::MonotonicTime end_of_run() const { return end_of_run_; }

  // Does what a program does, until `ctx` is done. One program at a time.
  absl::Status RunProgram(const Context& ctx, const std::string& program) {
    controller::ManagerOptions options;
    options.name = "operator";
    options.leader_election.emplace();
    options.leader_election->lease.namespace_name = "kube-system";
    options.leader_election->lease.identity = program;
    options.health.reset();
    const absl::StatusOr<std::unique_ptr<controller::Manager>> manager = controller::Manager::Make(
        envtest::InProcessConfig(server_, {.name = kUser}), std::move(options));
    EXPECT_THAT(manager, IsOk());
    const Operator work(**manager, {.program = program,
                                    .recorder = &recorder_,
                                    .other_system = &other_system_,
                                    .admin = &admin_});
    const absl::Status ended = (*manager)->Run(ctx);
    end_of_run_ = base::Now();
    recorder_.NoteEnd(program);
    return ended;
  }

 private:
  apiserver::ApiHandler server_;
  const kubernetes::Clientset admin_;
  Recorder recorder_;
  OtherSystem other_system_;
  base::MonotonicTime end_of_run_;
};

void SleepUntil(base::MonotonicTime time) {
  EXPECT_THAT(base::SleepFor(Context(), time - base::Now()), IsOk());
}

// Adds the fault at its time.
void AddFaultAt(base::MonotonicTime time, World& world, const FaultRow& row) {
  SleepUntil(time);
  apiserver::FaultRule rule = row.rule;
  rule.user = kUser;
  world.server().faults().Add(std::move(rule));
}

void StopAt(base::MonotonicTime time, World& world, base::Thread& program) {
  SleepUntil(time - 2 * kBeforeStop);
  world.server().faults().Add({.verbs = {"create"},
                               .resource = "secrets",
                               .user = kUser,
                               .fault = fault::Delay{.time = kSlow}});
  world.SetCount("3");
  SleepUntil(time);
  world.recorder().NoteStop("first");
  program.RequestStop();
}

// Runs a program that is told to end at its time while there is a fault, and returns how it ended.
absl::Status RunWithFault(World& world, const PhaseRow& phase, const FaultRow& row) {
  const base::MonotonicTime start = base::Now();
  base::Thread faults;
  EXPECT_THAT(
      faults.Start(Context(), "faults",
                   [&](const Context&) { AddFaultAt(start + phase.fault_begins, world, row); }),
      IsOk());
  if (phase.fault_begins == absl::ZeroDuration()) faults.Join();
  absl::Status ended;
  base::Thread program;
  EXPECT_THAT(program.Start(Context(), "first",
                            [&](const Context& ctx) { ended = world.RunProgram(ctx, "first"); }),
              IsOk());
  StopAt(start + kStop, world, program);
  program.Join();
  EXPECT_LE(world.end_of_run() - start, kStop + kDrain + kEnd + absl::Seconds(1));
  faults.Join();
  return ended;
}

void Check(const PhaseRow& phase, const FaultRow& row) {
  World world;
  const absl::Status ended = RunWithFault(world, phase, row);
  // Leadership may have been lost, and what waits for the server may not have ended in time; the
  // message then says what it is.
  EXPECT_TRUE(ended.ok() || absl::IsAborted(ended) || absl::IsDeadlineExceeded(ended)) << ended;
  EXPECT_THAT(world.recorder().status(), IsOk());

  world.server().faults().Clear();
  EXPECT_THAT(world.RunProgram(WithTimeout(Context(), absl::Minutes(1)), "second"), IsOk());
  EXPECT_EQ(world.Children(), 3u);
  EXPECT_THAT(world.recorder().status(), IsOk());
  EXPECT_EQ(world.server().watches(), 0u);
}

TEST(ManagerFaultsTest, AFaultInEachPhase_EndsInTimeAndLosesNothing) {
  for (const PhaseRow& phase : Phases()) {
    for (const FaultRow& row : FaultRows()) {
      SCOPED_TRACE(absl::StrCat(phase.name, ": ", row.name));
      const log::LogCapture quiet;
      base::SimRuntime sim;
      ASSERT_THAT(sim.Run([&] { Check(phase, row); }), IsOk());
    }
  }
}

}  // namespace
}  // namespace kube::controllers
