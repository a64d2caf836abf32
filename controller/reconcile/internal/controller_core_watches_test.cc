// How a controller starts its watches where the system creates no thread for them.

#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/refusing_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/object_name.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "controller/cache/cache.h"
#include "controller/cache/watched.h"
#include "controller/cache/watched_core.h"
#include "controller/reconcile/internal/controller_core.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/result.h"
#include "controller/workqueue/key_traits.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;

CoreOptions Options() {
  CoreOptions options;
  options.name = "website";
  options.name_of = &workqueue::KeyTraits<meta::ObjectName>::FromText;
  return options;
}

void Simulate(absl::AnyInvocable<void()> body) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run(std::move(body)), IsOk());
}

void Pass(absl::Duration time) { EXPECT_THAT(base::SleepFor(Context(), time), IsOk()); }

// An API server, a watch of its config maps, and a controller, on a machine whose informers have no
// threads until runtime.Allow().
struct World {
  World() {
    core.SetReconcile([](RequestParts&) -> absl::StatusOr<Result> { return Result(); });
    runtime.Refuse("informer");
  }

  base::RefusingRuntime runtime{base::Runtime::Current()};
  base::RuntimeScope scope{runtime};
  apiserver::ApiHandler server;
  const rest::Client client = *rest::MakeClient(envtest::InProcessConfig(server));
  Cache cache{client};
  const Watched<corev1::ConfigMap> maps = cache.Watch<corev1::ConfigMap>();
  ControllerCore core{Options()};
};

TEST(ControllerCoreWatchesTest, WaitForSync_NoThread_TriesAgainAndSaysWhy) {
  Simulate([] {
    World world;
    world.core.AddWatch(world.maps.core());
    world.core.StartWatches();
    EXPECT_THAT(world.core.WaitForSync(WithTimeout(Context(), absl::Seconds(1))),
                StatusIs(absl::StatusCode::kResourceExhausted,
                         HasSubstr("watch configmaps: start informer")));
    EXPECT_GT(world.runtime.refusals(), 5);
    EXPECT_THAT(world.core.status().waits_for, HasSubstr("refused"));
    world.runtime.Allow();
    EXPECT_THAT(world.core.WaitForSync(WithTimeout(Context(), absl::Minutes(1))), IsOk());
  });
}

TEST(ControllerCoreWatchesTest, WaitForSync_NoThreadAndTheCacheWasShutDown_ReturnsAtOnce) {
  Simulate([] {
    World world;
    world.core.AddWatch(world.maps.core());
    world.core.StartWatches();
    EXPECT_THAT(world.maps.core()->start_error(), StatusIs(absl::StatusCode::kResourceExhausted));
    world.cache.Shutdown();
    const base::MonotonicTime start = base::Now();
    EXPECT_THAT(
        world.core.WaitForSync(WithTimeout(Context(), absl::Hours(1))),
        StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("the cache was shut down")));
    EXPECT_LT(base::Now() - start, absl::Seconds(1));
  });
}

// behaviour.md: CTRL-9
TEST(ControllerCoreWatchesTest, AddWatch_NoThreadWhileTheControllerRuns_IsStartedLater) {
  Simulate([] {
    World world;
    world.core.StartWatches();
    EXPECT_THAT(world.core.WaitForSync(Context()), IsOk());
    CancelScope work = WithCancel(Context());
    base::Thread workers;
    EXPECT_THAT(workers.Start(Context(), "workers",
                              [&](const Context&) {
                                EXPECT_THAT(world.core.RunWorkers(work.context(), work.context()),
                                            IsOk());
                              }),
                IsOk());
    world.core.AddWatch(world.maps.core());
    Pass(absl::Seconds(20));
    EXPECT_FALSE(world.maps.core()->HasSynced());
    EXPECT_GT(world.runtime.refusals(), 2);
    EXPECT_LT(world.runtime.refusals(), 10);
    world.runtime.Allow();
    Pass(absl::Seconds(20));
    EXPECT_TRUE(world.maps.core()->HasSynced());
    work.Cancel();
    workers.Join();
  });
}

}  // namespace
}  // namespace kube::controller::internal
