// Whom the transport trusts, and whom it shows.

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
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
using ::kube::certificates::Certificate;
using ::kube::certificates::CertificateAuthority;
using ::kube::certificates::CertificateOptions;
using ::kube::httpclient::Get;
using ::kube::httpclient::MakeTransport;
using ::kube::httpclient::TestServer;
using ::kube::httpserver::ClientAuth;
using ::kube::httpserver::Exchange;
using ::testing::AnyOf;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Optional;

void Greet(const std::shared_ptr<Exchange>& exchange) {
  const auto& client = exchange->request().client_certificate;
  exchange->Respond({.body = client ? client->common_name : "nobody"});
}

void Host(const std::shared_ptr<Exchange>& exchange) {
  exchange->Respond({.body = std::string(exchange->request().headers.Get("host").value_or(""))});
}

absl::Status Try(TestServer& server, ConnectionOptions options, const std::string& url = "") {
  const auto transport = MakeTransport();
  return Get(*transport, {.url = url.empty() ? server.url() : url,
                          .connection = std::make_shared<ConnectionOptions>(options)})
      .status();
}

TEST(TlsTest, Refusals) {
  struct Case {
    std::string name;
    CertificateOptions certificate;
    bool trusted = true;
    std::string message;
  };
  CertificateOptions expired = TestServer::Local();
  expired.valid_until = -absl::Minutes(1);
  CertificateOptions early = TestServer::Local();
  early.valid_from = absl::Hours(1);
  CertificateOptions client_only = TestServer::Local();
  client_only.server = false;
  const std::vector<Case> cases = {
      {"wrong address",
       {.common_name = "127.0.0.1", .ip_addresses = {"127.0.0.2"}},
       true,
       "127.0.0.1"},
      {"a name only", {.dns_names = {"localhost"}}, true, "127.0.0.1"},
      {"expired", expired, true, "expired"},
      {"not valid yet", early, true, "not yet valid"},
      {"not for servers", client_only, true, "certificate"},
      {"of another authority", TestServer::Local(), false, "certificate"},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.name);
    TestServer server(Greet, {}, true, test.certificate);
    ConnectionOptions options = server.connection();
    if (!test.trusted) {
      options.ca_certificates =
          TestServer::Value(CertificateAuthority::Make("test-ca")).certificate();
    }
    const absl::Status status = Try(server, options);
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kUnauthenticated, HasSubstr(test.message)));
    EXPECT_EQ(TransportErrorOf(status),
              (TransportError{.kind = TransportErrorKind::kTls, .maybe_sent = false}));
    // Without authorities the system's are used, which do not have this one, either.
    options.ca_certificates = "";
    EXPECT_THAT(Try(server, options), StatusIs(absl::StatusCode::kUnauthenticated));
    options.insecure_skip_tls_verify = true;
    EXPECT_THAT(Try(server, options), IsOk());
  }
}

TEST(TlsTest, OptionsThatAreNoCertificates) {
  TestServer server(Greet);
  ConnectionOptions options = server.connection();
  options.ca_certificates = "no PEM";
  EXPECT_THAT(Try(server, options), StatusIs(absl::StatusCode::kUnauthenticated));
  options = server.connection();
  options.client_certificate = "no PEM";
  options.client_key = base::Secret("nor this");
  const absl::Status status = Try(server, options);
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kUnauthenticated));
  EXPECT_THAT(std::string(status.message()), Not(HasSubstr("nor this")));
}

// Requests share a connection only if they trust the same authorities and use the same certificate.
TEST(TlsTest, ClientCertificates) {
  TestServer server(Greet, {.tls = httpserver::TlsOptions{.client_auth = ClientAuth::kRequest}});
  const auto transport = MakeTransport();
  const auto as = [&](const std::string& user) {
    ConnectionOptions options = server.connection();
    if (!user.empty()) {
      const Certificate issued = TestServer::Value(server.authority().Issue({.common_name = user}));
      options.client_certificate = issued.certificate;
      options.client_key = issued.key;
    }
    return std::make_shared<ConnectionOptions>(options);
  };
  const auto alice = as("alice");
  const auto bob = as("bob");
  const auto nobody = as("");
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(Get(*transport, {.url = server.url(), .connection = alice}), IsOkAndHolds("alice"));
    EXPECT_THAT(Get(*transport, {.url = server.url(), .connection = bob}), IsOkAndHolds("bob"));
    EXPECT_THAT(Get(*transport, {.url = server.url(), .connection = nobody}),
                IsOkAndHolds("nobody"));
    // Equal values share a connection.
    EXPECT_THAT(Get(*transport, {.url = server.url(),
                                 .connection = std::make_shared<ConnectionOptions>(*alice)}),
                IsOkAndHolds("alice"));
  }
  EXPECT_EQ(transport->statistics().opened_connections, 3);
}

