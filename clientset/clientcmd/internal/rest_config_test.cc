#include "clientset/clientcmd/internal/rest_config.h"

#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/clientcmd/kubeconfig_file.h"
#include "clientset/clientcmd/loading_rules.h"
#include "clientset/rest/config.h"
#include "clientset/rest/oidc_config.h"
#include "clientset/rest/testing/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::clientcmd::internal {
namespace {

using ::kube::base::IsOk;
using ::kube::base::StatusIs;
using ::testing::HasSubstr;

constexpr char kLogin[] = R"(
users:
- name: jane
  user:
    auth-provider:
      name: oidc
      config:
        idp-issuer-url: https://issuer
        client-id: kubernetes
        client-secret: sesame
        idp-certificate-authority: ca.pem
        idp-certificate-authority-data: UEVN
        id-token: a.b.c
        refresh-token: r1
        extra-scopes: groups
)";

// behaviour.md: OIDC-1
TEST(RestConfig, AnOidcUser_BecomesALogin) {
  const rest::TestFolder folder;
  const Kubeconfig config = *LoadFromFile(folder.Write("config", kLogin));
  const absl::StatusOr<rest::Config> made =
      MakeRestConfig({.server = "https://h"}, "jane", config.users.at("jane"), "");
  ASSERT_THAT(made.status(), IsOk());
  ASSERT_TRUE(made->oidc.has_value());
  EXPECT_EQ(made->oidc->issuer_url, "https://issuer");
  EXPECT_EQ(made->oidc->client_id, "kubernetes");
  EXPECT_EQ(made->oidc->client_secret, base::Secret("sesame"));
  EXPECT_EQ(made->oidc->ca_file, "ca.pem");
  EXPECT_EQ(made->oidc->ca_data, "PEM");
  EXPECT_EQ(made->oidc->tokens.id_token, base::Secret("a.b.c"));
  EXPECT_EQ(made->oidc->tokens.refresh_token, base::Secret("r1"));
}

// behaviour.md: OIDC-6
TEST(RestConfig, NewTokensOfALogin_AreWrittenToTheFileOfTheUser) {
  const rest::TestFolder folder;
  const std::string file = folder.Write("config", kLogin);
  LoadingRules rules;
  rules.explicit_path = file;
  const Kubeconfig config = *Load(rules);
  const absl::StatusOr<rest::Config> made =
      MakeRestConfig({.server = "https://h"}, "jane", config.users.at("jane"), "");
  ASSERT_THAT(made.status(), IsOk());
  ASSERT_THAT(made->oidc->persist(Context(), {.id_token = base::Secret("d.e.f"),
                                              .refresh_token = base::Secret("r2")}),
              IsOk());
  const Kubeconfig stored = *LoadFromFile(file);
  const auto& settings = stored.users.at("jane").auth_provider->config;
  EXPECT_EQ(settings.at("id-token"), base::Secret("d.e.f"));
  EXPECT_EQ(settings.at("refresh-token"), base::Secret("r2"));
  // The rest stays as it was written.
  EXPECT_EQ(settings.at("idp-certificate-authority"), base::Secret("ca.pem"));
  EXPECT_EQ(settings.at("extra-scopes"), base::Secret("groups"));

  // What another program has written is read.
  const absl::StatusOr<rest::OidcTokens> read = made->oidc->load(Context());
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(read->id_token, base::Secret("d.e.f"));
  EXPECT_EQ(read->refresh_token, base::Secret("r2"));
  EXPECT_FALSE(std::filesystem::exists(file + ".lock"));

  // The tokens of another issuer are neither sent to this one nor overwritten.
  const std::string issuer = "https://issuer";
  std::string moved = kLogin;
  moved.replace(moved.find(issuer), issuer.size(), "https://elsewhere");
  folder.Write("config", moved);
  EXPECT_THAT(made->oidc->persist(Context(), {}),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("another issuer")));
  EXPECT_THAT(made->oidc->load(Context()).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("another issuer")));

  folder.Write("config", "users: []");
  EXPECT_THAT(made->oidc->persist(Context(), {}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("user \"jane\"")));
  EXPECT_THAT(made->oidc->load(Context()),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("user \"jane\"")));
}

TEST(RestConfig, AnAuthorityThatIsNotBase64_IsAnError) {
  AuthInfo user;
  user.auth_provider = AuthProvider{
      .name = "oidc", .config = {{"idp-certificate-authority-data", base::Secret("*")}}};
  EXPECT_THAT(MakeRestConfig({.server = "https://h"}, "jane", user, "").status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("not base64")));
}

TEST(RestConfig, EscapeCodes) {
  EXPECT_EQ(CleanEscapeCodes("a\x1b[1m\tb\n\xC2\xA0\xE2\x80\x8B\x80\xC3\xA9"),
            "aU+001B[1m\tb\n\xC2\xA0U+200B\xEF\xBF\xBD\xC3\xA9");
}

TEST(RestConfig, Same) {
  EXPECT_TRUE(SameConfig({}, {}));
  EXPECT_FALSE(SameConfig({.host = "a"}, {}));
  EXPECT_FALSE(SameConfig({.proxy_url = "http://p"}, {.proxy_url = "http://p"}));
  EXPECT_FALSE(SameConfig({.tls = {.insecure = true}}, {}));
  rest::Config login;
  login.oidc = rest::OidcConfig{.issuer_url = "https://issuer"};
  EXPECT_FALSE(SameConfig(login, {}));
  EXPECT_TRUE(SameConfig(login, login));
}

}  // namespace
}  // namespace kube::clientcmd::internal
