// An API server behind an InProcessTransport, also in virtual time.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using testing::HasSubstr;

constexpr typed::Resource kConfigMaps = {
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .built_in = true};
using ConfigMaps = typed::TypedClient<corev1::ConfigMap, corev1::ConfigMapList>;

ConfigMaps ClientOf(apiserver::ApiHandler& server) {
  return ConfigMaps(*rest::MakeClient(InProcessConfig(server)), kConfigMaps).Namespace("default");
}

TEST(InProcessApiServer, ServesATypedClient) {
  apiserver::ApiHandler server;
  const ConfigMaps client = ClientOf(server);
  auto made = client.Create(Context(), {.metadata = {.name = "a"}, .data = {{"k", "1"}}});
  ASSERT_THAT(made, IsOk());
  made->data["k"] = "2";
  EXPECT_THAT(client.Update(Context(), *made), IsOk());
  EXPECT_TRUE(errors::IsConflict(client.Update(Context(), *made).status()));
  EXPECT_EQ(client.Get(Context(), "a")->data["k"], "2");
  EXPECT_EQ(client.List(Context())->items.size(), 1u);
  EXPECT_THAT(client.Delete(Context(), "a"), IsOk());
  EXPECT_TRUE(errors::IsNotFound(client.Get(Context(), "a").status()));
}

TEST(InProcessApiServer, HasNoRightsWithoutAToken) {
  apiserver::ApiHandler server;
  const rest::Client nobody = *rest::MakeClient(rest::AnonymousConfig(InProcessConfig(server)));
  EXPECT_TRUE(errors::IsForbidden(
      ConfigMaps(nobody, kConfigMaps).Namespace("default").List(Context()).status()));
  server.SetDenyRules({{.user = "bob", .verb = "create"}});
  const rest::Client bob = *rest::MakeClient(InProcessConfig(server, {.name = "bob"}));
  const ConfigMaps client = ConfigMaps(bob, kConfigMaps).Namespace("default");
  EXPECT_THAT(client.List(Context()), IsOk());
  EXPECT_TRUE(errors::IsForbidden(client.Create(Context(), {.metadata = {.name = "a"}}).status()));
}

// A server that is destroyed under its clients breaks their watches off.
TEST(InProcessApiServer, WatchesOutliveIt) {
  const log::LogCapture log;
  std::optional<apiserver::ApiHandler> server;
  server.emplace();
  const ConfigMaps client = ClientOf(*server);
  auto watcher = client.Watch(Context());
  ASSERT_THAT(watcher, IsOk());
  EXPECT_EQ(server->watches(), 1u);
  server.reset();
  const auto event = (*watcher)->Next(Context());
  ASSERT_THAT(event, IsOk());
}

TEST(InProcessApiServer, StoppedWatchesAreForgotten) {
  apiserver::ApiHandler server;
  const ConfigMaps client = ClientOf(server);
  std::vector<std::unique_ptr<watch::Watcher<corev1::ConfigMap>>> watchers;
  for (int i = 0; i < 10; ++i) watchers.push_back(*client.Watch(Context()));
  EXPECT_EQ(server.watches(), 10u);
  watchers[0]->Stop();
  EXPECT_EQ(server.watches(), 9u);
  watchers.clear();
  EXPECT_EQ(server.watches(), 0u);
}

