#include "net/spdy/frame_reader.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/spdy/frame.h"
#include "net/spdy/frame_writer.h"
#include "tests/dice.h"

namespace kube::spdy {
namespace {

using base::IsOk;
using base::StatusIs;
using ::testing::IsEmpty;

std::string Bytes(absl::string_view hex) { return absl::HexStringToBytes(hex); }

// The texts of frames. Pieces of one frame of data are joined.
class Frames {
 public:
  explicit Frames(const Limits& limits = {}) : reader_(limits) {}

  // Reads all bytes, or up to an error.
  absl::Status Read(absl::string_view bytes) {
    FrameReader& reader = reader_;
    while (true) {
      const absl::StatusOr<std::optional<Frame>> frame = reader.Next(bytes);
      if (!frame.ok()) return frame.status();
      if (!frame->has_value()) break;  // all bytes are read
      Handle(**frame);
    }
    EXPECT_EQ(bytes, "");
    return absl::OkStatus();
  }

  std::vector<std::string> Take() { return std::exchange(frames_, {}); }

 private:
  void Handle(const Frame& frame) {
    const DataPiece* const piece = std::get_if<DataPiece>(&frame);
    if (piece == nullptr) {
      frames_.push_back(ToString(frame));
      return;
    }
    absl::StrAppend(&data_, piece->data);
    EXPECT_TRUE(piece->ends_frame || !piece->fin);
    if (!piece->ends_frame) return;
    frames_.push_back(absl::StrCat("DATA ", piece->stream_id, piece->fin ? " fin " : " ",
                                   std::exchange(data_, "")));
  }

