// What faults do to a connection that has switched protocols, as its client and its handler see it.

#include "apiserver/faults/faulty_connection.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults/fault_layer.h"
#include "apiserver/faults/faulty_exchange.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/in_process_exchange.h"
#include "net/io/duplex_stream.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using httpserver::InProcessExchange;
using testing::HasSubstr;

// A context that is done: calls with it return at once.
Context Ended() { return WithTimeout(Context(), absl::ZeroDuration()); }

void Sleep(absl::Duration duration) { EXPECT_THAT(base::SleepFor(Context(), duration), IsOk()); }

// Runs a test in a simulation.
void Simulate(const std::function<void()>& test) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([&test] { test(); }), IsOk());
}

// A request that asks for another protocol.
struct Asked {
  InProcessExchange client{{.method = "GET", .target = "/", .wants_upgrade = true},
                           size_t{1} << 20};
  std::shared_ptr<FaultyExchange> exchange =
      std::make_shared<FaultyExchange>(std::weak_ptr<FaultLayer>(), 1, client.ForHandler());

  absl::StatusOr<InProcessExchange::Head> Head(absl::Duration timeout) {
    return client.WaitForHead(Context(), base::Now() + timeout);
  }
};

// A connection that has switched protocols, and its exchange.
struct Switched {
  explicit Switched(FaultPlan plan = {}) {
    Asked asked;
    exchange = asked.exchange;
    exchange->set_plan(std::move(plan));
    auto switched = exchange->SwitchProtocols({{"upgrade", "echo"}});
    EXPECT_THAT(switched, IsOk());
    handler = *std::move(switched);
    const absl::StatusOr<InProcessExchange::Head> head = asked.Head(absl::Seconds(1));
    EXPECT_THAT(head, IsOk());
    EXPECT_EQ(head->status, 101);
    client = asked.client.TakeConnection();
  }

  std::shared_ptr<FaultyExchange> exchange;
  std::unique_ptr<io::DuplexStream> handler;
  std::unique_ptr<io::DuplexStream> client;
};

