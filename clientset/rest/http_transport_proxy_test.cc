// By way of proxies.

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status_matchers.h"
#include "clientset/rest/http_message.h"
#include "clientset/rest/http_transport.h"
#include "clientset/rest/proxy.h"
#include "clientset/rest/transport_error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"
#include "tests/rest/test_proxy.h"
#include "tests/rest/test_server.h"

namespace kube::rest {
namespace {

using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::kube::httpserver::Exchange;
using ::kube::rest::testing::Get;
using ::kube::rest::testing::MakeTransport;
using ::kube::rest::testing::TestProxy;
using ::kube::rest::testing::TestProxyOptions;
using ::kube::rest::testing::TestServer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using Kind = TransportErrorKind;

// What the server has seen of the way to it.
void Greet(const std::shared_ptr<Exchange>& exchange) {
  const bool leaked = exchange->request().headers.Get("proxy-authorization").has_value();
  exchange->Respond(
      {.body = absl::StrCat(exchange->request().http_version, leaked ? " leaked" : "")});
}

std::shared_ptr<const ConnectionOptions> By(const TestServer& server, const std::string& proxy) {
  ConnectionOptions options = server.connection();
  options.proxy_url = proxy;
  return std::make_shared<ConnectionOptions>(options);
}

struct Case {
  std::string name;
  TestProxyOptions proxy;
  std::string shown;
  // kClosed: none, it works.
  Kind error = Kind::kClosed;
};

class ProxyTest : public ::testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(
    Proxies, ProxyTest,
    ::testing::Values(
        Case{"Http", {}, ""}, Case{"HttpCredentialsForNothing", {}, "ann:secret"},
        Case{"HttpCredentials", {.user = "ann", .password = "se:cret"}, "ann:se%3Acret"},
        Case{"HttpWithoutCredentials", {.user = "ann", .password = "x"}, "", Kind::kProxy},
        Case{"HttpWrongCredentials", {.user = "ann", .password = "x"}, "ann:secret", Kind::kProxy},
        Case{"HttpForbidden", {.status = 403}, "", Kind::kProxy},
        Case{"HttpBadGateway", {.status = 502}, "", Kind::kProxy},
        Case{"Socks5", {.socks5 = true}, ""},
        Case{"Socks5Credentials",
             {.socks5 = true, .user = "ann", .password = "secret"},
             "ann:secret"},
        Case{"Socks5WithoutCredentials",
             {.socks5 = true, .user = "ann", .password = "x"},
             "",
             Kind::kProxy},
        Case{"Socks5WrongCredentials",
             {.socks5 = true, .user = "ann", .password = "x"},
             "ann:secret",
             Kind::kProxy}),
    [](const auto& test) { return test.param.name; });

TEST_P(ProxyTest, TlsGoesThrough) {
  const Case& test = GetParam();
  TestServer server(Greet);
  TestProxy proxy(test.proxy);
  const auto transport = MakeTransport();
  const auto connection = By(server, proxy.url(test.shown));
  // The name is the proxy's to resolve.
  const std::string url = absl::StrReplaceAll(server.url(), {{"127.0.0.1", "localhost"}});
  for (int i = 0; i < 3; ++i) {
    const auto answer = Get(*transport, {.method = "POST", .url = url, .connection = connection});
    if (test.error == Kind::kClosed) {
      EXPECT_THAT(answer, IsOkAndHolds("2"));
      continue;
    }
    EXPECT_EQ(TransportErrorOf(answer.status()),
              (TransportError{.kind = test.error, .maybe_sent = false}))
        << answer.status();
    EXPECT_THAT(std::string(answer.status().message()), Not(HasSubstr("secret")));
  }
  if (test.error == Kind::kClosed) {
    EXPECT_THAT(proxy.targets(), ElementsAre(absl::StrCat("localhost:", server.server().port())));
  } else {
    EXPECT_THAT(proxy.targets(), IsEmpty());
  }
  EXPECT_EQ(server.server().statistics().requests, test.error == Kind::kClosed ? 3 : 0);
}

// Without TLS a proxy of HTTP gets the request itself, with its credentials.
TEST(ProxyOfPlainTest, RequestsGoToIt) {
  TestServer server(Greet, {}, /*tls=*/false);
  TestProxy proxy({.user = "ann", .password = "secret"});
  const auto transport = MakeTransport();
  EXPECT_THAT(Get(*transport,
                  {.url = server.url("/a?b"), .connection = By(server, proxy.url("ann:secret"))}),
              IsOkAndHolds(absl::StrCat("GET ", server.url("/a?b"), " HTTP/1.1")));
  TestProxy socks({.socks5 = true});
  EXPECT_THAT(Get(*transport, {.url = server.url(), .connection = By(server, socks.url())}),
              IsOkAndHolds("1"));
}

// A proxy that accepts and says nothing, and one that is not there.
TEST(ProxyThatDoesNotAnswerTest, IsAnErrorInTime) {
  TestServer server(Greet);
  std::string gone;
  { gone = TestProxy().url(); }
  for (const bool socks5 : {false, true}) {
    TestProxy proxy({.socks5 = socks5, .stalls = true});
    ConnectionOptions options = server.connection();
    options.proxy_url = proxy.url();
    options.connect_timeout = options.tls_handshake_timeout = absl::Milliseconds(300);
    const auto transport = MakeTransport();
    const base::MonotonicTime start = base::Runtime::Real().Now();
    const absl::Status status =
        Get(*transport,
            {.url = server.url(), .connection = std::make_shared<ConnectionOptions>(options)})
            .status();
    EXPECT_LT(base::Runtime::Real().Now() - start, absl::Seconds(10));
    EXPECT_EQ(TransportErrorOf(status),
              (TransportError{.kind = Kind::kConnect, .maybe_sent = false}))
        << status;
    EXPECT_EQ(TransportErrorOf(
                  Get(*transport, {.url = server.url(), .connection = By(server, gone)}).status()),
              (TransportError{.kind = Kind::kConnect, .maybe_sent = false}));
  }
}

// As a client does: the environment, its exceptions, and the way that follows.
TEST(ProxyOfTheEnvironmentTest, ExceptionsGoDirectly) {
  TestServer server(Greet);
  TestProxy proxy;
  const auto transport = MakeTransport();
  struct Row {
    std::string url;
    std::string no_proxy;
    size_t tunnels;
  };
  for (const Row& row : {Row{"https://localhost:1/", "", 0}, Row{"https://10.0.0.1/", "", 1},
                         Row{"https://10.0.0.1/", "10.0.0.0/8", 0}}) {
    SCOPED_TRACE(absl::StrCat(row.url, " ", row.no_proxy));
    const std::string found =
        ProxyFor(row.url, {.https_proxy = proxy.url(), .no_proxy = row.no_proxy});
    EXPECT_EQ(found, row.tunnels == 0 ? "" : proxy.url());
    const size_t before = proxy.targets().size();
    EXPECT_THAT(Get(*transport, {.url = server.url(), .connection = By(server, found)}),
                IsOkAndHolds("2"));
    EXPECT_EQ(proxy.targets().size() - before, row.tunnels);
  }
}

}  // namespace
}  // namespace kube::rest
