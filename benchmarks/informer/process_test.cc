#include "benchmarks/informer/process.h"

#include <cstddef>
#include <vector>

#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace kube::benchmarks {
namespace {

TEST(ProcessTest, CpuRises) {
  const absl::Duration before = ProcessCpu();
  while (ProcessCpu() < before + absl::Milliseconds(20)) {
  }
  EXPECT_LT(ProcessCpu(), before + absl::Seconds(20));
}

TEST(ProcessTest, StatusHasWhatIsResident) {
  EXPECT_GT(ProcessStatus("VmRSS"), 100);
  EXPECT_GE(ProcessStatus("VmHWM"), ProcessStatus("VmRSS") / 2);
  EXPECT_GE(ProcessStatus("Threads"), 1);
  EXPECT_EQ(ProcessStatus("Nothing"), 0);
}

TEST(ProcessTest, HeapHasWhatIsAllocated) {
  constexpr size_t kSmall = 1000;        // on the heap
  constexpr size_t kLarge = 50'000'000;  // in a mapping of its own
  const auto before = HeapBytes();
  std::vector<std::vector<char>> small(100, std::vector<char>(kSmall));
  EXPECT_GE(HeapBytes() - before, 100 * 1000);
  const std::vector<char> large(kLarge);
  EXPECT_GE(HeapBytes() - before, 50'100'000);
}

}  // namespace
}  // namespace kube::benchmarks
