// Planted: two threads add to one number without a lock.
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

TEST(RaceTest, TwoThreadsAdd) {
  [[maybe_unused]] Mutex mutex;
  int sum = 0;
  const auto add = [&](const Context&) {
    for (int i = 0; i < 1000; ++i) {
#ifndef PLANTED
      MutexLock lock(mutex);
#endif
      ++sum;
    }
  };
  Thread one;
  Thread two;
  ASSERT_THAT(one.Start(Context(), "one", add), IsOk());
  ASSERT_THAT(two.Start(Context(), "two", add), IsOk());
  one.Join();
  two.Join();
  EXPECT_GT(sum, 0);
}

}  // namespace
}  // namespace kube::base
