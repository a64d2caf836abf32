#include "net/spdy/connection.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/spdy/frame.h"
#include "net/spdy/frame_reader.h"
#include "net/spdy/frame_writer.h"
#include "net/spdy/testing/recorder.h"
#include "tests/dice.h"

namespace kube::spdy {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const http::Headers& DataHeaders() {
  static const http::Headers headers = {{"streamtype", "data"}};
  return headers;
}

std::string Produced(Connection& connection) {
  std::string out;
  connection.Produce(out);
  return out;
}

template <typename FrameT>
concept HasHeaders = requires(const FrameT& frame) {
  frame.headers;
};

// A peer that says whatever a test wants.
class Peer {
 public:
  template <typename FrameT>
  std::string Say(const FrameT& frame) {
    std::string out;
    if constexpr (HasHeaders<FrameT>) {
      EXPECT_THAT(writer_.Write(frame, out), IsOk());
    } else {
      AppendFrame(frame, out);
    }
    return out;
  }

  // Returns the texts of frames of the connection under test.
  std::vector<std::string> Hear(absl::string_view bytes) {
    std::vector<std::string> texts;
    while (true) {
      const auto frame = reader_.Next(bytes);
      EXPECT_THAT(frame, IsOk());
      if (!frame.ok() || !frame->has_value()) return texts;
      texts.push_back(ToString(**frame));
    }
  }

 private:
  FrameWriter writer_;
  FrameReader reader_;
};

class ClientTest : public ::testing::Test {
 protected:
  // Opens a stream that the peer accepts.
  StreamId Open() {
    const StreamId id = connection_.OpenStream(DataHeaders(), out_).value();
    peer_.Hear(std::exchange(out_, ""));
    EXPECT_THAT(connection_.Receive(peer_.Say(SynReplyFrame{.stream_id = id})), IsOk());
    EXPECT_THAT(recorder_.Take(), ElementsAre(absl::StrCat("reply ", id)));
    return id;
  }
  std::vector<std::string> Sent() { return peer_.Hear(std::exchange(out_, "")); }
  std::vector<std::string> Answered() { return peer_.Hear(Produced(connection_)); }

  template <typename FrameT>
  void Receive(const FrameT& frame) {
    EXPECT_THAT(connection_.Receive(peer_.Say(frame)), IsOk());
  }

  Recorder recorder_;
  Connection connection_{{.role = Role::kClient}, recorder_};
  Peer peer_;
  std::string out_;
};

class ServerTest : public ClientTest {
 protected:
  ServerTest() : server_({.role = Role::kServer}, recorder_) {}

  template <typename FrameT>
  void Receive(const FrameT& frame) {
    EXPECT_THAT(server_.Receive(peer_.Say(frame)), IsOk());
  }
  std::vector<std::string> Answered() { return peer_.Hear(Produced(server_)); }