// A watch and a request end; a connection with another certificate does not notice.
TEST(TlsTest, ConnectionsThatAreClosed_EndTheirRequests) {
  base::Mutex mutex;
  std::vector<std::shared_ptr<Exchange>> held;
  base::Event all_held;
  TestServer server(
      [&](std::shared_ptr<Exchange> exchange) {
        const std::string target(exchange->request().target);
        if (target == "/") return Greet(exchange);
        if (target == "/watch") exchange->Start(200, {});
        base::MutexLock lock(mutex);
        held.push_back(std::move(exchange));
        if (held.size() == 3) all_held.Set();
      },
      {.tls = httpserver::TlsOptions{.client_auth = ClientAuth::kRequest}});
  const auto transport = MakeTransport();
  const auto as = [&](const std::string& user) {
    const Certificate issued = TestServer::Value(server.authority().Issue({.common_name = user}));
    ConnectionOptions options = server.connection();
    options.client_certificate = issued.certificate;
    options.client_key = issued.key;
    return std::make_shared<const ConnectionOptions>(options);
  };
  const auto alice = as("alice");
  const auto bob = as("bob");
  const auto watch_as = [&](const std::shared_ptr<const ConnectionOptions>& who) {
    return TestServer::Value(transport->RoundTrip(
        Soon(), {.url = server.url("/watch"), .connection = who, .long_running = true}));
  };
  HttpResponse watch = watch_as(alice);
  HttpResponse other = watch_as(bob);
  base::ThreadGroup requests{Context()};
  absl::Status ended;
  requests.Go("held", [&](const Context&) {
    ended = Get(*transport, {.url = server.url("/held"), .connection = alice}).status();
    return absl::OkStatus();
  });
  ASSERT_THAT(all_held.Wait(Soon()), IsOk());

  transport->CloseConnections(*alice);
  EXPECT_THAT(requests.Wait(), IsOk());
  for (const absl::Status& status : {ended, ReadAll(Soon(), watch).status()}) {
    EXPECT_EQ(TransportErrorOf(status),
              (TransportError{.kind = TransportErrorKind::kLost, .maybe_sent = true}));
    EXPECT_THAT(std::string(status.message()), HasSubstr("closed by the client"));
  }
  const Context ctx = Soon();
  while (transport->statistics().connections > 1) {
    ASSERT_THAT(base::SleepFor(ctx, absl::Milliseconds(1)), IsOk());
  }
  for (const auto& exchange : held) {
    exchange->Write("event");
    exchange->Finish();
  }
  EXPECT_THAT(ReadAll(Soon(), other), IsOkAndHolds("event"));
  EXPECT_THAT(Get(*transport, {.url = server.url(), .connection = alice}), IsOkAndHolds("alice"));
}

// With TLS 1.3 the server refuses after the client's handshake: either its alert arrives first, or
// sending fails.
TEST(TlsTest, ServersThatInsistOnACertificate) {
  TestServer server(Greet, {.tls = httpserver::TlsOptions{.client_auth = ClientAuth::kRequire}});
  const CertificateAuthority other = TestServer::Value(CertificateAuthority::Make("test-ca"));
  const Certificate issued = TestServer::Value(other.Issue({.common_name = "eve"}));
  for (const bool shows : {false, true}) {
    ConnectionOptions options = server.connection();
    if (shows) {
      options.client_certificate = issued.certificate;
      options.client_key = issued.key;
    }
    const absl::Status status = Try(server, options);
    EXPECT_THAT(TransportErrorOf(status),
                Optional(Field(&TransportError::kind,
                               AnyOf(TransportErrorKind::kTls, TransportErrorKind::kReset))))
        << status;
  }
}

