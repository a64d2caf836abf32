#include "clientset/discovery/memory_cache.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/discovery/discovery_client.h"
#include "clientset/discovery/server_resources.h"
#include "clientset/discovery/testing/aging_discovery.h"
#include "clientset/discovery/testing/scripted_server.h"
#include "clientset/rest/testing/scripted_stream.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/transport_error.h"

namespace kube::discovery {
namespace {

using base::IsOk;
using base::StatusIs;
using rest::StatusReply;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Mode = ScriptedServer::Mode;

constexpr char kMetrics[] = "metrics.k8s.io/v1beta1";
constexpr char kMetricsPath[] = "/apis/metrics.k8s.io/v1beta1";

std::shared_ptr<DiscoveryClient> Over(const ScriptedServer& server) {
  return std::make_shared<DiscoveryClient>(server.client());
}

// behaviour.md: DISC-4
TEST(MemoryCache, EachCall_AfterTheFirst_IsAnsweredFromTheCache) {
  for (const Mode mode : {Mode::kLegacy, Mode::kAggregated}) {
    ScriptedServer server(mode);
    MemoryCache cache(Over(server));
    EXPECT_FALSE(cache.Fresh());
    ASSERT_THAT(cache.ServerResourcesForGroupVersion(Context(), "apps/v1"), IsOk());
    EXPECT_TRUE(cache.Fresh());
    EXPECT_THAT(server.TakePaths(), SizeIs(mode == Mode::kLegacy ? 6 : 2));
    const absl::StatusOr<ServerResources> all = cache.ServerGroupsAndResources(Context());
    ASSERT_THAT(all, IsOk());
    EXPECT_THAT(all->resources, SizeIs(4));
    EXPECT_THAT(cache.ServerPreferredResources(Context()), IsOk());
    EXPECT_THAT(cache.ServerGroups(Context()), IsOk());
    // The same object.
    EXPECT_EQ(*cache.ServerResourcesForGroupVersion(Context(), "apps/v1"), all->resources[1]);
    EXPECT_THAT(server.TakePaths(), IsEmpty());
    EXPECT_THAT(cache.ServerVersion(Context()), IsOk());
    EXPECT_THAT(cache.ServerVersion(Context()), IsOk());
    EXPECT_THAT(server.TakePaths(), ElementsAre("/version", "/version"));
  }
}

// behaviour.md: DISC-4
TEST(MemoryCache, Invalidate_NestedCache_ForgetsInBoth) {
  ScriptedServer server(Mode::kAggregated);
  const auto inner = std::make_shared<MemoryCache>(Over(server));
  MemoryCache cache(inner);
  ASSERT_THAT(cache.ServerGroups(Context()), IsOk());
  server.TakePaths();
  server.SetAggregated("/apis", R"({"items":[]})");
  cache.Invalidate();
  EXPECT_FALSE(cache.Fresh());
  EXPECT_FALSE(inner->Fresh());
  const absl::StatusOr<GroupList> groups = cache.ServerGroups(Context());
  ASSERT_THAT(groups, IsOk());
  EXPECT_EQ((*groups)->groups.size(), 1);
}

TEST(MemoryCache, ServerGroups_Failed_AsksAgain) {
  ScriptedServer server(Mode::kAggregated);
  server.SetOnce("/api", StatusReply(403, "Forbidden", "no"));
  MemoryCache cache(Over(server));
  EXPECT_TRUE(errors::IsForbidden(cache.ServerGroups(Context()).status()));
  EXPECT_FALSE(cache.Fresh());
  EXPECT_THAT(cache.ServerGroups(Context()), IsOk());
}

TEST(MemoryCache, ServerGroups_NoGroups_AsksAgain) {
  ScriptedServer server(Mode::kLegacy);
  server.Set("/api", StatusReply(404, "NotFound", "none"));
  server.SetOnce("/apis", rest::JsonReply(R"({"groups":[]})"));
  MemoryCache cache(Over(server));
  const absl::StatusOr<GroupList> none = cache.ServerGroups(Context());
  ASSERT_THAT(none, IsOk());
  EXPECT_EQ((*none)->groups.size(), 0);
  EXPECT_FALSE(cache.Fresh());
  EXPECT_EQ((*cache.ServerGroups(Context()))->groups.size(), 2);
}

// behaviour.md: DISC-4
TEST(MemoryCache, ServerResources_TransientError_AsksAgain) {
  struct Case {
    const char* name;
    rest::ScriptedReply reply;
    bool transient;
  };
  const Case cases[] = {
      {"Refused",
       {.error = httpclient::MakeTransportError({.kind = httpclient::TransportErrorKind::kConnect},
                                                "refused")},
       true},
      {"503", StatusReply(503, "ServiceUnavailable", "down"), true},
      {"429", StatusReply(429, "TooManyRequests", "slowly"), true},
      {"404", StatusReply(404, "NotFound", "gone"), false},
      {"403", StatusReply(403, "Forbidden", "no"), false},
      {"Empty", rest::JsonReply(R"({"groupVersion":"metrics.k8s.io/v1beta1"})"), false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    ScriptedServer server(Mode::kLegacy);
    server.Set(kMetricsPath, c.reply);
    MemoryCache cache(Over(server));
    ASSERT_THAT(cache.ServerGroups(Context()), IsOk());
    EXPECT_THAT(server.TakePaths(), SizeIs(6));
    EXPECT_FALSE(cache.ServerResourcesForGroupVersion(Context(), kMetrics).ok());
    EXPECT_THAT(server.TakePaths(), SizeIs(c.transient ? 1 : 0));
    const absl::StatusOr<ServerResources> all = cache.ServerGroupsAndResources(Context());
    ASSERT_THAT(all, IsOk());
    EXPECT_THAT(all->resources, SizeIs(3));
    EXPECT_THAT(all->failed, SizeIs(1));
    server.TakePaths();
    server.Set(kMetricsPath,
               rest::JsonReply(R"({"resources":[{"name":"nodes","kind":"NodeMetrics"}]})"));
    EXPECT_EQ(cache.ServerResourcesForGroupVersion(Context(), kMetrics).ok(), c.transient);
    EXPECT_EQ(cache.ServerResourcesForGroupVersion(Context(), kMetrics).ok(), c.transient);
    EXPECT_THAT(server.TakePaths(), SizeIs(c.transient ? 1 : 0));
  }
}

TEST(MemoryCache, ServerResources_EmptyGroupVersion_IsEmptyResponse) {
  ScriptedServer server(Mode::kLegacy);
  server.Set(kMetricsPath, rest::JsonReply("{}"));
  MemoryCache cache(Over(server));
  EXPECT_TRUE(IsEmptyResponse(cache.ServerResourcesForGroupVersion(Context(), kMetrics).status()));
}

TEST(MemoryCache, NotFound_OlderThanNegativeTtl_AsksAgain) {
  base::FakeClock clock;
  base::RuntimeScope scope(clock);
  ScriptedServer server(Mode::kAggregated);
  MemoryCache cache(Over(server), {.negative_ttl = absl::Seconds(10)});
  const auto batch = [&cache] {
    return cache.ServerResourcesForGroupVersion(Context(), "batch/v1").status();
  };
  EXPECT_TRUE(IsCacheNotFound(batch()));
  server.TakePaths();
  server.SetAggregated("/apis", R"({"items":[{"metadata":{"name":"batch"},"versions":[
      {"version":"v1"}]}]})");
  clock.Step(absl::Seconds(9));
  EXPECT_TRUE(IsCacheNotFound(batch()));
  EXPECT_THAT(server.TakePaths(), IsEmpty());
  clock.Step(absl::Seconds(1));
  EXPECT_THAT(batch(), IsOk());
  EXPECT_THAT(server.TakePaths(), ElementsAre("/api", "/apis"));
  clock.Step(absl::Hours(1));
  EXPECT_THAT(batch(), IsOk());
  EXPECT_THAT(server.TakePaths(), IsEmpty());
}

