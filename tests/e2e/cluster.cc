#include "tests/e2e/cluster.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/substitute.h"
#include "absl/time/time.h"
#include "api/authentication/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "envtest/crds.h"
#include "envtest/environment.h"
#include "envtest/workloads/workloads.h"
#include "examples/testing/objects.h"

namespace kube::e2e {
namespace {

namespace authenticationv1 = api::authentication::v1;
namespace corev1 = api::core::v1;

constexpr char kDefinitions[] = "examples/sample_controller/foo_crds.yaml";
constexpr char kManifests[] = "examples/sample_controller/deploy/sample-controller.yaml";

Context Soon() { return WithTimeout({}, absl::Minutes(1)); }

}  // namespace

Cluster::Cluster(std::unique_ptr<envtest::Environment> environment, kubernetes::Clientset client)
    : environment_(std::move(environment)), client_(std::move(client)) {}

absl::StatusOr<std::unique_ptr<Cluster>> Cluster::Start() {
  const Context ctx = WithTimeout({}, absl::Minutes(3));
  const char* const server = std::getenv("E2E_SERVER");
  if (server == nullptr) return StartEmbeddedCluster(ctx);
  if (absl::string_view(server) == "real") return StartRealCluster(ctx);
  return absl::InvalidArgumentError(absl::StrCat("E2E_SERVER is \"", server, "\", want \"real\""));
}

absl::Status Cluster::Prepare(const Context& ctx, envtest::WorkloadsOptions options) {
  KUBE_RETURN_IF_ERROR(envtest::InstallCrds(
      ctx, client_.client(), {.paths = {kDefinitions}, .timeout = absl::Minutes(1)}));
  KUBE_RETURN_IF_ERROR(examples::CreateObjects(ctx, client_.client(), kManifests));
  KUBE_RETURN_IF_ERROR(client_.CoreV1().Namespaces().Create(ctx, {.metadata = {.name = kFoos}}));
  KUBE_ASSIGN_OR_RETURN(workloads_,
                        envtest::Workloads::Start(environment_->Config(), std::move(options)));
  return absl::OkStatus();
}

absl::StatusOr<kubernetes::Clientset> Cluster::ClientOf(absl::string_view token) const {
  return kubernetes::Clientset::Make(environment_->Config(token));
}

std::string Cluster::KubeconfigOf(absl::string_view token_file) const {
  return absl::Substitute(R"(apiVersion: v1
kind: Config
clusters:
- name: e2e
  cluster: {server: "$0", certificate-authority-data: "$1"}
users:
- name: e2e
  user: {tokenFile: "$2"}
contexts:
- name: e2e
  context: {cluster: e2e, user: e2e, namespace: $3}
current-context: e2e
)",
                          environment_->url(), absl::Base64Escape(environment_->ca_certificate()),
                          token_file, kController);
}

absl::StatusOr<std::string> Cluster::IssueToken() {
  const Context ctx = Soon();
  const auto core = client_.CoreV1();
  KUBE_ASSIGN_OR_RETURN(
      const corev1::Secret anchor,
      core.Secrets(kController).Create(ctx, {.metadata = {.generate_name = "token-anchor-"}}));
  authenticationv1::TokenRequest request;
  request.spec.expiration_seconds = 600;
  request.spec.bound_object_ref = {{.kind = "Secret",
                                    .api_version = "v1",
                                    .name = anchor.metadata.name,
                                    .uid = anchor.metadata.uid}};
  KUBE_ASSIGN_OR_RETURN(
      const authenticationv1::TokenRequest answer,
      core.ServiceAccounts(kController).CreateToken(ctx, kController, std::move(request)));
  std::string token(answer.status.token);
  anchors_[token] = std::string(anchor.metadata.name);
  return token;
}

absl::Status Cluster::RevokeToken(const std::string& token) {
  return client_.CoreV1().Secrets(kController).Delete(Soon(), anchors_[token]);
}

}  // namespace kube::e2e
