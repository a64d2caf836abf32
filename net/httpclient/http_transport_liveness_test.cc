// Silent connections: those that are alive are kept, and those whose network has vanished are
// closed.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/testing/stopped_thread.h"
#include "net/httpclient/testing/test_proxy.h"
#include "net/httpclient/testing/test_server.h"
#include "net/httpclient/transport_error.h"
#include "net/httpserver/exchange.h"

namespace kube::httpclient {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::httpclient::Get;
using ::kube::httpclient::MakeTransport;
using ::kube::httpclient::Soon;
using ::kube::httpclient::StoppedThread;
using ::kube::httpclient::TestProxy;
using ::kube::httpclient::TestServer;
using ::kube::httpserver::Exchange;

// Tolerance for a busy machine.
constexpr absl::Duration kTolerance = absl::Seconds(15);

base::MonotonicTime Now() { return base::Runtime::Real().Now(); }

// A server behind a network that can vanish. It answers "/" completely, and only begins other
// answers.
class LivenessTest : public ::testing::Test {
 protected:
  ~LivenessTest() override { Forget(); }

  HttpRequest Request(const std::string& target) const {
    return {
        .url = server_.url(target), .connection = connection_, .long_running = target == "/watch"};
  }
  // The exchanges whose answer is incomplete.
  std::vector<std::shared_ptr<Exchange>> held() {
    base::MutexLock lock(mutex_);
    return held_;
  }
  void Forget() {
    base::MutexLock lock(mutex_);
    held_.clear();
  }
  void AwaitHeld(size_t count) {
    while (held().size() < count) {
      ASSERT_THAT(base::SleepFor(ctx_, absl::Milliseconds(1)), IsOk());
    }
  }

