#include "net/httpserver/in_process_exchange.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"
#include "net/io/duplex_stream.h"

namespace kube::httpserver {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;
using testing::Optional;

constexpr size_t kMuch = 1 << 20;

base::MonotonicTime In(absl::Duration duration) { return base::Now() + duration; }

TEST(InProcessExchangeTest, GivesTheHeadThenThePiecesThenTheEnd) {
  InProcessExchange exchange({.method = "GET", .target = "/a"}, kMuch);
  const std::shared_ptr<Exchange> handler = exchange.ForHandler();
  EXPECT_EQ(handler->request().target, "/a");
  handler->Inform(103, {});
  handler->Start(201, {{"x", "1"}});
  EXPECT_TRUE(handler->Write("one"));

  const absl::StatusOr<InProcessExchange::Head> head =
      exchange.WaitForHead(Context(), In(absl::Seconds(1)));
  ASSERT_THAT(head, IsOk());
  EXPECT_EQ(head->status, 201);
  EXPECT_THAT(head->headers.Get("x"), Optional(testing::Eq("1")));
  EXPECT_EQ(head->content_length, std::nullopt);
  EXPECT_THAT(exchange.Read(Context()), IsOkAndHolds("one"));
  EXPECT_TRUE(handler->Write("two"));
  handler->Finish();
  EXPECT_THAT(exchange.Read(Context()), IsOkAndHolds("two"));
  EXPECT_THAT(exchange.Read(Context()), IsOkAndHolds(""));
}

class Echo final : public Handler {
 public:
  void Handle(std::shared_ptr<Exchange> exchange) override {
    exchange->Respond({.status = 202, .body = exchange->request().target});
  }
};

absl::StatusOr<std::string> Ask(const Context& ctx, Handler& handler, Request request) {
  InProcessExchange exchange(std::move(request), /*max_buffered_bytes=*/1 << 20);
  handler.Handle(exchange.ForHandler());
  KUBE_ASSIGN_OR_RETURN(auto head, exchange.WaitForHead(ctx, base::MonotonicTime::Infinite()));
  KUBE_ASSIGN_OR_RETURN(std::string piece, exchange.Read(ctx));  // "" at the end
  return absl::StrCat(head.status, " ", piece);
}

TEST(InProcessExchangeTest, PassesARequestToAHandler_AsInTheHeader) {
  Echo handler;
  EXPECT_THAT(Ask(Context(), handler, {.method = "GET", .target = "/a"}), IsOkAndHolds("202 /a"));
}

TEST(InProcessExchangeTest, AWholeResponseHasALength) {
  InProcessExchange exchange({}, kMuch);
  exchange.ForHandler()->Respond({.body = "four"});
  const absl::StatusOr<InProcessExchange::Head> head =
      exchange.WaitForHead(Context(), In(absl::Seconds(1)));
  ASSERT_THAT(head, IsOk());
  EXPECT_THAT(head->content_length, Optional(4));
}

TEST(InProcessExchangeTest, ADroppedExchangeAnswers500) {
  const log::LogCapture quiet;
  InProcessExchange exchange({}, kMuch);
  exchange.ForHandler().reset();
  const absl::StatusOr<InProcessExchange::Head> head =
      exchange.WaitForHead(Context(), In(absl::Seconds(1)));
  ASSERT_THAT(head, IsOk());
  EXPECT_EQ(head->status, 500);
}

TEST(InProcessExchangeTest, ABrokenResponseIsAborted) {
  InProcessExchange early({}, kMuch);
  early.ForHandler()->Abort();
  EXPECT_THAT(early.WaitForHead(Context(), In(absl::Seconds(1))).status(),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("aborted the response")));

  InProcessExchange late({}, kMuch);
  const std::shared_ptr<Exchange> handler = late.ForHandler();
  handler->Start(200, {});
  ASSERT_THAT(late.WaitForHead(Context(), In(absl::Seconds(1))), IsOk());
  handler->Abort();
  EXPECT_THAT(late.Read(Context()).status(), StatusIs(absl::StatusCode::kAborted));
}

