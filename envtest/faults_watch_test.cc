// Faults of watches, and reads from a cache that is behind, as clients see them.

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/watch/watcher.h"
#include "apiserver/fault_rule.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/rest/request.h"
#include "envtest/testing/world.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using base::IsOk;
using testing::ElementsAre;

corev1::ConfigMap Map(absl::string_view name) {
  corev1::ConfigMap map;
  map.metadata.name = name;
  return map;
}

void Create(const ConfigMaps& maps, absl::string_view name) {
  ASSERT_THAT(maps.Create(Context(), Map(name)), IsOk());
}

// Moves the revision on.
void CreateSecrets(const Secrets& secrets, int from, int n) {
  for (int i = from; i < from + n; ++i) {
    corev1::Secret secret;
    secret.metadata.name = absl::StrCat("s", i);
    ASSERT_THAT(secrets.Create(Context(), secret), IsOk());
  }
}

std::unique_ptr<ConfigMapWatcher> Watch(const ConfigMaps& maps,
                                        const metav1::ListOptions& options = {}) {
  auto watcher = maps.Watch(Context(), options);
  EXPECT_THAT(watcher, IsOk());
  return watcher.ok() ? *std::move(watcher) : nullptr;
}

class WatchFaultsTest : public WorldTest {};
INSTANTIATE_TEST_SUITE_P(Forms, WatchFaultsTest,
                         testing::Values(Form::kInProcess, Form::kHttp1, Form::kHttp2), FormName);

TEST_P(WatchFaultsTest, EventFault_OnOneEvent_ChangesThatOne) {
  const struct {
    absl::string_view name;
    apiserver::Fault fault;
    std::vector<std::string> seen;
  } cases[] = {
      {"none", {}, {"ADDED a", "ADDED b", "ADDED c", "QUIET"}},
      {"drop", apiserver::fault::DropEvent{}, {"ADDED a", "ADDED c", "QUIET"}},
      {"duplicate",
       apiserver::fault::DuplicateEvent{},
       {"ADDED a", "ADDED b", "ADDED b", "ADDED c", "QUIET"}},
      {"stall", apiserver::fault::StallWatch{}, {"ADDED a", "QUIET"}},
      {"close", apiserver::fault::CloseWatch{}, {"ADDED a", "END", "END"}},
      {"break", apiserver::fault::BreakWatch{}, {"ADDED a", "BROKEN", "END"}},
      {"expire", apiserver::fault::ExpireWatch{}, {"ADDED a", "ERROR Expired", "END"}},
  };
  Run([&](World& world) {
    const ConfigMaps maps = world.Maps();
    for (const auto& test : cases) {
      SCOPED_TRACE(test.name);
      // Events that come one by one, and, below, those of the beginning: here only "b" counts.
      const apiserver::FaultId id =
          world.faults().Add({.resource = "configmaps", .name = "b", .fault = test.fault});
      auto watcher = Watch(maps);
      std::vector<std::string> seen;
      for (const char* name : {"a", "b", "c"}) Create(maps, name);
      while (seen.size() < test.seen.size()) {
        seen.push_back(Next(
            *watcher, seen.size() + 1 == test.seen.size() ? world.quiet() : absl::Seconds(60)));
      }
      EXPECT_EQ(seen, test.seen);
      const bool counts = std::holds_alternative<std::monostate>(test.fault);
      if (!counts) {
        EXPECT_EQ(world.faults().Count(id).fired, 1);
      }
      world.faults().Clear();
      ASSERT_THAT(maps.DeleteCollection(Context()), IsOk());
    }
  });
}

// Which of the events, as of calls; initial ones count.
TEST_P(WatchFaultsTest, EventFault_FromAndEvery_CountEvents) {
  Run([](World& world) {
    const ConfigMaps maps = world.Maps();
    for (const char* name : {"a", "b", "c"}) Create(maps, name);
    world.faults().Add({.from = 3, .every = 2, .fault = apiserver::fault::DropEvent{}});
    auto watcher = Watch(maps);
    for (const char* name : {"d", "e", "f"}) Create(maps, name);
    EXPECT_EQ(Next(*watcher), "ADDED a");
    EXPECT_EQ(Next(*watcher), "ADDED b");
    EXPECT_EQ(Next(*watcher), "ADDED d");
    EXPECT_EQ(Next(*watcher), "ADDED f");
    EXPECT_THAT(world.faults().Counts(),
                ElementsAre(apiserver::FaultCount{.matched = 6, .fired = 2}));
  });
}

// A stalled watch is one connection that stays; the next one is sound.
TEST_P(WatchFaultsTest, AStalledWatchOutlivesItsTimeout) {
  Run([](World& world) {
    const ConfigMaps maps = world.Maps();
    Create(maps, "a");
    world.faults().Add({.times = 1, .fault = apiserver::fault::StallWatch{}});
    auto stalled = Watch(maps, {.timeout_seconds = 1});
    EXPECT_EQ(Next(*stalled, world.quiet()), "QUIET");
    auto sound = Watch(maps, {.timeout_seconds = 1});
    EXPECT_EQ(Next(*sound), "ADDED a");
    EXPECT_EQ(Next(*sound), "END");
    EXPECT_EQ(Next(*stalled, world.quiet()), "QUIET");
  });
}