  const Context ctx_ = WithTimeout(Context(), absl::Seconds(60));
  base::Mutex mutex_;
  std::vector<std::shared_ptr<Exchange>> held_ ABSL_GUARDED_BY(mutex_);
  TestServer server_{[this](const std::shared_ptr<Exchange>& exchange) {
    const std::string& target = exchange->request().target;
    if (target == "/") return exchange->Respond({.body = "answer"});
    if (target == "/watch") exchange->Write("begun");
    base::MutexLock lock(mutex_);
    held_.push_back(exchange);
  }};
  TestProxy network_;
  const std::shared_ptr<const ConnectionOptions> connection_ = [this] {
    ConnectionOptions options = server_.connection();
    options.proxy_url = network_.url();
    return std::make_shared<ConnectionOptions>(options);
  }();
};

// An idle server answers the PINGs, so the watch is kept.
// behaviour.md: TR-2
TEST_F(LivenessTest, SilentWatchesStay) {
  constexpr absl::Duration kIdle = absl::Milliseconds(100);
  constexpr absl::Duration kLost = absl::Seconds(2);
  const auto transport = MakeTransport({.keep_alive_idle = kIdle, .lost_after = kLost});
  absl::StatusOr<HttpResponse> watch = transport->RoundTrip(ctx_, Request("/watch"));
  ASSERT_THAT(watch, IsOk());
  ASSERT_THAT(watch->body->Read(ctx_), IsOkAndHolds("begun"));
  ASSERT_THAT(base::SleepFor(ctx_, kIdle), IsOk());  // wait for the connection's first frames
  const int64_t before = network_.carried();
  ASSERT_THAT(base::SleepFor(ctx_, kLost + 5 * kIdle), IsOk());
  // Some PINGs, but not many: each is a frame of 17 bytes, within TLS.
  EXPECT_GE(network_.carried() - before, 3 * 17);
  EXPECT_LE(network_.carried() - before, 60 * 60);
  held().at(0)->Write("more");
  EXPECT_THAT(watch->body->Read(ctx_), IsOkAndHolds("more"));
  EXPECT_EQ(transport->statistics().opened_connections, 1);
}

// behaviour.md: TR-2
TEST_F(LivenessTest, NetworkVanishes) {
  constexpr absl::Duration kIdle = absl::Milliseconds(200);
  constexpr absl::Duration kLost = absl::Milliseconds(700);
  const auto transport = MakeTransport({.keep_alive_idle = kIdle, .lost_after = kLost});
  std::vector<HttpResponse> watches;
  for (int i = 0; i < 5; ++i) {
    absl::StatusOr<HttpResponse> watch = transport->RoundTrip(ctx_, Request("/watch"));
    ASSERT_THAT(watch, IsOk());
    ASSERT_THAT(watch->body->Read(ctx_), IsOkAndHolds("begun"));
    watches.push_back(*std::move(watch));
  }
  base::ThreadGroup group{ctx_};
  group.Go("request", [&](const Context&) {
    const absl::Status status = Get(*transport, Request("/slow")).status();
    EXPECT_EQ(TransportErrorOf(status), (TransportError{.kind = TransportErrorKind::kLost}))
        << status;
    return absl::OkStatus();
  });
  AwaitHeld(6);
  EXPECT_EQ(transport->statistics().connections, 2);  // watches have their own
  const base::MonotonicTime start = Now();
  network_.Silence();
  for (HttpResponse& watch : watches) {
    const absl::Status status = watch.body->Read(ctx_).status();
    EXPECT_EQ(TransportErrorOf(status), (TransportError{.kind = TransportErrorKind::kLost}))
        << status;
  }
  EXPECT_THAT(group.Wait(), IsOk());
  EXPECT_LT(Now() - start, kLost + kTolerance);
  // New connections to the server work again.
  EXPECT_THAT(Get(*transport, Request("/")), IsOkAndHolds("answer"));
  absl::StatusOr<HttpResponse> watch = transport->RoundTrip(ctx_, Request("/watch"));
  ASSERT_THAT(watch, IsOk());
  EXPECT_THAT(watch->body->Read(ctx_), IsOkAndHolds("begun"));
  EXPECT_EQ(transport->statistics().opened_connections, 4);
  EXPECT_EQ(transport->statistics().connections, 2);
}

// The process is stopped for longer than lost_after, and the answer to the PING has arrived when it
// continues.
TEST_F(LivenessTest, AThreadThatStoodStill) {
  constexpr absl::Duration kIdle = absl::Milliseconds(200);
  constexpr absl::Duration kLost = absl::Milliseconds(1200);
  const auto transport = MakeTransport({.keep_alive_idle = kIdle, .lost_after = kLost});
  absl::StatusOr<HttpResponse> watch = transport->RoundTrip(ctx_, Request("/watch"));
  ASSERT_THAT(watch, IsOk());
  ASSERT_THAT(watch->body->Read(ctx_), IsOkAndHolds("begun"));
  network_.set_holds(true);
  ASSERT_THAT(base::SleepFor(ctx_, 2 * kIdle), IsOk());  // a PING was sent
  {
    const StoppedThread stopped;
    network_.set_holds(false);
    ASSERT_THAT(base::SleepFor(ctx_, kLost), IsOk());
  }
  held().at(0)->Write("more");
  EXPECT_THAT(watch->body->Read(ctx_), IsOkAndHolds("more"));
  EXPECT_EQ(transport->statistics().opened_connections, 1);
}

// A vanished network is noticed without a request.
// behaviour.md: TR-2
TEST_F(LivenessTest, NetworkVanishesWhileNobodyLooks) {
  const auto transport = MakeTransport(
      {.keep_alive_idle = absl::Milliseconds(200), .lost_after = absl::Milliseconds(700)});
  ASSERT_THAT(Get(*transport, Request("/")), IsOkAndHolds("answer"));
  EXPECT_EQ(transport->statistics().connections, 1);
  const base::MonotonicTime start = Now();
  network_.Silence();
  while (transport->statistics().connections > 0) {
    ASSERT_THAT(base::SleepFor(ctx_, absl::Milliseconds(10)), IsOk());
  }
  EXPECT_LT(Now() - start, absl::Milliseconds(700) + kTolerance);
  EXPECT_THAT(Get(*transport, Request("/")), IsOkAndHolds("answer"));
  EXPECT_EQ(transport->statistics().opened_connections, 2);
}

// A large request that is being sent does not prevent it from being noticed.
TEST_F(LivenessTest, NetworkVanishesBeneathALargeRequest) {
  const auto transport = MakeTransport(
      {.keep_alive_idle = absl::Milliseconds(200), .lost_after = absl::Milliseconds(700)});
  ASSERT_THAT(Get(*transport, Request("/")), IsOkAndHolds("answer"));
  network_.Silence();
  HttpRequest large = Request("/slow");
  large.method = "POST";
  large.body = std::make_shared<std::string>(10 << 20, 'x');
  const base::MonotonicTime start = Now();
  const absl::Status status = Get(*transport, std::move(large)).status();
  EXPECT_EQ(TransportErrorOf(status), (TransportError{.kind = TransportErrorKind::kLost}))
      << status;
  EXPECT_LT(Now() - start, absl::Milliseconds(700) + kTolerance);
}

}  // namespace
}  // namespace kube::httpclient
