#include "controller/manager/manager.h"

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults.h"
#include "apiserver/handler.h"
#include "apiserver/user.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/config.h"
#include "controller/cache/cache.h"
#include "controller/cache/watched.h"
#include "controller/cache/watched_core.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/manager_status.h"
#include "controller/manager/runnable.h"
#include "controller/manager/status_page.h"
#include "controller/manager/testing/fake_controller.h"
#include "controller/manager/testing/manager_world.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

using World = ManagerWorld;

Context In(absl::Duration time) { return WithTimeout(Context(), time); }

// behaviour.md: CR-1, MGR-4, MGR-7, MGR-16
TEST(ManagerTest, Run_EverythingWorks_StartsAndEndsInOrder) {
  Simulate([] {
    World world;
    world.AddRunnable("servers", Phase::kServers);
    world.AddRunnable("before", Phase::kBeforeCaches);
    world.AddRunnable("always", Phase::kAlways);
    world.AddRunnable("leader", Phase::kLeader);
    world.AddController({.name = "one"});
    world.AddController({.name = "two", .needs_leadership = false});
    world.manager->BeforeWork([&world](const Context&) {
      world.journal.Add("before work");
      return absl::OkStatus();
    });
    EXPECT_THAT(world.manager->Run(In(absl::Minutes(1))), IsOk());
    const struct {
      const char* first;
      const char* second;
    } kRows[] = {
        {"one watches", "one synced"},        {"one synced", "before work"},
        {"two synced", "before work"},        {"before work", "one works"},
        {"before work", "leader begins"},     {"one drained", "always ends"},
        {"leader ends", "always ends"},       {"two drained", "always ends"},
        {"always ends", "before ends"},       {"before ends", "servers ends"},
        {"one takes no more", "one drained"},
    };
    for (const auto& row : kRows) {
      EXPECT_TRUE(world.journal.InOrder(row.first, row.second))
          << row.first << " is not before " << row.second << ": "
          << testing::PrintToString(world.journal.Lines());
    }
    EXPECT_TRUE(world.journal.Has("before begins"));
    EXPECT_TRUE(world.journal.Has("servers begins"));
    for (const PhaseStatus& phase : world.manager->status().phases) {
      EXPECT_EQ(phase.state, "ended") << phase.name;
    }
  });
}

// behaviour.md: SRC-5
TEST(ManagerTest, Run_ASlowController_DelaysNoOther) {
  Simulate([] {
    World world;
    world.AddController({.name = "slow", .sync_takes = absl::Seconds(50)});
    world.AddController({.name = "fast"});
    EXPECT_THAT(world.manager->Run(In(absl::Minutes(1))), IsOk());
    EXPECT_TRUE(world.journal.InOrder("fast works", "slow synced"));
    EXPECT_TRUE(world.journal.Has("slow works"));
  });
}

// behaviour.md: MGR-12
TEST(ManagerTest, Run_Twice_IsRefused) {
  Simulate([] {
    World world;
    EXPECT_THAT(world.manager->Run(In(absl::Seconds(1))), IsOk());
    EXPECT_THAT(
        world.manager->Run(In(absl::Seconds(1))),
        StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("manager already started")));
  });
}

// behaviour.md: CTRL-8
TEST(ManagerTest, AControllerThatMayNotWatch) {
  const struct {
    const char* name;
    bool fail_fast;
  } kRows[] = {
      {"the others run on", false},
      {"the program ends", true},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    Simulate([&row] {
      World world({.fail_fast = row.fail_fast});
      world.AddController(
          {.name = "bad", .sync_error = absl::PermissionDeniedError("list pods: forbidden")});
      world.AddController({.name = "good"});
      const Context ctx = In(absl::Minutes(1));
      EXPECT_THAT(world.manager->Run(ctx),
                  StatusIs(absl::StatusCode::kPermissionDenied,
                           "start controller \"bad\": list pods: forbidden"));
      EXPECT_EQ(ctx.done(), !row.fail_fast);
      EXPECT_FALSE(world.journal.Has("bad works"));
      EXPECT_TRUE(row.fail_fast || world.journal.Has("good works"));
      EXPECT_THAT(world.manager->status().controllers,
                  Contains(AllOf(Field(&ControllerStatus::name, "bad"),
                                 Field(&ControllerStatus::waits_for, HasSubstr("forbidden")))));
    });
  }
}

// A controller whose watch is one of the manager's cache.
class CachedController final : public FakeController {
 public:
  CachedController(Journal& journal, Manager& manager)
      : FakeController(journal, {.name = "cached"}),
        maps_(manager.cache().Watch<corev1::ConfigMap>()) {}
  void StartWatches() override { maps_.core()->Start(); }
  absl::Status WaitForSync(const Context& ctx) override { return maps_.core()->WaitForSync(ctx); }

