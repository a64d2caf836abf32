// The code in docs/rest-credentials.md.
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/handler.h"
#include "clientset/certificate/certificate_manager.h"
#include "clientset/certificate/client_certificate.h"
#include "clientset/certificate/file_store.h"
#include "clientset/certificate/testing/test_signer.h"
#include "clientset/rest/authenticator.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/exec_config.h"
#include "clientset/rest/in_cluster.h"
#include "clientset/rest/testing/test_folder.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace certificate = kube::certificate;
namespace rest = kube::rest;

namespace {

using ::kube::base::IsOk;

absl::StatusOr<rest::Config> Configuration(const rest::Config& outside) {
  absl::StatusOr<rest::Config> config = rest::InClusterConfig();
  if (rest::IsNotInCluster(config.status())) return outside;
  return config;
}

rest::Config WithPlugin() {
  return {.host = "https://10.0.0.1:6443",
          .exec = rest::ExecConfig{.command = "kubelogin",
                                   .args = {"get-token"},
                                   .api_version = "client.authentication.k8s.io/v1",
                                   .interactive_mode = rest::ExecInteractiveMode::kNever,
                                   .timeout = absl::Minutes(1)},
          .tls = {.ca_file = "/etc/kubernetes/ca.crt"}};
}

// Keeps a certificate in files of `folder`, and makes the clients of `config` show it.
absl::StatusOr<std::shared_ptr<certificate::CertificateManager>> KeepCertificate(
    const kube::Context& ctx, const rest::Client& bootstrap, const std::string& folder,
    rest::Config& config) {
  KUBE_ASSIGN_OR_RETURN(
      std::shared_ptr<certificate::FileStore> store,
      certificate::FileStore::Make({.pair_name_prefix = "agent", .certificate_directory = folder}));
  KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<certificate::CertificateManager> manager,
                        certificate::CertificateManager::Make(
                            {.client = [bootstrap](const auto&) { return bootstrap; },
                             .request = {.common_name = "agent-1", .organizations = {"agents"}},
                             .signer_name = "kubernetes.io/kube-apiserver-client",
                             .lifetime = absl::Hours(24),
                             .store = std::move(store)}));
  KUBE_RETURN_IF_ERROR(manager->Start(ctx));
  KUBE_RETURN_IF_ERROR(manager->WaitForCurrent(kube::WithTimeout(ctx, absl::Minutes(15))));
  certificate::UseCertificateOf(manager, config);
  return manager;
}

TEST(RestCredentialsTest, OutsideOfPods) {
  unsetenv("KUBERNETES_SERVICE_HOST");
  const auto config = Configuration({.host = "https://outside"});
  ASSERT_THAT(config.status(), IsOk());
  EXPECT_EQ(config->host, "https://outside");
}

TEST(RestCredentialsTest, Plugin) {
  rest::Config config = WithPlugin();
  config.tls = {};
  EXPECT_THAT(rest::MakeAuthenticator(config).status(), IsOk());
}

TEST(RestCredentialsTest, ACertificateFromTheCluster) {
  const rest::TestFolder folder;
  kube::base::SimRuntime sim;
  const absl::Status end = sim.Run([&folder] {
    kube::apiserver::ApiHandler server;
    const rest::Client bootstrap = *rest::MakeClient(kube::envtest::InProcessConfig(server));
    certificate::TestSigner signer(bootstrap);
    ASSERT_THAT(signer.Start(kube::Context()), IsOk());
    rest::Config config = {.host = "https://10.0.0.1:6443"};
    const auto manager = KeepCertificate(kube::Context(), bootstrap, folder.Path("pki"), config);
    ASSERT_THAT(manager.status(), IsOk());
    EXPECT_EQ((*manager)->Current()->details.common_name, "agent-1");
    EXPECT_EQ(config.tls.get_key_pair()->certificate, (*manager)->Current()->pem.certificate);
  });
  ASSERT_THAT(end, IsOk());
}

}  // namespace
