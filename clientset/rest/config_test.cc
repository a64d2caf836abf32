#include "clientset/rest/config.h"

#include <memory>
#include <string>

#include "absl/time/time.h"
#include "apimachinery/base/secret.h"
#include "clientset/rest/exec_config.h"
#include "clientset/rest/oidc_config.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/connection_dialer.h"

namespace kube::rest {
namespace {

Config Full() {
  Config config;
  config.host = "https://10.0.0.1:6443";
  config.username = "jane";
  config.password = base::Secret("sesame");
  config.bearer_token = base::Secret("sesame");
  config.bearer_token_file = "/token";
  config.exec = ExecConfig{.command = "login", .args = {"sesame"}, .api_version = "v1"};
  config.impersonate = {.user_name = "joe", .groups = {"a", "b"}};
  config.tls = {.server_name = "kube",
                .cert_data = "PEM",
                .key_data = base::Secret("sesame"),
                .ca_file = "/ca.crt"};
  config.proxy_url = "http://u:sesame@proxy:3128";
  config.qps = 5;
  config.burst = 10;
  config.timeout = absl::Seconds(30);
  return config;
}

TEST(ConfigTest, RedactedString) {
  EXPECT_EQ(RedactedString(Full()),
            "{host=\"https://10.0.0.1:6443\" username=\"jane\" password=<redacted> "
            "bearer_token=<redacted> bearer_token_file=\"/token\" exec={command=\"login\" "
            "api_version=\"v1\" args=<redacted>} impersonate={user_name=\"joe\" groups=\"a,b\"} "
            "tls={server_name=\"kube\" ca_file=\"/ca.crt\" cert_data=<3 bytes> "
            "key_data=<redacted>} proxy_url=\"http://proxy:3128\" qps=5 burst=10 timeout=30s}");
  EXPECT_EQ(RedactedString({}), "{impersonate={} tls={}}");
}

TEST(ConfigTest, RedactedString_OfALogin_HasNoToken) {
  const auto ReadToken = [] { return "sesame"; };
  Config config;
  config.oidc = OidcConfig{.issuer_url = "https://login.example.com",
                           .client_id = "kubernetes",
                           .tokens = {.refresh_token = base::Secret(ReadToken())}};
  config.oidc->client_secret = base::Secret("sesame");
  EXPECT_EQ(RedactedString(config),
            "{oidc={issuer_url=\"https://login.example.com\" client_id=\"kubernetes\" "
            "client_secret=<redacted> refresh_token=<redacted>} impersonate={} tls={}}");
  EXPECT_EQ(RedactedString(AnonymousConfig(config)), "{impersonate={} tls={}}");
}

TEST(ConfigTest, DialersAreNotCredentials) {
  Config config;
  config.dialer = httpclient::UnixSocketDialer("/run/kube.sock");
  EXPECT_EQ(RedactedString(config), "{impersonate={} tls={} dialer=true}");
  EXPECT_EQ(AnonymousConfig(config).dialer, config.dialer);
}

TEST(ConfigTest, AFunctionThatProvidesCertificatesIsACredential) {
  Config config;
  config.tls.get_key_pair = [] { return std::make_shared<const ClientKeyPair>(); };
  EXPECT_EQ(RedactedString(config), "{impersonate={} tls={get_key_pair=true}}");
  EXPECT_EQ(RedactedString(AnonymousConfig(config)), "{impersonate={} tls={}}");
}

TEST(ConfigTest, AnonymousConfigHasNoCredentials) {
  const Config anonymous = AnonymousConfig(Full());
  EXPECT_EQ(RedactedString(anonymous),
            "{host=\"https://10.0.0.1:6443\" impersonate={} tls={server_name=\"kube\" "
            "ca_file=\"/ca.crt\"} proxy_url=\"http://proxy:3128\" qps=5 burst=10 timeout=30s}");
}

// behaviour.md: REST-18
TEST(ConfigTest, DefaultUserAgent) {
  EXPECT_THAT(DefaultUserAgent(),
              testing::MatchesRegex("config_test/v[0-9.]+ \\(linux/[a-z0-9]+\\) "
                                    "kubernetes/unknown"));
}

}  // namespace
}  // namespace kube::rest