 private:
  const Watched<corev1::ConfigMap> maps_;
};

// behaviour.md: CTRL-8
TEST(ManagerTest, Run_TheServerForbidsAWatch_NamesItAtOnce) {
  Simulate([] {
    World world;
    world.server.SetDenyRules({{.resource = "configmaps"}});
    CachedController controller(world.journal, *world.manager);
    EXPECT_THAT(world.manager->Register(controller), IsOk());
    const Context ctx = In(absl::Seconds(5));
    EXPECT_THAT(world.manager->Run(ctx),
                StatusIs(absl::StatusCode::kPermissionDenied,
                         AllOf(HasSubstr("start controller \"cached\""), HasSubstr("forbidden"))));
    world.manager->Unregister(controller);
  });
}

// behaviour.md: MGR-24
TEST(ManagerTest, Stop_WhileWatchesWait_IsNoError) {
  Simulate([] {
    World world;
    // Requests fail, but not for good: the informer tries again.
    world.server.faults().Add({.resource = "configmaps", .fault = apiserver::fault::Drop{}});
    CachedController controller(world.journal, *world.manager);
    EXPECT_THAT(world.manager->Register(controller), IsOk());
    world.AddController({.name = "slow", .sync_takes = absl::Hours(1)});
    EXPECT_THAT(world.manager->Run(In(absl::Seconds(30))), IsOk());
    world.manager->Unregister(controller);
  });
}

// behaviour.md: MGR-38, CACHE-35
TEST(ManagerTest, Status_OfWhatRuns) {
  Simulate([] {
    World world;
    CachedController controller(world.journal, *world.manager);
    EXPECT_THAT(world.manager->Register(controller), IsOk());
    EXPECT_THAT(world.manager->Add(
                    "looks",
                    [&world](const Context& ctx) {
                      base::SleepFor(ctx, absl::Seconds(10)).IgnoreError();
                      const ManagerStatus status = world.manager->status();
                      EXPECT_TRUE(status.leader.leads);
                      EXPECT_THAT(status.informers, SizeIs(1));
                      EXPECT_GT(status.requests_per_second.value_or(0), 0);
                      EXPECT_GE(status.memory.size(), 2u);
                      EXPECT_THAT(status.request_rates, Not(IsEmpty()));
                      EXPECT_THAT(status.informers,
                                  Each(Field(&InformerStatus::last_event, Ge(status.started))));
                      EXPECT_THAT(status.phases, Each(Field(&PhaseStatus::state, "running")));
                      const std::string json = RenderStatusJson(status);
                      EXPECT_THAT(json, HasSubstr("\"configmaps/v1\""));
                      EXPECT_THAT(json, HasSubstr("\"cached\""));
                      EXPECT_THAT(json, HasSubstr("\"looks\""));
                      return base::WaitUntilDone(ctx);
                    }),
                IsOk());
    EXPECT_THAT(world.manager->Run(In(absl::Minutes(1))), IsOk());
    EXPECT_FALSE(world.manager->status().leader.leads);
    world.manager->Unregister(controller);
  });
}

// behaviour.md: CTRL-3
TEST(ManagerTest, Run_TwoControllersOfOneName_IsRefused) {
  Simulate([] {
    World world;
    world.AddController({.name = "one"});
    FakeController second(world.journal, {.name = "one"});
    EXPECT_THAT(world.manager->Register(second),
                StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("\"one\"")));
    EXPECT_THAT(
        world.manager->Run(In(absl::Minutes(1))),
        StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("controller names must be unique")));
    EXPECT_THAT(world.journal.Lines(), IsEmpty());
  });
}

// behaviour.md: MGR-11
TEST(ManagerTest, Register_AFunctionHasTheNameOfTheWorkers_IsRefusedAndLeavesTheFunction) {
  Simulate([] {
    World world;
    FakeController one(world.journal, {.name = "one"});
    EXPECT_THAT(world.manager->Add("registers",
                                   [&world, &one](const Context& ctx) {
                                     EXPECT_THAT(world.manager->Register(one),
                                                 StatusIs(absl::StatusCode::kAlreadyExists,
                                                          HasSubstr("\"controller one\"")));
                                     EXPECT_THAT(
                                         world.manager->status().runnables,
                                         Contains(Field(&RunnableStatus::name, "controller one")));
                                     world.journal.Add("refused");
                                     return base::WaitUntilDone(ctx);
                                   },
                                   {.phase = Phase::kServers}),
                IsOk());
    world.AddRunnable("controller one", Phase::kLeader);
    EXPECT_THAT(world.manager->Run(In(absl::Minutes(1))),
                StatusIs(absl::StatusCode::kAlreadyExists));
    EXPECT_TRUE(world.journal.Has("refused"));
    EXPECT_THAT(world.manager->status().controllers, IsEmpty());
  });
}

