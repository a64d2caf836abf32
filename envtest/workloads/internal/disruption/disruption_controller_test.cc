#include "envtest/workloads/internal/disruption/disruption_controller.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/meta/owner_reference.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/in_process_transport.h"
#include "envtest/workloads/internal/cluster/cluster.h"
#include "envtest/workloads/internal/cluster/events.h"
#include "envtest/workloads/internal/cluster/outcome.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
namespace policyv1 = api::policy::v1;
using base::IsOk;
using testing::ElementsAre;

constexpr typed::Resource kEvents = {
    .version = "v1", .plural = "events", .kind = "Event", .built_in = true};

// A server, and what the controller sees of it. The mirrors do not run: they show what is written
// through them.
struct World {
  apiserver::ApiHandler handler{apiserver::HandlerOptions{.cluster_objects = false}};
  rest::Client client = *rest::MakeClient(InProcessConfig(handler));
  Cluster cluster{client, true, [] {}};
  Events events{client};
  DisruptionController controller{cluster, events};

  template <typename T, typename MirrorT>
  void Make(MirrorT& mirror, T object) {
    object.metadata.namespace_ = "default";
    ASSERT_THAT(mirror.Create(Context(), object), IsOk());
  }
  template <typename T, typename MirrorT>
  void MakeYaml(MirrorT& mirror, absl::string_view yaml) {
    absl::StatusOr<T> object = codec::DecodeYaml<T>(yaml);
    ASSERT_THAT(object, IsOk());
    Make(mirror, *object);
  }

  // Makes a pass, and returns the message of the condition of the only budget.
  std::string Pass() {
    Outcome outcome;
    controller.Sync(Context(), outcome);
    EXPECT_FALSE(outcome.failed());
    const auto budgets = cluster.budgets.All();
    EXPECT_EQ(budgets.size(), 1u);
    const auto& conditions = budgets[0]->status.conditions;
    return conditions.empty() ? "" : std::string(conditions[0].message);
  }

  std::vector<std::string> Told() {
    const auto list = typed::TypedClient<corev1::Event, corev1::EventList>(client, kEvents)
                          .Namespace("default")
                          .List(Context());
    EXPECT_THAT(list, IsOk());
    std::vector<std::string> texts;
    for (const corev1::Event& each : list->items) {
      texts.push_back(absl::StrCat(each.reason.view(), ": ", each.message.view(), " (", each.count,
                                   ") ", each.source.component.view()));
    }
    return texts;
  }
};

constexpr absl::string_view kBudget = R"(
metadata: {name: web}
spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}
)";

TEST(DisruptionController, SameEventsInEachPass_AreToldOnce) {
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([] {
    World world;
    world.MakeYaml<policyv1::PodDisruptionBudget>(world.cluster.budgets, kBudget);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(world.Pass(), "");
    EXPECT_THAT(world.Told(), ElementsAre("NoPods: No matching pods found (1) controllermanager"));
  }),
              IsOk());
}

TEST(DisruptionController, PodsOfADaemonSet_HaveNoScale) {
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([] {
    World world;
    world.MakeYaml<appsv1::DaemonSet>(world.cluster.daemon_sets, R"(
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: i}]}
)");
    corev1::Pod pod;
    pod.metadata.name = "p";
    pod.metadata.labels = {{"app", "web"}};
    pod.metadata.owner_references.push_back(
        meta::NewControllerRef(world.cluster.daemon_sets.All()[0]->metadata,
                               {.group = "apps", .version = "v1", .kind = "DaemonSet"}));
    pod.spec.containers = {{.name = "c", .image = "i"}};
    world.Make(world.cluster.pods, pod);
    world.MakeYaml<policyv1::PodDisruptionBudget>(world.cluster.budgets, kBudget);
    EXPECT_EQ(world.Pass(), "daemonsets.apps does not implement the scale subresource");
    EXPECT_THAT(world.Told(),
                ElementsAre("CalculateExpectedPodCountFailed: Failed to calculate the number of "
                            "expected pods: daemonsets.apps does not implement the scale "
                            "subresource (1) controllermanager"));
  }),
              IsOk());
}

TEST(DisruptionController, PodOfAStatefulSet_IsOneOfAsManyAsTheSetWants) {
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([] {
    World world;
    world.MakeYaml<appsv1::StatefulSet>(world.cluster.stateful_sets, R"(
metadata: {name: web}
spec:
  replicas: 5
  serviceName: web
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: i}]}
)");
    corev1::Pod pod;
    pod.metadata.name = "web-0";
    pod.metadata.labels = {{"app", "web"}};
    pod.metadata.owner_references.push_back(
        meta::NewControllerRef(world.cluster.stateful_sets.All()[0]->metadata,
                               {.group = "apps", .version = "v1", .kind = "StatefulSet"}));
    pod.spec.containers = {{.name = "c", .image = "i"}};
    world.Make(world.cluster.pods, pod);
    world.MakeYaml<policyv1::PodDisruptionBudget>(world.cluster.budgets, kBudget);
    EXPECT_EQ(world.Pass(), "");
    const policyv1::PodDisruptionBudget budget = *world.cluster.budgets.All()[0];
    EXPECT_EQ(budget.status.expected_pods, 5);
    EXPECT_EQ(budget.status.desired_healthy, 4);
    EXPECT_EQ(budget.status.current_healthy, 0);
  }),
              IsOk());
}

}  // namespace
}  // namespace kube::envtest::internal
