// Frames and connections against spdystream, which Kubernetes uses on both sides.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/spdy/connection.h"
#include "net/spdy/frame.h"
#include "net/spdy/frame_reader.h"
#include "net/spdy/frame_writer.h"
#include "net/spdy/testing/recorder.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"
#include "tests/oracle/oracle.h"

namespace kube::spdy {
namespace {

using base::IsOk;
using oracle::AskGo;
using oracle::Dice;
using oracle::GoCases;
using oracle::Hex;
using oracle::PrintSkipped;
using ::testing::AnyOf;

constexpr char kOracle[] = "spdy_oracle";
constexpr uint64_t kSeed = 20'261'150;

// ---- Frames as the Go program spells them

std::string Line(const http::Headers& headers) {
  std::vector<std::string> pairs;
  std::string last;
  for (const http::Header& header : headers) {
    if (!pairs.empty() && header.name == last) {
      absl::StrAppend(&pairs.back(), ",", Hex(header.value));
    } else {
      pairs.push_back(absl::StrCat(" ", Hex(header.name), "=", Hex(header.value)));
    }
    last = header.name;
  }
  std::sort(pairs.begin(), pairs.end());
  return absl::StrJoin(pairs, "");
}

int Flags(bool first, bool second = false) { return (first ? 1 : 0) | (second ? 2 : 0); }

struct Spell {
  std::string operator()(const SynStreamFrame& f) const {
    return absl::StrCat("SYN_STREAM ", f.stream_id, " ", f.associated_id, " ",
                        static_cast<int>(f.priority), " ", static_cast<int>(f.slot), " ",
                        Flags(f.fin, f.unidirectional), Line(f.headers));
  }
  std::string operator()(const SynReplyFrame& f) const {
    return absl::StrCat("SYN_REPLY ", f.stream_id, " ", Flags(f.fin), Line(f.headers));
  }
  std::string operator()(const HeadersFrame& f) const {
    return absl::StrCat("HEADERS ", f.stream_id, " ", Flags(f.fin), Line(f.headers));
  }
  std::string operator()(const RstStreamFrame& f) const {
    return absl::StrCat("RST_STREAM ", f.stream_id, " ", static_cast<uint32_t>(f.status));
  }
  std::string operator()(const SettingsFrame& f) const {
    std::string line = absl::StrCat("SETTINGS ", Flags(f.clear));
    for (const Setting& setting : f.settings) {
      absl::StrAppend(&line, " ", setting.id, ":", static_cast<int>(setting.flags), ":",
                      setting.value);
    }
    return line;
  }
  std::string operator()(const PingFrame& f) const { return absl::StrCat("PING ", f.id); }
  std::string operator()(const GoAwayFrame& f) const {
    return absl::StrCat("GOAWAY ", f.last_good_id, " ", static_cast<uint32_t>(f.status));
  }
  std::string operator()(const WindowUpdateFrame& f) const {
    return absl::StrCat("WINDOW_UPDATE ", f.stream_id, " ", f.delta);
  }
  std::string operator()(const DataPiece& piece) const {
    return absl::StrCat("DATA ", piece.stream_id, " ", Flags(piece.fin), " ", Hex(piece.data));
  }
};

// Frames of one direction of a connection. Headers are such as Kubernetes' and others, short and
// long, and repeat each other, as those of many streams do.
class FrameMaker {
 public:
  explicit FrameMaker(uint64_t seed) : dice_(seed) {}

