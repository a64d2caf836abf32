// Random requests, faults and cancellations at the same time: everything ends, and nothing is left.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
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
using ::kube::httpclient::CountProcessResources;
using ::kube::httpclient::MakeTransport;
using ::kube::httpclient::ProcessResources;
using ::kube::httpclient::Soon;
using ::kube::httpclient::TestServer;
using ::kube::httpserver::Exchange;
using ::kube::httpserver::Faults;
using ::kube::oracle::Dice;

constexpr int kWorkers = 12;
constexpr int kRounds = 4;
constexpr int kRequestsEach = 30;

// A server with random faults: the target of each request is the seed of its fault.
class MoodyServer {
 public:
  explicit MoodyServer(bool tls)
      : server_([this](const std::shared_ptr<Exchange>& exchange) { Handle(exchange); },
                {.max_concurrent_streams = 7}, tls) {}
  const TestServer& server() const { return server_; }

 private:
  void Handle(const std::shared_ptr<Exchange>& exchange) {
    Dice dice(std::stoull(exchange->request().target.substr(1)));
    Faults faults = *Faults::Of(*exchange);
    switch (dice.Below(16)) {
      case 0:
        faults.ResetConnection();
        return faults.Then([exchange] {});
      case 1:
        faults.SendGoAway(0);
        return exchange->Respond({.body = "goodbye"});
      case 2:
        faults.ResetStreams(static_cast<uint32_t>(dice.Below(14)));
        return faults.Then([exchange] {});
      case 3:
        return exchange->Abort();
      case 4: {  // answered only when the next one comes
        base::MutexLock lock(mutex_);
        std::swap(kept_, exchange_);
        exchange_ = exchange;
        return;
      }
      case 5:
        exchange->Start(200, {});
        exchange->Write(std::string(dice.Below(100'000), 'x'));
        if (dice.Below(2) == 0) return faults.HalfClose();
        return exchange->Abort();
      default:
        exchange->Start(200, {});
        for (size_t i = dice.Below(20); i > 0; --i) {
          exchange->Write(std::string(dice.Below(50'000), 'x'));
        }
        return exchange->Finish();
    }
  }

  base::Mutex mutex_;
  std::shared_ptr<Exchange> kept_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<Exchange> exchange_ ABSL_GUARDED_BY(mutex_);
  TestServer server_;
};

// Returns whether the error is possible. A deadline may only be exceeded by hurried requests, not
// that of half a minute.
bool IsExpected(const absl::Status& status, bool hurried) {
  if (status.ok() || TransportErrorOf(status).has_value()) return true;
  return hurried && absl::IsDeadlineExceeded(status);
}

void SendOne(HttpTransport& transport, HttpRequest request, Dice& dice) {
  Context ctx = Soon();
  const bool hurried = dice.Below(4) == 0;
  if (hurried) ctx = WithTimeout(ctx, absl::Microseconds(dice.Below(5'000)));
  request.header_timeout = absl::Milliseconds(200 + dice.Below(500));
  if (dice.Below(3) == 0) {
    request.method = "POST";
    request.body = std::make_shared<std::string>(dice.Below(200'000), 'y');
  }
  absl::StatusOr<HttpResponse> response = transport.RoundTrip(ctx, std::move(request));
  EXPECT_TRUE(IsExpected(response.status(), hurried)) << response.status();
  if (!response.ok()) return;
  for (size_t reads = dice.Below(50); reads > 0; --reads) {
    const absl::StatusOr<std::string> piece = response->body->Read(ctx);
    EXPECT_TRUE(IsExpected(piece.status(), hurried)) << piece.status();
    if (!piece.ok() || piece->empty()) return;
  }
}

TEST(StressTest, EverythingAtOnce) {
  constexpr uint64_t kSeed = 20'261'121;
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  MakeTransport();  // creates what stays after the first thread
  const ProcessResources before = CountProcessResources();
  {
    MoodyServer secure(/*tls=*/true);
    MoodyServer plain(/*tls=*/false);
    ConnectionOptions http1 = secure.server().connection();
    http1.http_version = HttpVersion::kHttp1;
    const std::vector<std::pair<std::string, std::shared_ptr<const ConnectionOptions>>> ways = {
        {secure.server().url("/"),
         std::make_shared<ConnectionOptions>(secure.server().connection())},
        {secure.server().url("/"), std::make_shared<ConnectionOptions>(http1)},
        {plain.server().url("/"), nullptr},
    };
    for (int round = 0; round < kRounds; ++round) {
      const auto transport = MakeTransport({.idle_connection_timeout = absl::Milliseconds(20),
                                            .lost_after = absl::Seconds(1),
                                            .max_buffered_bytes = 60'000});
      base::ThreadGroup group{Context()};
      for (int worker = 0; worker < kWorkers; ++worker) {
        group.Go("worker", [&, worker](const Context&) {
          Dice dice(kSeed + 100 * round + worker);
          for (int i = 0; i < kRequestsEach; ++i) {
            const auto& [url, connection] = ways[dice.Below(ways.size())];
            SendOne(*transport,
                    {.url = absl::StrCat(url, dice.Next() >> 1), .connection = connection}, dice);
            if (dice.Below(20) == 0) transport->CloseIdleConnections();
            // Shuts down in the middle of every other round.
            if (round % 2 == 1 && worker == 0 && i == kRequestsEach / 2) {
              transport->Shutdown(WithTimeout(Context(), absl::Milliseconds(dice.Below(10))))
                  .IgnoreError();
            }
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
  }
  EXPECT_EQ(CountProcessResources(), before);
}

// Cancelling a Context ends a blocking request or watch at once. Takes the shortest of several
// tries, since the machine may be busy.
TEST(StressTest, CancellingTakesNoTime) {
  std::vector<std::shared_ptr<Exchange>> kept;
  TestServer server([&](std::shared_ptr<Exchange> exchange) {
    if (exchange->request().target == "/watch") exchange->Start(200, {});
    kept.push_back(std::move(exchange));
  });
  const auto transport = MakeTransport();
  const auto connection = std::make_shared<ConnectionOptions>(server.connection());
  for (const bool watch : {false, true}) {
    absl::Duration least = absl::InfiniteDuration();
    for (int i = 0; i < 5; ++i) {
      CancelScope scope = WithCancel(Context());
      base::ThreadGroup group{Context()};
      base::MonotonicTime ended;
      group.Go("blocked", [&](const Context&) {
        absl::StatusOr<HttpResponse> response = transport->RoundTrip(
            watch ? Soon() : scope.context(),
            {.url = server.url(watch ? "/watch" : "/get"), .connection = connection});
        const absl::Status status =
            watch ? response->body->Read(scope.context()).status() : response.status();
        ended = base::Runtime::Real().Now();
        EXPECT_TRUE(absl::IsCancelled(status)) << status;
        return absl::OkStatus();
      });
      while (transport->statistics().requests == 0) {
      }
      const base::MonotonicTime cancelled = base::Runtime::Real().Now();
      scope.Cancel();
      EXPECT_THAT(group.Wait(), IsOk());
      least = std::min(least, ended - cancelled);
    }
    EXPECT_LT(least, absl::Milliseconds(100));
  }
}

}  // namespace
}  // namespace kube::httpclient
