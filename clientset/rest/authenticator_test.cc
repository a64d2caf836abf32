#include "clientset/rest/authenticator.h"

#include <atomic>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "clientset/rest/config.h"
#include "clientset/rest/exec_config.h"
#include "clientset/rest/oidc_config.h"
#include "clientset/rest/testing/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpclient/connection_dialer.h"
#include "net/httpclient/http_message.h"

namespace kube::rest {
namespace {

using certificates::Certificate;
using certificates::CertificateAuthority;
using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kPlugin[] = "clientset/rest/testing/fake_exec_plugin";

Config ExecConfiguration(std::vector<std::string> args) {
  return {.host = "https://server",
          .exec = ExecConfig{.command = kPlugin,
                             .args = std::move(args),
                             .api_version = "client.authentication.k8s.io/v1",
                             .interactive_mode = ExecInteractiveMode::kNever}};
}

std::shared_ptr<Authenticator> Make(const Config& config) {
  auto made = MakeAuthenticator(config);
  EXPECT_THAT(made.status(), IsOk());
  return made.ok() ? *made : nullptr;
}

std::shared_ptr<const Authentication> Get(Authenticator& authenticator) {
  auto got = authenticator.Get({});
  EXPECT_THAT(got.status(), IsOk());
  return got.ok() ? *got : nullptr;
}

std::string HeaderOf(const std::shared_ptr<const Authentication>& authentication) {
  return std::string(authentication->authorization.Reveal());
}

// The output of a plug-in that gives a certificate and a token. It has expired.
std::string PluginOutput(const Certificate& pair) {
  const auto json = [](absl::string_view text) {
    return absl::StrReplaceAll(text, {{"\n", "\\n"}});
  };
  return absl::StrCat(
      R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{)",
      R"("token":"plugged","clientCertificateData":")", json(pair.certificate),
      R"(","clientKeyData":")", json(pair.key.Reveal()),
      R"(","expirationTimestamp":"2020-01-01T00:00:00Z"}})");
}

class AuthenticatorTest : public ::testing::Test {
 protected:
  const TestFolder folder_;
  const CertificateAuthority authority_ = *CertificateAuthority::Make("ca");
};

TEST_F(AuthenticatorTest, Connection) {
  const Certificate pair = *authority_.Issue({});
  const auto authenticator = Make({.tls = {.server_name = "name",
                                           .cert_data = pair.certificate,
                                           .key_data = pair.key,
                                           .ca_data = authority_.certificate()},
                                   .proxy_url = "http://proxy",
                                   .http_version = httpclient::HttpVersion::kHttp1});
  const auto got = Get(*authenticator);
  EXPECT_EQ(*got->connection,
            (httpclient::ConnectionOptions{.ca_certificates = authority_.certificate(),
                                           .client_certificate = pair.certificate,
                                           .client_key = pair.key,
                                           .tls_server_name = "name",
                                           .proxy_url = "http://proxy",
                                           .http_version = httpclient::HttpVersion::kHttp1}));
  EXPECT_EQ(Get(*authenticator), got);
  EXPECT_TRUE(Get(*Make({.tls = {.insecure = true}}))->connection->insecure_skip_tls_verify);
}

TEST_F(AuthenticatorTest, Proxy) {
  const struct {
    std::optional<std::string> configured;
    const char* used;
  } kCases[] = {{std::nullopt, "http://default"}, {"", ""}, {"http://own", "http://own"}};
  for (const auto& c : kCases) {
    const auto made = MakeAuthenticator({.proxy_url = c.configured}, "http://default");
    ASSERT_THAT(made.status(), IsOk());
    EXPECT_EQ(Get(**made)->connection->proxy_url, c.used);
  }
}

TEST_F(AuthenticatorTest, ADialerTakesThePlaceOfTheProxy) {
  const auto dialer = httpclient::UnixSocketDialer("/run/kube.sock");
  const auto made = MakeAuthenticator({.proxy_url = "ftp://x", .dialer = dialer}, "ftp://y");
  ASSERT_THAT(made.status(), IsOk());
  const auto got = Get(**made);
  EXPECT_EQ(got->connection->dialer, dialer);
  EXPECT_EQ(got->connection->proxy_url, "");
  EXPECT_EQ(Get(*Make({}))->connection->dialer, nullptr);
}

