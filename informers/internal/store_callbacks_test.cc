#include "informers/internal/store_callbacks.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gtest/gtest.h"

namespace kube::informers::internal {
namespace {

using base::IsOk;

TEST(StoreCallbacks, CallsAllInTheOrderInWhichTheyWereAdded) {
  StoreCallbacks callbacks;
  callbacks.Call();
  std::string called;
  const auto a = callbacks.Add([&] { called += 'a'; });
  const auto b = callbacks.Add([&] { called += 'b'; });
  callbacks.Call();
  EXPECT_EQ(called, "ab");
  callbacks.Remove(a);
  callbacks.Call();
  EXPECT_EQ(called, "abb");
  callbacks.Remove(b);
  callbacks.Call();
  EXPECT_EQ(called, "abb");
}

TEST(StoreCallbacks, CallsAFunctionThatWasAddedMeanwhileTheNextTime) {
  StoreCallbacks callbacks;
  std::string called;
  std::shared_ptr<StoreCallbacks::Callback> b;
  const auto a = callbacks.Add([&] {
    called += 'a';
    if (b == nullptr) b = callbacks.Add([&] { called += 'b'; });
  });
  callbacks.Call();
  EXPECT_EQ(called, "a");
  callbacks.Call();
  EXPECT_EQ(called, "aab");
}

TEST(StoreCallbacks, FunctionsMayRemoveOneAnother) {
  const struct {
    const char* name;
    char by;
    char removed;
    const char* first_calls;
    const char* next_calls;
  } rows[] = {
      {"itself", 'b', 'b', "abc", "ac"},
      {"one that follows", 'a', 'b', "ac", "ac"},
      {"one that was called already", 'c', 'b', "abc", "ac"},
      {"the last one removes itself", 'c', 'c', "abc", "ab"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    StoreCallbacks callbacks;
    std::string called;
    std::map<char, std::shared_ptr<StoreCallbacks::Callback>> added;
    for (const char id : {'a', 'b', 'c'}) {
      added[id] = callbacks.Add([&, id] {
        called += id;
        if (id != row.by) return;
        std::shared_ptr<StoreCallbacks::Callback> removed =
            std::exchange(added[row.removed], nullptr);
        if (removed != nullptr) callbacks.Remove(std::move(removed));
      });
    }
    callbacks.Call();
    EXPECT_EQ(std::exchange(called, ""), row.first_calls);
    callbacks.Call();
    EXPECT_EQ(called, row.next_calls);
  }
}

TEST(StoreCallbacks, ARemovedFunctionIsDestroyed) {
  StoreCallbacks callbacks;
  auto captured = std::make_shared<int>(0);
  const std::weak_ptr<int> watched = captured;
  const auto callback = callbacks.Add([captured = std::move(captured)] { ++*captured; });
  callbacks.Call();
  EXPECT_FALSE(watched.expired());
  callbacks.Remove(callback);
  EXPECT_TRUE(watched.expired());
}

TEST(StoreCallbacks, RemovalWaitsForTheCallThatRuns) {
  base::SimRuntime sim;
  const absl::Status end = sim.Run([] {
    StoreCallbacks callbacks;
    base::Event is_running;
    base::Event gate;
    bool has_returned = false;
    auto callback = callbacks.Add([&] {
      is_running.Set();
      gate.Wait(Context()).IgnoreError();
      has_returned = true;
    });
    base::Thread informer;
    ASSERT_THAT(informer.Start(Context(), "informer", [&](const Context&) { callbacks.Call(); }),
                IsOk());
    ASSERT_THAT(is_running.Wait(Context()), IsOk());
    base::Thread opens;
    ASSERT_THAT(opens.Start(Context(), "opens",
                            [&](const Context& ctx) {
                              base::SleepFor(ctx, absl::Seconds(5)).IgnoreError();
                              gate.Set();
                            }),
                IsOk());
    callbacks.Remove(std::move(callback));
    EXPECT_TRUE(has_returned);
  });
  EXPECT_THAT(end, IsOk());
}

// What a function found when it was called.
struct State {
  bool removed = false;
  bool called_late = false;
  int calls = 0;
};

// Adds functions and removes them, each after a random time.
absl::Status ComeAndGo(StoreCallbacks& callbacks, std::vector<std::shared_ptr<State>>& states) {
  for (int i = 0; i < 20; ++i) {
    const auto state = std::make_shared<State>();
    states.push_back(state);
    auto captured = std::make_shared<int>(0);
    const std::weak_ptr<int> watched = captured;
    auto callback = callbacks.Add([state, captured = std::move(captured)] {
      ++state->calls;
      ++*captured;
      base::SleepFor(Context(), absl::Microseconds(base::UniformInt(0, 500))).IgnoreError();
      state->called_late = state->called_late || state->removed;
    });
    base::SleepFor(Context(), absl::Microseconds(base::UniformInt(0, 2000))).IgnoreError();
    callbacks.Remove(std::move(callback));
    state->removed = true;
    if (!watched.expired()) return absl::InternalError("a removed function still exists");
  }
  return absl::OkStatus();
}

absl::Status AddAndRemoveWhileCalling() {
  StoreCallbacks callbacks;
  std::vector<std::shared_ptr<State>> states[3];
  base::Thread informer;
  KUBE_RETURN_IF_ERROR(informer.Start(Context(), "informer", [&](const Context& ctx) {
    while (base::SleepFor(ctx, absl::Microseconds(100)).ok()) callbacks.Call();
  }));
  base::ThreadGroup owners{Context()};
  for (std::vector<std::shared_ptr<State>>& own : states) {
    owners.Go("owner", [&](const Context&) { return ComeAndGo(callbacks, own); });
  }
  KUBE_RETURN_IF_ERROR(owners.Wait());
  informer.RequestStop();
  informer.Join();
  int calls = 0;
  for (const std::vector<std::shared_ptr<State>>& own : states) {
    for (const std::shared_ptr<State>& state : own) {
      if (state->called_late) return absl::InternalError("a removed function was called");
      calls += state->calls;
    }
  }
  return calls > 0 ? absl::OkStatus() : absl::InternalError("no function was called");
}

TEST(StoreCallbacks, NoneIsCalledAfterItsRemoval) {
  const auto program = [](base::SimRuntime& sim) -> absl::Status {
    absl::Status outcome;
    KUBE_RETURN_IF_ERROR(sim.Run([&] { outcome = AddAndRemoveWhileCalling(); }));
    return outcome;
  };
  EXPECT_THAT(base::SearchSeeds(program, {.seeds = base::SimulationSeeds(50)}), IsOk());
}

}  // namespace
}  // namespace kube::informers::internal