// The certificate must have tls_server_name; the request still has the URL's host.
TEST(TlsTest, ServerName) {
  TestServer server(Host, {}, true, {.dns_names = {"kubernetes.default"}});
  ConnectionOptions options = server.connection();
  EXPECT_THAT(Try(server, options), StatusIs(absl::StatusCode::kUnauthenticated));
  for (const HttpVersion version : {HttpVersion::kAny, HttpVersion::kHttp1}) {
    options.http_version = version;
    options.tls_server_name = "kubernetes.default";
    const auto transport = MakeTransport();
    const auto connection = std::make_shared<ConnectionOptions>(options);
    const std::string address = absl::StrCat("127.0.0.1:", server.server().port());
    for (int i = 0; i < 2; ++i) {
      EXPECT_THAT(Get(*transport, {.url = server.url(), .connection = connection}),
                  IsOkAndHolds(address));
    }
    EXPECT_EQ(transport->statistics().opened_connections, 1);
    options.tls_server_name = "kubernetes.other";
    EXPECT_THAT(Try(server, options),
                StatusIs(absl::StatusCode::kUnauthenticated,
                         HasSubstr("verify certificate of kubernetes.other")));
  }
}

// As Go's crypto/x509 (1.26), which also accepts a "*" above a single label, and a name with a
// trailing dot.
TEST(TlsTest, NamesOfCertificates) {
  struct Row {
    std::string host;
    CertificateOptions certificate;
    std::string mistake;  // "" if it is accepted
  };
  const std::string legacy = "certificate relies on legacy Common Name field, use SANs instead";
  const CertificateOptions no_usage = {
      .common_name = "localhost", .server = false, .client = false};
  for (const Row& row : std::vector<Row>{
           {"localhost", {.common_name = "localhost"}, legacy},
           {"localhost", no_usage, legacy},
           {"LOCALHOST", {.common_name = "localhost"}, legacy},
           {"127.0.0.1", {.common_name = "127.0.0.1"}, legacy},
           {"a.example.com", {.common_name = "*.example.com"}, legacy},
           {"localhost",
            {.common_name = "other"},
            "certificate is not valid for any names, but wanted to match localhost"},
           {"127.0.0.1",
            {.common_name = "other"},
            "cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs"},
           {"localhost",
            {.common_name = "localhost", .dns_names = {"a", "b.c"}},
            "certificate is valid for a, b.c, not localhost"},
           {"localhost",
            {.common_name = "localhost", .ip_addresses = {"127.0.0.1"}},
            "certificate is not valid for any names, but wanted to match localhost"},
           {"127.0.0.1",
            {.common_name = "127.0.0.1", .dns_names = {"localhost"}},
            "cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs"},
           {"127.0.0.1",
            {.dns_names = {"127.0.0.1"}},
            "cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs"},
           {"127.0.0.1",
            {.ip_addresses = {"10.0.0.1", "fd00::1"}},
            "certificate is valid for 10.0.0.1, fd00::1, not 127.0.0.1"},
           {"fd00::2",
            {.ip_addresses = {"fd00::1"}},
            "certificate is valid for fd00::1, not fd00::2"},
           {"b.a.example.com",
            {.dns_names = {"*.example.com"}},
            "certificate is valid for *.example.com, not b.a.example.com"},
           {"example.com",
            {.dns_names = {"*.example.com"}},
            "certificate is valid for *.example.com, not example.com"},
           {"abc.example.com",
            {.dns_names = {"a*.example.com"}},
            "certificate is valid for a*.example.com, not abc.example.com"},
           {"a.b.example.com",
            {.dns_names = {"a.*.example.com"}},
            "certificate is valid for a.*.example.com, not a.b.example.com"},
           {"localhost", {.dns_names = {"*"}}, "certificate is valid for *, not localhost"},
           {"localhost", {.dns_names = {"LocalHost"}}, ""},
           {"localhost.", {.dns_names = {"localhost"}}, ""},
           {"a.example.com", {.common_name = "other", .dns_names = {"*.example.com"}}, ""},
           {"a_b.example.com", {.dns_names = {"a_b.example.com"}}, ""},
           {"127.0.0.1", {.common_name = "other", .ip_addresses = {"127.0.0.1"}}, ""},
           {"fd00::1", {.ip_addresses = {"FD00:0::0:1"}}, ""},
           {"FD00:0::1", {.ip_addresses = {"fd00::1"}}, ""}}) {
    SCOPED_TRACE(absl::StrCat(row.host, " ", row.mistake));
    TestServer server(Greet, {}, true, row.certificate);
    ConnectionOptions options = server.connection();
    options.tls_server_name = row.host;
    const absl::Status status = Try(server, options);
    if (row.mistake.empty()) {
      EXPECT_THAT(status, IsOk());
      continue;
    }
    EXPECT_THAT(status,
                StatusIs(absl::StatusCode::kUnauthenticated,
                         absl::StrCat("verify certificate of ", row.host, ": ", row.mistake)));
    EXPECT_EQ(TransportErrorOf(status),
              (TransportError{.kind = TransportErrorKind::kTls, .maybe_sent = false}));
    options.insecure_skip_tls_verify = true;
    EXPECT_THAT(Try(server, options), IsOk());
  }
}