  // Data refers to a text that lives as long as the maker.
  Frame Make() {
    const auto id = static_cast<StreamId>(1 + dice_.Below(kMaxStreamId));
    const bool fin = dice_.Below(3) == 0;
    switch (dice_.Below(11)) {
      case 0:
      case 1:
      case 2:
        return SynStreamFrame{.stream_id = id,
                              .associated_id = static_cast<StreamId>(dice_.Below(10)),
                              .priority = static_cast<uint8_t>(dice_.Below(8)),
                              .slot = static_cast<uint8_t>(dice_.Below(256)),
                              .fin = fin,
                              .unidirectional = dice_.Below(5) == 0,
                              .headers = Headers()};
      case 3:
        return SynReplyFrame{.stream_id = id, .fin = fin, .headers = Headers()};
      case 4:
        return HeadersFrame{.stream_id = id, .fin = fin, .headers = Headers()};
      case 5:
        return RstStreamFrame{.stream_id = id,
                              .status = static_cast<ResetStatus>(1 + dice_.Below(11))};
      case 6:
        return Settings();
      case 7:
        return PingFrame{.id = static_cast<uint32_t>(1 + dice_.Below(UINT32_MAX))};
      case 8:
        return GoAwayFrame{.last_good_id = id, .status = static_cast<GoAwayStatus>(dice_.Below(3))};
      case 9:
        return WindowUpdateFrame{.stream_id = id,
                                 .delta = static_cast<uint32_t>(dice_.Below(kMaxStreamId))};
      default:
        return DataPiece{.stream_id = id, .data = Data(), .fin = fin};
    }
  }

 private:
  http::Headers Headers() {
    http::Headers headers;
    for (const char* const name :
         {"streamtype", "port", "requestid", "content-type", "x-stream-protocol-version"}) {
      for (size_t n = dice_.Below(3); n > 0; --n) headers.Add(name, Value());
    }
    return headers;
  }

