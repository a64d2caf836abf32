#include "apimachinery/base/runtime.h"

#include <cstdint>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/source_location.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

const WaitSite kSite = {"test", SourceLocation::Current()};

TEST(RuntimeTest, CurrentIsRealUnlessAScopeSaysOtherwise) {
  EXPECT_EQ(&Runtime::Current(), &Runtime::Real());
  FakeClock outer;
  FakeClock inner;
  {
    const RuntimeScope outer_scope(outer);
    EXPECT_EQ(&Runtime::Current(), &outer);
    {
      const RuntimeScope inner_scope(inner);
      EXPECT_EQ(&Runtime::Current(), &inner);
    }
    EXPECT_EQ(&Runtime::Current(), &outer);
    Runtime* elsewhere = nullptr;
    std::thread([&] { elsewhere = &Runtime::Current(); }).join();
    EXPECT_EQ(elsewhere, &Runtime::Real());
  }
  EXPECT_EQ(&Runtime::Current(), &Runtime::Real());
}

TEST(RealRuntimeTest, StartedThreadsCarryIt) {
  FakeClock fake;
  const RuntimeScope scope(fake);
  Runtime* carried = nullptr;
  absl::StatusOr<std::unique_ptr<RunningThread>> thread =
      Runtime::Real().StartThread("carries", [&] { carried = &Runtime::Current(); });
  ASSERT_THAT(thread.status(), IsOk());
  (*thread)->Join(SourceLocation::Current());
  EXPECT_EQ(carried, &Runtime::Real());
}

TEST(RealRuntimeTest, MonotonicTimeNeverGoesBack) {
  ThreadGroup group{Context()};
  for (int t = 0; t < 4; ++t) {
    group.Go("looker", [](const Context&) {
      MonotonicTime last = Now();
      for (int i = 0; i < 10'000; ++i) {
        const MonotonicTime now = Now();
        EXPECT_GE(now, last);
        last = now;
      }
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
}

TEST(RealRuntimeTest, WallTimeIsTheSystems) {
  const absl::Time before = absl::Now();
  const absl::Time now = Runtime::Real().WallNow();
  EXPECT_GE(now, before);
  EXPECT_LE(now, absl::Now());
}

TEST(RealRuntimeTest, ParkWaitsForItsDeadline) {
  Runtime& runtime = Runtime::Real();
  const MonotonicTime deadline = runtime.Now() + absl::Milliseconds(2);
  while (runtime.Now() < deadline) runtime.Park(deadline, kSite);
  runtime.Park(deadline, kSite);  // has come: returns
  runtime.Park(MonotonicTime(-absl::InfiniteDuration()), kSite);
}

TEST(RealRuntimeTest, AnUnparkEndsTheNextPark) {
  Runtime& runtime = Runtime::Real();
  const MonotonicTime deadlines[] = {MonotonicTime::Infinite(), runtime.Now() + absl::Hours(1),
                                     runtime.Now() + absl::Hours(24 * 365 * 1000)};
  for (const MonotonicTime deadline : deadlines) {
    SCOPED_TRACE(absl::FormatDuration(deadline.since_epoch()));
    runtime.ThisThread().Unpark();
    runtime.ThisThread().Unpark();
    runtime.Park(deadline, kSite);
    // Two Unparks leave only one token: this Park blocks.
    const MonotonicTime soon = runtime.Now() + absl::Milliseconds(1);
    while (runtime.Now() < soon) runtime.Park(soon, kSite);
  }
}

TEST(RealRuntimeTest, AnUnparkFromAnotherThreadEndsAPark) {
  Runtime& runtime = Runtime::Real();
  Waiter& self = runtime.ThisThread();
  std::thread waker([&] { self.Unpark(); });
  runtime.Park(MonotonicTime::Infinite(), kSite);
  waker.join();
}

TEST(RealRuntimeTest, RandomNumbersDifferBetweenThreads) {
  std::vector<std::set<uint64_t>> seen(4);
  ThreadGroup group{Context()};
  for (std::set<uint64_t>& numbers : seen) {
    group.Go("draws", [&numbers](const Context&) {
      for (int i = 0; i < 100; ++i) numbers.insert(Runtime::Current().Random());
      return absl::OkStatus();
    });
  }
  ASSERT_THAT(group.Wait(), IsOk());
  std::set<uint64_t> all;
  for (const auto& numbers : seen) all.insert(numbers.begin(), numbers.end());
  EXPECT_EQ(all.size(), 400u);
}

}  // namespace
}  // namespace kube::base
