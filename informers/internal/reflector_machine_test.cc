#include "informers/internal/reflector_machine.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/watch/event.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/reflector_options.h"
#include "informers/reflector_status.h"
#include "net/httpclient/transport_error.h"

namespace kube::informers::internal {
namespace {

namespace metav1 = api::meta::v1;
using testing::AllOf;
using testing::Ge;
using testing::Lt;
using watch::EventType;

absl::Status TooLarge() {
  metav1::StatusDetails details;
  details.causes.push_back(
      {.reason = "ResourceVersionTooLarge", .message = "Too large resource version"});
  return errors::FromStatus({.status = "Failure",
                             .message = "Timeout: Too large resource version: 9, current: 5",
                             .reason = "Timeout",
                             .details = std::move(details),
                             .code = 504});
}
absl::Status Expired() { return errors::ResourceExpired("too old resource version: 5 (9)"); }
absl::Status Refused() {
  return httpclient::MakeTransportError({.kind = httpclient::TransportErrorKind::kConnect},
                                        "refused");
}
absl::Status Lost() {
  return httpclient::MakeTransportError({.kind = httpclient::TransportErrorKind::kReset}, "reset");
}
absl::Status TooMany() { return errors::TooManyRequests("slow down", absl::Seconds(70)); }
absl::Status Internal() { return errors::InternalError("etcd"); }
absl::Status Forbidden() { return errors::Forbidden({.resource = "pods"}, "", "no"); }

// "list rv=0 limit=500", "list rv>=5 limit=7", "replace, watch rv=5": what the machine wants, with
// what matters of it.
std::string Text(const ReflectorMachine& machine, ReflectorStep step) {
  static const char* const kObjects[] = {"",          "forget, ", "collect, ",
                                         "replace, ", "apply, ",  "bookmark, "};
  const metav1::ListOptions& options = machine.options();
  std::string text = kObjects[static_cast<int>(step.objects)];
  // Of a list with a limit it matters whether a newer state will do.
  const bool or_newer = step.task == ReflectorTask::kList &&
                        options.resource_version_match == metav1::kResourceVersionMatchNotOlderThan;
  const auto version = [&] {
    return absl::StrCat(or_newer ? " rv>=" : " rv=", options.resource_version.view());
  };
  switch (step.task) {
    case ReflectorTask::kList:
      absl::StrAppend(&text, "list", version());
      if (options.limit != 0) absl::StrAppend(&text, " limit=", options.limit);
      if (!options.continue_.empty()) absl::StrAppend(&text, " from=", options.continue_.view());
      return text;
    case ReflectorTask::kOpenWatch:
      return absl::StrCat(
          text, options.send_initial_events.value_or(false) ? "watch-list" : "watch", version());
    case ReflectorTask::kReadWatch:
      return absl::StrCat(text, "read");
    case ReflectorTask::kWait:
      return absl::StrCat(text, "wait");
    case ReflectorTask::kEnd:
      break;
  }
  return absl::StrCat(text, "end");
}

class ReflectorMachineTest : public testing::Test {
 protected:
  static ReflectorPlan Plan(bool watch_list) {
    return {.watch_list = watch_list, .backoff = kReflectorBackoff};
  }

