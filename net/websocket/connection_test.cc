#include "net/websocket/connection.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/websocket/close.h"
#include "net/websocket/frame.h"
#include "net/websocket/testing/recorder.h"
#include "tests/dice.h"

namespace kube::websocket {
namespace {

using base::IsOk;
using base::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;

std::string Bytes(absl::string_view hex) { return absl::HexStringToBytes(hex); }

// Returns what a peer of `role` sends: a frame with a key of zeros if it is a client.
std::string Frame(Role role, Opcode opcode, absl::string_view payload, bool fin = true) {
  FrameHeader header = {.opcode = opcode, .fin = fin};
  if (role == Role::kClient) header.mask.emplace();
  std::string out;
  AppendFrame(header, payload, out);
  return out;
}

std::string FromServer(Opcode opcode, absl::string_view payload, bool fin = true) {
  return Frame(Role::kServer, opcode, payload, fin);
}

std::string Produced(Connection& connection) {
  std::string out;
  connection.Produce(out);
  return out;
}

// What is in frames of a client: read as a server does.
std::vector<std::string> ReadAsServer(absl::string_view bytes) {
  Recorder recorder;
  Connection server({.role = Role::kServer}, recorder);
  EXPECT_THAT(server.Receive(bytes), IsOk());
  return recorder.Take();
}

class ConnectionTest : public ::testing::Test {
 protected:
  Recorder recorder_;
  Connection client_{{.role = Role::kClient}, recorder_};
  std::string out_;
};

// ---- Receiving

TEST_F(ConnectionTest, MessagesAreDelivered) {
  EXPECT_THAT(client_.Receive(absl::StrCat(FromServer(Opcode::kBinary, "\1out"),
                                           FromServer(Opcode::kText, "é"),
                                           FromServer(Opcode::kBinary, ""))),
              IsOk());
  EXPECT_THAT(recorder_.Take(), ElementsAre("binary \1out", "text é", "binary "));
  EXPECT_FALSE(client_.wants_output());
}

// behaviour.md: ST-77
TEST_F(ConnectionTest, FragmentsAreJoined) {
  EXPECT_THAT(
      client_.Receive(absl::StrCat(
          FromServer(Opcode::kText, "one ", false), FromServer(Opcode::kContinuation, "", false),
          FromServer(Opcode::kContinuation, "two ", false),
          FromServer(Opcode::kContinuation, "three"), FromServer(Opcode::kBinary, "", false),
          FromServer(Opcode::kContinuation, ""))),
      IsOk());
  EXPECT_THAT(recorder_.Take(), ElementsAre("text one two three", "binary "));
}

TEST_F(ConnectionTest, ControlFramesMayStandBetweenFragments) {
  EXPECT_THAT(client_.Receive(absl::StrCat(
                  FromServer(Opcode::kText, "one ", false), FromServer(Opcode::kPing, "p"),
                  FromServer(Opcode::kPong, ""), FromServer(Opcode::kContinuation, "two"))),
              IsOk());
  EXPECT_THAT(recorder_.Take(), ElementsAre("ping p", "pong ", "text one two"));
}

// A character may be cut by the end of a fragment.
TEST_F(ConnectionTest, TextIsCheckedAcrossFragments) {
  EXPECT_THAT(client_.Receive(absl::StrCat(FromServer(Opcode::kText, "\xC3", false),
                                           FromServer(Opcode::kPing, "\xFF"),
                                           FromServer(Opcode::kContinuation, "\xA9"))),
              IsOk());
  EXPECT_THAT(recorder_.Take(), ElementsAre("ping \xFF", "text é"));
}

TEST(ConnectionStreamTest, PiecesAreDeliveredAsTheyArrive) {
  Recorder recorder;
  Connection client({.role = Role::kClient, .stream_messages = true}, recorder);
  const std::string bytes = absl::StrCat(FromServer(Opcode::kBinary, "first", false),
                                         FromServer(Opcode::kContinuation, "", false),
                                         FromServer(Opcode::kContinuation, "second"));
  EXPECT_THAT(client.Receive(bytes.substr(0, 4)), IsOk());
  EXPECT_THAT(recorder.Take(), ElementsAre("binary fi..."));
  EXPECT_THAT(client.Receive(bytes.substr(4)), IsOk());
  EXPECT_THAT(recorder.Take(), ElementsAre("...rst...", "...second"));
  EXPECT_THAT(client.Receive(FromServer(Opcode::kBinary, "")), IsOk());
  EXPECT_THAT(recorder.Take(), ElementsAre("binary "));
}

// It would be too large to be kept.
TEST(ConnectionStreamTest, PiecesMayBeOfMessagesOfAnySize) {
  Recorder recorder;
  Connection client({.role = Role::kClient,
                     .limits = {.max_frame_bytes = UINT64_MAX, .max_message_bytes = UINT64_MAX},
                     .stream_messages = true},
                    recorder);
  EXPECT_THAT(client.Receive(Bytes("827f7fffffffffffffff61")), IsOk());
  EXPECT_THAT(recorder.Take(), ElementsAre("binary a..."));
  EXPECT_THAT(client.Receive("b"), IsOk());
  EXPECT_THAT(recorder.Take(), ElementsAre("...b..."));
}

TEST_F(ConnectionTest, EmptyInputChangesNothing) {
  EXPECT_THAT(client_.Receive(""), IsOk());
  EXPECT_THAT(recorder_.Take(), IsEmpty());
}

// ---- Answers

TEST_F(ConnectionTest, PingsAreAnsweredByTheSamePayload) {
  EXPECT_THAT(client_.Receive(FromServer(Opcode::kPing, "are you there?")), IsOk());
  EXPECT_TRUE(client_.wants_output());
  EXPECT_THAT(ReadAsServer(Produced(client_)), ElementsAre("pong are you there?"));
  EXPECT_FALSE(client_.wants_output());
  EXPECT_EQ(Produced(client_), "");
}

TEST_F(ConnectionTest, OnlyTheLastPingIsAnswered) {
  for (int i = 0; i < 1000; ++i) {
    EXPECT_THAT(client_.Receive(FromServer(Opcode::kPing, absl::StrCat(i))), IsOk());
  }
  EXPECT_EQ(recorder_.Take().size(), 1000u);
  EXPECT_THAT(ReadAsServer(Produced(client_)), ElementsAre("pong 999"));
}

TEST_F(ConnectionTest, AnswersGoBeforeMessages) {
  EXPECT_THAT(client_.Receive(FromServer(Opcode::kPing, "p")), IsOk());
  EXPECT_THAT(client_.SendMessage(MessageType::kBinary, "m", out_), IsOk());
  EXPECT_THAT(ReadAsServer(out_), ElementsAre("pong p", "binary m"));
}

TEST_F(ConnectionTest, CloseIsAnsweredByItsCode) {
  struct Row {
    std::string name;
    std::string payload;
    std::string told;
    std::string answer;
  };
  for (const Row& row : std::vector<Row>{
           {"normal", "\x03\xE8", "close 1000 (normal)", "close 1000 (normal)"},
           {"with a reason", "\x03\xE9gone", "close 1001 (going away): gone",
            "close 1001 (going away)"},
           {"without a code", "", "close 1005 (no status)", "close 1005 (no status)"},
           {"private code", "\x13\x87", "close 4999", "close 4999"},
           {"bad gateway", "\x03\xF6", "close 1014 (bad gateway)", "close 1014 (bad gateway)"},
       }) {
    SCOPED_TRACE(row.name);
    Recorder recorder;
    Connection client({.role = Role::kClient}, recorder);
    EXPECT_THAT(client.Receive(FromServer(Opcode::kClose, row.payload)), IsOk());
    EXPECT_THAT(recorder.Take(), ElementsAre(row.told));
    EXPECT_FALSE(client.done());
    EXPECT_THAT(ReadAsServer(Produced(client)), ElementsAre(row.answer));
    EXPECT_TRUE(client.done());
    EXPECT_TRUE(client.close_sent());
    EXPECT_EQ(Produced(client), "");
    EXPECT_THAT(client.EndOfInput(), IsOk());
  }
}

TEST_F(ConnectionTest, NothingFollowsAClose) {
  EXPECT_THAT(client_.Receive(absl::StrCat(FromServer(Opcode::kPing, "p"),
                                           FromServer(Opcode::kClose, "\x03\xE8"),
                                           FromServer(Opcode::kBinary, "late"), "garbage")),
              IsOk());
  EXPECT_THAT(client_.Receive("more garbage"), IsOk());
  EXPECT_THAT(recorder_.Take(), ElementsAre("ping p", "close 1000 (normal)"));
  EXPECT_EQ(client_.close_received(), (Close{.code = CloseCode::kNormal}));
  // The pong may be left out, and here it is.
  EXPECT_THAT(ReadAsServer(Produced(client_)), ElementsAre("close 1000 (normal)"));
}

// ---- Sending

// behaviour.md: ST-77
TEST_F(ConnectionTest, MessagesAreSingleMaskedFrames) {
  const std::string large(100'000, 'x');
  EXPECT_THAT(client_.SendMessage(MessageType::kText, "é", out_), IsOk());
  EXPECT_THAT(client_.SendMessage(MessageType::kBinary, "", out_), IsOk());
  const size_t before = out_.size();
  EXPECT_THAT(client_.SendMessage(MessageType::kBinary, large, out_), IsOk());
  EXPECT_EQ(out_.size(), before + kMaxFrameHeaderBytes + large.size());
  EXPECT_EQ(absl::BytesToHexString(out_.substr(before, 2)), "82ff");
  EXPECT_THAT(ReadAsServer(out_), ElementsAre("text é", "binary ", absl::StrCat("binary ", large)));
}

TEST_F(ConnectionTest, KeysDiffer) {
  EXPECT_THAT(client_.SendMessage(MessageType::kBinary, "12345678", out_), IsOk());
  const std::string first = std::exchange(out_, "");
  EXPECT_THAT(client_.SendMessage(MessageType::kBinary, "12345678", out_), IsOk());
  EXPECT_NE(out_, first);
}

// behaviour.md: ST-77
TEST(ServerConnectionTest, FramesOfAServerAreNotMasked) {
  Recorder recorder;
  Connection server({.role = Role::kServer}, recorder);
  std::string out;
  EXPECT_THAT(server.SendMessage(MessageType::kText, "Hello", out), IsOk());
  EXPECT_THAT(server.SendPing("p", out), IsOk());
  EXPECT_THAT(server.SendClose({.code = CloseCode::kNormal}, out), IsOk());
  EXPECT_EQ(absl::BytesToHexString(out), "810548656c6c6f890170880203e8");
}

TEST_F(ConnectionTest, PingsAreSent) {
  EXPECT_THAT(client_.SendPing(std::string(kMaxControlBytes, 'p'), out_), IsOk());
  EXPECT_THAT(ReadAsServer(out_),
              ElementsAre(absl::StrCat("ping ", std::string(kMaxControlBytes, 'p'))));
}

TEST_F(ConnectionTest, AfterAnOwnCloseNothingIsSentButInputIsDelivered) {
  EXPECT_THAT(client_.SendClose({.code = CloseCode::kNormal, .reason = "bye"}, out_), IsOk());
  EXPECT_THAT(ReadAsServer(out_), ElementsAre("close 1000 (normal): bye"));
  EXPECT_TRUE(client_.close_sent());
  EXPECT_FALSE(client_.done());
  out_.clear();
  const auto closed = StatusIs(absl::StatusCode::kFailedPrecondition, "websocket: close sent");
  EXPECT_THAT(client_.SendMessage(MessageType::kBinary, "m", out_), closed);
  EXPECT_THAT(client_.SendPing("", out_), closed);
  EXPECT_THAT(client_.SendClose({}, out_), closed);
  EXPECT_THAT(client_.Receive(absl::StrCat(FromServer(Opcode::kPing, "p"),
                                           FromServer(Opcode::kBinary, "late"),
                                           FromServer(Opcode::kClose, "\x03\xE8"))),
              IsOk());
  EXPECT_THAT(recorder_.Take(), ElementsAre("ping p", "binary late", "close 1000 (normal)"));
  EXPECT_FALSE(client_.wants_output());
  EXPECT_TRUE(client_.done());
  EXPECT_EQ(out_, "");
}

TEST_F(ConnectionTest, AfterTheCloseOfThePeerNothingIsSent) {
  EXPECT_THAT(client_.Receive(FromServer(Opcode::kClose, "\x03\xE9gone")), IsOk());
  const auto closed =
      StatusIs(absl::StatusCode::kFailedPrecondition, "websocket: close 1001 (going away): gone");
  EXPECT_THAT(client_.SendMessage(MessageType::kBinary, "m", out_), closed);
  EXPECT_THAT(client_.SendPing("", out_), closed);
  EXPECT_THAT(client_.SendClose({}, out_), closed);
  EXPECT_EQ(out_, "");
}

TEST_F(ConnectionTest, CloseWithoutACodeIsEmpty) {
  EXPECT_THAT(client_.SendClose({}, out_), IsOk());
  EXPECT_THAT(ReadAsServer(out_), ElementsAre("close 1005 (no status)"));
  EXPECT_EQ(absl::BytesToHexString(out_.substr(0, 2)), "8880");
}

TEST_F(ConnectionTest, InvalidArgumentsAreRefusedAndChangeNothing) {
  const auto invalid = [](const std::string& message) {
    return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(message));
  };
  EXPECT_THAT(client_.SendMessage(MessageType::kText, "\xFF", out_), invalid("not UTF-8"));
  EXPECT_THAT(client_.SendPing(std::string(126, 'p'), out_), invalid("126 bytes, of 125"));
  EXPECT_THAT(client_.SendClose({.reason = "why"}, out_), invalid("a reason without a code"));
  EXPECT_THAT(client_.SendClose({.code = CloseCode::kAbnormal}, out_),
              invalid("no frame may have the code 1006"));
  EXPECT_THAT(client_.SendClose({.code = CloseCode::kNormal, .reason = "\xFF"}, out_),
              invalid("the reason is not UTF-8"));
  EXPECT_THAT(
      client_.SendClose({.code = CloseCode::kNormal, .reason = std::string(124, 'x')}, out_),
      invalid("124 bytes, of 123"));
  EXPECT_EQ(out_, "");
  EXPECT_FALSE(client_.close_sent());
  EXPECT_THAT(
      client_.SendClose({.code = CloseCode::kNormal, .reason = std::string(123, 'x')}, out_),
      IsOk());
}

// ---- Failures

TEST(ConnectionFailureTest, PeerIsToldWhatItDidWrong) {
  struct Row {
    std::string name;
    std::string bytes;
    std::string answer;
    absl::StatusCode code = absl::StatusCode::kDataLoss;
  };
  for (const Row& row : std::vector<Row>{
           {"frame", Bytes("8300"), "close 1002 (protocol error): bad opcode 3"},
           {"masked by a server", Frame(Role::kClient, Opcode::kBinary, "x"),
            "close 1002 (protocol error): bad MASK"},
           {"order", Bytes("8000"), "close 1002 (protocol error): continuation after FIN"},
           {"too large", Bytes("827f0000000000100001"),
            "close 1009 (message too big): read limit exceeded",
            absl::StatusCode::kResourceExhausted},
           {"text", FromServer(Opcode::kText, "a\xFF"),
            "close 1007 (invalid payload data): invalid utf8 payload in text message"},
           {"text that is cut", FromServer(Opcode::kText, "a\xC3"),
            "close 1007 (invalid payload data): invalid utf8 payload in text message"},
           {"text of fragments",
            absl::StrCat(FromServer(Opcode::kText, "\xED", false),
                         FromServer(Opcode::kContinuation, "\xA0", false)),
            "close 1007 (invalid payload data): invalid utf8 payload in text message"},
           {"close with half a code", FromServer(Opcode::kClose, "\x03"),
            "close 1002 (protocol error): close frame with half a code"},
           {"close with a code that stands for something", FromServer(Opcode::kClose, "\x03\xED"),
            "close 1002 (protocol error): bad close code 1005"},
           {"close with a code of the future", FromServer(Opcode::kClose, "\x07\xD0"),
            "close 1002 (protocol error): bad close code 2000"},
           {"close with an invalid reason", FromServer(Opcode::kClose, "\x03\xE8\xFF"),
            "close 1007 (invalid payload data): invalid utf8 payload in close frame"},
       }) {
    for (const size_t piece : {size_t{1}, row.bytes.size()}) {
      for (const bool pinged : {false, true}) {
        SCOPED_TRACE(absl::StrCat(row.name, " by ", piece, pinged ? " after a ping" : ""));
        Recorder recorder;
        Connection client({.role = Role::kClient}, recorder);
        if (pinged) {
          EXPECT_THAT(client.Receive(FromServer(Opcode::kPing, "p")), IsOk());
        }
        absl::Status status;
        for (size_t at = 0; at < row.bytes.size(); at += piece) {
          status = client.Receive(row.bytes.substr(at, piece));
        }
        EXPECT_THAT(status, StatusIs(row.code, HasSubstr("websocket: ")));
        EXPECT_FALSE(client.done());
        std::string out;
        EXPECT_EQ(client.SendMessage(MessageType::kBinary, "m", out), status);
        EXPECT_EQ(out, "");
        EXPECT_THAT(ReadAsServer(Produced(client)), ElementsAre(row.answer));
        EXPECT_TRUE(client.done());
        EXPECT_EQ(client.Receive(FromServer(Opcode::kBinary, "x")), status);
        EXPECT_EQ(client.EndOfInput(), status);
        EXPECT_EQ(Produced(client), "");
        EXPECT_EQ(recorder.Take().size(), pinged ? 1u : 0u);
      }
    }
  }
}

TEST_F(ConnectionTest, AfterAnOwnCloseThePeerIsNotTold) {
  EXPECT_THAT(client_.SendClose({.code = CloseCode::kNormal}, out_), IsOk());
  EXPECT_THAT(client_.Receive(Bytes("8300")), StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_EQ(Produced(client_), "");
  EXPECT_TRUE(client_.done());
}

TEST_F(ConnectionTest, AnEndWithoutACloseIsAnError) {
  EXPECT_THAT(client_.Receive(absl::StrCat(FromServer(Opcode::kPing, "p"), "\x82")), IsOk());
  const absl::Status status = client_.EndOfInput();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kUnavailable,
                               "websocket: close 1006 (abnormal closure): unexpected EOF"));
  EXPECT_THAT(CloseCodeOf(status), Optional(CloseCode::kAbnormal));
  EXPECT_TRUE(client_.done());
  EXPECT_EQ(client_.SendMessage(MessageType::kBinary, "m", out_), status);
  EXPECT_EQ(client_.EndOfInput(), status);
  EXPECT_EQ(Produced(client_), "");
}

// ---- Both sides

// What the header promises of events.
class Echo final : public Connection::Events {
 public:
  void OnMessage(const Message& message) override {
    EXPECT_THAT(connection->SendMessage(message.type, message.data, out), IsOk());
    if (message.data == "end") {
      EXPECT_THAT(connection->SendClose({.code = CloseCode::kNormal}, out), IsOk());
    }
  }
  void OnClose(const Close&) override {}