TEST(InProcessExchangeTest, AHandlerWhoseBytesNobodyReadsIsCutOff) {
  InProcessExchange exchange({}, 10);
  const std::shared_ptr<Exchange> handler = exchange.ForHandler();
  handler->Start(200, {});
  EXPECT_TRUE(handler->Write(std::string(10, 'x')));
  EXPECT_FALSE(handler->Write("x"));
  ASSERT_THAT(exchange.WaitForHead(Context(), In(absl::Seconds(1))).status(),
              StatusIs(absl::StatusCode::kAborted));
}

TEST(InProcessExchangeTest, WaitsEndWithTheDeadlineAndWithTheContext) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    InProcessExchange exchange({}, kMuch);
    const std::shared_ptr<Exchange> handler = exchange.ForHandler();
    EXPECT_THAT(exchange.WaitForHead(Context(), In(absl::Seconds(3))).status(),
                StatusIs(absl::StatusCode::kDeadlineExceeded, "no response before the deadline"));

    CancelScope cancelled = WithCancel(Context());
    cancelled.Cancel();
    EXPECT_THAT(exchange.WaitForHead(cancelled.context(), base::MonotonicTime::Infinite()).status(),
                StatusIs(absl::StatusCode::kCancelled));
    handler->Start(200, {});
    ASSERT_THAT(exchange.WaitForHead(Context(), In(absl::Seconds(1))), IsOk());
    EXPECT_THAT(exchange.Read(cancelled.context()).status(),
                StatusIs(absl::StatusCode::kCancelled));
    EXPECT_TRUE(handler->Write("later"));
    EXPECT_THAT(exchange.Read(Context()), IsOkAndHolds("later"));
  }),
              IsOk());
}

TEST(InProcessExchangeTest, CloseEndsAReadThatBlocks) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    InProcessExchange exchange({}, kMuch);
    const std::shared_ptr<Exchange> handler = exchange.ForHandler();
    handler->Start(200, {});
    ASSERT_THAT(exchange.WaitForHead(Context(), In(absl::Seconds(1))), IsOk());
    absl::StatusOr<std::string> read = absl::UnknownError("not read");
    base::ThreadGroup reader((Context()));
    reader.Go("reader", [&](const Context&) {
      read = exchange.Read(Context());
      return absl::OkStatus();
    });
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());  // by then it blocks
    exchange.Close();
    EXPECT_THAT(reader.Wait(), IsOk());
    EXPECT_THAT(read, IsOkAndHolds(""));
    EXPECT_TRUE(handler->context().done());
    EXPECT_FALSE(handler->Write("nobody"));
  }),
              IsOk());
}

// A request that asks for another protocol, both ends of the connection, and the exchange.
struct Switched {
  std::shared_ptr<Exchange> exchange;
  std::unique_ptr<io::DuplexStream> handler;
  std::unique_ptr<io::DuplexStream> client;
};

Switched Switch() {
  InProcessExchange exchange({.method = "GET", .target = "/", .wants_upgrade = true}, kMuch);
  Switched switched;
  switched.exchange = exchange.ForHandler();
  auto handler = switched.exchange->SwitchProtocols({{"upgrade", "echo"}});
  EXPECT_THAT(handler, IsOk());
  switched.handler = *std::move(handler);
  const absl::StatusOr<InProcessExchange::Head> head =
      exchange.WaitForHead(Context(), In(absl::Seconds(1)));
  EXPECT_THAT(head, IsOk());
  EXPECT_EQ(head->status, 101);
  EXPECT_THAT(head->headers.Get("upgrade"), Optional(testing::Eq("echo")));
  EXPECT_THAT(head->headers.Get("connection"), Optional(testing::Eq("Upgrade")));
  EXPECT_THAT(exchange.Read(Context()), IsOkAndHolds("")) << "there is no body";
  switched.client = exchange.TakeConnection();
  EXPECT_NE(switched.client, nullptr);
  EXPECT_EQ(exchange.TakeConnection(), nullptr) << "only once";
  return switched;
}

