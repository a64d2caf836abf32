// Who one is, in all ways, against a real server.
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/authentication/v1/types.kube.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/exec_config.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/transport_error.h"
#include "tests/integration/real_server.h"

namespace kube::integration {
namespace {

namespace authenticationv1 = api::authentication::v1;

using ::kube::base::IsOk;
using ::testing::Contains;
using ::testing::ElementsAre;

constexpr typed::Resource kSelfSubjectReviews = {.group = "authentication.k8s.io",
                                                 .version = "v1",
                                                 .plural = "selfsubjectreviews",
                                                 .kind = "SelfSubjectReview",
                                                 .namespaced = false,
                                                 .built_in = true};

absl::StatusOr<authenticationv1::UserInfo> WhoAmI(const rest::Config& config) {
  absl::StatusOr<rest::Client> client = rest::MakeClient(config);
  if (!client.ok()) return client.status();
  const typed::TypedClient<authenticationv1::SelfSubjectReview, authenticationv1::SelfSubjectReview>
      reviews(*client, kSelfSubjectReviews);
  absl::StatusOr<authenticationv1::SelfSubjectReview> review = reviews.Create(Soon(), {});
  if (!review.ok()) return review.status();
  return review->status.user_info;
}

std::string NameIn(const rest::Config& config) {
  const absl::StatusOr<authenticationv1::UserInfo> user = WhoAmI(config);
  return user.ok() ? std::string(user->username) : user.status().ToString();
}

rest::Config Anonymous() { return rest::AnonymousConfig(ConfigOf()); }

TEST(CredentialsTest, ContextsOfTheKubeconfig) {
  EXPECT_EQ(NameIn(ConfigOf("admin")), "admin");
  EXPECT_EQ(NameIn(ConfigOf("admin-token")), "admin");
  EXPECT_EQ(NameIn(ConfigOf("plain-user")), "plain-user");
  EXPECT_EQ(NameIn(ConfigOf("plain-token")), "plain-user");
}

TEST(CredentialsTest, NobodyAndWrongToken) {
  EXPECT_TRUE(errors::IsForbidden(WhoAmI(Anonymous()).status())) << WhoAmI(Anonymous()).status();
  rest::Config wrong = Anonymous();
  wrong.bearer_token = base::Secret("wrong-token-of-this-test");
  const absl::Status status = WhoAmI(wrong).status();
  EXPECT_TRUE(errors::IsUnauthorized(status)) << status;
  EXPECT_EQ(status.ToString().find("wrong-token-of-this-test"), std::string::npos);
}

TEST(CredentialsTest, TokenFile) {
  const std::string file = absl::StrCat(::testing::TempDir(), "/token");
  std::ofstream(file) << "plain-token\n";
  rest::Config config = Anonymous();
  config.bearer_token_file = file;
  EXPECT_EQ(NameIn(config), "plain-user");
}

TEST(CredentialsTest, CertificateFiles) {
  const std::string pki = absl::StrCat(Variable("KUBE_DIR"), "/pki/");
  rest::Config config = Anonymous();
  config.tls.cert_file = absl::StrCat(pki, "plain-user.crt");
  config.tls.key_file = absl::StrCat(pki, "plain-user.key");
  config.tls.ca_data.clear();
  config.tls.ca_file = absl::StrCat(pki, "ca.crt");
  EXPECT_EQ(NameIn(config), "plain-user");
}

TEST(CredentialsTest, ExecPlugin) {
  rest::Config config = Anonymous();
  config.exec = rest::ExecConfig{.command = "examples/exec_plugin/plugin",
                                 .env = {{"EXAMPLE_TOKEN", "plain-token"}},
                                 .api_version = "client.authentication.k8s.io/v1",
                                 .interactive_mode = rest::ExecInteractiveMode::kNever};
  EXPECT_EQ(NameIn(config), "plain-user");
}

TEST(CredentialsTest, Impersonation) {
  rest::Config config = ConfigOf();
  config.impersonate = {.user_name = "jane",
                        .uid = "7",
                        .groups = {"dev ops", "system:authenticated"},
                        .extra = {{"example.org/scope", {"a", "b"}}}};
  const absl::StatusOr<authenticationv1::UserInfo> user = WhoAmI(config);
  ASSERT_THAT(user.status(), IsOk());
  EXPECT_EQ(user->username, "jane");
  EXPECT_EQ(user->uid, "7");
  EXPECT_THAT(user->groups, Contains("dev ops"));
  EXPECT_TRUE(user->extra.contains("example.org/scope"));

  rest::Config plain = ConfigOf("plain-user");
  plain.impersonate.user_name = "jane";
  EXPECT_TRUE(errors::IsForbidden(WhoAmI(plain).status()));
}

TEST(CredentialsTest, ServersOfOthers) {
  rest::Config config = ConfigOf();
  config.tls.ca_data.clear();
  config.tls.ca_file.clear();
  absl::Status status = WhoAmI(config).status();
  ASSERT_TRUE(httpclient::TransportErrorOf(status).has_value()) << status;
  EXPECT_EQ(httpclient::TransportErrorOf(status)->kind, httpclient::TransportErrorKind::kTls)
      << status;

  config = ConfigOf();
  config.tls.server_name = "other.example";
  status = WhoAmI(config).status();
  ASSERT_TRUE(httpclient::TransportErrorOf(status).has_value()) << status;
  EXPECT_EQ(httpclient::TransportErrorOf(status)->kind, httpclient::TransportErrorKind::kTls)
      << status;

  config.tls.server_name = "kubernetes.default.svc";
  EXPECT_EQ(NameIn(config), "admin");
}

}  // namespace
}  // namespace kube::integration
