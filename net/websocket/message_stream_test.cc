#include "net/websocket/message_stream.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/io/duplex_stream.h"
#include "net/io/pipe.h"
#include "net/websocket/close.h"
#include "net/websocket/connection.h"
#include "net/websocket/frame.h"
#include "net/websocket/testing/message_stream_fixture.h"
#include "tests/dice.h"

namespace kube::websocket {
namespace {

using absl::StatusCode;
using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using oracle::Dice;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// ---- Messages

absl::StatusOr<std::string> SayHello(const Context& ctx,
                                     std::unique_ptr<io::DuplexStream> connection) {
  MessageStream stream(std::move(connection), {.role = Role::kClient});
  KUBE_RETURN_IF_ERROR(stream.Write(ctx, MessageType::kText, "hello"));
  KUBE_ASSIGN_OR_RETURN(const auto answer, stream.Read(ctx));  // nullopt: the peer has closed
  KUBE_RETURN_IF_ERROR(stream.Shutdown(WithTimeout(ctx, absl::Seconds(1))));
  return answer.has_value() ? ToText(*answer) : "closed";
}

TEST(MessageStreamTest, AsksAndShutsDown_AsInTheHeader) {
  Simulate([] {
    io::Pipe pipe = io::MakePipe();
    base::ThreadGroup group{Context()};
    group.Go("server", [&pipe](const Context& ctx) -> absl::Status {
      MessageStream server(std::move(pipe.second), {.role = Role::kServer});
      EXPECT_THAT(ReadText(server, ctx), IsOkAndHolds("text hello"));
      KUBE_RETURN_IF_ERROR(server.Write(ctx, MessageType::kBinary, "world"));
      EXPECT_THAT(ReadText(server, ctx), IsOkAndHolds("end"));
      return server.Shutdown(ctx);
    });
    EXPECT_THAT(SayHello(Context(), std::move(pipe.first)), IsOkAndHolds("binary world"));
    EXPECT_THAT(group.Wait(), IsOk());
    EXPECT_EQ(base::Now().since_epoch(), absl::ZeroDuration()) << "nobody waited for a timeout";
  });
}

TEST(MessageStreamTest, MessagesOfAnyKindAndSizeArriveWhole) {
  StreamPair pair;
  const std::string zeros_and_more("\0\1\xff", 3);
  const std::string large(size_t{1} << 20, 'x');
  for (MessageStream* const from : {&pair.client, &pair.server}) {
    MessageStream& to = from == &pair.client ? pair.server : pair.client;
    EXPECT_THAT(from->Write(Context(), MessageType::kText, "text"), IsOk());
    EXPECT_THAT(from->Write(Context(), MessageType::kBinary, zeros_and_more), IsOk());
    EXPECT_THAT(from->Write(Context(), MessageType::kBinary, ""), IsOk());
    EXPECT_THAT(ReadText(to), IsOkAndHolds("text text"));
    EXPECT_THAT(ReadText(to), IsOkAndHolds(absl::StrCat("binary ", zeros_and_more)));
    EXPECT_THAT(ReadText(to), IsOkAndHolds("binary "));
    EXPECT_THAT(from->Write(Context(), MessageType::kBinary, large), IsOk());
    const absl::StatusOr<std::string> read = ReadText(to);
    ASSERT_THAT(read, IsOk());
    EXPECT_TRUE(*read == absl::StrCat("binary ", large));
  }
}

TEST(MessageStreamTest, Read_SeveralMessagesInOneChunk_NeedsTheStreamOnce) {
  StreamFixture fixture;
  std::string chunk;
  for (const char* const text : {"a", "b", "c"}) {
    AppendFrame({.opcode = Opcode::kText}, text, chunk);
  }
  fixture.SayBytes(chunk);
  EXPECT_THAT(ReadText(fixture.stream), IsOkAndHolds("text a"));
  fixture.HangUp();
  const Context done = Timeout(absl::ZeroDuration());
  EXPECT_THAT(ReadText(fixture.stream, done), IsOkAndHolds("text b"));
  EXPECT_THAT(ReadText(fixture.stream, done), IsOkAndHolds("text c"));
}

TEST(MessageStreamTest, Read_Fragments_ReturnsTheMessage) {
  StreamFixture fixture;
  fixture.Say(Opcode::kText, "one ", /*fin=*/false);
  fixture.Say(Opcode::kPing, "");
  fixture.Say(Opcode::kContinuation, "message");
  EXPECT_THAT(ReadText(fixture.stream), IsOkAndHolds("text one message"));
}

TEST(MessageStreamTest, Read_ContextEndsWithinAMessage_LosesNothing) {
  Simulate([] {
    StreamFixture fixture;
    fixture.SayBytes("\x81");
    EXPECT_THAT(ReadFor(fixture.stream, absl::Seconds(1)), StatusIs(StatusCode::kDeadlineExceeded));
    fixture.SayBytes("\x02h");
    EXPECT_THAT(ReadFor(fixture.stream, absl::Seconds(1)), StatusIs(StatusCode::kDeadlineExceeded));
    fixture.SayBytes("i");
    EXPECT_THAT(ReadText(fixture.stream), IsOkAndHolds("text hi"));
  });
}

TEST(MessageStreamTest, Write_TextThatIsNotUtf8_SendsNothing) {
  StreamFixture fixture;
  EXPECT_THAT(fixture.stream.Write(Context(), MessageType::kText, "\xff"),
              StatusIs(StatusCode::kInvalidArgument));
  EXPECT_THAT(fixture.stream.WriteMessages(Context(), MessageType::kText, {"good", "\xff"}),
              StatusIs(StatusCode::kInvalidArgument));
  EXPECT_THAT(fixture.Hear(), IsEmpty());
  EXPECT_THAT(fixture.stream.Write(Context(), MessageType::kText, "good"), IsOk());
  EXPECT_THAT(fixture.Hear(), ElementsAre("text good"));
}

TEST(MessageStreamTest, Write_GivenUp_SendsNothingAndWritingGoesOn) {
  Simulate([] {
    StreamFixture fixture({}, kSmall);
    EXPECT_THAT(fixture.stream.Write(Context(), MessageType::kBinary, Filling()), IsOk());
    EXPECT_THAT(fixture.stream.Write(Timeout(absl::Seconds(1)), MessageType::kBinary, "given up"),
                StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_THAT(fixture.stream.WriteMessages(Timeout(absl::Seconds(1)), MessageType::kBinary,
                                             {"also", "given up"}),
                StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_THAT(fixture.Hear(), ElementsAre(absl::StrCat("binary ", Filling())));
    EXPECT_THAT(fixture.stream.WriteMessages(Context(), MessageType::kBinary, {"next", "and last"}),
                IsOk());
    EXPECT_THAT(fixture.Hear(), ElementsAre("binary next", "binary and last"));
  });
}

TEST(MessageStreamTest, Flush_WaitsUntilThePeerHasRead) {
  Simulate([] {
    StreamFixture fixture;
    EXPECT_THAT(fixture.stream.Write(Context(), MessageType::kBinary, "a"), IsOk());
    EXPECT_THAT(fixture.stream.Flush(Timeout(absl::Seconds(1))),
                StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_THAT(fixture.Hear(), ElementsAre("binary a"));
    EXPECT_THAT(fixture.stream.Flush(Timeout(absl::Seconds(1))), IsOk());
  });
}

// ---- The end

TEST(MessageStreamTest, Read_PeerCloses) {
  struct Case {
    absl::string_view name;
    Close close;
    std::string answer;
    absl::Status read;
  };
  const Case cases[] = {
      {"normal", {.code = CloseCode::kNormal}, "close 1000 (normal)", absl::OkStatus()},
      {"going away",
       {.code = CloseCode::kGoingAway, .reason = "bye"},
       "close 1001 (going away)",
       MakeClosedError({.code = CloseCode::kGoingAway, .reason = "bye"})},
      {"no status", {}, "close 1005 (no status)", MakeClosedError({})},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.name);
    Simulate([&test] {
      StreamFixture fixture;
      fixture.Say(Opcode::kBinary, "last");
      fixture.SayClose(test.close);
      EXPECT_THAT(ReadText(fixture.stream), IsOkAndHolds("binary last"));
      for (int i = 0; i < 2; ++i) {
        const absl::StatusOr<std::string> end = ReadText(fixture.stream);
        EXPECT_EQ(end.status(), test.read);
        EXPECT_EQ(end.value_or("end"), "end");
      }
      EXPECT_THAT(fixture.stream.Write(Context(), MessageType::kBinary, ""),
                  StatusIs(StatusCode::kFailedPrecondition));
      EXPECT_THAT(fixture.stream.WriteClose(Context()), StatusIs(StatusCode::kFailedPrecondition));
      EXPECT_THAT(fixture.Hear(), ElementsAre(test.answer));
      EXPECT_THAT(fixture.stream.Shutdown(Context()), IsOk());
      EXPECT_THAT(fixture.Hear(), ElementsAre("end"));
    });
  }
}

TEST(MessageStreamTest, Read_ConnectionEndsWithoutAClose_IsUnavailable) {
  StreamFixture fixture;
  fixture.Say(Opcode::kText, "last");
  fixture.HangUp();
  EXPECT_THAT(ReadText(fixture.stream), IsOkAndHolds("text last"));
  const absl::Status end = ReadText(fixture.stream).status();
  EXPECT_THAT(end, StatusIs(StatusCode::kUnavailable, HasSubstr("unexpected EOF")));
  EXPECT_EQ(ReadText(fixture.stream).status(), end);
  EXPECT_EQ(fixture.stream.Write(Context(), MessageType::kText, ""), end);
}

TEST(MessageStreamTest, Read_PeerBreaksTheProtocol_IsToldWhy) {
  struct Case {
    absl::string_view name;
    std::string bytes;
    absl::StatusCode code;
    std::string heard;
  };
  const Case cases[] = {
      {"reserved opcode", "\x83\x01x", StatusCode::kDataLoss, "close 1002 (protocol error)"},
      {"masked by a server", absl::StrCat("\x82\x81", "keysx"), StatusCode::kDataLoss,
       "close 1002 (protocol error)"},
      {"not utf8", "\x81\x01\xff", StatusCode::kDataLoss, "close 1007 (invalid payload data)"},
      {"too large", "\x82\x0b", StatusCode::kResourceExhausted, "close 1009 (message too big)"},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.name);
    Simulate([&test] {
      StreamFixture fixture({.limits = {.max_frame_bytes = 10, .max_message_bytes = 10}});
      fixture.Say(Opcode::kBinary, "good");
      fixture.SayBytes(test.bytes);
      EXPECT_THAT(ReadText(fixture.stream), IsOkAndHolds("binary good"));
      const absl::Status failure = ReadText(fixture.stream).status();
      EXPECT_THAT(failure, StatusIs(test.code));
      EXPECT_EQ(ReadText(fixture.stream).status(), failure);
      EXPECT_EQ(fixture.stream.Write(Context(), MessageType::kBinary, ""), failure);
      EXPECT_THAT(fixture.Hear(), ElementsAre(::testing::StartsWith(test.heard), "end"));
    });
  }
}

TEST(MessageStreamTest, Read_PeerBreaksTheProtocolAndDoesNotRead_WaitsForASecond) {
  Simulate([] {
    StreamFixture fixture({}, kSmall);
    EXPECT_THAT(fixture.stream.Write(Context(), MessageType::kBinary, Filling()), IsOk());
    fixture.SayBytes("\x83\x01x");
    EXPECT_THAT(ReadText(fixture.stream).status(), StatusIs(StatusCode::kDataLoss));
    EXPECT_EQ(base::Now().since_epoch(), absl::Seconds(1));
  });
}

TEST(MessageStreamTest, Shutdown_DropsMessagesUntilThePeerAnswers) {
  Simulate([] {
    StreamPair pair;
    base::ThreadGroup group{Context()};
    group.Go("server", [&pair](const Context& ctx) -> absl::Status {
      KUBE_RETURN_IF_ERROR(pair.server.Write(ctx, MessageType::kText, "one"));
      KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, absl::Seconds(1)));
      KUBE_RETURN_IF_ERROR(pair.server.Write(ctx, MessageType::kText, "two"));
      KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, absl::Seconds(1)));
      EXPECT_THAT(ReadText(pair.server, ctx).status(),
                  StatusIs(StatusCode::kUnavailable, HasSubstr("1001 (going away): done")));
      return pair.server.Shutdown(ctx);
    });
    EXPECT_THAT(pair.client.Shutdown(Timeout(absl::Minutes(1)),
                                     {.code = CloseCode::kGoingAway, .reason = "done"}),
                IsOk());
    EXPECT_EQ(base::Now().since_epoch(), absl::Seconds(2));
    EXPECT_THAT(group.Wait(), IsOk());
    EXPECT_THAT(pair.client.Write(Context(), MessageType::kText, ""),
                StatusIs(StatusCode::kFailedPrecondition));
  });
}