// behaviour.md: MGR-37
TEST(ManagerTest, BeforeWork_Fails_NoWorkBegins) {
  Simulate([] {
    World world;
    world.AddController({.name = "one"});
    world.manager->BeforeWork([](const Context&) { return absl::DataLossError("no migration"); });
    EXPECT_THAT(world.manager->Run(In(absl::Minutes(1))),
                StatusIs(absl::StatusCode::kDataLoss, HasSubstr("no migration")));
    EXPECT_TRUE(world.journal.Has("one synced"));
    EXPECT_FALSE(world.journal.Has("one works"));
  });
}

// behaviour.md: MGR-37
TEST(ManagerTest, BeforeWork_DoesNotEnd_IsNamed) {
  Simulate([] {
    World world;
    world.manager->BeforeWork(
        [](const Context&) { return base::SleepFor(Context(), absl::Hours(1)); });
    EXPECT_THAT(world.manager->Run(In(absl::Minutes(1))),
                StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("\"before work\"")));
  });
}

// behaviour.md: MGR-11, CTRL-12
TEST(ManagerTest, Register_WhileItRuns_BeginsAndEnds) {
  Simulate([] {
    World world;
    EXPECT_THAT(world.manager->Add(
                    "changes",
                    [&world](const Context& ctx) {
                      base::SleepFor(ctx, absl::Seconds(5)).IgnoreError();
                      FakeController late(world.journal,
                                          {.name = "late", .in_work = absl::Seconds(1)});
                      EXPECT_THAT(world.manager->Register(late), IsOk());
                      base::SleepFor(ctx, absl::Seconds(5)).IgnoreError();
                      EXPECT_TRUE(world.journal.Has("late works"));
                      world.manager->Unregister(late);
                      EXPECT_TRUE(world.journal.InOrder("late takes no more", "late cancelled"));
                      EXPECT_THAT(world.manager->status().controllers, IsEmpty());
                      return base::WaitUntilDone(ctx);
                    }),
                IsOk());
    EXPECT_THAT(world.manager->Run(In(absl::Minutes(1))), IsOk());
  });
}

// behaviour.md: MGR-33
TEST(ManagerTest, AddCluster_GivesACacheThatEndsWithTheManager) {
  Simulate([] {
    apiserver::ApiHandler east;
    World world;
    const auto cache = world.manager->AddCluster(envtest::InProcessConfig(east), {.name = "east"});
    ASSERT_THAT(cache, IsOk());
    EXPECT_THAT(world.manager->AddCluster(envtest::InProcessConfig(east), {.name = "east"}),
                StatusIs(absl::StatusCode::kAlreadyExists));
    EXPECT_THAT(world.manager->AddCluster(envtest::InProcessConfig(east), {}),
                StatusIs(absl::StatusCode::kInvalidArgument));
    const auto maps = (*cache)->Watch<corev1::ConfigMap>();
    EXPECT_THAT(world.manager->Add("reads",
                                   [&maps](const Context& ctx) {
                                     maps.core()->Start();
                                     EXPECT_THAT(maps.core()->WaitForSync(ctx), IsOk());
                                     return base::WaitUntilDone(ctx);
                                   }),
                IsOk());
    EXPECT_THAT(world.manager->Run(In(absl::Minutes(1))), IsOk());
    EXPECT_THAT(world.manager->status().informers,
                ElementsAre(Field(&InformerStatus::cluster, "east")));
  });
}

// behaviour.md: MGR-1, MGR-31
TEST(ManagerTest, Make_InvalidOptions) {
  apiserver::ApiHandler server;
  const rest::Config config = envtest::InProcessConfig(server);
  const struct {
    const char* name;
    ManagerOptions options;
    const char* message;
  } kRows[] = {
      {"no name", {}, "make manager: it needs a name"},
      {"negative", {.name = "a", .stop_timeout = absl::Seconds(-1)}, "negative"},
      {"no time to start", {.name = "a", .start_timeout = absl::ZeroDuration()}, "start_timeout"},
      {"no namespace of the lease",
       {.name = "a", .leader_election = LeaseOptions{}},
       "unable to find leader election namespace"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_THAT(Manager::Make(config, row.options),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(row.message)));
  }
}

}  // namespace
}  // namespace kube::controller
