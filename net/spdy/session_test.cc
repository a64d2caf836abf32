#include "net/spdy/session.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/io/duplex_stream.h"
#include "net/io/pipe.h"
#include "net/spdy/frame.h"
#include "net/spdy/frame_reader.h"
#include "net/spdy/frame_writer.h"

namespace kube::spdy {
namespace {

using absl::StatusCode;
using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using StreamPtr = std::unique_ptr<SessionStream>;

constexpr size_t kSmall = 10;
constexpr size_t kLarge = size_t{64} << 10;

// More than fits into a small buffer: further writes wait until it has been read.
const std::string& Filling() {
  static const std::string filling(100, 'x');
  return filling;
}

Context Timeout(absl::Duration timeout) { return WithTimeout(Context(), timeout); }

// Lets all other threads of a simulation run until they wait.
void Settle() { EXPECT_THAT(base::SleepFor(Context(), absl::Milliseconds(1)), IsOk()); }

void Simulate(std::function<void()> program) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run(std::move(program)), IsOk());
}

// Pings are off where they would be in the way.
SessionOptions Quiet() { return {.ping_interval = absl::ZeroDuration()}; }

template <typename FrameT>
concept HasHeaders = requires(const FrameT& frame) {
  frame.headers;
};

// The session of a client, and a server that says whatever the test wants.
class Fixture {
 public:
  explicit Fixture(const SessionOptions& options = Quiet(), size_t buffer_bytes = kLarge,
                   const Context& ctx = Context())
      : Fixture(options, io::MakePipe(buffer_bytes), ctx) {}

  template <typename FrameT>
  void Say(const FrameT& frame) {
    std::string bytes;
    if constexpr (HasHeaders<FrameT>) {
      EXPECT_THAT(writer_.Write(frame, bytes), IsOk());
    } else {
      AppendFrame(frame, bytes);
    }
    SayBytes(bytes);
  }
  void SayBytes(absl::string_view bytes) { EXPECT_THAT(peer->Write(Context(), bytes), IsOk()); }

  // Returns what arrives until all threads wait: "SYN_STREAM 1", "DATA 1 abc", "DATA 1 fin", and
  // "end".
  std::vector<std::string> Hear() {
    std::vector<std::string> frames;
    while (true) {
      Settle();
      const absl::StatusOr<std::string> bytes = peer->Read(Timeout(absl::ZeroDuration()));
      if (!bytes.ok()) return frames;
      if (bytes->empty()) break;
      absl::string_view rest = *bytes;
      while (true) {
        const auto frame = reader_.Next(rest);
        EXPECT_THAT(frame, IsOk());
        if (!frame.ok() || !frame->has_value()) break;
        Add(**frame, frames);
      }
    }
    frames.push_back("end");
    return frames;
  }

  // Opens a stream, which the peer accepts.
  StreamPtr Open() {
    StreamPtr stream;
    base::ThreadGroup group{Context()};
    group.Go("open", [&](const Context& ctx) -> absl::Status {
      KUBE_ASSIGN_OR_RETURN(stream, session->OpenStream(ctx, {}));
      return absl::OkStatus();
    });
    EXPECT_THAT(Hear(), ElementsAre(absl::StrCat("SYN_STREAM ", next_id_)));
    Say(SynReplyFrame{.stream_id = next_id_});
    next_id_ += 2;
    EXPECT_THAT(group.Wait(), IsOk());
    return stream;
  }

  // Accepts a stream that the peer opens.
  StreamPtr BeOpened(StreamId id) {
    Say(SynStreamFrame{.stream_id = id});
    absl::StatusOr<StreamPtr> stream = session->Accept(Context());
    EXPECT_THAT(stream, IsOk());
    return *std::move(stream);
  }

 private:
  Fixture(const SessionOptions& options, io::Pipe pipe, const Context& ctx)
      : peer(std::move(pipe.second)),
        session(*Session::Start(ctx, std::move(pipe.first), options)) {}

