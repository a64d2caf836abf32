#include "controller/testing/internal/world_troubles.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/sim_wall_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "controller/testing/internal/world_replica.h"
#include "controller/testing/operator_world_options.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using testing::SizeIs;

// What the troubles of a test trouble. Made inside a simulation.
struct World {
  apiserver::ApiHandler server;
  std::vector<std::unique_ptr<WorldReplica>> replicas;
  base::SimWallClock clock{base::Runtime::Current()};
};

void Simulate(const std::function<void()>& test) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  const absl::Status end = sim.Run([&test] { test(); });
  EXPECT_THAT(end, IsOk());
}

TEST(WorldTroublesTest, Begin_AddsTheRulesOfTheFault_AndEndRemovesThem) {
  Simulate([] {
    World world;
    WorldTroubles troubles(world.server, world.replicas, world.clock,
                           {.fault = WorldFault::kThrottling});
    EXPECT_THAT(world.server.faults().Counts(), SizeIs(1)) << "the latency";
    EXPECT_THAT(troubles.Begin(), IsOk());
    EXPECT_THAT(troubles.Begin(), IsOk());
    EXPECT_THAT(world.server.faults().Counts(), SizeIs(3));
    troubles.End();
    EXPECT_THAT(world.server.faults().Counts(), SizeIs(1));
  });
}

TEST(WorldTroublesTest, ClockJumps_StayWithinFiveMinutes) {
  Simulate([] {
    World world;
    WorldTroubles troubles(world.server, world.replicas, world.clock, {.clock_jumps = true});
    EXPECT_THAT(troubles.Begin(), IsOk());
    std::set<absl::Duration> offsets;
    for (int i = 0; i < 20; ++i) {
      base::SleepFor(Context(), absl::Seconds(20)).IgnoreError();
      const absl::Duration offset = world.clock.offset();
      EXPECT_LE(absl::AbsDuration(offset), absl::Minutes(5));
      offsets.insert(offset);
    }
    EXPECT_GT(offsets.size(), 5u);
    troubles.End();
  });
}

// Begins a watch of a client with this User-Agent.
absl::StatusOr<std::unique_ptr<watch::Watcher<corev1::ConfigMap>>> WatchAs(World& world,
                                                                           const char* user_agent) {
  rest::Config config = envtest::InProcessConfig(world.server);
  config.user_agent = user_agent;
  KUBE_ASSIGN_OR_RETURN(const rest::Client client, rest::MakeClient(config));
  return corev1::ConfigMapClient(client, "default").Watch(Context());
}

// Returns whether a watch goes on: whether its next event is waited for.
bool GoesOn(watch::Watcher<corev1::ConfigMap>& watcher) {
  while (true) {
    const auto next = watcher.Next(WithTimeout(Context(), absl::Seconds(1)));
    if (!next.ok()) return true;
    if (!next->has_value() || (*next)->type == watch::EventType::kError) return false;
  }
}

TEST(WorldTroublesTest, Connections_OnlyThoseOfReplicasBreak) {
  for (const WorldFault fault :
       {WorldFault::kServerRestarts, WorldFault::kBrokenWatches, WorldFault::kNone}) {
    SCOPED_TRACE(WorldFaultName(fault));
    Simulate([fault] {
      World world;
      WorldTroubles troubles(world.server, world.replicas, world.clock, {.fault = fault});
      // The rules of broken watches may hit a watch as it begins.
      const auto of_replica = WatchAs(world, "replica-0#1");
      ASSERT_THAT(of_replica, IsOk());
      const auto of_scenario = WatchAs(world, "scenario");
      ASSERT_THAT(of_scenario, IsOk());
      EXPECT_TRUE(GoesOn(**of_replica));
      EXPECT_THAT(troubles.Begin(), IsOk());
      base::SleepFor(Context(), absl::Minutes(2)).IgnoreError();
      troubles.End();
      EXPECT_FALSE(GoesOn(**of_replica));
      EXPECT_TRUE(GoesOn(**of_scenario));
    });
  }
}

TEST(WorldTroublesTest, AFaultOfStrikes_HasRulesFromTimeToTime) {
  Simulate([] {
    World world;
    WorldReplica* const replica =
        world.replicas.emplace_back(std::make_unique<WorldReplica>("replica-0", ReplicaOptions{}))
            .get();
    EXPECT_EQ(replica->program(), "");
    WorldTroubles troubles(world.server, world.replicas, world.clock,
                           {.fault = WorldFault::kLaggingCaches});
    EXPECT_THAT(troubles.Begin(), IsOk());
    std::set<size_t> rules;
    for (int i = 0; i < 100; ++i) {
      base::SleepFor(Context(), absl::Seconds(2)).IgnoreError();
      rules.insert(world.server.faults().Counts().size());
    }
    EXPECT_THAT(rules, SizeIs(2)) << "with and without the lag";
    troubles.End();
  });
}

}  // namespace
}  // namespace kube::controller::internal