TEST(FaultyConnectionTest, PassesBytes_AndKeepsTheExchange) {
  Switched switched;
  const std::weak_ptr<FaultyExchange> weak = switched.exchange;
  switched.exchange.reset();
  ASSERT_THAT(switched.client->Write(Context(), "ping"), IsOk());
  absl::StatusOr<std::string> piece = switched.handler->Read(Context());
  EXPECT_THAT(piece, IsOkAndHolds("ping"));
  switched.handler->Recycle(*std::move(piece));
  ASSERT_THAT(switched.handler->Write(Context(), "pong"), IsOk());
  EXPECT_THAT(switched.client->Read(Context()), IsOkAndHolds("pong"));
  EXPECT_THAT(switched.handler->Flush(Context()), IsOk());
  EXPECT_THAT(switched.handler->Read(Ended()), StatusIs(absl::StatusCode::kDeadlineExceeded));

  EXPECT_THAT(switched.handler->CloseWrite(), IsOk());
  EXPECT_THAT(switched.handler->Write(Context(), "x"),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(switched.client->Read(Context()), IsOkAndHolds(""));
  ASSERT_THAT(switched.client->Write(Context(), "last"), IsOk());
  switched.client.reset();
  EXPECT_THAT(switched.handler->Read(Context()), IsOkAndHolds("last"));
  EXPECT_THAT(switched.handler->Read(Context()), IsOkAndHolds(""));
  EXPECT_FALSE(weak.expired());
  switched.handler.reset();
  EXPECT_TRUE(weak.expired());
}

TEST(FaultyConnectionTest, Hold_NoBytesPassUntilRelease) {
  Simulate([] {
    Switched switched;
    ASSERT_THAT(switched.handler->Write(Context(), "before "), IsOk());
    switched.exchange->Hold();
    absl::StatusOr<std::string> read;
    absl::Status written = absl::UnknownError("not yet");
    base::ThreadGroup group{Context()};
    group.Go("read", [&](const Context&) {
      read = switched.handler->Read(Context());
      return absl::OkStatus();
    });
    group.Go("write", [&](const Context&) {
      written = switched.handler->Write(Context(), "after");
      return switched.handler->CloseWrite();
    });
    ASSERT_THAT(switched.client->Write(Context(), "to the handler"), IsOk());
    EXPECT_THAT(switched.client->Read(Context()), IsOkAndHolds("before "));
    Sleep(absl::Hours(1));
    EXPECT_THAT(switched.client->Read(Ended()), StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_THAT(read, StatusIs(absl::StatusCode::kUnknown));
    EXPECT_THAT(written, StatusIs(absl::StatusCode::kUnknown));
    switched.exchange->Release();
    EXPECT_THAT(group.Wait(), IsOk());
    EXPECT_THAT(read, IsOkAndHolds("to the handler"));
    EXPECT_THAT(written, IsOk());
    EXPECT_THAT(switched.client->Read(Context()), IsOkAndHolds("after"));
    EXPECT_THAT(switched.client->Read(Context()), IsOkAndHolds(""));
  });
}

TEST(FaultyConnectionTest, Hold_ReadThatBlocks_KeepsWhatArrives) {
  Simulate([] {
    Switched switched;
    absl::StatusOr<std::string> read;
    base::ThreadGroup group{Context()};
    group.Go("read", [&](const Context&) {
      read = switched.handler->Read(WithTimeout(Context(), absl::Hours(1)));
      return absl::OkStatus();
    });
    Sleep(absl::Seconds(1));  // by then it blocks
    switched.exchange->Hold();
    ASSERT_THAT(switched.client->Write(Context(), "late"), IsOk());
    EXPECT_THAT(group.Wait(), IsOk());
    EXPECT_THAT(read, StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_THAT(switched.handler->Read(Ended()), StatusIs(absl::StatusCode::kDeadlineExceeded));
    switched.exchange->Release();
    EXPECT_THAT(switched.handler->Read(Ended()), IsOkAndHolds("late")) << "it was not lost";
  });
}

TEST(FaultyConnectionTest, Hold_ClientDoesNotSeeTheEndUntilRelease) {
  for (const bool blocked_before : {true, false}) {
    SCOPED_TRACE(blocked_before ? "blocked before" : "blocked by the fault");
    Simulate([blocked_before] {
      Switched switched;
      absl::StatusOr<std::string> read;
      base::ThreadGroup group{Context()};
      if (!blocked_before) switched.exchange->Hold();
      group.Go("read", [&](const Context&) {
        read = switched.handler->Read(Context());
        return absl::OkStatus();
      });
      Sleep(absl::Seconds(1));  // by then it blocks
      if (blocked_before) switched.exchange->Hold();
      switched.handler->Close();
      EXPECT_THAT(group.Wait(), IsOk());
      EXPECT_THAT(read, IsOkAndHolds("")) << "Close wakes it";
      EXPECT_THAT(switched.handler->Write(Context(), "x"),
                  StatusIs(absl::StatusCode::kFailedPrecondition));
      EXPECT_THAT(switched.handler->Flush(Context()),
                  StatusIs(absl::StatusCode::kFailedPrecondition));
      switched.handler.reset();
      EXPECT_THAT(switched.client->Read(Ended()), StatusIs(absl::StatusCode::kDeadlineExceeded));
      std::shared_ptr<FaultyExchange> exchange = std::move(switched.exchange);
      exchange->Release();
      EXPECT_THAT(switched.client->Read(Ended()), IsOkAndHolds(""));
      const std::weak_ptr<FaultyExchange> weak = exchange;
      exchange.reset();
      EXPECT_TRUE(weak.expired());
    });
  }
}

TEST(FaultyConnectionTest, Hold_ClientGoes_HandlerIsTold) {
  Simulate([] {
    Switched switched;
    switched.exchange->Hold();
    ASSERT_THAT(switched.client->Write(Context(), "last"), IsOk());
    std::string read;
    base::ThreadGroup group{Context()};
    group.Go("read", [&](const Context&) -> absl::Status {
      for (absl::StatusOr<std::string> piece = switched.handler->Read(Context());
           piece.ok() && !piece->empty(); piece = switched.handler->Read(Context())) {
        read += *piece;
      }
      return absl::OkStatus();
    });
    Sleep(absl::Seconds(1));  // by then it blocks
    switched.client.reset();
    EXPECT_THAT(group.Wait(), IsOk());
    EXPECT_EQ(read, "last");
    EXPECT_THAT(switched.handler->Write(Context(), "x"), StatusIs(absl::StatusCode::kUnavailable));
  });
}

TEST(FaultyConnectionTest, Release_OvertakesItsHold_BytesPass) {
  Switched switched;
  ASSERT_THAT(switched.client->Write(Context(), "one"), IsOk());
  switched.exchange->Release();
  EXPECT_THAT(switched.handler->Read(Ended()), IsOkAndHolds("one"));
  switched.exchange->Hold();
  ASSERT_THAT(switched.client->Write(Context(), "two"), IsOk());
  EXPECT_THAT(switched.handler->Read(Ended()), IsOkAndHolds("two"));
  switched.exchange->Hold();
  EXPECT_THAT(switched.handler->Read(Ended()), StatusIs(absl::StatusCode::kDeadlineExceeded));
  switched.exchange->Release();
}

TEST(FaultyConnectionTest, Break_BothSidesFail) {
  for (const bool held : {false, true}) {
    SCOPED_TRACE(held ? "held" : "not held");
    Simulate([held] {
      Switched switched;
      if (held) switched.exchange->Hold();
      absl::StatusOr<std::string> handler_read;
      absl::StatusOr<std::string> client_read;
      base::ThreadGroup group{Context()};
      group.Go("handler", [&](const Context&) {
        handler_read = switched.handler->Read(Context());
        return absl::OkStatus();
      });
      group.Go("client", [&](const Context&) {
        client_read = switched.client->Read(Context());
        return absl::OkStatus();
      });
      Sleep(absl::Seconds(1));  // by then they block
      switched.exchange->Break();
      EXPECT_THAT(group.Wait(), IsOk());
      EXPECT_THAT(handler_read, StatusIs(absl::StatusCode::kUnavailable));
      EXPECT_THAT(client_read, StatusIs(absl::StatusCode::kAborted));
      EXPECT_THAT(switched.handler->Write(Context(), "x"),
                  StatusIs(absl::StatusCode::kUnavailable));
      EXPECT_THAT(switched.client->Write(Context(), "x"), StatusIs(absl::StatusCode::kAborted));
      EXPECT_TRUE(switched.exchange->context().done());
      if (held) switched.exchange->Release();
    });
  }
}

TEST(FaultyConnectionTest, BreakAfterBytes_WriteOfMore_IsCutAndBothSidesFail) {
  Simulate([] {
    Switched switched(FaultPlan{.break_after_bytes = 10});
    ASSERT_THAT(switched.client->Write(Context(), "1234"), IsOk());
    EXPECT_THAT(switched.handler->Read(Context()), IsOkAndHolds("1234"));
    absl::Status written;
    base::ThreadGroup group{Context()};
    group.Go("write", [&](const Context&) {
      written = switched.handler->Write(Context(), "567890 too much");
      return absl::OkStatus();
    });
    EXPECT_THAT(switched.client->Read(Context()), IsOkAndHolds("567890"));
    EXPECT_THAT(switched.client->Read(Context()), StatusIs(absl::StatusCode::kAborted));
    EXPECT_THAT(group.Wait(), IsOk());
    EXPECT_THAT(written, StatusIs(absl::StatusCode::kUnavailable));
    EXPECT_THAT(switched.handler->Read(Context()), StatusIs(absl::StatusCode::kUnavailable));
    EXPECT_THAT(switched.client->Write(Context(), "x"), StatusIs(absl::StatusCode::kAborted));
    EXPECT_TRUE(switched.exchange->context().done());
  });
}

TEST(FaultyConnectionTest, BreakAfterBytes_ReadOfMore_IsCutAndBothSidesFail) {
  Simulate([] {
    Switched switched(FaultPlan{.break_after_bytes = 10});
    ASSERT_THAT(switched.handler->Write(Context(), "1234"), IsOk());
    EXPECT_THAT(switched.client->Read(Context()), IsOkAndHolds("1234"));
    ASSERT_THAT(switched.client->Write(Context(), "567890 too much"), IsOk());
    EXPECT_THAT(switched.handler->Read(Context()), IsOkAndHolds("567890"));
    EXPECT_THAT(switched.handler->Read(Context()), StatusIs(absl::StatusCode::kUnavailable));
    EXPECT_THAT(switched.handler->Write(Context(), "x"), StatusIs(absl::StatusCode::kUnavailable));
    EXPECT_THAT(switched.client->Read(Context()), StatusIs(absl::StatusCode::kAborted));
  });
}

TEST(FaultyConnectionTest, BreakAfterBytes_WriteThatIsGivenUp_DoesNotCount) {
  Simulate([] {
    const std::string fills(size_t{65} << 10, 'x');
    Switched switched(FaultPlan{.break_after_bytes = static_cast<int64_t>(fills.size()) + 5});
    ASSERT_THAT(switched.handler->Write(Context(), fills), IsOk());
    EXPECT_THAT(switched.handler->Write(Ended(), "1234"),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    std::string read;
    while (read.size() < fills.size()) {
      const absl::StatusOr<std::string> piece = switched.client->Read(Context());
      ASSERT_THAT(piece, IsOk());
      read += *piece;
    }
    EXPECT_THAT(switched.handler->Write(Ended(), "1234"), IsOk());
    EXPECT_THAT(switched.client->Read(Context()), IsOkAndHolds("1234"));
    EXPECT_FALSE(switched.exchange->context().done());
  });
}

TEST(FaultyConnectionTest, BreakAfterBytes_None_NothingPasses) {
  for (const int64_t none : {int64_t{0}, int64_t{-1}}) {
    Simulate([none] {
      Switched switched(FaultPlan{.break_after_bytes = none});
      EXPECT_THAT(switched.handler->Write(Context(), "x"),
                  StatusIs(absl::StatusCode::kUnavailable));
      EXPECT_THAT(switched.client->Read(Context()), StatusIs(absl::StatusCode::kAborted));
      Switched other(FaultPlan{.break_after_bytes = none});
      ASSERT_THAT(other.client->Write(Context(), "x"), IsOk());
      EXPECT_THAT(other.handler->Read(Context()), StatusIs(absl::StatusCode::kUnavailable));
      EXPECT_THAT(other.client->Read(Context()), StatusIs(absl::StatusCode::kAborted));
    });
  }
}

TEST(FaultyConnectionTest, SwitchProtocols_Held_HappensAtRelease) {
  Simulate([] {
    Asked asked;
    asked.exchange->Hold();
    auto handler = asked.exchange->SwitchProtocols({{"upgrade", "echo"}});
    ASSERT_THAT(handler, IsOk());
    EXPECT_THAT(asked.exchange->SwitchProtocols({}),
                StatusIs(absl::StatusCode::kFailedPrecondition));
    EXPECT_THAT((*handler)->Write(Ended(), "x"), StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_THAT(asked.Head(absl::Hours(1)), StatusIs(absl::StatusCode::kDeadlineExceeded));
    asked.exchange->Release();
    EXPECT_THAT((*handler)->Write(Ended(), "hello"), IsOk());
    EXPECT_THAT(asked.Head(absl::Seconds(1)), IsOk());
    const std::unique_ptr<io::DuplexStream> client = asked.client.TakeConnection();
    ASSERT_NE(client, nullptr);
    EXPECT_THAT(client->Read(Ended()), IsOkAndHolds("hello"));
  });
}

TEST(FaultyConnectionTest, SwitchProtocols_HeldAndAnsweredBefore_Fails) {
  Simulate([] {
    Asked asked;
    asked.exchange->Hold();
    asked.exchange->Respond({.status = 403});
    auto handler = asked.exchange->SwitchProtocols({{"upgrade", "echo"}});
    ASSERT_THAT(handler, IsOk());
    asked.exchange->Release();
    EXPECT_THAT((*handler)->Read(Context()),
                StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("been begun")));
    const absl::StatusOr<InProcessExchange::Head> head = asked.Head(absl::Seconds(1));
    ASSERT_THAT(head, IsOk());
    EXPECT_EQ(head->status, 403);
  });
}

TEST(FaultyConnectionTest, SwitchProtocols_AnswerDelayed_HeadComesLate) {
  Simulate([] {
    Asked asked;
    asked.exchange->set_plan({.answer_delay = absl::Seconds(10)});
    auto handler = asked.exchange->SwitchProtocols({{"upgrade", "echo"}});
    ASSERT_THAT(handler, IsOk());
    EXPECT_THAT(asked.Head(absl::Seconds(9)), StatusIs(absl::StatusCode::kDeadlineExceeded));
    const absl::StatusOr<InProcessExchange::Head> head = asked.Head(absl::Seconds(2));
    ASSERT_THAT(head, IsOk());
    EXPECT_EQ(head->status, 101);
  });
}

TEST(FaultyConnectionTest, SwitchProtocols_DroppedAfterCommit_IsAborted) {
  Asked asked;
  asked.exchange->set_plan({.drop = fault::Drop{.after_commit = true}});
  EXPECT_THAT(asked.exchange->SwitchProtocols({}), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(asked.Head(absl::Seconds(1)), StatusIs(absl::StatusCode::kAborted));
}

TEST(FaultyConnectionTest, SwitchProtocols_NotPossible_FailsAsTheInnerExchange) {
  InProcessExchange plain({.method = "GET", .target = "/"}, size_t{1} << 20);
  const auto exchange =
      std::make_shared<FaultyExchange>(std::weak_ptr<FaultLayer>(), 1, plain.ForHandler());
  EXPECT_THAT(exchange->SwitchProtocols({}), StatusIs(absl::StatusCode::kFailedPrecondition));
  exchange->Respond({.status = 400});

  Asked answered;
  answered.exchange->Respond({.status = 403});
  EXPECT_THAT(answered.exchange->SwitchProtocols({}),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

}  // namespace
}  // namespace kube::apiserver::internal
