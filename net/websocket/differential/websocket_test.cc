// Frames and handshakes against the code of Kubernetes: gorilla/websocket, which client-go uses,
// and k8s.io/streaming over golang.org/x/net/websocket, which the server uses.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/io/big_endian.h"
#include "net/websocket/close.h"
#include "net/websocket/connection.h"
#include "net/websocket/frame.h"
#include "net/websocket/frame_reader.h"
#include "net/websocket/handshake.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"
#include "tests/oracle/oracle.h"

namespace kube::websocket {
namespace {

using base::IsOk;
using oracle::AskGo;
using oracle::Dice;
using oracle::ErrorAnswer;
using oracle::GoCases;
using oracle::GoQuestion;
using oracle::Hex;
using oracle::PrintSkipped;

constexpr char kOracle[] = "websocket_oracle";
constexpr uint64_t kSeed = 20'261'140;

// gorilla/websocket has no limits here.
constexpr FrameLimits kNoLimits = {.max_frame_bytes = UINT64_MAX, .max_message_bytes = UINT64_MAX};

// What the Go program calls events.
class Events final : public Connection::Events {
 public:
  void OnMessage(const Message& message) override {
    Add(message.type == MessageType::kText ? "text" : "binary", message.data);
  }
  void OnClose(const Close&) override {}
  void OnPing(absl::string_view payload) override { Add("ping", payload); }
  void OnPong(absl::string_view payload) override { Add("pong", payload); }

  std::vector<std::string> events;

