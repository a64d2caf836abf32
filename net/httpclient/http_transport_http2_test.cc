// HTTP/2: many responses over one connection, long headers, slow readers, and servers that vanish.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/queue.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/testing/stopped_thread.h"
#include "net/httpclient/testing/test_server.h"
#include "net/httpclient/transport_error.h"
#include "net/httpserver/exchange.h"
#include "tests/dice.h"

namespace kube::httpclient {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::httpclient::Get;
using ::kube::httpclient::MakeTransport;
using ::kube::httpclient::ReadAll;
using ::kube::httpclient::Soon;
using ::kube::httpclient::TestServer;
using ::kube::httpserver::Exchange;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Field;
using ::testing::Optional;

struct HeaderCase {
  std::string name;
  int lines;
  size_t line_bytes;
  // Which versions take it.
  bool http1 = true;
  bool http2 = true;
};

class LongHeaderTest : public ::testing::TestWithParam<HeaderCase> {};

INSTANTIATE_TEST_SUITE_P(Sizes, LongHeaderTest,
                         ::testing::Values(HeaderCase{"OneOf15K", 1, 15'000},
                                           HeaderCase{"OneOf60K", 1, 60'000},
                                           HeaderCase{"TwoOf20K", 2, 20'000},
                                           HeaderCase{"ThousandOf50", 1'000, 50, true},
                                           HeaderCase{"TenOf12K", 10, 12'000},
                                           HeaderCase{"TenOf20K", 10, 20'000},
                                           HeaderCase{"HundredOf9K", 100, 9'000, true, false},
                                           HeaderCase{"HundredOf11K", 100, 11'000, false, false}),
                         [](const auto& test) { return test.param.name; });

TEST_P(LongHeaderTest, ComesOrIsRefused) {
  const HeaderCase& header = GetParam();
  TestServer server([&](const std::shared_ptr<Exchange>& exchange) {
    http::Headers headers;
    for (int i = 0; i < header.lines; ++i) {
      headers.Add(absl::StrCat("x-", i), std::string(header.line_bytes, 'a'));
    }
    exchange->Start(200, headers);
    if (exchange->request().target == "/body") exchange->Write("some body");
    exchange->Finish();
  });
  for (const HttpVersion version : {HttpVersion::kHttp1, HttpVersion::kAny}) {
    const auto transport = MakeTransport();
    ConnectionOptions options = server.connection();
    options.http_version = version;
    const auto connection = std::make_shared<ConnectionOptions>(options);
    for (const std::string target : {"/", "/body", "/"}) {
      SCOPED_TRACE(absl::StrCat(static_cast<int>(version), target));
      const Context ctx = Soon();
      absl::StatusOr<HttpResponse> response =
          transport->RoundTrip(ctx, {.url = server.url(target), .connection = connection});
      if (!(version == HttpVersion::kHttp1 ? header.http1 : header.http2)) {
        EXPECT_THAT(TransportErrorOf(response.status()),
                    Optional(Field(&TransportError::kind, TransportErrorKind::kProtocol)))
            << response.status();
        continue;
      }
      ASSERT_THAT(response, IsOk());
      const std::string last = absl::StrCat("x-", header.lines - 1);
      EXPECT_EQ(response->headers.Get(last).value_or("").size(), header.line_bytes);
      EXPECT_THAT(ReadAll(ctx, *response), IsOkAndHolds(target == "/" ? "" : "some body"));
    }
  }
}

// A client reconnects to a server that allows no streams, but not forever.
TEST(Http2Test, ServersThatTakeNoStreams) {
  TestServer server([](const std::shared_ptr<Exchange>&) { FAIL(); },
                    {.max_concurrent_streams = 0});
  const auto transport = MakeTransport();
  const auto connection = std::make_shared<ConnectionOptions>(server.connection());
  for (int i = 0; i < 3; ++i) {
    const absl::Status status =
        Get(*transport, {.url = server.url(), .connection = connection}).status();
    // kReset: the server refused the stream before its SETTINGS were read.
    EXPECT_THAT(TransportErrorOf(status),
                Optional(AllOf(Field(&TransportError::kind,
                                     AnyOf(TransportErrorKind::kLost, TransportErrorKind::kReset)),
                               Field(&TransportError::maybe_sent, false))))
        << status;
  }
  EXPECT_LE(transport->statistics().opened_connections, 3 * 7);
  EXPECT_EQ(transport->statistics().requests, 0);
}

TEST(Http2Test, ListsBesideWatches) {
  base::Mutex mutex;
  std::vector<std::shared_ptr<Exchange>> watches;
  TestServer server([&](const std::shared_ptr<Exchange>& exchange) {
    const std::string& target = exchange->request().target;
    exchange->Start(200, {});  // without content-length, as lists of a kube-apiserver
    if (target != "/watch") {
      exchange->Write(std::string(std::stoi(target.substr(1)), 'x'));
      return exchange->Finish();
    }
    base::MutexLock lock(mutex);
    watches.push_back(exchange);
  });
  const auto transport = MakeTransport();
  const auto connection = std::make_shared<ConnectionOptions>(server.connection());
  std::vector<HttpResponse> open;
  for (int i = 0; i < 20; ++i) {
    absl::StatusOr<HttpResponse> response =
        transport->RoundTrip(Soon(), {.url = server.url("/watch"), .connection = connection});
    ASSERT_THAT(response, IsOk());
    open.push_back(*std::move(response));
  }
  constexpr uint64_t kSeed = 20261121;
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  base::ThreadGroup group{Soon()};
  for (int worker = 0; worker < 4; ++worker) {
    group.Go("lists", [&, worker](const Context& ctx) -> absl::Status {
      oracle::Dice dice(kSeed + worker);
      for (int i = 0; i < 60; ++i) {
        const size_t size = dice.Below(size_t{1} << (8 + dice.Below(15)));
        const HttpRequest request = {.url = server.url(absl::StrCat("/", size)),
                                     .connection = connection};
        KUBE_ASSIGN_OR_RETURN(HttpResponse response, transport->RoundTrip(ctx, request));
        KUBE_ASSIGN_OR_RETURN(const std::string body, ReadAll(ctx, response),
                              absl::StrCat("body of ", size, ", request ", i));
        EXPECT_EQ(body.size(), size);
      }
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
  EXPECT_EQ(transport->statistics().opened_connections, 1);
  open.clear();
  base::MutexLock lock(mutex);
  watches.clear();
}

// Data of a response that was given up does not get into another response's body.
TEST(Http2Test, PausedResponsesLeaveNothing) {
  base::Mutex mutex;
  std::vector<std::shared_ptr<Exchange>> kept;
  constexpr size_t kSize = 4 << 20;
  TestServer server([&](const std::shared_ptr<Exchange>& exchange) {
    const std::string target = exchange->request().target;
    exchange->Start(200, {});
    if (target != "/watch") exchange->Write(std::string(kSize, target.back()));
    if (target == "/b") return exchange->Finish();
    base::MutexLock lock(mutex);
    kept.push_back(exchange);
  });
  const auto transport = MakeTransport({.max_buffered_bytes = 1000});
  const auto connection = std::make_shared<ConnectionOptions>(server.connection());
  const Context ctx = Soon();
  const auto send = [&](const std::string& target) {
    return transport->RoundTrip(ctx, {.url = server.url(target), .connection = connection});
  };
  const auto await_pauses = [&](int64_t pauses) {
    while (transport->statistics().paused < pauses) {
      ASSERT_THAT(base::SleepFor(ctx, absl::Milliseconds(1)), IsOk());
    }
  };
  absl::StatusOr<HttpResponse> watch = send("/watch");  // the connection stays in use
  ASSERT_THAT(watch, IsOk());
  {
    absl::StatusOr<HttpResponse> given_up = send("/a");
    ASSERT_THAT(given_up, IsOk());
    await_pauses(1);
  }
  absl::StatusOr<HttpResponse> next = send("/b");
  ASSERT_THAT(next, IsOk());
  await_pauses(2);
  size_t size = 0;
  absl::StatusOr<std::string> piece;
  while ((piece = next->body->Read(ctx)).ok() && !piece->empty()) {
    size += piece->size();
    const size_t wrong = piece->find_first_not_of('b');
    ASSERT_EQ(wrong, std::string::npos) << size << ", " << piece->size() << ": " << (*piece)[wrong];
  }
  EXPECT_THAT(piece, IsOk());
  EXPECT_EQ(size, kSize);
  EXPECT_EQ(transport->statistics().opened_connections, 1);
  base::MutexLock lock(mutex);
  kept.clear();
}

// A paused response that the server aborts still ends with an error for its reader.
TEST(Http2Test, PausedResponsesMayBreak) {
  base::Mutex mutex;
  std::vector<std::shared_ptr<Exchange>> kept;
  TestServer server([&](const std::shared_ptr<Exchange>& exchange) {
    exchange->Start(200, {});
    {
      base::MutexLock lock(mutex);
      kept.push_back(exchange);
    }
    if (exchange->request().target != "/watch") exchange->Write(std::string(4 << 20, 'a'));
  });
  const auto transport = MakeTransport({.max_buffered_bytes = 1000});
  const auto connection = std::make_shared<ConnectionOptions>(server.connection());
  const Context ctx = Soon();
  const auto send = [&](const std::string& target) {
    return transport->RoundTrip(ctx, {.url = server.url(target), .connection = connection});
  };
  absl::StatusOr<HttpResponse> watch = send("/watch");  // the connection stays in use
  ASSERT_THAT(watch, IsOk());
  absl::StatusOr<HttpResponse> broken = send("/a");
  ASSERT_THAT(broken, IsOk());
  while (transport->statistics().paused == 0) {
    ASSERT_THAT(base::SleepFor(ctx, absl::Milliseconds(1)), IsOk());
  }
  {
    base::MutexLock lock(mutex);
    kept.back()->Abort();
  }
  absl::StatusOr<std::string> piece;
  while ((piece = broken->body->Read(ctx)).ok() && !piece->empty()) {
  }
  EXPECT_TRUE(TransportErrorOf(piece.status()).has_value()) << piece.status();
  base::MutexLock lock(mutex);
  kept.clear();
}

// The end of a response that arrived completely before the transport looks is not lost.
TEST(Http2Test, EndsAreNotLost) {
  struct Case {
    size_t max_buffered_bytes;
    size_t size;
  };
  for (const Case& test : {Case{1, 164'000}, Case{1, 175'000}, Case{1 << 20, 524'288},
                           Case{1 << 20, 525'000}, Case{1 << 20, 540'000}}) {
    SCOPED_TRACE(absl::StrCat(test.max_buffered_bytes, " ", test.size));
    base::BoundedQueue<std::shared_ptr<Exchange>> exchanges(100, base::WhenFull::kReject);
    TestServer server([&](const std::shared_ptr<Exchange>& exchange) {
      exchange->Start(200, {});
      EXPECT_THAT(exchanges.Push(Context(), exchange), IsOk());
    });
    const auto transport = MakeTransport({.max_buffered_bytes = test.max_buffered_bytes});
    const auto connection = std::make_shared<ConnectionOptions>(server.connection());
    const Context ctx = Soon();
    std::vector<HttpResponse> responses;
    for (int i = 0; i < 20; ++i) {
      absl::StatusOr<HttpResponse> response =
          transport->RoundTrip(ctx, {.url = server.url(), .connection = connection});
      ASSERT_THAT(response, IsOk());
      responses.push_back(*std::move(response));
    }
    std::vector<std::shared_ptr<Exchange>> kept;
    while (auto exchange = exchanges.TryPop()) kept.push_back(*std::move(exchange));
    {
      StoppedThread stopped;
      kept[7]->Write(std::string(test.size, 'x'));
      kept[7]->Finish();
      // The server's thread gives it to the kernel, as far as that takes it.
      EXPECT_THAT(base::SleepFor(ctx, absl::Milliseconds(50)), IsOk());
    }
    const absl::StatusOr<std::string> body = ReadAll(ctx, responses[7]);
    ASSERT_THAT(body, IsOk());
    EXPECT_EQ(body->size(), test.size);
  }
}

}  // namespace
}  // namespace kube::httpclient
