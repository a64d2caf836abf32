// The code in docs/testing-operators.md, which //docs:snippets_test compares.
#include "absl/status/status.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "controller/manager/manager.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/testing/test_request.h"
#include "controller/testing/operator_environment.h"
#include "controller/testing/operator_world.h"
#include "controller/testing/operator_world_options.h"
#include "envtest/fake/clientset.h"
#include "envtest/testing/eventually.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube {
namespace {

namespace corev1 = api::core::v1;
using ::kube::base::IsOk;
using ::kube::controller::OperatorEnvironment;
using ::kube::controller::OperatorWorld;
using ::testing::Truly;

// Says hello in each config map.
class Greeter {
 public:
  explicit Greeter(controller::Manager& manager) : client_(manager.client()), maps_(manager) {
    manager.RequireAccess({.resource = "configmaps", .verbs = {"get", "patch"}});
    maps_.Reconciles([this](controller::Request<corev1::ConfigMap>& request) {
      return Greet(request, client_);
    });
  }

  static absl::Status Greet(const controller::Request<corev1::ConfigMap>& request,
                            const rest::Client& client) {
    if (request.object()->data.contains("greeting")) return absl::OkStatus();
    const corev1::ConfigMapClient maps(client, request.name().namespace_name);
    const auto greet = [](corev1::ConfigMap& map) {
      map.data["greeting"] = "hello";
      return absl::OkStatus();
    };
    return maps.Edit(request.context(), request.name().name, greet).status();
  }

 private:
  const rest::Client client_;
  controller::Controller<corev1::ConfigMap> maps_;
};

bool IsGreeted(const corev1::ConfigMap& map) {
  return map.data.value_or("greeting", "") == "hello";
}

TEST(GreetTest, WritesTheGreeting) {
  fake::Clientset cluster;
  const corev1::ConfigMap map = {.metadata = {.name = "m", .namespace_ = "default"}};
  ASSERT_THAT(cluster.Add(map), IsOk());
  controller::TestRequest<corev1::ConfigMap> test(map);
  EXPECT_THAT(Greeter::Greet(test.request(), cluster.client().client()), IsOk());
  const auto greeted = cluster.client().CoreV1().ConfigMaps("default").Get(Context(), "m");
  ASSERT_THAT(greeted, IsOk());
  EXPECT_TRUE(IsGreeted(*greeted));
}

TEST(GreeterTest, GreetsANewMap) {
  auto test = OperatorEnvironment::Make();
  ASSERT_THAT(test, IsOk());
  (*test)->Add<Greeter>();
  ASSERT_THAT((*test)->Start(), IsOk());
  const corev1::ConfigMapClient maps((*test)->client(), "default");
  ASSERT_THAT(maps.Create(Context(), {.metadata = {.name = "m"}}), IsOk());
  EXPECT_THAT(envtest::EventuallyGet(maps, "m", Truly(IsGreeted)), IsOk());
  EXPECT_THAT((*test)->Stop(), IsOk());
}

absl::Status GreetAndForget(OperatorWorld::Play& play) {
  const corev1::ConfigMapClient maps(play.client(), "default");
  KUBE_RETURN_IF_ERROR(maps.Create(Context(), {.metadata = {.name = "m"}}));
  KUBE_RETURN_IF_ERROR(play.Pause());
  const auto forget = [](corev1::ConfigMap& map) {
    map.data.erase("greeting");
    return absl::OkStatus();
  };
  KUBE_RETURN_IF_ERROR(maps.Edit(Context(), "m", forget));
  KUBE_RETURN_IF_ERROR(play.Settle());
  KUBE_ASSIGN_OR_RETURN(const corev1::ConfigMap map, maps.Get(Context(), "m"));
  return IsGreeted(map) ? absl::OkStatus() : absl::InternalError("\"m\" is not greeted");
}

TEST(GreeterTest, GreetsWhateverGoesWrong) {
  OperatorWorld world({.seeds = 32, .replicas = 2, .restarts = true});
  world.Add<Greeter>();
  EXPECT_THAT(world.Run(GreetAndForget), IsOk());
}

}  // namespace
}  // namespace kube
