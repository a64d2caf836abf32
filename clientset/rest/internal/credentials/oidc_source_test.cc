#include "clientset/rest/internal/credentials/oidc_source.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/config.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "clientset/rest/internal/credentials/file_credentials.h"
#include "clientset/rest/internal/credentials/oidc_login.h"
#include "clientset/rest/oidc_config.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::rest::internal {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::testing::HasSubstr;

// Its payload is {"exp":32503680000}.
constexpr char kToken[] = "e30.eyJleHAiOjMyNTAzNjgwMDAwfQ.c2ln";

std::unique_ptr<OidcSource> Make(OidcTokens tokens) {
  auto login = std::make_shared<OidcLogin>(
      OidcConfig{.tokens = std::move(tokens)},
      [](const Context&, const OidcTokens&) -> absl::StatusOr<OidcTokens> {
        return absl::InternalError("a refresh is not expected");
      });
  return std::make_unique<OidcSource>(*FileCredentials::Make(Config()), std::move(login));
}

TEST(OidcSource, RequestsCarryTheTokenAndShareTheCredentials) {
  auto source = Make({.id_token = base::Secret(kToken)});
  const auto first = source->Get({});
  ASSERT_THAT(first.status(), IsOk());
  EXPECT_EQ((*first)->authorization, base::Secret(absl::StrCat("Bearer ", kToken)));
  EXPECT_EQ(*source->Get({}), *first);
  EXPECT_EQ(*source->GetWithoutAuthorization({}), *first);
}

// behaviour.md: OIDC-7
TEST(OidcSource, ARejectedToken_IsNotRenewed) {
  auto source = Make({.id_token = base::Secret(kToken)});
  const auto used = *source->Get({});
  EXPECT_THAT(source->Rejected({}, *used), IsOkAndHolds(false));
}

TEST(OidcSource, RequestsWithTheirOwnAuthorization_NeedNoToken) {
  auto source = Make({});
  EXPECT_THAT(source->GetWithoutAuthorization({}).status(), IsOk());
}

TEST(OidcSource, TwoOfOneConfiguration_AskTheIssuerOnce) {
  auto issuer = std::make_shared<ScriptedTransport>();
  issuer->Expect({.path = "/.well-known/openid-configuration"},
                 JsonReply(R"({"token_endpoint": "https://issuer/token"})"));
  issuer->Expect({.path = "/token"}, JsonReply(absl::StrCat("{\"id_token\": \"", kToken,
                                                            "\", \"refresh_token\": \"r2\"}")));
  Config config;
  config.oidc = OidcConfig{.issuer_url = "https://issuer",
                           .client_id = "c",
                           .tokens = {.refresh_token = base::Secret("r1")},
                           .transport = issuer};
  const auto first = OidcSource::Make(config);
  const auto second = OidcSource::Make(config);
  ASSERT_THAT(first, IsOk());
  ASSERT_THAT(second, IsOk());
  const auto got = (*first)->Get({});
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ((*got)->authorization, base::Secret(absl::StrCat("Bearer ", kToken)));
  EXPECT_EQ((*(*second)->Get({}))->authorization, (*got)->authorization);
  EXPECT_THAT(issuer->Verify(), IsOk());
}

// behaviour.md: OIDC-1
TEST(OidcSource, IssuerAndClientAreRequired) {
  Config config;
  config.oidc = OidcConfig{.client_id = "c"};
  EXPECT_THAT(OidcSource::Make(config).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, "Must provide idp-issuer-url"));
  config.oidc = OidcConfig{.issuer_url = "https://issuer"};
  EXPECT_THAT(OidcSource::Make(config).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, "Must provide client-id"));
  config.oidc->client_id = "c";
  config.oidc->ca_file = "/none/ca.pem";
  EXPECT_THAT(OidcSource::Make(config).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("/none/ca.pem")));
  config.oidc->ca_file.clear();
  EXPECT_THAT(OidcSource::Make(config).status(), IsOk());
}

}  // namespace
}  // namespace kube::rest::internal