  // Pieces of one frame become one text.
  void Add(const Frame& frame, std::vector<std::string>& frames) {
    const DataPiece* const piece = std::get_if<DataPiece>(&frame);
    const bool continues = std::exchange(in_frame_, piece != nullptr && !piece->ends_frame);
    if (piece == nullptr) return frames.push_back(ToString(frame));
    if (!continues || frames.empty()) {
      frames.push_back(absl::StrCat("DATA ", piece->stream_id, " "));
    }
    absl::StrAppend(&frames.back(), piece->data, piece->fin ? "fin" : "");
  }

  FrameWriter writer_;
  FrameReader reader_;
  bool in_frame_ = false;
  StreamId next_id_ = 1;

 public:
  std::unique_ptr<io::DuplexStream> peer;
  std::unique_ptr<Session> session;
};

// ---- Streams of this side

TEST(SessionTest, OpenStream_WaitsForTheReply) {
  Simulate([] {
    Fixture fixture;
    absl::StatusOr<StreamPtr> stream;
    base::ThreadGroup group{Context()};
    group.Go("open", [&](const Context& ctx) {
      stream = fixture.session->OpenStream(ctx, {{"streamtype", "data"}});
      return absl::OkStatus();
    });
    EXPECT_THAT(fixture.Hear(), ElementsAre("SYN_STREAM 1 streamtype=data"));
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(20)), IsOk());
    EXPECT_THAT(stream, StatusIs(StatusCode::kUnknown)) << "it has not returned";
    fixture.Say(SynReplyFrame{.stream_id = 1});
    EXPECT_THAT(group.Wait(), IsOk());
    EXPECT_THAT(stream, IsOk());
  });
}

TEST(SessionTest, OpenStream_Refused_IsAborted) {
  Simulate([] {
    Fixture fixture;
    base::ThreadGroup group{Context()};
    group.Go("open",
             [&](const Context& ctx) { return fixture.session->OpenStream(ctx, {}).status(); });
    EXPECT_THAT(fixture.Hear(), ElementsAre("SYN_STREAM 1"));
    fixture.Say(RstStreamFrame{.stream_id = 1, .status = ResetStatus::kRefusedStream});
    EXPECT_THAT(group.Wait(), StatusIs(StatusCode::kAborted,
                                       "spdy: stream 1: the peer has refused it (status 3)"));
    EXPECT_THAT(fixture.Hear(), IsEmpty());
  });
}

TEST(SessionTest, OpenStream_NoReply_IsGivenUp) {
  Simulate([] {
    Fixture fixture;
    EXPECT_THAT(
        fixture.session->OpenStream(Context(), {}),
        StatusIs(StatusCode::kDeadlineExceeded, "spdy: open stream 1: no reply within 30s"));
    EXPECT_EQ(base::Now().since_epoch(), absl::Seconds(30));
    EXPECT_THAT(fixture.Hear(), ElementsAre("SYN_STREAM 1", "RST_STREAM 1 status 5"));
    fixture.Say(SynReplyFrame{.stream_id = 1});
    fixture.Say(DataPiece{.stream_id = 1, .data = "too late"});
    EXPECT_THAT(fixture.session->OpenStream(Timeout(absl::Seconds(1)), {}),
                StatusIs(StatusCode::kDeadlineExceeded, "context deadline exceeded"));
    EXPECT_THAT(fixture.Hear(), ElementsAre("SYN_STREAM 3", "RST_STREAM 3 status 5"));
  });
}

TEST(SessionTest, OpenStream_HeadersThatCannotBeSent_IsInvalid) {
  Simulate([] {
    Fixture fixture;
    EXPECT_THAT(fixture.session->OpenStream(Context(), {{"keep-alive", "x"}}),
                StatusIs(StatusCode::kInvalidArgument));
    EXPECT_THAT(fixture.Hear(), IsEmpty());
  });
}

