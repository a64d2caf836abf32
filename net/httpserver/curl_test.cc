// The server against a client that others wrote: the program curl, over HTTP/1.1 and HTTP/2, plain
// and with TLS.

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"
#include "net/httpserver/testing/faults.h"

namespace kube::httpserver {
namespace {

using ::kube::base::IsOk;
using ::kube::certificates::Certificate;
using ::kube::certificates::CertificateAuthority;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

struct CurlResult {
  int exit_code = -1;
  std::string output;
};

// Runs curl; its errors are part of the output. No argument has a "'".
CurlResult Curl(const std::vector<std::string>& arguments) {
  const std::string command = absl::StrCat("curl -sS --noproxy '*' --max-time 20 '",
                                           absl::StrJoin(arguments, "' '"), "' 2>&1");
  FILE* const pipe = ::popen(command.c_str(), "r");
  CurlResult result;
  std::array<char, 4096> buffer;
  while (const size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    result.output.append(buffer.data(), size);
  }
  result.exit_code = WEXITSTATUS(::pclose(pipe));
  return result;
}

class FunctionHandler final : public Handler {
 public:
  using Function = std::function<void(std::shared_ptr<Exchange>)>;
  explicit FunctionHandler(Function function) : function_(std::move(function)) {}
  void Handle(std::shared_ptr<Exchange> exchange) override { function_(std::move(exchange)); }

 private:
  const Function function_;
};

void Echo(const std::shared_ptr<Exchange>& exchange) {
  const Request& request = exchange->request();
  std::string user = "nobody";
  if (request.client_certificate) {
    user = absl::StrCat(request.client_certificate->common_name, " of ",
                        absl::StrJoin(request.client_certificate->organizations, "+"));
  }
  exchange->Respond({.headers = {{"x-user", user}},
                     .body = absl::StrCat(request.method, " ", request.target, " ",
                                          request.http_version, " [", request.body, "]\n")});
}

// One way to speak to a server.
struct Protocol {
  absl::string_view name;
  std::vector<std::string> arguments;
  bool tls;
  int version;
  // curl 7.88 sends a malformed second request over a connection of "prior knowledge".
  bool reuses = true;
};

const Protocol kProtocols[] = {
    {"Http1", {"--http1.1"}, false, 1},
    {"Http2", {"--http2-prior-knowledge"}, false, 2, false},
    {"Http1Tls", {"--http1.1"}, true, 1},
    {"Http2Tls", {"--http2"}, true, 2},
};

class CurlTest : public ::testing::TestWithParam<Protocol> {
 protected:
  void Start(FunctionHandler::Function function, ServerOptions options = {}) {
    if (GetParam().tls) options.tls = Tls();
    StartServer(std::move(function), options);
  }

  void StartServer(FunctionHandler::Function function, const ServerOptions& options) {
    server_.reset();  // before what it calls
    handler_ = std::make_unique<FunctionHandler>(std::move(function));
    absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(options, *handler_);
    ASSERT_THAT(server, IsOk());
    server_ = *std::move(server);
  }

  TlsOptions Tls() const {
    Certificate certificate = *authority_.Issue({.ip_addresses = {"127.0.0.1"}});
    return {.certificate_chain = certificate.certificate, .private_key = certificate.key};
  }

  // A file of the test's own.
  static std::string Write(absl::string_view name, absl::string_view text) {
    const std::string path = absl::StrCat(::testing::TempDir(), "/", name);
    std::ofstream(path) << text;
    return path;
  }

  std::string Url(absl::string_view path) const { return absl::StrCat(server_->url(), path); }

  CurlResult Get(std::vector<std::string> arguments) const {
    std::vector<std::string> all = GetParam().arguments;
    all.insert(all.end(), {"--cacert", Write("ca.pem", authority_.certificate())});
    all.insert(all.end(), arguments.begin(), arguments.end());
    return Curl(all);
  }

