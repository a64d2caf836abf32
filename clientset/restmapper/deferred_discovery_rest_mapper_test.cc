#include "clientset/restmapper/deferred_discovery_rest_mapper.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/restmapper/errors.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/discovery/discovery.h"
#include "clientset/discovery/discovery_client.h"
#include "clientset/discovery/memory_cache.h"
#include "clientset/discovery/testing/aging_discovery.h"
#include "clientset/discovery/testing/scripted_server.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::restmapper {
namespace {

using base::IsOk;
using discovery::ScriptedServer;
using testing::IsEmpty;
using testing::SizeIs;

constexpr char kBatch[] = R"({"items":[{"metadata":{"name":"batch"},"versions":[
    {"version":"v1","resources":[{"resource":"jobs","singularResource":"job","scope":"Namespaced",
      "responseKind":{"group":"batch","version":"v1","kind":"Job"}}]}]}]})";

class Deferred : public testing::Test {
 protected:
  base::FakeClock clock_;
  base::RuntimeScope scope_{clock_};
  ScriptedServer server_{ScriptedServer::Mode::kAggregated};
  const std::shared_ptr<discovery::MemoryCache> cache_ = std::make_shared<discovery::MemoryCache>(
      std::make_shared<discovery::DiscoveryClient>(server_.client()));
};

absl::Status Find(const RestMapper& mapper, const char* kind) {
  return mapper.RestMappingFor(Context(), {.group = "batch", .kind = kind}, {}).status();
}

// behaviour.md: DISC-6
TEST_F(Deferred, FirstCall_AsksTheServer_LaterOnesDoNot) {
  DeferredDiscoveryRestMapper mapper(cache_);
  EXPECT_THAT(server_.TakePaths(), IsEmpty());
  EXPECT_THAT(mapper.KindFor(Context(), {.resource = "pods"}), IsOk());
  EXPECT_THAT(server_.TakePaths(), SizeIs(2));
  EXPECT_THAT(mapper.KindsFor(Context(), {.resource = "pods"}), IsOk());
  EXPECT_THAT(mapper.ResourceFor(Context(), {.resource = "pods"}), IsOk());
  EXPECT_THAT(mapper.ResourcesFor(Context(), {.resource = "pods"}), IsOk());
  EXPECT_THAT(mapper.RestMappingsFor(Context(), {.kind = "Pod"}, {}), IsOk());
  EXPECT_THAT(mapper.ResourceSingularizer(Context(), "pods"), IsOk());
  EXPECT_THAT(server_.TakePaths(), IsEmpty());
}

// The example of DeferredDiscoveryRestMapper.
absl::StatusOr<schema::GroupVersionResource> ResourceOfPods(
    const Context& ctx, const std::shared_ptr<discovery::CachedDiscovery>& cache) {
  const restmapper::DeferredDiscoveryRestMapper mapper(cache);
  const schema::GroupKind pod = {.kind = "Pod"};
  KUBE_ASSIGN_OR_RETURN(const RestMapping mapping, mapper.RestMappingFor(ctx, pod, {}));
  return mapping.resource;
}

TEST_F(Deferred, FindsTheResourceOfAKind_AsInTheHeader) {
  EXPECT_THAT(ResourceOfPods(Context(), cache_),
              base::IsOkAndHolds(
                  schema::GroupVersionResource{.group = "", .version = "v1", .resource = "pods"}));
}

// behaviour.md: DISC-6
TEST_F(Deferred, NoMatch_AfterNegativeTtl_AsksAgain) {
  DeferredDiscoveryRestMapper mapper(cache_);
  EXPECT_TRUE(IsNoMatch(Find(mapper, "Job")));
  server_.SetAggregated("/apis", kBatch);
  server_.TakePaths();
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(IsNoMatch(Find(mapper, "Job")));
  EXPECT_THAT(server_.TakePaths(), IsEmpty());
  clock_.Step(absl::Seconds(10));
  EXPECT_THAT(Find(mapper, "Job"), IsOk());
  EXPECT_THAT(server_.TakePaths(), SizeIs(2));
  EXPECT_TRUE(IsNoMatch(Find(mapper, "Widget")));
  EXPECT_THAT(server_.TakePaths(), IsEmpty());
}

TEST_F(Deferred, NoMatch_InfiniteNegativeTtl_AsksAgainOnlyIfNotFresh) {
  DeferredDiscoveryRestMapper mapper(cache_, {.negative_ttl = absl::InfiniteDuration()});
  EXPECT_TRUE(IsNoMatch(Find(mapper, "Job")));
  server_.SetAggregated("/apis", kBatch);
  clock_.Step(absl::Hours(100));
  EXPECT_TRUE(IsNoMatch(Find(mapper, "Job")));
  mapper.Reset();
  EXPECT_FALSE(cache_->Fresh());
  EXPECT_THAT(Find(mapper, "Job"), IsOk());
  // Now the cache is not fresh.
  cache_->Invalidate();
  server_.TakePaths();
  EXPECT_TRUE(IsNoMatch(Find(mapper, "Widget")));
  EXPECT_THAT(server_.TakePaths(), SizeIs(2));
}

