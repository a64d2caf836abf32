#include "net/spdy/session.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/spdy/frame.h"
#include "net/spdy/frame_writer.h"
#include "net/spdy/testing/session_fixture.h"

namespace kube::spdy {
namespace {

using absl::StatusCode;
using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// ---- Streams of this side

// behaviour.md: ST-85
TEST(SessionTest, OpenStream_WaitsForTheReply) {
  Simulate([] {
    SessionFixture fixture;
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

// behaviour.md: ST-85
TEST(SessionTest, OpenStream_Refused_IsAborted) {
  Simulate([] {
    SessionFixture fixture;
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

// behaviour.md: ST-85
TEST(SessionTest, OpenStream_NoReply_IsGivenUp) {
  Simulate([] {
    SessionFixture fixture;
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
    SessionFixture fixture;
    EXPECT_THAT(fixture.session->OpenStream(Context(), {{"keep-alive", "x"}}),
                StatusIs(StatusCode::kInvalidArgument));
    EXPECT_THAT(fixture.Hear(), IsEmpty());
  });
}

TEST(SessionTest, OpenStream_PeerHasSaidGoAway_Fails) {
  Simulate([] {
    SessionFixture fixture;
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

// behaviour.md: ST-86
TEST(SessionTest, Read_PeerResets_ReturnsWhatHasArrivedAndThenAborted) {
  Simulate([] {
    SessionFixture fixture;
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
    SessionFixture fixture;
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
    SessionFixture fixture(Quiet(), kSmall);
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
    SessionFixture fixture(Quiet(), kSmall);
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
    SessionFixture fixture;
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
    SessionFixture fixture;
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
    SessionFixture fixture(Quiet(), kSmall);
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
    SessionFixture fixture(options);
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
    SessionFixture fixture(options);
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

// behaviour.md: ST-87
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
      SessionFixture fixture(options);
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

// behaviour.md: ST-87
TEST(SessionTest, AFullStreamDoesNotKeepTheSessionFromClosing) {
  Simulate([] {
    SessionOptions options = Quiet();
    options.max_buffered_bytes = kSmall;
    SessionFixture fixture(options);
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
    SessionFixture fixture(Quiet(), kSmall);
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

}  // namespace
}  // namespace kube::spdy
