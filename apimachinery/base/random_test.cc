#include "apimachinery/base/random.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/internal/timer_queue.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();

// Returns the numbers that the test supplies, then aborts.
class Scripted final : public Runtime {
 public:
  explicit Scripted(std::vector<uint64_t> randoms) : randoms_(std::move(randoms)) {}
  uint64_t Random() override { return randoms_.at(next_++); }
  size_t used() const { return next_; }

  MonotonicTime Now() override { return Real().Now(); }
  absl::Time WallNow() override { return Real().WallNow(); }
  absl::StatusOr<std::unique_ptr<RunningThread>> StartThread(
      std::string name, absl::AnyInvocable<void()> body) override {
    return Real().StartThread(std::move(name), std::move(body));
  }
  Waiter& ThisThread() override { return Real().ThisThread(); }
  void Park(MonotonicTime deadline, const WaitSite& site) override { Real().Park(deadline, site); }
  internal::TimerQueue& timers() override { return Real().timers(); }

 private:
  const std::vector<uint64_t> randoms_;
  size_t next_ = 0;
};

TEST(UniformDoubleTest, UniformDouble_IsAtLeastZeroAndBelowOne) {
  Scripted script({0, uint64_t{1} << 63, kMax});
  const RuntimeScope runtime(script);
  EXPECT_EQ(UniformDouble(), 0.0);
  EXPECT_EQ(UniformDouble(), 0.5);
  EXPECT_EQ(UniformDouble(), 1.0 - 0x1.0p-53);
}

TEST(UniformIntTest, UniformInt_AnyRange_StaysWithinIt) {
  constexpr int64_t kInt64Min = std::numeric_limits<int64_t>::min();
  constexpr int64_t kInt64Max = std::numeric_limits<int64_t>::max();
  const struct {
    const char* name;
    int64_t min;
    int64_t max;
    uint64_t random;
    int64_t want;
  } cases[] = {
      {"one number", 7, 8, kMax, 7},
      {"first", 0, 4, 8, 0},
      {"last", 0, 4, 11, 3},
      {"negative", -10, -8, 3, -9},
      {"around zero", -1, 2, 5, 1},
      {"widest", kInt64Min, kInt64Max, 5, kInt64Min + 5},
      {"more than half of all numbers", -2, kInt64Max, (uint64_t{1} << 63) - 1, kInt64Max - 2},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    Scripted script({c.random});
    const RuntimeScope runtime(script);
    EXPECT_EQ(UniformInt(c.min, c.max), c.want);
  }
}

TEST(UniformIntTest, RefusesWhatWouldBeBiased) {
  // 2^64 mod 3 is 1: exactly one number, 0, would give the first result once too often.
  Scripted script({0, 1});
  const RuntimeScope runtime(script);
  EXPECT_EQ(UniformInt(0, 3), 1);
  EXPECT_EQ(script.used(), 2u);
}

TEST(UniformIntTest, UniformInt_ManyCalls_ReturnEachValueAboutAsOften) {
  FakeClock clock;
  const RuntimeScope runtime(clock);
  int counts[6] = {};
  for (int i = 0; i < 6000; ++i) ++counts[UniformInt(0, 6)];
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
}

TEST(UniformIntDeathTest, AnEmptyRangeIsAMistake) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(UniformInt(3, 3), "empty range");
}

TEST(JitterTest, Jitter_AddsUpToTheFactor) {
  const struct {
    const char* name;
    absl::Duration duration;
    double max_factor;
    uint64_t random;
    absl::Duration want;
  } cases[] = {
      {"least", absl::Seconds(10), 0.5, 0, absl::Seconds(10)},
      {"half", absl::Seconds(10), 0.5, uint64_t{1} << 63, absl::Milliseconds(12500)},
      {"nearly all", absl::Seconds(10), 0.5, kMax, absl::Seconds(15) - absl::Nanoseconds(1)},
      {"factor zero means one", absl::Seconds(10), 0, uint64_t{1} << 63, absl::Seconds(15)},
      {"negative factor means one", absl::Seconds(10), -3, uint64_t{1} << 63, absl::Seconds(15)},
      {"factor above one", absl::Seconds(10), 4, uint64_t{1} << 63, absl::Seconds(30)},
      {"whole nanoseconds", absl::Nanoseconds(1), 1.5, uint64_t{1} << 63, absl::Nanoseconds(1)},
      {"zero", absl::ZeroDuration(), 1, kMax, absl::ZeroDuration()},
      {"negative", -absl::Seconds(10), 1, uint64_t{1} << 63, -absl::Seconds(15)},
      {"infinite", absl::InfiniteDuration(), 1, uint64_t{1} << 63, absl::InfiniteDuration()},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    Scripted script({c.random});
    const RuntimeScope runtime(script);
    EXPECT_EQ(Jitter(c.duration, c.max_factor), c.want);
  }
}

TEST(RandomStringTest, RandomString_HasItsLengthAndKubernetesAlphabet) {
  FakeClock clock;
  const RuntimeScope runtime(clock);
  EXPECT_EQ(RandomString(0), "");
  const std::string text = RandomString(2000);
  EXPECT_EQ(text.size(), 2000u);
  const std::set<char> used(text.begin(), text.end());
  EXPECT_EQ(std::string(used.begin(), used.end()), "2456789bcdfghjklmnpqrstvwxz");
}

TEST(RandomStringTest, RandomString_EqualSeeds_ReturnEqualTexts) {
  std::vector<std::string> names;
  for (const uint64_t seed : {1, 1, 2}) {
    FakeClock clock(absl::UnixEpoch(), seed);
    const RuntimeScope runtime(clock);
    names.push_back(RandomString(10));
  }
  EXPECT_EQ(names[0], names[1]);
  EXPECT_NE(names[0], names[2]);
}

TEST(SafeEncodeStringTest, SafeEncodeString_EqualsThatOfGo) {
  // The values of k8s.io/apimachinery.
  const struct {
    absl::string_view text;
    absl::string_view want;
  } cases[] = {
      {"", ""},
      {"0123456789", "456789bcdf"},
      {"5d8f7c9b4", "9zd4cxfw8"},
      {"abcxyzABCXYZ-.~", "vwxqrspqrklmxzx"},
  };
  for (const auto& c : cases) EXPECT_EQ(SafeEncodeString(c.text), c.want) << c.text;
}

// Returns the first random numbers of a forked child.
std::string NameMadeByAChild() {
  int fds[2] = {};
  if (pipe(fds) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    const std::string name = RandomString(20);
    _exit(write(fds[1], name.data(), name.size()) == 20 ? 0 : 1);
  }
  close(fds[1]);
  char name[20] = {};
  const ssize_t size = read(fds[0], name, sizeof(name));
  close(fds[0]);
  int how = -1;
  if (child < 0 || waitpid(child, &how, 0) != child || how != 0) return "no child";
  return std::string(name, static_cast<size_t>(size));
}

// Two candidates with the same identity would both lead. A parent may have used random numbers, for
// a jitter or an index, before it forks.
TEST(RandomStringTest, ForkedProcessesMakeNamesOfTheirOwn) {
  RandomString(1);
  const std::set<std::string> names = {NameMadeByAChild(), NameMadeByAChild(), RandomString(20)};
  EXPECT_EQ(names.size(), 3u) << testing::PrintToString(names);
  for (const std::string& name : names) EXPECT_EQ(name.size(), 20u) << name;
}

}  // namespace
}  // namespace kube::base