TEST(MessageStreamTest, Shutdown_PeerDoesNotAnswer_EndsWithTheContext) {
  Simulate([] {
    StreamFixture fixture;
    EXPECT_THAT(fixture.stream.Shutdown(Timeout(absl::Seconds(1))),
                StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_THAT(fixture.Hear(), ElementsAre("close 1000 (normal)", "end"));
  });
}

TEST(MessageStreamTest, Shutdown_BothAtTheSameTime) {
  Simulate([] {
    StreamPair pair;
    base::ThreadGroup group{Context()};
    for (MessageStream* const side : {&pair.client, &pair.server}) {
      group.Go("side", [side](const Context& ctx) { return side->Shutdown(ctx); });
    }
    EXPECT_THAT(group.Wait(), IsOk());
    EXPECT_EQ(base::Now().since_epoch(), absl::ZeroDuration());
  });
}

TEST(MessageStreamTest, Shutdown_CodeThatNoFrameMayHave_DoesNothing) {
  StreamFixture fixture;
  EXPECT_THAT(fixture.stream.Shutdown(Context(), {.code = CloseCode::kAbnormal}),
              StatusIs(StatusCode::kInvalidArgument));
  EXPECT_THAT(fixture.stream.Write(Context(), MessageType::kText, "still open"), IsOk());
  EXPECT_THAT(fixture.Hear(), ElementsAre("text still open"));
}

TEST(MessageStreamTest, WriteClose_GivenUp_IsSentByALaterCall) {
  Simulate([] {
    StreamFixture fixture({}, kSmall);
    EXPECT_THAT(fixture.stream.Write(Context(), MessageType::kBinary, Filling()), IsOk());
    EXPECT_THAT(fixture.stream.WriteClose(Timeout(absl::Seconds(1))),
                StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_THAT(fixture.Hear(), ElementsAre(absl::StrCat("binary ", Filling())));
    EXPECT_THAT(fixture.stream.Write(Context(), MessageType::kBinary, "more"),
                StatusIs(StatusCode::kFailedPrecondition));
    EXPECT_THAT(fixture.Hear(), ElementsAre("close 1000 (normal)"));
  });
}

TEST(MessageStreamTest, TheDestructorEndsTheConnection) {
  io::Pipe pipe = io::MakePipe();
  { const MessageStream stream(std::move(pipe.first), {}); }
  EXPECT_THAT(pipe.second->Read(Context()), IsOkAndHolds(""));
}

absl::Status ReadOnce(const Context& ctx, MessageStream& stream) {
  return stream.Read(ctx).status();
}
absl::Status FillAndWrite(const Context& ctx, MessageStream& stream) {
  KUBE_RETURN_IF_ERROR(stream.Write(ctx, MessageType::kBinary, Filling()));
  return stream.Write(ctx, MessageType::kBinary, "x");
}
absl::Status FillAndWriteClose(const Context& ctx, MessageStream& stream) {
  KUBE_RETURN_IF_ERROR(stream.Write(ctx, MessageType::kBinary, Filling()));
  return stream.WriteClose(ctx);
}
absl::Status FillAndFlush(const Context& ctx, MessageStream& stream) {
  KUBE_RETURN_IF_ERROR(stream.Write(ctx, MessageType::kBinary, Filling()));
  return stream.Flush(ctx);
}
absl::Status ShutDown(const Context& ctx, MessageStream& stream) { return stream.Shutdown(ctx); }
absl::Status FillAndShutDown(const Context& ctx, MessageStream& stream) {
  KUBE_RETURN_IF_ERROR(stream.Write(ctx, MessageType::kBinary, Filling()));
  return stream.Shutdown(ctx);
}

TEST(MessageStreamTest, CallsThatBlock_AreWoken) {
  struct Call {
    absl::string_view name;
    absl::Status (*call)(const Context&, MessageStream&);
  };
  const Call calls[] = {
      {"read", ReadOnce},      {"write", FillAndWrite}, {"write close", FillAndWriteClose},
      {"flush", FillAndFlush}, {"shutdown", ShutDown},  {"shutdown, no room", FillAndShutDown},
  };
  struct Wake {
    absl::string_view name;
    void (*wake)(StreamFixture&, CancelScope&);
    absl::StatusCode code;
  };
  const Wake wakes[] = {
      {"context", [](StreamFixture&, CancelScope& scope) { scope.Cancel(); },
       StatusCode::kCancelled},
      {"closed", [](StreamFixture& fixture, CancelScope&) { fixture.stream.CloseNow(); },
       StatusCode::kFailedPrecondition},
      {"peer closed", [](StreamFixture& fixture, CancelScope&) { fixture.HangUp(); },
       StatusCode::kUnavailable},
  };
  for (const Call& call : calls) {
    for (const Wake& wake : wakes) {
      SCOPED_TRACE(absl::StrCat(call.name, ", ", wake.name));
      Simulate([&call, &wake] {
        StreamFixture fixture({.ping_interval = absl::ZeroDuration()}, kSmall);
        CancelScope scope = WithCancel(Context());
        absl::Status result = absl::UnknownError("it did not return");
        base::ThreadGroup group{Context()};
        group.Go("blocked", [&](const Context&) {
          result = call.call(scope.context(), fixture.stream);
          return absl::OkStatus();
        });
        EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());  // by then it blocks
        EXPECT_EQ(result.code(), StatusCode::kUnknown);
        wake.wake(fixture, scope);
        EXPECT_THAT(group.Wait(), IsOk());
        EXPECT_EQ(result.code(), wake.code) << result;
        EXPECT_EQ(base::Now().since_epoch(), absl::Seconds(1));
      });
    }
  }
}

// ---- Many threads

constexpr int kWriters = 3;

// Writes messages such as "1.17 xxx", some of which are given up. Returns those that were not.
std::vector<std::string> WriteMany(MessageStream& stream, int writer, uint64_t seed, int count) {
  Dice dice(seed + static_cast<uint64_t>(writer));
  std::vector<std::string> written;
  for (int i = 0; i < count; ++i) {
    const std::string text = absl::StrCat(writer, ".", i, " ", std::string(dice.Below(200), 'x'));
    const auto patience = absl::Milliseconds(static_cast<int64_t>(dice.Below(20)));
    if (stream.Write(Timeout(patience), MessageType::kText, text).ok()) written.push_back(text);
  }
  return written;
}

// Returns all messages up to the end, slowly enough for some writes of the peer to be given up.
absl::StatusOr<std::vector<std::string>> ReadAll(MessageStream& stream, uint64_t seed) {
  Dice dice(seed);
  std::vector<std::string> all;
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const auto message, stream.Read(Context()));
    if (!message.has_value()) return all;
    all.push_back(message->data);
    if (dice.Below(10) == 0) {
      KUBE_RETURN_IF_ERROR(base::SleepFor(Context(), absl::Milliseconds(5)));
    }
  }
}

