// HTTP/2 where libcurl leaves off: what has come must not wait in its buffers.

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
#include "apimachinery/base/status.h"
#include "apimachinery/base/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "clientset/rest/http_message.h"
#include "clientset/rest/http_transport.h"
#include "clientset/rest/transport_error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"
#include "tests/dice.h"
#include "tests/rest/test_server.h"

namespace kube::rest {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::httpserver::Exchange;
using ::kube::rest::testing::Get;
using ::kube::rest::testing::MakeTransport;
using ::kube::rest::testing::ReadAll;
using ::kube::rest::testing::Soon;
using ::kube::rest::testing::TestServer;
using ::testing::AnyOf;
using ::testing::Field;
using ::testing::Optional;

struct HeaderCase {
  std::string name;
  int lines;
  size_t line_bytes;
  // Which versions take it.
  bool http1;
  bool http2;
};

class LongHeaderTest : public ::testing::TestWithParam<HeaderCase> {};

INSTANTIATE_TEST_SUITE_P(Sizes, LongHeaderTest,
                         ::testing::Values(HeaderCase{"OneOf15K", 1, 15'000, true, true},
                                           HeaderCase{"OneOf17K", 1, 17'000, true, true},
                                           HeaderCase{"OneOf40K", 1, 40'000, true, true},
                                           HeaderCase{"OneOf60K", 1, 60'000, true, true},
                                           HeaderCase{"TwoOf20K", 2, 20'000, true, true},
                                           HeaderCase{"ThousandOf50", 1'000, 50, true, true},
                                           HeaderCase{"TenOf12K", 10, 12'000, true, true},
                                           HeaderCase{"TenOf20K", 10, 20'000, true, false},
                                           HeaderCase{"OneOf80K", 1, 80'000, true, true},
                                           HeaderCase{"HundredOf9K", 100, 9'000, false, false}),
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

// Whoever reads the connection may read it for others: an idle watch, the end of a list.
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
      for (int i = 0; i < 150; ++i) {
        const size_t size = dice.Below(size_t{1} << (8 + dice.Below(15)));
        KUBE_ASSIGN_OR_RETURN(HttpResponse response,
                              transport->RoundTrip(ctx, {.url = server.url(absl::StrCat("/", size)),
                                                         .connection = connection}));
        KUBE_ASSIGN_OR_RETURN(const std::string body, ReadAll(ctx, response), "body of ", size,
                              ", request ", i);
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

}  // namespace
}  // namespace kube::rest