  base::FakeClock clock_;
  base::RuntimeScope scope_{clock_};
};

using Act = std::function<ReflectorInput(base::FakeClock&)>;
Act In(ReflectorInput input) {
  return [input = std::move(input)](base::FakeClock&) { return input; };
}
// After so much time.
Act After(absl::Duration time, ReflectorInput input) {
  return [time, input = std::move(input)](base::FakeClock& clock) {
    clock.Step(time);
    return input;
  };
}

Act Start() { return In(Started()); }
Act Page(std::string version, std::string next = "") {
  return In(PageListed{.resource_version = std::move(version), .continue_token = std::move(next)});
}
Act Open() { return In(WatchOpened()); }
Act Event(EventType type, absl::string_view version, bool ends = false) {
  return In(EventCame{.type = type, .resource_version = version, .ends_initial_events = ends});
}
Act Fail(absl::Status error) { return In(Failed{.error = std::move(error)}); }
Act End() { return In(WatchEnded()); }
Act EndLater() { return After(absl::Minutes(6), WatchEnded()); }
Act Wait() { return In(Waited()); }

struct Case {
  const char* name;
  bool watch_list;
  std::vector<Act> inputs;
  // What each of them leads to.
  std::vector<std::string> steps;
};

std::vector<Case> Cases() {
  const Act initial_end = Event(EventType::kBookmark, "5", true);
  const Act added = Event(EventType::kAdded, "6");
  return {
      {"RF-3 the first list takes what a cache has",
       false,
       {Start(), Page("5"), Open()},
       {"forget, list rv=0 limit=500", "replace, watch rv=5", "read"}},
      {"PG-1 pages go by their tokens, and the first one's version counts",
       false,
       {Start(), Page("5", "b"), Page("6", "c"), Page("7"), Open()},
       {"forget, list rv=0 limit=500", "list rv= limit=500 from=b", "list rv= limit=500 from=c",
        "replace, watch rv=5", "read"}},
      {"PG-1 an expired token: all at once, from what was asked for first",
       false,
       {Start(), Page("5", "b"), Fail(Expired()), Page("8")},
       {"forget, list rv=0 limit=500", "list rv= limit=500 from=b", "forget, list rv=0",
        "replace, watch rv=8"}},
      {"RF-3 an expired list is asked for again at once, but once",
       false,
       {Start(), Fail(Expired()), Fail(Expired()), Wait(), Page("8")},
       {"forget, list rv=0 limit=500", "forget, list rv= limit=500", "forget, wait",
        "forget, list rv= limit=500", "replace, watch rv=8"}},
      {"RF-3 410 Gone counts as expired",
       false,
       {Start(), Fail(errors::Gone("gone")), Page("8")},
       {"forget, list rv=0 limit=500", "forget, list rv= limit=500", "replace, watch rv=8"}},
      {"RF-3 too large a version",
       false,
       {Start(), Page("5"), Open(), Fail(Expired()), Wait(), Fail(TooLarge()), Page("4")},
       {"forget, list rv=0 limit=500", "replace, watch rv=5", "read", "forget, wait",
        "forget, list rv=5", "forget, list rv= limit=500", "replace, watch rv=4"}},
      {"RF-3 after a success the last version counts again",
       false,
       {Start(), Fail(Expired()), Page("8"), Open(), Fail(Expired()), Wait()},
       {"forget, list rv=0 limit=500", "forget, list rv= limit=500", "replace, watch rv=8", "read",
        "forget, wait", "forget, list rv=8"}},
      {"RF-4 lists from a version are not paged",
       false,
       {Start(), Page("5"), Fail(Forbidden()), Wait(), Page("9")},
       {"forget, list rv=0 limit=500", "replace, watch rv=5", "forget, wait", "forget, list rv=5",
        "replace, watch rv=9"}},
      {"RF-4 unless the first one was",
       false,
       {Start(), Page("5", "b"), Page("5"), Fail(Forbidden()), Wait()},
       {"forget, list rv=0 limit=500", "list rv= limit=500 from=b", "replace, watch rv=5",
        "forget, wait", "forget, list rv>=5 limit=500"}},
      {"lists that fail are tried again",
       false,
       {Start(), Fail(Forbidden()), Wait(), Fail(Refused()), Wait()},
       {"forget, list rv=0 limit=500", "forget, wait", "forget, list rv=0 limit=500",
        "forget, wait", "forget, list rv=0 limit=500"}},
      {"RF-5 a watch-list, and its watch goes on",
       true,
       {Start(), Open(), added, initial_end, added, Event(EventType::kModified, "7"), EndLater()},
       {"forget, watch-list rv=", "read", "collect, read", "replace, read", "apply, read",
        "apply, read", "watch rv=7"}},
      {"RF-5 another bookmark is not the end",
       true,
       {Start(), Open(), Event(EventType::kBookmark, "3"), Event(EventType::kDeleted, "4")},
       {"forget, watch-list rv=", "read", "read", "collect, read"}},
      {"RF-6 a server without watch-lists: list, and try again with the next cycle",
       true,
       {Start(), Fail(errors::Invalid({.kind = "ListOptions"}, "", List<metav1::StatusCause>())),
        Page("5"), Open(), Fail(Expired()), Wait()},
       {"forget, watch-list rv=", "forget, list rv=0 limit=500", "replace, watch rv=5", "read",
        "forget, wait", "forget, watch-list rv=5"}},
      {"RF-6 any error in the middle",
       true,
       {Start(), Open(), added, Fail(Lost()), Page("5")},
       {"forget, watch-list rv=", "read", "collect, read", "forget, list rv=0 limit=500",
        "replace, watch rv=5"}},
      {"RF-6 a watch-list that ends too early: upstream would try for ever",
       true,
       {Start(), Open(), added, EndLater()},
       {"forget, watch-list rv=", "read", "collect, read", "forget, list rv=0 limit=500"}},
      {"RF-6 no connection, 429: back off, and a watch-list again",
       true,
       {Start(), Fail(Refused()), Wait(), Fail(TooMany()), Wait(), Open(), Fail(TooMany()), Wait()},
       {"forget, watch-list rv=", "forget, wait", "forget, watch-list rv=", "forget, wait",
        "forget, watch-list rv=", "read", "forget, wait", "forget, watch-list rv="}},
      {"RF-6 an expired version: at once without, and if that fails too, list",
       true,
       {Start(), Open(), initial_end, Fail(Expired()), Wait(), Fail(TooLarge()), Fail(Expired())},
       {"forget, watch-list rv=", "read", "replace, read", "forget, wait",
        "forget, watch-list rv=5", "forget, watch-list rv=", "forget, list rv= limit=500"}},
      {"RF-7 a watch that expires: list from the last version",
       false,
       {Start(), Page("5"), Open(), added, Fail(Expired()), Wait()},
       {"forget, list rv=0 limit=500", "replace, watch rv=5", "read", "apply, read", "forget, wait",
        "forget, list rv=6"}},
      {"RF-7 429 in a watch, or when it begins: the same watch again",
       false,
       {Start(), Page("5"), Open(), added, Fail(TooMany()), Wait(), Fail(TooMany()), Wait()},
       {"forget, list rv=0 limit=500", "replace, watch rv=5", "read", "apply, read", "forget, wait",
        "watch rv=6", "forget, wait", "watch rv=6"}},
      {"RF-7 no connection: the same watch again",
       false,
       {Start(), Page("5"), Fail(Refused()), Wait(), Fail(Refused()), Wait(), Open()},
       {"forget, list rv=0 limit=500", "replace, watch rv=5", "forget, wait", "watch rv=5",
        "forget, wait", "watch rv=5", "read"}},
      {"RF-7 an internal error: list again",
       false,
       {Start(), Page("5"), Open(), Fail(Internal()), Wait()},
       {"forget, list rv=0 limit=500", "replace, watch rv=5", "read", "forget, wait",
        "forget, list rv=5"}},
      {"a connection that is lost: the same watch again, at once",
       false,
       {Start(), Page("5"), Open(), added, Fail(Lost())},
       {"forget, list rv=0 limit=500", "replace, watch rv=5", "read", "apply, read", "watch rv=6"}},
      {"RF-10 versions of objects that were there do not count",
       false,
       {Start(), Page(""), Open(), Event(EventType::kAdded, "9"), EndLater(), Open(),
        Event(EventType::kAdded, "9"), Event(EventType::kModified, "4"), EndLater()},
       {"forget, list rv=0 limit=500", "replace, watch rv=", "read", "apply, read",
        "watch rv=", "read", "apply, read", "apply, read", "watch rv=4"}},
      {"RF-11 a watch that ends at once, without an event",
       false,
       {Start(), Page("5"), Open(), End(), Wait()},
       {"forget, list rv=0 limit=500", "replace, watch rv=5", "read", "forget, wait",
        "forget, list rv=5"}},
      {"RF-11 with an event it counts",
       false,
       {Start(), Page("5"), Open(), Event(EventType::kBookmark, "7"), End()},
       {"forget, list rv=0 limit=500", "replace, watch rv=5", "read", "bookmark, read",
        "watch rv=7"}},
      {"but not twice in a row, at once: that would be a loop",
       false,
       {Start(), Page("5"), Open(), Event(EventType::kBookmark, "7"), End(), Open(),
        Event(EventType::kBookmark, "8"), End(), Wait(), Open(), EndLater()},
       {"forget, list rv=0 limit=500", "replace, watch rv=5", "read", "bookmark, read",
        "watch rv=7", "read", "bookmark, read", "forget, wait", "watch rv=8", "read",
        "watch rv=8"}},
      {"objects that cannot be handed over",
       false,
       {Start(), Page("5"), In(StoreFailed{.error = absl::InternalError("x")}), Wait()},
       {"forget, list rv=0 limit=500", "replace, watch rv=5", "forget, wait", "forget, list rv=5"}},
      {"the end",
       false,
       {Start(), Page("5", "b"), In(Stopped())},
       {"forget, list rv=0 limit=500", "list rv= limit=500 from=b", "forget, end"}},
  };
}

// behaviour.md: PG-1, RF-3, RF-4, RF-5, RF-6, RF-7, RF-10, RF-11
TEST_F(ReflectorMachineTest, Steps) {
  for (const Case& test : Cases()) {
    SCOPED_TRACE(test.name);
    ReflectorMachine machine(Plan(test.watch_list));
    std::vector<std::string> steps;
    for (const Act& act : test.inputs) steps.push_back(Text(machine, machine.Step(act(clock_))));
    EXPECT_THAT(steps, testing::ElementsAreArray(test.steps));
  }
}

ReflectorStep Feed(ReflectorMachine& machine, base::FakeClock& clock,
                   const std::vector<Act>& acts) {
  ReflectorStep step;
  for (const Act& act : acts) step = machine.Step(act(clock));
  return step;
}

// Between 300 and 600 seconds, and not always the same.
// behaviour.md: RF-1
TEST_F(ReflectorMachineTest, WatchesHaveTimeoutsThatDiffer) {
  ReflectorMachine machine(Plan(false));
  Feed(machine, clock_, {Start(), Page("5")});
  int64_t least = 1000;
  int64_t most = 0;
  for (int i = 0; i < 200; ++i) {
    Feed(machine, clock_, {Open(), EndLater()});
    const int64_t seconds = *machine.options().timeout_seconds;
    EXPECT_THAT(seconds, AllOf(Ge(300), Lt(600)));
    EXPECT_TRUE(machine.options().allow_watch_bookmarks);
    least = std::min(least, seconds);
    most = std::max(most, seconds);
  }
  EXPECT_LT(least, 330);
  EXPECT_GT(most, 570);
}

// 0.8 s, doubled up to 30 s, and up to twice that by chance.
// behaviour.md: RF-2
TEST_F(ReflectorMachineTest, BackOffGrowsAndBeginsAnew) {
  ReflectorMachine machine(Plan(false));
  Feed(machine, clock_, {Start()});
  for (const double base : {0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30.0, 30.0, 30.0, 30.0, 30.0, 30.0}) {
    Feed(machine, clock_, {Fail(Forbidden())});
    EXPECT_THAT(machine.wait(), AllOf(Ge(absl::Seconds(base)), Lt(absl::Seconds(2 * base))));
    clock_.Step(machine.wait());
    Feed(machine, clock_, {Wait()});
  }
  // Upstream's falls back in the middle of an outage; this one does after two minutes without any.
  Feed(machine, clock_, {After(absl::Seconds(121), Failed{.error = Forbidden()})});
  EXPECT_LT(machine.wait(), absl::Seconds(1.6));
}

// A busy server that ends each watch early: what it sends must not come later each time.
TEST_F(ReflectorMachineTest, ShortWatchesWithEventsBeginOnceASecond) {
  ReflectorMachine machine(Plan(false));
  Feed(machine, clock_, {Start(), Page("5")});
  const std::vector<Act> watch = {Open(), Event(EventType::kModified, "7"),
                                  After(absl::Milliseconds(300), WatchEnded())};
  EXPECT_EQ(Feed(machine, clock_, watch).task, ReflectorTask::kOpenWatch);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(Feed(machine, clock_, watch).task, ReflectorTask::kWait);
    EXPECT_EQ(machine.wait(), absl::Milliseconds(700));
    clock_.Step(machine.wait());
    EXPECT_EQ(Text(machine, machine.Step(Waited())), "watch rv=7");
  }
  // What fails then waits as if nothing had been.
  Feed(machine, clock_, {Fail(Refused())});
  EXPECT_LT(machine.wait(), absl::Seconds(1.6));
  // After a long one the next short one counts as the first.
  Feed(machine, clock_, {Wait(), Open(), EndLater()});
  EXPECT_EQ(Feed(machine, clock_, watch).task, ReflectorTask::kOpenWatch);
}

TEST_F(ReflectorMachineTest, WaitsAsLongAsTheServerAsks) {
  ReflectorMachine machine(Plan(false));
  Feed(machine, clock_, {Start(), Page("5"), Fail(TooMany())});
  EXPECT_EQ(machine.wait(), absl::Seconds(70));
}

// Within the given time, which starts again after a minute without an error.
// behaviour.md: RF-7
TEST_F(ReflectorMachineTest, RetriesInternalErrorsOfWatches) {
  ReflectorPlan plan = Plan(false);
  plan.max_internal_error_retry = absl::Seconds(90);
  ReflectorMachine machine(plan);
  Feed(machine, clock_, {Start(), Page("5"), Open(), Fail(Internal())});
  EXPECT_EQ(Text(machine, machine.Step(Waited())), "watch rv=5");
  Feed(machine, clock_, {Open(), After(absl::Seconds(50), Failed{.error = Internal()})});
  EXPECT_EQ(Text(machine, machine.Step(Waited())), "watch rv=5");
  Feed(machine, clock_, {Open(), After(absl::Seconds(50), Failed{.error = Internal()})});
  EXPECT_EQ(Text(machine, machine.Step(Waited())), "forget, list rv=5");
  Feed(machine, clock_, {Page("5"), Open(), After(absl::Seconds(61), Failed{.error = Internal()})});
  EXPECT_EQ(Text(machine, machine.Step(Waited())), "watch rv=5");
}

TEST_F(ReflectorMachineTest, TellsWhatItDoesAndWhy) {
  ReflectorMachine machine(Plan(true));
  EXPECT_EQ(machine.status().state, ReflectorState::kNotStarted);
  clock_.Step(absl::Seconds(5));
  Feed(machine, clock_, {Start()});
  EXPECT_EQ(machine.status().state, ReflectorState::kWatchListing);
  EXPECT_EQ(machine.status().since, clock_.Now());
  Feed(machine, clock_, {Fail(Forbidden())});
  EXPECT_EQ(machine.status().state, ReflectorState::kListing);
  Feed(machine, clock_, {Fail(Forbidden())});
  EXPECT_EQ(machine.status().state, ReflectorState::kBackingOff);
  EXPECT_EQ(machine.status().error, Forbidden());
  EXPECT_FALSE(machine.status().has_listed());
  Feed(machine, clock_, {Wait(), Open(), Event(EventType::kAdded, "4")});
  EXPECT_EQ(machine.status().last_sync_resource_version, "");
  Feed(machine, clock_, {Event(EventType::kBookmark, "5", true)});
  EXPECT_EQ(machine.status().state, ReflectorState::kWatching);
  EXPECT_EQ(machine.status().error, absl::OkStatus());
  EXPECT_TRUE(machine.status().has_listed());
  EXPECT_EQ(machine.status().last_sync_resource_version, "5");
  Feed(machine, clock_, {Event(EventType::kDeleted, "6")});
  EXPECT_EQ(machine.status().last_sync_resource_version, "6");
  const ReflectorCounters& counters = machine.status().counters;
  EXPECT_EQ(counters.watch_lists, 2);
  EXPECT_EQ(counters.lists, 1);
  EXPECT_EQ(counters.syncs, 1);
  EXPECT_EQ(counters.added, 1);
  EXPECT_EQ(counters.deleted, 1);
  EXPECT_EQ(counters.bookmarks, 1);
  EXPECT_EQ(counters.errors, 2);
  EXPECT_EQ(counters.back_offs, 1);
  Feed(machine, clock_, {In(Stopped())});
  EXPECT_EQ(machine.status().state, ReflectorState::kStopped);
}

// Otherwise the server would list that very state, from which it may not let anybody watch.
// behaviour.md: RF-4
TEST_F(ReflectorMachineTest, PagesOfAVersionMayBeOfANewerOne) {
  ReflectorPlan plan = Plan(false);
  plan.page_size = 7;
  ReflectorMachine machine(plan);
  std::vector<std::string> texts;
  for (const Act& act : {Start(), Page("5", "b"), Page("5"), Open(), Fail(Expired()), Wait(),
                         Page("9", "b"), Fail(Expired()), Page("9")}) {
    texts.push_back(Text(machine, machine.Step(act(clock_))));
  }
  EXPECT_THAT(texts, testing::ElementsAre("forget, list rv=0 limit=7", "list rv= limit=7 from=b",
                                          "replace, watch rv=5", "read", "forget, wait",
                                          "forget, list rv>=5 limit=7", "list rv= limit=7 from=b",
                                          "forget, list rv>=5", "replace, watch rv=9"));
}

TEST_F(ReflectorMachineTest, SelectorsGoWithEveryRequest) {
  for (const bool watch_list : {false, true}) {
    ReflectorPlan plan = Plan(watch_list);
    plan.label_selector = "app=web";
    plan.field_selector = "spec.nodeName=a";
    plan.page_size = 7;
    ReflectorMachine machine(plan);
    for (const Act& act : {Start(), Fail(Forbidden()), Wait(), Fail(Forbidden())}) {
      machine.Step(act(clock_));
      EXPECT_EQ(machine.options().label_selector, "app=web");
      EXPECT_EQ(machine.options().field_selector, "spec.nodeName=a");
    }
    EXPECT_EQ(machine.options().limit, 7);
    Feed(machine, clock_, {Page("5")});
    EXPECT_EQ(machine.options().label_selector, "app=web");
    EXPECT_EQ(machine.options().field_selector, "spec.nodeName=a");
    EXPECT_EQ(machine.options().limit, 0);
  }
}

}  // namespace
}  // namespace kube::informers::internal
