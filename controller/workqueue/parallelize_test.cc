#include "controller/workqueue/parallelize.h"

#include <atomic>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::workqueue {
namespace {

using base::IsOk;
using base::StatusIs;

// The table of client-go's parallelizer_test.go, and more.
TEST(ParallelizeTest, ParallelizeUntil_AnyWorkersAndChunks_DoesEachPieceOnce) {
  struct Case {
    int pieces, workers, chunk_size;
  };
  const Case cases[] = {{1000, 10, 1},   {1000, 10, 10},
                        {1000, 10, 100}, {999, 10, 13},
                        {1, 1, 1},       {0, 3, 1},
                        {-1, 3, 1},      {3, 0, 0},
                        {7, 100, 1000},  {2, 2, std::numeric_limits<int>::max()}};
  for (const Case& c : cases) {
    std::vector<std::atomic<int>> seen(static_cast<size_t>(c.pieces < 0 ? 0 : c.pieces));
    EXPECT_THAT(ParallelizeUntil(Context(), c.workers, c.pieces, [&](int piece) { ++seen[piece]; },
                                 {.chunk_size = c.chunk_size}),
                IsOk());
    for (size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], 1) << c.pieces << " " << i;
  }
}

TEST(ParallelizeTest, ParallelizeUntil_SeveralWorkers_WorkAtTheSameTime) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    EXPECT_THAT(ParallelizeUntil(
                    Context(), 4, 10,
                    [](int) { EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk()); }),
                IsOk());
    EXPECT_EQ(base::Now().since_epoch(), absl::Seconds(3));
  }),
              IsOk());
}

TEST(ParallelizeTest, ParallelizeUntil_ContextEnds_CompletesOnlyBegunPieces) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    base::Mutex mutex;
    int done = 0;
    EXPECT_THAT(ParallelizeUntil(WithTimeout(Context(), absl::Seconds(2.5)), 2, 100,
                                 [&](int) {
                                   EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());
                                   base::MutexLock lock(mutex);
                                   ++done;
                                 },
                                 {.chunk_size = 50}),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_EQ(done, 6);  // pieces that had begun are completed
  }),
              IsOk());
}

TEST(ParallelizeTest, AContextThatEndsWithTheLastPieceIsNoError) {
  CancelScope scope = WithCancel(Context());
  EXPECT_THAT(ParallelizeUntil(scope.context(), 1, 3,
                               [&](int piece) {
                                 if (piece == 2) scope.Cancel();
                               }),
              IsOk());
  EXPECT_THAT(ParallelizeUntil(scope.context(), 1, 3, [](int) { FAIL(); }),
              StatusIs(absl::StatusCode::kCancelled));
}

absl::Status Delete(const Context&, const std::string& pod) {
  return pod == "web-1" ? absl::NotFoundError(pod) : absl::OkStatus();
}

// The example of ParallelizeUntil.
absl::Status DeleteAll(const Context& ctx, const std::vector<std::string>& pods) {
  std::vector<absl::Status> results(pods.size());
  KUBE_RETURN_IF_ERROR(ParallelizeUntil(ctx, /*workers=*/16, static_cast<int>(pods.size()),
                                        [&](int i) { results[i] = Delete(ctx, pods[i]); }));
  return base::JoinErrors(results);
}

TEST(ParallelizeTest, EachPieceHasAResult_AsInTheHeader) {
  EXPECT_THAT(DeleteAll(Context(), {"web-0", "web-1", "web-2"}),
              StatusIs(absl::StatusCode::kNotFound, "web-1"));
}

}  // namespace
}  // namespace kube::workqueue