TEST(TlsTest, ServerNameThatIsAnAddress) {
  TestServer server(Host, {}, true, {.ip_addresses = {"10.1.2.3"}});
  ConnectionOptions options = server.connection();
  options.tls_server_name = "10.1.2.3";
  EXPECT_THAT(Try(server, options), IsOk());
}

TEST(TlsTest, HostNames) {
  TestServer server(Host);
  const std::string url = absl::StrReplaceAll(server.url(), {{"127.0.0.1", "localhost"}});
  EXPECT_THAT(Try(server, server.connection(), url), IsOk());
}

TEST(TlsTest, ServerWithoutTls) {
  TestServer server(Greet, {}, /*tls=*/false);
  const std::string url = absl::StrReplaceAll(server.url(), {{"http://", "https://"}});
  EXPECT_EQ(TransportErrorOf(Try(server, server.connection(), url)),
            (TransportError{.kind = TransportErrorKind::kTls, .maybe_sent = false}));
}

// ---- Protocols

TEST(TlsTest, Protocols) {
  const auto version = [](const std::shared_ptr<Exchange>& exchange) {
    exchange->Respond({.body = absl::StrCat("HTTP/", exchange->request().http_version)});
  };
  TestServer both(version);
  TestServer http1(version, {.http2 = false});
  TestServer http2(version, {.http1 = false});
  // A server without ALPN, which answers with the request line.
  httpclient::TestProxy none(
      {.tls = TestServer::Value(both.authority().Issue(TestServer::Local()))});
  struct Row {
    std::string name;
    std::string url;
    ConnectionOptions options;
    std::string http1_answer;
    std::string http2_answer;
    bool prefers_http2 = false;
  };
  for (const Row& row :
       {Row{"both", both.url(), both.connection(), "HTTP/1", "HTTP/2", true},
        Row{"http1", http1.url(), http1.connection(), "HTTP/1", ""},
        Row{"http2", http2.url(), http2.connection(), "", "HTTP/2", true},
        Row{"none", absl::StrCat(none.url(), "/"), both.connection(), "GET / HTTP/1.1", ""}}) {
    for (const HttpVersion asked :
         {HttpVersion::kAny, HttpVersion::kHttp1, HttpVersion::kHttp2Only}) {
      SCOPED_TRACE(absl::StrCat(row.name, " ", static_cast<int>(asked)));
      const bool one =
          asked == HttpVersion::kHttp1 || (asked == HttpVersion::kAny && !row.prefers_http2);
      const std::string& expected = one ? row.http1_answer : row.http2_answer;
      ConnectionOptions options = row.options;
      options.http_version = asked;
      const auto connection = std::make_shared<ConnectionOptions>(options);
      const auto transport = MakeTransport();
      for (int i = 0; i < 3; ++i) {
        const auto answer = Get(*transport, {.url = row.url, .connection = connection});
        if (!expected.empty()) {
          EXPECT_THAT(answer, base::IsOkAndHolds(expected));
          continue;
        }
        EXPECT_EQ(TransportErrorOf(answer.status()),
                  (TransportError{.kind = TransportErrorKind::kTls, .maybe_sent = false}))
            << answer.status();
        if (asked != HttpVersion::kHttp2Only) continue;
        EXPECT_THAT(std::string(answer.status().message()),
                    AnyOf(HasSubstr("the server does not support HTTP/2"),
                          HasSubstr("no application protocol")));
      }
    }
  }
}