  std::string Value() {
    switch (dice_.Below(8)) {
      case 0:
        return std::string(dice_.Below(20'000), 'v');
      case 1: {
        std::string bytes(dice_.Below(100), '\0');
        for (char& byte : bytes) byte = static_cast<char>(1 + dice_.Below(255));
        return bytes;
      }
      default: {
        const std::vector<std::string> values = {
            "error", "data", "stdin", "stdout", "8080", "80", "v4.channel.k8s.io", ""};
        return values[dice_.Below(values.size())];
      }
    }
  }

  SettingsFrame Settings() {
    SettingsFrame frame = {.clear = dice_.Below(2) == 0};
    for (size_t n = dice_.Below(4); n > 0; --n) {
      frame.settings.push_back({.flags = static_cast<uint8_t>(dice_.Below(3)),
                                .id = static_cast<uint32_t>(dice_.Below(1 << 24)),
                                .value = static_cast<uint32_t>(dice_.Below(UINT32_MAX))});
    }
    return frame;
  }

  absl::string_view Data() {
    return absl::string_view(data_).substr(0, dice_.Below(dice_.Below(50) == 0 ? 70'000 : 200));
  }

  Dice dice_;
  const std::string data_ = std::string(70'000, 'd');
};

template <typename FrameT>
concept HasHeaders = requires(const FrameT& frame) {
  frame.headers;
};

void Write(const Frame& frame, FrameWriter& writer, std::string& out) {
  const auto write = [&writer, &out](const auto& kind) {
    if constexpr (HasHeaders<std::decay_t<decltype(kind)>>) {
      EXPECT_THAT(writer.Write(kind, out), IsOk());
    } else {
      AppendFrame(kind, out);
    }
  };
  std::visit(write, frame);
}

// Returns the lines of all frames that are read from bytes in random pieces.
std::string Read(absl::string_view bytes, Dice& dice) {
  FrameReader reader;
  std::vector<std::string> lines;
  std::string data;
  while (!bytes.empty()) {
    absl::string_view piece = bytes.substr(0, 1 + dice.Below(3000));
    bytes.remove_prefix(piece.size());
    while (true) {
      const absl::StatusOr<std::optional<Frame>> frame = reader.Next(piece);
      EXPECT_THAT(frame, IsOk());
      if (!frame.ok()) return std::string(frame.status().message());
      if (!frame->has_value()) break;
      const DataPiece* const part = std::get_if<DataPiece>(&**frame);
      if (part == nullptr) {
        lines.push_back(std::visit(Spell(), **frame));
        continue;
      }
      absl::StrAppend(&data, part->data);
      if (!part->ends_frame) continue;
      lines.push_back(
          Spell()(DataPiece{.stream_id = part->stream_id, .data = data, .fin = part->fin}));
      data.clear();
    }
  }
  return absl::StrJoin(lines, "\n");
}

TEST(SpdyDifferentialTest, GoReadsWhatIsWritten) {
  GoCases cases(kOracle);
  for (uint64_t seed = kSeed; seed < kSeed + 100; ++seed) {
    FrameMaker frames(seed);
    FrameWriter writer;
    std::string bytes;
    std::vector<std::string> lines;
    for (int i = 0; i < 150; ++i) {
      const Frame frame = frames.Make();
      Write(frame, writer, bytes);
      lines.push_back(std::visit(Spell(), frame));
    }
    cases.Add("read", bytes, absl::StrJoin(lines, "\n"));
  }
  cases.Check();
}

TEST(SpdyDifferentialTest, WhatGoWritesIsRead) {
  std::vector<oracle::GoQuestion> questions;
  for (uint64_t seed = kSeed + 1000; seed < kSeed + 1100; ++seed) {
    FrameMaker frames(seed);
    std::vector<std::string> lines;
    for (int i = 0; i < 150; ++i) lines.push_back(std::visit(Spell(), frames.Make()));
    questions.push_back({.function = "write", .text = absl::StrJoin(lines, "\n")});
  }
  const absl::StatusOr<std::vector<std::string>> answers = AskGo(kOracle, questions);
  if (PrintSkipped(answers.status())) GTEST_SKIP();
  ASSERT_THAT(answers, IsOk());
  for (size_t i = 0; i < questions.size(); ++i) {
    SCOPED_TRACE(kSeed + 1000 + i);
    Dice dice(i);
    EXPECT_EQ(Read(absl::HexStringToBytes((*answers)[i]), dice), questions[i].text);
  }
}

// ---- Connections

// A server of ours that sends back what each stream carries.
class Echo final : public Connection::Events {
 public:
  void OnStream(StreamId id, const http::Headers&) override {
    EXPECT_THAT(connection.Reply(id, out), IsOk());
  }
  void OnReply(StreamId, const http::Headers&) override {}
  void OnData(StreamId id, absl::string_view data) override {
    EXPECT_THAT(connection.SendData(id, data, out), IsOk());
  }
  void OnEnd(StreamId id) override { EXPECT_THAT(connection.Finish(id, out), IsOk()); }
  void OnReset(StreamId, ResetStatus) override {}
  void OnGoAway(StreamId, GoAwayStatus) override {}

  std::string out;
  Connection connection{{.role = Role::kServer}, *this};
};

// Data for streams; each is one write.
std::vector<std::string> Payloads(uint64_t seed, size_t count) {
  Dice dice(seed);
  std::vector<std::string> payloads;
  for (size_t i = 0; i < count; ++i) {
    payloads.push_back(std::string(1 + dice.Below(dice.Below(20) == 0 ? 30'000 : 300),
                                   static_cast<char>('a' + dice.Below(26))));
  }
  return payloads;
}

StreamId IdOf(size_t i) { return static_cast<StreamId>(2 * i + 1); }

// Returns what a client of ours writes that opens a stream for each payload and sends it. The data
// waits for the replies, which a server of ours gives: they are the same for any server.
std::string WrittenByClient(const std::vector<std::string>& payloads) {
  Recorder recorder;
  Connection client({.role = Role::kClient}, recorder);
  std::string streams;
  for (size_t i = 0; i < payloads.size(); ++i) {
    const http::Headers headers = {{"streamtype", "data"}, {"requestid", absl::StrCat(i)}};
    EXPECT_THAT(client.OpenStream(headers, streams), IsOk());
  }
  Echo server;
  EXPECT_THAT(server.connection.Receive(streams), IsOk());
  EXPECT_THAT(client.Receive(server.out), IsOk());
  std::string data;
  for (size_t i = 0; i < payloads.size(); ++i) {
    EXPECT_THAT(client.SendData(IdOf(i), payloads[i], data), IsOk());
    EXPECT_THAT(client.Finish(IdOf(i), data), IsOk());
  }
  return streams + data;
}

// The server of spdystream answers streams in whatever order.
TEST(SpdyDifferentialTest, ClientTalksToAServerOfGo) {
  const std::vector<std::string> payloads = Payloads(kSeed + 2000, 150);
  const std::vector<oracle::GoQuestion> questions = {
      {.function = "serve",
       .text = absl::StrCat(payloads.size(), "\n", WrittenByClient(payloads))}};
  const absl::StatusOr<std::vector<std::string>> answers = AskGo(kOracle, questions);
  if (PrintSkipped(answers.status())) GTEST_SKIP();
  ASSERT_THAT(answers, IsOk());
  // A client whose streams wait for the replies.
  Recorder recorder;
  Connection connection({.role = Role::kClient}, recorder);
  std::string out;
  for (size_t i = 0; i < payloads.size(); ++i) {
    ASSERT_THAT(connection.OpenStream({}, out), IsOk());
  }
  ASSERT_THAT(connection.Receive(absl::HexStringToBytes(answers->front())), IsOk());
  for (size_t i = 0; i < payloads.size(); ++i) {
    EXPECT_EQ(recorder.data(IdOf(i)), payloads[i]) << i;
    EXPECT_TRUE(recorder.ended(IdOf(i))) << i;
    EXPECT_THAT(connection.Finish(IdOf(i), out), IsOk());
  }
  EXPECT_EQ(connection.open_streams(), 0u);
}

TEST(SpdyDifferentialTest, ServerTalksToAClientOfGo) {
  const std::vector<std::string> payloads = Payloads(kSeed + 2001, 150);
  // What a server answers to these streams, which either side may open: first the replies, then the
  // data.
  Echo known;
  FrameWriter writer;
  std::string streams;
  for (size_t i = 0; i < payloads.size(); ++i) {
    ASSERT_THAT(writer.Write(SynStreamFrame{.stream_id = IdOf(i)}, streams), IsOk());
    AppendFrame(DataPiece{.stream_id = IdOf(i), .data = payloads[i], .fin = true}, streams);
  }
  ASSERT_THAT(known.connection.Receive(streams), IsOk());
  std::vector<std::string> digits;
  for (const std::string& payload : payloads) digits.push_back(Hex(payload));
  const std::vector<oracle::GoQuestion> questions = {
      {.function = "dial", .text = absl::StrCat(absl::StrJoin(digits, " "), "\n", known.out)}};
  const absl::StatusOr<std::vector<std::string>> answers = AskGo(kOracle, questions);
  if (PrintSkipped(answers.status())) GTEST_SKIP();
  ASSERT_THAT(answers, IsOk());
  const std::vector<std::string> words = absl::StrSplit(answers->front(), ' ');
  ASSERT_EQ(words.size(), payloads.size() + 1);
  for (size_t i = 0; i < payloads.size(); ++i) EXPECT_EQ(words[i + 1], digits[i]) << i;
  // A server of ours understands that client.
  Recorder recorder;
  Connection server({.role = Role::kServer}, recorder);
  ASSERT_THAT(server.Receive(absl::HexStringToBytes(words[0])), IsOk());
  for (size_t i = 0; i < payloads.size(); ++i) {
    EXPECT_EQ(recorder.data(IdOf(i)), payloads[i]) << i;
    EXPECT_TRUE(recorder.ended(IdOf(i))) << i;
  }
  // Go's headers have no order.
  EXPECT_THAT(recorder.Take().front(), AnyOf("stream 1 requestid=0 streamtype=data",
                                             "stream 1 streamtype=data requestid=0"));
}

}  // namespace
}  // namespace kube::spdy
