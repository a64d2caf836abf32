#include "envtest/workloads/internal/services/service_controllers.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "envtest/in_process_transport.h"
#include "envtest/workloads/internal/cluster/cluster.h"
#include "envtest/workloads/internal/cluster/outcome.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using testing::ElementsAre;
using testing::SizeIs;

// A server, and what the controllers see of it. The mirrors do not run: they show what is written
// through them.
struct World {
  apiserver::ApiHandler handler{apiserver::HandlerOptions{.cluster_objects = false}};
  rest::Client client = *rest::MakeClient(InProcessConfig(handler));
  Cluster cluster{client, true, [] {}};

  template <typename T, typename MirrorT>
  void Make(MirrorT& mirror, absl::string_view yaml) {
    absl::StatusOr<T> object = codec::DecodeYaml<T>(yaml);
    ASSERT_THAT(object, IsOk());
    object->metadata.namespace_ = "default";
    ASSERT_THAT(mirror.Create(Context(), *object), IsOk());
  }

  // Makes a pass, and returns the names of the Endpoints on the server.
  std::vector<std::string> Pass() {
    Outcome outcome;
    SyncServices(Context(), cluster, outcome);
    EXPECT_FALSE(outcome.failed());
    std::vector<std::string> names;
    const auto list = cluster.endpoints.client().Namespace("default").List(Context());
    EXPECT_THAT(list, IsOk());
    for (const corev1::Endpoints& each : list->items) names.emplace_back(each.metadata.name);
    return names;
  }
};

TEST(SyncServices, ServicesWithASelector_HaveSlicesAndEndpoints) {
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([] {
    World world;
    world.Make<corev1::Service>(world.cluster.services, R"(
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
)");
    world.Make<corev1::Service>(world.cluster.services, R"(
metadata: {name: outside}
spec: {ports: [{port: 443}]}
)");
    EXPECT_THAT(world.Pass(), ElementsAre("web"));
    EXPECT_THAT(world.cluster.slices.All(), SizeIs(1));
    // Nothing is left to do.
    const auto before = world.cluster.endpoints.All();
    EXPECT_THAT(world.Pass(), ElementsAre("web"));
    EXPECT_EQ(world.cluster.endpoints.All()[0]->metadata.resource_version,
              before[0]->metadata.resource_version);
  }),
              IsOk());
}

TEST(SyncServices, EndpointsWithoutTheirService_AreDeletedIfAControllerMadeThem) {
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([] {
    World world;
    world.Make<corev1::Endpoints>(world.cluster.endpoints, R"(
metadata: {name: lost, labels: {endpoints.kubernetes.io/managed-by: endpoint-controller}}
)");
    world.Make<corev1::Endpoints>(world.cluster.endpoints, "metadata: {name: own}");
    EXPECT_THAT(world.Pass(), ElementsAre("own"));
  }),
              IsOk());
}

}  // namespace
}  // namespace kube::envtest::internal
