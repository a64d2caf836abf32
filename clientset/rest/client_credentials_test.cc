// The credentials of requests: which one is sent where, and what happens when it is refused.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/rest/authenticator.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/oidc_config.h"
#include "clientset/rest/request.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::rest {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Request Pod() {
  return {.resource = {"", "v1", "pods"}, .namespace_name = "prod", .name = "web-0"};
}

// Provides the tokens "t0", "t1" ..., a new one after each rejection until there are no more.
class Tokens final : public Authenticator {
 public:
  explicit Tokens(int renewals) : renewals_(renewals) {}

  absl::StatusOr<std::shared_ptr<const Authentication>> Get(const Context&) override {
    if (!error.ok()) return error;
    return std::make_shared<const Authentication>(Authentication{
        .connection = connection_, .authorization = base::Secret(absl::StrCat("Bearer t", used_))});
  }
  absl::StatusOr<std::shared_ptr<const Authentication>> GetWithoutAuthorization(
      const Context&) override {
    return std::make_shared<const Authentication>(Authentication{
        .connection = connection_, .authorization = base::Secret("Bearer of no use")});
  }
  absl::StatusOr<bool> Rejected(const Context&, const Authentication& used) override {
    rejected.emplace_back(used.authorization.Reveal());
    if (!renewal_error.ok()) return renewal_error;
    return used_++ < renewals_;
  }

  absl::Status error;
  absl::Status renewal_error;
  std::vector<std::string> rejected;

 private:
  const std::shared_ptr<const httpclient::ConnectionOptions> connection_ =
      std::make_shared<httpclient::ConnectionOptions>();
  const int renewals_;
  int used_ = 0;
};

Client ClientOf(std::shared_ptr<Authenticator> authenticator,
                std::shared_ptr<httpclient::Transport> transport, Config config = {}) {
  if (config.host.empty()) config.host = "https://10.0.0.1:6443";
  config.transport = std::move(transport);
  return MakeClient(config, std::move(authenticator)).value();
}

std::vector<std::string> Sent(const ScriptedTransport& transport, absl::string_view header) {
  std::vector<std::string> values;
  for (const RecordedRequest& request : transport.requests()) {
    values.push_back(request.Header(header));
  }
  return values;
}

// behaviour.md: TR-7
TEST(ClientCredentialsTest, ARequestsHeadersGoFirst) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Always({});
  auto tokens = std::make_shared<Tokens>(0);
  const Client client =
      ClientOf(tokens, transport, {.impersonate = {.user_name = "jane", .groups = {"a"}}});

  ASSERT_THAT(client.Do(Context(), {.verb = "PATCH",
                                    .absolute_path = "/x",
                                    .headers = {{"Authorization", "Basic abc"},
                                                {"User-Agent", "mine"},
                                                {"Impersonate-User", "joe"}},
                                    .body = std::make_shared<const std::string>("{}"),
                                    .content_type = "application/merge-patch+json",
                                    .accept = "text/plain"}),
              IsOk());

  const RecordedRequest request = transport->requests()[0];
  EXPECT_EQ(request.Header("authorization"), "Basic abc");
  EXPECT_EQ(request.Header("user-agent"), "mine");
  EXPECT_EQ(request.Header("impersonate-user"), "joe");
  EXPECT_EQ(request.Header("impersonate-group"), "");
  EXPECT_EQ(request.Header("accept"), "text/plain");
  EXPECT_EQ(request.Header("content-type"), "application/merge-patch+json");
  EXPECT_EQ(request.body, "{}");
}

// behaviour.md: EXEC-3
TEST(ClientCredentialsTest, TriesOnceMoreWithANewCredential) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, StatusReply(401, "Unauthorized", "expired"));
  transport->Expect({});
  auto tokens = std::make_shared<Tokens>(1);
  EXPECT_THAT(ClientOf(tokens, transport).Do(Context(), {.verb = "POST", .absolute_path = "/x"}),
              IsOk());
  EXPECT_THAT(Sent(*transport, "authorization"), ElementsAre("Bearer t0", "Bearer t1"));
  EXPECT_THAT(tokens->rejected, ElementsAre("Bearer t0"));
}

TEST(ClientCredentialsTest, A401StandsWithoutANewCredential) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Always({}, StatusReply(401, "Unauthorized", "expired"));
  auto tokens = std::make_shared<Tokens>(5);
  const Client client = ClientOf(tokens, transport);
  EXPECT_TRUE(errors::IsUnauthorized(client.Do(Context(), Pod()).status()));
  EXPECT_EQ(transport->requests().size(), 2);  // there is no third request

  tokens->renewal_error = absl::UnavailableError("plug-in \"login\" failed");
  const absl::Status error = client.Do(Context(), Pod()).status();
  EXPECT_TRUE(errors::IsUnauthorized(error));
  EXPECT_THAT(std::string(error.message()),
              HasSubstr("expired - failed to refresh credentials: plug-in \"login\" failed"));
  EXPECT_EQ(transport->requests().size(), 3);

  EXPECT_TRUE(errors::IsUnauthorized(
      client.Do(Context(), {.absolute_path = "/x", .headers = {{"Authorization", "Basic a"}}})
          .status()));
  EXPECT_EQ(transport->requests().size(), 4);
}