// ---- Chains, from a folder: see its README

std::string ReadPem(const std::string& name) {
  std::ifstream file(absl::StrCat("net/httpclient/internal/testdata/certificate_chain/", name));
  std::string text{std::istreambuf_iterator<char>(file), {}};
  KUBE_CHECK(!text.empty()) << name;
  return text;
}

class ChainServer {
 public:
  explicit ChainServer(httpserver::TlsOptions tls)
      : handler_(Greet),
        server_(TestServer::Value(httpserver::Server::Start({.tls = std::move(tls)}, handler_))) {}
  absl::Status Try(const ConnectionOptions& options) {
    const auto transport = MakeTransport();
    return Get(*transport,
               {.url = server_->url(), .connection = std::make_shared<ConnectionOptions>(options)})
        .status();
  }

 private:
  httpclient::FunctionHandler handler_;
  std::unique_ptr<httpserver::Server> server_;
};

TEST(TlsTest, ChainOfTheServer) {
  const std::string root = ReadPem("root.pem");
  const std::string other = TestServer::Value(CertificateAuthority::Make("other")).certificate();
  const std::string leaf = ReadPem("server.pem");
  const std::string chain = leaf + ReadPem("intermediate.pem");
  struct Case {
    std::string name;
    std::string shown;
    std::string trusted;
    bool good;
  };
  for (const Case& test :
       {Case{"with what is between", chain, root, true}, Case{"without", leaf, root, false},
        Case{"trusted with what is between", leaf, root + chain, true},
        Case{"several authorities", chain, other + root, true},
        Case{"several authorities, the other way round", chain, root + other, true},
        Case{"text between them", chain, "# other\n" + other + "\n\n# root\n" + root, true},
        Case{"others alone", chain, other, false}}) {
    SCOPED_TRACE(test.name);
    ChainServer server(
        {.certificate_chain = test.shown, .private_key = base::Secret(ReadPem("server.key"))});
    EXPECT_THAT(server.Try({.ca_certificates = test.trusted}),
                StatusIs(test.good ? absl::StatusCode::kOk : absl::StatusCode::kUnauthenticated));
  }
}

TEST(TlsTest, ChainOfTheClient) {
  const std::string root = ReadPem("root.pem");
  const std::string between = ReadPem("intermediate.pem");
  ChainServer server({.certificate_chain = ReadPem("server.pem") + between,
                      .private_key = base::Secret(ReadPem("server.key")),
                      .client_ca = root,
                      .client_auth = ClientAuth::kRequire});
  ConnectionOptions options = {.ca_certificates = root,
                               .client_certificate = ReadPem("client.pem") + between,
                               .client_key = base::Secret(ReadPem("client.key"))};
  EXPECT_THAT(server.Try(options), IsOk());
  // The server lacks the intermediate certificate.
  options.client_certificate = ReadPem("client.pem");
  EXPECT_THAT(TransportErrorOf(server.Try(options)),
              Optional(Field(&TransportError::kind,
                             AnyOf(TransportErrorKind::kTls, TransportErrorKind::kReset))));
  // The key does not match the certificate.
  options.client_key = base::Secret(ReadPem("server.key"));
  EXPECT_THAT(server.Try(options), StatusIs(absl::StatusCode::kUnauthenticated));
}

TEST(TlsTest, SelfSigned) {
  ChainServer server({.certificate_chain = ReadPem("self_signed.pem"),
                      .private_key = base::Secret(ReadPem("self_signed.key"))});
  for (const std::string trusted : {"", "root.pem"}) {
    const absl::Status status =
        server.Try({.ca_certificates = trusted.empty() ? "" : ReadPem(trusted)});
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kUnauthenticated, HasSubstr("self-signed")));
    EXPECT_EQ(TransportErrorOf(status),
              (TransportError{.kind = TransportErrorKind::kTls, .maybe_sent = false}));
  }
  // Trusting the certificate itself works.
  EXPECT_THAT(server.Try({.ca_certificates = ReadPem("self_signed.pem")}), IsOk());
}

}  // namespace
}  // namespace kube::httpclient
