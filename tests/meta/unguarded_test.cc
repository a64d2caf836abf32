// Planted: a member is written without the lock that guards it. It does not compile with clang.
#include "absl/base/thread_annotations.h"
#include "apimachinery/base/mutex.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

class Counter {
 public:
  int Add() {
#ifndef PLANTED
    MutexLock lock(mutex_);
#endif
    return ++count_;
  }

 private:
  Mutex mutex_;
  int count_ ABSL_GUARDED_BY(mutex_) = 0;
};

TEST(UnguardedTest, Counts) {
  Counter counter;
  EXPECT_EQ(counter.Add(), 1);
}

}  // namespace
}  // namespace kube::base
