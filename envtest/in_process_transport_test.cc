#include "envtest/in_process_transport.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport_error.h"
#include "net/httpserver/exchange.h"
#include "net/io/duplex_stream.h"

namespace kube::envtest {
namespace {

using base::IsOk;
using base::StatusIs;
using httpserver::Exchange;

// A handler of one test.
class FunctionHandler final : public httpserver::Handler {
 public:
  using Function = std::function<void(std::shared_ptr<Exchange>)>;
  explicit FunctionHandler(Function function) : function_(std::move(function)) {}
  void Handle(std::shared_ptr<Exchange> exchange) override { function_(std::move(exchange)); }

 private:
  const Function function_;
};

// All of a body.
std::string ReadAll(watch::ByteStream& body) {
  std::string all;
  while (true) {
    const absl::StatusOr<std::string> piece = body.Read(Context());
    EXPECT_THAT(piece, IsOk());
    if (!piece.ok() || piece->empty()) return all;
    all += *piece;
  }
}

TEST(InProcessTransport, HandsTheRequestOver) {
  httpserver::Request seen;
  FunctionHandler handler([&](const std::shared_ptr<Exchange>& exchange) {
    seen = exchange->request();
    exchange->Inform(103, {{"link", "x"}});
    exchange->Respond({.status = 201, .headers = {{"x-a", "b"}}, .body = "hello"});
  });
  InProcessTransport transport(
      handler, {.client_certificate = httpserver::ClientCertificate{.common_name = "bob"}});
  auto response =
      transport.RoundTrip(Context(), {.method = "POST",
                                      .url = "https://10.0.0.1:6443/a%2Fb?c=d#e",
                                      .headers = {{"accept", "*/*"}},
                                      .body = std::make_shared<const std::string>("body")});
  ASSERT_THAT(response, IsOk());
  EXPECT_EQ(response->status, 201);
  EXPECT_EQ(response->headers.Get("x-a"), "b");
  EXPECT_EQ(response->headers.Get("content-length"), "5");
  EXPECT_EQ(ReadAll(*response->body), "hello");
  EXPECT_EQ(seen.method, "POST");
  EXPECT_EQ(seen.target, "/a%2Fb?c=d");
  EXPECT_EQ(seen.headers.Get("host"), "10.0.0.1:6443");
  EXPECT_EQ(seen.headers.Get("accept"), "*/*");
  EXPECT_EQ(seen.body, "body");
  EXPECT_TRUE(seen.tls);
  EXPECT_EQ(seen.client_certificate->common_name, "bob");
}

TEST(InProcessTransport, RoundTrip_Url_BecomesTheRequestTarget) {
  const struct {
    absl::string_view url;
    absl::string_view target;  // empty: refused
  } cases[] = {
      {"http://h", "/"},
      {"http://h/", "/"},
      {"http://h?a=b", "/?a=b"},
      {"http://h/api/", "/api/"},
      {"http://h/x#y", "/x"},
      {"h/x", ""},
      {"://h/x", ""},
      {"/relative", ""},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.url);
    std::string target;
    FunctionHandler handler([&](const std::shared_ptr<Exchange>& exchange) {
      target = exchange->request().target;
      exchange->Respond({});
    });
    const auto response =
        InProcessTransport(handler).RoundTrip(Context(), {.url = std::string(test.url)});
    EXPECT_EQ(response.status().code(),
              test.target.empty() ? absl::StatusCode::kInvalidArgument : absl::StatusCode::kOk);
    EXPECT_EQ(target, test.target);
  }
}

TEST(InProcessTransport, WaitsForTheHeaderAsLongAsItShould) {
  std::shared_ptr<Exchange> kept;
  FunctionHandler handler([&](std::shared_ptr<Exchange> exchange) { kept = std::move(exchange); });
  InProcessTransport transport(handler);
  const httpclient::HttpRequest request = {.url = "http://h/",
                                           .header_timeout = absl::Milliseconds(1)};
  const absl::Status late = transport.RoundTrip(Context(), request).status();
  EXPECT_THAT(late, StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_EQ(httpclient::TransportErrorOf(late)->kind, httpclient::TransportErrorKind::kTimeout);
  EXPECT_TRUE(kept->context().done());
  EXPECT_FALSE(kept->Write("nobody reads it"));

  const absl::Status over =
      transport.RoundTrip(WithTimeout(Context(), absl::Milliseconds(1)), {.url = "http://h/"})
          .status();
  EXPECT_THAT(over, StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_EQ(httpclient::TransportErrorOf(over), std::nullopt);
  EXPECT_TRUE(kept->context().done());

  CancelScope scope = WithCancel(Context());
  scope.Cancel();
  kept = nullptr;
  EXPECT_THAT(transport.RoundTrip(scope.context(), {.url = "http://h/"}).status(),
              StatusIs(absl::StatusCode::kCancelled));
  EXPECT_EQ(kept, nullptr);
}

TEST(InProcessTransport, Read_ResponseWrittenLater_Waits) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    base::Thread answering;
    FunctionHandler handler([&](std::shared_ptr<Exchange> exchange) {
      const auto answer = [exchange = std::move(exchange)](const Context&) {
        base::SleepFor(Context(), absl::Hours(1)).IgnoreError();
        exchange->Start(200, {});
        for (const char* piece : {"one ", "two ", "three"}) {
          base::SleepFor(Context(), absl::Hours(1)).IgnoreError();
          exchange->Write(piece);
        }
        exchange->Finish();
      };
      EXPECT_THAT(answering.Start(Context(), "answering", answer), IsOk());
    });
    InProcessTransport transport(handler);
    auto response = transport.RoundTrip(Context(), {.url = "http://h/"});
    ASSERT_THAT(response, IsOk());
    // A Read that gives up loses nothing.
    EXPECT_THAT(response->body->Read(WithTimeout(Context(), absl::Minutes(1))),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_EQ(ReadAll(*response->body), "one two three");
    EXPECT_EQ(*response->body->Read(Context()), "");
    answering.Join();
  }),
              IsOk());
}