  Connection server_;
};

// ---- Streams of this side

// behaviour.md: ST-84
TEST_F(ClientTest, StreamsAreOpenedWithOddIds) {
  EXPECT_THAT(connection_.OpenStream(DataHeaders(), out_), IsOkAndHolds(StreamId{1}));
  EXPECT_THAT(connection_.OpenStream({}, out_), IsOkAndHolds(StreamId{3}));
  EXPECT_THAT(Sent(), ElementsAre("SYN_STREAM 1 streamtype=data", "SYN_STREAM 3"));
  EXPECT_EQ(connection_.open_streams(), 2u);
}

// behaviour.md: ST-84
TEST_F(ServerTest, StreamsAreOpenedWithEvenIds) {
  EXPECT_THAT(server_.OpenStream({}, out_), IsOkAndHolds(StreamId{2}));
  EXPECT_THAT(server_.OpenStream({}, out_), IsOkAndHolds(StreamId{4}));
  EXPECT_THAT(Sent(), ElementsAre("SYN_STREAM 2", "SYN_STREAM 4"));
}

TEST_F(ClientTest, DataGoesBothWaysAfterTheReply) {
  const StreamId id = Open();
  EXPECT_THAT(connection_.SendData(id, "to the peer", out_), IsOk());
  EXPECT_THAT(connection_.SendData(id, "", out_), IsOk());
  EXPECT_THAT(Sent(), ElementsAre("DATA 1, 11 bytes"));
  Receive(DataPiece{.stream_id = id, .data = "from "});
  Receive(DataPiece{.stream_id = id});
  Receive(DataPiece{.stream_id = id, .data = "the peer"});
  EXPECT_THAT(recorder_.Take(), ElementsAre("data 1 from the peer"));
}

// behaviour.md: ST-88
TEST_F(ClientTest, LargeDataGoesInPieces) {
  const StreamId id = Open();
  EXPECT_THAT(connection_.SendData(id, std::string(70'000, 'x'), out_), IsOk());
  EXPECT_THAT(Sent(),
              ElementsAre("DATA 1, 32768 bytes", "DATA 1, 32768 bytes", "DATA 1, 4464 bytes"));
}

// behaviour.md: ST-85
TEST_F(ClientTest, NothingIsSentBeforeTheReply) {
  const StreamId id = connection_.OpenStream({}, out_).value();
  out_.clear();
  const auto early =
      StatusIs(absl::StatusCode::kFailedPrecondition, "spdy: write on stream 1: it has no reply");
  EXPECT_THAT(connection_.SendData(id, "x", out_), early);
  EXPECT_THAT(connection_.Finish(id, out_), early);
  EXPECT_EQ(out_, "");
}

TEST_F(ClientTest, PeerMayRefuseAStream) {
  const StreamId id = connection_.OpenStream({}, out_).value();
  Receive(RstStreamFrame{.stream_id = id, .status = ResetStatus::kCancel});
  EXPECT_THAT(recorder_.Take(), ElementsAre("reset 1 status 5"));
  EXPECT_EQ(connection_.open_streams(), 0u);
  EXPECT_THAT(connection_.SendData(id, "x", out_),
              StatusIs(absl::StatusCode::kNotFound, "spdy: stream 1 is over"));
}

// behaviour.md: ST-86
TEST_F(ClientTest, HalfClosedStreamsGoOnInTheOtherDirection) {
  const StreamId id = Open();
  EXPECT_THAT(connection_.Finish(id, out_), IsOk());
  EXPECT_THAT(Sent(), ElementsAre("DATA 1 fin, 0 bytes"));
  const auto finished =
      StatusIs(absl::StatusCode::kFailedPrecondition, "spdy: write on closed stream 1");
  EXPECT_THAT(connection_.SendData(id, "x", out_), finished);
  EXPECT_THAT(connection_.Finish(id, out_), finished);
  Receive(DataPiece{.stream_id = id, .data = "late"});
  EXPECT_THAT(recorder_.Take(), ElementsAre("data 1 late"));
  EXPECT_EQ(connection_.open_streams(), 1u);
  Receive(DataPiece{.stream_id = id, .data = "last", .fin = true});
  EXPECT_THAT(recorder_.Take(), ElementsAre("data 1 last", "end 1"));
  EXPECT_EQ(connection_.open_streams(), 0u);
}

TEST_F(ClientTest, ThePeerMayFinishFirst) {
  const StreamId id = Open();
  Receive(DataPiece{.stream_id = id, .fin = true});
  EXPECT_THAT(recorder_.Take(), ElementsAre("end 1"));
  EXPECT_THAT(connection_.SendData(id, "x", out_), IsOk());
  EXPECT_THAT(connection_.Finish(id, out_), IsOk());
  EXPECT_EQ(connection_.open_streams(), 0u);
  EXPECT_THAT(connection_.Finish(id, out_), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(ClientTest, DataAfterTheEndIsIgnored) {
  const StreamId id = Open();
  Receive(DataPiece{.stream_id = id, .data = "a", .fin = true});
  Receive(DataPiece{.stream_id = id, .data = "b", .fin = true});
  EXPECT_THAT(recorder_.Take(), ElementsAre("data 1 a", "end 1"));
}

TEST_F(ClientTest, ResetEndsAStream) {
  const StreamId id = Open();
  connection_.Reset(id, out_);
  EXPECT_THAT(Sent(), ElementsAre("RST_STREAM 1 status 5"));
  connection_.Reset(id, out_);
  EXPECT_EQ(out_, "");
  Receive(DataPiece{.stream_id = id, .data = "x", .fin = true});
  Receive(RstStreamFrame{.stream_id = id});
  EXPECT_THAT(recorder_.Take(), IsEmpty());
}

// behaviour.md: ST-86
TEST_F(ClientTest, ResetOfThePeerIsNotAnEnd) {
  const StreamId id = Open();
  EXPECT_THAT(connection_.Finish(id, out_), IsOk());
  Receive(DataPiece{.stream_id = id, .data = "x"});
  Receive(RstStreamFrame{.stream_id = id, .status = ResetStatus::kInternalError});
  EXPECT_THAT(recorder_.Take(), ElementsAre("data 1 x", "reset 1 status 6"));
}

TEST_F(ClientTest, ReplyMayBeTheEnd) {
  const StreamId id = connection_.OpenStream({}, out_).value();
  Receive(SynReplyFrame{.stream_id = id, .fin = true, .headers = {{"a", "b"}}});
  EXPECT_THAT(recorder_.Take(), ElementsAre("reply 1 a=b", "end 1"));
  EXPECT_THAT(connection_.SendData(id, "x", out_), IsOk());
}

TEST_F(ClientTest, FurtherRepliesAreIgnored) {
  const StreamId id = Open();
  Receive(SynReplyFrame{.stream_id = id, .fin = true});
  Receive(SynReplyFrame{.stream_id = 99});
  EXPECT_THAT(recorder_.Take(), IsEmpty());
}

// behaviour.md: ST-85
TEST_F(ClientTest, DataBeforeTheReplyResetsTheStream) {
  const StreamId id = connection_.OpenStream({}, out_).value();
  Receive(DataPiece{.stream_id = id, .data = "early"});
  EXPECT_THAT(recorder_.Take(), ElementsAre("reset 1 status 1"));
  EXPECT_THAT(Sent(), ElementsAre("SYN_STREAM 1"));
  EXPECT_THAT(Answered(), ElementsAre("RST_STREAM 1 status 1"));
}

TEST_F(ClientTest, ContentOfHeadersIsIgnoredButNotTheirEnd) {
  const StreamId id = connection_.OpenStream({}, out_).value();
  Receive(HeadersFrame{.stream_id = id, .fin = true});
  EXPECT_THAT(recorder_.Take(), IsEmpty());
  Receive(SynReplyFrame{.stream_id = id});
  Receive(HeadersFrame{.stream_id = id, .headers = {{"a", "b"}}});
  EXPECT_THAT(recorder_.Take(), ElementsAre("reply 1"));
  Receive(HeadersFrame{.stream_id = id, .fin = true});
  Receive(HeadersFrame{.stream_id = 77, .fin = true});
  EXPECT_THAT(recorder_.Take(), ElementsAre("end 1"));
}

// behaviour.md: ST-86
TEST_F(ClientTest, FramesOfUnknownStreamsAreIgnored) {
  Receive(DataPiece{.stream_id = 5, .data = "x"});
  Receive(RstStreamFrame{.stream_id = 5});
  Receive(SynReplyFrame{.stream_id = 5});
  Receive(SettingsFrame{.settings = {{.id = 4, .value = 1}}});
  Receive(WindowUpdateFrame{.stream_id = 0, .delta = 1});
  EXPECT_THAT(recorder_.Take(), IsEmpty());
  EXPECT_FALSE(connection_.wants_output());
}

TEST_F(ClientTest, HeadersThatCannotBeSentOpenNothing) {
  EXPECT_THAT(connection_.OpenStream({{"host", "x"}}, out_),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(out_, "");
  EXPECT_EQ(connection_.open_streams(), 0u);
  EXPECT_THAT(connection_.OpenStream({}, out_), IsOkAndHolds(StreamId{1}));
}

TEST(ConnectionTest, IdsEnd) {
  Recorder recorder;
  Connection client({.role = Role::kClient, .first_stream_id = kMaxStreamId - 2}, recorder);
  std::string out;
  EXPECT_THAT(client.OpenStream({}, out), IsOkAndHolds(kMaxStreamId - 2));
  EXPECT_THAT(client.OpenStream({}, out), IsOkAndHolds(kMaxStreamId));
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(client.OpenStream({}, out), StatusIs(absl::StatusCode::kResourceExhausted));
  }
}

// ---- Streams of the peer

TEST_F(ServerTest, StreamsAreAccepted) {
  Receive(SynStreamFrame{.stream_id = 1, .headers = DataHeaders()});
  EXPECT_THAT(recorder_.Take(), ElementsAre("stream 1 streamtype=data"));
  EXPECT_THAT(server_.SendData(1, "x", out_), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(server_.Reply(1, out_), IsOk());
  EXPECT_THAT(server_.SendData(1, "x", out_), IsOk());
  EXPECT_THAT(server_.Finish(1, out_), IsOk());
  EXPECT_THAT(Sent(), ElementsAre("SYN_REPLY 1", "DATA 1, 1 bytes", "DATA 1 fin, 0 bytes"));
  Receive(DataPiece{.stream_id = 1, .data = "in", .fin = true});
  EXPECT_THAT(recorder_.Take(), ElementsAre("data 1 in", "end 1"));
  EXPECT_EQ(server_.open_streams(), 0u);
}

TEST_F(ServerTest, RepliesMayHaveHeaders) {
  Receive(SynStreamFrame{.stream_id = 1});
  EXPECT_THAT(server_.Reply(1, out_, {{"connection", "x"}}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(server_.Reply(1, out_, {{"a", "b"}}), IsOk());
  EXPECT_THAT(Sent(), ElementsAre("SYN_REPLY 1 a=b"));
}

TEST_F(ServerTest, OnlyOneReplyIsSent) {
  Receive(SynStreamFrame{.stream_id = 1});
  EXPECT_THAT(server_.Reply(1, out_), IsOk());
  EXPECT_THAT(server_.Reply(1, out_), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(server_.Reply(3, out_), StatusIs(absl::StatusCode::kNotFound));
  const StreamId own = server_.OpenStream({}, out_).value();
  EXPECT_THAT(server_.Reply(own, out_), StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST_F(ServerTest, StreamsMayBeRefused) {
  Receive(SynStreamFrame{.stream_id = 1});
  server_.Reset(1, out_);
  EXPECT_THAT(Sent(), ElementsAre("RST_STREAM 1 status 5"));
  EXPECT_THAT(server_.Reply(1, out_), StatusIs(absl::StatusCode::kNotFound));
}

// The client need not wait for the reply.
TEST_F(ServerTest, DataBeforeTheOwnReplyIsDelivered) {
  Receive(SynStreamFrame{.stream_id = 1});
  Receive(DataPiece{.stream_id = 1, .data = "x", .fin = true});
  EXPECT_THAT(recorder_.Take(), ElementsAre("stream 1", "data 1 x", "end 1"));
  EXPECT_THAT(server_.Reply(1, out_), IsOk());
}

TEST_F(ServerTest, FlagsOfANewStreamCloseItsHalves) {
  Receive(SynStreamFrame{.stream_id = 1, .fin = true});
  EXPECT_THAT(recorder_.Take(), ElementsAre("stream 1", "end 1"));
  EXPECT_THAT(server_.Reply(1, out_), IsOk());
  EXPECT_THAT(server_.Finish(1, out_), IsOk());
  Receive(SynStreamFrame{.stream_id = 3, .unidirectional = true});
  EXPECT_THAT(server_.Reply(3, out_), IsOk());
  EXPECT_THAT(server_.SendData(3, "x", out_), StatusIs(absl::StatusCode::kFailedPrecondition));
  Receive(DataPiece{.stream_id = 3, .data = "x", .fin = true});
  Receive(SynStreamFrame{.stream_id = 5, .fin = true, .unidirectional = true});
  EXPECT_THAT(recorder_.Take(), ElementsAre("stream 3", "data 3 x", "end 3", "stream 5", "end 5"));
  EXPECT_EQ(server_.open_streams(), 0u);
}

// behaviour.md: ST-83
TEST_F(ServerTest, IdsOfThePeerIncreaseAndAreOfItsParity) {
  Receive(SynStreamFrame{.stream_id = 5});
  EXPECT_THAT(recorder_.Take(), ElementsAre("stream 5"));
  for (const StreamId id : {StreamId{5}, StreamId{3}, StreamId{8}}) {
    Receive(SynStreamFrame{.stream_id = id});
    EXPECT_THAT(recorder_.Take(), IsEmpty());
    EXPECT_THAT(Answered(), ElementsAre(absl::StrCat("RST_STREAM ", id, " status 1")));
  }
  EXPECT_EQ(server_.open_streams(), 1u);
  Receive(SynStreamFrame{.stream_id = 7});
  EXPECT_THAT(recorder_.Take(), ElementsAre("stream 7"));
}

TEST(ConnectionTest, TheNumberOfStreamsOfThePeerIsLimited) {
  Recorder recorder;
  Connection server({.role = Role::kServer, .max_peer_streams = 2}, recorder);
  Peer peer;
  std::string out;
  // Streams of this side do not count.
  ASSERT_THAT(server.OpenStream({}, out), IsOk());
  for (const StreamId id : {StreamId{1}, StreamId{3}, StreamId{5}}) {
    EXPECT_THAT(server.Receive(peer.Say(SynStreamFrame{.stream_id = id})), IsOk());
  }
  EXPECT_THAT(recorder.Take(), ElementsAre("stream 1", "stream 3"));
  EXPECT_THAT(peer.Hear(out), ElementsAre("SYN_STREAM 2"));
  EXPECT_THAT(peer.Hear(Produced(server)), ElementsAre("RST_STREAM 5 status 3"));
  EXPECT_THAT(server.Receive(peer.Say(RstStreamFrame{.stream_id = 1})), IsOk());
  EXPECT_THAT(server.Receive(peer.Say(SynStreamFrame{.stream_id = 7})), IsOk());
  EXPECT_THAT(recorder.Take(), ElementsAre("reset 1 status 5", "stream 7"));
}

// ---- Pings

// behaviour.md: ST-84
TEST_F(ClientTest, PingsOfThePeerAreAnsweredAndOwnOnesAreTold) {
  EXPECT_EQ(connection_.SendPing(out_), 1u);
  EXPECT_EQ(connection_.SendPing(out_), 3u);
  EXPECT_THAT(Sent(), ElementsAre("PING 1", "PING 3"));
  Receive(PingFrame{.id = 2});
  Receive(PingFrame{.id = 3});
  Receive(PingFrame{.id = 1});
  Receive(PingFrame{.id = 5});  // nobody has sent it
  EXPECT_THAT(recorder_.Take(), ElementsAre("pong 3", "pong 1"));
  EXPECT_TRUE(connection_.wants_output());
  EXPECT_THAT(Answered(), ElementsAre("PING 2"));
  EXPECT_FALSE(connection_.wants_output());
}

// behaviour.md: ST-84
TEST_F(ServerTest, PingsOfAServerHaveEvenIds) {
  EXPECT_EQ(server_.SendPing(out_), 2u);
  Receive(PingFrame{.id = 2});
  Receive(PingFrame{.id = 1});
  EXPECT_THAT(recorder_.Take(), ElementsAre("pong 2"));
  EXPECT_THAT(Answered(), ElementsAre("PING 1"));
}

TEST_F(ClientTest, APeerThatOnlyPingsIsGivenUp) {
  std::string pings;
  for (int i = 0; i < 1000; ++i) pings += peer_.Say(PingFrame{.id = 2});
  absl::Status status;
  int times = 0;
  for (; times < 1000 && status.ok(); ++times) status = connection_.Receive(pings);
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("more answers")));
  EXPECT_GT(times, 10);
  EXPECT_THAT(Answered(), ElementsAre("GOAWAY 0 status 1"));
}

// ---- The end

// behaviour.md: ST-89
TEST_F(ClientTest, CloseResetsAllStreamsAndSaysSo) {
  const StreamId first = Open();
  Open();
  EXPECT_THAT(connection_.Finish(first, out_), IsOk());
  Receive(SynStreamFrame{.stream_id = 4});
  Receive(PingFrame{.id = 2});
  out_.clear();
  connection_.Close(out_);
  EXPECT_THAT(Sent(), ElementsAre("PING 2", "RST_STREAM 1 status 5", "RST_STREAM 3 status 5",
                                  "RST_STREAM 4 status 5", "GOAWAY 4 status 0"));
  EXPECT_TRUE(connection_.done());
  connection_.Close(out_);
  EXPECT_EQ(out_, "");
  EXPECT_THAT(connection_.OpenStream({}, out_),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("going away")));
  recorder_.Take();
  // What was on its way is ignored.
  Receive(DataPiece{.stream_id = 3, .data = "x"});
  Receive(SynStreamFrame{.stream_id = 6});
  EXPECT_THAT(recorder_.Take(), IsEmpty());
  EXPECT_FALSE(connection_.wants_output());
  EXPECT_THAT(connection_.EndOfInput(), IsOk());
}

TEST_F(ClientTest, GoAwayLeavesStreamsThatThePeerHasSeen) {
  const StreamId first = Open();
  const StreamId second = connection_.OpenStream({}, out_).value();
  Receive(SynStreamFrame{.stream_id = 2});
  recorder_.Take();
  Receive(GoAwayFrame{.last_good_id = first});
  EXPECT_THAT(recorder_.Take(),
              ElementsAre("goaway 1 status 0", absl::StrCat("reset ", second, " status 3")));
  EXPECT_FALSE(connection_.done());
  EXPECT_THAT(connection_.OpenStream({}, out_), StatusIs(absl::StatusCode::kFailedPrecondition));
  Receive(SynStreamFrame{.stream_id = 4});
  Receive(GoAwayFrame{.last_good_id = 0});
  Receive(DataPiece{.stream_id = first, .data = "x", .fin = true});
  EXPECT_THAT(recorder_.Take(), ElementsAre("data 1 x", "end 1"));
  EXPECT_THAT(connection_.Finish(first, out_), IsOk());
  connection_.Reset(2, out_);
  EXPECT_TRUE(connection_.done());
}

// behaviour.md: ST-89
TEST_F(ClientTest, AnEndWithOpenStreamsIsAnError) {
  Open();
  const absl::Status status = connection_.EndOfInput();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kUnavailable, "spdy: unexpected EOF"));
  EXPECT_EQ(connection_.open_streams(), 0u);
  EXPECT_TRUE(connection_.done());
  EXPECT_EQ(connection_.OpenStream({}, out_).status(), status);
  EXPECT_EQ(connection_.SendData(1, "x", out_), status);
}

TEST_F(ClientTest, AnEndWithoutStreamsIsNone) {
  EXPECT_THAT(connection_.EndOfInput(), IsOk());
  EXPECT_TRUE(connection_.done());
}

TEST_F(ClientTest, APeerThatBreaksTheProtocolIsTold) {
  const StreamId id = Open();
  Receive(SynStreamFrame{.stream_id = 2});
  Receive(PingFrame{.id = 2});
  recorder_.Take();
  const absl::Status status = connection_.Receive(absl::HexStringToBytes("8003000500000000"));
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kDataLoss, "spdy: unknown frame type 5"));
  EXPECT_EQ(connection_.Receive(peer_.Say(PingFrame{.id = 4})), status);
  EXPECT_THAT(recorder_.Take(), IsEmpty());
  EXPECT_EQ(connection_.open_streams(), 0u);
  EXPECT_EQ(connection_.SendData(id, "x", out_), status);
  EXPECT_EQ(connection_.OpenStream({}, out_).status(), status);
  EXPECT_THAT(Answered(), ElementsAre("PING 2", "GOAWAY 2 status 1"));
  EXPECT_TRUE(connection_.done());
  EXPECT_EQ(connection_.EndOfInput(), status);
  connection_.Close(out_);
  EXPECT_EQ(out_, "");
}

// ---- Events

// Answers from within the events, as a server does.
class Echo final : public Connection::Events {
 public:
  void OnStream(StreamId id, const http::Headers& headers) override {
    if (headers.empty()) return connection->Reset(id, out, ResetStatus::kRefusedStream);
    EXPECT_THAT(connection->Reply(id, out), IsOk());
  }
  void OnReply(StreamId, const http::Headers&) override {}
  void OnData(StreamId id, absl::string_view data) override {
    if (data == "close") return connection->Close(out);
    if (data == "reset") return connection->Reset(id, out);
    EXPECT_THAT(connection->SendData(id, data, out), IsOk());
  }
  void OnEnd(StreamId id) override { EXPECT_THAT(connection->Finish(id, out), IsOk()); }
  void OnReset(StreamId, ResetStatus) override {}
  void OnGoAway(StreamId, GoAwayStatus) override {}

  Connection* connection = nullptr;
  std::string out;
};

TEST(ConnectionEventsTest, EventsMayCallTheConnection) {
  Echo echo;
  Connection server({.role = Role::kServer}, echo);
  echo.connection = &server;
  Peer peer;
  std::string bytes = peer.Say(SynStreamFrame{.stream_id = 1, .headers = DataHeaders()});
  bytes += peer.Say(SynStreamFrame{.stream_id = 3, .fin = true});
  bytes += peer.Say(DataPiece{.stream_id = 1, .data = "abc", .fin = true});
  bytes += peer.Say(SynStreamFrame{.stream_id = 5, .headers = DataHeaders()});
  bytes += peer.Say(DataPiece{.stream_id = 5, .data = "reset", .fin = true});
  bytes += peer.Say(SynStreamFrame{.stream_id = 7, .headers = DataHeaders()});
  bytes += peer.Say(DataPiece{.stream_id = 7, .data = "close", .fin = true});
  EXPECT_THAT(server.Receive(bytes), IsOk());
  EXPECT_THAT(peer.Hear(echo.out),
              ElementsAre("SYN_REPLY 1", "RST_STREAM 3 status 3", "DATA 1, 3 bytes",
                          "DATA 1 fin, 0 bytes", "SYN_REPLY 5", "RST_STREAM 5 status 5",
                          "SYN_REPLY 7", "RST_STREAM 7 status 5", "GOAWAY 7 status 0"));
  EXPECT_TRUE(server.done());
}

// The example of the header: the peer is an echo.
absl::Status Exchange(Recorder& events, const http::Headers& headers, absl::string_view data) {
  std::string out;
  Connection connection({.role = Role::kClient}, events);
  KUBE_ASSIGN_OR_RETURN(const StreamId id, connection.OpenStream(headers, out));
  Echo echo;
  Connection server({.role = Role::kServer}, echo);
  echo.connection = &server;
  KUBE_RETURN_IF_ERROR(server.Receive(std::exchange(out, "")));
  KUBE_RETURN_IF_ERROR(connection.Receive(std::exchange(echo.out, "")));
  KUBE_RETURN_IF_ERROR(connection.SendData(id, data, out));  // after OnReply
  KUBE_RETURN_IF_ERROR(connection.Finish(id, out));
  KUBE_RETURN_IF_ERROR(server.Receive(out));
  return connection.Receive(echo.out);
}

TEST(ConnectionTest, ExampleOfTheHeaderWorks) {
  Recorder recorder;
  EXPECT_THAT(Exchange(recorder, DataHeaders(), "abc"), IsOk());
  EXPECT_THAT(recorder.Take(), ElementsAre("reply 1", "data 1 abc", "end 1"));
}

// ---- Properties

// Two sides that open, use and end streams at random, over bytes that are cut at random. What each
// stream has carried is compared in the end.
class Conversation {
 public:
  explicit Conversation(uint64_t seed) : dice_(seed) {}

  void Run() {
    for (int i = 0; i < 600; ++i) {
      const size_t side = dice_.Below(2);
      if (dice_.Below(2) == 0) {
        Act(side);
      } else {
        Deliver(side, 1 + dice_.Below(dice_.Below(3) == 0 ? 5000 : 9));
      }
    }
    Settle();
    for (const size_t side : {size_t{0}, size_t{1}}) {
      for (const auto& [id, said] : sides_[side].said) {
        EXPECT_EQ(sides_[1 - side].heard.data(id), said.data) << id;
        EXPECT_EQ(sides_[1 - side].heard.ended(id), said.finished) << id;
      }
    }
  }

 private:
  struct Said {
    std::string data;
    bool finished = false;
  };
  struct Side {
    explicit Side(Role role) : connection({.role = role}, heard) {}

    Recorder heard;
    Connection connection;
    std::string out;
    std::map<StreamId, Said> said;  // the streams on which the side may send
  };

  void Act(size_t number) {
    Side& side = sides_[number];
    if (dice_.Below(6) == 0) {
      const absl::StatusOr<StreamId> id = side.connection.OpenStream(
          {{"number", absl::StrCat(dice_.Below(100))}, {"streamtype", "data"}}, side.out);
      ASSERT_THAT(id, IsOk());
      return;
    }
    if (dice_.Below(10) == 0) side.connection.SendPing(side.out);
    if (side.said.empty()) return;
    auto stream = side.said.begin();
    std::advance(stream, dice_.Below(side.said.size()));
    if (stream->second.finished) return;
    if (dice_.Below(8) == 0) {
      EXPECT_THAT(side.connection.Finish(stream->first, side.out), IsOk());
      stream->second.finished = true;
      return;
    }
    const std::string data(dice_.Below(dice_.Below(20) == 0 ? 70'000 : 300),
                           static_cast<char>('a' + dice_.Below(26)));
    EXPECT_THAT(side.connection.SendData(stream->first, data, side.out), IsOk());
    stream->second.data += data;
  }

  // Gives the other side what this one has written, and lets it accept streams.
  void Deliver(size_t number, size_t size) {
    Side& side = sides_[number];
    Side& other = sides_[1 - number];
    ASSERT_THAT(other.connection.Receive(side.out.substr(0, size)), IsOk());
    side.out.erase(0, size);
    other.connection.Produce(other.out);
    for (const std::string& event : other.heard.Take()) {
      const std::vector<std::string> words = absl::StrSplit(event, ' ');
      uint32_t id = 0;
      if (words.size() < 2 || !absl::SimpleAtoi(words[1], &id)) continue;
      if (words[0] == "stream") {
        EXPECT_THAT(other.connection.Reply(id, other.out), IsOk());
        other.said[id];
      } else if (words[0] == "reply") {
        other.said[id];
      }
    }
  }

  void Settle() {
    while (!sides_[0].out.empty() || !sides_[1].out.empty()) {
      for (const size_t side : {size_t{0}, size_t{1}}) Deliver(side, sides_[side].out.size());
    }
  }

  oracle::Dice dice_;
  std::array<Side, 2> sides_ = {Side(Role::kClient), Side(Role::kServer)};
};

TEST(ConnectionPropertyTest, BothSidesHearWhatTheOtherSays) {
  constexpr uint64_t kFirstSeed = 20'261'134;
  for (uint64_t seed = kFirstSeed; seed < kFirstSeed + 50; ++seed) {
    SCOPED_TRACE(seed);
    Conversation(seed).Run();
  }
}

// Whatever the pieces are, the events and the answers are the same.
TEST(ConnectionPropertyTest, AnyInputIsUnderstoodAlikeHoweverItIsCut) {
  constexpr uint64_t kFirstSeed = 20'261'135;
  for (uint64_t seed = kFirstSeed; seed < kFirstSeed + 500; ++seed) {
    SCOPED_TRACE(seed);
    oracle::Dice dice(seed);
    Peer peer;
    std::string bytes;
    for (size_t n = dice.Below(12); n > 0; --n) {
      const auto id = static_cast<StreamId>(1 + dice.Below(6));
      const bool fin = dice.Below(3) == 0;
      switch (dice.Below(7)) {
        case 0:
        case 1:
          bytes += peer.Say(SynStreamFrame{.stream_id = id, .fin = fin, .headers = DataHeaders()});
          break;
        case 2:
        case 3:
          bytes += peer.Say(
              DataPiece{.stream_id = id, .data = std::string(dice.Below(9), 'd'), .fin = fin});
          break;
        case 4:
          bytes += peer.Say(RstStreamFrame{.stream_id = id});
          break;
        case 5:
          bytes += peer.Say(PingFrame{.id = id});
          break;
        default:
          bytes += peer.Say(GoAwayFrame{.last_good_id = id});
      }
    }
    if (dice.Below(4) == 0) bytes += static_cast<char>(dice.Below(256));
    const auto outcome = [&bytes](oracle::Dice* cuts) {
      Recorder recorder;
      Connection server({.role = Role::kServer}, recorder);
      absl::Status status;
      for (size_t at = 0; at < bytes.size() && status.ok();) {
        const size_t size = cuts == nullptr ? bytes.size() : 1 + cuts->Below(4);
        status = server.Receive(bytes.substr(at, size));
        at += size;
      }
      const std::string answers = Produced(server);
      return absl::StrCat(absl::StrJoin(recorder.Take(), "|"), " ", status.ToString(), " ",
                          absl::StrJoin(Peer().Hear(answers), "|"));
    };
    EXPECT_EQ(outcome(&dice), outcome(nullptr));
  }
}

}  // namespace
}  // namespace kube::spdy
