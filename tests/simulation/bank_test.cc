#include "tests/simulation/bank.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::simulation {
namespace {

using base::IsOk;
using base::SearchSeeds;
using base::SimRuntime;
using base::StatusIs;
using ::testing::HasSubstr;

TEST(BankTest, CarefulClerksNeverOverdraw) {
  EXPECT_THAT(SearchSeeds([](SimRuntime& sim) { return RunBank(sim, Care::kCareful); }), IsOk());
}

TEST(BankTest, TheHastyMistakeIsFoundWithinAThousandSeedsAndReplays) {
  uint64_t seed = 0;
  std::string trace;
  const absl::Status found = SearchSeeds(
      [&](SimRuntime& sim) {
        ++seed;
        const absl::Status status = RunBank(sim, Care::kHasty);
        trace = sim.trace();
        return status;
      },
      {.sim = {.keep_trace = true}});
  ASSERT_THAT(found, StatusIs(absl::StatusCode::kInternal, HasSubstr("overdrawn")));
  for (int replay = 0; replay < 10; ++replay) {
    SimRuntime sim({.seed = seed, .keep_trace = true});
    EXPECT_THAT(RunBank(sim, Care::kHasty),
                StatusIs(absl::StatusCode::kInternal, HasSubstr("overdrawn")));
    EXPECT_EQ(sim.trace(), trace);
  }
}

}  // namespace
}  // namespace kube::simulation
