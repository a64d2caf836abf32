#include "envtest/environment.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/clientcmd/client_config.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest {
namespace {

using base::IsOk;
using base::StatusIs;

absl::Status Ask(const rest::Config& config) {
  absl::StatusOr<rest::Client> client = rest::MakeClient(config);
  if (!client.ok()) return client.status();
  return client->Do(Context(), {.absolute_path = "/api/v1/pods", .max_retries = 0}).status();
}

TEST(EmbeddedEnvironment, Config_TokenKubeconfigOrCertificate_Authenticates) {
  auto environment = EmbeddedEnvironment::Start();
  ASSERT_THAT(environment, IsOk());
  Environment& any = **environment;
  EXPECT_THAT(Ask(any.Config()), IsOk());
  EXPECT_THAT(Ask(ConfigOf((*environment)->server())), IsOk());
  EXPECT_THAT(Ask(*clientcmd::RestConfigFromKubeconfig(any.Kubeconfig())), IsOk());
  EXPECT_TRUE(errors::IsUnauthorized(Ask(any.Config("nobody's"))));

  rest::Config by_certificate = rest::AnonymousConfig(any.Config());
  const auto certificate = any.IssueClientCertificate({.name = "bob"});
  ASSERT_THAT(certificate, IsOk());
  by_certificate.tls.cert_data = certificate->certificate;
  by_certificate.tls.key_data = certificate->key;
  EXPECT_THAT(Ask(by_certificate), IsOk());
  EXPECT_EQ((*environment)->server().handler().Requests().back().user, "bob");
}

TEST(EmbeddedEnvironment, Start_WithoutTls_ServesPlainHttp) {
  auto environment = EmbeddedEnvironment::Start({.tls = false});
  ASSERT_THAT(environment, IsOk());
  EXPECT_EQ((*environment)->ca_certificate(), "");
  EXPECT_THAT(Ask((*environment)->Config()), IsOk());
}

TEST(EmbeddedEnvironment, Stop_RefusesRequestsAndCertificates) {
  auto environment = EmbeddedEnvironment::Start();
  ASSERT_THAT(environment, IsOk());
  EXPECT_THAT((*environment)->Stop(), IsOk());
  EXPECT_THAT(Ask((*environment)->Config()), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT((*environment)->IssueClientCertificate({.name = "bob"}),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT((*environment)->Stop(), IsOk());
}

}  // namespace
}  // namespace kube::envtest
