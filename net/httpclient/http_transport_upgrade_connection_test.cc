// On which connection a request for another protocol is made.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/testing/raw_server.h"
#include "net/httpclient/testing/test_proxy.h"
#include "net/httpclient/testing/test_server.h"
#include "net/httpclient/testing/upgrade_client.h"
#include "net/httpclient/transport_error.h"
#include "net/httpserver/exchange.h"

namespace kube::httpclient {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::kube::certificates::CertificateAuthority;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;
using Kind = TransportErrorKind;

// ---- Which connection

// An upgrade gets an HTTP/1.1 connection of its own, also from a server of HTTP/2.
// behaviour.md: ST-65
TEST(UpgradeConnectionTest, IsNotShared) {
  TestServer server([](const std::shared_ptr<httpserver::Exchange>& exchange) {
    exchange->Respond({.body = absl::StrCat(exchange->request().http_version)});
  });
  const auto transport = MakeTransport();
  for (const HttpVersion version : {HttpVersion::kAny, HttpVersion::kHttp2Only}) {
    ConnectionOptions options = server.connection();
    options.http_version = version;
    const int64_t before = transport->statistics().opened_connections;
    const HttpRequest request = {.url = server.url(),
                                 .connection = std::make_shared<ConnectionOptions>(options)};
    EXPECT_THAT(Get(*transport, request), IsOkAndHolds("2"));
    EXPECT_THAT(Get(*transport, Upgrade(server.url(), options)), IsOkAndHolds("1"));
    EXPECT_THAT(Get(*transport, Upgrade(server.url(), options)), IsOkAndHolds("1"));
    EXPECT_THAT(Get(*transport, request), IsOkAndHolds("2"));
    EXPECT_EQ(transport->statistics().opened_connections, before + 3);
  }
}

TEST(UpgradeConnectionTest, ErrorsOfConnectingAreThoseOfEveryRequest) {
  RawServer server(Echo, {.tls = true});
  const auto transport = MakeTransport();
  ConnectionOptions options;
  options.ca_certificates = TestServer::Value(CertificateAuthority::Make("other")).certificate();
  EXPECT_THAT(
      TransportErrorOf(transport->RoundTrip(Soon(), Upgrade(server.url(), options)).status()),
      Optional(TransportError{.kind = Kind::kTls, .maybe_sent = false}));
  EXPECT_THAT(
      TransportErrorOf(transport->RoundTrip(Soon(), Upgrade("http://127.0.0.1:1/", {})).status()),
      Optional(TransportError{.kind = Kind::kConnect, .maybe_sent = false}));
  EXPECT_EQ(transport->statistics().connections, 0);
}

// Without TLS, too, an upgrade needs a tunnel: a proxy that forwards requests does not forward it.
// behaviour.md: ST-93, ST-94
TEST(UpgradeConnectionTest, GoesThroughProxies) {
  struct Row {
    std::string name;
    TestProxyOptions proxy;
    std::string user;
    bool tls;
  };
  const CertificateAuthority authority = TestServer::Value(CertificateAuthority::Make("proxy-ca"));
  const certificates::Certificate certificate =
      TestServer::Value(authority.Issue(TestServer::Local()));
  for (const Row& row :
       {Row{"http", {}, "", false}, Row{"http and TLS", {}, "", true},
        Row{"http with user", {.user = "ann", .password = "x"}, "ann:x", false},
        Row{"https", {.tls = certificate}, "", false}, Row{"socks5", {.socks5 = true}, "", false},
        Row{"socks5 and TLS", {.socks5 = true}, "", true}}) {
    SCOPED_TRACE(row.name);
    RawServer server(Echo, {.tls = row.tls});
    TestProxy proxy(row.proxy);
    const auto transport = MakeTransport();
    ConnectionOptions options = server.connection();
    options.ca_certificates += authority.certificate();
    options.proxy_url = proxy.url(row.user);
    const auto connection = Connect(*transport, Upgrade(server.url(), options));
    ASSERT_NE(connection, nullptr);
    ASSERT_THAT(connection->Write(Soon(), "text"), IsOk());
    EXPECT_THAT(ReadBytes(Soon(), *connection, 4), IsOkAndHolds("text"));
    EXPECT_THAT(proxy.targets(), ElementsAre(absl::StrCat("127.0.0.1:", server.port())));
  }
}

// behaviour.md: ST-93
TEST(UpgradeConnectionTest, AProxyMayRefuse) {
  RawServer server(Echo);
  TestProxy proxy({.status = 403});
  const auto transport = MakeTransport();
  ConnectionOptions options = server.connection();
  options.proxy_url = proxy.url();
  EXPECT_THAT(
      TransportErrorOf(transport->RoundTrip(Soon(), Upgrade(server.url(), options)).status()),
      Optional(TransportError{.kind = Kind::kProxy, .maybe_sent = false}));
  EXPECT_THAT(proxy.targets(), IsEmpty());
  EXPECT_EQ(server.connections(), 0);
}

// ---- Without `upgrade`

TEST(UpgradeConnectionTest, AnUnexpectedSwitchIsAnError) {
  RawServer server(Echo);
  const auto transport = MakeTransport();
  HttpRequest request = Upgrade(server);
  request.upgrade = false;
  EXPECT_THAT(transport->RoundTrip(Soon(), std::move(request)),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("unexpected 101")));
}

}  // namespace
}  // namespace kube::httpclient
