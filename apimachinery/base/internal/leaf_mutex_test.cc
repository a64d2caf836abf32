#include "apimachinery/base/internal/leaf_mutex.h"

#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "gtest/gtest.h"

namespace kube::base::internal {
namespace {

struct Shared {
  LeafMutex mutex;
  int value ABSL_GUARDED_BY(mutex) = 0;
};

TEST(LeafMutex, KeepsThreadsApart) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 10000;
  Shared shared;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&shared] {
        for (int round = 0; round < kRounds; ++round) {
          LeafLock lock(shared.mutex);
          ++shared.value;
        }
      });
    }
  }
  LeafLock lock(shared.mutex);
  EXPECT_EQ(shared.value, kThreads * kRounds);
}

}  // namespace
}  // namespace kube::base::internal
