#include "net/httpserver/server.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
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
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/testing/raw_client.h"

namespace kube::httpserver {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::kube::httpserver::RawClient;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class FunctionHandler final : public Handler {
 public:
  using Function = std::function<void(std::shared_ptr<Exchange>)>;
  explicit FunctionHandler(Function function) : function_(std::move(function)) {}
  void Handle(std::shared_ptr<Exchange> exchange) override { function_(std::move(exchange)); }

 private:
  const Function function_;
};

// Answers with what it was asked.
void Echo(const std::shared_ptr<Exchange>& exchange) {
  const Request& request = exchange->request();
  exchange->Respond({.headers = {{"content-type", "text/plain"}},
                     .body = absl::StrCat(request.method, " ", request.target, " ",
                                          request.http_version, " [", request.body, "]")});
}

class ServerTest : public ::testing::Test {
 protected:
  void Start(FunctionHandler::Function function, const ServerOptions& options = {}) {
    server_.reset();  // before what it calls
    handler_ = std::make_unique<FunctionHandler>(std::move(function));
    absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(options, *handler_);
    ASSERT_THAT(server, IsOk());
    server_ = *std::move(server);
  }

  RawClient Connect() { return RawClient(server_->port()); }

  // What the server sends for `request`, all of it.
  std::string Send(absl::string_view request) {
    RawClient client = Connect();
    client.Send(request);
    return client.ReadToEnd();
  }

  // Waits, for ten seconds at most, until statistics say so.
  template <typename Predicate>
  bool Eventually(Predicate predicate) {
    const Context ctx = WithTimeout(Context(), absl::Seconds(10));
    while (!predicate(server_->statistics())) {
      RawClient(server_->port()).Close();  // a round through the loop
      if (ctx.done()) return false;
    }
    return true;
  }

  std::unique_ptr<FunctionHandler> handler_;
  std::unique_ptr<Server> server_;
};

constexpr absl::string_view kGet = "GET /a?b=c HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

TEST_F(ServerTest, Request_ConnectionClose_IsAnsweredAndClosed) {
  Start(Echo);
  const std::string answer = Send(kGet);
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n"
                                 "content-length: 15\r\ndate: "));
  EXPECT_THAT(answer,
              AllOf(HasSubstr("\r\nconnection: close\r\n"), EndsWith("\r\n\r\nGET /a?b=c 1 []")));
}

TEST_F(ServerTest, KeepsConnectionsAndAnswersPipelinedRequestsInOrder) {
  Start(Echo);
  RawClient client = Connect();
  client.Send(
      "GET /1 HTTP/1.1\r\nhost: x\r\n\r\nPOST /2 HTTP/1.1\r\nhost: x\r\n"
      "content-length: 3\r\n\r\nabcGET /3 HTTP/1.1\r\nhost: x\r\n\r\n");
  EXPECT_THAT(client.ReadUntil("]"), EndsWith("GET /1 1 []"));
  EXPECT_THAT(client.ReadUntil("]"), EndsWith("POST /2 1 [abc]"));
  EXPECT_THAT(client.ReadUntil("]"), EndsWith("GET /3 1 []"));
  client.Send("GET /4 HTTP/1.1\r\nhost: x\r\n\r\n");
  EXPECT_THAT(client.ReadUntil("]"), EndsWith("GET /4 1 []"));
  EXPECT_EQ(server_->statistics().accepted_connections, 1);
  EXPECT_EQ(server_->statistics().requests, 4);
}

TEST_F(ServerTest, Request_ByteByByte_IsAnswered) {
  Start(Echo);
  RawClient client = Connect();
  for (const char byte : absl::string_view(
           "PUT /x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n"
           "3\r\nabc\r\n2\r\nde\r\n0\r\ntrailer: t\r\n\r\n")) {
    client.Send(absl::string_view(&byte, 1));
  }
  EXPECT_THAT(client.ReadToEnd(), EndsWith("PUT /x 1 [abcde]"));
}