TEST(SessionTest, OpenStream_PeerHasSaidGoAway_Fails) {
  Simulate([] {
    Fixture fixture;
    const StreamPtr stream = fixture.Open();
    fixture.Say(GoAwayFrame{.last_good_id = 1});
    Settle();
    EXPECT_THAT(fixture.session->OpenStream(Context(), {}),
                StatusIs(StatusCode::kFailedPrecondition));
    fixture.Say(DataPiece{.stream_id = 1, .data = "goes on"});
    EXPECT_THAT(stream->Read(Context()), IsOkAndHolds("goes on"));
    EXPECT_THAT(stream->Write(Context(), "as does this"), IsOk());
  });
}

TEST(SessionTest, Read_PeerResets_ReturnsWhatHasArrivedAndThenAborted) {
  Simulate([] {
    Fixture fixture;
    const StreamPtr stream = fixture.Open();
    fixture.Say(DataPiece{.stream_id = 1, .data = "some"});
    fixture.Say(RstStreamFrame{.stream_id = 1, .status = ResetStatus::kCancel});
    Settle();
    EXPECT_THAT(stream->Read(Context()), IsOkAndHolds("some"));
    constexpr char kReset[] = "spdy: stream 1: the peer has reset it (status 5)";
    EXPECT_THAT(stream->Read(Context()), StatusIs(StatusCode::kAborted, kReset));
    EXPECT_THAT(stream->Write(Context(), "x"), StatusIs(StatusCode::kAborted, kReset));
    EXPECT_THAT(stream->Flush(Context()), StatusIs(StatusCode::kAborted, kReset));
    EXPECT_THAT(stream->CloseWrite(), StatusIs(StatusCode::kAborted, kReset));
    EXPECT_THAT(fixture.Hear(), IsEmpty());
  });
}

TEST(SessionTest, Close_ResetsAStreamUnlessBothSidesHaveFinished) {
  Simulate([] {
    Fixture fixture;
    StreamPtr stream = fixture.Open();
    fixture.Say(DataPiece{.stream_id = 1, .data = "unread"});
    EXPECT_THAT(stream->CloseWrite(), IsOk());
    EXPECT_THAT(fixture.Hear(), ElementsAre("DATA 1 fin"));
    stream->Close();
    stream->Reset();
    EXPECT_THAT(fixture.Hear(), ElementsAre("RST_STREAM 1 status 5"));
    EXPECT_THAT(stream->Read(Context()), StatusIs(StatusCode::kFailedPrecondition));
    EXPECT_THAT(stream->Write(Context(), "x"), StatusIs(StatusCode::kFailedPrecondition));
    EXPECT_THAT(stream->Flush(Context()), StatusIs(StatusCode::kFailedPrecondition));
    EXPECT_THAT(stream->CloseWrite(), StatusIs(StatusCode::kFailedPrecondition));

    stream = fixture.Open();
    EXPECT_THAT(fixture.Hear(), IsEmpty()) << "the first one was reset already";
    stream.reset();
    EXPECT_THAT(fixture.Hear(), ElementsAre("RST_STREAM 3 status 5"));

    stream = fixture.Open();
    fixture.Say(DataPiece{.stream_id = 5, .fin = true});
    EXPECT_THAT(stream->Read(Context()), IsOkAndHolds(""));
    EXPECT_THAT(stream->CloseWrite(), IsOk());
    EXPECT_THAT(fixture.Hear(), ElementsAre("DATA 5 fin"));
    stream.reset();
    EXPECT_THAT(fixture.Hear(), IsEmpty());
  });
}

