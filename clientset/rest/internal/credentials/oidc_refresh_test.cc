#include "clientset/rest/internal/credentials/oidc_refresh.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/oidc_config.h"
#include "clientset/rest/testing/scripted_stream.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"

namespace kube::rest::internal {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string TokenOf(absl::string_view payload) {
  return absl::StrCat("e30.", absl::WebSafeBase64Escape(payload), ".c2ln");
}

// behaviour.md: OIDC-3
TEST(IdTokenExpiry, TokensWithAnEnd_ReturnIt) {
  const struct {
    const char* name;
    const char* payload;
    absl::Time expiry;
  } kCases[] = {
      {"integer", R"({"exp": 1700000000})", absl::FromUnixSeconds(1700000000)},
      {"fraction", R"({"exp": 1700000000.75})", absl::FromUnixSeconds(1700000000)},
      {"exponent", R"({"exp": 1.7e9})", absl::FromUnixSeconds(1700000000)},
      {"other claims", R"({"sub": "me", "exp": 0})", absl::UnixEpoch()},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(IdTokenExpiry(TokenOf(c.payload)), IsOkAndHolds(c.expiry)) << c.name;
  }
}

TEST(IdTokenExpiry, TextsThatAreNoTokens_AreRefusedWithoutBeingRepeated) {
  const struct {
    const char* name;
    std::string token;
    const char* message;
  } kCases[] = {
      {"empty", "", "not a valid JWT"},
      {"two parts", "e30.sesame", "not a valid JWT"},
      {"four parts", "e30.sesame.a.b", "not a valid JWT"},
      {"not base64", "e30.sesame!.b", "not base64"},
      {"padding", "e30.c2VzYW1lMQ==.b", "not base64"},
      {"not JSON", TokenOf("sesame"), "no number"},
      {"no exp", TokenOf(R"({"sesame": 1})"), "no number"},
      {"text", TokenOf(R"({"exp": "sesame"})"), "no number"},
      {"not an object", TokenOf("[1]"), "no number"},
  };
  for (const auto& c : kCases) {
    const absl::Status status = IdTokenExpiry(c.token).status();
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(c.message)))
        << c.name;
    EXPECT_THAT(status.ToString(), Not(HasSubstr("sesame"))) << c.name;
  }
}

class RefreshOidcTokensTest : public ::testing::Test {
 protected:
  // Adds the issuer's discovery document to the script.
  void ExpectDiscovery(absl::string_view endpoint = "https://issuer/token") {
    transport_.Expect({.method = "GET", .path = "/tenant/.well-known/openid-configuration"},
                      JsonReply(absl::StrCat(R"({"token_endpoint": ")", endpoint, "\"}")));
  }
  absl::StatusOr<OidcTokens> Refresh() {
    return RefreshOidcTokens(Context(), transport_, httpclient::ConnectionOptions(), config_, old_);
  }

  ScriptedTransport transport_;
  OidcConfig config_ = {.issuer_url = "https://issuer/tenant/",
                        .client_id = "my program",
                        .client_secret = base::Secret("s&same")};
  OidcTokens old_ = {.refresh_token = base::Secret("old+one")};
};

// behaviour.md: OIDC-4, OIDC-5
TEST_F(RefreshOidcTokensTest, TheEndpointIsFoundAndSentTheToken) {
  ExpectDiscovery();
  transport_.Expect(
      {.method = "POST",
       .path = "/token",
       .headers = {{"content-type", "application/x-www-form-urlencoded"},
                   {"authorization",
                    absl::StrCat("Basic ", absl::Base64Escape("my+program:s%26same"))}},
       .body = "grant_type=refresh_token&refresh_token=old%2Bone"},
      JsonReply(R"({"id_token": "a.b.c", "refresh_token": "new", "access_token": "x"})"));
  const absl::StatusOr<OidcTokens> tokens = Refresh();
  ASSERT_THAT(tokens.status(), IsOk());
  EXPECT_EQ(tokens->id_token, base::Secret("a.b.c"));
  EXPECT_EQ(tokens->refresh_token, base::Secret("new"));
  EXPECT_THAT(transport_.Verify(), IsOk());
}

TEST_F(RefreshOidcTokensTest, WithoutANewRefreshToken_TheOldOneStays) {
  ExpectDiscovery();
  transport_.Expect({.path = "/token"}, JsonReply(R"({"id_token": "a.b.c"})"));
  const absl::StatusOr<OidcTokens> tokens = Refresh();
  ASSERT_THAT(tokens.status(), IsOk());
  EXPECT_EQ(tokens->refresh_token, base::Secret("old+one"));
}

TEST_F(RefreshOidcTokensTest, AnIssuerThatWantsTheSecretInTheForm_GetsItThere) {
  ExpectDiscovery();
  transport_.Expect(
      {.path = "/token",
       .predicate =
           [](const RecordedRequest& request) { return !request.Header("authorization").empty(); }},
      JsonReply(R"({"error": "invalid_client"})", 401));
  transport_.Expect({.path = "/token",
                     .body = "client_id=my+program&client_secret=s%26same&"
                             "grant_type=refresh_token&refresh_token=old%2Bone"},
                    JsonReply(R"({"id_token": "a.b.c"})"));
  EXPECT_THAT(Refresh().status(), IsOk());
  EXPECT_THAT(transport_.Verify(), IsOk());
}

TEST_F(RefreshOidcTokensTest, WithoutARefreshToken_NothingIsAsked) {
  old_.refresh_token = base::Secret();
  EXPECT_THAT(Refresh().status(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                           HasSubstr("cannot refresh without refresh-token")));
  EXPECT_TRUE(transport_.requests().empty());
}