TEST(InProcessExchangeTest, SwitchProtocols_PassesBytesBothWays_AndOutlivesTheExchange) {
  Switched switched = Switch();
  switched.exchange.reset();
  ASSERT_THAT(switched.client->Write(Context(), "to the handler"), IsOk());
  ASSERT_THAT(switched.handler->Write(Context(), "to the client"), IsOk());
  EXPECT_THAT(switched.handler->Read(Context()), IsOkAndHolds("to the handler"));
  EXPECT_THAT(switched.client->Read(Context()), IsOkAndHolds("to the client"));
  EXPECT_THAT(switched.client->Flush(Context()), IsOk());
}

TEST(InProcessExchangeTest, SwitchProtocols_ContextIsDoneWhenTheConnectionHasEnded) {
  const struct {
    absl::string_view name;
    std::function<void(Switched&)> end;
  } cases[] = {
      {"the client closes", [](Switched& switched) { switched.client->Close(); }},
      {"the client drops it", [](Switched& switched) { switched.client.reset(); }},
      {"the handler closes", [](Switched& switched) { switched.handler->Close(); }},
      {"the handler drops it", [](Switched& switched) { switched.handler.reset(); }},
      {"both end their bytes",
       [](Switched& switched) {
         EXPECT_THAT(switched.client->CloseWrite(), IsOk());
         EXPECT_THAT(switched.client->CloseWrite(), IsOk());
         EXPECT_FALSE(switched.exchange->context().done()) << "one direction is open";
         EXPECT_THAT(switched.handler->Write(Context(), "last"), IsOk());
         EXPECT_THAT(switched.handler->CloseWrite(), IsOk());
         EXPECT_THAT(switched.client->Read(Context()), IsOkAndHolds("last"));
         EXPECT_THAT(switched.client->Read(Context()), IsOkAndHolds(""));
       }},
      {"it is aborted", [](Switched& switched) { switched.exchange->Abort(); }},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    Switched switched = Switch();
    EXPECT_FALSE(switched.exchange->context().done());
    test.end(switched);
    EXPECT_TRUE(switched.exchange->context().done());
  }
}

TEST(InProcessExchangeTest, SwitchProtocols_HandlerThatEndsAtOnce_IsHeard) {
  InProcessExchange exchange({.method = "GET", .target = "/", .wants_upgrade = true}, kMuch);
  {
    const std::shared_ptr<Exchange> handler = exchange.ForHandler();
    auto connection = handler->SwitchProtocols({});
    ASSERT_THAT(connection, IsOk());
    ASSERT_THAT((*connection)->Write(Context(), "bye"), IsOk());
  }
  const absl::StatusOr<InProcessExchange::Head> head =
      exchange.WaitForHead(Context(), In(absl::Seconds(1)));
  ASSERT_THAT(head, IsOk());
  EXPECT_EQ(head->status, 101);
  const std::unique_ptr<io::DuplexStream> client = exchange.TakeConnection();
  ASSERT_NE(client, nullptr);
  EXPECT_THAT(client->Read(Context()), IsOkAndHolds("bye"));
  EXPECT_THAT(client->Read(Context()), IsOkAndHolds(""));
  EXPECT_THAT(client->Write(Context(), "x"), StatusIs(absl::StatusCode::kUnavailable));
}

