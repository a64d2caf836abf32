#include "clientset/rest/internal/redaction.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/authenticator.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/exec_config.h"
#include "clientset/rest/request.h"
#include "clientset/rest/testing/scripted_stream.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/rest/trace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport_error.h"
#include "tests/dice.h"

namespace kube::rest::internal {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(RedactionTest, HeaderValues) {
  struct Case {
    std::string name, value, shown;
  };
  for (const Case& c : {
           Case{"authorization", "Bearer abc", "Bearer <masked>"},
           Case{"Authorization", "basic abc", "basic <masked>"},
           Case{"Authorization", "abc def", "<masked>"},
           Case{"Authorization", "Bearer", "Bearer"},
           Case{"Authorization", "abc", "<masked>"},
           Case{"Authorization", "", ""},
           Case{"proxy-authorization", "Basic abc", "Basic <masked>"},
           Case{"cookie", "a=b", "<masked>"},
           Case{"set-cookie", "a=b", "<masked>"},
           Case{"x-auth-token", "Bearer abc", "<masked>"},
           Case{"www-authenticate", "Bearer realm", "<masked>"},
           Case{"sec-websocket-protocol", "base64url.bearer.authorization.k8s.io.abc", "<masked>"},
           Case{"location", "https://u:p@host/x?token=abc&a=1",
                "https://host/x?token=<masked>&a=1"},
           Case{"accept", "application/json", "application/json"},
           Case{"impersonate-user", "jane", "jane"},
       }) {
    EXPECT_EQ(ShownHeaderValue(c.name, c.value), c.shown) << c.name;
  }
  EXPECT_EQ(ShownHeaders({{"b", "1"}, {"Authorization", "Bearer x"}}),
            "authorization: Bearer <masked>\nb: 1\n");
}

TEST(RedactionTest, Urls) {
  EXPECT_EQ(ShownUrl("https://h:1/a?limit=5&continue=abc"), "https://h:1/a?limit=5&continue=abc");
  EXPECT_EQ(ShownUrl("https://h/a?access_token=x&Password=y&b"),
            "https://h/a?access_token=<masked>&Password=<masked>&b");
  EXPECT_EQ(ShownUrl("http://user:p@ss@proxy:3128"), "http://proxy:3128");
  EXPECT_EQ(ShownUrl("user:pass@proxy:3128"), "proxy:3128");
  // These are not URLs, so they end up in error messages.
  EXPECT_EQ(ShownUrl("http://user:se/cret@proxy:3128"), "http://proxy:3128");
  EXPECT_EQ(ShownUrl("http://user:se?cret@proxy:3128"), "http://proxy:3128");
  EXPECT_EQ(ShownUrl("http://user:se#cret@proxy:3128"), "http://proxy:3128");
  EXPECT_EQ(ShownUrl("http://user:secret%@proxy:3128"), "http://proxy:3128");
  EXPECT_EQ(ShownUrl("user:se/cret@proxy"), "proxy");
  EXPECT_EQ(ShownUrl("http://user:pass@proxy/a@b?c=d@e"), "http://proxy/a@b?c=d@e");
  EXPECT_EQ(ShownUrl("http://proxy/a@b?c=d@e"), "http://proxy/a@b?c=d@e");
  EXPECT_EQ(ShownUrl("/a@b/c"), "/a@b/c");
  EXPECT_EQ(ShownProxyUrl("http://user:p@ss@proxy:3128"), "http://proxy:3128");
  EXPECT_EQ(ShownProxyUrl("proxy"), "proxy");
  // URLs, but not of a proxy.
  EXPECT_EQ(ShownProxyUrl("http://user:/password@proxy"), "http://proxy");
  EXPECT_EQ(ShownProxyUrl("http://user:12/word@proxy"), "http://proxy");
  EXPECT_EQ(ShownProxyUrl("http://user:12?word@proxy"), "http://proxy");
  EXPECT_EQ(ShownProxyUrl("http://token/x@proxy"), "http://proxy");
  EXPECT_EQ(ShownProxyUrl("user:pass//word@proxy"), "proxy");
  EXPECT_EQ(ShownProxyUrl("user:pass://word@proxy"), "proxy");
  EXPECT_EQ(ShownUrl(""), "");
}

TEST(RedactionTest, SecretBodies) {
  EXPECT_TRUE(HasSecretBodies({.resource = {"", "v1", "secrets"}}));
  EXPECT_TRUE(HasSecretBodies({.resource = {"", "v1", "Secrets"}, .name = "x"}));
  EXPECT_TRUE(HasSecretBodies(
      {.resource = {"", "v1", "serviceaccounts"}, .name = "x", .subresource = {"token"}}));
  EXPECT_TRUE(HasSecretBodies({.resource = {"authentication.k8s.io", "v1", "tokenreviews"}}));
  EXPECT_TRUE(HasSecretBodies({.resource = {"", "v1", "pods"}, .subresource = {"proxy", "x"}}));
  EXPECT_TRUE(HasSecretBodies({.absolute_path = "/api/v1/namespaces/a/secrets/b?x"}));
  EXPECT_TRUE(HasSecretBodies({.absolute_path = "/api/v1/%73ecrets"}));
  EXPECT_TRUE(HasSecretBodies({.absolute_path = "/%zz"}));
  EXPECT_FALSE(HasSecretBodies({.resource = {"", "v1", "pods"}, .name = "secrets"}));
  EXPECT_FALSE(HasSecretBodies({.absolute_path = "/healthz?secrets"}));
}

// behaviour.md: REST-22
TEST(RedactionTest, Bodies) {
  const std::string body(20'000, 'x');
  EXPECT_EQ(ShownBody("{\"a\":\n\t1}", 8), "{\"a\":\n\t1}");
  EXPECT_EQ(ShownBody(body, 8), std::string(1024, 'x') + " [truncated 18976 chars]");
  EXPECT_EQ(ShownBody(body, 9), std::string(10240, 'x') + " [truncated 9760 chars]");
  EXPECT_EQ(ShownBody(body, 10), body);
  EXPECT_EQ(ShownBody(absl::string_view("k8s\0text", 8), 10), "<8 bytes>");
}

// ---- A secret in every place where one can be, at all levels of logging

class Attributes final : public Tracer {
 public:
  std::unique_ptr<Span> StartSpan(absl::string_view name) override {
    absl::StrAppend(&text, name, "\n");
    return std::make_unique<Recorder>(text);
  }
  std::string text;

 private:
  class Recorder final : public Span {
   public:
    explicit Recorder(std::string& text) : text_(text) {}
    void SetAttribute(absl::string_view name, absl::string_view value) override {
      absl::StrAppend(&text_, name, "=", value, "\n");
    }
    void SetAttribute(absl::string_view name, int64_t value) override {
      absl::StrAppend(&text_, name, "=", value, "\n");
    }
    void AddEvent(absl::string_view name) override { absl::StrAppend(&text_, name, "\n"); }
    void Inject(http::Headers&) override {}
    void SetStatus(const absl::Status& status) override {
      absl::StrAppend(&text_, status.ToString(), "\n");
    }

   private:
    std::string& text_;
  };
};

class OneToken final : public Authenticator {
 public:
  explicit OneToken(absl::string_view token)
      : authentication_(std::make_shared<const Authentication>(Authentication{
            .connection =
                std::make_shared<httpclient::ConnectionOptions>(httpclient::ConnectionOptions{
                    .client_key = base::Secret(token),
                    .proxy_url = absl::StrCat("http://u:", token, "@proxy:3128")}),
            .authorization = base::Secret(absl::StrCat("Bearer ", token))})) {}
  absl::StatusOr<std::shared_ptr<const Authentication>> Get(const Context&) override {
    return authentication_;
  }
  absl::StatusOr<bool> Rejected(const Context&, const Authentication&) override { return true; }

 private:
  const std::shared_ptr<const Authentication> authentication_;
};

Config ConfigWith(const std::string& secret) {
  Config config;
  config.host = "https://10.0.0.1:6443";
  config.username = "jane";
  config.password = base::Secret(secret);
  config.bearer_token = base::Secret(secret);
  config.exec = ExecConfig{.command = "login",
                           .args = {absl::StrCat("--password=", secret)},
                           .env = {{"PASSWORD", secret}}};
  config.impersonate = {.user_name = "joe", .extra = {{"key", {secret}}}};
  config.tls.key_data = base::Secret(secret);
  config.proxy_url = absl::StrCat("http://u:", secret, "@proxy:3128");
  return config;
}

// One of the things that can happen to a request, with the secret wherever a server may put it.
ScriptedReply RandomReply(oracle::Dice& dice, const std::string& secret) {
  const http::Headers headers = {
      {"set-cookie", absl::StrCat("session=", secret)},
      {"x-auth-token", secret},
      {"content-type", "application/json"},
      {"retry-after", "0"},
      {"location", absl::StrCat("https://u:", secret, "@10.0.0.1:6443/x?token=", secret)}};
  const std::string object = absl::StrCat(R"({"kind":"Secret","data":{"a":")", secret, R"("}})");
  static constexpr int kStatuses[] = {200, 201, 301, 401, 403, 409, 429, 500, 503};
  switch (dice.Below(4)) {
    case 0:
      return {.error = httpclient::MakeTransportError(
                  {.kind = httpclient::TransportErrorKind::kReset}, "reset")};
    case 1:
      return {.error = httpclient::MakeTransportError(
                  {.kind = httpclient::TransportErrorKind::kProxy}, "407 of proxy")};
    default:
      return {.status = kStatuses[dice.Below(9)], .headers = headers, .body = object};
  }
}

Request RandomRequest(oracle::Dice& dice, const std::string& secret) {
  const auto body =
      std::make_shared<const std::string>(absl::StrCat(R"({"kind":"Secret","a":")", secret, "\"}"));
  const http::Headers headers = {{"cookie", secret}, {"proxy-authorization", secret}};
  switch (dice.Below(4)) {
    case 0:
      return {.verb = "POST",
              .resource = {"", "v1", "secrets"},
              .namespace_name = "prod",
              .headers = headers,
              .body = body};
    case 1:
      return {.resource = {"", "v1", "secrets"},
              .namespace_name = "prod",
              .name = "s",
              .params = {{"token", {secret}}}};
    case 2:
      return {
          .verb = "PUT",
          .absolute_path = absl::StrCat("/api/v1/namespaces/prod/secrets/s?access_token=", secret),
          .body = body};
    default:
      return {.verb = "POST",
              .resource = {"", "v1", "serviceaccounts"},
              .namespace_name = "prod",
              .name = "robot",
              .subresource = {"token"},
              .headers = {{"authorization", absl::StrCat("Bearer ", secret)}},
              .body = body};
  }
}

TEST(RedactionTest, NoSecretIsSeenAnywhere) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    oracle::Dice dice(seed);
    const std::string secret = absl::StrCat("S3cr3t", dice.Next());
    const Config described = ConfigWith(secret);
    std::string seen = absl::StrCat(RedactedString(described), "\n");
    auto tracer = std::make_shared<Attributes>();
    auto metrics = std::make_shared<base::PrometheusRegistry>();
    auto transport = std::make_shared<ScriptedTransport>();
    for (int i = 0; i < 3; ++i) transport->Expect({}, RandomReply(dice, secret));
    const ScriptedReply last = RandomReply(dice, secret);
    transport->Always({}, last);
    Config config = {.host = "https://10.0.0.1:6443",
                     .transport = transport,
                     .metrics = metrics,
                     .tracer = tracer};

