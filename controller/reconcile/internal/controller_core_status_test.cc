// What the status of a controller says of its workers.
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/object_name.h"
#include "controller/manager/manager_status.h"
#include "controller/reconcile/internal/controller_core.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/result.h"
#include "controller/workqueue/key_traits.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

using base::IsOk;

void Sleep(absl::Duration duration) { EXPECT_THAT(base::SleepFor(Context(), duration), IsOk()); }

// Returns the index of the worker that has the key; the number of workers if none has it.
size_t WorkerOf(const ControllerCore& core, absl::string_view key) {
  const ControllerStatus status = core.status();
  size_t worker = 0;
  while (worker < status.workers.size() && status.workers[worker].key != key) ++worker;
  return worker;
}

// Reconciles "prod/a" for a minute, and other keys for four.
absl::StatusOr<Result> ReconcileForMinutes(RequestParts& parts) {
  Sleep(parts.name.name == "a" ? absl::Minutes(1) : absl::Minutes(4));
  return Result();
}

TEST(ControllerCoreStatusTest, AWorker_KeepsItsIndexWhenAnotherOneIsDone) {
  base::SimRuntime sim;
  const absl::Status end = sim.Run([] {
    CoreOptions options;
    options.name = "website";
    options.name_of = &workqueue::KeyTraits<meta::ObjectName>::FromText;
    options.workers = 2;
    ControllerCore core(std::move(options));
    core.SetReconcile(ReconcileForMinutes);
    core.Add("prod/a", {}, {});
    core.Add("prod/b", {}, {});
    CancelScope stop = WithCancel(Context());
    base::Thread thread;
    EXPECT_THAT(thread.Start(Context(), "controller",
                             [&core, &stop](const Context&) {
                               EXPECT_THAT(core.RunWorkers(stop.context(), stop.context()), IsOk());
                             }),
                IsOk());
    Sleep(absl::Seconds(30));
    const size_t worker = WorkerOf(core, "prod/b");
    EXPECT_LT(worker, 2u);
    EXPECT_LT(WorkerOf(core, "prod/a"), 2u);
    Sleep(absl::Minutes(2));
    EXPECT_EQ(WorkerOf(core, "prod/a"), 2u);
    EXPECT_EQ(WorkerOf(core, "prod/b"), worker);
    stop.Cancel();
    thread.Join();
  });
  EXPECT_THAT(end, IsOk());
}

}  // namespace
}  // namespace kube::controller::internal
