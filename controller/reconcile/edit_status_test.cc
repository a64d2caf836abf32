#include "controller/reconcile/edit_status.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/conditions.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/kubernetes/policy/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/resource_traits.h"
#include "clientset/typed/typed_client.h"
#include "controller/cache/cache.h"
#include "controller/cache/watched.h"
#include "controller/reconcile/client_of.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/result.h"
#include "controller/reconcile/testing/test_request.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace policyv1 = api::policy::v1;
using base::IsOk;
using testing::ElementsAre;
using testing::IsEmpty;
using Budget = policyv1::PodDisruptionBudget;
using BudgetStatus = policyv1::PodDisruptionBudgetStatus;

constexpr typed::Resource kBudgets = typed::ResourceTraits<Budget>::kResource;

// An API server with the object "default/web", and its request.
struct World {
  World()
      : client(*rest::MakeClient(envtest::InProcessConfig(server))),
        cache(client),
        watched(cache.Watch<Budget>()),
        web(CreateWeb()),
        test(web) {
    server.ClearRequests();
  }

  auto Budgets() const { return ClientOf<Budget>(client, kBudgets); }
  Budget CreateWeb() const {
    const absl::StatusOr<Budget> created = Budgets().Namespace("default").Create(
        Context(), {.metadata = {.name = "web"}, .spec = {.min_available = 1}});
    EXPECT_THAT(created, IsOk());
    return created.ok() ? *created : Budget();
  }
  // Returns the object as the server has it.
  Budget Now() const {
    const absl::StatusOr<Budget> now = Budgets().Namespace("default").Get(Context(), "web");
    EXPECT_THAT(now, IsOk());
    return now.ok() ? *now : Budget();
  }
  absl::Status SetHealthy(int32_t healthy) {
    return EditStatusOf(
               Budgets(), test.request(), watched.core(), web,
               [healthy](BudgetStatus& status) { status.current_healthy = healthy; }, "tester")
        .status();
  }
  absl::Status SetReady(absl::string_view status, absl::string_view message) {
    return SetConditionOf(
               Budgets(), test.request(), watched.core(), Now(),
               {.type = "Ready", .status = status, .reason = "Tested", .message = message})
        .status();
  }
  // Returns the requests since the last call, such as "patch web/status".
  std::vector<std::string> Requests() {
    std::vector<std::string> texts;
    for (const apiserver::LoggedRequest& logged : server.Requests()) {
      texts.push_back(absl::StrCat(logged.verb, " ", logged.name,
                                   logged.subresource.empty() ? "" : "/", logged.subresource));
    }
    server.ClearRequests();
    return texts;
  }

  apiserver::ApiHandler server;
  const rest::Client client;
  Cache cache;
  const Watched<Budget> watched;
  const Budget web;
  TestRequest<Budget> test;
};

void Simulate(absl::AnyInvocable<void(World&)> test) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([&test] {
    World world;
    test(world);
  }),
              IsOk());
}

void Sleep(absl::Duration duration) { EXPECT_THAT(base::SleepFor(Context(), duration), IsOk()); }

// behaviour.md: CLIENT-29
TEST(EditStatusOfTest, SendsTheChangeOfTheStatus) {
  Simulate([](World& world) {
    ASSERT_THAT(world.SetHealthy(3), IsOk());
    EXPECT_THAT(world.Requests(), ElementsAre("patch web/status"));
    const Budget now = world.Now();
    EXPECT_EQ(now.status.current_healthy, 3);
    EXPECT_EQ(now.spec, world.web.spec);
    ASSERT_EQ(world.test.writes().size(), 1u);
    EXPECT_EQ(world.test.writes()[0].store, world.watched.core());
    EXPECT_EQ(world.test.writes()[0].resource_version, now.metadata.resource_version.view());
    bool has_manager = false;
    for (const metav1::ManagedFieldsEntry& entry : now.metadata.managed_fields) {
      if (entry.manager == "tester" && entry.subresource == "status") has_manager = true;
    }
    EXPECT_TRUE(has_manager);
  });
}

TEST(EditStatusOfTest, SendsNothingIfNothingChanges) {
  Simulate([](World& world) {
    ASSERT_THAT(world.SetHealthy(world.web.status.current_healthy), IsOk());
    EXPECT_THAT(world.Requests(), IsEmpty());
    EXPECT_THAT(world.test.writes(), IsEmpty());
  });
}