    const log::LogCapture capture;
    log::SetVerbosity(static_cast<int>(dice.Below(11)));
    base::SimRuntime sim({.seed = seed});
    const absl::Status run = sim.Run([&] {
      const absl::StatusOr<Client> client = MakeClient(config, std::make_shared<OneToken>(secret));
      ASSERT_THAT(client, base::IsOk());
      Request request = RandomRequest(dice, secret);
      absl::StrAppend(&seen, client->Do(Context(), request).status().ToString(), "\n");
      request.retry = dice.Below(2) == 0 ? RetryRule::kStream : RetryRule::kWatch;
      absl::StrAppend(&seen, client->Stream(Context(), request).status().ToString(), "\n");
      absl::StrAppend(&seen, Describe(request), "\n");
    });
    log::SetVerbosity(0);

    EXPECT_THAT(run, base::IsOk());
    absl::StrAppend(&seen, absl::StrJoin(capture.Lines(), "\n"), tracer->text, metrics->Render());
    EXPECT_THAT(seen, Not(HasSubstr(secret)));
    EXPECT_THAT(seen, Not(HasSubstr(absl::Base64Escape(secret))));
  }
}

TEST(RedactionTest, BodiesThatAreNoSecretsAreLogged) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Always({}, JsonReply(R"({"kind":"Pod"})"));
  const log::LogCapture capture;
  log::SetVerbosity(8);
  const absl::StatusOr<Client> client = MakeClient(
      {.host = "http://localhost", .transport = transport}, std::make_shared<OneToken>("x"));
  ASSERT_THAT(client, base::IsOk());
  EXPECT_THAT(client->Do(Context(), {.resource = {"", "v1", "pods"}}), base::IsOk());
  log::SetVerbosity(0);
  const std::string text = absl::StrJoin(capture.Lines(), "\n");
  EXPECT_THAT(text, HasSubstr("kind"));
  EXPECT_THAT(text, HasSubstr("authorization: Bearer <masked>"));
  EXPECT_THAT(text, HasSubstr("200 OK"));
}

}  // namespace
}  // namespace kube::rest::internal
