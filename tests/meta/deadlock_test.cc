// Planted: two threads take two locks in different orders.
#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

absl::Status LockBoth(Mutex& first, Mutex& second) {
  MutexLock outer(first);
  MutexLock inner(second);
  return absl::OkStatus();
}

TEST(DeadlockTest, TwoThreadsLockBoth) {
  EXPECT_THAT(SearchSeeds([](SimRuntime& sim) {
                Mutex a;
                Mutex b;
                return sim.Run([&] {
                  ThreadGroup group{Context()};
                  group.Go("ab", [&](const Context&) { return LockBoth(a, b); });
#ifdef PLANTED
                  group.Go("ba", [&](const Context&) { return LockBoth(b, a); });
#else
                  group.Go("ba", [&](const Context&) { return LockBoth(a, b); });
#endif
                  group.Wait().IgnoreError();
                });
              }),
              IsOk());
}

}  // namespace
}  // namespace kube::base