  const CertificateAuthority authority_ = *CertificateAuthority::Make("test-ca");
  std::unique_ptr<FunctionHandler> handler_;
  std::unique_ptr<Server> server_;
};

INSTANTIATE_TEST_SUITE_P(All, CurlTest, ::testing::ValuesIn(kProtocols),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(CurlTest, Requests_InSequence_ShareAConnection) {
  if (!GetParam().reuses) return;
  Start(Echo);
  const CurlResult result = Get({"-w", "%{http_code} %{num_connects}\\n", Url("/a?b=%20c"), "-X",
                                 "PUT", "-d", "data", Url("/d")});
  const int version = GetParam().version;
  EXPECT_EQ(result.output, absl::StrCat("PUT /a?b=%20c ", version, " [data]\n200 1\nPUT /d ",
                                        version, " [data]\n200 0\n"));
}

TEST_P(CurlTest, Request_WithLengthOrChunks_BodyIsReceived) {
  Start([](const std::shared_ptr<Exchange>& exchange) {
    exchange->Respond({.body = absl::StrCat(exchange->request().body.size())});
  });
  const std::string body(3'000'000, 'b');
  const std::string path = Write("body", body);
  EXPECT_EQ(Get({"--data-binary", absl::StrCat("@", path), Url("/")}).output, "3000000");
  // Of unknown length: chunks.
  EXPECT_EQ(Get({"-H", "Transfer-Encoding: chunked", "-T", path, Url("/")}).output, "3000000");
}

TEST_P(CurlTest, SendsLargeBodiesAndHeads) {
  Start([](const std::shared_ptr<Exchange>& exchange) {
    exchange->Respond({.body = std::string(20'000'000, 'x')});
  });
  EXPECT_EQ(Get({"-o", "/dev/null", "-w", "%{size_download}", Url("/")}).output, "20000000");
  EXPECT_THAT(Get({"-I", Url("/")}).output, HasSubstr("content-length: 20000000\r\n"));
}

TEST_P(CurlTest, RefusesLongBodiesAndHeaders) {
  Start(Echo, {.max_header_bytes = 5000, .max_body_bytes = 10});
  EXPECT_THAT(Get({"-w", "%{http_code}", "-d", "0123456789a", Url("/")}).output, EndsWith("413"));
  EXPECT_THAT(
      Get({"-w", "%{http_code}", "-H", absl::StrCat("a: ", std::string(6000, 'a')), Url("/")})
          .output,
      EndsWith("431"));
}

TEST_P(CurlTest, StreamsWhileItIsWritten) {
  base::Thread thread;
  Start([&thread](std::shared_ptr<Exchange> exchange) {
    ASSERT_THAT(thread.Start(Context(), "events",
                             [exchange = std::move(exchange)](const Context&) {
                               exchange->Inform(103, {{"link", "x"}});
                               exchange->Start(200, {{"content-type", "text/plain"}});
                               for (int i = 0; i < 10'000; ++i) {
                                 exchange->Write(absl::StrCat(i, "\n"));
                               }
                               exchange->Finish({{"x-sum", "10000"}});
                             }),
                IsOk());
  });
  const CurlResult result = Get({"-N", "-i", Url("/")});
  EXPECT_THAT(result.output, AllOf(StartsWith("HTTP/"), HasSubstr(" 103"), HasSubstr("link: x"),
                                   HasSubstr("\r\n\r\n0\n1\n2\n"), HasSubstr("\n9999\n")));
  server_.reset();  // it has started the thread
}

TEST_P(CurlTest, ServesManyAtOnce) {
  if (!GetParam().reuses) return;
  Start(Echo, {.io_threads = 2});
  std::string config;
  for (int i = 0; i < 300; ++i) absl::StrAppend(&config, "url = ", Url(absl::StrCat("/", i)), "\n");
  const CurlResult result =
      Get({"-Z", "--no-progress-meter", "--parallel-max", "50", "-K", Write("urls", config)});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(std::vector<std::string>(absl::StrSplit(result.output, '\n')), SizeIs(301));
  EXPECT_EQ(server_->statistics().requests, 300);
  if (GetParam().version == 2) {
    EXPECT_LE(server_->statistics().accepted_connections, 10);
  }
}

TEST_P(CurlTest, Fault_InTheResponse_FailsTheClient) {
  for (const absl::string_view fault : {"abort", "reset", "cut", "half close", "garbage"}) {
    SCOPED_TRACE(fault);
    Start([fault](const std::shared_ptr<Exchange>& exchange) {
      exchange->Start(200, {});
      exchange->Write("begun");
      std::optional<httpserver::Faults> faults = httpserver::Faults::Of(*exchange);
      if (fault == "abort") return exchange->Abort();
      if (fault == "reset") faults->ResetConnection();
      if (fault == "cut") faults->CloseAfter(3);
      if (fault == "half close") faults->HalfClose();
      if (fault == "garbage") faults->SendRaw(std::string(100, '\xff'));
    });
    EXPECT_NE(Get({Url("/")}).exit_code, 0);
  }
}

TEST_P(CurlTest, Fault_StallOrSlowDown_DelaysTheResponse) {
  Start([](const std::shared_ptr<Exchange>& exchange) {
    const std::string target = exchange->request().target;
    httpserver::Faults faults = *httpserver::Faults::Of(*exchange);
    if (target == "/stall") {
      faults.StallOutput();
      faults.Then([exchange] { exchange->Respond({.body = "never"}); });
    } else {
      faults.SlowDown(100'000);
      faults.Then([exchange] { exchange->Respond({.body = std::string(20'000, 'x')}); });
    }
  });
  EXPECT_EQ(Get({"--max-time", "0.3", Url("/stall")}).exit_code, 28);  // a time-out
  const CurlResult slow = Get({"-o", "/dev/null", "-w", "%{time_total}", Url("/slow")});
  EXPECT_EQ(slow.exit_code, 0);
  EXPECT_GE(std::atof(slow.output.c_str()), 0.15) << slow.output;
}

TEST_P(CurlTest, Fault_GoAwayOrResetStream_EndsConnectionOrStream) {
  if (GetParam().version != 2) return;
  Start([](std::shared_ptr<Exchange> exchange) {
    httpserver::Faults faults = *httpserver::Faults::Of(*exchange);
    if (exchange->request().target == "/reset") {
      faults.ResetStreams(/*error_code=*/2);  // INTERNAL_ERROR
      faults.Then([exchange] { EXPECT_TRUE(exchange->context().done()); });
      return;
    }
    faults.SendGoAway(/*error_code=*/0);
    faults.Then([exchange] { Echo(exchange); });
  });
  EXPECT_EQ(Get({Url("/reset")}).exit_code, 92);  // the stream was not closed cleanly
  // The request that is under way is answered; the next one needs another connection.
  const CurlResult result = Get({"-w", "%{num_connects}\\n", Url("/1"), Url("/2")});
  EXPECT_EQ(result.output, "GET /1 2 []\n1\nGET /2 2 []\n1\n");
}

using TlsTest = CurlTest;
INSTANTIATE_TEST_SUITE_P(All, TlsTest,
                         ::testing::Values(Protocol{"Http1Tls", {"--http1.1"}, true, 1},
                                           Protocol{"Http2Tls", {"--http2"}, true, 2}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(TlsTest, ClientAuth_RequestOrRequire_VerifiesTheCertificate) {
  const CertificateAuthority other = *CertificateAuthority::Make("other-ca");
  const Certificate alice =
      *authority_.Issue({.common_name = "alice", .organizations = {"dev", "ops"}, .server = false});
  const Certificate mallory = *other.Issue({.common_name = "mallory", .server = false});
  const auto with = [&](absl::string_view name, const Certificate& certificate) {
    const std::string key(certificate.key.Reveal());
    return Get({"-i", "--cert", Write(absl::StrCat(name, ".pem"), certificate.certificate), "--key",
                Write(absl::StrCat(name, ".key"), key), Url("/")});
  };
  for (const ClientAuth auth : {ClientAuth::kRequest, ClientAuth::kRequire}) {
    TlsOptions tls = Tls();
    tls.client_ca = authority_.certificate();
    tls.client_auth = auth;
    StartServer(Echo, {.tls = tls});
    EXPECT_THAT(with("alice", alice).output, HasSubstr("x-user: alice of dev+ops\r\n"));
    EXPECT_NE(with("mallory", mallory).exit_code, 0);
    const CurlResult nobody = Get({"-i", Url("/")});
    if (auth == ClientAuth::kRequest) {
      EXPECT_THAT(nobody.output, HasSubstr("x-user: nobody\r\n"));
    } else {
      EXPECT_NE(nobody.exit_code, 0);
    }
  }
}

TEST_P(TlsTest, OldVersionsAndOtherProtocolsAreRefused) {
  StartServer(Echo, {.tls = Tls()});
  EXPECT_EQ(Get({"--tls-max", "1.1", Url("/")}).exit_code, 35);
  EXPECT_EQ(Get({"--tls-max", "1.2", Url("/")}).exit_code, 0);
  const std::string plain = absl::StrCat("http://127.0.0.1:", server_->port(), "/");
  EXPECT_THAT(Get({plain}).exit_code, AnyOf(1, 52, 56, 16));
  EXPECT_GE(server_->statistics().failed_handshakes, 2);
}

TEST_P(TlsTest, Alpn_OneProtocolAllowed_NegotiatesIt) {
  const bool http2 = GetParam().version == 2;
  StartServer(Echo, {.tls = Tls(), .http1 = http2, .http2 = !http2});
  EXPECT_THAT(Get({Url("/")}).exit_code, AnyOf(0, 35));
  EXPECT_EQ(Curl({"-k", "--http2", Url("/")}).output, http2 ? "GET / 1 []\n" : "GET / 2 []\n");
}

}  // namespace
}  // namespace kube::httpserver
