#include "apimachinery/watch/broadcaster.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::watch {
namespace {

namespace corev1 = api::core::v1;

using absl::StatusCode;
using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using TextWatcher = std::unique_ptr<Watcher<std::string>>;

Event<std::string> Text(const std::string& text) {
  return {.object = std::make_shared<const std::string>(text)};
}

std::vector<std::string> Drain(Watcher<std::string>& watcher) {
  std::vector<std::string> lines;
  while (true) {
    absl::StatusOr<std::optional<Event<std::string>>> event = watcher.Next(Context());
    EXPECT_THAT(event, IsOk());
    if (!event.ok() || !event->has_value()) return lines;
    lines.push_back(*(*event)->object);
  }
}

TEST(Broadcaster, GivesEachEventToAllWatchers) {
  Broadcaster<std::string> broadcaster;
  EXPECT_THAT(broadcaster.Action(Context(), Text("nobody")), IsOk());
  TextWatcher first = *broadcaster.Watch();
  EXPECT_THAT(broadcaster.Action(Context(), Text("a")), IsOk());
  TextWatcher second = *broadcaster.Watch();
  EXPECT_THAT(broadcaster.Action(Context(), Text("b")), IsOk());
  second->Stop();
  EXPECT_THAT(broadcaster.Action(Context(), Text("c")), IsOk());
  broadcaster.Shutdown();
  EXPECT_THAT(Drain(*first), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Drain(*second), ElementsAre("b"));
}

absl::StatusOr<std::optional<Event<corev1::Event>>> Broadcast(
    const Context& ctx, const std::shared_ptr<const corev1::Event>& event) {
  Broadcaster<corev1::Event> broadcaster({.when_full = WhenWatcherIsFull::kDrop});
  KUBE_ASSIGN_OR_RETURN(std::unique_ptr<Watcher<corev1::Event>> watcher, broadcaster.Watch());
  KUBE_RETURN_IF_ERROR(broadcaster.Action(ctx, {.object = event}));
  return watcher->Next(ctx);
}

TEST(Broadcaster, WatchersShareTheObject_AsInTheHeader) {
  const auto event = std::make_shared<const corev1::Event>(corev1::Event{.reason = "Pulled"});
  const absl::StatusOr<std::optional<Event<corev1::Event>>> got = Broadcast(Context(), event);
  ASSERT_THAT(got, IsOk());
  ASSERT_TRUE(got->has_value());
  EXPECT_EQ((*got)->object, event);
}

TEST(Broadcaster, APrefixComesFirstAndNeedsNoRoom) {
  Broadcaster<std::string> broadcaster({.queue_length = 1});
  TextWatcher watcher = *broadcaster.WatchWithPrefix({Text("1"), Text("2"), Text("3")});
  EXPECT_THAT(broadcaster.Action(Context(), Text("4")), IsOk());
  broadcaster.Shutdown();
  EXPECT_THAT(Drain(*watcher), ElementsAre("1", "2", "3", "4"));
}

TEST(Broadcaster, DropsForWatchersThatAreFull) {
  Broadcaster<std::string> broadcaster({.queue_length = 0, .when_full = WhenWatcherIsFull::kDrop});
  TextWatcher slow = *broadcaster.Watch();
  TextWatcher fast = *broadcaster.Watch();
  EXPECT_THAT(broadcaster.Action(Context(), Text("a")), IsOk());
  EXPECT_THAT(fast->Next(Context()), IsOk());
  EXPECT_THAT(broadcaster.Action(Context(), Text("b")), IsOk());
  broadcaster.Shutdown();
  EXPECT_THAT(Drain(*slow), ElementsAre("a"));
  EXPECT_THAT(Drain(*fast), ElementsAre("b"));
}

TEST(Broadcaster, HasStoppedAfterShutdown) {
  TextWatcher survivor;
  {
    Broadcaster<std::string> broadcaster;
    survivor = *broadcaster.Watch();
    EXPECT_THAT(broadcaster.Action(Context(), Text("a")), IsOk());
    broadcaster.Shutdown();
    broadcaster.Shutdown();
    EXPECT_THAT(broadcaster.Watch(),
                StatusIs(StatusCode::kFailedPrecondition, "broadcaster already stopped"));
    EXPECT_THAT(broadcaster.Action(Context(), Text("b")),
                StatusIs(StatusCode::kFailedPrecondition, "broadcaster already stopped"));
  }
  EXPECT_THAT(Drain(*survivor), ElementsAre("a"));
}

// One watcher is full; `unblock` ends the wait of an Action that blocks for it.
absl::Status BlockedAction(const Context& ctx, absl::Duration* waited,
                           void (*unblock)(Broadcaster<std::string>&, TextWatcher&)) {
  absl::Status result;
  base::SimRuntime sim;
  const absl::Status end = sim.Run([&] {
    Broadcaster<std::string> broadcaster({.queue_length = 1});
    TextWatcher watcher = *broadcaster.Watch();
    EXPECT_THAT(broadcaster.Action(ctx, Text("a")), IsOk());
    base::Thread other;
    ASSERT_THAT(other.Start(Context(), "other",
                            [&](const Context& c) {
                              EXPECT_THAT(base::SleepFor(c, absl::Seconds(5)), IsOk());
                              unblock(broadcaster, watcher);
                            }),
                IsOk());
    result = broadcaster.Action(WithTimeout(Context(), absl::Seconds(9)), Text("b"));
    *waited = base::Now().since_epoch();
    other.Join();
  });
  EXPECT_THAT(end, IsOk());
  return result;
}

TEST(Broadcaster, WaitsForWatchersThatAreFull) {
  absl::Duration waited;
  EXPECT_THAT(BlockedAction(Context(), &waited,
                            [](Broadcaster<std::string>&, TextWatcher& watcher) {
                              EXPECT_THAT(watcher->Next(Context()), IsOk());
                            }),
              IsOk());
  EXPECT_EQ(waited, absl::Seconds(5));
  EXPECT_THAT(
      BlockedAction(Context(), &waited,
                    [](Broadcaster<std::string>&, TextWatcher& watcher) { watcher->Stop(); }),
      IsOk());
  EXPECT_EQ(waited, absl::Seconds(5));
  EXPECT_THAT(
      BlockedAction(Context(), &waited,
                    [](Broadcaster<std::string>&, TextWatcher& watcher) { watcher.reset(); }),
      IsOk());
  EXPECT_EQ(waited, absl::Seconds(5));
  EXPECT_THAT(BlockedAction(Context(), &waited,
                            [](Broadcaster<std::string>& broadcaster, TextWatcher&) {
                              broadcaster.Shutdown();
                            }),
              StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_EQ(waited, absl::Seconds(5));
  EXPECT_THAT(BlockedAction(Context(), &waited, [](Broadcaster<std::string>&, TextWatcher&) {}),
              StatusIs(StatusCode::kDeadlineExceeded));
  EXPECT_EQ(waited, absl::Seconds(9));
}

constexpr int kEvents = 5;

absl::Status Produce(const Context& ctx, Broadcaster<std::string>& broadcaster, int producer) {
  for (int i = 0; i < kEvents; ++i) {
    absl::Status sent = broadcaster.Action(ctx, Text(absl::StrCat(producer, ".", i)));
    if (!sent.ok()) return sent;
  }
  return absl::OkStatus();
}

// Two producers, two watchers from the beginning, guests that come, pull once at most, and go.
void RunProgram(std::vector<std::string>& first, std::vector<std::string>& second) {
  Broadcaster<std::string> broadcaster({.queue_length = 2});
  TextWatcher watchers[] = {*broadcaster.Watch(), *broadcaster.Watch()};
  base::ThreadGroup consumers{Context()};
  consumers.Go("first", [&](const Context&) {
    first = Drain(*watchers[0]);
    return absl::OkStatus();
  });
  consumers.Go("second", [&](const Context&) {
    second = Drain(*watchers[1]);
    return absl::OkStatus();
  });
  base::ThreadGroup producers{Context()};
  for (int p = 0; p < 2; ++p) {
    producers.Go("producer",
                 [&broadcaster, p](const Context& ctx) { return Produce(ctx, broadcaster, p); });
    producers.Go("guest", [&](const Context& ctx) {
      TextWatcher guest = *broadcaster.Watch();
      // It may have come after the last event.
      (void)guest->Next(WithTimeout(ctx, absl::Milliseconds(10)));
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(producers.Wait(), IsOk());
  broadcaster.Shutdown();
  EXPECT_THAT(consumers.Wait(), IsOk());
}

TEST(Broadcaster, AllWatchersSeeOneOrder) {
  EXPECT_THAT(base::SearchSeeds(
                  [](base::SimRuntime& sim) -> absl::Status {
                    std::vector<std::string> first;
                    std::vector<std::string> second;
                    const absl::Status end = sim.Run([&] { RunProgram(first, second); });
                    if (!end.ok()) return end;
                    if (first.size() != 2 * kEvents) return absl::InternalError("events lost");
                    return first == second ? absl::OkStatus() : absl::InternalError("two orders");
                  },
                  {.seeds = base::SimulationSeeds(300)}),
              IsOk());
}

// The same with threads that run at once, for ThreadSanitizer.
TEST(Broadcaster, AllWatchersSeeOneOrderInRealTime) {
  for (int i = 0; i < 20; ++i) {
    std::vector<std::string> first;
    std::vector<std::string> second;
    RunProgram(first, second);
    EXPECT_EQ(first.size(), 2u * kEvents);
    EXPECT_EQ(first, second);
  }
}

}  // namespace
}  // namespace kube::watch