TEST_F(Deferred, KindFor_DiscoveryFails_ReturnsItsErrorAndAsksAgain) {
  server_.SetOnce("/apis", rest::StatusReply(403, "Forbidden", "no"));
  DeferredDiscoveryRestMapper mapper(cache_);
  EXPECT_THAT(mapper.KindFor(Context(), {.resource = "pods"}),
              base::StatusIs(absl::StatusCode::kPermissionDenied));
  EXPECT_THAT(mapper.KindFor(Context(), {.resource = "pods"}), IsOk());
}

std::string VersionOf(const RestMapper& mapper, const char* resource = "jobs") {
  const absl::StatusOr<schema::GroupVersionKind> kind =
      mapper.KindFor(Context(), {.group = "batch", .resource = resource});
  return kind.ok() ? kind->version : kind.status().ToString();
}

// Another thread asks while Reset is under way: what it makes of the old answers is not kept,
// whether or not there was a mapper before.
TEST(DeferredDiscoveryRestMapper, ResetForgetsWhatIsBuiltMeanwhile) {
  for (const bool built_before : {false, true}) {
    SCOPED_TRACE(built_before);
    const auto discovery = std::make_shared<discovery::AgingDiscovery>();
    DeferredDiscoveryRestMapper mapper(discovery);
    if (built_before) {
      EXPECT_EQ(VersionOf(mapper), "v1beta1");
    }
    bool asked = false;
    discovery->SetBeforeInvalidate([&] {
      asked = true;
      EXPECT_EQ(VersionOf(mapper), "v1beta1");
    });
    mapper.Reset();
    EXPECT_TRUE(asked);
    EXPECT_EQ(VersionOf(mapper), "v1");
  }
}

// The same for answers that are in flight when Reset begins: the groups, or the resources, of which
// the mapper is then made as it was asked for.
TEST(DeferredDiscoveryRestMapper, ResetForgetsWhatWasAskedForBefore) {
  for (const bool at_the_groups : {true, false}) {
    SCOPED_TRACE(at_the_groups);
    const auto discovery = std::make_shared<discovery::AgingDiscovery>();
    DeferredDiscoveryRestMapper mapper(discovery);
    bool reset = false;
    const auto reset_mapper = [&] {
      reset = true;
      mapper.Reset();
    };
    if (at_the_groups) {
      discovery->SetAfterAnswer(reset_mapper);
    } else {
      discovery->SetAfterAnswer([&] { discovery->SetAfterAnswer(reset_mapper); });
    }
    const std::string before = VersionOf(mapper);
    EXPECT_EQ(before == "v1beta1", !at_the_groups) << before;
    EXPECT_TRUE(reset);
    EXPECT_EQ(VersionOf(mapper), "v1");
  }
}

// An unknown resource makes a thread renew the mapper: what another thread builds meanwhile is not
// kept.
TEST(DeferredDiscoveryRestMapper, ANewLookForgetsWhatIsBuiltMeanwhile) {
  const auto discovery = std::make_shared<discovery::AgingDiscovery>();
  DeferredDiscoveryRestMapper mapper(discovery, {.negative_ttl = absl::ZeroDuration()});
  EXPECT_EQ(VersionOf(mapper), "v1beta1");
  discovery->SetBeforeInvalidate([&] { EXPECT_EQ(VersionOf(mapper), "v1beta1"); });
  EXPECT_NE(VersionOf(mapper, "widgets"), "v1");  // it does not exist
  EXPECT_EQ(VersionOf(mapper), "v1");
}

TEST(DeferredDiscoveryRestMapper, ManyThreadsAskAndReset) {
  ScriptedServer server(ScriptedServer::Mode::kAggregated);
  DeferredDiscoveryRestMapper mapper(
      std::make_shared<discovery::MemoryCache>(
          std::make_shared<discovery::DiscoveryClient>(server.client())),
      {.negative_ttl = absl::ZeroDuration()});
  base::ThreadGroup group{Context()};
  for (int i = 0; i < 4; ++i) {
    group.Go("asker", [&](const Context& ctx) -> absl::Status {
      for (int n = 0; n < 25; ++n) {
        const absl::Status status = mapper.KindFor(ctx, {.resource = "pods"}).status();
        if (!status.ok()) return status;
        if (!IsNoMatch(Find(mapper, "Job"))) return absl::InternalError("there is a Job");
        if (n % 5 == 0) mapper.Reset();
      }
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
}

}  // namespace
}  // namespace kube::restmapper