TEST(EditStatusOfTest, ACacheThatIsBehind_CostsARead_AndNobodysChange) {
  Simulate([](World& world) {
    const absl::StatusOr<Budget> changed =
        world.Budgets().Namespace("default").Edit(Context(), "web", [](Budget& budget) {
          budget.spec.min_available = 2;
          budget.metadata.labels["team"] = "web";
          return absl::OkStatus();
        });
    ASSERT_THAT(changed, IsOk());
    world.Requests();
    ASSERT_THAT(world.SetHealthy(3), IsOk());
    EXPECT_THAT(world.Requests(), ElementsAre("patch web/status", "get web", "patch web/status"));
    const Budget now = world.Now();
    EXPECT_EQ(now.status.current_healthy, 3);
    EXPECT_EQ(now.spec, changed->spec);
    EXPECT_EQ(now.metadata.labels, changed->metadata.labels);
  });
}

TEST(EditStatusOfTest, AnObjectThatIsGone_IsNotFound_AnotherOfItsNameStaysAsItIs) {
  Simulate([](World& world) {
    ASSERT_THAT(world.Budgets().Namespace("default").Delete(Context(), "web"), IsOk());
    EXPECT_TRUE(errors::IsNotFound(world.SetHealthy(3)));
    world.CreateWeb();
    EXPECT_FALSE(world.SetHealthy(3).ok());
    EXPECT_EQ(world.Now().status.current_healthy, 0);
    EXPECT_THAT(world.test.writes(), IsEmpty());
  });
}

// behaviour.md: CLIENT-29
TEST(EditStatusOfTest, UsesTheSubresourceIfThereIsOne) {
  EXPECT_EQ(internal::StatusSubresource<Budget>(), "status");
  EXPECT_EQ(internal::StatusSubresource<corev1::ConfigMap>(), "");
  EXPECT_EQ(internal::StatusSubresource<unstructured::Unstructured>(), "status");
}

// The example of the header.
absl::StatusOr<Result> SetThree(
    const typed::TypedClient<Budget, policyv1::PodDisruptionBudgetList>& budgets,
    AnyRequest& request, const Watched<Budget>& watched, const Budget& budget) {
  const auto change = [](policyv1::PodDisruptionBudgetStatus& status) {
    status.current_healthy = 3;
  };
  return EditStatusOf(budgets, request, watched.core(), budget, change);
}

TEST(EditStatusOfTest, AsInTheHeader) {
  Simulate([](World& world) {
    EXPECT_THAT(SetThree(world.Budgets(), world.test.request(), world.watched, world.web), IsOk());
    EXPECT_EQ(world.Now().status.current_healthy, 3);
  });
}

TEST(SetConditionOfTest, TheTransitionTimeIsThatOfTheLastChangeOfStatus) {
  Simulate([](World& world) {
    ASSERT_THAT(world.SetReady("False", "starting"), IsOk());
    const Budget first = world.Now();
    const metav1::Condition* condition =
        meta::FindStatusCondition(first.status.conditions, "Ready");
    ASSERT_NE(condition, nullptr);
    EXPECT_EQ(condition->status, "False");
    EXPECT_EQ(condition->observed_generation, first.metadata.generation);
    EXPECT_FALSE(condition->last_transition_time.IsZero());

    Sleep(absl::Minutes(1));
    ASSERT_THAT(world.SetReady("False", "starting"), IsOk());
    EXPECT_EQ(world.Now().metadata.resource_version, first.metadata.resource_version)
        << "nothing to be sent";

    ASSERT_THAT(world.SetReady("False", "still starting"), IsOk());
    const Budget second = world.Now();
    ASSERT_EQ(second.status.conditions.size(), 1u);
    EXPECT_EQ(second.status.conditions[0].message, "still starting");
    EXPECT_EQ(second.status.conditions[0].last_transition_time, condition->last_transition_time);

    ASSERT_THAT(world.SetReady("True", "done"), IsOk());
    const Budget third = world.Now();
    ASSERT_EQ(third.status.conditions.size(), 1u);
    EXPECT_EQ(third.status.conditions[0].status, "True");
    EXPECT_FALSE(third.status.conditions[0].last_transition_time ==
                 condition->last_transition_time);
  });
}

TEST(SetConditionOfTest, WorksForUnstructuredObjects) {
  Simulate([](World& world) {
    using unstructured::Unstructured;
    const auto client = ClientOf<Unstructured>(world.client, kBudgets);
    const absl::StatusOr<Unstructured> object = client.Namespace("default").Get(Context(), "web");
    ASSERT_THAT(object, IsOk());
    TestRequest<Unstructured> test(*object);
    ASSERT_THAT(SetConditionOf(client, test.request(), nullptr, *object,
                               {.type = "Ready",
                                .status = metav1::kConditionTrue,
                                .observed_generation = 7,
                                .reason = "Tested"}),
                IsOk());
    const Budget now = world.Now();
    ASSERT_EQ(now.status.conditions.size(), 1u);
    EXPECT_EQ(now.status.conditions[0].status, "True");
    EXPECT_EQ(now.status.conditions[0].observed_generation, 7);
  });
}

}  // namespace
}  // namespace kube::controller