// The error comes when the client is made and not when it first connects; it does not contain the
// password.
TEST_F(AuthenticatorTest, WhatIsNoProxy) {
  for (const std::string proxy :
       {"htp://user:s3cret@proxy:9", "ftp://user:s3cret@proxy", "http://user:s3/cret@proxy"}) {
    SCOPED_TRACE(proxy);
    for (const absl::Status& status : {MakeAuthenticator({.proxy_url = proxy}).status(),
                                       MakeAuthenticator({}, proxy).status()}) {
      EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("proxy_url: ")));
      EXPECT_THAT(std::string(status.message()), Not(HasSubstr("s3")));
    }
  }
}

TEST_F(AuthenticatorTest, Contradictions) {
  const Certificate pair = *authority_.Issue({});
  const struct {
    const char* name;
    Config config;
    const char* message;
  } kCases[] = {
      {"insecure",
       {.tls = {.insecure = true, .ca_file = "/none"}},
       "with the insecure flag is not allowed"},
      {"no authorities", {.tls = {.ca_file = "/none"}}, "read \"/none\""},
      {"no key", {.tls = {.cert_data = pair.certificate}}, "without a client key"},
      {"password and token", {.username = "a", .bearer_token = base::Secret("b")}, "not both"},
      {"wrong plug-in",
       {.bearer_token = base::Secret("b"), .exec = ExecConfig{}},
       "command must be specified"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(MakeAuthenticator(c.config).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(c.message)))
        << c.name;
  }
}

// A new token keeps the connection; a new certificate or authority needs another one.
TEST_F(AuthenticatorTest, Rotation) {
  base::FakeClock clock;
  const base::RuntimeScope scope(clock);
  const Certificate a = *authority_.Issue({.common_name = "a"});
  const Certificate b = *authority_.Issue({.common_name = "b"});
  const auto authenticator =
      Make({.bearer_token_file = folder_.Write("token", "one"),
            .tls = {.cert_file = folder_.Write("cert", a.certificate),
                    .key_file = folder_.Write("key", a.key.Reveal()),
                    .ca_file = folder_.Write("ca", authority_.certificate())}});
  const auto first = Get(*authenticator);

  folder_.Write("token", "two");
  clock.Step(absl::Minutes(1));
  const auto second = Get(*authenticator);
  EXPECT_EQ(HeaderOf(second), "Bearer two");
  EXPECT_EQ(second->connection, first->connection);

  folder_.Write("cert", b.certificate);
  folder_.Write("key", b.key.Reveal());
  clock.Step(absl::Minutes(4));
  const auto third = Get(*authenticator);
  EXPECT_NE(third->connection, first->connection);
  EXPECT_EQ(third->connection->client_certificate, b.certificate);
  EXPECT_EQ(first->connection->client_certificate, a.certificate);  // it is unchanged

  folder_.Write("ca", (*CertificateAuthority::Make("other")).certificate());
  clock.Step(absl::Minutes(5));
  const auto fourth = Get(*authenticator);
  EXPECT_NE(fourth->connection, third->connection);
  EXPECT_NE(fourth->connection->ca_certificates, authority_.certificate());

  const log::LogCapture log;
  folder_.Write("ca", "");
  clock.Step(absl::Minutes(5));
  EXPECT_EQ(Get(*authenticator), fourth);
  EXPECT_THAT(log.Lines(), ElementsAre(HasSubstr("keeping the previous CA data")));
}

TEST_F(AuthenticatorTest, RejectedTokenFile) {
  const auto authenticator = Make({.bearer_token_file = folder_.Write("token", "one")});
  const auto first = Get(*authenticator);
  EXPECT_THAT(authenticator->Rejected({}, *first), IsOkAndHolds(false));
  folder_.Write("token", "two");
  EXPECT_THAT(authenticator->Rejected({}, *first), IsOkAndHolds(true));
  EXPECT_EQ(HeaderOf(Get(*authenticator)), "Bearer two");
  // Requests that were sent with the first token report its rejection later.
  EXPECT_THAT(authenticator->Rejected({}, *first), IsOkAndHolds(true));
}

