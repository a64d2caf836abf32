// ControlPlane with real programs, where they are found.

#include "envtest/control_plane.h"

#include <cstddef>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/clientcmd/client_config.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/typed/typed_client.h"
#include "envtest/service_account.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/real_server.h"

namespace kube::integration {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
using base::IsOk;
using envtest::ControlPlane;

using ConfigMaps = typed::TypedClient<corev1::ConfigMap, corev1::ConfigMapList>;

absl::Status List(const rest::Config& config) {
  return ConfigMaps(ClientOf(config), kConfigMaps).List(Soon()).status();
}

TEST(ControlPlane, ServesItsUsers) {
  auto plane = ControlPlane::Start(Soon(), {.tokens = {{"bobs", {.name = "bob"}}}});
  ASSERT_THAT(plane, IsOk());
  EXPECT_THAT(List((*plane)->Config()), IsOk());
  EXPECT_THAT(List(*clientcmd::RestConfigFromKubeconfig((*plane)->Kubeconfig())), IsOk());
  EXPECT_TRUE(errors::IsForbidden(List((*plane)->Config("bobs"))));
  EXPECT_TRUE(errors::IsUnauthorized(List((*plane)->Config("nobodys"))));

  rest::Config by_certificate = rest::AnonymousConfig((*plane)->Config());
  const auto certificate =
      (*plane)->IssueClientCertificate({.name = "root", .groups = {"system:masters"}});
  ASSERT_THAT(certificate, IsOk());
  by_certificate.tls.cert_data = certificate->certificate;
  by_certificate.tls.key_data = certificate->key;
  EXPECT_THAT(List(by_certificate), IsOk());

  const ConfigMaps maps =
      ConfigMaps(ClientOf((*plane)->Config()), kConfigMaps).Namespace("default");
  EXPECT_THAT(maps.Create(Soon(), {.metadata = {.name = "a"}}), IsOk());
  auto watcher = maps.Watch(Soon());
  ASSERT_THAT(watcher, IsOk());
  EXPECT_THAT((*watcher)->Next(Soon()), IsOk());
  EXPECT_THAT((*plane)->Stop(), IsOk());
}

// RBAC decides: the account may do what its manifest says from the first request on, and no more.
TEST(ControlPlane, GrantsWhatAManifestSays) {
  auto plane = ControlPlane::Start(Soon());
  ASSERT_THAT(plane, IsOk());
  const absl::StatusOr<rest::Config> account =
      envtest::ServiceAccountConfig(Soon(), (*plane)->Config(), {.manifest = R"(
apiVersion: v1
kind: ServiceAccount
metadata: {name: reader}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader}
rules: [{apiGroups: [""], resources: [configmaps], verbs: [list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: reader}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
subjects: [{kind: ServiceAccount, name: reader, namespace: default}]
)"});
  ASSERT_THAT(account, IsOk());
  EXPECT_THAT(List(*account), IsOk());
  const ConfigMaps maps = ConfigMaps(ClientOf(*account), kConfigMaps).Namespace("default");
  EXPECT_TRUE(errors::IsForbidden(maps.Create(Soon(), {.metadata = {.name = "a"}}).status()));
  EXPECT_THAT((*plane)->Stop(), IsOk());
}

// behaviour.md: ENVTEST-7
TEST(ControlPlane, HasControllersIfAsked) {
  auto plane = ControlPlane::Start(Soon(), {.controller_manager = true});
  ASSERT_THAT(plane, IsOk());
  const rest::Client client = ClientOf((*plane)->Config());
  const auto deployments =
      typed::TypedClient<appsv1::Deployment, appsv1::DeploymentList>(client, kDeployments)
          .Namespace("default");
  const api::meta::v1::LabelSelector selector = {.match_labels = {{"app", "web"}}};
  const corev1::PodTemplateSpec pods = {.metadata = {.labels = {{"app", "web"}}},
                                        .spec = {.containers = {{.name = "c", .image = "i"}}}};
  ASSERT_THAT(deployments.Create(
                  Soon(), {.metadata = {.name = "web"},
                           .spec = {.replicas = 2, .selector = selector, .template_ = pods}}),
              IsOk());
  const auto all = typed::TypedClient<corev1::Pod, corev1::PodList>(client, kPods);
  const Context soon = Soon();
  size_t made = 0;
  while (made < 2) {
    ASSERT_THAT(base::SleepFor(soon, absl::Milliseconds(20)), IsOk());
    const auto list = all.List(soon);
    ASSERT_THAT(list, IsOk());
    made = list->items.size();
  }
}

}  // namespace
}  // namespace kube::integration