TEST(SessionTest, Write_GivenUp_SendsNothingAndWritingGoesOn) {
  Simulate([] {
    Fixture fixture(Quiet(), kSmall);
    const StreamPtr stream = fixture.Open();
    EXPECT_THAT(stream->Write(Context(), Filling()), IsOk());
    EXPECT_THAT(stream->Write(Timeout(absl::Seconds(1)), std::string(100'000, 'y')),
                StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_THAT(fixture.Hear(), ElementsAre(absl::StrCat("DATA 1 ", Filling())));
    EXPECT_THAT(stream->Write(Timeout(absl::Seconds(1)), "next"), IsOk());
    EXPECT_THAT(fixture.Hear(), ElementsAre("DATA 1 next"));
  });
}

TEST(SessionTest, CloseWriteAndClose_NoRoom_AreSentAsSoonAsThereIs) {
  Simulate([] {
    Fixture fixture(Quiet(), kSmall);
    StreamPtr stream = fixture.Open();
    EXPECT_THAT(stream->Write(Context(), Filling()), IsOk());
    const absl::Duration before = base::Now().since_epoch();
    EXPECT_THAT(stream->CloseWrite(), IsOk());
    stream.reset();
    EXPECT_EQ(base::Now().since_epoch(), before) << "neither has waited";
    EXPECT_THAT(fixture.Hear(), ElementsAre(absl::StrCat("DATA 1 ", Filling()), "DATA 1 fin",
                                            "RST_STREAM 1 status 5"));
  });
}

// ---- Streams of the peer

TEST(SessionTest, Accept_ReturnsStreamsInOrder) {
  Simulate([] {
    Fixture fixture;
    fixture.Say(SynStreamFrame{.stream_id = 2, .headers = {{"n", "first"}}});
    fixture.Say(SynStreamFrame{.stream_id = 4, .headers = {{"n", "second"}}});
    const absl::StatusOr<StreamPtr> first = fixture.session->Accept(Context());
    ASSERT_THAT(first, IsOk());
    EXPECT_EQ((*first)->headers(), (http::Headers{{"n", "first"}}));
    EXPECT_THAT(fixture.Hear(), IsEmpty());
    EXPECT_THAT((*first)->Reply(), IsOk());
    EXPECT_THAT((*first)->Reply(), IsOk()) << "the second call does nothing";
    EXPECT_THAT(fixture.Hear(), ElementsAre("SYN_REPLY 2"));

    absl::StatusOr<StreamPtr> second = fixture.session->Accept(Context());
    ASSERT_THAT(second, IsOk());
    EXPECT_EQ((*second)->headers(), (http::Headers{{"n", "second"}}));
    second->reset();
    EXPECT_THAT(fixture.Hear(), ElementsAre("RST_STREAM 4 status 3")) << "it is refused";
  });
}

TEST(SessionTest, Accept_BeforeTheReply_AStreamCanBeNeitherReadNorWritten) {
  Simulate([] {
    Fixture fixture;
    const StreamPtr stream = fixture.BeOpened(2);
    fixture.Say(DataPiece{.stream_id = 2, .data = "early"});
    EXPECT_THAT(stream->Read(Context()),
                StatusIs(StatusCode::kFailedPrecondition, HasSubstr("no reply")));
    EXPECT_THAT(stream->Write(Context(), "x"),
                StatusIs(StatusCode::kFailedPrecondition, HasSubstr("no reply")));
    EXPECT_THAT(stream->CloseWrite(), StatusIs(StatusCode::kFailedPrecondition));
    EXPECT_THAT(stream->Reply(), IsOk());
    EXPECT_THAT(stream->Read(Context()), IsOkAndHolds("early"));
  });
}

// It must not wait for the writes of other streams: the peer would get it and fill the stream,
// while nobody reads.
TEST(SessionTest, Reply_NoRoom_IsSentAsSoonAsThereIs) {
  Simulate([] {
    Fixture fixture(Quiet(), kSmall);
    const StreamPtr stream = fixture.Open();
    EXPECT_THAT(stream->Write(Context(), Filling()), IsOk());
    base::ThreadGroup group{Context()};
    group.Go("writer", [&stream](const Context& ctx) { return stream->Write(ctx, "next"); });
    Settle();  // by then it blocks
    const StreamPtr accepted = fixture.BeOpened(2);
    const absl::Duration before = base::Now().since_epoch();
    EXPECT_THAT(accepted->Reply(), IsOk());
    EXPECT_EQ(base::Now().since_epoch(), before) << "it has waited";
    EXPECT_THAT(fixture.Hear(),
                ElementsAre(absl::StrCat("DATA 1 ", Filling()), "DATA 1 next", "SYN_REPLY 2"));
    EXPECT_THAT(group.Wait(), IsOk());
  });
}

TEST(SessionTest, Accept_MoreStreamsThanMayWait_AreRefused) {
  Simulate([] {
    SessionOptions options = Quiet();
    options.max_waiting_streams = 1;
    Fixture fixture(options);
    fixture.Say(SynStreamFrame{.stream_id = 2});
    fixture.Say(SynStreamFrame{.stream_id = 4});
    EXPECT_THAT(fixture.Hear(), ElementsAre("RST_STREAM 4 status 3"));
    EXPECT_THAT(fixture.session->Accept(Context()), IsOk());
    EXPECT_THAT(fixture.Hear(), ElementsAre("RST_STREAM 2 status 3"));
    const StreamPtr third = fixture.BeOpened(6);
    EXPECT_THAT(third->Reply(), IsOk());
  });
}

TEST(SessionTest, Accept_SkipsStreamsThatThePeerHasReset) {
  Simulate([] {
    SessionOptions options = Quiet();
    options.max_buffered_bytes = kSmall;
    Fixture fixture(options);
    std::string bytes;  // in one piece: the stream is full when it is reset
    FrameWriter writer;
    EXPECT_THAT(writer.Write(SynStreamFrame{.stream_id = 2}, bytes), IsOk());
    AppendFrame(DataPiece{.stream_id = 2, .data = Filling()}, bytes);
    AppendFrame(RstStreamFrame{.stream_id = 2}, bytes);
    EXPECT_THAT(writer.Write(SynStreamFrame{.stream_id = 4, .headers = {{"n", "4"}}}, bytes),
                IsOk());
    fixture.SayBytes(bytes);
    Settle();
    const absl::StatusOr<StreamPtr> stream = fixture.session->Accept(Context());
    ASSERT_THAT(stream, IsOk());
    EXPECT_EQ((*stream)->headers(), (http::Headers{{"n", "4"}}));
    EXPECT_THAT((*stream)->Reply(), IsOk());
    fixture.Say(DataPiece{.stream_id = 4, .data = "x"});
    EXPECT_THAT((*stream)->Read(Timeout(absl::Seconds(1))), IsOkAndHolds("x"));
  });
}

// ---- Back-pressure

TEST(SessionTest, AFullStreamStopsTheSessionUntilItIsReadOrClosed) {
  struct Case {
    absl::string_view name;
    void (*free)(StreamPtr&);
  };
  const Case cases[] = {
      {"read", [](StreamPtr& full) { EXPECT_THAT(full->Read(Context()), IsOk()); }},
      {"closed", [](StreamPtr& full) { full->Close(); }},
      {"destroyed", [](StreamPtr& full) { full.reset(); }},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.name);
    Simulate([&test] {
      SessionOptions options;
      options.max_buffered_bytes = kSmall;
      Fixture fixture(options);
      StreamPtr full = fixture.Open();
      const StreamPtr other = fixture.Open();
      fixture.Say(DataPiece{.stream_id = 1, .data = std::string(kSmall + 1, 'x')});
      Settle();
      fixture.Say(DataPiece{.stream_id = 3, .data = "data"});
      EXPECT_THAT(other->Read(Timeout(absl::Seconds(15))), StatusIs(StatusCode::kDeadlineExceeded));
      EXPECT_THAT(fixture.Hear(), ElementsAre("PING 1")) << "after 10 seconds";
      test.free(full);
      EXPECT_THAT(other->Read(Timeout(absl::Seconds(1))), IsOkAndHolds("data"));
    });
  }
}

TEST(SessionTest, AFullStreamDoesNotKeepTheSessionFromClosing) {
  Simulate([] {
    SessionOptions options = Quiet();
    options.max_buffered_bytes = kSmall;
    Fixture fixture(options);
    const StreamPtr stream = fixture.Open();
    fixture.Say(DataPiece{.stream_id = 1, .data = Filling()});
    Settle();
    fixture.session.reset();
    EXPECT_THAT(stream->Read(Context()), IsOkAndHolds(Filling()));
    EXPECT_THAT(stream->Read(Context()), StatusIs(StatusCode::kFailedPrecondition));
  });
}

TEST(SessionTest, APeerThatPingsAndDoesNotReadIsGivenUp) {
  Simulate([] {
    Fixture fixture(Quiet(), kSmall);
    const StreamPtr stream = fixture.Open();
    EXPECT_THAT(stream->Write(Context(), Filling()), IsOk());
    std::string pings;
    for (int i = 0; i < 1000; ++i) AppendFrame(PingFrame{.id = 2}, pings);
    absl::Status end;
    int written = 0;
    for (; end.ok() && written < 1000; ++written) end = fixture.peer->Write(Context(), pings);
    EXPECT_THAT(end, StatusIs(StatusCode::kUnavailable));
    EXPECT_LT(written, 100);
    EXPECT_THAT(fixture.session->context().cause(), StatusIs(StatusCode::kResourceExhausted));
  });
}

// ---- Pings

TEST(SessionTest, SendsPings) {
  Simulate([] {
    Fixture fixture(SessionOptions{});
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(35)), IsOk());
    EXPECT_THAT(fixture.Hear(), ElementsAre("PING 1", "PING 3", "PING 5"));
  });
}

