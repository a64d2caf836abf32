// Requests through proxies.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/proxy.h"
#include "net/httpclient/testing/test_proxy.h"
#include "net/httpclient/testing/test_server.h"
#include "net/httpclient/transport_error.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"

namespace kube::httpclient {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::kube::certificates::CertificateAuthority;
using ::kube::certificates::CertificateOptions;
using ::kube::httpclient::Get;
using ::kube::httpclient::MakeTransport;
using ::kube::httpclient::Soon;
using ::kube::httpclient::TestProxy;
using ::kube::httpclient::TestProxyOptions;
using ::kube::httpclient::TestServer;
using ::kube::httpserver::Exchange;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using Kind = TransportErrorKind;

// Answers with the HTTP version, and whether the proxy's credentials were leaked to the server.
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
  // kClosed stands for success.
  Kind error = Kind::kClosed;
};

class ProxyTest : public ::testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(
    Proxies, ProxyTest,
    ::testing::Values(
        Case{"Http", {}, ""}, Case{"HttpCredentialsForNothing", {}, "ann:secret"},
        Case{"HttpCredentials", {.user = "ann", .password = "se:cret"}, "ann:se%3Acret"},
        // As "urlencode < file" writes them. Go sends control characters, too.
        Case{"HttpControlCharacters",
             {.user = "an\x1fn", .password = "secret\n"},
             "an%1Fn:secret%0A"},
        Case{"HttpPercent", {.user = "ann", .password = "secret%41"}, "ann:secret%2541"},
        Case{"HttpZero", {.user = "ann", .password = std::string("secret\0", 7)}, "ann:secret%00"},
        Case{"HttpWithoutCredentials", {.user = "ann", .password = "x"}, "", Kind::kProxy},
        Case{"HttpWrongCredentials", {.user = "ann", .password = "x"}, "ann:secret", Kind::kProxy},
        Case{"HttpForbidden", {.status = 403}, "", Kind::kProxy},
        Case{"HttpBadGateway", {.status = 502}, "", Kind::kProxy},
        Case{"Socks5", {.socks5 = true}, ""},
        Case{"Socks5Credentials",
             {.socks5 = true, .user = "ann", .password = "secret"},
             "ann:secret"},
        Case{"Socks5ControlCharacters",
             {.socks5 = true, .user = "an\x1fn", .password = "secret\n"},
             "an%1Fn:secret%0A"},
        Case{"Socks5Percent",
             {.socks5 = true, .user = "a:n", .password = "secret%41"},
             "a%3An:secret%2541"},
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
  // A name, which the proxy must resolve.
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

// Without TLS an HTTP proxy gets the request itself, and the credentials.
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

// As in Go, a password may have control characters.
TEST(ProxyOfPlainTest, ControlCharacters) {
  TestServer server(Greet, {}, /*tls=*/false);
  for (const bool socks5 : {false, true}) {
    TestProxy proxy({.socks5 = socks5, .user = "user", .password = "s3cret\n"});
    const auto transport = MakeTransport();
    EXPECT_THAT(Get(*transport, {.url = server.url("/"),
                                 .connection = By(server, proxy.url("user:s3cret%0A"))}),
                IsOkAndHolds(socks5 ? std::string("1")
                                    : absl::StrCat("GET ", server.url("/"), " HTTP/1.1")));
  }
  EXPECT_EQ(server.server().statistics().requests, 1);
}

// If the proxy does not work, requests fail; they never go directly to the server.
TEST(ProxyThatIsNoneTest, IsNeverPassedBy) {
  for (const bool tls : {false, true}) {
    TestServer server(Greet, {}, tls);
    const auto transport = MakeTransport();
    for (const auto& [proxy, kind] : std::vector<std::pair<std::string, Kind>>{
             {"http://user:s3cret%0A@127.0.0.1:9", Kind::kConnect},
             {"http://us%1Fer:s3cret@127.0.0.1:9", Kind::kConnect},
             {"socks5://user:s3cret%0A@127.0.0.1:9", Kind::kConnect},
             {"socks5h://us%1Fer:s3cret@127.0.0.1:9", Kind::kConnect},
             {"https://user:s3cret%0A@127.0.0.1:9", Kind::kConnect},
             {"htp://user:s3cret@127.0.0.1:9", Kind::kProxy},
             {"ftp://user:s3cret@127.0.0.1:9", Kind::kProxy},
             {"http://user:s3/cret@127.0.0.1:9", Kind::kProxy},
             {"http://user:s3cret%@127.0.0.1:9", Kind::kProxy},
             {"http://user:s3cret\n@127.0.0.1:9", Kind::kProxy},
             {"http://user:s3cret@127.0.0.1:99999", Kind::kProxy},
             {"http://user:s3cret@", Kind::kProxy},
             {"socks5://user:s3cret%00@127.0.0.1:9", Kind::kProxy}}) {
      SCOPED_TRACE(proxy);
      const absl::Status status =
          Get(*transport, {.url = server.url(), .connection = By(server, proxy)}).status();
      EXPECT_EQ(TransportErrorOf(status), (TransportError{.kind = kind, .maybe_sent = false}))
          << status;
      EXPECT_THAT(std::string(status.message()), Not(HasSubstr("s3")));
      EXPECT_THAT(std::string(status.message()), Not(HasSubstr("user:")));
    }
    EXPECT_EQ(server.server().statistics().connections, 0);
    EXPECT_EQ(server.server().statistics().requests, 0);
  }
}

// ---- TLS to the proxy, and within it TLS to the server

class TlsProxyTest : public ::testing::Test {
 protected:
  static CertificateAuthority MakeAuthority() {
    return TestServer::Value(CertificateAuthority::Make("proxy-ca"));
  }
  // Returns options with a certificate of the proxy.
  TestProxyOptions Tls(const CertificateOptions& certificate = TestServer::Local()) const {
    return {.tls = TestServer::Value(authority_.Issue(certificate))};
  }
  ConnectionOptions Options(const TestServer& server, const TestProxy& proxy) const {
    ConnectionOptions options = server.connection();
    options.ca_certificates += authority_.certificate();
    options.proxy_url = proxy.url();
    return options;
  }

  const CertificateAuthority authority_ = MakeAuthority();
};

TEST_F(TlsProxyTest, LargeBodiesBothWays) {
  TestServer server([](const std::shared_ptr<Exchange>& exchange) {
    std::string body = absl::StrCat(exchange->request().http_version, exchange->request().body);
    std::reverse(body.begin(), body.end());
    exchange->Respond({.body = std::move(body)});
  });
  TestProxy proxy(Tls());
  std::string text;
  for (int i = 0; text.size() < 2'000'000; ++i) absl::StrAppend(&text, i, ",");
  const auto body = std::make_shared<const std::string>(text);
  for (const auto& [version, number] :
       {std::pair(HttpVersion::kAny, "2"), std::pair(HttpVersion::kHttp1, "1")}) {
    std::string expected = absl::StrCat(number, text);
    std::reverse(expected.begin(), expected.end());
    ConnectionOptions options = Options(server, proxy);
    options.http_version = version;
    const auto connection = std::make_shared<ConnectionOptions>(options);
    const auto transport = MakeTransport();
    base::ThreadGroup group{Soon()};
    for (int worker = 0; worker < 4; ++worker) {
      group.Go("large", [&](const Context&) -> absl::Status {
        for (int i = 0; i < 2; ++i) {
          KUBE_ASSIGN_OR_RETURN(
              const std::string answer,
              Get(*transport,
                  {.method = "POST", .url = server.url(), .body = body, .connection = connection}));
          EXPECT_TRUE(answer == expected) << answer.size();
        }
        return absl::OkStatus();
      });
    }
    EXPECT_THAT(group.Wait(), IsOk());
    if (version == HttpVersion::kAny) {
      EXPECT_EQ(transport->statistics().opened_connections, 1);
    }
  }
  EXPECT_THAT(proxy.targets(), ::testing::Each(absl::StrCat("127.0.0.1:", server.server().port())));
}

// The error names the proxy if it is at fault.
TEST(ProxyErrorsTest, NameTheProxy) {
  TestServer server(Greet);
  const auto transport = MakeTransport({});
  const auto error = [&](const std::string& proxy) {
    ConnectionOptions options = server.connection();
    options.proxy_url = proxy;
    return Get(*transport,
               {.url = server.url(), .connection = std::make_shared<ConnectionOptions>(options)})
        .status();
  };
  for (const std::string scheme : {"http", "socks5"}) {
    const absl::Status refused = error(scheme + "://user:secret@127.0.0.1:1");
    EXPECT_THAT(refused.message(), HasSubstr(" via proxy 127.0.0.1:1: connection refused"));
    EXPECT_THAT(refused.message(), Not(HasSubstr("secret")));
    EXPECT_EQ(TransportErrorOf(refused),
              (TransportError{.kind = TransportErrorKind::kConnect, .maybe_sent = false}));
  }
  EXPECT_THAT(error("http://user:secret@[::1]:1").message(), HasSubstr(" via proxy [::1]:1: "));
}

TEST_F(TlsProxyTest, Refusals) {
  TestServer server(Greet);
  CertificateOptions expired = TestServer::Local();
  expired.valid_until = -absl::Minutes(1);
  const CertificateAuthority other = MakeAuthority();
  struct Row {
    std::string name;
    TestProxyOptions proxy;
    Kind error;
  };
  TestProxyOptions closed = Tls();
  closed.user = "ann";
  const CertificateOptions common_name = {.common_name = "127.0.0.1"};
  for (const Row& row :
       std::vector<Row>{{"by its common name", Tls(common_name), Kind::kTls},
                        {"wrong address", Tls({.ip_addresses = {"127.0.0.2"}}), Kind::kTls},
                        {"expired", Tls(expired), Kind::kTls},
                        {"of another authority",
                         {.tls = TestServer::Value(other.Issue(TestServer::Local()))},
                         Kind::kTls},
                        {"for others", closed, Kind::kProxy}}) {
    SCOPED_TRACE(row.name);
    TestProxy proxy(row.proxy);
    ConnectionOptions options = Options(server, proxy);
    const auto transport = MakeTransport();
    const auto attempt = [&] {
      return Get(*transport,
                 {.url = server.url(), .connection = std::make_shared<ConnectionOptions>(options)});
    };
    const absl::Status status = attempt().status();
    EXPECT_EQ(TransportErrorOf(status), (TransportError{.kind = row.error, .maybe_sent = false}))
        << status;
    EXPECT_THAT(proxy.targets(), IsEmpty());
    if (row.error != Kind::kTls) continue;
    options.insecure_skip_tls_verify = true;
    EXPECT_THAT(attempt(), IsOkAndHolds("2"));
  }
  // The proxy is trusted, but the server is not.
  TestProxy proxy(Tls());
  ConnectionOptions options = Options(server, proxy);
  options.ca_certificates = authority_.certificate();
  const auto transport = MakeTransport();
  const absl::Status status =
      Get(*transport,
          {.url = server.url(), .connection = std::make_shared<ConnectionOptions>(options)})
          .status();
  EXPECT_EQ(TransportErrorOf(status), (TransportError{.kind = Kind::kTls, .maybe_sent = false}))
      << status;
}

// Without TLS to the server the proxy gets the request itself.
TEST_F(TlsProxyTest, PlainRequestsGoToIt) {
  TestServer server(Greet, {}, /*tls=*/false);
  TestProxyOptions proxy_options = Tls();
  proxy_options.user = "ann";
  proxy_options.password = "secret";
  TestProxy proxy(proxy_options);
  ConnectionOptions options = Options(server, proxy);
  options.proxy_url = proxy.url("ann:secret");
  const auto connection = std::make_shared<ConnectionOptions>(options);
  const auto transport = MakeTransport();
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(Get(*transport, {.url = server.url("/a?b"), .connection = connection}),
                IsOkAndHolds(absl::StrCat("GET ", server.url("/a?b"), " HTTP/1.1")));
  }
  EXPECT_EQ(transport->statistics().opened_connections, 1);
}

// A proxy that never answers, and one that does not exist.
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

// The proxy is chosen from the environment, as a client does.
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
}  // namespace kube::httpclient
