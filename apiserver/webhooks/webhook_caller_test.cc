#include "apiserver/webhooks/webhook_caller.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/webhook.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpclient/testing/test_server.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;
using httpclient::TestServer;
using testing::HasSubstr;
using testing::StartsWith;

constexpr absl::StatusCode kUnavailable = absl::StatusCode::kUnavailable;

WebhookTarget Service(absl::string_view path = "/check") {
  return {.namespace_name = "default", .service = "hooks", .path = std::string(path)};
}

WebhookFunction Says(std::string text) {
  return [text = std::move(text)](const Context&,
                                  absl::string_view body) -> absl::StatusOr<std::string> {
    return absl::StrCat(text, " ", body);
  };
}

TEST(WebhookCaller, UrlsOfErrors) {
  struct Row {
    std::string name;
    WebhookTarget target;
    std::string url;
  };
  const std::vector<Row> rows = {
      {"a service", Service(), "https://hooks.default.svc:443/check"},
      {"no path", Service(""), "https://hooks.default.svc:443/"},
      {"a slash at the end", Service("a/b//"), "https://hooks.default.svc:443/a/b"},
      {"a URL", {.url = "https://h:1/p/"}, "https://h:1/p"},
      {"a URL without a path", {.url = "https://h"}, "https://h/"},
  };
  for (const Row& row : rows) EXPECT_EQ(row.target.Url(), row.url) << row.name;
}

TEST(WebhookCaller, CallsFunctions) {
  WebhookCaller caller;
  caller.SetFunction("https://h/p", Says("url"));
  caller.SetFunction("default", "hooks", "check", Says("service"));
  EXPECT_THAT(caller.Call(Context(), {.url = "https://h/p/"}, "1"), IsOkAndHolds("url 1"));
  EXPECT_THAT(caller.Call(Context(), Service(), "2"), IsOkAndHolds("service 2"));
  WebhookTarget other = Service();
  other.port = 8443;
  EXPECT_THAT(caller.Call(Context(), other, "3"), IsOkAndHolds("service 3"));
  caller.SetFunction("default", "hooks", "/check", nullptr);
  EXPECT_THAT(caller.Call(Context(), Service(), "4"),
              StatusIs(kUnavailable,
                       StartsWith("Post \"https://hooks.default.svc:443/check\": service \"hooks\" "
                                  "not found")));
}

TEST(WebhookCaller, SaysHowLongItWaits) {
  WebhookCaller caller;
  caller.SetFunction("default", "hooks", "/check",
                     [](const Context&, absl::string_view) -> absl::StatusOr<std::string> {
                       return absl::UnavailableError("no");
                     });
  EXPECT_THAT(
      caller.Call(WithTimeout(Context(), absl::Seconds(10)), Service(), ""),
      StatusIs(kUnavailable, "Post \"https://hooks.default.svc:443/check?timeout=10s\": no"));
  CancelScope scope = WithCancel(Context());
  scope.Cancel();
  EXPECT_THAT(
      caller.Call(scope.context(), Service(), ""),
      StatusIs(kUnavailable, "Post \"https://hooks.default.svc:443/check\": context canceled"));
}

// Returns the address of a server without its scheme.
std::string AddressOf(const TestServer& server) {
  return server.url("").substr(std::string("https://").size());
}

certificates::CertificateOptions ForService() {
  return {.common_name = "hooks", .dns_names = {"hooks.default.svc"}};
}

TEST(WebhookCaller, CallsServers) {
  TestServer server(
      [](const std::shared_ptr<httpserver::Exchange>& exchange) {
        const httpserver::Request& request = exchange->request();
        exchange->Respond({.body = absl::StrCat(request.method, " ", request.target, " ",
                                                request.headers.Get("host").value_or(""), " ",
                                                request.headers.Get("content-type").value_or(""),
                                                " ", request.body)});
      },
      {}, /*tls=*/true, ForService());
  WebhookCaller caller;
  caller.SetServiceAddress("default", "hooks", 443, AddressOf(server));
  WebhookTarget target = Service();
  target.ca_bundle = server.authority().certificate();
  EXPECT_THAT(caller.Call(WithTimeout(Context(), absl::Seconds(30)), target, "{}"),
              IsOkAndHolds("POST /check?timeout=30s hooks.default.svc:443 application/json {}"));
  // Another port of the service is not known, and its certificate is no other service's.
  WebhookTarget other = target;
  other.port = 8443;
  EXPECT_THAT(caller.Call(httpclient::Soon(), other, "{}"),
              StatusIs(kUnavailable, HasSubstr("service \"hooks\" not found")));
  other = target;
  other.service = "others";
  caller.SetServiceAddress("default", "others", 443, AddressOf(server));
  EXPECT_THAT(caller.Call(httpclient::Soon(), other, "{}"),
              StatusIs(kUnavailable, StartsWith("Post \"https://others.default.svc:443/check?")));
  other = target;
  other.ca_bundle =
      httpclient::TestServer::Value(certificates::CertificateAuthority::Make("another"))
          .certificate();
  EXPECT_THAT(caller.Call(httpclient::Soon(), other, "{}"),
              StatusIs(kUnavailable, HasSubstr("certificate")));
  caller.SetServiceAddress("default", "hooks", 443, "");
  EXPECT_THAT(caller.Call(httpclient::Soon(), target, "{}"),
              StatusIs(kUnavailable, HasSubstr("not found")));
}

TEST(WebhookCaller, ErrorsOfServers) {
  struct Row {
    std::string name;
    httpserver::Response response;
    std::string error;
  };
  const std::vector<Row> rows = {
      {"a code", {.status = 404}, "the server could not find the requested resource"},
      {"a code with a text",
       {.status = 500, .headers = {{"content-type", "text/plain"}}, .body = "broken\n"},
       "an error on the server (\"broken\") has prevented the request from succeeding"},
      {"a Status",
       {.status = 403,
        .headers = {{"content-type", "application/json"}},
        .body = R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"go away"})"},
       "go away"},
      {"nothing",
       {.status = 200, .headers = {{"content-type", "text/html"}}},
       "0-length response with status code: 200 and content type: text/html"},
  };
  for (const Row& row : rows) {
    TestServer server([&row](const std::shared_ptr<httpserver::Exchange>& exchange) {
      exchange->Respond(row.response);
    });
    WebhookCaller caller;
    const WebhookTarget target = {.url = server.url("/x"),
                                  .ca_bundle = server.authority().certificate()};
    EXPECT_THAT(caller.Call(httpclient::Soon(), target, "{}"),
                StatusIs(kUnavailable, HasSubstr(row.error)))
        << row.name;
  }
}

TEST(WebhookCaller, GivesUpSlowServers) {
  std::vector<std::shared_ptr<httpserver::Exchange>> held;
  TestServer server(
      [&](std::shared_ptr<httpserver::Exchange> exchange) { held.push_back(std::move(exchange)); });
  WebhookCaller caller;
  EXPECT_THAT(
      caller.Call(WithTimeout(Context(), absl::Milliseconds(50)),
                  {.url = server.url("/x"), .ca_bundle = server.authority().certificate()}, "{}"),
      StatusIs(kUnavailable, HasSubstr("/x?timeout=1s\": context deadline exceeded")));
}

}  // namespace
}  // namespace kube::apiserver::internal