  Connection* connection = nullptr;
  std::string out;
};

TEST(ConnectionEventsTest, EventsMaySend) {
  Echo echo;
  Connection server({.role = Role::kServer}, echo);
  echo.connection = &server;
  EXPECT_THAT(server.Receive(absl::StrCat(Frame(Role::kClient, Opcode::kPing, "p"),
                                          Frame(Role::kClient, Opcode::kBinary, "a"),
                                          Frame(Role::kClient, Opcode::kBinary, "end"))),
              IsOk());
  Recorder recorder;
  Connection client({.role = Role::kClient}, recorder);
  EXPECT_THAT(client.Receive(echo.out), IsOk());
  EXPECT_THAT(recorder.Take(),
              ElementsAre("pong p", "binary a", "binary end", "close 1000 (normal)"));
}

// The example of the header.
absl::Status Exchange(Connection::Events& events, absl::string_view bytes,
                      absl::string_view message, std::string& out) {
  Connection connection({.role = Role::kClient}, events);
  KUBE_RETURN_IF_ERROR(connection.SendMessage(MessageType::kBinary, message, out));
  KUBE_RETURN_IF_ERROR(connection.Receive(bytes));  // calls `events`
  connection.Produce(out);                          // answers to what was received
  return absl::OkStatus();
}

TEST_F(ConnectionTest, ExampleOfTheHeaderWorks) {
  EXPECT_THAT(Exchange(recorder_, FromServer(Opcode::kPing, "p"), "m", out_), IsOk());
  EXPECT_THAT(recorder_.Take(), ElementsAre("ping p"));
  EXPECT_THAT(ReadAsServer(out_), ElementsAre("binary m", "pong p"));
}

// Two sides that talk at random, over bytes that are cut at random.
class Conversation {
 public:
  explicit Conversation(uint64_t seed) : dice_(seed) {
    for (Side& side : sides_) side.Open(dice_.Below(2) == 0);
  }