  FrameReader reader_;
  std::vector<std::string> frames_;
  std::string data_;
};

struct Row {
  std::string name;
  std::string hex;
  std::vector<std::string> frames;
};

// behaviour.md: ST-81
TEST(FrameReaderTest, FramesWithoutHeadersAreRead) {
  for (const Row& row : std::vector<Row>{
           {"reset", "80030003000000080000000500000005", {"RST_STREAM 5 status 5"}},
           {"reset with a status of the future",
            "80030003000000080000000500000063",
            {"RST_STREAM 5 status 99"}},
           {"reset with flags", "80030003ff0000080000000500000005", {"RST_STREAM 5 status 5"}},
           {"settings",
            "80030004000000140000000200000004000000640100000700000002",
            {"SETTINGS 4=100 7=2/1"}},
           {"no settings", "800300040100000400000000", {"SETTINGS clear"}},
           {"ping", "800300060000000400000007", {"PING 7"}},
           {"ping with all bits", "8003000600000004ffffffff", {"PING 4294967295"}},
           {"goaway", "80030007000000080000000900000002", {"GOAWAY 9 status 2"}},
           {"goaway at the beginning", "80030007000000080000000000000000", {"GOAWAY 0 status 0"}},
           {"window update", "8003000900000008000000017fffffff", {"WINDOW_UPDATE 1 by 2147483647"}},
           {"data", "0000000100000003616263", {"DATA 1 abc"}},
           {"last data", "0000000101000003616263", {"DATA 1 fin abc"}},
           {"end", "0000000101000000", {"DATA 1 fin "}},
           {"no data", "0000000100000000", {"DATA 1 "}},
           {"data with other flags", "00000001fe00000161", {"DATA 1 a"}},
           {"reserved bit of an id", "80030003000000088000000500000005", {"RST_STREAM 5 status 5"}},
           {"several",
            "800300060000000400000001000000010000000161800300060000000400000003",
            {"PING 1", "DATA 1 a", "PING 3"}},
       }) {
    const std::string bytes = Bytes(row.hex);
    for (size_t piece = 1; piece <= bytes.size(); ++piece) {
      SCOPED_TRACE(absl::StrCat(row.name, " by ", piece));
      Frames frames;
      for (size_t at = 0; at < bytes.size(); at += piece) {
        ASSERT_THAT(frames.Read(bytes.substr(at, piece)), IsOk());
      }
      EXPECT_EQ(frames.Take(), row.frames);
    }
  }
}

TEST(FrameReaderTest, IncompleteFramesWait) {
  for (const std::string hex : {"", "80", "80030006000000", "8003000600000004",
                                "80030006000000040000", "00000001000000", "0000000100000003"}) {
    Frames frames;
    EXPECT_THAT(frames.Read(Bytes(hex)), IsOk()) << hex;
    EXPECT_THAT(frames.Take(), IsEmpty()) << hex;
  }
}

TEST(FrameReaderTest, DataComesAsItArrives) {
  FrameReader reader;
  const std::string bytes = Bytes("0000000101000003616263");
  absl::string_view first = absl::string_view(bytes).substr(0, 9);
  const auto a = reader.Next(first);
  ASSERT_THAT(a, IsOk());
  EXPECT_EQ(*a, Frame(DataPiece{.stream_id = 1, .data = "a", .ends_frame = false}));
  absl::string_view rest = absl::string_view(bytes).substr(9);
  const auto b = reader.Next(rest);
  ASSERT_THAT(b, IsOk());
  EXPECT_EQ(*b, Frame(DataPiece{.stream_id = 1, .data = "bc", .fin = true}));
}

// ---- Headers

struct HeadersRow {
  std::string name;
  http::Headers headers;
};

std::vector<HeadersRow> HeadersRows() {
  return {
      {"none", {}},
      {"of exec", {{"streamtype", "stdout"}}},
      {"of port-forward", {{"streamtype", "data"}, {"port", "8080"}, {"requestid", "17"}}},
      {"several values", {{"a", "1"}, {"a", ""}, {"a", "2"}}},
      {"a long value", {{"a", std::string(100'000, 'x')}}},
  };
}

TEST(FrameReaderTest, FramesWithHeadersComeBackAsTheyWere) {
  for (const HeadersRow& row : HeadersRows()) {
    for (const bool flag : {false, true}) {
      const SynStreamFrame stream = {.stream_id = 1,
                                     .associated_id = 2,
                                     .priority = 5,
                                     .slot = 6,
                                     .fin = flag,
                                     .unidirectional = !flag,
                                     .headers = row.headers};
      const SynReplyFrame reply = {.stream_id = 2, .fin = flag, .headers = row.headers};
      const HeadersFrame more = {.stream_id = 3, .fin = flag, .headers = row.headers};
      FrameWriter writer;
      std::string out;
      ASSERT_THAT(writer.Write(stream, out), IsOk());
      ASSERT_THAT(writer.Write(reply, out), IsOk());
      ASSERT_THAT(writer.Write(more, out), IsOk());
      for (const size_t piece : {size_t{1}, size_t{13}, out.size()}) {
        SCOPED_TRACE(absl::StrCat(row.name, " by ", piece));
        FrameReader reader;
        std::vector<Frame> frames;
        for (size_t at = 0; at < out.size(); at += piece) {
          absl::string_view bytes = absl::string_view(out).substr(at, piece);
          while (true) {
            const auto frame = reader.Next(bytes);
            ASSERT_THAT(frame, IsOk());
            if (!frame->has_value()) break;
            frames.push_back(**frame);
          }
        }
        ASSERT_EQ(frames.size(), 3u);
        EXPECT_EQ(frames[0], Frame(stream));
        EXPECT_EQ(frames[1], Frame(reply));
        EXPECT_EQ(frames[2], Frame(more));
      }
    }
  }
}

// ---- Mistakes

struct Mistake {
  std::string name;
  std::string hex;
  std::string message;
  absl::StatusCode code = absl::StatusCode::kDataLoss;
};

// behaviour.md: ST-83
TEST(FrameReaderTest, MistakesEndTheConnection) {
  const std::string invalid = "spdy: invalid control frame";
  const std::string zero = "spdy: stream id zero is disallowed";
  const std::string incorrect = "spdy: compressed payload size was incorrect";
  for (const Mistake& row : std::vector<Mistake>{
           {"version 2", "8002000600000004", "spdy: unsupported version 2"},
           {"version 4", "8004000600000004", "spdy: unsupported version 4"},
           {"type 0", "8003000000000000", "spdy: unknown frame type 0"},
           {"NOOP", "8003000500000000", "spdy: unknown frame type 5"},
           {"CREDENTIAL", "8003000a00000000", "spdy: unknown frame type 10"},
           {"data of stream 0", "0000000000000003", zero},
           {"reset of stream 0", "80030003000000080000000000000005", zero},
           {"reset without a status", "80030003000000080000000500000000", invalid},
           {"short reset", "800300030000000400000005", invalid},
           {"long reset", "8003000300000009000000050000000500", invalid},
           {"settings without a number", "8003000400000003000000", invalid},
           {"fewer settings", "800300040000000c000000020000000400000064", invalid},
           {"more settings", "800300040000000c000000000000000400000064", invalid},
           {"very many settings", "8003000400000004ffffffff", invalid},
           {"ping 0", "800300060000000400000000", zero},
           {"ping with flags", "800300060100000400000001", invalid},
           {"long ping", "80030006000000080000000100000001", invalid},
           {"goaway with flags", "80030007010000080000000000000000", invalid},
           {"goaway of SPDY/2", "800300070000000400000000", invalid},
           {"window update with flags", "80030009010000080000000100000001", invalid},
           {"short window update", "800300090000000400000001", invalid},
           {"short stream", "8003000100000009000000010000000000", invalid},
           {"short reply", "8003000200000003000000", invalid},
           {"short headers", "8003000800000003000000", invalid},
           {"stream without headers", "800300010000000a00000001000000000000", incorrect},
           {"headers that are not compressed", "80030002000000080000000100000000",
            "spdy: headers are not compressed"},
           {"long control frame", "8003000100400001", "spdy: control frame too long",
            absl::StatusCode::kResourceExhausted},
       }) {
    const std::string bytes = Bytes(row.hex);
    for (const size_t piece : {size_t{1}, bytes.size()}) {
      SCOPED_TRACE(absl::StrCat(row.name, " by ", piece));
      Frames frames;
      absl::Status status;
      for (size_t at = 0; at < bytes.size() && status.ok(); at += piece) {
        status = frames.Read(bytes.substr(at, piece));
      }
      EXPECT_THAT(status, StatusIs(row.code, row.message));
      EXPECT_THAT(frames.Take(), IsEmpty());
      // It is final.
      EXPECT_EQ(frames.Read(Bytes("800300060000000400000007")), status);
    }
  }
}

TEST(FrameReaderTest, FramesWithHeadersOfStreamZeroAreRefused) {
  const auto refused = [](const auto& frame) {
    FrameWriter writer;
    std::string out;
    EXPECT_THAT(writer.Write(frame, out), IsOk());
    EXPECT_THAT(Frames().Read(out),
                StatusIs(absl::StatusCode::kDataLoss, "spdy: stream id zero is disallowed"));
  };
  refused(SynStreamFrame{});
  refused(SynReplyFrame{});
  refused(HeadersFrame{});
}

TEST(FrameReaderTest, LimitsOfHeadersHold) {
  const http::Headers headers = {{"a", std::string(1000, 'x')}, {"b", "1"}};
  FrameWriter writer;
  std::string out;
  ASSERT_THAT(writer.Write(SynReplyFrame{.stream_id = 1, .headers = headers}, out), IsOk());
  struct LimitsRow {
    std::string name;
    Limits limits;
    std::string message;
  };
  for (const LimitsRow& row : std::vector<LimitsRow>{
           {"number", {.max_headers = 1}, "spdy: too many headers"},
           {"size", {.max_header_bytes = 999}, "spdy: header too long"},
           {"block", {.max_block_bytes = 1000}, "spdy: headers too long"},
           {"frame", {.max_control_bytes = 20}, "spdy: control frame too long"},
       }) {
    EXPECT_THAT(Frames(row.limits).Read(out),
                StatusIs(absl::StatusCode::kResourceExhausted, row.message))
        << row.name;
  }
  EXPECT_THAT(Frames({.max_headers = 2, .max_header_bytes = 1000}).Read(out), IsOk());
}

// What spdystream limits by default.
// behaviour.md: ST-83
TEST(FrameReaderTest, LimitsOfSpdystreamAreReached) {
  http::Headers many;
  for (int i = 0; i < 1000; ++i) many.Add(absl::StrCat("name-", i), "value");
  const http::Headers large = {{std::string(1 << 20, 'n'), std::string(1 << 20, 'v')}};
  for (const http::Headers& headers : {many, large}) {
    FrameWriter writer;
    std::string out;
    ASSERT_THAT(writer.Write(SynStreamFrame{.stream_id = 1, .headers = headers}, out), IsOk());
    EXPECT_THAT(Frames().Read(out), IsOk());
  }
}

// ---- Properties

// The lines of one name stand together, as they are read.
http::Headers RandomHeaders(oracle::Dice& dice) {
  http::Headers headers;
  for (const char* const name : {"streamtype", "port", "x", "content-type"}) {
    for (size_t n = dice.Below(3); n > 0; --n) {
      headers.Add(name, std::string(dice.Below(30), static_cast<char>('a' + dice.Below(26))));
    }
  }
  return headers;
}

// Appends a random frame, and returns its text.
std::string AppendRandomFrame(oracle::Dice& dice, FrameWriter& writer, std::string& out) {
  const auto id = static_cast<StreamId>(1 + dice.Below(kMaxStreamId));
  const bool fin = dice.Below(2) == 0;
  const auto with_headers = [&](auto frame) {
    frame.stream_id = id;
    frame.fin = fin;
    frame.headers = RandomHeaders(dice);
    EXPECT_THAT(writer.Write(frame, out), IsOk());
    return ToString(frame);
  };
  const auto without_headers = [&out](const auto& frame) {
    AppendFrame(frame, out);
    return ToString(frame);
  };
  switch (dice.Below(9)) {
    case 0:
      return with_headers(SynStreamFrame{});
    case 1:
      return with_headers(SynReplyFrame{});
    case 2:
      return with_headers(HeadersFrame{});
    case 3:
      return without_headers(RstStreamFrame{.stream_id = id, .status = ResetStatus::kCancel});
    case 4:
      return without_headers(SettingsFrame{.clear = fin, .settings = {{.id = 1, .value = id}}});
    case 5:
      return without_headers(PingFrame{.id = id});
    case 6:
      return without_headers(GoAwayFrame{.last_good_id = id});
    case 7:
      return without_headers(WindowUpdateFrame{.stream_id = id, .delta = 5});
    default: {
      const std::string data(dice.Below(dice.Below(10) == 0 ? 70'000 : 100), 'd');
      AppendFrame(DataPiece{.stream_id = id, .data = data, .fin = fin}, out);
      return absl::StrCat("DATA ", id, fin ? " fin " : " ", data);
    }
  }
}

TEST(FrameReaderPropertyTest, RandomFramesAreReadHoweverTheyAreCut) {
  constexpr uint64_t kFirstSeed = 20'261'133;
  for (uint64_t seed = kFirstSeed; seed < kFirstSeed + 200; ++seed) {
    SCOPED_TRACE(seed);
    oracle::Dice dice(seed);
    FrameWriter writer;
    std::string bytes;
    std::vector<std::string> wanted;
    for (size_t n = dice.Below(60); n > 0; --n) {
      wanted.push_back(AppendRandomFrame(dice, writer, bytes));
    }
    Frames frames;
    const size_t most = dice.Below(2) == 0 ? 5 : 5000;
    for (size_t at = 0; at < bytes.size();) {
      const std::string piece = bytes.substr(at, 1 + dice.Below(most));
      ASSERT_THAT(frames.Read(piece), IsOk());
      at += piece.size();
    }
    ASSERT_EQ(absl::StrJoin(frames.Take(), "\n"), absl::StrJoin(wanted, "\n"));
  }
}

}  // namespace
}  // namespace kube::spdy