TEST(SessionTest, PingsDoNotPileUp) {
  Simulate([] {
    Fixture fixture(SessionOptions{}, kSmall);
    const StreamPtr stream = fixture.Open();
    EXPECT_THAT(stream->Write(Context(), Filling()), IsOk());
    EXPECT_THAT(base::SleepFor(Context(), absl::Hours(1)), IsOk());
    // While one is being sent, the next one is queued.
    EXPECT_THAT(fixture.Hear(),
                ElementsAre(absl::StrCat("DATA 1 ", Filling()), "PING 1", "PING 3"));
  });
}

TEST(SessionTest, PingsMayBeOff) {
  Simulate([] {
    Fixture fixture(Quiet());
    EXPECT_THAT(base::SleepFor(Context(), absl::Hours(1)), IsOk());
    EXPECT_THAT(fixture.Hear(), IsEmpty());
  });
}

TEST(SessionTest, AnswersPings) {
  Simulate([] {
    Fixture fixture;
    fixture.Say(PingFrame{.id = 2});
    EXPECT_THAT(fixture.Hear(), ElementsAre("PING 2"));
  });
}

// ---- The end

// Everything on the session and its stream fails with the error.
void ExpectEnded(Session& session, SessionStream& stream, const absl::Status& why) {
  EXPECT_EQ(session.context().cause(), why);
  EXPECT_EQ(session.OpenStream(Context(), {}).status(), why);
  EXPECT_EQ(session.Accept(Context()).status(), why);
  EXPECT_EQ(stream.Read(Context()).status(), why);
  EXPECT_EQ(stream.Write(Context(), "x"), why);
  EXPECT_EQ(stream.Flush(Context()), why);
  EXPECT_EQ(stream.CloseWrite(), why);
  EXPECT_EQ(stream.Reply(), why);
}

