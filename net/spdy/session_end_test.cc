// The end of a session: pings, who ends it, and the calls that wait meanwhile.

#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/io/duplex_stream.h"
#include "net/io/pipe.h"
#include "net/spdy/frame.h"
#include "net/spdy/session.h"
#include "net/spdy/testing/session_fixture.h"

namespace kube::spdy {
namespace {

using absl::StatusCode;
using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// ---- Pings

// behaviour.md: ST-90
TEST(SessionTest, SendsPings) {
  Simulate([] {
    SessionFixture fixture(SessionOptions{});
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(35)), IsOk());
    EXPECT_THAT(fixture.Hear(), ElementsAre("PING 1", "PING 3", "PING 5"));
  });
}

// behaviour.md: ST-90
TEST(SessionTest, PingsDoNotPileUp) {
  Simulate([] {
    SessionFixture fixture(SessionOptions{}, kSmall);
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
    SessionFixture fixture(Quiet());
    EXPECT_THAT(base::SleepFor(Context(), absl::Hours(1)), IsOk());
    EXPECT_THAT(fixture.Hear(), IsEmpty());
  });
}

TEST(SessionTest, AnswersPings) {
  Simulate([] {
    SessionFixture fixture;
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

// behaviour.md: ST-89
TEST(SessionTest, End_PeerHangsUp) {
  Simulate([] {
    SessionFixture fixture;
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
    SessionFixture fixture;
    fixture.peer.reset();
    EXPECT_THAT(base::WaitUntilDone(fixture.session->context()), StatusIs(StatusCode::kCancelled));
    EXPECT_EQ(fixture.session->context().cause(),
              absl::UnavailableError("spdy: the peer has closed the connection"));
  });
}

TEST(SessionTest, End_PeerBreaksTheProtocol_IsToldSo) {
  Simulate([] {
    SessionFixture fixture;
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
    SessionFixture fixture(Quiet(), kLarge, scope.context());
    const StreamPtr stream = fixture.Open();
    const absl::Status why = absl::AbortedError("the user has left");
    scope.Cancel(why);
    EXPECT_EQ(fixture.session->context().cause(), why) << "at once";
    Settle();
    ExpectEnded(*fixture.session, *stream, why);
    EXPECT_THAT(fixture.Hear(), ElementsAre("RST_STREAM 1 status 5", "GOAWAY 0 status 0", "end"));
  });
}

// behaviour.md: ST-89
TEST(SessionTest, End_Close) {
  Simulate([] {
    SessionFixture fixture;
    const StreamPtr stream = fixture.Open();
    fixture.session->Close();
    fixture.session->Close();
    ExpectEnded(*fixture.session, *stream,
                absl::FailedPreconditionError("spdy: the session is closed"));
    EXPECT_THAT(fixture.Hear(), ElementsAre("RST_STREAM 1 status 5", "GOAWAY 0 status 0", "end"));
  });
}

// A connection as those of the operating system: what is written is passed on later, or dropped by
// Close.
class LazyStream final : public io::DuplexStream {
 public:
  explicit LazyStream(std::unique_ptr<io::DuplexStream> inner) : inner_(std::move(inner)) {}

  absl::StatusOr<std::string> Read(const Context& ctx) override { return inner_->Read(ctx); }
  absl::Status Write(const Context&, absl::string_view bytes) override {
    base::MutexLock lock(mutex_);
    absl::StrAppend(&waiting_, bytes);
    return absl::OkStatus();
  }
  absl::Status Flush(const Context& ctx) override {
    std::string bytes;
    {
      base::MutexLock lock(mutex_);
      bytes.swap(waiting_);
    }
    return inner_->Write(ctx, bytes);
  }
  absl::Status CloseWrite() override { return inner_->CloseWrite(); }
  void Close() override { inner_->Close(); }

 private:
  const std::unique_ptr<io::DuplexStream> inner_;
  base::Mutex mutex_;
  std::string waiting_ ABSL_GUARDED_BY(mutex_);
};

TEST(SessionTest, End_Close_IsToldBeforeTheConnectionIsClosed) {
  Simulate([] {
    io::Pipe pipe = io::MakePipe();
    const absl::StatusOr<std::unique_ptr<Session>> session =
        Session::Start(Context(), std::make_unique<LazyStream>(std::move(pipe.first)), Quiet());
    ASSERT_THAT(session, IsOk());
    (*session)->Close();
    const absl::StatusOr<std::string> goodbye = pipe.second->Read(Timeout(absl::Seconds(1)));
    ASSERT_THAT(goodbye, IsOk());
    EXPECT_EQ(goodbye->size(), 16u) << "GOAWAY";
    EXPECT_THAT(pipe.second->Read(Timeout(absl::Seconds(1))), IsOkAndHolds(""));
  });
}

TEST(SessionTest, End_StreamsOutliveTheSession) {
  Simulate([] {
    SessionFixture fixture;
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
    SessionFixture fixture;
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
  absl::Status (*call)(const Context&, SessionFixture&, SessionStream&);
  bool is_of_stream;
};

absl::Status Fill(const Context& ctx, SessionStream& stream) {
  return stream.Write(ctx, Filling());
}

const Call kCalls[] = {
    {"open, no reply",
     [](const Context& ctx, SessionFixture& fixture, SessionStream&) {
       return fixture.session->OpenStream(ctx, {}).status();
     },
     false},
    {"open, no room",
     [](const Context& ctx, SessionFixture& fixture, SessionStream& stream) {
       KUBE_RETURN_IF_ERROR(Fill(ctx, stream));
       return fixture.session->OpenStream(ctx, {}).status();
     },
     false},
    {"accept",
     [](const Context& ctx, SessionFixture& fixture, SessionStream&) {
       return fixture.session->Accept(ctx).status();
     },
     false},
    {"read",
     [](const Context& ctx, SessionFixture&, SessionStream& stream) {
       return stream.Read(ctx).status();
     },
     true},
    {"write",
     [](const Context& ctx, SessionFixture&, SessionStream& stream) {
       KUBE_RETURN_IF_ERROR(Fill(ctx, stream));
       return stream.Write(ctx, "x");
     },
     true},
    {"flush",
     [](const Context& ctx, SessionFixture&, SessionStream& stream) {
       KUBE_RETURN_IF_ERROR(Fill(ctx, stream));
       return stream.Flush(ctx);
     },
     true},
};

struct Wake {
  absl::string_view name;
  void (*wake)(SessionFixture&, SessionStream&, CancelScope& call, CancelScope& session);
  absl::StatusCode code;
  bool is_of_stream = false;
};

const Wake kWakes[] = {
    {"context",
     [](SessionFixture&, SessionStream&, CancelScope& call, CancelScope&) { call.Cancel(); },
     StatusCode::kCancelled},
    {"session closed",
     [](SessionFixture& fixture, SessionStream&, CancelScope&, CancelScope&) {
       fixture.session->Close();
     },
     StatusCode::kFailedPrecondition},
    {"context of the session",
     [](SessionFixture&, SessionStream&, CancelScope&, CancelScope& session) {
       session.Cancel(absl::InternalError("why"));
     },
     StatusCode::kInternal},
    {"peer hangs up",
     [](SessionFixture& fixture, SessionStream&, CancelScope&, CancelScope&) {
       fixture.peer.reset();
     },
     StatusCode::kUnavailable},
    {"stream closed",
     [](SessionFixture&, SessionStream& stream, CancelScope&, CancelScope&) { stream.Close(); },
     StatusCode::kFailedPrecondition, true},
    {"peer resets",
     [](SessionFixture& fixture, SessionStream&, CancelScope&, CancelScope&) {
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
        SessionFixture fixture(Quiet(), kSmall, session.context());
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
        // Close waits for a moment until the peer has read that the session ends.
        EXPECT_LE(base::Now().since_epoch() - before, absl::Milliseconds(20)) << "it was not woken";
      });
    }
  }
}

}  // namespace
}  // namespace kube::spdy