TEST(InProcessTransport, RoundTrip_AbortedResponse_FailsWithReset) {
  const struct {
    absl::string_view name;
    std::function<void(Exchange&)> answer;
  } cases[] = {
      {"before the header", [](Exchange& exchange) { exchange.Abort(); }},
      {"in the body",
       [](Exchange& exchange) {
         exchange.Write("half");
         exchange.Abort();
       }},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    FunctionHandler handler(
        [&](const std::shared_ptr<Exchange>& exchange) { test.answer(*exchange); });
    const absl::Status status =
        InProcessTransport(handler).RoundTrip(Context(), {.url = "http://h/"}).status();
    EXPECT_EQ(httpclient::TransportErrorOf(status)->kind, httpclient::TransportErrorKind::kReset);
  }
}

TEST(InProcessTransport, RoundTrip_DroppedExchange_Returns500) {
  const log::LogCapture log;
  FunctionHandler handler([](const std::shared_ptr<Exchange>&) {});
  InProcessTransport transport(handler);
  const auto response = transport.RoundTrip(Context(), {.url = "http://h/"});
  ASSERT_THAT(response, IsOk());
  EXPECT_EQ(response->status, 500);
}

TEST(InProcessTransport, SlowReadersPauseWhoAsks) {
  std::shared_ptr<Exchange> kept;
  FunctionHandler handler([&](std::shared_ptr<Exchange> exchange) {
    kept = std::move(exchange);
    kept->Start(200, {});
  });
  InProcessTransport transport(handler, {.max_buffered_bytes = 1000});
  auto response = transport.RoundTrip(Context(), {.url = "http://h/"});
  ASSERT_THAT(response, IsOk());
  int drained = 0;
  EXPECT_TRUE(kept->Write(std::string(100, 'x')));
  EXPECT_FALSE(kept->PauseUntilDrained(100, [&] { ++drained; }));
  EXPECT_TRUE(kept->Write("y"));
  EXPECT_TRUE(kept->PauseUntilDrained(100, [&] { drained = 100; }));
  EXPECT_TRUE(kept->PauseUntilDrained(100, [&] { ++drained; })) << "takes the place of the first";
  EXPECT_EQ(drained, 0);
  EXPECT_EQ(response->body->Read(Context())->size(), 101u);
  EXPECT_EQ(drained, 1);
  // Who does not ask is cut off.
  EXPECT_TRUE(kept->Write(std::string(1000, 'x')));
  EXPECT_FALSE(kept->Write("y"));
  EXPECT_TRUE(kept->PauseUntilDrained(100, [&] { ++drained; }));
  response->body->Close();
  EXPECT_FALSE(kept->PauseUntilDrained(0, [] {}));
  EXPECT_EQ(drained, 1);
}

TEST(InProcessTransport, ClosingEndsTheExchangeAndAReadThatBlocks) {
  std::shared_ptr<Exchange> kept;
  FunctionHandler handler([&](std::shared_ptr<Exchange> exchange) {
    kept = std::move(exchange);
    kept->Start(200, {});
  });
  InProcessTransport transport(handler);
  auto response = transport.RoundTrip(Context(), {.url = "http://h/"});
  ASSERT_THAT(response, IsOk());
  base::Thread reading;
  ASSERT_THAT(
      reading.Start(Context(), "reading",
                    [&](const Context&) { EXPECT_THAT(response->body->Read(Context()), IsOk()); }),
      IsOk());
  response->body->Close();
  reading.Join();
  EXPECT_TRUE(kept->context().done());
}

// A request that asks for another protocol, as its header says.
httpclient::HttpRequest UpgradeRequest() {
  return {.url = "http://h/exec",
          .headers = {{"connection", "Upgrade"}, {"upgrade", "echo"}},
          .upgrade = true};
}

// Sends back all that it reads, and then ends.
absl::Status EchoToEnd(const Context& ctx, io::DuplexStream& stream) {
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string piece, stream.Read(ctx));
    if (piece.empty()) return stream.CloseWrite();
    KUBE_RETURN_IF_ERROR(stream.Write(ctx, piece));
  }
}