TEST(InProcessExchangeTest, SwitchProtocols_Aborted_BothEndsFail) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    Switched switched = Switch();
    ASSERT_THAT(switched.handler->Write(Context(), "lost"), IsOk());
    absl::StatusOr<std::string> read;
    base::ThreadGroup reader{Context()};
    reader.Go("handler", [&](const Context&) {
      read = switched.handler->Read(Context());
      return absl::OkStatus();
    });
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());  // by then it blocks
    switched.exchange->Abort();
    EXPECT_THAT(reader.Wait(), IsOk());
    EXPECT_THAT(read, StatusIs(absl::StatusCode::kUnavailable, HasSubstr("aborted")));
    EXPECT_THAT(switched.handler->Write(Context(), "x"), StatusIs(absl::StatusCode::kUnavailable));
    EXPECT_THAT(switched.client->Read(Context()),
                StatusIs(absl::StatusCode::kAborted, HasSubstr("aborted the connection")));
    EXPECT_THAT(switched.client->Write(Context(), "x"), StatusIs(absl::StatusCode::kAborted));
    EXPECT_THAT(switched.client->Flush(Context()), StatusIs(absl::StatusCode::kAborted));
  }),
              IsOk());
}

TEST(InProcessExchangeTest, SwitchProtocols_AbortedBeforeItIsTaken_Fails) {
  InProcessExchange exchange({.method = "GET", .target = "/", .wants_upgrade = true}, kMuch);
  const std::shared_ptr<Exchange> handler = exchange.ForHandler();
  const auto connection = handler->SwitchProtocols({});
  ASSERT_THAT(connection, IsOk());
  ASSERT_THAT(exchange.WaitForHead(Context(), In(absl::Seconds(1))), IsOk());
  handler->Abort();
  const std::unique_ptr<io::DuplexStream> client = exchange.TakeConnection();
  ASSERT_NE(client, nullptr);
  EXPECT_THAT(client->Read(Context()), StatusIs(absl::StatusCode::kAborted));
}

TEST(InProcessExchangeTest, SwitchProtocols_ClientThatGoesWithoutTheConnection_ClosesIt) {
  auto exchange = std::make_unique<InProcessExchange>(
      Request{.method = "GET", .target = "/", .wants_upgrade = true}, kMuch);
  const std::shared_ptr<Exchange> handler = exchange->ForHandler();
  const auto connection = handler->SwitchProtocols({});
  ASSERT_THAT(connection, IsOk());
  exchange.reset();
  EXPECT_TRUE(handler->context().done());
  EXPECT_THAT((*connection)->Read(Context()), IsOkAndHolds(""));
  EXPECT_THAT((*connection)->Write(Context(), "x"), StatusIs(absl::StatusCode::kUnavailable));
}

TEST(InProcessExchangeTest, SwitchProtocols_NotAskedFor_Fails) {
  InProcessExchange exchange({.method = "GET", .target = "/"}, kMuch);
  const std::shared_ptr<Exchange> handler = exchange.ForHandler();
  EXPECT_THAT(handler->SwitchProtocols({}), StatusIs(absl::StatusCode::kFailedPrecondition));
  handler->Respond({.status = 400});
  ASSERT_THAT(exchange.WaitForHead(Context(), In(absl::Seconds(1))), IsOk());
  EXPECT_EQ(exchange.TakeConnection(), nullptr);
}

TEST(InProcessExchangeTest, SwitchProtocols_AskedForAndAnsweredNormally_IsAResponse) {
  InProcessExchange exchange({.method = "GET", .target = "/", .wants_upgrade = true}, kMuch);
  exchange.ForHandler()->Respond({.status = 403, .body = "no"});
  const absl::StatusOr<InProcessExchange::Head> head =
      exchange.WaitForHead(Context(), In(absl::Seconds(1)));
  ASSERT_THAT(head, IsOk());
  EXPECT_EQ(head->status, 403);
  EXPECT_EQ(exchange.TakeConnection(), nullptr);
  EXPECT_THAT(exchange.Read(Context()), IsOkAndHolds("no"));
}

}  // namespace
}  // namespace kube::httpserver
