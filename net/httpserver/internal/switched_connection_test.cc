#include "net/httpserver/internal/switched_connection.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/io/duplex_stream.h"

namespace kube::httpserver::internal {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::testing::IsEmpty;
using Output = SwitchedConnection::Output;

constexpr size_t kMax = SwitchedConnection::kMaxWaiting;
constexpr size_t kMuch = size_t{10} << 20;

// A context that is done: calls with it return at once.
Context Ended() { return WithTimeout(Context(), absl::ZeroDuration()); }

class SwitchedConnectionTest : public ::testing::Test {
 protected:
  // Takes what the session sends, at most `limit` bytes.
  std::string Take(size_t limit = kMuch) {
    std::string out;
    last_ = connection_->Produce(out, limit);
    return out;
  }

  int wakes_ = 0;
  Output last_ = Output::kOpen;
  const std::shared_ptr<SwitchedConnection> connection_ =
      std::make_shared<SwitchedConnection>([this] { ++wakes_; });
  std::unique_ptr<io::DuplexStream> handler_ = connection_->ForHandler();
};

TEST_F(SwitchedConnectionTest, Read_ReturnsWhatTheClientSent) {
  EXPECT_THAT(handler_->Read(Ended()), StatusIs(absl::StatusCode::kDeadlineExceeded));
  connection_->Receive("one ");
  connection_->Receive("two");
  EXPECT_THAT(handler_->Read(Ended()), IsOkAndHolds("one two"));
  connection_->Receive("three");
  connection_->EndInput();
  EXPECT_THAT(handler_->Read(Ended()), IsOkAndHolds("three"));
  EXPECT_THAT(handler_->Read(Ended()), IsOkAndHolds(""));
  EXPECT_THAT(handler_->Write(Ended(), "the other direction"), IsOk());
  EXPECT_EQ(Take(), "the other direction");
}

TEST_F(SwitchedConnectionTest, Write_WakesTheSessionOnce) {
  EXPECT_THAT(handler_->Write(Ended(), ""), IsOk());
  EXPECT_EQ(wakes_, 0);
  EXPECT_THAT(handler_->Write(Ended(), "one "), IsOk());
  EXPECT_THAT(handler_->Write(Ended(), "two"), IsOk());
  EXPECT_EQ(wakes_, 1);
  connection_->NoteAwake();
  EXPECT_EQ(Take(4), "one ");
  EXPECT_EQ(Take(4), "two");
  EXPECT_EQ(last_, Output::kOpen);
  EXPECT_THAT(handler_->Write(Ended(), "three"), IsOk());
  EXPECT_EQ(wakes_, 2);
}

TEST_F(SwitchedConnectionTest, Write_TooMuchWaits_TakesAllOrNothing) {
  EXPECT_THAT(handler_->Write(Ended(), std::string(kMax, 'a')), IsOk());
  EXPECT_THAT(handler_->Write(Ended(), std::string(kMax, 'b')), IsOk());
  EXPECT_THAT(handler_->Write(Ended(), "c"), StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_EQ(Take(kMax), std::string(kMax, 'a'));
  EXPECT_THAT(handler_->Write(Ended(), "d"), IsOk());
  EXPECT_TRUE(Take() == absl::StrCat(std::string(kMax, 'b'), "d"));
}

TEST_F(SwitchedConnectionTest, WantsInput_UntilItIsFull_AndAgainWhenHalfIsRead) {
  const std::string quarter(kMax / 4, 'x');
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(connection_->WantsInput()) << i;
    connection_->Receive(quarter);
  }
  EXPECT_FALSE(connection_->WantsInput());
  EXPECT_THAT(handler_->Read(Ended()), IsOk());
  EXPECT_FALSE(connection_->WantsInput());
  EXPECT_EQ(wakes_, 0);
  EXPECT_THAT(handler_->Read(Ended()), IsOk());
  EXPECT_EQ(wakes_, 1);
  EXPECT_TRUE(connection_->WantsInput());
  EXPECT_THAT(handler_->Read(Ended()), IsOk());
  EXPECT_EQ(wakes_, 1);
}

TEST_F(SwitchedConnectionTest, Flush_WaitsUntilTheSessionHasSent) {
  EXPECT_THAT(handler_->Flush(Ended()), IsOk());
  EXPECT_THAT(handler_->Write(Ended(), "abc"), IsOk());
  EXPECT_THAT(handler_->Flush(Ended()), StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_EQ(Take(2), "ab");
  connection_->NoteSent();
  EXPECT_THAT(handler_->Flush(Ended()), StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_EQ(Take(2), "c");
  EXPECT_THAT(handler_->Flush(Ended()), StatusIs(absl::StatusCode::kDeadlineExceeded))
      << "the session has it";
  connection_->NoteSent();
  EXPECT_THAT(handler_->Flush(Ended()), IsOk());
}

TEST_F(SwitchedConnectionTest, CloseWrite_ComesBehindWhatWasWritten) {
  EXPECT_THAT(handler_->Write(Ended(), "ab"), IsOk());
  EXPECT_THAT(handler_->CloseWrite(), IsOk());
  EXPECT_THAT(handler_->CloseWrite(), IsOk());
  EXPECT_THAT(handler_->Write(Ended(), "c"), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_EQ(Take(1), "a");
  EXPECT_EQ(last_, Output::kOpen);
  EXPECT_EQ(Take(1), "b");
  EXPECT_EQ(last_, Output::kEnded);
  connection_->Receive("still");
  EXPECT_THAT(handler_->Read(Ended()), IsOkAndHolds("still"));
}

TEST_F(SwitchedConnectionTest, Close_DropsWhatWaits) {
  for (const bool destroyed : {false, true}) {
    SCOPED_TRACE(destroyed ? "destroyed" : "closed");
    const auto connection = std::make_shared<SwitchedConnection>([this] { ++wakes_; });
    std::unique_ptr<io::DuplexStream> handler = connection->ForHandler();
    connection->Receive(std::string(kMax, 'x'));
    EXPECT_FALSE(connection->WantsInput());
    EXPECT_THAT(handler->Write(Ended(), "unsent"), IsOk());
    connection->NoteAwake();
    wakes_ = 0;
    EXPECT_FALSE(connection->is_closed());
    if (destroyed) {
      handler.reset();
    } else {
      handler->Close();
      EXPECT_THAT(handler->Read(Context()), IsOkAndHolds(""));
      EXPECT_THAT(handler->Write(Context(), "x"), StatusIs(absl::StatusCode::kFailedPrecondition));
      EXPECT_THAT(handler->Flush(Context()), StatusIs(absl::StatusCode::kFailedPrecondition));
      EXPECT_THAT(handler->CloseWrite(), IsOk());
    }
    EXPECT_EQ(wakes_, 1);
    EXPECT_TRUE(connection->is_closed());
    EXPECT_TRUE(connection->WantsInput()) << "it is dropped";
    connection->Receive("late");
    std::string out;
    EXPECT_EQ(connection->Produce(out, kMuch), Output::kClosed);
    EXPECT_THAT(out, IsEmpty());
  }
}

TEST_F(SwitchedConnectionTest, Disconnect_CallsFail_AfterWhatWasReceived) {
  connection_->Receive("last");
  EXPECT_THAT(handler_->Write(Ended(), "unsent"), IsOk());
  connection_->Disconnect(absl::CancelledError("the client disconnected"));
  connection_->Disconnect(absl::CancelledError("again"));
  connection_->NoteAwake();
  wakes_ = 0;
  EXPECT_THAT(handler_->Read(Context()), IsOkAndHolds("last"));
  EXPECT_THAT(handler_->Read(Context()), StatusIs(absl::StatusCode::kUnavailable,
                                                  "read from connection: the client disconnected"));
  EXPECT_THAT(
      handler_->Write(Context(), "x"),
      StatusIs(absl::StatusCode::kUnavailable, "write to connection: the client disconnected"));
  EXPECT_THAT(handler_->Flush(Context()), StatusIs(absl::StatusCode::kUnavailable,
                                                   "flush connection: the client disconnected"));
  handler_->Close();
  EXPECT_EQ(wakes_, 0) << "nobody is there";
}

TEST_F(SwitchedConnectionTest, Disconnect_AfterTheEndOfTheInput_ReadReturnsTheEnd) {
  connection_->Receive("last");
  connection_->EndInput();
  EXPECT_THAT(handler_->Write(Ended(), "sent"), IsOk());
  EXPECT_EQ(Take(), "sent");
  connection_->NoteSent();
  connection_->Disconnect(absl::CancelledError("the connection is closed"));
  EXPECT_THAT(handler_->Read(Context()), IsOkAndHolds("last"));
  EXPECT_THAT(handler_->Read(Context()), IsOkAndHolds(""));
  EXPECT_THAT(handler_->Flush(Context()), IsOk()) << "nothing was lost";
}

// What a handler's thread is blocked in, and what wakes it.
struct Blocked {
  absl::string_view name;
  std::function<absl::Status(const Context&, io::DuplexStream&)> call;
  std::function<void(SwitchedConnection&)> wake;
  absl::StatusCode code;
};

absl::Status ReadOnce(const Context& ctx, io::DuplexStream& stream) {
  return stream.Read(ctx).status();
}
absl::Status WriteTwice(const Context& ctx, io::DuplexStream& stream) {
  KUBE_RETURN_IF_ERROR(stream.Write(ctx, std::string(kMax + 1, 'x')));
  return stream.Write(ctx, "y");
}
absl::Status WriteAndFlush(const Context& ctx, io::DuplexStream& stream) {
  KUBE_RETURN_IF_ERROR(stream.Write(ctx, "x"));
  return stream.Flush(ctx);
}

TEST(SwitchedConnectionWaitTest, CallsThatBlock_AreWoken) {
  using absl::StatusCode;
  const auto shut = [](SwitchedConnection& connection) { connection.Close(); };
  const auto lose = [](SwitchedConnection& connection) {
    connection.Disconnect(absl::CancelledError("gone"));
  };
  const auto receive = [](SwitchedConnection& connection) { connection.Receive("x"); };
  const auto finish = [](SwitchedConnection& connection) { connection.EndInput(); };
  const auto take = [](SwitchedConnection& connection) {
    std::string out;
    connection.Produce(out, kMax);
    connection.NoteSent();
  };
  const Blocked cases[] = {
      {"read, bytes", ReadOnce, receive, StatusCode::kOk},
      {"read, end", ReadOnce, finish, StatusCode::kOk},
      {"read, closed", ReadOnce, shut, StatusCode::kOk},
      {"read, lost", ReadOnce, lose, StatusCode::kUnavailable},
      {"write, room", WriteTwice, take, StatusCode::kOk},
      {"write, closed", WriteTwice, shut, StatusCode::kFailedPrecondition},
      {"write, lost", WriteTwice, lose, StatusCode::kUnavailable},
      {"flush, sent", WriteAndFlush, take, StatusCode::kOk},
      {"flush, closed", WriteAndFlush, shut, StatusCode::kFailedPrecondition},
      {"flush, lost", WriteAndFlush, lose, StatusCode::kUnavailable},
  };
  for (const Blocked& test : cases) {
    SCOPED_TRACE(test.name);
    base::SimRuntime sim;
    EXPECT_THAT(sim.Run([&test] {
      const auto connection = std::make_shared<SwitchedConnection>([] {});
      const std::unique_ptr<io::DuplexStream> handler = connection->ForHandler();
      absl::Status result = absl::UnknownError("it did not return");
      base::ThreadGroup group{Context()};
      group.Go("blocked", [&](const Context& ctx) {
        result = test.call(ctx, *handler);
        return absl::OkStatus();
      });
      EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());  // by then it blocks
      EXPECT_EQ(result.code(), absl::StatusCode::kUnknown);
      test.wake(*connection);
      EXPECT_THAT(group.Wait(), IsOk());
      EXPECT_EQ(result.code(), test.code) << result;
    }),
                IsOk());
  }
}

// The I/O thread and a handler that sends back what it reads.
TEST(SwitchedConnectionWaitTest, EchoOnTwoThreads_LosesNothing) {
  const auto connection = std::make_shared<SwitchedConnection>([] {});
  std::unique_ptr<io::DuplexStream> handler = connection->ForHandler();
  std::string sent;
  for (int i = 0; i < 200'000; ++i) absl::StrAppend(&sent, i, "\n");
  std::string received;
  base::ThreadGroup group{Context()};
  group.Go("handler", [&](const Context& ctx) -> absl::Status {
    while (true) {
      KUBE_ASSIGN_OR_RETURN(std::string piece, handler->Read(ctx));
      if (piece.empty()) return handler->CloseWrite();
      KUBE_RETURN_IF_ERROR(handler->Write(ctx, piece));
      handler->Recycle(std::move(piece));
    }
  });
  group.Go("session", [&](const Context& ctx) {
    absl::string_view left = sent;
    for (Output output = Output::kOpen; output == Output::kOpen && !ctx.done();) {
      connection->NoteAwake();
      if (!left.empty() && connection->WantsInput()) {
        connection->Receive(left.substr(0, 1000));
        left.remove_prefix(std::min<size_t>(1000, left.size()));
        if (left.empty()) connection->EndInput();
      }
      output = connection->Produce(received, received.size() + 1000);
    }
    return absl::OkStatus();
  });
  EXPECT_THAT(group.Wait(), IsOk());
  EXPECT_TRUE(received == sent);
}

}  // namespace
}  // namespace kube::httpserver::internal
