#include "apimachinery/base/thread_group.h"

#include <atomic>
#include <functional>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

absl::Status UntilDone(const Context& ctx) {
  const Event never;
  return never.Wait(ctx);
}

TEST(ThreadGroupTest, WaitsForAll) {
  ThreadGroup group{Context()};
  std::atomic<int> ran = 0;
  for (int i = 0; i < 8; ++i) {
    group.Go("worker", [&](const Context&) {
      ++ran;
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
  EXPECT_EQ(ran, 8);
  EXPECT_TRUE(group.context().done());
}

absl::Status Work(const Context& ctx, std::atomic<int>& finished) {
  ++finished;
  return ctx.status();
}

absl::Status RunWorkers(const Context& parent, int workers, std::atomic<int>& finished) {
  ThreadGroup group(parent);
  for (int i = 0; i < workers; ++i) {
    group.Go("worker", [&](const Context& ctx) { return Work(ctx, finished); });
  }
  return group.Wait();
}

TEST(ThreadGroupTest, RunsOneBodyOnEachThread_AsInTheHeader) {
  std::atomic<int> finished = 0;
  EXPECT_THAT(RunWorkers(Context(), 3, finished), IsOk());
  EXPECT_EQ(finished, 3);
  CancelScope parent = WithCancel(Context());
  parent.Cancel();
  EXPECT_THAT(RunWorkers(parent.context(), 3, finished), StatusIs(absl::StatusCode::kCancelled));
}

TEST(ThreadGroupTest, Wait_WithoutThreads_IsOk) {
  EXPECT_THAT(ThreadGroup(Context()).Wait(), IsOk());
}

TEST(ThreadGroupTest, TheFirstErrorCancelsTheOthersAndIsTheResult) {
  ThreadGroup group{Context()};
  for (int i = 0; i < 3; ++i) group.Go("waits", UntilDone);
  group.Go("fails", [](const Context&) { return absl::NotFoundError("gone"); });
  EXPECT_EQ(group.Wait(), absl::NotFoundError("gone"));
  EXPECT_EQ(group.context().cause(), absl::NotFoundError("gone"));
  EXPECT_EQ(group.Wait(), absl::NotFoundError("gone"));
}

TEST(ThreadGroupTest, ALaterErrorDoesNotReplaceTheFirst) {
  ThreadGroup group{Context()};
  group.Go("second", [](const Context& ctx) {
    UntilDone(ctx).IgnoreError();
    return absl::InternalError("late");
  });
  group.Go("first", [](const Context&) { return absl::NotFoundError("gone"); });
  EXPECT_EQ(group.Wait(), absl::NotFoundError("gone"));
}

TEST(ThreadGroupTest, CancelIsNoError) {
  ThreadGroup group{Context()};
  group.Go("ends well", [](const Context& ctx) {
    UntilDone(ctx).IgnoreError();
    EXPECT_EQ(ctx.cause(), absl::AbortedError("enough"));
    return absl::OkStatus();
  });
  group.Cancel(absl::AbortedError("enough"));
  EXPECT_THAT(group.Wait(), IsOk());
}

TEST(ThreadGroupTest, TheParentsEndReachesAll) {
  CancelScope parent = WithCancel(Context());
  ThreadGroup group(parent.context());
  for (int i = 0; i < 3; ++i) group.Go("waits", UntilDone);
  parent.Cancel();
  EXPECT_THAT(group.Wait(), StatusIs(absl::StatusCode::kCancelled));
}

TEST(ThreadGroupTest, TheDestructorCancelsAndWaits) {
  std::atomic<int> ended = 0;
  {
    ThreadGroup group{Context()};
    for (int i = 0; i < 3; ++i) {
      group.Go("waits", [&](const Context& ctx) {
        const absl::Status status = UntilDone(ctx);
        ++ended;
        return status;
      });
    }
  }
  EXPECT_EQ(ended, 3);
}

TEST(ThreadGroupTest, Go_FromAThreadOfTheGroup_IsWaitedFor) {
  ThreadGroup group{Context()};
  std::atomic<int> ran = 0;
  std::function<absl::Status(int)> fan_out = [&](int depth) {
    ++ran;
    for (int i = 0; i < 2 && depth > 0; ++i) {
      group.Go("child", [&fan_out, depth](const Context&) { return fan_out(depth - 1); });
    }
    return absl::OkStatus();
  };
  group.Go("root", [&](const Context&) { return fan_out(4); });
  EXPECT_THAT(group.Wait(), IsOk());
  EXPECT_EQ(ran, 31);
}

TEST(ThreadGroupTest, AnErrorOfAThreadFromInsideCounts) {
  ThreadGroup group{Context()};
  group.Go("outer", [&](const Context& ctx) {
    group.Go("inner", [](const Context&) { return absl::NotFoundError("gone"); });
    UntilDone(ctx).IgnoreError();
    return absl::OkStatus();
  });
  EXPECT_EQ(group.Wait(), absl::NotFoundError("gone"));
}

}  // namespace
}  // namespace kube::base