TEST(SessionTest, End_PeerHangsUp) {
  Simulate([] {
    Fixture fixture;
    const StreamPtr stream = fixture.Open();
    const StreamPtr finished = fixture.Open();
    fixture.Say(DataPiece{.stream_id = 3, .data = "whole", .fin = true});
    fixture.Say(DataPiece{.stream_id = 1, .data = "half"});
    fixture.peer.reset();
    Settle();
    EXPECT_THAT(stream->Read(Context()), IsOkAndHolds("half"));
    ExpectEnded(*fixture.session, *stream, absl::UnavailableError("spdy: unexpected EOF"));
    EXPECT_THAT(finished->Read(Context()), IsOkAndHolds("whole"));
    EXPECT_THAT(finished->Read(Context()), IsOkAndHolds(""));
  });
}

TEST(SessionTest, End_PeerHangsUpWhenNoStreamIsOpen) {
  Simulate([] {
    Fixture fixture;
    fixture.peer.reset();
    EXPECT_THAT(base::WaitUntilDone(fixture.session->context()), StatusIs(StatusCode::kCancelled));
    EXPECT_EQ(fixture.session->context().cause(),
              absl::UnavailableError("spdy: the peer has closed the connection"));
  });
}

TEST(SessionTest, End_PeerBreaksTheProtocol_IsToldSo) {
  Simulate([] {
    Fixture fixture;
    const StreamPtr stream = fixture.Open();
    fixture.SayBytes(absl::string_view("\x80\x02\x00\x01\x00\x00\x00\x00", 8));  // SPDY/2
    EXPECT_THAT(fixture.Hear(), ElementsAre("GOAWAY 0 status 1", "end"));
    const absl::Status why = fixture.session->context().cause();
    EXPECT_THAT(why, StatusIs(StatusCode::kDataLoss));
    ExpectEnded(*fixture.session, *stream, why);
  });
}

