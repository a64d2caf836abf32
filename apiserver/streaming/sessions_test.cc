#include "apiserver/streaming/sessions.h"

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
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using base::StatusIs;

TEST(Sessions, RunOnThreadsOfTheirOwn) {
  Sessions sessions(/*max_sessions=*/10);
  base::Event first, second;
  EXPECT_THAT(sessions.Start(Context(), "a",
                             [&](const Context& ctx) {
                               EXPECT_THAT(second.Wait(ctx), IsOk());
                               first.Set();
                             }),
              IsOk());
  EXPECT_THAT(sessions.Start(Context(), "b", [&](const Context&) { second.Set(); }), IsOk());
  EXPECT_THAT(first.Wait(Context()), IsOk());
}

TEST(Sessions, AreBounded) {
  Sessions sessions(/*max_sessions=*/1);
  base::Event end;
  EXPECT_THAT(sessions.Start(Context(), "a",
                             [&](const Context& ctx) { EXPECT_THAT(end.Wait(ctx), IsOk()); }),
              IsOk());
  EXPECT_TRUE(sessions.full());
  EXPECT_THAT(sessions.Start(Context(), "exec", [](const Context&) { FAIL(); }),
              StatusIs(absl::StatusCode::kResourceExhausted, "start exec: 1 sessions are open"));
  end.Set();
  sessions.EndAll();
  EXPECT_EQ(sessions.size(), 0u);
  base::Event again;
  EXPECT_THAT(sessions.Start(Context(), "b", [&](const Context&) { again.Set(); }), IsOk());
  EXPECT_THAT(again.Wait(Context()), IsOk());
}

TEST(Sessions, EndWithTheirParent) {
  Sessions sessions(/*max_sessions=*/10);
  CancelScope client = WithCancel(Context());
  base::Event ended;
  EXPECT_THAT(sessions.Start(client.context(), "a",
                             [&](const Context& ctx) {
                               base::WaitUntilDone(ctx).IgnoreError();
                               ended.Set();
                             }),
              IsOk());
  client.Cancel();
  EXPECT_THAT(ended.Wait(Context()), IsOk());
}

TEST(Sessions, ReleaseWhatTheyHoldBeforeTheyEnd) {
  Sessions sessions(/*max_sessions=*/10);
  auto held = std::make_shared<int>(1);
  const std::weak_ptr<int> weak = held;
  EXPECT_THAT(sessions.Start(Context(), "a",
                             [held = std::move(held)](const Context& ctx) {
                               base::WaitUntilDone(ctx).IgnoreError();
                             }),
              IsOk());
  sessions.EndAll();
  EXPECT_TRUE(weak.expired());
}

// Seeds decide who runs when; the time is virtual.
TEST(Sessions, EndInAnyOrder) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    base::SimRuntime sim({.seed = seed});
    ASSERT_THAT(sim.Run([] {
      std::atomic<int> ended = 0;
      {
        Sessions sessions(/*max_sessions=*/4);
        for (int i = 0; i < 8; ++i) {
          const absl::Status status = sessions.Start(Context(), "a", [&, i](const Context& ctx) {
            base::SleepFor(ctx, absl::Seconds(i)).IgnoreError();
            ++ended;
          });
          if (status.ok()) continue;
          EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted));
          EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());
          ++ended;
        }
        if (ended % 2 == 0) sessions.EndAll();
      }
      EXPECT_EQ(ended, 8);
    }),
                IsOk())
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace kube::apiserver::internal
