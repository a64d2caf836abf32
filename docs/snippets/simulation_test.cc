// The code in docs/simulation.md, which //docs:snippets_test compares, and the report that it
// shows.
#include <fstream>
#include <iterator>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

using ::testing::HasSubstr;

class Cluster {
 public:
  explicit Cluster(bool in_order) : in_order_(in_order) {}

  // Moves a pod every minute, there or back, for an hour.
  void Rebalance(bool there) {
    for (int minute = 0; minute < 60; ++minute) {
      if (in_order_) {
        MoveInOrder(there);
      } else {
        Move(there ? a_ : b_, there ? b_ : a_);
      }
      SleepFor(Context(), absl::Minutes(1)).IgnoreError();
    }
  }

  int pods() const {
    MutexLock lock_a(a_.mutex);
    MutexLock lock_b(b_.mutex);
    return a_.pods + b_.pods;
  }

 private:
  struct Node {
    mutable Mutex mutex;
    int pods ABSL_GUARDED_BY(mutex) = 10;
  };

  static void Move(Node& from, Node& to) {
    MutexLock lock_from(from.mutex);
    MutexLock lock_to(to.mutex);  // the other thread has it, and waits for ours
    --from.pods;
    ++to.pods;
  }

  void MoveInOrder(bool there) {
    MutexLock lock_a(a_.mutex);
    MutexLock lock_b(b_.mutex);
    a_.pods += there ? -1 : 1;
    b_.pods += there ? 1 : -1;
  }

  const bool in_order_;
  Node a_;
  Node b_;
};

absl::Status RebalanceBothWays(SimRuntime& sim, bool in_order) {
  Cluster cluster(in_order);
  const absl::Status end = sim.Run([&] {
    ThreadGroup group{Context()};
    for (bool there : {true, false}) {
      group.Go(there ? "there" : "back", [&cluster, there](const Context&) {
        cluster.Rebalance(there);
        return absl::OkStatus();
      });
    }
    group.Wait().IgnoreError();
  });
  KUBE_RETURN_IF_ERROR(end);
  return cluster.pods() == 20 ? absl::OkStatus() : absl::InternalError("a pod is lost");
}

TEST(ClusterTest, NoPodIsLost) {
  EXPECT_THAT(SearchSeeds([](SimRuntime& sim) { return RebalanceBothWays(sim, /*in_order=*/true); },
                          {.seeds = 100}),
              IsOk());
}

// Not in the guide: that it shows the report as it is.
TEST(SimulationGuideTest, ShowsTheReport) {
  const absl::Status status =
      SearchSeeds([](SimRuntime& sim) { return RebalanceBothWays(sim, /*in_order=*/false); });
  ASSERT_EQ(status.code(), absl::StatusCode::kAborted);
  std::ifstream in("docs/simulation.md");
  const std::string guide{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  EXPECT_THAT(guide, HasSubstr("\n" + std::string(status.message()) + "\n"));
}

}  // namespace
}  // namespace kube::base