TEST(SessionTest, End_ContextOfTheSession) {
  Simulate([] {
    CancelScope scope = WithCancel(Context());
    Fixture fixture(Quiet(), kLarge, scope.context());
    const StreamPtr stream = fixture.Open();
    const absl::Status why = absl::AbortedError("the user has left");
    scope.Cancel(why);
    EXPECT_EQ(fixture.session->context().cause(), why) << "at once";
    Settle();
    ExpectEnded(*fixture.session, *stream, why);
    EXPECT_THAT(fixture.Hear(), ElementsAre("RST_STREAM 1 status 5", "GOAWAY 0 status 0", "end"));
  });
}

TEST(SessionTest, End_Close) {
  Simulate([] {
    Fixture fixture;
    const StreamPtr stream = fixture.Open();
    fixture.session->Close();
    fixture.session->Close();
    ExpectEnded(*fixture.session, *stream,
                absl::FailedPreconditionError("spdy: the session is closed"));
    EXPECT_THAT(fixture.Hear(), ElementsAre("RST_STREAM 1 status 5", "GOAWAY 0 status 0", "end"));
  });
}

TEST(SessionTest, End_StreamsOutliveTheSession) {
  Simulate([] {
    Fixture fixture;
    StreamPtr stream = fixture.Open();
    fixture.session.reset();
    const absl::Status why = absl::FailedPreconditionError("spdy: the session is closed");
    EXPECT_EQ(stream->Read(Context()).status(), why);
    EXPECT_EQ(stream->Write(Context(), "x"), why);
    EXPECT_TRUE(stream->headers().empty());
    stream->Reset();
    stream.reset();
    EXPECT_THAT(fixture.Hear(), ElementsAre("RST_STREAM 1 status 5", "GOAWAY 0 status 0", "end"));
  });
}

TEST(SessionTest, End_ACallbackOfTheContextMayUseTheSession) {
  Simulate([] {
    Fixture fixture;
    const StreamPtr stream = fixture.Open();
    int calls = 0;
    const DoneCallback callback = fixture.session->context().OnDone([&] {
      ++calls;
      EXPECT_THAT(stream->Write(Context(), "x"), StatusIs(StatusCode::kUnavailable));
      stream->Close();
      fixture.session->Close();
    });
    fixture.peer.reset();
    Settle();
    EXPECT_EQ(calls, 1);
  });
}

// ---- Calls that block

// A call, and how to make it block.
struct Call {
  absl::string_view name;
  absl::Status (*call)(const Context&, Fixture&, SessionStream&);
  bool is_of_stream;
};