TEST_F(ServerTest, StreamsInChunksWithTrailers) {
  Start([](const std::shared_ptr<Exchange>& exchange) {
    exchange->Start(201, {{"x", "y"}});
    EXPECT_TRUE(exchange->Write("first"));
    EXPECT_TRUE(exchange->Write(""));
    exchange->Finish({{"sum", "1"}});
    EXPECT_FALSE(exchange->Write("late"));
  });
  const std::string answer = Send(kGet);
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 201 Created\r\nx: y\r\ntransfer-encoding: chunked\r\n"));
  EXPECT_THAT(answer, EndsWith("\r\n\r\n5\r\nfirst\r\n0\r\nsum: 1\r\n\r\n"));
}

TEST_F(ServerTest, Response_ToHttp10_IsNotChunked) {
  Start([](const std::shared_ptr<Exchange>& exchange) {
    exchange->Inform(103, {});
    exchange->Write("all");
    exchange->Finish();
  });
  const std::string answer = Send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_THAT(answer, AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), EndsWith("\r\n\r\nall"),
                            Not(HasSubstr("chunked"))));
}

TEST_F(ServerTest, Inform_BeforeRespond_SendsEarlyHints) {
  Start([](const std::shared_ptr<Exchange>& exchange) {
    exchange->Inform(103, {{"link", "</style>"}});
    exchange->Respond({.status = 204});
    exchange->Respond({.status = 500});
  });
  const std::string answer = Send(kGet);
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 103 Early Hints\r\nlink: </style>\r\n\r\n"
                                 "HTTP/1.1 204 No Content\r\ndate: "));
  EXPECT_THAT(answer, Not(HasSubstr("content-length")));
}