TEST_F(AuthenticatorTest, RejectedForGood) {
  for (const Config& config :
       {Config(), Config{.username = "me"}, Config{.bearer_token = base::Secret("t")}}) {
    const auto authenticator = Make(config);
    EXPECT_THAT(authenticator->Rejected({}, *Get(*authenticator)), IsOkAndHolds(false));
  }
}

// behaviour.md: EXEC-3, EXEC-4
TEST_F(AuthenticatorTest, PluginRunsWhenNeeded) {
  const auto authenticator = Make(ExecConfiguration({"count", folder_.Path("runs")}));
  EXPECT_EQ(folder_.Read("runs"), "");
  const auto first = Get(*authenticator);
  EXPECT_EQ(HeaderOf(first), "Bearer 1");
  EXPECT_EQ(Get(*authenticator), first);
  EXPECT_THAT(authenticator->Rejected({}, *first), IsOkAndHolds(true));
  const auto second = Get(*authenticator);
  EXPECT_EQ(HeaderOf(second), "Bearer 2");
  EXPECT_EQ(second->connection, first->connection);
  EXPECT_THAT(authenticator->Rejected({}, *first), IsOkAndHolds(true));
  EXPECT_EQ(HeaderOf(Get(*authenticator)), "Bearer 2");
}

// All requests with one token are refused: the plug-in, which returns the same token again, is run
// once.
TEST_F(AuthenticatorTest, SameTokenAgainIsFetchedOnce) {
  Config config = ExecConfiguration({"token", "NAME"});
  config.exec->env = {{"NAME", "same"}};
  const auto authenticator = Make(config);
  const auto first = Get(*authenticator);
  EXPECT_THAT(authenticator->Rejected({}, *first), IsOkAndHolds(false));
  const auto second = Get(*authenticator);
  EXPECT_NE(second, first);
  EXPECT_THAT(authenticator->Rejected({}, *first), IsOkAndHolds(false));
  EXPECT_EQ(Get(*authenticator), second);
}

// behaviour.md: EXEC-5
TEST_F(AuthenticatorTest, OwnCredentialsGoBeforeThePlugin) {
  const Certificate pair = *authority_.Issue({});
  Config config = ExecConfiguration({"count", folder_.Path("runs")});
  config.bearer_token = base::Secret("own");
  EXPECT_EQ(HeaderOf(Get(*Make(config))), "Bearer own");
  config.bearer_token = base::Secret();
  config.username = "me";
  EXPECT_EQ(HeaderOf(Get(*Make(config))), "Basic bWU6");
  config.username = "";
  config.tls = {.cert_data = pair.certificate, .key_data = pair.key};
  EXPECT_EQ(HeaderOf(Get(*Make(config))), "");
  EXPECT_EQ(folder_.Read("runs"), "");
}

TEST_F(AuthenticatorTest, ALogin_IsUsedBesideACertificateAndNotBesideAToken) {
  const Certificate pair = *authority_.Issue({});
  // Its payload is {"exp":32503680000}.
  const std::string token = "e30.eyJleHAiOjMyNTAzNjgwMDAwfQ.c2ln";
  Config config = {.host = "https://server",
                   .tls = {.cert_data = pair.certificate, .key_data = pair.key}};
  config.oidc = OidcConfig{.issuer_url = "https://issuer",
                           .client_id = "me",
                           .tokens = {.id_token = base::Secret(token)}};
  const auto login = Get(*Make(config));
  EXPECT_EQ(HeaderOf(login), absl::StrCat("Bearer ", token));
  EXPECT_EQ(login->connection->client_certificate, pair.certificate);
  config.bearer_token = base::Secret("own");
  EXPECT_EQ(HeaderOf(Get(*Make(config))), "Bearer own");

  config.exec = ExecConfig{};
  EXPECT_THAT(MakeAuthenticator(config).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "execProvider and authProvider cannot be used in combination"));
}

