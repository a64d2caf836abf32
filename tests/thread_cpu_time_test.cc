#include "tests/thread_cpu_time.h"

#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace kube::oracle {
namespace {

TEST(ThreadCpuTime, GrowsWhileTheThreadWorks) {
  const absl::Duration before = ThreadCpuTime();
  EXPECT_GE(before, absl::ZeroDuration());
  absl::Duration after = before;
  while (after == before) after = ThreadCpuTime();
  EXPECT_GT(after, before);
}

}  // namespace
}  // namespace kube::oracle