TEST_P(WatchFaultsTest, Error_OnWatch_FailsTheRequest) {
  Run([](World& world) {
    const ConfigMaps maps = world.Maps();
    world.faults().Add({.verbs = {"list", "watch"},
                        .fault = apiserver::fault::Error{errors::ResourceExpired("too old")}});
    EXPECT_TRUE(errors::IsResourceExpired(maps.List(Context()).status()));
    EXPECT_TRUE(errors::IsResourceExpired(maps.Watch(Context()).status()));
  });
}

TEST_P(WatchFaultsTest, AllWatchesEndOrBreak) {
  Run([](World& world) {
    const ConfigMaps maps = world.Maps();
    Create(maps, "a");
    auto closed = Watch(maps);
    EXPECT_EQ(Next(*closed), "ADDED a");
    world.faults().CloseWatches();
    EXPECT_EQ(Next(*closed), "END");
    auto broken = Watch(maps);
    EXPECT_EQ(Next(*broken), "ADDED a");
    world.faults().BreakConnections();
    EXPECT_EQ(Next(*broken), "BROKEN");
  });
}

TEST_P(WatchFaultsTest, Bookmarks_Off_SendsNone) {
  Run(
      [](World& world) {
        const ConfigMaps maps = world.Maps();
        const metav1::ListOptions options = {.allow_watch_bookmarks = true,
                                             .resource_version = "1"};
        auto sound = Watch(maps, options);
        world.faults().Add({.fault = apiserver::fault::Bookmarks{}});
        auto watcher = Watch(maps, options);
        // Where the other has some, this one has none.
        for (int i = 0; i < 3; ++i) EXPECT_EQ(Next(*sound), "BOOKMARK");
        EXPECT_EQ(Next(*watcher, world.quiet()), "QUIET");
        Create(maps, "a");
        EXPECT_EQ(Next(*watcher), "ADDED a");
      },
      {.bookmark_interval = absl::Milliseconds(10)});
}

TEST_P(WatchFaultsTest, BookmarksComeAtAnotherTime) {
  Run([](World& world) {
    world.faults().Add({.fault = apiserver::fault::Bookmarks{.interval = absl::Milliseconds(10)}});
    const ConfigMaps maps = world.Maps();
    auto watcher = Watch(maps, {.allow_watch_bookmarks = true, .resource_version = "1"});
    EXPECT_EQ(Next(*watcher), "BOOKMARK");
  });
}

TEST_P(WatchFaultsTest, TheEndOfTheInitialEventsIsNotTold) {
  Run([](World& world) {
    const ConfigMaps maps = world.Maps();
    Create(maps, "a");
    const metav1::ListOptions options = {.allow_watch_bookmarks = true,
                                         .resource_version_match = "NotOlderThan",
                                         .send_initial_events = true};
    auto sound = Watch(maps, options);
    EXPECT_EQ(Next(*sound), "ADDED a");
    EXPECT_EQ(Next(*sound), "BOOKMARK END");
    world.faults().Add({.fault = apiserver::fault::Bookmarks{.initial_end = false}});
    auto watcher = Watch(maps, options);
    EXPECT_EQ(Next(*watcher), "ADDED a");
    EXPECT_EQ(Next(*watcher, world.quiet()), "QUIET");
    Create(maps, "b");
    EXPECT_EQ(Next(*watcher), "ADDED b");
  });
}

// ---- a cache that is behind

TEST_P(WatchFaultsTest, ReadsThatMayBeStaleAre) {
  Run([](World& world) {
    const ConfigMaps maps = world.Maps("behind");
    const ConfigMaps other = world.Maps("other");
    auto created = maps.Create(Context(), Map("a"));
    ASSERT_THAT(created, IsOk());
    const std::string first(created->metadata.resource_version);
    created->data["k"] = "v";
    ASSERT_THAT(maps.Update(Context(), *created), IsOk());
    Create(maps, "b");

    const apiserver::FaultId lag =
        world.faults().Add({.user = "behind", .fault = apiserver::fault::Lag{.revisions = 2}});
    EXPECT_EQ(maps.Get(Context(), "a", {.resource_version = "0"})->metadata.resource_version,
              first);
    EXPECT_TRUE(errors::IsNotFound(maps.Get(Context(), "b", {.resource_version = "0"}).status()));
    const auto list = maps.List(Context(), {.resource_version = "0"});
    ASSERT_THAT(list, IsOk());
    EXPECT_EQ(list->items.size(), 1u);
    EXPECT_EQ(list->metadata.resource_version, first);
    EXPECT_EQ(maps.List(Context(), {.resource_version = first})->items.size(), 1u)
        << "not older, but no newer either";

    // What may not be stale is not, and counts for nothing.
    const apiserver::FaultCount before = world.faults().Count(lag);
    EXPECT_EQ(before.fired, 4);
    EXPECT_EQ(maps.Get(Context(), "a")->data["k"], "v");
    EXPECT_EQ(maps.List(Context())->items.size(), 2u);
    EXPECT_EQ(
        maps.List(Context(), {.resource_version = first, .limit = 10})->metadata.resource_version,
        first)
        << "exactly this one";
    EXPECT_EQ(world.faults().Count(lag), before);
    EXPECT_EQ(other.List(Context(), {.resource_version = "0"})->items.size(), 2u);

    // Nothing is older than the history.
    world.server().Compact();
    EXPECT_EQ(maps.List(Context(), {.resource_version = "0"})->items.size(), 2u);
  });
}

