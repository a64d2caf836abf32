#include "controller/health/health_server.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "controller/health/health_check.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"
#include "net/httpserver/testing/raw_client.h"

namespace kube::health {
namespace {

using base::IsOk;
using base::StatusIs;
using certificates::Certificate;
using certificates::CertificateAuthority;
using httpserver::RawClient;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

Context Soon() { return WithTimeout(Context(), absl::Seconds(30)); }

struct Answer {
  int status = 0;
  http::Headers headers = {};
  std::string body = {};
};

class HealthServerTest : public testing::Test {
 protected:
  void Start(HealthServerOptions options) {
    options.address = "127.0.0.1";
    options.port = 0;
    absl::StatusOr<std::unique_ptr<HealthServer>> server = HealthServer::Start(std::move(options));
    ASSERT_THAT(server, IsOk());
    server_ = *std::move(server);
  }

  absl::StatusOr<Answer> Send(httpclient::HttpRequest request) {
    KUBE_ASSIGN_OR_RETURN(httpclient::HttpResponse response,
                          transport_->RoundTrip(Soon(), std::move(request)));
    Answer answer = {.status = response.status, .headers = std::move(response.headers)};
    while (true) {
      KUBE_ASSIGN_OR_RETURN(const std::string piece, response.body->Read(Soon()));
      if (piece.empty()) return answer;
      answer.body += piece;
    }
  }
  Answer Get(absl::string_view path, std::string method = "GET") {
    const absl::StatusOr<Answer> answer =
        Send({.method = std::move(method), .url = absl::StrCat(server_->url(), path)});
    EXPECT_THAT(answer, IsOk());
    return answer.ok() ? *answer : Answer();
  }

  std::unique_ptr<HealthServer> server_;
  const std::shared_ptr<httpclient::HttpTransport> transport_ = *httpclient::MakeHttpTransport({});
};

HealthCheck Well(std::string name) {
  return {std::move(name), [](const Context&) { return absl::OkStatus(); }};
}
HealthCheck Bad(std::string name) {
  return {std::move(name), [](const Context&) { return absl::InternalError("no disk"); }};
}

// behaviour.md: MGR-40
TEST_F(HealthServerTest, Get_WithoutChecks_ReturnsOk) {
  Start({});
  for (const char* path : {"/healthz", "/livez", "/readyz", "/healthz/ping"}) {
    const Answer answer = Get(path);
    EXPECT_EQ(answer.status, 200) << path;
    EXPECT_EQ(answer.body, "ok") << path;
    EXPECT_EQ(answer.headers.Get("content-type"), "text/plain; charset=utf-8") << path;
  }
  EXPECT_EQ(Get("/metrics").status, 404);
}

// behaviour.md: CR-5, MGR-42
TEST_F(HealthServerTest, Get_EachEndpoint_RunsItsOwnChecks) {
  Start({.healthz = {Well("a")},
         .livez = {Well("a"), Well("some/long name")},
         .readyz = {Bad("a"), Well("b")}});
  const struct {
    const char* path;
    int status;
    const char* body;
  } cases[] = {
      {"/healthz", 200, "ok"},
      {"/livez?verbose", 200, "[+]a ok\n[+]some/long name ok\nlivez check passed\n"},
      {"/readyz", 500, "[-]a failed: reason withheld\n[+]b ok\nreadyz check failed\n"},
      {"/readyz?exclude=a", 200, "ok"},
      {"/readyz/a", 500, "internal server error: no disk\n"},
      {"/readyz/b", 200, "ok"},
      {"/livez/some/long%20name", 200, "ok"},
      {"/healthz/b", 404, "404 page not found\n"},
      {"/healthz/", 404, "404 page not found\n"},
      {"/healthzz", 404, "404 page not found\n"},
      {"/", 404, "404 page not found\n"},
      {"/%zz", 400, "bad request\n"},
  };
  for (const auto& test : cases) {
    const Answer answer = Get(test.path);
    EXPECT_EQ(answer.status, test.status) << test.path;
    EXPECT_EQ(answer.body, test.body) << test.path;
  }
}

TEST_F(HealthServerTest, Request_OtherThanGetOrHead_Returns405) {
  Start({});
  const Answer head = Get("/healthz", "HEAD");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.body, "");
  const Answer post = Get("/healthz", "POST");
  EXPECT_EQ(post.status, 405);
  EXPECT_EQ(post.headers.Get("allow"), "GET, HEAD");
}

// behaviour.md: CR-5
TEST_F(HealthServerTest, GetMetrics_ReturnsTheRegistryAsText) {
  const auto metrics = std::make_shared<base::PrometheusRegistry>();
  metrics->MakeCounter({.name = "things_total", .help = "Things."})
      ->WithLabelValues({})
      .Increment(3);
  Start({.metrics = metrics});
  const Answer answer = Get("/metrics");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.headers.Get("content-type"), base::PrometheusRegistry::kContentType);
  EXPECT_EQ(answer.body,
            "# HELP things_total Things.\n# TYPE things_total counter\nthings_total 3\n");
}

