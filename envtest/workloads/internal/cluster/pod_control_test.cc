#include "envtest/workloads/internal/cluster/pod_control.h"

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/in_process_transport.h"
#include "envtest/workloads/internal/cluster/cluster.h"
#include "envtest/workloads/internal/cluster/events.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using base::IsOk;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

constexpr typed::Resource kEvents = {
    .version = "v1", .plural = "events", .kind = "Event", .built_in = true};

corev1::ObjectReference WebSet() {
  metav1::ObjectMeta metadata;
  metadata.name = "web";
  metadata.namespace_ = "default";
  metadata.uid = "u";
  return ReferenceTo("apps/v1", "ReplicaSet", metadata);
}

// A server, what the controllers see of it, and an event recorder. The mirrors do not run.
struct World {
  apiserver::ApiHandler handler{apiserver::HandlerOptions{.cluster_objects = false}};
  rest::Client client = *rest::MakeClient(InProcessConfig(handler));
  Cluster cluster{client, true, [] {}};
  Events events{client};
  ObjectEvents told{events, "replicaset-controller", WebSet()};

  // "Normal SuccessfulCreate: …", as they came.
  std::vector<std::string> Told() {
    const auto list = typed::TypedClient<corev1::Event, corev1::EventList>(client, kEvents)
                          .Namespace("default")
                          .List(Context());
    EXPECT_THAT(list, IsOk());
    std::vector<std::string> texts;
    for (const corev1::Event& each : list->items) {
      texts.push_back(
          absl::StrCat(each.type.view(), " ", each.reason.view(), ": ", each.message.view()));
    }
    return texts;
  }
};

corev1::Pod PodOf(absl::string_view name) {
  corev1::Pod pod;
  pod.metadata.name = name;
  pod.metadata.namespace_ = "default";
  pod.spec.containers = {{.name = "c", .image = "i"}};
  return pod;
}

void InSimulation(const std::function<void(World&)>& body) {
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([&] {
    World world;
    body(world);
  }),
              IsOk());
}

TEST(PodControl, CreateAndDelete_TellTheNamesOfPods) {
  InSimulation([](World& world) {
    EXPECT_THAT(CreatePod(Context(), world.cluster, PodOf("web-0"), world.told), IsOk());
    const auto pod = world.cluster.pods.client().Namespace("default").Get(Context(), "web-0");
    ASSERT_THAT(pod, IsOk());
    EXPECT_THAT(DeletePod(Context(), world.cluster, *pod, world.told), IsOk());
    EXPECT_TRUE(errors::IsNotFound(DeletePod(Context(), world.cluster, *pod, world.told)));
    EXPECT_THAT(world.Told(), ElementsAre("Normal SuccessfulCreate: Created pod: web-0",
                                          "Normal SuccessfulDelete: Deleted pod: web-0"));
  });
}

TEST(PodControl, CreateIsRefused_TellsWhatTheServerSays) {
  InSimulation([](World& world) {
    EXPECT_TRUE(errors::IsInvalid(CreatePod(Context(), world.cluster, PodOf("Web_0"), world.told)));
    EXPECT_THAT(world.Told(),
                ElementsAre(StartsWith(
                    "Warning FailedCreate: Error creating: Pod \"Web_0\" is invalid: ")));
  });
}

TEST(TellOfPod, EachVerb_IsInReasonAndMessage) {
  InSimulation([](World& world) {
    const absl::Status error = errors::BadRequest("too late");
    EXPECT_THAT(TellOfPod(Context(), "Create", "db", "db-0", absl::OkStatus(), world.told), IsOk());
    EXPECT_EQ(TellOfPod(Context(), "Delete", "db", "db-0", error, world.told), error);
    EXPECT_THAT(world.Told(),
                ElementsAre("Normal SuccessfulCreate: Create Pod db-0 in StatefulSet db successful",
                            "Warning FailedDelete: Delete Pod db-0 in StatefulSet db failed "
                            "error: too late"));
  });
}

TEST(TellOfClaim, NewRefusedAndExistingClaims_AreToldApart) {
  InSimulation([](World& world) {
    const auto tell = [&](const absl::Status& status) {
      EXPECT_EQ(TellOfClaim(Context(), "db", "data-db-0", "db-0", status, world.told), status);
    };
    tell(errors::AlreadyExists({.resource = "persistentvolumeclaims"}, "data-db-0"));
    EXPECT_THAT(world.Told(), IsEmpty());
    tell(absl::OkStatus());
    tell(errors::BadRequest("no room"));
    EXPECT_THAT(
        world.Told(),
        ElementsAre("Normal SuccessfulCreate: Create Claim data-db-0 Pod db-0 in StatefulSet db "
                    "success",
                    "Warning FailedCreate: Create Claim data-db-0 for Pod db-0 in StatefulSet db "
                    "failed error: no room"));
  });
}

}  // namespace
}  // namespace kube::envtest::internal