// Returns the messages of one writer.
std::vector<std::string> Of(int writer, const std::vector<std::string>& messages) {
  std::vector<std::string> its;
  for (const std::string& message : messages) {
    if (absl::StartsWith(message, absl::StrCat(writer, "."))) its.push_back(message);
  }
  return its;
}

// Three writers and a reader on each side. Returns an error unless the messages of each writer
// arrive whole and in order, and those that were given up do not.
absl::Status RunBothWays(uint64_t seed, int count) {
  StreamPair pair(/*buffer_bytes=*/200, /*ping_interval=*/absl::Milliseconds(3));
  struct Side {
    MessageStream& stream;
    std::vector<std::string> written[kWriters] = {};
    std::vector<std::string> read = {};
  };
  Side sides[] = {{pair.client}, {pair.server}};
  base::ThreadGroup readers{Context()};
  base::ThreadGroup writers{Context()};
  for (Side& side : sides) {
    readers.Go("reader", [&side, seed](const Context&) -> absl::Status {
      KUBE_ASSIGN_OR_RETURN(side.read, ReadAll(side.stream, seed));
      return absl::OkStatus();
    });
    for (int i = 0; i < kWriters; ++i) {
      writers.Go("writer", [&side, seed, count, i](const Context&) {
        side.written[i] = WriteMany(side.stream, i, seed, count);
        return absl::OkStatus();
      });
    }
  }
  KUBE_RETURN_IF_ERROR(writers.Wait());
  KUBE_RETURN_IF_ERROR(pair.client.WriteClose(Context()));
  KUBE_RETURN_IF_ERROR(readers.Wait());
  for (int i = 0; i < kWriters; ++i) {
    if (Of(i, sides[1].read) != sides[0].written[i] ||
        Of(i, sides[0].read) != sides[1].written[i]) {
      return absl::DataLossError(absl::StrCat("other messages of writer ", i));
    }
  }
  return absl::OkStatus();
}

TEST(MessageStreamTest, ManyThreads_Simulated_MessagesArriveWholeAndInOrder) {
  EXPECT_THAT(
      base::SearchSeeds(
          [](base::SimRuntime& sim) -> absl::Status {
            absl::Status result;
            KUBE_RETURN_IF_ERROR(sim.Run([&] { result = RunBothWays(sim.seed(), /*count=*/15); }));
            return result;
          },
          {.seeds = base::SimulationSeeds(100)}),
      IsOk());
}

TEST(MessageStreamTest, ManyThreads_OnRealThreads_MessagesArriveWholeAndInOrder) {
  EXPECT_THAT(RunBothWays(/*seed=*/20'261'127, /*count=*/300), IsOk());
}

}  // namespace
}  // namespace kube::websocket