// behaviour.md: MGR-43
TEST_F(HealthServerTest, Get_HungCheck_FailsAtTheTimeoutAndRunsOnce) {
  base::Event release;
  std::atomic<int> runs = 0;
  const HealthCheck hangs = {"hangs", [&](const Context&) {
                               ++runs;
                               return release.Wait(Context());
                             }};
  Start({.readyz = {Well("a"), hangs}, .check_timeout = absl::Milliseconds(50)});
  for (int i = 0; i < 3; ++i) {
    const Answer answer = Get("/readyz");
    EXPECT_EQ(answer.status, 500);
    EXPECT_EQ(answer.body, "[+]a ok\n[-]hangs failed: reason withheld\nreadyz check failed\n");
  }
  EXPECT_EQ(Get("/readyz/hangs").body, "internal server error: no result after 50ms\n");
  EXPECT_EQ(Get("/readyz/a").body, "ok");
  EXPECT_EQ(Get("/livez").body, "ok");
  EXPECT_EQ(runs, 1);
  release.Set();
  server_ = nullptr;  // before what the check uses
}

// behaviour.md: MGR-43
TEST_F(HealthServerTest, Get_SeveralChecks_RunSideBySide) {
  // Each waits for the other.
  base::Event a_runs, b_runs;
  const HealthCheck a = {"a", [&](const Context& ctx) {
                           a_runs.Set();
                           return b_runs.Wait(ctx);
                         }};
  const HealthCheck b = {"b", [&](const Context& ctx) {
                           b_runs.Set();
                           return a_runs.Wait(ctx);
                         }};
  Start({.healthz = {a, b}, .check_timeout = absl::Seconds(30)});
  EXPECT_EQ(Get("/healthz").body, "ok");
  server_ = nullptr;
}

constexpr absl::string_view kLivez = "GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
constexpr absl::string_view kReadyz =
    "GET /readyz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

// A check that waits for `release`, and says that it runs.
HealthCheck Slow(base::Event& runs, base::Event& release) {
  return {"slow", [&](const Context& ctx) {
            runs.Set();
            return release.Wait(ctx);
          }};
}

TEST_F(HealthServerTest, ASlowCheckDelaysNoOtherEndpoint) {
  base::Event runs, release;
  Start({.readyz = {Slow(runs, release)}, .check_timeout = absl::Seconds(30)});
  std::vector<RawClient> waiting;
  for (int i = 0; i < 100; ++i) {
    waiting.emplace_back(server_->port());
    waiting.back().Send(kReadyz);
  }
  ASSERT_THAT(runs.Wait(Soon()), IsOk());
  for (int i = 0; i < 10; ++i) {
    RawClient kubelet(server_->port());
    kubelet.Send(kLivez);
    EXPECT_THAT(kubelet.ReadToEnd(), AllOf(StartsWith("HTTP/1.1 200 "), EndsWith("ok")));
    EXPECT_FALSE(release.IsSet());
  }
  release.Set();
  for (RawClient& client : waiting) {
    EXPECT_THAT(client.ReadToEnd(), AllOf(StartsWith("HTTP/1.1 200 "), EndsWith("ok")));
  }
  server_ = nullptr;  // before what the check uses
}