TEST(MemoryCache, NotFound_InfiniteNegativeTtl_IsKept) {
  base::FakeClock clock;
  base::RuntimeScope scope(clock);
  ScriptedServer server(Mode::kAggregated);
  MemoryCache cache(Over(server), {.negative_ttl = absl::InfiniteDuration()});
  EXPECT_TRUE(
      IsCacheNotFound(cache.ServerResourcesForGroupVersion(Context(), "batch/v1").status()));
  clock.Step(absl::Hours(1000));
  server.TakePaths();
  EXPECT_TRUE(
      IsCacheNotFound(cache.ServerResourcesForGroupVersion(Context(), "batch/v1").status()));
  EXPECT_THAT(server.TakePaths(), IsEmpty());
}

TEST(MemoryCache, WhoGoesAwayLeavesNoErrorBehind) {
  ScriptedServer server(Mode::kLegacy);
  server.SetOnce("/apis/apps/v1", {.hang = true});
  MemoryCache cache(Over(server));
  const Context brief = WithTimeout(Context(), absl::Milliseconds(50));
  EXPECT_THAT(cache.ServerGroupsAndResources(brief), StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_FALSE(cache.Fresh());
  const absl::StatusOr<ServerResources> all = cache.ServerGroupsAndResources(Context());
  ASSERT_THAT(all, IsOk());
  EXPECT_THAT(all->status(), IsOk());
}

TEST(MemoryCache, ServerGroupsAndResources_ManyThreads_AskOnce) {
  ScriptedServer server(Mode::kLegacy);
  MemoryCache cache(Over(server));
  base::ThreadGroup group{Context()};
  std::atomic<int> found = 0;
  for (int i = 0; i < 8; ++i) {
    group.Go("reader", [&](const Context& ctx) {
      const absl::StatusOr<ServerResources> all = cache.ServerGroupsAndResources(ctx);
      if (all.ok() && all->resources.size() == 4) ++found;
      return all.status();
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
  EXPECT_EQ(found, 8);
  EXPECT_THAT(server.TakePaths(), SizeIs(6));
}

TEST(MemoryCache, WhatWasAskedForBeforeInvalidateIsNotKept) {
  ScriptedServer server(Mode::kAggregated);
  MemoryCache cache(Over(server));
  const auto stream = std::make_shared<rest::ScriptedStream>();
  rest::ScriptedReply slow = rest::JsonReply("");
  slow.stream = stream;
  server.SetOnce("/apis", slow);
  base::ThreadGroup group{Context()};
  group.Go("reader", [&](const Context& ctx) { return cache.ServerGroups(ctx).status(); });
  ASSERT_THAT(server.transport().WaitForRequests(Context(), 2), IsOk());
  cache.Invalidate();
  // Another caller waits only as long as its own context allows.
  EXPECT_THAT(cache.ServerGroups(WithTimeout(Context(), absl::Milliseconds(20))),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  stream->Write(R"({"groups":[]})");
  stream->End();
  EXPECT_THAT(group.Wait(), IsOk());
  EXPECT_FALSE(cache.Fresh());
}

// Another thread asks before the delegate has forgotten: its result is not kept.
TEST(MemoryCache, InvalidateForgetsWhatIsAskedForMeanwhile) {
  const auto delegate = std::make_shared<AgingDiscovery>();
  MemoryCache cache(delegate);
  EXPECT_THAT(cache.ServerResourcesForGroupVersion(Context(), "batch/v1beta1"), IsOk());
  delegate->SetBeforeInvalidate([&] {
    EXPECT_THAT(cache.ServerResourcesForGroupVersion(Context(), "batch/v1beta1"), IsOk());
  });
  cache.Invalidate();
  EXPECT_THAT(cache.ServerResourcesForGroupVersion(Context(), "batch/v1"), IsOk());
}

TEST(MemoryCache, ManyThreadsReadAndInvalidate) {
  ScriptedServer server(Mode::kLegacy);
  server.Set(kMetricsPath, StatusReply(503, "ServiceUnavailable", "down"));
  MemoryCache cache(Over(server));
  base::ThreadGroup group{Context()};
  for (int i = 0; i < 4; ++i) {
    group.Go("reader", [&](const Context& ctx) -> absl::Status {
      for (int n = 0; n < 20; ++n) {
        const absl::StatusOr<ServerResources> all = cache.ServerGroupsAndResources(ctx);
        if (!all.ok()) return all.status();
        if (all->resources.size() != 3) return absl::InternalError("lists are missing");
        cache.Invalidate();
      }
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
}

}  // namespace
}  // namespace kube::discovery