// A watch that is not read costs little, and misses nothing.
TEST(InProcessApiServer, AWatchThatIsNotReadIsPaused) {
  apiserver::ApiHandler server;
  const ConfigMaps client = ClientOf(server);
  auto watcher = client.Watch(Context());
  ASSERT_THAT(watcher, IsOk());
  const std::string large(100'000, 'x');
  for (int i = 0; i < 50; ++i) {
    ASSERT_THAT(client.Create(Context(),
                              {.metadata = {.name = absl::StrCat("c", i)}, .data = {{"k", large}}}),
                IsOk());
  }
  for (int i = 0; i < 50; ++i) {
    const auto event = (*watcher)->Next(Context());
    ASSERT_THAT(event, IsOk());
    ASSERT_TRUE(event->has_value());
    EXPECT_EQ((*event)->object->metadata.name, absl::StrCat("c", i));
  }
}

TEST(InProcessApiServer, AWatchBeyondTheHistoryExpires) {
  apiserver::ApiHandler server({.storage = {.max_changes = 5}});
  const ConfigMaps client = ClientOf(server);
  auto watcher = client.Watch(Context());
  ASSERT_THAT(watcher, IsOk());
  const std::string large(100'000, 'x');
  for (int i = 0; i < 20; ++i) {
    ASSERT_THAT(client.Create(Context(),
                              {.metadata = {.name = absl::StrCat("c", i)}, .data = {{"k", large}}}),
                IsOk());
  }
  int events = 0;
  while (true) {
    const auto event = (*watcher)->Next(Context());
    ASSERT_THAT(event, IsOk());
    ASSERT_TRUE(event->has_value());
    if ((*event)->type == watch::EventType::kError) {
      EXPECT_TRUE(errors::IsResourceExpired((*event)->error)) << (*event)->error;
      break;
    }
    ++events;
  }
  EXPECT_GT(events, 0);
  EXPECT_LT(events, 10);
}

// What all threads saw, in the order in which they saw it.
class Log {
 public:
  void Add(std::string line) {
    base::MutexLock lock(mutex_);
    lines_.push_back(std::move(line));
  }
  std::string Text() const {
    base::MutexLock lock(mutex_);
    return absl::StrJoin(lines_, "\n");
  }

 private:
  mutable base::Mutex mutex_;
  std::vector<std::string> lines_ ABSL_GUARDED_BY(mutex_);
};

constexpr int kWriters = 3;
constexpr int kWrites = 10;

// Adds one to a counter in an object that others change too.
absl::Status Increment(const ConfigMaps& client, absl::string_view who, Log& log) {
  for (int i = 0; i < kWrites;) {
    KUBE_ASSIGN_OR_RETURN(corev1::ConfigMap shared, client.Get(Context(), "shared"));
    shared.data["n"] = absl::StrCat(shared.data.size(), i);
    shared.data[absl::StrCat(who, i)] = "x";
    const absl::Status status = client.Update(Context(), shared).status();
    log.Add(absl::StrCat(who, " ", i, " ", absl::StatusCodeToString(status.code())));
    if (status.ok()) ++i;
    if (!status.ok() && !errors::IsConflict(status)) return status;
    KUBE_RETURN_IF_ERROR(base::SleepFor(Context(), absl::Milliseconds(1)));
  }
  return absl::OkStatus();
}

// Until it has seen every write.
absl::Status Observe(const ConfigMaps& client, absl::string_view who, Log& log) {
  KUBE_ASSIGN_OR_RETURN(auto watcher, client.Watch(Context()));
  while (true) {
    KUBE_ASSIGN_OR_RETURN(auto event, watcher->Next(Context()));
    if (!event.has_value()) return absl::InternalError("the watch has ended");
    log.Add(absl::StrCat(who, " sees ", event->object->metadata.uid.view(), " at ",
                         event->object->metadata.resource_version.view()));
    if (event->object->data.size() == 1 + kWriters * kWrites) return absl::OkStatus();
  }
}

// Writers and watchers of one object, each with a thread.
absl::Status WriteAndWatch(Log& log) {
  apiserver::ApiHandler server;
  const ConfigMaps client = ClientOf(server);
  KUBE_RETURN_IF_ERROR(client.Create(Context(), {.metadata = {.name = "shared"}}).status());
  base::ThreadGroup group{Context()};
  for (int i = 0; i < 2; ++i) {
    group.Go(absl::StrCat("o", i),
             [&, i](const Context&) { return Observe(client, absl::StrCat("o", i), log); });
  }
  for (int i = 0; i < kWriters; ++i) {
    group.Go(absl::StrCat("w", i),
             [&, i](const Context&) { return Increment(client, absl::StrCat("w", i), log); });
  }
  KUBE_RETURN_IF_ERROR(group.Wait());
  return server.watches() == 0 ? absl::OkStatus() : absl::InternalError("a watch is left");
}

struct SimulatedRun {
  std::string log;
  uint64_t fingerprint = 0;
};

SimulatedRun Simulate(uint64_t seed) {
  Log log;
  base::SimRuntime sim({.seed = seed});
  absl::Status result;
  const absl::Status end = sim.Run([&] { result = WriteAndWatch(log); });
  EXPECT_THAT(end, IsOk()) << "seed " << seed;
  EXPECT_THAT(result, IsOk()) << "seed " << seed;
  return {log.Text(), sim.fingerprint()};
}

TEST(InProcessApiServer, EachRunOfASeedIsTheSame) {
  // What the first run in a process does once, such as filling caches, is none of the seed's.
  Simulate(0);
  std::string before;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    const SimulatedRun first = Simulate(seed);
    const SimulatedRun second = Simulate(seed);
    EXPECT_EQ(first.log, second.log);
    EXPECT_EQ(first.fingerprint, second.fingerprint);
    EXPECT_THAT(first.log, HasSubstr("ABORTED")) << "no two writers met";
    EXPECT_NE(first.log, before) << "seeds make no difference";
    before = first.log;
  }
}

TEST(InProcessApiServer, WriteAndWatch_OnRealThreads_Works) {
  Log log;
  EXPECT_THAT(WriteAndWatch(log), IsOk());
}

}  // namespace
}  // namespace kube::envtest
