#include "apiserver/internal/step_runner.h"

#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

TEST(StepRunnerTest, RunsNothingBeforeRelease_AndThenWhatWasAskedFor) {
  StepRunner runner;
  int steps = 0;
  const auto step = [&steps] { return ++steps > 0; };
  EXPECT_TRUE(runner.Run(step));
  EXPECT_EQ(steps, 0);
  runner.Release();
  EXPECT_TRUE(runner.Run(step));
  EXPECT_EQ(steps, 1);
}

TEST(StepRunnerTest, CallsDuringAStep_RunItOnceMore) {
  StepRunner runner;
  runner.Release();
  int steps = 0;
  int nested = 0;
  const auto step = [&] {
    if (++steps > 1) return true;
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(runner.Run([&nested] { return ++nested > 0; }));
    }
    return true;
  };
  EXPECT_TRUE(runner.Run(step));
  EXPECT_EQ(steps, 2);
  EXPECT_EQ(nested, 0);
}

TEST(StepRunnerTest, Request_RunsTheStepOnceMore) {
  StepRunner runner;
  runner.Release();
  int steps = 0;
  EXPECT_TRUE(runner.Run([&] {
    if (++steps < 5) runner.Request();
    return true;
  }));
  EXPECT_EQ(steps, 5);
}

TEST(StepRunnerTest, LastStep_IsToldToWhoRunsIt) {
  StepRunner runner;
  runner.Release();
  EXPECT_FALSE(runner.Run([&runner] {
    runner.Request();
    return false;
  }));
  runner.End();
  bool has_run = false;
  EXPECT_TRUE(runner.Run([&has_run] { return has_run = true; }));
  EXPECT_FALSE(has_run);
}

TEST(StepRunnerTest, End_IsHeededBetweenSteps) {
  StepRunner runner;
  runner.Release();
  int steps = 0;
  EXPECT_TRUE(runner.Run([&] {
    ++steps;
    runner.Request();
    runner.End();
    return true;
  }));
  EXPECT_EQ(steps, 1);
}

}  // namespace
}  // namespace kube::apiserver::internal
