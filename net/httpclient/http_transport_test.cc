#include "net/httpclient/http_transport.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/testing/test_server.h"
#include "net/httpclient/transport_error.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"

namespace kube::httpclient {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::kube::httpclient::Get;
using ::kube::httpclient::MakeTransport;
using ::kube::httpclient::ReadAll;
using ::kube::httpclient::Soon;
using ::kube::httpclient::TestServer;
using ::kube::httpserver::Exchange;
using ::testing::HasSubstr;
using ::testing::Not;

// Formats the request that the server got.
void Echo(const std::shared_ptr<Exchange>& exchange) {
  const httpserver::Request& request = exchange->request();
  std::string text = absl::StrCat(request.method, " ", request.target, "\n");
  for (const http::Header& header : request.headers) {
    absl::StrAppend(&text, header.name, ": ", header.value, "\n");
  }
  absl::StrAppend(&text, "\n", request.body);
  exchange->Respond(
      {.headers = {{"x-version", absl::StrCat(request.http_version)}}, .body = std::move(text)});
}

struct Protocol {
  std::string name;
  bool tls;
  HttpVersion version;
  int expected;
};

class ProtocolTest : public ::testing::TestWithParam<Protocol> {
 protected:
  explicit ProtocolTest() = default;
  std::shared_ptr<const ConnectionOptions> Connection(const TestServer& server) const {
    ConnectionOptions options = server.connection();
    options.http_version = GetParam().version;
    return std::make_shared<ConnectionOptions>(options);
  }
};

INSTANTIATE_TEST_SUITE_P(Protocols, ProtocolTest,
                         ::testing::Values(Protocol{"TlsAny", true, HttpVersion::kAny, 2},
                                           Protocol{"TlsHttp1", true, HttpVersion::kHttp1, 1},
                                           Protocol{"TlsHttp2", true, HttpVersion::kHttp2Only, 2},
                                           Protocol{"PlainAny", false, HttpVersion::kAny, 1},
                                           Protocol{"PlainHttp2", false, HttpVersion::kHttp2Only,
                                                    2}),
                         [](const auto& test) { return test.param.name; });

TEST_P(ProtocolTest, Methods) {
  TestServer server(Echo, {}, GetParam().tls);
  const auto transport = MakeTransport();
  const auto connection = Connection(server);
  for (const std::string method : {"GET", "DELETE", "POST", "PUT", "PATCH", "HEAD", "OPTIONS"}) {
    for (const bool with_body : {false, true}) {
      if (with_body && method == "HEAD") continue;
      SCOPED_TRACE(absl::StrCat(method, " ", with_body));
      HttpRequest request = {.method = method,
                             .url = server.url("/a/../b%2Fc?d=e%20f"),
                             .headers = {{"x-empty", ""}, {"x-one", "1"}},
                             .connection = connection};
      if (with_body) request.body = std::make_shared<std::string>("some body");
      const Context ctx = Soon();
      absl::StatusOr<HttpResponse> result = transport->RoundTrip(ctx, request);
      ASSERT_THAT(result, IsOk());
      HttpResponse& response = *result;
      EXPECT_EQ(response.status, 200);
      EXPECT_EQ(response.http_version, GetParam().expected);
      EXPECT_EQ(response.headers.Get("x-version"), absl::StrCat(GetParam().expected));
      const absl::StatusOr<std::string> body = ReadAll(ctx, response);
      ASSERT_THAT(body, IsOk());
      const std::string& text = *body;
      if (method == "HEAD") {
        EXPECT_EQ(text, "");
        continue;
      }
      EXPECT_THAT(text, HasSubstr(absl::StrCat(method, " /a/../b%2Fc?d=e%20f\n")));
      EXPECT_THAT(text, HasSubstr("x-empty: \n"));
      EXPECT_THAT(text, HasSubstr("x-one: 1\n"));
      EXPECT_THAT(text, HasSubstr("accept-encoding: gzip\n"));
      for (const char* absent : {"expect:", "content-type:", "accept:", "user-agent:"}) {
        EXPECT_THAT(text, Not(HasSubstr(absent)));
      }
      EXPECT_EQ(text.substr(text.size() - 9) == "some body", with_body) << text;
    }
  }
  EXPECT_EQ(transport->statistics().opened_connections, 1);
  EXPECT_EQ(transport->statistics().requests, 0);
  EXPECT_THAT(transport->Shutdown(Soon()), IsOk());
}

TEST_P(ProtocolTest, LargeBodiesBothWays) {
  TestServer server(
      [](const std::shared_ptr<Exchange>& exchange) {
        exchange->Respond({.body = exchange->request().body});
      },
      {}, GetParam().tls);
  const auto transport = MakeTransport();
  std::string large(3'000'000, ' ');
  for (size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>('a' + i % 23);
  const HttpRequest request = {.method = "POST",
                               .url = server.url(),
                               .body = std::make_shared<std::string>(large),
                               .connection = Connection(server)};
  for (int i = 0; i < 3; ++i) {
    const absl::StatusOr<std::string> answer = Get(*transport, request);
    ASSERT_THAT(answer, IsOk());
    EXPECT_TRUE(*answer == large);
  }
  EXPECT_EQ(transport->statistics().buffered_bytes, 0);
}

// A slow reader makes the server wait, and finally gets everything.
TEST_P(ProtocolTest, SlowReaderPausesTheServer) {
  const std::string large(8'000'000, 'x');
  TestServer server(
      [&large](const std::shared_ptr<Exchange>& exchange) { exchange->Respond({.body = large}); },
      {}, GetParam().tls);
  const auto transport = MakeTransport({.max_buffered_bytes = 100'000});
  const Context ctx = Soon();
  absl::StatusOr<HttpResponse> slow =
      transport->RoundTrip(ctx, {.url = server.url(), .connection = Connection(server)});
  ASSERT_THAT(slow, IsOk());
  // Other requests are not delayed.
  const absl::StatusOr<std::string> other =
      Get(*transport, {.url = server.url(), .connection = Connection(server)});
  ASSERT_THAT(other, IsOk());
  EXPECT_EQ(other->size(), large.size());
  EXPECT_GT(transport->statistics().paused, 0);
  EXPECT_LT(transport->statistics().buffered_bytes, 200'000);
  const absl::StatusOr<std::string> all = ReadAll(ctx, *slow);
  ASSERT_THAT(all, IsOk());
  EXPECT_EQ(all->size(), large.size());
  EXPECT_EQ(transport->statistics().buffered_bytes, 0);
}

TEST_P(ProtocolTest, StreamsPieceByPiece) {
  std::shared_ptr<Exchange> watch;
  base::Event begun;
  TestServer server(
      [&](std::shared_ptr<Exchange> exchange) {
        exchange->Start(200, {});
        watch = std::move(exchange);
        begun.Set();
      },
      {}, GetParam().tls);
  const auto transport = MakeTransport();
  const Context ctx = Soon();
  absl::StatusOr<HttpResponse> response =
      transport->RoundTrip(ctx, {.url = server.url(), .connection = Connection(server)});
  ASSERT_THAT(response, IsOk());
  ASSERT_THAT(begun.Wait(ctx), IsOk());
  for (const std::string piece : {"one", "two", "three"}) {
    ASSERT_TRUE(watch->Write(piece));
    EXPECT_THAT(response->body->Read(ctx), IsOkAndHolds(piece));
  }
  // A read that timed out loses nothing.
  EXPECT_THAT(response->body->Read(WithTimeout(ctx, absl::Milliseconds(20))),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  ASSERT_TRUE(watch->Write("four"));
  EXPECT_THAT(response->body->Read(ctx), IsOkAndHolds("four"));
  // The server notices that the client has closed the body.
  EXPECT_EQ(transport->statistics().requests, 1);
  response->body.reset();
  base::Event ended;
  const DoneCallback done = watch->context().OnDone([&ended] { ended.Set(); });
  EXPECT_THAT(ended.Wait(ctx), IsOk());
  EXPECT_EQ(transport->statistics().requests, 0);
  watch.reset();
}

TEST_P(ProtocolTest, ContextEndsTheWait) {
  std::vector<std::shared_ptr<Exchange>> kept;
  TestServer server(
      [&](std::shared_ptr<Exchange> exchange) { kept.push_back(std::move(exchange)); }, {},
      GetParam().tls);
  const auto transport = MakeTransport();
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(transport->RoundTrip(WithTimeout(Context(), absl::Milliseconds(50)),
                                     {.url = server.url(), .connection = Connection(server)}),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
  }
  EXPECT_THAT(transport->RoundTrip(Soon(), {.url = server.url(),
                                            .connection = Connection(server),
                                            .header_timeout = absl::Milliseconds(50)}),
              StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("await response from")));
  EXPECT_EQ(transport->statistics().requests, 0);
}

// ---- The number of connections

struct Limits {
  std::string name;
  uint32_t streams;  // that the server allows
  bool http2;
  int watches;
  int requests;
  bool long_running = true;  // the watches say that they are
};

class LimitsTest : public ::testing::TestWithParam<Limits> {};

INSTANTIATE_TEST_SUITE_P(
    Limits, LimitsTest,
    ::testing::Values(Limits{"Of3", 3, true, 30, 20}, Limits{"Of1", 1, true, 20, 20},
                      Limits{"Of100", 100, true, 1000, 200}, Limits{"Of250", 250, true, 1000, 200},
                      Limits{"Of1000", 1000, true, 1000, 200}, Limits{"Http1", 1, false, 100, 50},
                      Limits{"AmongRequestsOf100", 100, true, 1000, 200, false},
                      Limits{"AmongRequestsOf1000", 1000, true, 1000, 200, false}),
    [](const auto& test) { return test.param.name; });

TEST_P(LimitsTest, WatchesNeverStarveRequests) {
  const Limits& limits = GetParam();
  std::vector<std::shared_ptr<Exchange>> watches;
  TestServer server(
      [&](std::shared_ptr<Exchange> exchange) {
        if (exchange->request().target == "/get") return exchange->Respond({.body = "answer"});
        exchange->Start(200, {});
        watches.push_back(std::move(exchange));
      },
      {.http2 = limits.http2, .max_concurrent_streams = limits.streams});
  const auto transport = MakeTransport();
  const auto connection = std::make_shared<ConnectionOptions>(server.connection());
  base::ThreadGroup group(Soon());
  base::Mutex mutex;
  std::vector<HttpResponse> open;
  for (int i = 0; i < 8; ++i) {
    group.Go("watches", [&, i](const Context& ctx) {
      for (int n = i; n < limits.watches; n += 8) {
        absl::StatusOr<HttpResponse> response =
            transport->RoundTrip(ctx, {.url = server.url("/watch"),
                                       .connection = connection,
                                       .long_running = limits.long_running});
        if (!response.ok()) return response.status();
        base::MutexLock lock(mutex);
        open.push_back(*std::move(response));
      }
      return absl::OkStatus();
    });
    group.Go("requests", [&, i](const Context&) {
      for (int n = i; n < limits.requests; n += 8) {
        const auto answer = Get(*transport, {.url = server.url("/get"), .connection = connection});
        if (!answer.ok()) return answer.status();
      }
      return absl::OkStatus();
    });
  }
  ASSERT_THAT(group.Wait(), IsOk());
  const HttpTransportStatistics statistics = transport->statistics();
  EXPECT_EQ(statistics.requests, limits.watches);
  // At most eight requests run at the same time.
  const int needed = (limits.watches + 8 + limits.streams - 1) / limits.streams;
  EXPECT_LE(statistics.connections, needed + 2);
  EXPECT_LE(statistics.opened_connections, needed + 2);
  EXPECT_EQ(server.server().statistics().accepted_connections, statistics.opened_connections);
  open.clear();
  EXPECT_THAT(transport->Shutdown(Soon()), IsOk());
  EXPECT_EQ(transport->statistics().connections, 0);
}

// A slow reader of a watch must not delay requests, nor a long list the watches.
TEST(HttpTransportTest, WatchesAndRequestsHaveTheirOwnConnections) {
  std::vector<std::shared_ptr<Exchange>> watches;
  TestServer server([&](std::shared_ptr<Exchange> exchange) {
    if (exchange->request().target == "/get") return exchange->Respond({.body = "answer"});
    exchange->Start(200, {});
    watches.push_back(std::move(exchange));
  });
  const auto transport = MakeTransport();
  const auto connection = std::make_shared<ConnectionOptions>(server.connection());
  const HttpRequest watch = {
      .url = server.url("/watch"), .connection = connection, .long_running = true};
  std::vector<HttpResponse> open;
  for (int i = 0; i < 3; ++i) {
    absl::StatusOr<HttpResponse> response = transport->RoundTrip(Soon(), watch);
    ASSERT_THAT(response, IsOk());
    open.push_back(*std::move(response));
    EXPECT_THAT(Get(*transport, {.url = server.url("/get"), .connection = connection}), IsOk());
  }
  EXPECT_EQ(transport->statistics().connections, 2);
  EXPECT_EQ(transport->statistics().opened_connections, 2);
  open.clear();
  EXPECT_THAT(transport->Shutdown(Soon()), IsOk());
}

// Requests that start at the same time share a connection that is still being opened.
TEST(HttpTransportTest, ManyAtOnceShareOneConnection) {
  TestServer server(Echo);
  const auto transport = MakeTransport();
  const auto connection = std::make_shared<ConnectionOptions>(server.connection());
  base::ThreadGroup group(Soon());
  for (int i = 0; i < 50; ++i) {
    group.Go("request", [&](const Context&) {
      return Get(*transport, {.url = server.url(), .connection = connection}).status();
    });
  }
  ASSERT_THAT(group.Wait(), IsOk());
  EXPECT_EQ(transport->statistics().opened_connections, 1);
}

// behaviour.md: TR-1
TEST(HttpTransportTest, IdleConnectionsClose) {
  TestServer server(Echo, {}, /*tls=*/false);
  const auto transport = MakeTransport({.idle_connection_timeout = absl::Milliseconds(40)});
  ASSERT_THAT(Get(*transport, {.url = server.url()}), IsOk());
  while (transport->statistics().connections > 0) {
  }
  ASSERT_THAT(Get(*transport, {.url = server.url()}), IsOk());
  EXPECT_EQ(transport->statistics().opened_connections, 2);
  transport->CloseIdleConnections();
  while (transport->statistics().connections > 0) {
  }
}

// ---- The end of the transport

TEST(HttpTransportTest, ShutdownLetsRequestsEnd) {
  std::shared_ptr<Exchange> waiting;
  base::Event begun;
  TestServer server([&](std::shared_ptr<Exchange> exchange) {
    exchange->Start(200, {});
    waiting = std::move(exchange);
    begun.Set();
  });
  auto transport = MakeTransport();
  absl::StatusOr<HttpResponse> response = transport->RoundTrip(
      Soon(), {.url = server.url(),
               .connection = std::make_shared<ConnectionOptions>(server.connection())});
  ASSERT_THAT(response, IsOk());
  ASSERT_THAT(begun.Wait(Soon()), IsOk());
  base::Thread later;
  ASSERT_THAT(later.Start(Context(), "later",
                          [&](const Context&) {
                            waiting->Write("late");
                            waiting->Finish();
                          }),
              IsOk());
  EXPECT_THAT(transport->Shutdown(Soon()), IsOk());
  later.Join();
  const auto refused = transport->RoundTrip(Soon(), {.url = server.url()});
  EXPECT_EQ(TransportErrorOf(refused.status()),
            (TransportError{.kind = TransportErrorKind::kClosed, .maybe_sent = false}));
  transport.reset();
  // The body outlives the transport.
  EXPECT_THAT(ReadAll(Soon(), *response), IsOkAndHolds("late"));
  waiting.reset();
}

TEST(HttpTransportTest, DestructorGivesUp) {
  std::vector<std::shared_ptr<Exchange>> kept;
  TestServer server([&](std::shared_ptr<Exchange> exchange) {
    exchange->Start(200, {});
    exchange->Write("begun");
    kept.push_back(std::move(exchange));
  });
  auto transport = MakeTransport();
  const auto connection = std::make_shared<ConnectionOptions>(server.connection());
  absl::StatusOr<HttpResponse> response =
      transport->RoundTrip(Soon(), {.url = server.url(), .connection = connection});
  ASSERT_THAT(response, IsOk());
  EXPECT_THAT(transport->Shutdown(WithTimeout(Context(), absl::Milliseconds(20))),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  transport.reset();
  EXPECT_THAT(response->body->Read(Soon()), IsOkAndHolds("begun"));
  const auto end = response->body->Read(Soon());
  EXPECT_EQ(TransportErrorOf(end.status()),
            (TransportError{.kind = TransportErrorKind::kClosed, .maybe_sent = true}));
}

// A request that waits for a connection counts as not sent.
TEST(HttpTransportTest, DestructorTellsWhatWasSent) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener, 8), 0);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  for (const bool tls : {true, false}) {
    auto transport = MakeTransport();
    base::ThreadGroup group(Soon());
    for (int i = 0; i < 3; ++i) {
      group.Go("request", [&](const Context& ctx) {
        const std::string url =
            absl::StrCat(tls ? "https" : "http", "://127.0.0.1:", ntohs(address.sin_port));
        const auto response = transport->RoundTrip(ctx, {.method = "POST", .url = url});
        // Without TLS each request has a connection.
        EXPECT_EQ(TransportErrorOf(response.status()),
                  (TransportError{.kind = TransportErrorKind::kClosed, .maybe_sent = !tls}));
        return absl::OkStatus();
      });
    }
    while (transport->statistics().requests < 3 ||
           transport->statistics().opened_connections < (tls ? 0 : 3)) {
    }
    EXPECT_THAT(transport->Shutdown(WithTimeout(Context(), absl::Milliseconds(20))),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_THAT(group.Wait(), IsOk());
  }
  ::close(listener);
}

// behaviour.md: REST-24
TEST(HttpTransportTest, MetricsOfLookUpsNameTheHost) {
  TestServer server(Echo, {}, /*tls=*/false);
  const auto registry = std::make_shared<base::PrometheusRegistry>();
  const auto transport = MakeTransport({.metrics = registry});
  const std::string url = absl::StrCat("http://localhost:", server.server().port(), "/");
  ASSERT_THAT(Get(*transport, {.url = url}), IsOk());
  EXPECT_THAT(
      registry->Render(),
      HasSubstr(R"(rest_client_dns_resolution_duration_seconds_count{host="localhost"} 1)"));
}

// behaviour.md: REST-24
TEST(HttpTransportTest, MetricsOfLookUps_AnAddress_IsNotCounted) {
  TestServer server(Echo, {}, /*tls=*/false);
  const auto registry = std::make_shared<base::PrometheusRegistry>();
  const auto transport = MakeTransport({.metrics = registry});
  for (const std::string host : {"127.0.0.1", "localhost"}) {
    const std::string url = absl::StrCat("http://", host, ":", server.server().port(), "/");
    ASSERT_THAT(Get(*transport, {.url = url}), IsOk());
  }
  const std::string text = registry->Render();
  EXPECT_THAT(text, HasSubstr("rest_client_connections_opened_total 2"));
  EXPECT_THAT(text, Not(HasSubstr("127.0.0.1")));
}

TEST(HttpTransportTest, MetricsOfConnections_OfRequestsThatReuseOne_CountItOnce) {
  TestServer server(Echo, {}, /*tls=*/false);
  const auto registry = std::make_shared<base::PrometheusRegistry>();
  const auto transport = MakeTransport({.metrics = registry});
  const std::string url = server.url();
  for (int i = 0; i < 3; ++i) ASSERT_THAT(Get(*transport, {.url = url}), IsOk());
  const std::string text = registry->Render();
  EXPECT_THAT(text, HasSubstr("rest_client_connections 1\n"));
  EXPECT_THAT(text, HasSubstr("rest_client_connections_opened_total 1\n"));
  EXPECT_THAT(text, HasSubstr("rest_client_connections_failed_total 0\n"));
  EXPECT_THAT(text, HasSubstr("rest_client_connect_duration_seconds_count 1\n"));
  EXPECT_THAT(text, HasSubstr("rest_client_paused_total 0\n"));
}

// behaviour.md: REST-24
TEST(HttpTransportTest, MetricsOfLookUps_Buckets_AreThoseOfClientGo) {
  TestServer server(Echo, {}, /*tls=*/false);
  const auto registry = std::make_shared<base::PrometheusRegistry>();
  const auto transport = MakeTransport({.metrics = registry});
  const std::string url = absl::StrCat("http://localhost:", server.server().port(), "/");
  ASSERT_THAT(Get(*transport, {.url = url}), IsOk());
  const std::string text = registry->Render();
  std::vector<std::string> bounds;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    if (!absl::StartsWith(line, "rest_client_dns_resolution_duration_seconds_bucket")) continue;
    const std::vector<std::string> parts = absl::StrSplit(line, '"');
    bounds.push_back(parts[3]);
  }
  EXPECT_EQ(absl::StrJoin(bounds, " "), "0.005 0.025 0.1 0.25 0.5 1 2 4 8 15 30 +Inf");
}

TEST(HttpTransportTest, RefusesWhatCannotBeSent) {
  const auto transport = MakeTransport();
  const std::string url = "http://127.0.0.1:1/";
  struct Case {
    std::string name;
    HttpRequest request;
  };
  const std::vector<Case> cases = {
      {"no url", {.url = ""}},
      {"other scheme", {.url = "ftp://host/"}},
      {"a user", {.url = "http://user:pass@host/"}},
      {"a space", {.url = "http://host/a b"}},
      {"a line break", {.url = "http://host/a\r\nx: y"}},
      {"no host", {.url = "http:///path"}},
      {"a bad port", {.url = "http://host:99999/"}},
      {"a bad method", {.method = "GET /\r\n", .url = url}},
      {"an empty method", {.method = "", .url = url}},
      {"a bad header name", {.url = url, .headers = {{"a b", "c"}}}},
      {"a bad header value", {.url = url, .headers = {{"a", "b\r\nc: d"}}}},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.name);
    EXPECT_THAT(transport->RoundTrip(Soon(), test.request),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

}  // namespace
}  // namespace kube::httpclient