TEST_F(ServerTest, HeadHasTheHeaderOfGetAndNoBody) {
  Start(Echo);
  const std::string answer = Send("HEAD / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
  EXPECT_THAT(answer, AllOf(HasSubstr("\r\ncontent-length: 11\r\n"), EndsWith("\r\n\r\n")));
}

TEST_F(ServerTest, AsksForABodyThatIsAnnounced) {
  Start(Echo);
  RawClient client = Connect();
  client.Send("POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n");
  EXPECT_EQ(client.ReadUntil("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.Send("hi");
  EXPECT_THAT(client.ReadUntil("]"), EndsWith("POST / 1 [hi]"));
}

TEST_F(ServerTest, Request_MalformedOrTooLarge_IsRefused) {
  Start(Echo, {.max_header_bytes = 200, .max_body_bytes = 10});
  const struct {
    absl::string_view name;
    std::string request;
    absl::string_view status;
  } cases[] = {
      {"no HTTP", "hello\r\n\r\n", "400"},
      {"no host", "GET / HTTP/1.1\r\n\r\n", "400"},
      {"two hosts", "GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n", "400"},
      {"unknown method", "BREW / HTTP/1.1\r\nhost: x\r\n\r\n", "400"},
      {"space in header", "GET / HTTP/1.1\r\nhost: x\r\na b: c\r\n\r\n", "400"},
      {"control in header", "GET / HTTP/1.1\r\nhost: x\r\na: \x01\r\n\r\n", "400"},
      {"length and chunks",
       "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n",
       "400"},
      {"two lengths",
       "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\n", "400"},
      {"negative length", "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: -3\r\n\r\n", "400"},
      {"chunk without size",
       "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", "400"},
      {"authority as target", "CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n", "400"},
      {"version 3", "GET / HTTP/3.0\r\nhost: x\r\n\r\n", "505"},
      {"long header", absl::StrCat("GET / HTTP/1.1\r\nhost: x\r\na: ", std::string(200, 'a')),
       "431"},
      {"long target", absl::StrCat("GET /", std::string(300, 'a')), "431"},
      {"long body announced", "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 11\r\n\r\n", "413"},
      {"long body in chunks",
       "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nb\r\n0123456789a\r\n",
       "413"},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    const std::string answer = Send(test.request);
    EXPECT_THAT(answer, StartsWith(absl::StrCat("HTTP/1.1 ", test.status, " ")));
    EXPECT_THAT(answer, HasSubstr("\r\nconnection: close\r\n"));
  }
  EXPECT_EQ(server_->statistics().requests, 0);
}

TEST_F(ServerTest, Request_AbsoluteOrAsteriskForm_IsAnswered) {
  Start(Echo);
  EXPECT_THAT(Send("GET http://a.b:8/c?d HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"),
              EndsWith("GET /c?d 1 []"));
  EXPECT_THAT(Send("GET http://a.b HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"),
              EndsWith("GET / 1 []"));
  EXPECT_THAT(Send("OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"),
              EndsWith("OPTIONS * 1 []"));
}

TEST_F(ServerTest, HandlersSeeTheMessageNotTheConnection) {
  http::Headers seen;
  std::string peer;
  Start([&](const std::shared_ptr<Exchange>& exchange) {
    seen = exchange->request().headers;
    peer = exchange->request().peer_address;
    exchange->Respond({});
  });
  Send("GET / HTTP/1.1\r\nHost: x\r\nX-A:  1 \r\nX-A: 2\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(seen, (http::Headers{{"host", "x"}, {"x-a", "1"}, {"x-a", "2"}}));
  EXPECT_THAT(peer, StartsWith("127.0.0.1:"));
}

TEST_F(ServerTest, Handler_DroppedExchangeOrInvalidHeader_Sends500) {
  Start([](std::shared_ptr<Exchange> exchange) {
    if (exchange->request().target == "/dropped") return;
    exchange->Respond({.headers = {{"x", "a\r\nset-cookie: b"}}, .body = "secret"});
  });
  for (const absl::string_view target : {"/dropped", "/header"}) {
    const std::string answer =
        Send(absl::StrCat("GET ", target, " HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"));
    EXPECT_THAT(answer, AllOf(StartsWith("HTTP/1.1 500 "), EndsWith("Internal Server Error\n")));
    EXPECT_THAT(answer, Not(HasSubstr("cookie")));
  }
}

TEST_F(ServerTest, AbortIsSeenAsBroken) {
  Start([](const std::shared_ptr<Exchange>& exchange) {
    exchange->Write("begun");
    exchange->Abort();
    exchange->Finish();
  });
  RawClient client = Connect();
  client.Send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_THAT(client.ReadToEnd(), Not(EndsWith("0\r\n\r\n")));
  EXPECT_TRUE(client.was_reset());
}

TEST_F(ServerTest, OtherThreadsAnswerLater) {
  base::Thread thread;
  Start([&thread](std::shared_ptr<Exchange> exchange) {
    const absl::Status started =
        thread.Start(Context(), "answer", [exchange = std::move(exchange)](const Context&) {
          for (int i = 0; i < 1000; ++i) exchange->Write(absl::StrCat(i, ","));
          exchange->Finish();
        });
    ASSERT_THAT(started, IsOk());
  });
  std::string expected;
  for (int i = 0; i < 1000; ++i) absl::StrAppend(&expected, i, ",");
  std::string answer = Send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_THAT(answer, EndsWith(absl::StrCat("\r\n\r\n", expected)));
  server_.reset();  // it has started the thread
}

TEST_F(ServerTest, ContextEndsWhenTheClientGoes) {
  for (const absl::string_view how : {"close", "reset", "half close"}) {
    SCOPED_TRACE(how);
    base::Event handled;
    base::Event gone;
    std::shared_ptr<Exchange> kept;
    DoneCallback callback;
    Start([&](std::shared_ptr<Exchange> exchange) {
      kept = std::move(exchange);
      callback = kept->context().OnDone([&gone] { gone.Set(); });
      kept->Write("first");
      handled.Set();
    });
    RawClient client = Connect();
    client.Send("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    ASSERT_THAT(handled.Wait(WithTimeout(Context(), absl::Seconds(10))), IsOk());
    client.ReadUntil("first");
    EXPECT_FALSE(gone.IsSet());
    if (how == "close") client.Close();
    if (how == "reset") client.Reset();
    if (how == "half close") client.HalfClose();
    EXPECT_THAT(gone.Wait(WithTimeout(Context(), absl::Seconds(10))), IsOk());
    EXPECT_THAT(kept->context().cause(),
                StatusIs(absl::StatusCode::kCancelled, HasSubstr("client")));
    kept->Finish();
    callback.Withdraw();
    if (how == "half close") {
      EXPECT_THAT(client.ReadToEnd(), EndsWith("0\r\n\r\n"));
    }
    kept.reset();
  }
}

TEST_F(ServerTest, SlowReadersAreCutOff) {
  Start(
      [](const std::shared_ptr<Exchange>& exchange) {
        exchange->Start(200, {});
        size_t written = 0;
        while (exchange->Write(std::string(1 << 20, 'x'))) ++written;
        EXPECT_EQ(written, 3u);
      },
      {.max_buffered_bytes = size_t{3} << 20});
  RawClient client = Connect();
  client.Send("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  client.ReadToEnd();
  EXPECT_EQ(server_->statistics().slow_readers, 1);
}

// Writes pieces of a megabyte, and waits whenever one waits for the client.
void WriteInTurn(const std::shared_ptr<Exchange>& exchange, int left) {
  while (left > 0) {
    if (exchange->PauseUntilDrained(1, [exchange, left] { WriteInTurn(exchange, left); })) return;
    EXPECT_TRUE(exchange->Write(std::string(1 << 20, 'x')));
    --left;
  }
  exchange->Finish();
}

TEST_F(ServerTest, WhoPausesIsNotCutOff) {
  Start([](const std::shared_ptr<Exchange>& exchange) { WriteInTurn(exchange, 20); },
        {.max_buffered_bytes = size_t{2} << 20});
  RawClient client = Connect();
  client.Send("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
  EXPECT_GT(client.ReadToEnd().size(), size_t{20} << 20);
  EXPECT_EQ(server_->statistics().slow_readers, 0);
}

TEST_F(ServerTest, Timeout_HeaderBodyOrIdle_ClosesTheConnection) {
  const absl::Duration soon = absl::Milliseconds(20);
  const struct {
    absl::string_view name;
    ServerOptions options;
    std::string request;
  } cases[] = {
      {"nothing comes", {.header_timeout = soon}, ""},
      {"half a header", {.header_timeout = soon}, "GET / HTT"},
      {"half a body",
       {.body_timeout = soon},
       "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nabc"},
      {"idle", {.idle_timeout = soon}, "GET / HTTP/1.1\r\nhost: x\r\n\r\n"},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    Start(Echo, test.options);
    Send(test.request);
    EXPECT_TRUE(Eventually([](const ServerStatistics& s) { return s.timeouts >= 1; }));
  }
}

TEST_F(ServerTest, ClientsThatDoNotReadAreCutOff) {
  Start(
      [](const std::shared_ptr<Exchange>& exchange) {
        exchange->Respond({.body = std::string(size_t{32} << 20, 'x')});
      },
      {.write_timeout = absl::Milliseconds(40)});
  RawClient client = Connect();
  client.Send("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  EXPECT_TRUE(Eventually([](const ServerStatistics& s) { return s.slow_readers == 1; }));
  EXPECT_TRUE(Eventually([](const ServerStatistics& s) { return s.exchanges == 0; }));
}

TEST_F(ServerTest, AnswersAllThatCameBeforeTheClientsEnd) {
  Start(Echo);
  RawClient client = Connect();
  client.Send(
      "GET /1 HTTP/1.1\r\nhost: x\r\n\r\nGET /2 HTTP/1.1\r\nhost: x\r\n\r\n"
      "GET /3 HTTP/1.1\r\nho");
  client.HalfClose();
  const std::string answer = client.ReadToEnd();
  EXPECT_THAT(answer, AllOf(HasSubstr("GET /1 1 []"), HasSubstr("GET /2 1 []")));
  EXPECT_EQ(server_->statistics().requests, 2);
}

TEST_F(ServerTest, AnswersLateAllThatCameBeforeTheClientsEnd) {
  std::shared_ptr<Exchange> kept;
  base::Event handled;
  base::Event gone;
  DoneCallback callback;
  Start([&](std::shared_ptr<Exchange> exchange) {
    if (exchange->request().target != "/1") return Echo(exchange);
    kept = std::move(exchange);
    callback = kept->context().OnDone([&gone] { gone.Set(); });
    handled.Set();
  });
  RawClient client = Connect();
  client.Send(
      "GET /1 HTTP/1.1\r\nhost: x\r\n\r\nGET /2 HTTP/1.1\r\nhost: x\r\n\r\n"
      "GET /3 HTTP/1.1\r\nhost: x\r\n\r\n");
  ASSERT_THAT(handled.Wait(WithTimeout(Context(), absl::Seconds(10))), IsOk());
  client.HalfClose();
  ASSERT_THAT(gone.Wait(WithTimeout(Context(), absl::Seconds(10))), IsOk());
  callback.Withdraw();
  Echo(kept);
  const std::string answer = client.ReadToEnd();
  EXPECT_THAT(answer, AllOf(HasSubstr("GET /1 1 []"), HasSubstr("GET /2 1 []"),
                            HasSubstr("connection: close"), EndsWith("GET /3 1 []")));
}

TEST_F(ServerTest, WhatWasSentBeforeTheClientsEndHasAContextThatEnds) {
  base::Event gone;
  base::Event handled;
  std::shared_ptr<Exchange> kept;
  DoneCallback callback;
  Start([&](std::shared_ptr<Exchange> exchange) {
    if (exchange->request().target != "/watch") return Echo(exchange);
    kept = std::move(exchange);
    callback = kept->context().OnDone([&gone] { gone.Set(); });
    handled.Set();
  });
  RawClient client = Connect();
  // Both are there before the first is answered, and the end right after them.
  client.Send("GET /1 HTTP/1.1\r\nhost: x\r\n\r\nGET /watch HTTP/1.1\r\nhost: x\r\n\r\n");
  client.HalfClose();
  // The context may have ended before the handler returns, and then `gone` is set first.
  ASSERT_THAT(handled.Wait(WithTimeout(Context(), absl::Seconds(10))), IsOk());
  EXPECT_THAT(gone.Wait(WithTimeout(Context(), absl::Seconds(10))), IsOk());
  callback.Withdraw();
  kept->Respond({.body = "late"});
  kept = nullptr;
  EXPECT_THAT(client.ReadToEnd(), EndsWith("late"));
}

TEST_F(ServerTest, WhatIsHandledAfterTheClientsEndHasAContextThatEnds) {
  std::shared_ptr<Exchange> kept;
  base::Event handled;
  base::Event gone;
  base::Event watched;
  DoneCallback callback;
  Start([&](std::shared_ptr<Exchange> exchange) {
    if (exchange->request().target == "/watch") {
      if (exchange->context().done()) watched.Set();
      return Echo(exchange);
    }
    kept = std::move(exchange);
    callback = kept->context().OnDone([&gone] { gone.Set(); });
    handled.Set();
  });
  RawClient client = Connect();
  client.Send("GET /1 HTTP/1.1\r\nhost: x\r\n\r\nGET /watch HTTP/1.1\r\nhost: x\r\n\r\n");
  ASSERT_THAT(handled.Wait(WithTimeout(Context(), absl::Seconds(10))), IsOk());
  client.HalfClose();
  ASSERT_THAT(gone.Wait(WithTimeout(Context(), absl::Seconds(10))), IsOk());
  callback.Withdraw();
  Echo(std::exchange(kept, nullptr));
  EXPECT_THAT(watched.Wait(WithTimeout(Context(), absl::Seconds(10))), IsOk());
  EXPECT_THAT(client.ReadToEnd(), HasSubstr("GET /watch"));
}

TEST_F(ServerTest, ShutdownWaitsForAnswers) {
  base::Event handled;
  std::shared_ptr<Exchange> kept;
  Start([&](std::shared_ptr<Exchange> exchange) {
    kept = std::move(exchange);
    kept->Write("first");
    handled.Set();
  });
  RawClient idle = Connect();
  idle.Send("");
  RawClient busy = Connect();
  busy.Send("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  ASSERT_THAT(handled.Wait(WithTimeout(Context(), absl::Seconds(10))), IsOk());
  base::Event ended;
  base::Thread thread;
  ASSERT_THAT(thread.Start(Context(), "shutdown",
                           [&](const Context&) {
                             EXPECT_THAT(server_->Shutdown(Context()), IsOk());
                             ended.Set();
                           }),
              IsOk());
  EXPECT_THAT(idle.ReadToEnd(), IsEmpty());
  EXPECT_FALSE(ended.IsSet());
  kept->Write("last");
  kept->Finish();
  EXPECT_THAT(busy.ReadToEnd(), HasSubstr("4\r\nlast\r\n0\r\n\r\n"));
  busy.Close();
  thread.Join();
  EXPECT_TRUE(ended.IsSet());
  EXPECT_FALSE(Connect().connected());
}

TEST_F(ServerTest, ShutdownGivesUpWithItsContext) {
  std::shared_ptr<Exchange> kept;
  base::Event handled;
  Start([&](std::shared_ptr<Exchange> exchange) {
    kept = std::move(exchange);
    handled.Set();
  });
  RawClient client = Connect();
  client.Send(kGet);
  ASSERT_THAT(handled.Wait(WithTimeout(Context(), absl::Seconds(10))), IsOk());
  EXPECT_THAT(server_->Shutdown(WithTimeout(Context(), absl::Milliseconds(10))),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_THAT(client.ReadToEnd(), IsEmpty());
  EXPECT_TRUE(kept->context().done());
}

using ServerDeathTest = ServerTest;

// It would wait for itself.
TEST_F(ServerDeathTest, AHandlerCannotEndItsServer) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        Start([this](const std::shared_ptr<Exchange>&) {
          (void)server_->Shutdown(WithTimeout(Context(), absl::Seconds(1)));
        });
        Send(kGet);
      },
      "destroyed by its own handler");
}

TEST_F(ServerTest, ExchangesOutliveTheServer) {
  std::shared_ptr<Exchange> kept;
  base::Event handled;
  Start([&](std::shared_ptr<Exchange> exchange) {
    kept = std::move(exchange);
    handled.Set();
  });
  RawClient client = Connect();
  client.Send(kGet);
  ASSERT_THAT(handled.Wait(WithTimeout(Context(), absl::Seconds(10))), IsOk());
  server_.reset();
  EXPECT_TRUE(kept->context().done());
  EXPECT_FALSE(kept->Write("nobody"));
  kept->Respond({});
  EXPECT_EQ(kept->buffered_bytes(), 0u);
}

TEST_F(ServerTest, ManyConnectionsOnSeveralThreads) {
  Start(Echo, {.io_threads = 3});
  std::vector<RawClient> clients;
  for (int i = 0; i < 300; ++i) clients.push_back(Connect());
  for (RawClient& client : clients) client.Send("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  for (RawClient& client : clients) EXPECT_THAT(client.ReadUntil("]"), EndsWith("GET / 1 []"));
  EXPECT_EQ(server_->statistics().connections, 300);
}

TEST(ServerStartTest, Start_InvalidOptions_FailsWithTheirName) {
  FunctionHandler handler(Echo);
  const auto start = [&handler](const ServerOptions& options) {
    return Server::Start(options, handler).status();
  };
  EXPECT_THAT(start({.address = "localhost"}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"localhost\"")));
  EXPECT_THAT(start({.http1 = false, .http2 = false}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(start({.tls = TlsOptions{.certificate_chain = "x"}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("certificate_chain")));
  const std::unique_ptr<Server> first = *Server::Start({}, handler);
  EXPECT_THAT(start({.port = first->port()}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr(absl::StrCat("port ", first->port()))));
}

absl::StatusOr<std::string> UrlOfAServer(Handler& handler) {
  KUBE_ASSIGN_OR_RETURN(std::unique_ptr<Server> server, Server::Start({}, handler));
  const std::string url = server->url();  // http://127.0.0.1:40123
  return url;
}

TEST(ServerStartTest, ByDefaultTakesAnyPortOfTheLoopback_AsInTheHeader) {
  FunctionHandler handler(Echo);
  EXPECT_THAT(UrlOfAServer(handler), IsOkAndHolds(StartsWith("http://127.0.0.1:")));
}

TEST(ServerStartTest, Url_HasAddressAndPort) {
  FunctionHandler handler(Echo);
  const std::unique_ptr<Server> server = *Server::Start({}, handler);
  EXPECT_EQ(server->url(), absl::StrCat("http://127.0.0.1:", server->port()));
}

}  // namespace
}  // namespace kube::httpserver
