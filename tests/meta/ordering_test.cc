// Planted: clerks who look at a balance, let go of the lock, and then withdraw.
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gtest/gtest.h"
#include "tests/simulation/bank.h"

namespace kube::simulation {
namespace {

#ifdef PLANTED
constexpr Care kCare = Care::kHasty;
#else
constexpr Care kCare = Care::kCareful;
#endif

TEST(OrderingTest, TheBankIsNeverOverdrawn) {
  EXPECT_THAT(base::SearchSeeds([](base::SimRuntime& sim) { return RunBank(sim, kCare); }),
              base::IsOk());
}

}  // namespace
}  // namespace kube::simulation