  void Run() {
    for (int i = 0; i < 300; ++i) {
      Side& side = sides_[dice_.Below(2)];
      if (dice_.Below(2) == 0) {
        Say(side);
      } else {
        Deliver(side, 1 + dice_.Below(dice_.Below(3) == 0 ? 5000 : 9));
      }
    }
    while (!sides_[0].out.empty() || !sides_[1].out.empty()) {
      for (Side& side : sides_) Deliver(side, side.out.size());
    }
    for (const int i : {0, 1}) {
      EXPECT_EQ(absl::StrJoin(sides_[1 - i].heard.TakeMessages(), "\n"),
                absl::StrJoin(sides_[i].said, "\n"));
    }
  }

 private:
  struct Side {
    explicit Side(Role side_role) : role(side_role) {}

    void Open(bool stream_messages) {
      connection = std::make_unique<Connection>(
          ConnectionOptions{.role = role, .stream_messages = stream_messages}, heard);
    }

    const Role role;
    Recorder heard;
    std::unique_ptr<Connection> connection;
    std::string out;
    std::vector<std::string> said;
  };

  void Say(Side& side) {
    const std::string text(dice_.Below(dice_.Below(20) == 0 ? 70'000 : 300), 'x');
    switch (dice_.Below(4)) {
      case 0:
        EXPECT_THAT(side.connection->SendPing(text.substr(0, 125), side.out), IsOk());
        return;
      case 1:
        EXPECT_THAT(side.connection->SendMessage(MessageType::kText, text, side.out), IsOk());
        side.said.push_back(absl::StrCat("text ", text));
        return;
      default:
        EXPECT_THAT(side.connection->SendMessage(MessageType::kBinary, text, side.out), IsOk());
        side.said.push_back(absl::StrCat("binary ", text));
    }
  }

  // Gives the other side what this one has written.
  void Deliver(Side& side, size_t size) {
    Side& other = &side == &sides_[0] ? sides_[1] : sides_[0];
    EXPECT_THAT(other.connection->Receive(side.out.substr(0, size)), IsOk());
    side.out.erase(0, size);
    other.connection->Produce(other.out);
  }

  oracle::Dice dice_;
  std::array<Side, 2> sides_ = {Side(Role::kClient), Side(Role::kServer)};
};

TEST(ConnectionPropertyTest, BothSidesHearWhatTheOtherSays) {
  constexpr uint64_t kFirstSeed = 20'261'130;
  for (uint64_t seed = kFirstSeed; seed < kFirstSeed + 50; ++seed) {
    SCOPED_TRACE(seed);
    Conversation(seed).Run();
  }
}

// Whatever the pieces are, the events are the same and the peer is told the same.
TEST(ConnectionPropertyTest, AnyInputIsUnderstoodAlikeHoweverItIsCut) {
  constexpr uint64_t kFirstSeed = 20'261'131;
  for (uint64_t seed = kFirstSeed; seed < kFirstSeed + 2000; ++seed) {
    SCOPED_TRACE(seed);
    oracle::Dice dice(seed);
    std::string bytes;
    for (size_t n = dice.Below(6); n > 0; --n) {
      const std::vector<std::string> parts = {
          FromServer(Opcode::kBinary, "abc"),
          FromServer(Opcode::kText, "\xC3", false),
          FromServer(Opcode::kContinuation, "\xA9x", false),
          FromServer(Opcode::kContinuation, ""),
          FromServer(Opcode::kPing, "ping"),
          FromServer(Opcode::kPong, ""),
          FromServer(Opcode::kClose, "\x03\xE8why"),
          FromServer(Opcode::kBinary, std::string(200, 'y')),
          std::string(1, static_cast<char>(dice.Below(256))),
      };
      bytes += parts[dice.Below(parts.size())];
    }
    const auto outcome = [&bytes](oracle::Dice* cuts) {
      Recorder recorder;
      Connection client({.role = Role::kClient}, recorder);
      absl::Status status;
      for (size_t at = 0; at < bytes.size() && status.ok();) {
        const size_t size = cuts == nullptr ? bytes.size() : 1 + cuts->Below(4);
        status = client.Receive(bytes.substr(at, size));
        at += size;
      }
      return absl::StrCat(absl::StrJoin(recorder.Take(), "|"), " ", status.ToString(), " ",
                          absl::StrJoin(ReadAsServer(Produced(client)), "|"));
    };
    EXPECT_EQ(outcome(&dice), outcome(nullptr));
  }
}

}  // namespace
}  // namespace kube::websocket
