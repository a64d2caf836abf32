#include "controller/reconcile/testing/run_controller.h"

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "controller/manager/managed_controller.h"
#include "gtest/gtest.h"

namespace kube::controller {

RunController::RunController(ManagedController& controller) {
  controller.StartWatches();
  const absl::Status synced = controller.WaitForSync(WithTimeout(Context(), absl::Minutes(1)));
  EXPECT_TRUE(synced.ok()) << synced;
  const absl::Status started =
      thread_.Start(scope_.context(), controller.name(), [&controller](const Context& ctx) {
        const absl::Status ended = controller.RunWorkers(ctx, ctx);
        EXPECT_TRUE(ended.ok()) << ended;
      });
  EXPECT_TRUE(started.ok()) << started;
}

void RunController::Stop() {
  scope_.Cancel();
  thread_.Join();
}

}  // namespace kube::controller