TEST(InProcessTransport, Upgrade_HandlerSwitches_ResponseHasTheConnection) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    base::ThreadGroup threads{Context()};
    std::shared_ptr<Exchange> kept;
    FunctionHandler handler([&](std::shared_ptr<Exchange> exchange) {
      kept = std::move(exchange);
      EXPECT_EQ(kept->request().http_version, 1);
      EXPECT_EQ(kept->request().headers.Get("upgrade"), "echo");
      auto connection = kept->SwitchProtocols({{"upgrade", "echo"}});
      ASSERT_THAT(connection, IsOk());
      threads.Go("echo", [stream = *std::move(connection)](const Context& ctx) {
        return EchoToEnd(ctx, *stream);
      });
    });
    InProcessTransport transport(handler);
    auto response = transport.RoundTrip(Context(), UpgradeRequest());
    ASSERT_THAT(response, IsOk());
    EXPECT_EQ(response->status, 101);
    EXPECT_EQ(response->http_version, 1);
    EXPECT_EQ(response->headers.Get("upgrade"), "echo");
    EXPECT_EQ(ReadAll(*response->body), "");
    response->body.reset();
    ASSERT_NE(response->connection, nullptr);
    io::DuplexStream& connection = *response->connection;
    EXPECT_THAT(connection.Write(Context(), "hello"), IsOk());
    EXPECT_THAT(connection.Read(Context()), base::IsOkAndHolds("hello"));
    EXPECT_THAT(connection.Flush(Context()), IsOk());
    EXPECT_THAT(connection.Read(WithTimeout(Context(), absl::Hours(1))),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_FALSE(kept->context().done());
    EXPECT_THAT(connection.CloseWrite(), IsOk());
    EXPECT_THAT(connection.Read(Context()), base::IsOkAndHolds(""));
    EXPECT_THAT(threads.Wait(), IsOk());
    EXPECT_TRUE(kept->context().done());
  }),
              IsOk());
}

TEST(InProcessTransport, Upgrade_EndOfTheConnection_IsSeen) {
  std::shared_ptr<Exchange> kept;
  std::unique_ptr<io::DuplexStream> server;
  FunctionHandler handler([&](std::shared_ptr<Exchange> exchange) {
    auto connection = exchange->SwitchProtocols({});
    ASSERT_THAT(connection, IsOk());
    server = *std::move(connection);
    kept = std::move(exchange);
  });
  InProcessTransport transport(handler);
  {
    auto response = transport.RoundTrip(Context(), UpgradeRequest());
    ASSERT_THAT(response, IsOk());
    EXPECT_FALSE(kept->context().done());
  }
  EXPECT_TRUE(kept->context().done()) << "the client has dropped the connection";
  EXPECT_THAT(server->Read(Context()), base::IsOkAndHolds(""));

  const struct {
    absl::string_view name;
    std::function<void()> end;
    bool read_fails;
  } cases[] = {
      {"closed", [&] { server->Close(); }, false},
      {"aborted", [&] { kept->Abort(); }, true},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    auto response = transport.RoundTrip(Context(), UpgradeRequest());
    ASSERT_THAT(response, IsOk());
    test.end();
    const auto read = response->connection->Read(Context());
    EXPECT_EQ(read.ok(), !test.read_fails);
    if (test.read_fails) {
      EXPECT_EQ(httpclient::TransportErrorOf(read.status())->kind,
                httpclient::TransportErrorKind::kReset);
    }
    const absl::Status write = response->connection->Write(Context(), "x");
    ASSERT_TRUE(httpclient::TransportErrorOf(write).has_value()) << write;
    EXPECT_EQ(httpclient::TransportErrorOf(write)->kind, httpclient::TransportErrorKind::kReset);
  }
}

TEST(InProcessTransport, Upgrade_WantsUpgrade_OnlyIfTheServerWouldSeeIt) {
  const struct {
    absl::string_view name;
    httpclient::HttpRequest request;
    bool wants;
  } cases[] = {
      {"as usual", UpgradeRequest(), true},
      {"without a connection header",
       {.url = "http://h/", .headers = {{"upgrade", "echo"}}, .upgrade = true},
       true},
      {"without an upgrade header", {.url = "http://h/", .headers = {}, .upgrade = true}, false},
      {"with a body",
       {.url = "http://h/",
        .headers = {{"upgrade", "echo"}},
        .body = std::make_shared<const std::string>("x"),
        .upgrade = true},
       false},
      {"not asked for", {.url = "http://h/", .headers = {{"upgrade", "echo"}}}, false},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    bool wants = !test.wants;
    FunctionHandler handler([&](const std::shared_ptr<Exchange>& exchange) {
      wants = exchange->request().wants_upgrade;
      exchange->Respond({.status = 403, .body = "no"});
    });
    const auto response = InProcessTransport(handler).RoundTrip(Context(), test.request);
    ASSERT_THAT(response, IsOk());
    EXPECT_EQ(wants, test.wants);
    EXPECT_EQ(response->status, 403);
    EXPECT_EQ(response->connection, nullptr);
    EXPECT_EQ(ReadAll(*response->body), "no");
  }
}

}  // namespace
}  // namespace kube::envtest
