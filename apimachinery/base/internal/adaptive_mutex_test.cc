#include "apimachinery/base/internal/adaptive_mutex.h"

#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace kube::base::internal {
namespace {

struct Case {
  const char* name;
  int threads;
  int rounds;                     // of each thread
  std::chrono::nanoseconds held;  // each time
};

constexpr Case kCases[] = {
    {"Alone", 1, 100'000, {}},
    {"NobodySleeps", 2, 100'000, {}},
    {"MoreThreadsThanCores", 16, 10'000, {}},
    {"EverybodySleeps", 4, 300, std::chrono::microseconds(30)},
};

// FutexMutex by its name: with ThreadSanitizer AdaptiveMutex is another one.
TEST(FutexMutexTest, KeepsThreadsApartAndForgetsNone) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    FutexMutex mutex;
    int value = 0;
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < c.threads; ++i) {
        threads.emplace_back([&] {
          for (int round = 0; round < c.rounds; ++round) {
            std::lock_guard<FutexMutex> lock(mutex);
            const auto end = std::chrono::steady_clock::now() + c.held;
            ++value;
            while (c.held > c.held.zero() && std::chrono::steady_clock::now() < end) continue;
          }
        });
      }
    }
    EXPECT_EQ(value, c.threads * c.rounds);
  }
}

TEST(FutexMutexTest, TryLockFailsWhileItIsTaken) {
  FutexMutex mutex;
  ASSERT_TRUE(mutex.try_lock());
  std::jthread([&] { EXPECT_FALSE(mutex.try_lock()); }).join();
  mutex.unlock();
  std::jthread([&] {
    EXPECT_TRUE(mutex.try_lock());
    mutex.unlock();
  }).join();
}

}  // namespace
}  // namespace kube::base::internal