// behaviour.md: EXEC-4
TEST_F(AuthenticatorTest, CertificateOfAPluginMakesAnotherConnection) {
  const Certificate a = *authority_.Issue({.common_name = "a"});
  const Certificate b = *authority_.Issue({.common_name = "b"});
  const auto authenticator =
      Make(ExecConfiguration({"file", folder_.Write("out", PluginOutput(a))}));
  const auto first = Get(*authenticator);
  EXPECT_EQ(first->connection->client_certificate, a.certificate);
  EXPECT_EQ(first->connection->client_key, a.key);
  // The credentials have expired, so the next call runs the plug-in again. The same certificate is
  // not a change.
  EXPECT_EQ(Get(*authenticator)->connection, first->connection);
  folder_.Write("out", PluginOutput(b));
  const auto second = Get(*authenticator);
  EXPECT_NE(second->connection, first->connection);
  EXPECT_EQ(second->connection->client_certificate, b.certificate);
}

// behaviour.md: EXEC-5
TEST_F(AuthenticatorTest, ARequestWithAuthorizationHasTheCertificateOfThePlugin) {
  const Certificate pair = *authority_.Issue({});
  const auto authenticator =
      Make(ExecConfiguration({"file", folder_.Write("out", PluginOutput(pair))}));
  const auto own = authenticator->GetWithoutAuthorization({});
  ASSERT_THAT(own.status(), IsOk());
  EXPECT_EQ((*own)->connection->client_certificate, pair.certificate);
  EXPECT_EQ((*own)->connection->client_key, pair.key);
  EXPECT_EQ(Get(*authenticator)->connection, (*own)->connection);
  // Without an answer of the plug-in, the connection is the same.
  folder_.Write("out", "");
  const log::LogCapture log;
  const auto later = authenticator->GetWithoutAuthorization({});
  ASSERT_THAT(later.status(), IsOk());
  EXPECT_EQ((*later)->connection, (*own)->connection);
  EXPECT_THAT(log.Lines(), ElementsAre(HasSubstr("keeping the previous client certificate")));
}

TEST_F(AuthenticatorTest, ErrorOfAPlugin) {
  EXPECT_THAT(
      Make(ExecConfiguration({"exit", "3"}))->Get({}).status(),
      StatusIs(absl::StatusCode::kUnavailable,
               "getting credentials: exec plugin \"clientset/rest/testing/fake_exec_plugin\": "
               "executable failed with exit code 3"));
}

TEST_F(AuthenticatorTest, OneRunForFiftyThreads) {
  const auto authenticator = Make(ExecConfiguration({"count", folder_.Path("runs")}));
  std::vector<std::unique_ptr<base::Thread>> threads;
  std::atomic<int> good{0};
  for (int i = 0; i < 50; ++i) {
    threads.push_back(std::make_unique<base::Thread>());
    ASSERT_THAT(threads.back()->Start({}, "caller",
                                      [&](const Context& ctx) {
                                        const auto got = authenticator->Get(ctx);
                                        good += got.ok() && HeaderOf(*got) == "Bearer 1";
                                      }),
                IsOk());
  }
  for (const auto& thread : threads) thread->Join();
  EXPECT_EQ(good, 50);
  EXPECT_EQ(folder_.Read("runs"), "x");
}

// A caller whose context ends returns at once, although the plug-in takes some time to end; then
// nothing is left of it.
TEST_F(AuthenticatorTest, CallerDoesNotWaitForTheEndOfItsPlugin) {
  const auto descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                         std::filesystem::directory_iterator());
  };
  const auto before = descriptors();
  {
    const auto authenticator = Make(ExecConfiguration({"stubborn", folder_.Path("here")}));
    CancelScope scope = WithCancel({});
    base::MonotonicTime cancelled;
    base::Thread canceller;
    ASSERT_THAT(canceller.Start({}, "canceller",
                                [&](const Context&) {
                                  while (!std::filesystem::exists(folder_.Path("here"))) {
                                    std::this_thread::yield();
                                  }
                                  cancelled = base::Runtime::Real().Now();
                                  scope.Cancel();
                                }),
                IsOk());
    EXPECT_THAT(authenticator->Get(scope.context()).status(),
                StatusIs(absl::StatusCode::kCancelled));
    const base::MonotonicTime returned = base::Runtime::Real().Now();
    canceller.Join();
    EXPECT_LT(returned - cancelled, absl::Milliseconds(1000));  // 100 ms on an idle machine
  }
  EXPECT_EQ(descriptors(), before);
}

}  // namespace
}  // namespace kube::rest
