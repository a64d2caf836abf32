#include "net/httpserver/thread_pool_handler.h"

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"
#include "net/httpserver/testing/raw_client.h"

namespace kube::httpserver {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::httpserver::RawClient;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr absl::string_view kGet = "GET /x HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

Context Soon() { return WithTimeout(Context(), absl::Seconds(10)); }

TEST(ThreadPoolHandlerTest, Handler_ThatBlocks_DoesNotBlockOtherRequests) {
  // Both requests are there before either is answered.
  std::atomic<int> arrived = 0;
  base::Event both;
  ThreadPoolHandler handler(
      [&](Exchange& exchange) {
        if (++arrived == 2) both.Set();
        EXPECT_THAT(both.Wait(Soon()), IsOk());
        exchange.Respond({.body = exchange.request().target});
      },
      {.threads = 2});
  ASSERT_THAT(handler.Start(Context()), IsOk());
  const std::unique_ptr<Server> server = *Server::Start({}, handler);
  RawClient first(server->port());
  RawClient second(server->port());
  first.Send(kGet);
  second.Send(kGet);
  EXPECT_THAT(first.ReadToEnd(), EndsWith("/x"));
  EXPECT_THAT(second.ReadToEnd(), EndsWith("/x"));
}

std::string Metrics() { return "up 1\n"; }

// Starts a server and returns its response to a request.
absl::StatusOr<std::string> Scrape(const Context& ctx) {
  ThreadPoolHandler handler([](Exchange& exchange) { exchange.Respond({.body = Metrics()}); });
  KUBE_RETURN_IF_ERROR(handler.Start(ctx));
  KUBE_ASSIGN_OR_RETURN(std::unique_ptr<Server> server, Server::Start({}, handler));
  RawClient client(server->port());
  client.Send(kGet);
  return client.ReadToEnd();
}

TEST(ThreadPoolHandlerTest, AnswersTheRequestsOfAServer_AsInTheHeader) {
  EXPECT_THAT(Scrape(Context()), IsOkAndHolds(EndsWith("\r\n\r\nup 1\n")));
}

TEST(ThreadPoolHandlerTest, Function_ThatKeepsTheExchange_MayAnswerLater) {
  std::shared_ptr<Exchange> kept;
  base::Event has_it;
  ThreadPoolHandler handler(
      [&](std::shared_ptr<Exchange> exchange) {
        kept = std::move(exchange);
        has_it.Set();
      },
      {.threads = 1});
  ASSERT_THAT(handler.Start(Context()), IsOk());
  const std::unique_ptr<Server> server = *Server::Start({}, handler);
  RawClient client(server->port());
  client.Send(kGet);
  ASSERT_THAT(has_it.Wait(Soon()), IsOk());
  kept->Respond({.body = "later"});
  EXPECT_THAT(client.ReadToEnd(), EndsWith("later"));
  kept = nullptr;
}

TEST(ThreadPoolHandlerTest, Request_FullQueue_IsRefused) {
  base::Event busy;
  base::Event go_on;
  ThreadPoolHandler handler(
      [&](Exchange& exchange) {
        busy.Set();
        EXPECT_THAT(go_on.Wait(Soon()), IsOk());
        exchange.Respond({.body = "done"});
      },
      {.threads = 1, .max_waiting = 1});
  ASSERT_THAT(handler.Start(Context()), IsOk());
  const std::unique_ptr<Server> server = *Server::Start({}, handler);
  RawClient handled(server->port());
  handled.Send(kGet);
  ASSERT_THAT(busy.Wait(Soon()), IsOk());
  RawClient others(server->port());
  RawClient refused(server->port());
  others.Send(kGet);
  while (server->statistics().requests < 2) RawClient(server->port()).Close();
  refused.Send(kGet);
  EXPECT_THAT(refused.ReadToEnd(),
              AllOf(StartsWith("HTTP/1.1 503 "), HasSubstr("\r\nretry-after: 1\r\n")));
  go_on.Set();
  EXPECT_THAT(handled.ReadToEnd(), EndsWith("done"));
  EXPECT_THAT(others.ReadToEnd(), EndsWith("done"));
}

TEST(ThreadPoolHandlerTest, MaxWaitingIsZero_RequestsAreAnsweredNevertheless) {
  ThreadPoolHandler handler([](Exchange& exchange) { exchange.Respond({.body = "done"}); },
                            {.threads = 1, .max_waiting = 0});
  ASSERT_THAT(handler.Start(Context()), IsOk());
  const std::unique_ptr<Server> server = *Server::Start({}, handler);
  RawClient client(server->port());
  client.Send(kGet);
  EXPECT_THAT(client.ReadToEnd(), EndsWith("done"));
}

TEST(ThreadPoolHandlerTest, Start_NoThreads_IsInvalidArgument) {
  ThreadPoolHandler handler([](Exchange&) {}, {.threads = 0});
  EXPECT_THAT(handler.Start(Context()), base::StatusIs(absl::StatusCode::kInvalidArgument,
                                                       HasSubstr("threads must be at least 1")));
}

// `nc -N` closes its side after the request, and waits for the answer.
TEST(ThreadPoolHandlerTest, AnswersClientsThatSendNoMore) {
  const log::LogCapture log;
  base::Event busy;
  base::Event go_on;
  ThreadPoolHandler handler(
      [&](Exchange& exchange) {
        busy.Set();
        EXPECT_THAT(go_on.Wait(Soon()), IsOk());
        exchange.Respond({.body = "done"});
      },
      {.threads = 1});
  ASSERT_THAT(handler.Start(Context()), IsOk());
  const std::unique_ptr<Server> server = *Server::Start({}, handler);
  RawClient handled(server->port());
  handled.Send(kGet);
  ASSERT_THAT(busy.Wait(Soon()), IsOk());
  RawClient waits(server->port());
  waits.Send(kGet);
  waits.HalfClose();
  handled.HalfClose();
  RawClient gone(server->port());
  gone.Send(kGet);
  gone.Reset();
  while (server->statistics().requests < 2) RawClient(server->port()).Close();
  while (server->statistics().connections > 2) {
    ASSERT_THAT(base::SleepFor(Soon(), absl::Milliseconds(1)), IsOk());
  }
  go_on.Set();
  EXPECT_THAT(handled.ReadToEnd(), EndsWith("done"));
  EXPECT_THAT(waits.ReadToEnd(), EndsWith("done"));
  EXPECT_THAT(log.Lines(), IsEmpty());
}

TEST(ThreadPoolHandlerTest, Handler_WithoutAResponse_Sends500) {
  ThreadPoolHandler handler([](Exchange&) {}, {.threads = 1});
  ASSERT_THAT(handler.Start(Context()), IsOk());
  const std::unique_ptr<Server> server = *Server::Start({}, handler);
  RawClient client(server->port());
  client.Send(kGet);
  EXPECT_THAT(client.ReadToEnd(), StartsWith("HTTP/1.1 500 "));
}

}  // namespace
}  // namespace kube::httpserver
