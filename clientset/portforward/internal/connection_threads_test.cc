#include "clientset/portforward/internal/connection_threads.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::portforward::internal {
namespace {

using base::IsOk;
using base::StatusIs;

TEST(ConnectionThreads, RunsAtMostTheLimitAtATime) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    base::SimRuntime sim({.seed = seed});
    const absl::Status status = sim.Run([] {
      std::atomic<int> now = 0;
      std::atomic<int> most = 0;
      std::atomic<int> all = 0;
      {
        ConnectionThreads threads(Context(), 3);
        for (int i = 0; i < 20; ++i) {
          EXPECT_THAT(threads.Start(Context(), "connection",
                                    [&](const Context& ctx) {
                                      ++all;
                                      if (++now > most) most = now.load();
                                      EXPECT_THAT(base::SleepFor(ctx, absl::Seconds(1)), IsOk());
                                      --now;
                                    }),
                      IsOk());
        }
        EXPECT_THAT(base::SleepFor(Context(), absl::Minutes(1)), IsOk());
        EXPECT_EQ(threads.running(), 0u);
      }
      EXPECT_EQ(all.load(), 20);
      EXPECT_EQ(most.load(), 3);
    });
    ASSERT_THAT(status, IsOk());
  }
}

TEST(ConnectionThreads, StartEndsWithItsContextWhileThereIsNoRoom) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    ConnectionThreads threads(Context(), 1);
    EXPECT_THAT(threads.Start(Context(), "first",
                              [](const Context& ctx) { base::WaitUntilDone(ctx).IgnoreError(); }),
                IsOk());
    EXPECT_THAT(threads.Start(WithTimeout(Context(), absl::Seconds(1)), "second",
                              [](const Context&) { ADD_FAILURE(); }),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
  }),
              IsOk());
}

TEST(ConnectionThreads, TheDestructorEndsTheThreads) {
  bool ended = false;
  {
    ConnectionThreads threads(Context(), 1);
    ASSERT_THAT(threads.Start(Context(), "connection",
                              [&ended](const Context& ctx) {
                                base::WaitUntilDone(ctx).IgnoreError();
                                ended = true;
                              }),
                IsOk());
  }
  EXPECT_TRUE(ended);
}

TEST(ConnectionThreads, TheContextEndsTheThreads) {
  CancelScope scope = WithCancel(Context());
  ConnectionThreads threads(scope.context(), 1);
  base::Event ended;
  ASSERT_THAT(threads.Start(Context(), "connection",
                            [&ended](const Context& ctx) {
                              base::WaitUntilDone(ctx).IgnoreError();
                              ended.Set();
                            }),
              IsOk());
  scope.Cancel();
  EXPECT_THAT(ended.Wait(WithTimeout(Context(), absl::Seconds(30))), IsOk());
}

// What a body holds, such as a socket, ends with it, and not with the next connection.
TEST(ConnectionThreads, DropsWhatABodyHolds) {
  ConnectionThreads threads(Context(), 1);
  auto held = std::make_shared<int>(1);
  const std::weak_ptr<int> observed = held;
  ASSERT_THAT(threads.Start(Context(), "first", [held = std::move(held)](const Context&) {}),
              IsOk());
  // There is room only after the end of the first one.
  ASSERT_THAT(threads.Start(Context(), "second", [](const Context&) {}), IsOk());
  EXPECT_TRUE(observed.expired());
}

}  // namespace
}  // namespace kube::portforward::internal
