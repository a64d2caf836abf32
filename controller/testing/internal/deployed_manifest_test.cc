#include "controller/testing/internal/deployed_manifest.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_replace.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "controller/cache/required_access.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr char kManifest[] = R"(# an operator
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: dogs.example.com}
spec:
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig: {service: {namespace: op, name: webhooks, path: /convert}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: manager}
rules:
- {apiGroups: [apps], resources: [deployments, deployments/status], verbs: [get]}
- {nonResourceURLs: [/metrics], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader}
rules:
- {apiGroups: [""], resources: [secrets], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: manager}
roleRef: {kind: ClusterRole, name: manager}
subjects: [{kind: ServiceAccount, namespace: op, name: manager}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: reader}
roleRef: {kind: ClusterRole, name: reader}
subjects: [{kind: ServiceAccount, namespace: op, name: somebody-else}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: leases, namespace: op}
rules:
- {apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [op], verbs: [update]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: leases, namespace: op}
roleRef: {kind: Role, name: leases}
subjects: [{kind: ServiceAccount, namespace: op, name: manager}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: dogs}
webhooks:
- name: a.example.com
  clientConfig: {service: {namespace: op, name: webhooks, path: /validate}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: manager, namespace: op}
spec:
  template:
    spec:
      serviceAccountName: manager
      containers:
      - name: manager
        args: [--leader-elect, --zap-log-level=info]
        volumeMounts: [{name: certs, mountPath: /tmp/k8s-webhook-server/serving-certs}]
)";

TEST(ReadDeployedManifest, TheDeployment_SaysAccountAndFlags) {
  const auto read = ReadDeployedManifest(kManifest, "PEM");
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(read->user, "system:serviceaccount:op:manager");
  EXPECT_EQ(read->namespace_name, "op");
  EXPECT_THAT(read->flags, ElementsAre("--leader-elect", "--zap-log-level=info"));
}

TEST(ReadDeployedManifest, TheRolesThatAreBoundToTheAccount_AreItsRights) {
  const auto read = ReadDeployedManifest(kManifest, "PEM");
  ASSERT_THAT(read, IsOk());
  const RequiredAccess deployments = {.group = "apps", .resource = "deployments", .verbs = {"get"}};
  const RequiredAccess status = {
      .group = "apps", .resource = "deployments/status", .verbs = {"get"}};
  const RequiredAccess metrics = {.verbs = {"get"}, .urls = {"/metrics"}};
  const RequiredAccess lease = {.group = "coordination.k8s.io",
                                .resource = "leases",
                                .verbs = {"update"},
                                .names = {"op"},
                                .namespaces = {"op"}};
  EXPECT_THAT(read->access, ElementsAre(deployments, status, metrics, lease));
}

TEST(ReadDeployedManifest, ReferencesToServices_BecomeUrlsOfThisMachine) {
  const auto read = ReadDeployedManifest(kManifest, "PEM");
  ASSERT_THAT(read, IsOk());
  EXPECT_TRUE(read->mounts_certificate);
  EXPECT_THAT(read->redirected,
              AllOf(HasSubstr("url: https://127.0.0.1:9443/convert"),
                    HasSubstr("url: https://127.0.0.1:9443/validate"), HasSubstr("caBundle: UEVN"),
                    Not(HasSubstr("service:")), Not(HasSubstr("kind: Deployment"))));
}

TEST(ReadDeployedManifest, NoCertificateIsMounted_TheProgramAddsItsAuthority) {
  const std::string manifest =
      absl::StrReplaceAll(kManifest, {{"/tmp/k8s-webhook-server/serving-certs", "/data"}});
  const auto read = ReadDeployedManifest(manifest, "PEM");
  ASSERT_THAT(read, IsOk());
  EXPECT_FALSE(read->mounts_certificate);
  EXPECT_THAT(read->redirected,
              AllOf(HasSubstr("url: https://127.0.0.1:9443/convert"), Not(HasSubstr("caBundle"))));
}

TEST(ReadDeployedManifest, AFolderOfCertificatesInTheFlags_IsMounted) {
  const std::string manifest =
      absl::StrReplaceAll(kManifest, {{"--leader-elect", "--webhook-cert-path=/data"},
                                      {"/tmp/k8s-webhook-server/serving-certs", "/data"}});
  const auto read = ReadDeployedManifest(manifest, "PEM");
  ASSERT_THAT(read, IsOk());
  EXPECT_TRUE(read->mounts_certificate);
  EXPECT_THAT(read->redirected, HasSubstr("caBundle: UEVN"));
}

TEST(ReadDeployedManifest, ATextWithoutDeployment_IsAnError) {
  EXPECT_THAT(ReadDeployedManifest("kind: Role\n", "").status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no Deployment")));
  EXPECT_THAT(ReadDeployedManifest("a: b\n---\na: [", "").status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("line 3")));
}

}  // namespace
}  // namespace kube::controller::internal
