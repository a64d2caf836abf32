#include "clientset/podlogs/targets.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::podlogs {
namespace {

namespace corev1 = api::core::v1;

using base::IsOkAndHolds;
using base::StatusIs;
using testing::ElementsAre;
using testing::IsEmpty;

corev1::Pod Web() {
  corev1::Pod pod;
  pod.metadata = {.name = "web-0", .namespace_ = "prod"};
  pod.spec.init_containers.push_back({.name = "setup"});
  pod.spec.containers.push_back({.name = "app"});
  pod.spec.containers.push_back({.name = "proxy"});
  pod.spec.ephemeral_containers.push_back({.name = "shell"});
  return pod;
}

Target Of(const std::string& container) {
  return {.namespace_name = "prod", .pod = "web-0", .container = container};
}

// behaviour.md: ST-11, ST-58
TEST(TargetsOf, ChoosesContainers) {
  struct Case {
    std::string name;
    ContainerChoice choice;
    std::string annotation;
    std::vector<std::string> containers;
  };
  const std::vector<Case> cases = {
      {"the first one", {}, "", {"app"}},
      {"the one of the annotation", {}, "proxy", {"proxy"}},
      {"an annotation that names no container", {}, "none", {"app"}},
      {"a name", {.container = "proxy"}, "", {"proxy"}},
      {"a name, in spite of the annotation", {.container = "app"}, "proxy", {"app"}},
      {"an init container", {.container = "setup"}, "", {"setup"}},
      {"an ephemeral container", {.container = "shell"}, "", {"shell"}},
      {"all", {.all_containers = true}, "proxy", {"setup", "app", "proxy", "shell"}},
  };
  for (const Case& each : cases) {
    corev1::Pod pod = Web();
    if (!each.annotation.empty()) {
      pod.metadata.annotations = {{"kubectl.kubernetes.io/default-container", each.annotation}};
    }
    std::vector<Target> expected;
    for (const std::string& container : each.containers) expected.push_back(Of(container));
    EXPECT_THAT(TargetsOf(pod, each.choice), IsOkAndHolds(expected)) << each.name;
  }
}

TEST(TargetsOf, RefusesOthersWithTheTextsOfKubectl) {
  EXPECT_THAT(TargetsOf(Web(), {.container = "db"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "container db is not valid for pod web-0 out of: app, proxy, shell (ephem), "
                       "setup (init)"));
  EXPECT_THAT(TargetsOf(Web(), {.container = "app", .all_containers = true}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "all_containers should not be specified with container name app"));
  corev1::Pod empty;
  empty.metadata.name = "web-0";
  EXPECT_THAT(TargetsOf(empty), StatusIs(absl::StatusCode::kInvalidArgument,
                                         "pod web-0 does not have any containers"));
}

TEST(SelectTargets, AsksForThePodsOfASelector) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Expect({.path = "/api/v1/namespaces/prod/pods"}, rest::JsonReply(R"({"items":[
      {"metadata":{"name":"web-0","namespace":"prod"},"spec":{"containers":[{"name":"app"}]}},
      {"metadata":{"name":"web-1","namespace":"prod"},"spec":{"containers":[{"name":"app"}]}}]})"));
  EXPECT_THAT(
      SelectTargets(Context(), rest::MakeScriptedClient(transport), "prod", "app=web"),
      IsOkAndHolds(ElementsAre(
          Of("app"), Target{.namespace_name = "prod", .pod = "web-1", .container = "app"})));
  EXPECT_EQ(transport->requests()[0].Param("labelSelector"), "app=web");
}

TEST(SelectTargets, MayBeEmpty) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Expect({}, rest::JsonReply(R"({"items":[]})"));
  EXPECT_THAT(SelectTargets(Context(), rest::MakeScriptedClient(transport), "prod", "app=web"),
              IsOkAndHolds(IsEmpty()));
}

TEST(SelectTargets, ReturnsTheErrorOfTheServer) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Expect({}, rest::StatusReply(403, "Forbidden", "not allowed"));
  EXPECT_THAT(SelectTargets(Context(), rest::MakeScriptedClient(transport), "prod", "app=web"),
              StatusIs(absl::StatusCode::kPermissionDenied));
}

}  // namespace
}  // namespace kube::podlogs