TEST(ClientCredentialsTest, WithoutACredentialNothingIsSent) {
  auto transport = std::make_shared<ScriptedTransport>();
  auto tokens = std::make_shared<Tokens>(0);
  tokens->error = absl::UnauthenticatedError("plug-in failed");
  EXPECT_THAT(ClientOf(tokens, transport).Do(Context(), Pod()).status(),
              StatusIs(absl::StatusCode::kUnauthenticated,
                       "get pods \"web-0\" in \"prod\": plug-in failed"));
  EXPECT_THAT(transport->requests(), IsEmpty());
}

// behaviour.md: EXEC-5
TEST(ClientCredentialsTest, ARequestWithAuthorizationNeedsNoCredential) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({});
  auto tokens = std::make_shared<Tokens>(0);
  tokens->error = absl::UnauthenticatedError("plug-in failed");
  EXPECT_THAT(
      ClientOf(tokens, transport)
          .Do(Context(), {.absolute_path = "/x", .headers = {{"Authorization", "Basic a"}}}),
      IsOk());
  EXPECT_THAT(Sent(*transport, "authorization"), ElementsAre("Basic a"));
}

TEST(ClientCredentialsTest, PlainTextTakesNoCredentials) {
  struct Case {
    std::string host;
    bool ok;
  };
  for (const Case& c :
       {Case{"http://10.0.0.1", false}, Case{"10.0.0.1:8080", false},
        Case{"http://localhost.evil.com", false}, Case{"http://127.1.2.3:80", true},
        Case{"http://[::1]:80", true}, Case{"localhost", true}, Case{"https://10.0.0.1", true}}) {
    SCOPED_TRACE(c.host);
    const auto transport = std::make_shared<ScriptedTransport>();
    const absl::StatusOr<Client> client = MakeClient(
        {.host = c.host, .bearer_token = base::Secret("sesame"), .transport = transport});
    EXPECT_EQ(client.ok(), c.ok) << client.status();
    if (!c.ok) {
      EXPECT_THAT(client.status(),
                  StatusIs(absl::StatusCode::kInvalidArgument,
                           AllOf(HasSubstr("does not use TLS"), Not(HasSubstr("sesame")))));
    }
    EXPECT_THAT(MakeClient({.host = c.host, .transport = transport}), IsOk());
    const OidcConfig login = {.issuer_url = "https://issuer", .client_id = "me"};
    EXPECT_EQ(MakeClient({.host = c.host, .oidc = login, .transport = transport}).ok(), c.ok);
  }
}

// behaviour.md: REST-1
TEST(ClientCredentialsTest, ConfigurationsThatContradictThemselves) {
  struct Case {
    Config config;
    std::string message;
  };
  const std::vector<Case> cases = {
      {{}, "host must be a URL or a host:port pair"},
      {{.host = "https://user:pw@host"},
       "host must not contain user information, set username instead"},
      {{.host = "h", .impersonate = {.uid = "7"}},
       "impersonate: requesting uid, groups or extra without impersonating a user"},
      {{.host = "h", .user_agent = "a\nb"}, "invalid header field value for \"user-agent\""},
      {{.host = "h", .qps = 5},
       "burst is required to be greater than 0 when RateLimiter is not set and QPS is set to "
       "greater than 0"},
  };
  for (const Case& c : cases) {
    Config config = c.config;
    config.transport = std::make_shared<ScriptedTransport>();
    EXPECT_THAT(MakeClient(config).status(), StatusIs(absl::StatusCode::kInvalidArgument,
                                                      absl::StrCat("make client: ", c.message)));
  }
}

// ---- Redirects

TEST(ClientCredentialsTest, FollowsRedirectsOfTheSameServer) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({.path = "/a"}, {.status = 302, .headers = {{"location", "/b/c?x=1"}}});
  transport->Expect({.path = "/b/c"},
                    {.status = 307, .headers = {{"location", "https://10.0.0.1:6443/b/d"}}});
  transport->Expect({.path = "/b/d"}, {.body = "here"});
  const absl::StatusOr<Result> result =
      ClientOf(std::make_shared<Tokens>(0), transport).Do(Context(), {.absolute_path = "/a"});
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->body, "here");
  EXPECT_THAT(Sent(*transport, "authorization"),
              ElementsAre("Bearer t0", "Bearer t0", "Bearer t0"));
}

TEST(ClientCredentialsTest, OtherRedirectsAreErrors) {
  struct Case {
    std::string verb;
    std::string location;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"GET", "https://evil.com/a?token=1",
       "get /a: redirect to another server is not followed: https://evil.com"},
      {"GET", "http://10.0.0.1:6443/a",
       "get /a: redirect to another server is not followed: http://10.0.0.1:6443"},
      {"GET", "//10.0.0.1:6444/a",
       "get /a: redirect to another server is not followed: https://10.0.0.1:6444"},
      {"GET", "https://u:p@10.0.0.1:6443/a",
       "get /a: redirect to another server is not followed: https://10.0.0.1:6443"},
      {"GET", "/a", "get /a: stopped after 10 redirects"},
      {"GET", "%zz", "get /a: invalid redirect URL in Location header"},
      {"POST", "/b", "post /a: redirect of a POST request is not followed"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.location);
    auto transport = std::make_shared<ScriptedTransport>();
    transport->Always({}, {.status = 301, .headers = {{"location", c.location}}});
    EXPECT_THAT(ClientOf(std::make_shared<Tokens>(0), transport)
                    .Do(Context(), {.verb = c.verb, .absolute_path = "/a"})
                    .status(),
                StatusIs(absl::StatusCode::kFailedPrecondition, c.message));
    EXPECT_EQ(transport->requests().size(), c.location == "/a" ? 11 : 1);
  }
}

}  // namespace
}  // namespace kube::rest