TEST_F(RefreshOidcTokensTest, WhatTheIssuerAnswersWrong_IsSaidInTheError) {
  const std::string page(200, 'x');
  const struct {
    const char* name;
    ScriptedReply discovery;
    ScriptedReply token;
    absl::StatusCode code;
    std::string message;
  } kCases[] = {
      {"no document",
       {.status = 404, .body = page},
       {},
       absl::StatusCode::kUnauthenticated,
       absl::StrCat("failed to refresh token: oidc: failed to query metadata endpoint 404: \"",
                    page.substr(0, 80), "...\"")},
      {"no JSON",
       {.body = "<html>"},
       {},
       absl::StatusCode::kInvalidArgument,
       "oidc: failed to decode provider discovery object"},
      {"no endpoint",
       JsonReply("{}"),
       {},
       absl::StatusCode::kInvalidArgument,
       "oidc: discovery object doesn't contain a token_endpoint"},
      {"endpoint without TLS",
       JsonReply(R"({"token_endpoint": "http://issuer/token"})"),
       {},
       absl::StatusCode::kFailedPrecondition,
       "not an https URL"},
      {"refused", JsonReply(R"({"token_endpoint": "https://issuer/token"})"),
       JsonReply(R"({"error": "invalid_grant", "error_description": "it has expired"})", 400),
       absl::StatusCode::kUnauthenticated, "oauth2: \"invalid_grant\" \"it has expired\""},
      {"refused without a reason",
       JsonReply(R"({"token_endpoint": "https://issuer/token"})"),
       {.status = 502, .body = "bad gateway"},
       absl::StatusCode::kUnavailable,
       "oauth2: cannot fetch token: 502\nResponse: \"bad gateway\""},
      {"no ID token", JsonReply(R"({"token_endpoint": "https://issuer/token"})"),
       JsonReply(R"({"access_token": "x"})"), absl::StatusCode::kInvalidArgument,
       "token response did not contain an id_token"},
      {"a token with a line break", JsonReply(R"({"token_endpoint": "https://issuer/token"})"),
       JsonReply(R"({"id_token": "a\nb"})"), absl::StatusCode::kInvalidArgument, "id_token"},
      {"token response that is not JSON",
       JsonReply(R"({"token_endpoint": "https://issuer/token"})"),
       {.body = "id_token=x"},
       absl::StatusCode::kInvalidArgument,
       "oauth2: cannot parse json"},
  };
  for (const auto& c : kCases) {
    ScriptedTransport transport;
    transport.Always({.method = "GET"}, c.discovery);
    transport.Always({.method = "POST"}, c.token);
    EXPECT_THAT(
        RefreshOidcTokens(Context(), transport, httpclient::ConnectionOptions(), config_, old_)
            .status(),
        StatusIs(c.code, HasSubstr(c.message)))
        << c.name;
  }
}

TEST_F(RefreshOidcTokensTest, AnIssuerThatFallsSilent_IsGivenUpAfterOneDeadlineForAllRequests) {
  const ScriptedReply silent = {.stream = std::make_shared<ScriptedStream>()};
  const ScriptedReply slow = {.body = R"({"token_endpoint": "https://issuer/token?token=sesame"})",
                              .delay = absl::Seconds(20)};
  const struct {
    const char* name;
    ScriptedReply discovery;
    ScriptedReply token;
    const char* message;
  } kCases[] = {
      {"no header", {.hang = true}, {}, "Get \"https://issuer/tenant/.well-known/"},
      {"no body", silent, {}, "Get \"https://issuer/tenant/.well-known/"},
      {"no token", slow, {.hang = true}, "Post \"https://issuer/token?"},
  };
  for (const auto& c : kCases) {
    base::SimRuntime sim;
    const absl::Status end = sim.Run([&] {
      ScriptedTransport transport;
      transport.Always({.method = "GET"}, c.discovery);
      transport.Always({.method = "POST"}, c.token);
      config_.issuer_url = "https://me:sesame@issuer/tenant";
      const base::MonotonicTime start = base::Now();
      const absl::Status status =
          RefreshOidcTokens(Context(), transport, httpclient::ConnectionOptions(), config_, old_)
              .status();
      EXPECT_THAT(status,
                  StatusIs(absl::StatusCode::kDeadlineExceeded,
                           AllOf(StartsWith("failed to refresh token: "), HasSubstr(c.message),
                                 HasSubstr(": context deadline"), Not(HasSubstr("sesame")))))
          << c.name;
      EXPECT_EQ(base::Now() - start, kOidcRefreshTimeout) << c.name;
    });
    EXPECT_THAT(end, IsOk());
  }
}

TEST_F(RefreshOidcTokensTest, AnIssuerThatCannotBeReached_IsNamedWithTheCause) {
  transport_.Expect({.method = "GET"}, {.error = absl::UnavailableError("connection refused")});
  EXPECT_THAT(Refresh().status(),
              StatusIs(absl::StatusCode::kUnavailable,
                       "failed to refresh token: Get "
                       "\"https://issuer/tenant/.well-known/openid-configuration\": "
                       "connection refused"));
}

TEST_F(RefreshOidcTokensTest, AnIssuerWithoutTls_IsAcceptedOnThisMachineOnly) {
  config_.issuer_url = "http://me:sesame@issuer.example.com";
  EXPECT_THAT(Refresh().status(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("\"http://issuer.example.com\": it is not an https URL")));
  EXPECT_TRUE(transport_.requests().empty());

  config_.issuer_url = "http://127.0.0.1:5556/tenant";
  ExpectDiscovery("http://127.0.0.1:5556/token");
  transport_.Expect({.path = "/token"}, JsonReply(R"({"id_token": "a.b.c"})"));
  EXPECT_THAT(Refresh().status(), IsOk());
}

}  // namespace
}  // namespace kube::rest::internal
