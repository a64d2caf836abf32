#include "apimachinery/base/sim_search.h"

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Sets the environment variable to the value that the test needs.
class SimSearchTest : public ::testing::Test {
 protected:
  SimSearchTest() { Unset(); }
  ~SimSearchTest() override { Unset(); }

  // Records the first random number of each run, which identifies the seed, and fails in the third.
  absl::Status Program(SimRuntime& sim) {
    KUBE_RETURN_IF_ERROR(sim.Run([&] { seen_.push_back(sim.Random()); }));
    return seen_.size() == 3 ? absl::InternalError("overdrawn") : absl::OkStatus();
  }

  static void Unset() {
    unsetenv("KUBE_SIM_SEED");
    unsetenv("KUBE_SIM_SEEDS");
  }

  static uint64_t FirstRandom(uint64_t seed) { return SimRuntime({.seed = seed}).Random(); }

  std::vector<uint64_t> seen_;
};

TEST_F(SimSearchTest, TriesEverySeed) {
  EXPECT_THAT(
      SearchSeeds([&](SimRuntime& sim) { return Program(sim); }, {.seeds = 2, .sim = {.seed = 7}}),
      IsOk());
  EXPECT_THAT(seen_, ElementsAre(FirstRandom(7), FirstRandom(8)));
}

// Two accounts with 100 together.
class Bank {
 public:
  void Transfer(int amount) {
    MutexLock lock(mutex_);
    savings_ -= amount;
    wages_ += amount;
  }
  absl::Status Audit() {
    MutexLock lock(mutex_);
    return savings_ + wages_ == 100 ? absl::OkStatus() : absl::InternalError("money is missing");
  }

 private:
  Mutex mutex_;
  int savings_ ABSL_GUARDED_BY(mutex_) = 100;
  int wages_ ABSL_GUARDED_BY(mutex_) = 0;
};

void RunClerks(Bank& bank) {
  ThreadGroup clerks{Context()};
  for (const int amount : {20, -50}) {
    clerks.Go("clerk", [&bank, amount](const Context&) {
      bank.Transfer(amount);
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(clerks.Wait(), IsOk());
}

TEST_F(SimSearchTest, ChecksTheOutcomeOfEachRun_AsInTheHeader) {
  const auto program = [](SimRuntime& sim) -> absl::Status {
    Bank bank;
    KUBE_RETURN_IF_ERROR(sim.Run([&] { RunClerks(bank); }));
    return bank.Audit();
  };
  EXPECT_THAT(SearchSeeds(program, {.seeds = 100}), IsOk());
}

TEST_F(SimSearchTest, StopsAtTheFirstSeedThatFailsAndNamesIt) {
  EXPECT_THAT(
      SearchSeeds([&](SimRuntime& sim) { return Program(sim); }),
      StatusIs(absl::StatusCode::kInternal, "seed 3 (to replay: KUBE_SIM_SEED=3): overdrawn"));
  EXPECT_EQ(seen_.size(), 3u);
}

TEST_F(SimSearchTest, TheVariableChoosesTheOnlySeed) {
  setenv("KUBE_SIM_SEED", "42", /*overwrite=*/1);
  EXPECT_THAT(SearchSeeds([&](SimRuntime& sim) { return Program(sim); }), IsOk());
  EXPECT_THAT(seen_, ElementsAre(FirstRandom(42)));
}

TEST_F(SimSearchTest, AReplayThatFailsPrintsItsTrace) {
  setenv("KUBE_SIM_SEED", "42", /*overwrite=*/1);
  ::testing::internal::CaptureStderr();
  EXPECT_THAT(SearchSeeds([](SimRuntime& sim) -> absl::Status {
                KUBE_RETURN_IF_ERROR(sim.Run([&] { sim.Trace("withdrew 80"); }));
                return absl::InternalError("overdrawn");
              }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("overdrawn")));
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              AllOf(HasSubstr("start thread 0 \"main\""), HasSubstr("withdrew 80")));
}

TEST_F(SimSearchTest, AVariableThatIsNoNumberIsAnError) {
  setenv("KUBE_SIM_SEED", "seven", /*overwrite=*/1);
  EXPECT_THAT(SearchSeeds([&](SimRuntime& sim) { return Program(sim); }),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"seven\"")));
  EXPECT_THAT(seen_, IsEmpty());
}

TEST_F(SimSearchTest, AProgramKnowsItsSeed) {
  std::vector<uint64_t> seeds;
  EXPECT_THAT(SearchSeeds(
                  [&](SimRuntime& sim) {
                    seeds.push_back(sim.seed());
                    return absl::OkStatus();
                  },
                  {.seeds = 3, .sim = {.seed = 7}}),
              IsOk());
  EXPECT_THAT(seeds, ElementsAre(7, 8, 9));
}

TEST_F(SimSearchTest, AVariableSaysHowManySeeds) {
  EXPECT_EQ(SimulationSeeds(2), 2);
  setenv("KUBE_SIM_SEEDS", "1000", /*overwrite=*/1);
  EXPECT_EQ(SimulationSeeds(2), 1000);
}

TEST_F(SimSearchTest, HowManySeedsMustBeANumber) {
  setenv("KUBE_SIM_SEEDS", "many", /*overwrite=*/1);
  EXPECT_DEATH(SimulationSeeds(2), "KUBE_SIM_SEEDS");
}

}  // namespace
}  // namespace kube::base
