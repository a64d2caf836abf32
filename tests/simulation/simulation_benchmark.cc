// The cost of simulations: a complete run of a small program, and the passing of time.
#include <cstdint>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/thread_group.h"
#include "benchmark/benchmark.h"
#include "tests/simulation/bank.h"

namespace kube::simulation {
namespace {

using base::Event;
using base::SimRuntime;
using base::ThreadGroup;

// Items per second are seeds per second.
void BankSeeds(benchmark::State& state) {
  uint64_t seed = 0;
  int64_t steps = 0;
  for (auto _ : state) {
    SimRuntime sim({.seed = ++seed});
    KUBE_CHECK_OK(RunBank(sim, Care::kCareful));
    steps += sim.steps();
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["steps"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kAvgIterations);
}
BENCHMARK(BankSeeds)->Name("bank_seed")->UseRealTime()->Unit(benchmark::kMicrosecond);

// An hour in which ten threads wake every second.
void HourOfTicks(benchmark::State& state) {
  int64_t steps = 0;
  for (auto _ : state) {
    SimRuntime sim;
    const absl::Status status = sim.Run([] {
      ThreadGroup tickers{Context()};
      for (int i = 0; i < 10; ++i) {
        tickers.Go("ticker", [](const Context& ctx) {
          const Event never;
          for (int tick = 0; tick < 3600; ++tick) {
            never.Wait(WithTimeout(ctx, absl::Seconds(1))).IgnoreError();
          }
          return absl::OkStatus();
        });
      }
      KUBE_CHECK_OK(tickers.Wait());
    });
    KUBE_CHECK_OK(status);
    steps += sim.steps();
  }
  state.counters["steps"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kAvgIterations);
}
BENCHMARK(HourOfTicks)->Name("hour_of_ticks")->UseRealTime()->Unit(benchmark::kMillisecond);

// Threads that start and end one after the other: the cost of a finished thread.
void ManyThreads(benchmark::State& state) {
  for (auto _ : state) {
    SimRuntime sim;
    const absl::Status status = sim.Run([&] {
      for (int64_t i = 0; i < state.range(0); ++i) {
        ThreadGroup one{Context()};
        one.Go("short", [](const Context&) { return absl::OkStatus(); });
        KUBE_CHECK_OK(one.Wait());
      }
    });
    KUBE_CHECK_OK(status);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(ManyThreads)->Name("many_threads")->Arg(100)->Arg(1000)->Arg(5000)->UseRealTime();

}  // namespace
}  // namespace kube::simulation