absl::Status Fill(const Context& ctx, SessionStream& stream) {
  return stream.Write(ctx, Filling());
}

const Call kCalls[] = {
    {"open, no reply",
     [](const Context& ctx, Fixture& fixture, SessionStream&) {
       return fixture.session->OpenStream(ctx, {}).status();
     },
     false},
    {"open, no room",
     [](const Context& ctx, Fixture& fixture, SessionStream& stream) {
       KUBE_RETURN_IF_ERROR(Fill(ctx, stream));
       return fixture.session->OpenStream(ctx, {}).status();
     },
     false},
    {"accept",
     [](const Context& ctx, Fixture& fixture, SessionStream&) {
       return fixture.session->Accept(ctx).status();
     },
     false},
    {"read",
     [](const Context& ctx, Fixture&, SessionStream& stream) { return stream.Read(ctx).status(); },
     true},
    {"write",
     [](const Context& ctx, Fixture&, SessionStream& stream) {
       KUBE_RETURN_IF_ERROR(Fill(ctx, stream));
       return stream.Write(ctx, "x");
     },
     true},
    {"flush",
     [](const Context& ctx, Fixture&, SessionStream& stream) {
       KUBE_RETURN_IF_ERROR(Fill(ctx, stream));
       return stream.Flush(ctx);
     },
     true},
};

struct Wake {
  absl::string_view name;
  void (*wake)(Fixture&, SessionStream&, CancelScope& call, CancelScope& session);
  absl::StatusCode code;
  bool is_of_stream = false;
};

const Wake kWakes[] = {
    {"context", [](Fixture&, SessionStream&, CancelScope& call, CancelScope&) { call.Cancel(); },
     StatusCode::kCancelled},
    {"session closed",
     [](Fixture& fixture, SessionStream&, CancelScope&, CancelScope&) { fixture.session->Close(); },
     StatusCode::kFailedPrecondition},
    {"context of the session",
     [](Fixture&, SessionStream&, CancelScope&, CancelScope& session) {
       session.Cancel(absl::InternalError("why"));
     },
     StatusCode::kInternal},
    {"peer hangs up",
     [](Fixture& fixture, SessionStream&, CancelScope&, CancelScope&) { fixture.peer.reset(); },
     StatusCode::kUnavailable},
    {"stream closed",
     [](Fixture&, SessionStream& stream, CancelScope&, CancelScope&) { stream.Close(); },
     StatusCode::kFailedPrecondition, true},
    {"peer resets",
     [](Fixture& fixture, SessionStream&, CancelScope&, CancelScope&) {
       fixture.Say(RstStreamFrame{.stream_id = 1});
     },
     StatusCode::kAborted, true},
};

TEST(SessionTest, CallsThatBlock_AreWoken) {
  for (const Call& call : kCalls) {
    for (const Wake& wake : kWakes) {
      if (wake.is_of_stream && !call.is_of_stream) continue;
      SCOPED_TRACE(absl::StrCat(call.name, ", ", wake.name));
      Simulate([&call, &wake] {
        CancelScope session = WithCancel(Context());
        Fixture fixture(Quiet(), kSmall, session.context());
        const StreamPtr stream = fixture.Open();
        CancelScope scope = WithCancel(Context());
        absl::Status result = absl::UnknownError("it did not return");
        base::ThreadGroup group{Context()};
        group.Go("blocked", [&](const Context&) {
          result = call.call(scope.context(), fixture, *stream);
          return absl::OkStatus();
        });
        EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());  // by then it blocks
        EXPECT_EQ(result.code(), StatusCode::kUnknown);
        const absl::Duration before = base::Now().since_epoch();
        wake.wake(fixture, *stream, scope, session);
        EXPECT_THAT(group.Wait(), IsOk());
        EXPECT_EQ(result.code(), wake.code) << result;
        EXPECT_EQ(base::Now().since_epoch(), before) << "it was not woken";
      });
    }
  }
}

}  // namespace
}  // namespace kube::spdy