TEST_P(WatchFaultsTest, ReadsOfAVersionWaitForTheCache) {
  Run(
      [](World& world) {
        const ConfigMaps maps = world.Maps();
        const Secrets secrets = world.MakeSecrets();
        Create(maps, "a");
        const std::string version(maps.Get(Context(), "a")->metadata.resource_version);
        world.faults().Add(
            {.resource = "configmaps", .fault = apiserver::fault::Lag{.revisions = 2}});
        // Without the tries again that the server asks for.
        const rest::Client client = *rest::MakeClient(world.Config());
        for (const char* path : {"/a", ""}) {
          const absl::Status late =
              client
                  .Do(Context(),
                      {.absolute_path = absl::StrCat("/api/v1/namespaces/default/configmaps", path),
                       .params = {{"resourceVersion", {version}}},
                       .max_retries = -1})
                  .status();
          EXPECT_TRUE(errors::IsTimeout(late)) << late;
        }
        CreateSecrets(secrets, 0, 2);
        EXPECT_THAT(maps.Get(Context(), "a", {.resource_version = version}), IsOk());
        EXPECT_THAT(maps.List(Context(), {.resource_version = version}), IsOk());
      },
      {.fresh_timeout = absl::Milliseconds(10)});
}

TEST_P(WatchFaultsTest, WatchesTellWhatTheCacheHas) {
  Run([](World& world) {
    const ConfigMaps maps = world.Maps();
    const Secrets secrets = world.MakeSecrets();
    auto watcher = Watch(maps);
    const apiserver::FaultId lag = world.faults().Add(
        {.resource = "configmaps", .fault = apiserver::fault::Lag{.revisions = 3}});
    Create(maps, "a");
    EXPECT_EQ(Next(*watcher, world.quiet()), "QUIET") << "it was open when the rule came";
    CreateSecrets(secrets, 0, 2);
    EXPECT_EQ(Next(*watcher, world.quiet()), "QUIET");
    CreateSecrets(secrets, 2, 1);
    EXPECT_EQ(Next(*watcher), "ADDED a") << "writes to another resource bring the cache on";

    Create(maps, "b");
    EXPECT_EQ(Next(*watcher, world.quiet()), "QUIET");
    world.faults().Remove(lag);
    EXPECT_EQ(Next(*watcher), "ADDED b");
    EXPECT_EQ(Next(*watcher, world.quiet()), "QUIET");
  });
}

TEST_P(WatchFaultsTest, WatchesBeginWithWhatTheCacheHas) {
  Run([](World& world) {
    const ConfigMaps maps = world.Maps();
    const Secrets secrets = world.MakeSecrets();
    Create(maps, "a");
    Create(maps, "b");
    world.faults().Add({.resource = "configmaps", .fault = apiserver::fault::Lag{.revisions = 1}});
    auto any = Watch(maps, {.resource_version = "0"});
    auto unset = Watch(maps);
    auto latest = Watch(maps, {.allow_watch_bookmarks = true,
                               .resource_version_match = "NotOlderThan",
                               .send_initial_events = true});
    EXPECT_EQ(Next(*any), "ADDED a");
    EXPECT_EQ(Next(*any, world.quiet()), "QUIET");
    EXPECT_EQ(Next(*unset), "ADDED a");
    EXPECT_EQ(Next(*latest, world.quiet()), "QUIET") << "it waits for what was there";
    CreateSecrets(secrets, 0, 1);
    EXPECT_EQ(Next(*latest), "ADDED a");
    EXPECT_EQ(Next(*latest), "ADDED b");
    EXPECT_EQ(Next(*latest), "BOOKMARK END");
    EXPECT_EQ(Next(*any), "ADDED b");
  });
}

// Of two replicas one is behind: a client that changes over sees time go back.
TEST_P(WatchFaultsTest, Lag_OnEverySecondList_ReturnsOlderObjects) {
  Run([](World& world) {
    const ConfigMaps maps = world.Maps();
    Create(maps, "a");
    Create(maps, "b");
    world.faults().Add(
        {.verbs = {"list"}, .every = 2, .fault = apiserver::fault::Lag{.revisions = 1}});
    std::vector<size_t> sizes;
    for (int i = 0; i < 4; ++i) {
      sizes.push_back(maps.List(Context(), {.resource_version = "0"})->items.size());
    }
    EXPECT_THAT(sizes, ElementsAre(1, 2, 1, 2));
  });
}

}  // namespace
}  // namespace kube::envtest