TEST_F(HealthServerTest, Get_TooManyPendingRequests_RefusesTheNewest) {
  base::Event runs, release;
  Start({.readyz = {Slow(runs, release)}, .check_timeout = absl::Seconds(30)});
  std::vector<RawClient> clients;
  for (int i = 0; i < 390; ++i) {
    clients.emplace_back(server_->port());
    clients.back().Send(i % 2 == 0 ? "GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n"
                                   : "GET /readyz/slow HTTP/1.1\r\nhost: x\r\n\r\n");
  }
  EXPECT_THAT(clients.back().ReadUntil("requests\n"), HasSubstr("too many pending requests\n"));
  // The others may stay: there is always one that makes room.
  for (int i = 0; i < 30; ++i) {
    RawClient kubelet(server_->port());
    kubelet.Send(kLivez);
    EXPECT_THAT(kubelet.ReadToEnd(), EndsWith("ok"));
  }
  release.Set();
  EXPECT_THAT(clients.front().ReadUntil("\r\n\r\nok"), StartsWith("HTTP/1.1 200 "));
  EXPECT_EQ(Get("/readyz").body, "ok");
  server_ = nullptr;
}

// One peer asks /livez as often as it can while the check runs; the kubelet asks from another
// address.
TEST_F(HealthServerTest, APeerThatAsksTooOftenKeepsNoOtherOut) {
  base::Event runs, release;
  Start({.livez = {Slow(runs, release)}, .check_timeout = absl::Seconds(30)});
  constexpr absl::string_view kAll = "GET /livez HTTP/1.1\r\nhost: x\r\n\r\n";
  constexpr absl::string_view kOne = "GET /livez/slow HTTP/1.1\r\nhost: x\r\n\r\n";
  std::vector<RawClient> greedy;
  for (int i = 0; i < 300; ++i) {
    greedy.emplace_back(server_->port(), "127.0.0.2");
    greedy.back().Send(i % 2 == 0 ? kAll : kOne);
  }
  EXPECT_THAT(greedy.back().ReadUntil("wait\n"), HasSubstr("503 Service Unavailable"));
  greedy.pop_back();
  RawClient kubelet(server_->port());
  kubelet.Send(kAll);
  RawClient person(server_->port(), "127.0.0.3");
  person.Send(kOne);
  // Until the server has seen these.
  for (int i = 0; i < 10; ++i) EXPECT_EQ(Get("/healthz").body, "ok");
  release.Set();
  EXPECT_THAT(kubelet.ReadUntil("\r\n\r\nok"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(person.ReadUntil("\r\n\r\nok"), StartsWith("HTTP/1.1 200 "));
  int answered = 0;
  for (RawClient& client : greedy) {
    client.HalfClose();
    if (client.ReadToEnd().starts_with("HTTP/1.1 200 ")) ++answered;
  }
  EXPECT_EQ(answered, 126) << "two have lost their places";
  server_ = nullptr;  // before what the check uses
}

// behaviour.md: MGR-29
TEST_F(HealthServerTest, SilentConnectionsKeepNobodyOut) {
  Start({});
  std::vector<RawClient> silent;
  for (int i = 0; i < 420; ++i) silent.emplace_back(server_->port());
  for (int i = 0; i < 10; ++i) {
    RawClient kubelet(server_->port());
    kubelet.Send(kLivez);
    EXPECT_THAT(kubelet.ReadToEnd(), EndsWith("ok"));
  }
}

// `nc -N` and some probes close their side after the request. (Go: 200)
TEST_F(HealthServerTest, AnswersClientsThatSendNoMore) {
  const log::LogCapture log;
  base::Event runs, release;
  Start({.readyz = {Slow(runs, release)},
         .check_timeout = absl::Seconds(30),
         .metrics = std::make_shared<base::PrometheusRegistry>()});
  RawClient waits(server_->port());
  waits.Send(kReadyz);
  waits.HalfClose();
  RawClient one(server_->port());
  one.Send("GET /readyz/slow HTTP/1.1\r\nhost: x\r\n\r\n");
  one.HalfClose();
  RawClient gone(server_->port());
  gone.Send(kReadyz);
  gone.Reset();
  ASSERT_THAT(runs.Wait(Soon()), IsOk());
  for (int i = 0; i < 50; ++i) {
    for (const absl::string_view path : {"/livez", "/healthz/ping", "/metrics"}) {
      RawClient client(server_->port());
      client.Send(absl::StrCat("GET ", path, " HTTP/1.1\r\nhost: x\r\n\r\n"));
      client.HalfClose();
      EXPECT_THAT(client.ReadToEnd(), StartsWith("HTTP/1.1 200 ")) << path;
    }
  }
  release.Set();
  EXPECT_THAT(waits.ReadToEnd(), AllOf(StartsWith("HTTP/1.1 200 "), EndsWith("ok")));
  EXPECT_THAT(one.ReadToEnd(), AllOf(StartsWith("HTTP/1.1 200 "), EndsWith("ok")));
  server_ = nullptr;
  EXPECT_THAT(log.Lines(), IsEmpty());
}

// There are never more requests than places for them.
TEST_F(HealthServerTest, Get_FromManyThreads_ReturnsOk) {
  Start({.healthz = {Well("a")}});
  base::ThreadGroup group{Context()};
  std::atomic<int> served = 0;
  for (int i = 0; i < 8; ++i) {
    group.Go("prober", [&](const Context&) {
      for (int j = 0; j < 50; ++j) {
        const Answer answer = Get("/healthz");
        EXPECT_EQ(answer.status, 200) << answer.body;
        EXPECT_EQ(answer.body, "ok");
        ++served;
      }
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
  EXPECT_EQ(served, 400);
}

// behaviour.md: MGR-29
TEST_F(HealthServerTest, Request_LargeHeader_Returns431) {
  Start({});
  const struct {
    size_t size;
    int status;
  } kRows[] = {{60'000, 200}, {100'000, 431}};
  for (const auto& row : kRows) {
    httpclient::HttpRequest request = {.url = absl::StrCat(server_->url(), "/healthz")};
    request.headers.Set("x-long", std::string(row.size, 'x'));
    const absl::StatusOr<Answer> answer = Send(std::move(request));
    ASSERT_THAT(answer, IsOk());
    EXPECT_EQ(answer->status, row.status) << row.size;
  }
}

// Not a byte is sent that the server does not read, so the connection is not reset.
TEST_F(HealthServerTest, Request_BodyBeyond4096Bytes_Returns413) {
  Start({});
  const struct {
    const char* name;
    std::string rest;
    const char* answer;
  } kRows[] = {
      {"the limit", absl::StrCat("content-length: 4096\r\n\r\n", std::string(4096, 'x')),
       "HTTP/1.1 405 "},
      {"a larger length", "content-length: 4097\r\n\r\n", "HTTP/1.1 413 "},
      {"a larger chunk",
       absl::StrCat("transfer-encoding: chunked\r\n\r\n1001\r\n", std::string(4097, 'x')),
       "HTTP/1.1 413 "},
  };
  for (const auto& row : kRows) {
    RawClient client(server_->port());
    client.Send(absl::StrCat("POST /healthz HTTP/1.1\r\nhost: x\r\n", row.rest));
    EXPECT_THAT(client.ReadUntil("\r\n\r\n"), StartsWith(row.answer)) << row.name;
  }
}

TEST_F(HealthServerTest, Get_TlsWithoutClientCertificate_IsRefused) {
  const CertificateAuthority authority = *CertificateAuthority::Make("ca");
  const Certificate server = *authority.Issue({.ip_addresses = {"127.0.0.1"}});
  const Certificate client = *authority.Issue({.common_name = "prometheus"});
  Start({.tls = httpserver::TlsOptions{.certificate_chain = server.certificate,
                                       .private_key = server.key,
                                       .client_ca = authority.certificate(),
                                       .client_auth = httpserver::ClientAuth::kRequire}});
  httpclient::HttpRequest request = {.url = absl::StrCat(server_->url(), "/healthz")};
  EXPECT_EQ(request.url.substr(0, 8), "https://");
  httpclient::ConnectionOptions connection = {.ca_certificates = authority.certificate()};
  request.connection = std::make_shared<const httpclient::ConnectionOptions>(connection);
  EXPECT_FALSE(Send(request).ok());
  connection.client_certificate = client.certificate;
  connection.client_key = client.key;
  request.connection = std::make_shared<const httpclient::ConnectionOptions>(connection);
  const absl::StatusOr<Answer> answer = Send(request);
  ASSERT_THAT(answer, IsOk());
  EXPECT_EQ(answer->body, "ok");
}

PathHandler Page(std::string path, std::string text) {
  return {.path = std::move(path),
          .handle = [text = std::move(text)](const httpserver::Request& r) {
            return httpserver::Response{.headers = {{"content-type", "text/html"}},
                                        .body = absl::StrCat(text, r.query())};
          }};
}

TEST_F(HealthServerTest, Get_FurtherPaths_AreAnsweredByTheirHandlers) {
  Start({.handlers = {Page("/debug/status", "status"), Page("/", "root")}});
  const Answer page = Get("/debug/status?x=1");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.body, "statusx=1");
  EXPECT_EQ(page.headers.Get("content-type"), "text/html");
  EXPECT_EQ(Get("/").body, "root");
  EXPECT_EQ(Get("/debug%2Fstatus").body, "status");
  EXPECT_EQ(Get("/debug/status", "HEAD").body, "");
  EXPECT_EQ(Get("/debug/status", "POST").status, 405);
  EXPECT_EQ(Get("/debug").status, 404);
  EXPECT_EQ(Get("/debug/status/").status, 404);
  EXPECT_EQ(Get("/metrics").status, 404);
  EXPECT_EQ(Get("/readyz").body, "ok");
}

// Admits those who send "x-key: open".
std::optional<httpserver::Response> NeedsKey(const Context&, const httpserver::Request& request) {
  if (request.headers.Get("x-key") == "open") return std::nullopt;
  return httpserver::Response{.status = 401, .body = "Unauthorized\n"};
}

// behaviour.md: MGR-51
TEST_F(HealthServerTest, Access_GuardsAllPathsOrThoseGiven) {
  const auto metrics = std::make_shared<base::PrometheusRegistry>();
  const struct {
    const char* name;
    std::vector<std::string> guarded;
    const char* path;
    int with_key;
    int without;
  } kRows[] = {
      {"everything: metrics", {}, "/metrics", 200, 401},
      {"everything: a check", {}, "/healthz", 200, 401},
      {"everything: a path that does not exist", {}, "/none", 404, 401},
      {"some: metrics", {"/metrics", "/debug"}, "/metrics", 200, 401},
      {"some: escaped", {"/metrics", "/debug"}, "/%6detrics", 200, 401},
      {"some: below", {"/metrics", "/debug"}, "/debug/status", 200, 401},
      {"some: with a query", {"/metrics", "/debug"}, "/debug/status?x", 200, 401},
      {"some: a check", {"/metrics", "/debug"}, "/readyz/ping", 200, 200},
      {"some: another name", {"/metric"}, "/metrics", 200, 200},
      {"a folder", {"/debug/"}, "/debug/status", 200, 401},
  };
  for (const auto& row : kRows) {
    Start({.metrics = metrics,
           .handlers = {Page("/debug/status", "status")},
           .access = NeedsKey,
           .guarded_paths = row.guarded});
    EXPECT_EQ(Get(row.path).status, row.without) << row.name;
    httpclient::HttpRequest request = {.url = absl::StrCat(server_->url(), row.path)};
    request.headers.Set("x-key", "open");
    const absl::StatusOr<Answer> answer = Send(std::move(request));
    ASSERT_THAT(answer, IsOk()) << row.name;
    EXPECT_EQ(answer->status, row.with_key) << row.name;
  }
}

// A decision that hangs delays only what is guarded.
TEST_F(HealthServerTest, Access_ThatBlocks_DelaysNoOpenPath) {
  base::Event runs, release;
  Start({.access =
             [&](const Context& ctx, const httpserver::Request&) {
               runs.Set();
               std::optional<httpserver::Response> refusal;
               if (!release.Wait(ctx).ok()) refusal = httpserver::Response{.status = 503};
               return refusal;
             },
         .guarded_paths = {"/healthz"}});
  RawClient waits(server_->port());
  waits.Send("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
  waits.HalfClose();  // it still wants the answer
  ASSERT_THAT(runs.Wait(Soon()), IsOk());
  EXPECT_EQ(Get("/livez").body, "ok");
  release.Set();
  EXPECT_THAT(waits.ReadToEnd(), AllOf(StartsWith("HTTP/1.1 200 "), EndsWith("ok")));
  server_ = nullptr;  // before what `access` uses
}

TEST_F(HealthServerTest, Access_ThatBlocks_EndsWithTheServer) {
  base::Event runs;
  Start({.access = [&](const Context& ctx, const httpserver::Request&) {
    runs.Set();
    base::WaitUntilDone(ctx).IgnoreError();
    return std::optional<httpserver::Response>();
  }});
  RawClient waits(server_->port());
  waits.Send(kLivez);
  ASSERT_THAT(runs.Wait(Soon()), IsOk());
  server_ = nullptr;
}

// behaviour.md: MGR-26
TEST_F(HealthServerTest, Start_WrongHandlersOrGuards_IsInvalidArgument) {
  const struct {
    HealthServerOptions options;
    const char* cause;
  } kRows[] = {
      {{.handlers = {Page("debug", "")}}, "path \"debug\": the path must begin with \"/\""},
      {{.handlers = {{.path = "/debug"}}}, "path \"/debug\": the function is null"},
      {{.handlers = {Page("/readyz/x", "")}}, "the path belongs to health checks"},
      {{.handlers = {Page("/metrics", "")}}, "path \"/metrics\": the path is taken"},
      {{.handlers = {Page("/a", ""), Page("/a", "")}}, "path \"/a\": the path is taken"},
      {{.access = NeedsKey, .guarded_paths = {"x"}}, "guarded path \"x\""},
      {{.guarded_paths = {"/metrics"}}, "is guarded, but access is null"},
  };
  for (const auto& row : kRows) {
    EXPECT_THAT(HealthServer::Start(row.options).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(row.cause)))
        << row.cause;
  }
}

// behaviour.md: MGR-52
TEST_F(HealthServerTest, Shutdown_DuringARequest_LetsItEnd) {
  base::Event runs, release;
  Start({.healthz = {{"slow",
                      [&](const Context& ctx) {
                        runs.Set();
                        return release.Wait(ctx);
                      }}},
         .check_timeout = absl::Seconds(30)});
  base::ThreadGroup group{Context()};
  group.Go("prober", [&](const Context&) {
    EXPECT_EQ(Get("/healthz").body, "ok");
    return absl::OkStatus();
  });
  ASSERT_THAT(runs.Wait(Soon()), IsOk());
  group.Go("stopper", [&](const Context&) { return server_->Shutdown(Soon()); });
  release.Set();
  EXPECT_THAT(group.Wait(), IsOk());
  server_ = nullptr;
}

TEST(HealthServer, Start_InvalidOptions_IsInvalidArgument) {
  const struct {
    const char* name;
    HealthServerOptions options;
    const char* error;
  } cases[] = {
      {"no name", {.livez = {Well("")}}, "check of /livez has no name"},
      {"null", {.readyz = {{"a", nullptr}}}, "check \"a\" of /readyz is null"},
      {"twice", {.healthz = {Well("a"), Bad("a")}}, "duplicate check \"a\" of /healthz"},
      {"no time",
       {.check_timeout = absl::ZeroDuration()},
       "check_timeout must be greater than zero"},
  };
  for (const auto& test : cases) {
    EXPECT_THAT(HealthServer::Start(test.options),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         absl::StrCat("start health server: ", test.error)))
        << test.name;
  }
  EXPECT_THAT(HealthServer::Start({.address = "nowhere"}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("start health server: ")));
}

}  // namespace
}  // namespace kube::health
