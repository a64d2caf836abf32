// What the world itself does. tests/planted_bugs has operators with bugs that it must find.
#include "controller/testing/operator_world.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "controller/manager/manager.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/request.h"
#include "controller/testing/audit_finding.h"
#include "controller/testing/operator_world_options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/admission.h"
#include "webhook/server.h"

namespace kube::controller {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;

// Writes a greeting into each config map of "default" that has none.
class Greeter {
 public:
  explicit Greeter(Manager& manager, std::string greeting = "hello")
      : client_(manager.client()), greeting_(std::move(greeting)), maps_(manager) {
    maps_.Reconciles([this](Request<corev1::ConfigMap>& request) { return Greet(request); });
  }

 private:
  absl::Status Greet(Request<corev1::ConfigMap>& request) const {
    if (request.object()->data.contains("greeting")) return absl::OkStatus();
    if (request.name().namespace_name != "default") return absl::OkStatus();
    const auto greet = [this](corev1::ConfigMap& map) {
      map.data["greeting"] = greeting_;
      return absl::OkStatus();
    };
    return corev1::ConfigMapClient(client_, "default")
        .Edit(request.context(), request.name().name, greet)
        .status();
  }

  const rest::Client client_;
  const std::string greeting_;
  Controller<corev1::ConfigMap> maps_;
};

// Gives each config map a label, by a webhook.
class Labeller {
 public:
  explicit Labeller(Manager& manager) : greeter_(manager) {
    manager.webhooks().Defaults<corev1::ConfigMap>(
        [](const webhook::AdmissionRequest<corev1::ConfigMap>&, corev1::ConfigMap& map) {
          map.metadata.labels["mode"] = "standard";
          return absl::OkStatus();
        });
  }

 private:
  const Greeter greeter_;
};

corev1::ConfigMapClient MapsOf(OperatorWorld::Play& play) { return {play.client(), "default"}; }

absl::Status ExpectGreeting(OperatorWorld::Play& play, const std::string& greeting) {
  KUBE_ASSIGN_OR_RETURN(const corev1::ConfigMap map, MapsOf(play).Get(Context(), "m"));
  const std::string found(map.data.value_or("greeting", ""));
  if (found == greeting) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("the greeting is \"", found, "\""));
}

absl::Status GreetOnce(OperatorWorld::Play& play) {
  KUBE_RETURN_IF_ERROR(MapsOf(play).Create(Context(), {.metadata = {.name = "m"}}));
  KUBE_RETURN_IF_ERROR(play.Settle());
  return ExpectGreeting(play, "good day");
}

TEST(OperatorWorldTest, ASoundOperator_PassesWithReplicasRestartsAndClocksThatJump) {
  OperatorWorld world({.seeds = 16, .replicas = 2, .restarts = true, .clock_jumps = true});
  world.Add<Greeter>("good day");
  EXPECT_THAT(world.Run(GreetOnce), IsOk());
  EXPECT_THAT(world.findings(), IsEmpty());
}

TEST(OperatorWorldTest, TheErrorOfAScenario_HasItsCodeTheSeedAndTheFault) {
  OperatorWorld world({.seeds = 3, .faults = {WorldFault::kConflicts}});
  world.Add<Greeter>("hello");
  EXPECT_THAT(world.Run(GreetOnce),
              StatusIs(absl::StatusCode::kInternal,
                       AllOf(HasSubstr("KUBE_SIM_SEED=1"), HasSubstr("conflicts: "),
                             HasSubstr("the greeting is \"hello\""))));
  EXPECT_THAT(world.findings(), IsEmpty());
}

TEST(OperatorWorldTest, EachSeed_IsARunOfItsOwn) {
  OperatorWorld world({.seeds = 4, .faults = {}});
  std::set<uint64_t> seeds;
  const auto scenario = [&seeds](OperatorWorld::Play& play) {
    seeds.insert(play.seed());
    return MapsOf(play).Create(Context(), {.metadata = {.name = "m"}}).status();
  };
  EXPECT_THAT(world.Run(scenario), IsOk());
  // The environment may ask for more.
  EXPECT_THAT(seeds, IsSupersetOf({uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{4}}));
}

TEST(OperatorWorldTest, AScenarioThatEndsElsewhere_MattersByItsOrder) {
  OperatorWorld world({.seeds = 4, .faults = {}});
  const auto scenario = [](OperatorWorld::Play& play) {
    corev1::ConfigMap map;
    map.metadata.name = "m";
    map.data["seed"] = absl::StrCat(play.seed());
    return MapsOf(play).Create(Context(), map).status();
  };
  EXPECT_THAT(world.Run(scenario),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr("KUBE_SIM_SEED=2"), HasSubstr("seed: \"2\""))));
  ASSERT_EQ(world.findings().size(), 1u);
  EXPECT_EQ(world.findings()[0].kind, AuditKind::kOrderMatters);
}

TEST(OperatorWorldTest, AnObjectThatMayDiffer_IsNotCompared) {
  OperatorWorld world({.seeds = 4,
                       .faults = {},
                       .audits = {.ignore = {{.kind = AuditKind::kOrderMatters,
                                              .object = "configmaps default/m"}}}});
  const auto scenario = [](OperatorWorld::Play& play) {
    corev1::ConfigMap map;
    map.metadata.name = "m";
    map.data["seed"] = absl::StrCat(play.seed());
    return MapsOf(play).Create(Context(), map).status();
  };
  EXPECT_THAT(world.Run(scenario), IsOk());
}

TEST(OperatorWorldTest, WebhooksOfAllReplicas_AreCalled) {
  OperatorWorld world({.seeds = 4, .faults = {}, .replicas = 2, .restarts = true});
  world.Add<Labeller>();
  const auto scenario = [](OperatorWorld::Play& play) -> absl::Status {
    KUBE_ASSIGN_OR_RETURN(const corev1::ConfigMap map,
                          MapsOf(play).Create(Context(), {.metadata = {.name = "m"}}));
    if (map.metadata.labels.value_or("mode", "") != "standard") {
      return absl::InternalError("no webhook was called");
    }
    return play.Settle();
  };
  EXPECT_THAT(world.Run(scenario), IsOk());
}

}  // namespace
}  // namespace kube::controller
