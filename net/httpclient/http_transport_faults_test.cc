// Bad servers and networks: each fault ends in the error that transport_error.h has for it, and
// leaves nothing behind.

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/testing/test_server.h"
#include "net/httpclient/transport_error.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"
#include "net/httpserver/testing/faults.h"
#include "tests/dice.h"

namespace kube::httpclient {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::kube::httpclient::CountProcessResources;
using ::kube::httpclient::Get;
using ::kube::httpclient::MakeTransport;
using ::kube::httpclient::ProcessResources;
using ::kube::httpclient::ReadAll;
using ::kube::httpclient::Soon;
using ::kube::httpclient::TestServer;
using ::kube::httpserver::Exchange;
using ::kube::httpserver::Faults;
using ::testing::AnyOf;
using ::testing::Eq;

using Kind = TransportErrorKind;
using Handler = std::function<void(const std::shared_ptr<Exchange>&)>;

Faults Of(const std::shared_ptr<Exchange>& exchange) { return *Faults::Of(*exchange); }

// Keeps the exchange until the faults have taken effect, since dropping it answers the request.
void Hold(const std::shared_ptr<Exchange>& exchange) {
  Of(exchange).Then([exchange] {});
}

void Begin(const std::shared_ptr<Exchange>& exchange) {
  exchange->Start(200, {{"content-length", "1000"}});
  exchange->Write("half of the ans");
}

struct Fault {
  std::string name;
  Handler handler;
  // The possible errors; empty if the fault has no effect with this version.
  std::vector<Kind> http1;
  std::vector<Kind> http2;
};

std::vector<Fault> AllFaults() {
  return {
      {"ResetBefore",
       [](const auto& e) {
         Of(e).ResetConnection();
         Hold(e);
       },
       {Kind::kReset, Kind::kEof},
       {Kind::kReset, Kind::kEof}},
      {"ResetInBody",
       [](const auto& e) {
         Begin(e);
         Of(e).ResetConnection();
         Hold(e);
       },
       {Kind::kReset, Kind::kEof},
       {Kind::kReset, Kind::kEof}},
      {"HalfCloseBefore",
       [](const auto& e) {
         Of(e).HalfClose();
         Hold(e);
       },
       {Kind::kEof},
       {Kind::kEof, Kind::kReset}},
      {"HalfCloseInBody",
       [](const auto& e) {
         Begin(e);
         Of(e).HalfClose();
         Hold(e);
       },
       {Kind::kEof, Kind::kReset},
       {Kind::kEof, Kind::kReset}},
      {"CloseInBody",
       [](const auto& e) {
         Begin(e);
         Of(e).CloseAfter(0);
         Hold(e);
       },
       {Kind::kEof, Kind::kReset},
       {Kind::kEof, Kind::kReset}},
      {"AbortInBody",
       [](const auto& e) {
         Begin(e);
         e->Abort();
       },
       {Kind::kEof, Kind::kReset},
       {Kind::kReset}},
      {"Garbage",
       [](const auto& e) {
         Of(e).SendRaw("\x01\x02 this is no HTTP at all, in any version of it\r\n\r\n");
         Of(e).HalfClose();
         Hold(e);
       },
       {Kind::kProtocol},
       {Kind::kProtocol, Kind::kEof, Kind::kLost}},
      {"GarbageInBody",
       [](const auto& e) {
         e->Start(200, {});
         e->Write("x");
         Of(e).SendRaw("zz\r\nno chunk\r\n");
       },
       {Kind::kProtocol, Kind::kEof, Kind::kReset},
       {Kind::kProtocol, Kind::kEof, Kind::kReset, Kind::kLost}},
      {"HugeHeader",
       [](const auto& e) {
         e->Respond(
             {.headers = {{"x-a", std::string(20'000, 'a')}, {"x-b", std::string(20'000, 'b')}}});
       },
       {Kind::kProtocol},
       {Kind::kProtocol, Kind::kReset}},
      {"TruncatedGzip",
       [](const auto& e) {
         e->Respond({.headers = {{"content-encoding", "gzip"}},
                     .body = std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b", 11)});
       },
       {Kind::kProtocol},
       {Kind::kProtocol}},
      {"NoGzip",
       [](const auto& e) {
         e->Respond({.headers = {{"content-encoding", "gzip"}}, .body = "plain text"});
       },
       {Kind::kProtocol},
       {Kind::kProtocol}},
      {"ResetStreams",
       [](const auto& e) {
         Of(e).ResetStreams(2);
         Hold(e);
       },
       {},
       {Kind::kReset}},
      {"RefusedStream",
       [](const auto& e) {
         Of(e).ResetStreams(7);
         Hold(e);
       },
       {},
       {Kind::kReset}},
      {"ResetStreamsInBody",
       [](const auto& e) {
         Begin(e);
         Of(e).ResetStreams(2);
         Hold(e);
       },
       {},
       {Kind::kReset, Kind::kEof}},
      {"Informed",
       [](const auto& e) {
         e->Inform(103, {{"link", "x"}});
         e->Inform(103, {});
         e->Respond({.body = "fine"});
       },
       {},
       {}},
      {"GoAwayAfterwards",
       [](const auto& e) {
         e->Respond({.body = "fine"});
         Of(e).SendGoAway(0);
       },
       {},
       {}},
      {"GoAwayBefore",
       [](const auto& e) {
         Of(e).SendGoAway(0);
         Of(e).Then([e] { e->Respond({.body = "fine"}); });
       },
       {},
       {}},
      {"SlowBytes",
       [](const auto& e) {
         Of(e).SlowDown(20'000);
         Of(e).Then([e] { e->Respond({.body = "fine"}); });
       },
       {},
       {}},
  };
}

class FaultTest : public ::testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Versions, FaultTest, ::testing::Values(1, 2));

TEST_P(FaultTest, EndsInItsError) {
  for (const Fault& fault : AllFaults()) {
    if (GetParam() == 1 && fault.name == "ResetStreams") continue;
    const std::vector<Kind>& kinds = GetParam() == 1 ? fault.http1 : fault.http2;
    const bool streams_only = fault.http1.empty() && !fault.http2.empty();
    if (GetParam() == 1 && streams_only) continue;
    SCOPED_TRACE(fault.name);
    TestServer server(fault.handler);
    const auto transport = MakeTransport({.max_header_bytes = 10'000});
    ConnectionOptions options = server.connection();
    options.http_version = GetParam() == 1 ? HttpVersion::kHttp1 : HttpVersion::kAny;
    const auto connection = std::make_shared<ConnectionOptions>(options);
    for (const std::string method : {"GET", "POST", "GET"}) {
      const auto answer = Get(*transport, {.method = method,
                                           .url = server.url(),
                                           .connection = connection,
                                           .header_timeout = absl::Seconds(10)});
      // The next request may be sent before the GOAWAY arrives.
      const bool crosses = fault.name == "GoAwayAfterwards" && IsConnectionLost(answer.status());
      if (kinds.empty()) {
        EXPECT_TRUE(answer.ok() || crosses) << answer.status();
        continue;
      }
      const auto error = TransportErrorOf(answer.status());
      ASSERT_TRUE(error.has_value()) << answer.status();
      EXPECT_THAT(kinds, ::testing::Contains(error->kind)) << answer.status();
      // A server that refuses a stream promises that it has not processed it.
      EXPECT_EQ(error->maybe_sent, fault.name != "RefusedStream") << answer.status();
    }
    // No request was sent twice.
    EXPECT_LE(server.server().statistics().requests, 3);
    EXPECT_EQ(transport->statistics().requests, 0);
    EXPECT_EQ(transport->statistics().buffered_bytes, 0);
  }
}

// After GOAWAY streams continue, and new requests use another connection.
TEST(FaultsTest, GoAwayKeepsStreams) {
  std::vector<std::shared_ptr<Exchange>> watches;
  TestServer server([&](std::shared_ptr<Exchange> exchange) {
    if (exchange->request().target == "/get") return exchange->Respond({.body = "answer"});
    exchange->Start(200, {});
    exchange->Write("begun");
    Of(exchange).SendGoAway(0);
    watches.push_back(std::move(exchange));
  });
  const auto transport = MakeTransport();
  const auto connection = std::make_shared<ConnectionOptions>(server.connection());
  const Context ctx = Soon();
  absl::StatusOr<HttpResponse> watch =
      transport->RoundTrip(ctx, {.url = server.url("/watch"), .connection = connection});
  ASSERT_THAT(watch, IsOk());
  EXPECT_THAT(watch->body->Read(ctx), IsOkAndHolds("begun"));
  for (int i = 0; i < 20; ++i) {
    // The first request may be sent before the GOAWAY arrives.
    EXPECT_THAT(
        Get(*transport, {.method = "POST", .url = server.url("/get"), .connection = connection}),
        IsOkAndHolds("answer"));
  }
  EXPECT_LE(transport->statistics().opened_connections, 2);
  watches[0]->Write("more");
  EXPECT_THAT(watch->body->Read(ctx), IsOkAndHolds("more"));
  watches.clear();
}

// A request that the server has not processed because of GOAWAY is sent again, once.
TEST(FaultsTest, GoAwayAtABusyMoment) {
  constexpr uint64_t kSeed = 20261122;
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  constexpr int kWorkers = 16;
  constexpr int kRequests = 100;
  base::Mutex mutex;
  std::map<std::string, int> seen;
  int64_t goaways = 0;
  int since = 0;
  std::atomic<int> working = kWorkers;
  oracle::Dice dice(kSeed);
  std::vector<std::shared_ptr<Exchange>> late;
  TestServer server([&](const std::shared_ptr<Exchange>& exchange) {
    base::MutexLock lock(mutex);
    ++seen[exchange->request().target];
    if (++since > 20 && dice.Below(10) == 0) {
      Of(exchange).SendGoAway(0);
      ++goaways;
      since = 0;
    }
    exchange->Start(200, {});
    exchange->Write(exchange->request().target);
    exchange->Write(exchange->request().body);
    if (dice.Below(4) != 0) return exchange->Finish();
    late.push_back(exchange);
  });
  const auto transport = MakeTransport();
  const auto connection = std::make_shared<ConnectionOptions>(server.connection());
  base::ThreadGroup group{WithTimeout(Context(), absl::Minutes(2))};
  for (int worker = 0; worker < kWorkers; ++worker) {
    group.Go("requests", [&, worker](const Context& ctx) -> absl::Status {
      oracle::Dice own(kSeed + worker);
      for (int i = 0; i < kRequests; ++i) {
        const std::string target = absl::StrCat("/", worker, "/", i);
        HttpRequest request = {.url = server.url(target), .connection = connection};
        std::string expected = target;
        if (own.Below(2) == 0) {
          const auto body = std::make_shared<std::string>(own.Below(50'000), 'x');
          expected += *body;
          request.method = "POST";
          request.body = body;
        }
        KUBE_ASSIGN_OR_RETURN(HttpResponse response, transport->RoundTrip(ctx, request));
        KUBE_ASSIGN_OR_RETURN(const std::string answer, ReadAll(ctx, response));
        EXPECT_TRUE(answer == expected) << target << ": " << answer.size();
      }
      --working;
      return absl::OkStatus();
    });
  }
  group.Go("late answers", [&](const Context& ctx) -> absl::Status {
    while (working > 0) {
      KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, absl::Milliseconds(2)));
      base::MutexLock lock(mutex);
      for (const auto& exchange : late) exchange->Finish();
      late.clear();
    }
    return absl::OkStatus();
  });
  EXPECT_THAT(group.Wait(), IsOk());
  base::MutexLock lock(mutex);
  EXPECT_EQ(seen.size(), kWorkers * kRequests);
  for (const auto& [target, times] : seen) EXPECT_EQ(times, 1) << target;
  EXPECT_GT(goaways, 15);
  EXPECT_GT(transport->statistics().opened_connections, goaways / 2);
  late.clear();
}

// All streams of a lost connection fail.
TEST(FaultsTest, LostConnectionEndsAllItsStreams) {
  std::vector<std::shared_ptr<Exchange>> watches;
  TestServer server([&](std::shared_ptr<Exchange> exchange) {
    if (exchange->request().target == "/reset") {
      Of(exchange).ResetConnection();
      return Hold(exchange);
    }
    exchange->Start(200, {});
    exchange->Write("begun");
    watches.push_back(std::move(exchange));
  });
  const auto transport = MakeTransport();
  const auto connection = std::make_shared<ConnectionOptions>(server.connection());
  const Context ctx = Soon();
  std::vector<HttpResponse> responses;
  for (int i = 0; i < 20; ++i) {
    absl::StatusOr<HttpResponse> response =
        transport->RoundTrip(ctx, {.url = server.url(), .connection = connection});
    ASSERT_THAT(response, IsOk());
    EXPECT_THAT(response->body->Read(ctx), IsOkAndHolds("begun"));
    responses.push_back(*std::move(response));
  }
  const absl::Status reset =
      Get(*transport, {.url = server.url("/reset"), .connection = connection}).status();
  EXPECT_TRUE(IsConnectionLost(reset)) << reset;
  for (HttpResponse& response : responses) {
    const absl::Status status = response.body->Read(ctx).status();
    EXPECT_TRUE(IsConnectionLost(status)) << status;
  }
  EXPECT_EQ(transport->statistics().opened_connections, 1);
  watches.clear();
}

TEST(FaultsTest, NobodyListens) {
  std::string url;
  {
    TestServer server([](const auto&) {}, {}, /*tls=*/false);
    url = server.url();
  }
  const auto transport = MakeTransport();
  const absl::Status status = Get(*transport, {.url = url + "?secret=1"}).status();
  EXPECT_EQ(TransportErrorOf(status),
            (TransportError{.kind = Kind::kConnect, .maybe_sent = false}));
  EXPECT_EQ(status.message(),
            absl::StrCat("connect to ", url.substr(7, url.size() - 8), ": connection refused"));
  EXPECT_EQ(transport->statistics().failed_connections, 1);
  EXPECT_THAT(transport->Shutdown(Soon()), IsOk());
  EXPECT_EQ(transport->statistics().connections, 0);
}

TEST(FaultsTest, NoSuchHost) {
  const auto transport = MakeTransport();
  const absl::Status status = Get(*transport, {.url = "http://no-such-host.invalid/"}).status();
  EXPECT_EQ(TransportErrorOf(status), (TransportError{.kind = Kind::kResolve, .maybe_sent = false}))
      << status;
}

// A server that accepts connections and never answers.
// behaviour.md: TR-1
TEST(FaultsTest, HandshakeThatDoesNotEnd) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener, 8), 0);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  const auto transport = MakeTransport();
  const absl::Status status =
      Get(*transport, {.url = absl::StrCat("https://127.0.0.1:", ntohs(address.sin_port), "/"),
                       .connection = std::make_shared<ConnectionOptions>(
                           ConnectionOptions{.tls_handshake_timeout = absl::Milliseconds(300)})})
          .status();
  EXPECT_EQ(TransportErrorOf(status), (TransportError{.kind = Kind::kConnect, .maybe_sent = false}))
      << status;
  EXPECT_EQ(transport->statistics().failed_connections, 1);
  ::close(listener);
}

// No resources are left after any fault, however callers behave.
TEST(FaultsTest, NothingIsLeftBehind) {
  constexpr int kRequests = 10'000;
  MakeTransport();  // creates what stays after the first thread
  const ProcessResources before = CountProcessResources();
  {
    std::vector<Handler> handlers;
    for (const Fault& fault : AllFaults()) {
      if (fault.name != "SlowBytes") handlers.push_back(fault.handler);
    }
    handlers.push_back([](const auto&) {});  // 500
    TestServer server([&](const std::shared_ptr<Exchange>& exchange) {
      const int n = std::stoi(exchange->request().target.substr(1));
      handlers[n % handlers.size()](exchange);
    });
    const auto transport = MakeTransport();
    const auto connection = std::make_shared<ConnectionOptions>(server.connection());
    ConnectionOptions http1 = server.connection();
    http1.http_version = HttpVersion::kHttp1;
    const auto connection1 = std::make_shared<ConnectionOptions>(http1);
    base::ThreadGroup group{Context()};
    for (int worker = 0; worker < 8; ++worker) {
      group.Go("requests", [&, worker](const Context&) {
        for (int i = worker; i < kRequests; i += 8) {
          const Context ctx =
              i % 7 == 0 ? WithTimeout(Context(), absl::Microseconds(i % 2000)) : Soon();
          absl::StatusOr<HttpResponse> response =
              transport->RoundTrip(ctx, {.url = server.url(absl::StrCat("/", i / 8)),
                                         .connection = i % 3 == 0 ? connection1 : connection});
          // Some read, some do not.
          if (response.ok() && i % 5 != 0) ReadAll(ctx, *response).status().IgnoreError();
          if (absl::IsDeadlineExceeded(response.status()) && i % 7 != 0) return response.status();
        }
        return absl::OkStatus();
      });
    }
    EXPECT_THAT(group.Wait(), IsOk());
    EXPECT_EQ(transport->statistics().requests, 0);
    EXPECT_THAT(transport->Shutdown(Soon()), IsOk());
    EXPECT_EQ(transport->statistics().connections, 0);
    EXPECT_EQ(transport->statistics().buffered_bytes, 0);
  }
  EXPECT_EQ(CountProcessResources(), before);
}

}  // namespace
}  // namespace kube::httpclient