 private:
  void Add(absl::string_view what, absl::string_view payload) {
    events.push_back(absl::StrCat(what, " ", Hex(payload)));
  }
};

// Returns the frames of a client as a server would write them.
std::string Unmasked(absl::string_view bytes) {
  FrameReader reader(Role::kServer, kNoLimits);
  std::string out;
  std::string payload;
  while (true) {
    const absl::StatusOr<std::optional<FramePiece>> piece = reader.Next(bytes);
    EXPECT_THAT(piece, IsOk());
    if (!piece.ok() || !piece->has_value()) return out;
    absl::StrAppend(&payload, (*piece)->payload);
    if (!(*piece)->ends) continue;
    AppendFrame({.opcode = (*piece)->opcode, .fin = (*piece)->fin}, payload, out);
    payload.clear();
  }
}

// Returns what a connection of ours makes of bytes that arrive one by one: gorilla/websocket
// answers each ping.
std::string Read(Role role, absl::string_view bytes) {
  Events events;
  Connection connection({.role = role, .limits = kNoLimits}, events);
  std::string out;
  absl::Status status;
  for (size_t at = 0; at < bytes.size() && status.ok(); ++at) {
    status = connection.Receive(bytes.substr(at, 1));
    connection.Produce(out);
  }
  if (connection.close_received().has_value()) {
    status = MakeClosedError(*connection.close_received());
  } else if (status.ok()) {
    status = connection.EndOfInput();
  }
  events.events.push_back(std::string(status.message()));
  return absl::StrCat(absl::StrJoin(events.events, ";"),
                      " out=", Hex(role == Role::kClient ? Unmasked(out) : out));
}

std::string Letters(Dice& dice, size_t size) {
  std::string text(size, 'x');
  for (char& c : text) c = static_cast<char>('a' + dice.Below(26));
  return text;
}

MaskKey RandomKey(Dice& dice) {
  MaskKey key;
  for (char& byte : key) byte = static_cast<char>(dice.Below(256));
  return key;
}

// Returns the payload of a close frame, whose code may be one that no frame may have. Left out is
// what Go does not read as the RFC has it: a payload of one byte, the codes 1012, 1013 and 1014,
// and reasons that are not UTF-8.
std::string ClosePayload(Dice& dice) {
  if (dice.Below(5) == 0) return "";
  constexpr int kCodes[] = {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 4000,
                            4999, 999,  1004, 1005, 1006, 1015, 1016, 2000, 2999, 5000, 65'535};
  std::string payload;
  io::AppendBigEndian(static_cast<uint64_t>(kCodes[dice.Below(std::size(kCodes))]), 2, payload);
  return payload + Letters(dice, dice.Below(20));
}

// The frames of one side, most of them valid, with texts of letters only.
class FrameMaker {
 public:
  FrameMaker(uint64_t seed, Role sender) : dice_(seed), sender_(sender) {}

  std::string Make() {
    std::string bytes;
    in_message_ = false;
    for (size_t n = 1 + dice_.Below(8); n > 0; --n) AppendOne(bytes);
    if (dice_.Below(4) == 0) bytes.resize(dice_.Below(bytes.size()));
    return bytes;
  }

 private:
  void AppendOne(std::string& bytes) {
    FrameHeader header = RandomHeader();
    if ((sender_ == Role::kClient) != (dice_.Below(40) == 0)) header.mask = RandomKey(dice_);
    const size_t begin = bytes.size();
    // The first byte may be any.
    uint8_t first = static_cast<uint8_t>(header.opcode) | (header.fin ? 0x80 : 0);
    if (dice_.Below(25) == 0) first = static_cast<uint8_t>(dice_.Below(256));
    AppendFrame(header, Payload(first), bytes);
    bytes[begin] = static_cast<char>(first);
  }

  FrameHeader RandomHeader() {
    switch (dice_.Below(12)) {
      case 0:
        return {.opcode = Opcode::kClose};
      case 1:
      case 2:
        return {.opcode = Opcode::kPing};
      case 3:
        return {.opcode = Opcode::kPong};
      default: {
        const bool fin = dice_.Below(2) == 0;
        const Opcode begin = dice_.Below(2) == 0 ? Opcode::kText : Opcode::kBinary;
        const Opcode opcode = std::exchange(in_message_, !fin) ? Opcode::kContinuation : begin;
        return {.opcode = opcode, .fin = fin};
      }
    }
  }

  std::string Payload(uint8_t first) {
    const int opcode = first & 0x0f;
    if (opcode == static_cast<int>(Opcode::kClose)) return ClosePayload(dice_);
    if (opcode >= 8) return Letters(dice_, dice_.Below(20) == 0 ? 200 : dice_.Below(126));
    return Letters(dice_, dice_.Below(200) == 0 ? 70'000 : dice_.Below(300));
  }

  Dice dice_;
  const Role sender_;
  bool in_message_ = false;
};

void CheckReading(absl::string_view function, Role reader, uint64_t seed) {
  SCOPED_TRACE(seed);
  GoCases cases(kOracle);
  FrameMaker frames(seed, reader == Role::kServer ? Role::kClient : Role::kServer);
  for (int i = 0; i < 2000; ++i) {
    const std::string bytes = frames.Make();
    cases.Add(function, bytes, Read(reader, bytes));
  }
  cases.Check();
}

TEST(WebSocketDifferentialTest, ServerReadsAsGo) {
  CheckReading("read_as_server", Role::kServer, kSeed);
}

TEST(WebSocketDifferentialTest, ClientReadsAsGo) {
  CheckReading("read_as_client", Role::kClient, kSeed + 1);
}

// ---- What one side writes, the other one reads

// Messages, as they are read, and ways to write them.
class Conversation {
 public:
  explicit Conversation(uint64_t seed) : dice_(seed) {
    for (size_t n = dice_.Below(12); n > 0; --n) AddOne();
    if (dice_.Below(2) == 0) AddClose();
  }

  // Steps for the Go program. Control frames may stand inside a message.
  const std::vector<std::string>& steps() const { return steps_; }
  const std::vector<std::string>& events() const { return events_; }

  // Writes the messages with a connection of ours.
  std::string Write(Role role) const {
    Events unheard;
    Connection connection({.role = role}, unheard);
    std::string out;
    for (const std::string& event : events_) {
      const std::pair<std::string, std::string> parts =
          absl::StrSplit(event, absl::MaxSplits(' ', 1));
      const std::string payload = absl::HexStringToBytes(parts.second);
      if (parts.first == "ping") {
        EXPECT_THAT(connection.SendPing(payload, out), IsOk());
      } else if (parts.first != "pong") {  // nobody sends it unasked
        const MessageType type = parts.first == "text" ? MessageType::kText : MessageType::kBinary;
        EXPECT_THAT(connection.SendMessage(type, payload, out), IsOk());
      }
    }
    if (!close_.has_value()) return out;
    EXPECT_THAT(connection.SendClose(*close_, out), IsOk());
    return out;
  }

  // What a reader that answers nothing sees in the end.
  std::string End() const {
    return std::string(MakeClosedError(close_.value_or(Close{.code = CloseCode::kAbnormal,
                                                             .reason = "unexpected EOF"}))
                           .message());
  }

 private:
  void AddOne() {
    if (dice_.Below(3) == 0) return AddControl();
    const std::string type = dice_.Below(2) == 0 ? "text" : "binary";
    steps_.push_back(type);
    std::string message;
    for (size_t parts = dice_.Below(4); parts > 0; --parts) {
      const std::string part = Letters(dice_, dice_.Below(30) == 0 ? 70'000 : dice_.Below(400));
      steps_.push_back(absl::StrCat("part ", Hex(part)));
      message += part;
      if (dice_.Below(4) == 0) AddControl();
    }
    steps_.push_back("end");
    events_.push_back(absl::StrCat(type, " ", Hex(message)));
  }

  void AddControl() {
    const std::string control = absl::StrCat(dice_.Below(2) == 0 ? "ping " : "pong ",
                                             Hex(Letters(dice_, dice_.Below(126))));
    steps_.push_back(control);
    events_.push_back(control);
  }

  void AddClose() {
    close_ = Close{.code = CloseCode::kGoingAway, .reason = Letters(dice_, dice_.Below(124))};
    std::string payload;
    io::AppendBigEndian(static_cast<uint16_t>(close_->code), 2, payload);
    steps_.push_back(absl::StrCat("close ", Hex(payload + close_->reason)));
  }

  Dice dice_;
  std::vector<std::string> steps_;
  std::vector<std::string> events_;
  std::optional<Close> close_;
};

void CheckWritingOfGo(absl::string_view function, Role reader, uint64_t first_seed) {
  std::vector<GoQuestion> questions;
  std::vector<Conversation> conversations;
  for (uint64_t seed = first_seed; seed < first_seed + 500; ++seed) {
    const Conversation& conversation = conversations.emplace_back(seed);
    if (conversation.steps().empty()) {
      conversations.pop_back();
      continue;
    }
    questions.push_back(
        {.function = std::string(function), .text = absl::StrJoin(conversation.steps(), "\n")});
  }
  const absl::StatusOr<std::vector<std::string>> answers = AskGo(kOracle, questions);
  if (PrintSkipped(answers.status())) GTEST_SKIP();
  ASSERT_THAT(answers, IsOk());
  Dice dice(first_seed);
  for (size_t i = 0; i < questions.size(); ++i) {
    const std::string bytes = absl::HexStringToBytes((*answers)[i]);
    Events events;
    Connection connection({.role = reader, .limits = kNoLimits}, events);
    for (size_t at = 0; at < bytes.size();) {
      const std::string piece = bytes.substr(at, 1 + dice.Below(1000));
      ASSERT_THAT(connection.Receive(piece), IsOk());
      at += piece.size();
    }
    const absl::Status end = connection.EndOfInput();
    EXPECT_EQ(absl::StrJoin(events.events, ";"), absl::StrJoin(conversations[i].events(), ";"));
    const absl::Status wanted = connection.close_received().has_value()
                                    ? MakeClosedError(*connection.close_received())
                                    : end;
    EXPECT_EQ(wanted.message(), conversations[i].End());
  }
}

TEST(WebSocketDifferentialTest, ClientReadsWhatGoWrites) {
  CheckWritingOfGo("write_as_server", Role::kClient, kSeed + 1000);
}

TEST(WebSocketDifferentialTest, ServerReadsWhatGoWrites) {
  CheckWritingOfGo("write_as_client", Role::kServer, kSeed + 2000);
}

// Pings are answered, and a close frame by its code.
std::string Answers(const std::vector<std::string>& events, absl::string_view end) {
  std::string out;
  for (const std::string& event : events) {
    if (!absl::StartsWith(event, "ping ")) continue;
    AppendFrame({.opcode = Opcode::kPong}, absl::HexStringToBytes(event.substr(5)), out);
  }
  if (!absl::StrContains(end, "1006")) {
    std::string payload;
    io::AppendBigEndian(static_cast<uint16_t>(CloseCode::kGoingAway), 2, payload);
    AppendFrame({.opcode = Opcode::kClose}, payload, out);
  }
  return out;
}

void CheckWritingForGo(absl::string_view function, Role writer, uint64_t first_seed) {
  GoCases cases(kOracle);
  for (uint64_t seed = first_seed; seed < first_seed + 500; ++seed) {
    const Conversation conversation(seed);
    std::vector<std::string> events;
    for (const std::string& event : conversation.events()) {
      if (!absl::StartsWith(event, "pong ")) events.push_back(event);
    }
    const std::string answers = Answers(events, conversation.End());
    events.push_back(conversation.End());
    cases.Add(function, conversation.Write(writer),
              absl::StrCat(absl::StrJoin(events, ";"), " out=", Hex(answers)));
  }
  cases.Check();
}

TEST(WebSocketDifferentialTest, GoReadsWhatAClientWrites) {
  CheckWritingForGo("read_as_server", Role::kClient, kSeed + 3000);
}

TEST(WebSocketDifferentialTest, GoReadsWhatAServerWrites) {
  CheckWritingForGo("read_as_client", Role::kServer, kSeed + 4000);
}

// ---- Handshakes

std::string RequestText(absl::string_view method, const http::Headers& headers) {
  std::string text = absl::StrCat(method, " /exec HTTP/1.1\r\nHost: host\r\n");
  for (const http::Header& header : headers) {
    absl::StrAppend(&text, header.name, ": ", header.value, "\r\n");
  }
  return absl::StrCat(text, "\r\n");
}

std::string AnswerText(absl::string_view method, const http::Headers& request) {
  // Go's server refuses what is not a handshake, too.
  if (!IsHandshake(request)) return "400";
  const std::vector<std::string> known = {"", "v4.channel.k8s.io", "v5.channel.k8s.io"};
  const HandshakeAnswer answer = AnswerHandshake(method, request, known);
  if (answer.status != 101) return absl::StrCat(answer.status);
  return absl::StrCat("101 ", answer.headers.Get("Sec-WebSocket-Accept").value_or(""), " ",
                      answer.subprotocol);
}

TEST(WebSocketDifferentialTest, RequestsAreAnsweredAsByAKubernetesServer) {
  GoCases cases(kOracle);
  const auto add = [&cases](absl::string_view method, const http::Headers& request) {
    cases.Add("answer", RequestText(method, request), AnswerText(method, request));
  };
  // Those of our client.
  for (const std::vector<std::string>& offered : std::vector<std::vector<std::string>>{
           {},
           {"v5.channel.k8s.io"},
           {"v4.channel.k8s.io", "v5.channel.k8s.io"},
           {"v3.channel.k8s.io", "v5.channel.k8s.io", "v4.channel.k8s.io"},
           {"v3.channel.k8s.io"},
           {"SPDY/3.1+portforward.k8s.io"}}) {
    add("GET", MakeClientHandshake(offered).value().RequestHeaders());
  }
  const http::Headers right = MakeClientHandshake({}).value().RequestHeaders();
  add("POST", right);
  const auto changed = [&right](absl::string_view name, absl::string_view value) {
    http::Headers headers = right;
    headers.Set(name, value);
    return headers;
  };
  add("GET", changed("Connection", "keep-alive, Upgrade"));
  add("GET", changed("Connection", "close"));
  add("GET", changed("Upgrade", "WebSocket"));
  add("GET", changed("Upgrade", "SPDY/3.1"));
  add("GET", changed("Sec-WebSocket-Version", "8"));
  add("GET", changed("Sec-WebSocket-Key", ""));
  add("GET", changed("Sec-WebSocket-Protocol", " v5.channel.k8s.io ,v4.channel.k8s.io"));
  add("GET", changed("Sec-WebSocket-Protocol", "V5.channel.k8s.io"));
  cases.Check();
}

// A client that offers two subprotocols reads an answer, in which {accept} stands for the right
// one.
std::string CheckText(int status, const http::Headers& answer) {
  const ClientHandshake handshake =
      MakeClientHandshake({"v5.channel.k8s.io", "v4.channel.k8s.io"}).value();
  const std::string accept = AcceptOf(*handshake.RequestHeaders().Get("Sec-WebSocket-Key"));
  http::Headers headers;
  for (const http::Header& header : answer) {
    headers.Add(header.name, absl::StrReplaceAll(header.value, {{"{accept}", accept}}));
  }
  const absl::StatusOr<std::string> chosen = handshake.CheckResponse(status, headers);
  if (chosen.ok()) return *chosen;
  // Go does not say what is wrong with a 101.
  return absl::IsDataLoss(chosen.status()) ? GoCases::kError : ErrorAnswer(chosen.status());
}

TEST(WebSocketDifferentialTest, AnswersAreCheckedAsByClientGo) {
  GoCases cases(kOracle);
  const auto add = [&cases](int status, const http::Headers& answer) {
    std::string text = absl::StrCat("HTTP/1.1 ", status, " ", http::StatusText(status), "\r\n");
    for (const http::Header& header : answer) {
      absl::StrAppend(&text, header.name, ": ", header.value, "\r\n");
    }
    cases.Add("check", absl::StrCat(text, "\r\n"), CheckText(status, answer));
  };
  const http::Headers right = {{"Upgrade", "websocket"},
                               {"Connection", "Upgrade"},
                               {"Sec-WebSocket-Accept", "{accept}"},
                               {"Sec-WebSocket-Protocol", "v4.channel.k8s.io"}};
  const auto changed = [&right](absl::string_view name, absl::string_view value) {
    http::Headers headers = right;
    headers.Set(name, value);
    return headers;
  };
  const auto without = [&right](absl::string_view name) {
    http::Headers headers = right;
    headers.Remove(name);
    return headers;
  };
  add(101, right);
  add(101, changed("Sec-WebSocket-Protocol", "v5.channel.k8s.io"));
  add(101, changed("Sec-WebSocket-Protocol", "v3.channel.k8s.io"));
  add(101, changed("Sec-WebSocket-Protocol", "V5.channel.k8s.io"));
  add(101, without("Sec-WebSocket-Protocol"));
  add(101, changed("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
  add(101, without("Sec-WebSocket-Accept"));
  add(101, changed("Upgrade", "WebSocket"));
  add(101, changed("Upgrade", "x, websocket"));
  add(101, changed("Upgrade", "websockets"));
  add(101, without("Upgrade"));
  add(101, changed("Connection", "keep-alive, UPGRADE"));
  add(101, changed("Connection", "keep-alive"));
  add(101, without("Connection"));
  for (const int status : {200, 302, 400, 401, 403, 404, 500, 502, 503}) add(status, right);
  cases.Check();
}

}  // namespace
}  // namespace kube::websocket
