#include "net/websocket/frame_reader.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/websocket/close.h"
#include "net/websocket/frame.h"
#include "tests/dice.h"

namespace kube::websocket {
namespace {

using base::IsOk;
using base::StatusIs;
using ::testing::ElementsAre;
using ::testing::Optional;

std::string Bytes(absl::string_view hex) { return absl::HexStringToBytes(hex); }

// The frames that a reader has found, such as "1 fin Hello" and "9 ping"; "..." ends what is
// incomplete.
class Frames {
 public:
  explicit Frames(Role role, const FrameLimits& limits = {}) : reader_(role, limits) {}

  // Reads all bytes, or up to an error.
  absl::Status Read(absl::string_view bytes) {
    FrameReader& reader = reader_;
    while (true) {
      const absl::StatusOr<std::optional<FramePiece>> piece = reader.Next(bytes);
      if (!piece.ok()) return piece.status();
      if (!piece->has_value()) break;  // all bytes are read
      Handle(**piece);
    }
    EXPECT_EQ(bytes, "");
    return absl::OkStatus();
  }

  std::vector<std::string> Take() {
    if (open_) {
      frames_.push_back(absl::StrCat(current_, "..."));
      current_.clear();
    }
    return std::exchange(frames_, {});
  }

 private:
  void Handle(const FramePiece& piece) {
    EXPECT_EQ(piece.begins, !open_);
    if (piece.begins) {
      current_ = absl::StrCat(static_cast<int>(piece.opcode), piece.fin ? " fin " : " more ");
    }
    open_ = !piece.ends;
    absl::StrAppend(&current_, piece.payload);
    if (piece.ends) frames_.push_back(std::exchange(current_, ""));
  }

  FrameReader reader_;
  std::vector<std::string> frames_;
  std::string current_;
  bool open_ = false;
};

struct Row {
  std::string name;
  std::string hex;
  std::vector<std::string> frames;
};

class FrameReaderTest : public ::testing::Test {
 protected:
  static void Check(Role role, const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      const std::string bytes = Bytes(row.hex);
      for (size_t piece = 1; piece <= bytes.size(); ++piece) {
        SCOPED_TRACE(absl::StrCat(row.name, " by ", piece));
        Frames frames(role);
        for (size_t at = 0; at < bytes.size(); at += piece) {
          ASSERT_THAT(frames.Read(bytes.substr(at, piece)), IsOk());
        }
        EXPECT_EQ(frames.Take(), row.frames);
      }
    }
  }
};

// Most are the examples of section 5.7 of RFC 6455.
TEST_F(FrameReaderTest, ClientReadsUnmaskedFrames) {
  Check(Role::kClient, {
                           {"text", "810548656c6c6f", {"1 fin Hello"}},
                           {"fragments", "010348656c80026c6f", {"1 more Hel", "0 fin lo"}},
                           {"ping", "890548656c6c6f", {"9 fin Hello"}},
                           {"pong", "8a0548656c6c6f", {"10 fin Hello"}},
                           {"empty", "8200", {"2 fin "}},
                           {"empty fragments", "020000008000", {"2 more ", "0 more ", "0 fin "}},
                           {"close", "880203e8", {"8 fin \x03\xe8"}},
                           {"control between fragments",
                            "010348656c8901708a0080026c6f",
                            {"1 more Hel", "9 fin p", "10 fin ", "0 fin lo"}},
                           {"two messages", "82016182010a", {"2 fin a", "2 fin \n"}},
                       });
}

TEST_F(FrameReaderTest, ServerReadsMaskedFrames) {
  Check(Role::kServer, {
                           {"text", "818537fa213d7f9f4d5158", {"1 fin Hello"}},
                           {"pong", "8a8537fa213d7f9f4d5158", {"10 fin Hello"}},
                           {"empty", "828037fa213d", {"2 fin "}},
                           {"each frame has its key",
                            "818537fa213d7f9f4d51588185000000004a656c6c79",
                            {"1 fin Hello", "1 fin Jelly"}},
                       });
}

TEST_F(FrameReaderTest, LongLengthsAreRead) {
  for (const size_t size : {125, 126, 127, 65'535, 65'536, 200'000}) {
    const std::string payload(size, 'x');
    for (const Role role : {Role::kClient, Role::kServer}) {
      std::string bytes;
      FrameHeader header;
      if (role == Role::kServer) header.mask = MaskKey{'k', 'e', 'y', '!'};
      AppendFrame(header, payload, bytes);
      Frames frames(role);
      EXPECT_THAT(frames.Read(bytes), IsOk());
      EXPECT_THAT(frames.Take(), ElementsAre(absl::StrCat("2 fin ", payload)));
    }
  }
}

TEST_F(FrameReaderTest, IncompleteFramesWait) {
  struct Incomplete {
    std::string name;
    std::string hex;
    std::vector<std::string> frames;
  };
  for (const Incomplete& row : std::vector<Incomplete>{
           {"nothing", "", {}},
           {"one byte", "81", {}},
           {"a header without its payload", "8105", {}},
           {"a length of two bytes", "827e01", {}},
           {"a length of eight bytes", "827f00000000000100", {}},
           {"a part of the payload", "81054865", {"1 fin He..."}},
           {"a frame and a byte", "81014882", {"1 fin H"}},
       }) {
    Frames frames(Role::kClient);
    EXPECT_THAT(frames.Read(Bytes(row.hex)), IsOk()) << row.name;
    EXPECT_EQ(frames.Take(), row.frames) << row.name;
  }
}

struct Mistake {
  std::string name;
  std::string hex;
  std::string reason;
  CloseCode code = CloseCode::kProtocolError;
};

class FrameMistakeTest : public ::testing::Test {
 protected:
  static void Check(Role role, const std::vector<Mistake>& rows, const FrameLimits& limits = {}) {
    for (const Mistake& row : rows) {
      const std::string bytes = Bytes(row.hex);
      for (const size_t piece : {size_t{1}, bytes.size()}) {
        SCOPED_TRACE(absl::StrCat(row.name, " by ", piece));
        Frames frames(role, limits);
        absl::Status status;
        for (size_t at = 0; at < bytes.size() && status.ok(); at += piece) {
          status = frames.Read(bytes.substr(at, piece));
        }
        EXPECT_EQ(status.message(), absl::StrCat("websocket: ", row.reason));
        EXPECT_THAT(CloseCodeOf(status), Optional(row.code));
        // It is final.
        EXPECT_EQ(frames.Read("more"), status);
      }
    }
  }
};

TEST_F(FrameMistakeTest, HeadersAreChecked) {
  Check(Role::kClient,
        {
            {"first reserved bit", "c100", "RSV1 set"},
            {"second reserved bit", "a100", "RSV2 set"},
            {"third reserved bit", "9100", "RSV3 set"},
            {"reserved bit of a control frame", "c900", "RSV1 set"},
            {"reserved opcode", "8300", "bad opcode 3"},
            {"last reserved data opcode", "8700", "bad opcode 7"},
            {"reserved control opcode", "8b00", "bad opcode 11"},
            {"last reserved control opcode", "8f00", "bad opcode 15"},
            {"masked by a server", "8180", "bad MASK"},
            {"long ping", "897e", "len > 125 for control"},
            {"longer pong", "8a7f", "len > 125 for control"},
            {"long close", "887e", "len > 125 for control"},
            {"fragmented ping", "0900", "FIN not set on control"},
            {"fragmented close", "0800", "FIN not set on control"},
            {"continuation of nothing", "8000", "continuation after FIN"},
            {"first fragment of nothing", "0000", "continuation after FIN"},
            {"continuation of what has ended", "010080008000", "continuation after FIN"},
            {"text in a text", "01008100", "data before FIN"},
            {"binary in a text", "01000200", "data before FIN"},
            {"text after a ping in a text", "010089008100", "data before FIN"},
            {"everything", "79fe",
             "RSV1 set, RSV2 set, RSV3 set, len > 125 for control, "
             "FIN not set on control, bad MASK"},
        });
  Check(Role::kServer, {
                           {"not masked by a client", "8100", "bad MASK"},
                           {"ping of a client, not masked", "8900", "bad MASK"},
                       });
}

TEST_F(FrameMistakeTest, LengthsAreInTheirShortestEncoding) {
  Check(Role::kClient,
        {
            {"zero in two bytes", "827e0000", "length not in its shortest encoding"},
            {"125 in two bytes", "827e007d", "length not in its shortest encoding"},
            {"125 in eight bytes", "827f000000000000007d", "length not in its shortest encoding"},
            {"65535 in eight bytes", "827f000000000000ffff", "length not in its shortest encoding"},
            {"negative", "827f8000000000000000", "length of 64 bits with the highest bit set"},
            {"all bits", "827fffffffffffffffff", "length of 64 bits with the highest bit set"},
        });
}

TEST_F(FrameMistakeTest, LimitsHoldBeforeThePayloadArrives) {
  const FrameLimits limits = {.max_frame_bytes = 4, .max_message_bytes = 6};
  Check(Role::kClient,
        {
            {"frame", "8205", "read limit exceeded", CloseCode::kMessageTooBig},
            {"message", "0204616263640003", "read limit exceeded", CloseCode::kMessageTooBig},
            {"gigantic frame", "827f7fffffffffffffff", "read limit exceeded",
             CloseCode::kMessageTooBig},
            {"message after a ping", "02046162636489000003", "read limit exceeded",
             CloseCode::kMessageTooBig},
        },
        limits);
}

TEST_F(FrameMistakeTest, WhatIsAtTheLimitsIsRead) {
  const FrameLimits limits = {.max_frame_bytes = 4, .max_message_bytes = 6};
  Frames frames(Role::kClient, limits);
  // The limit holds for each message separately, and control frames do not count.
  EXPECT_THAT(frames.Read(Bytes("0204616263648905706e676e678002656682047778797a")), IsOk());
  EXPECT_THAT(frames.Take(), ElementsAre("2 more abcd", "9 fin pngng", "0 fin ef", "2 fin wxyz"));
}

// Random frames of either side, whatever the pieces are.
TEST_F(FrameReaderTest, RandomFramesAreReadHoweverTheyAreCut) {
  constexpr uint64_t kFirstSeed = 20'261'129;
  for (uint64_t seed = kFirstSeed; seed < kFirstSeed + 200; ++seed) {
    SCOPED_TRACE(seed);
    oracle::Dice dice(seed);
    const Role role = dice.Below(2) == 0 ? Role::kClient : Role::kServer;
    std::string bytes;
    std::vector<std::string> wanted;
    bool in_message = false;
    for (size_t n = 1 + dice.Below(20); n > 0; --n) {
      FrameHeader header;
      const bool control = dice.Below(3) == 0;
      if (control) {
        header.opcode = dice.Below(2) == 0 ? Opcode::kPing : Opcode::kPong;
      } else {
        header.fin = dice.Below(2) == 0;
        header.opcode = in_message           ? Opcode::kContinuation
                        : dice.Below(2) == 0 ? Opcode::kText
                                             : Opcode::kBinary;
        in_message = !header.fin;
      }
      if (role == Role::kServer) {
        header.mask.emplace();
        for (char& byte : *header.mask) byte = static_cast<char>(dice.Below(256));
      }
      const size_t most = control ? 126 : dice.Below(10) == 0 ? 100'000 : 200;
      const std::string payload(dice.Below(most), static_cast<char>(dice.Below(256)));
      AppendFrame(header, payload, bytes);
      wanted.push_back(
          absl::StrCat(static_cast<int>(header.opcode), header.fin ? " fin " : " more ", payload));
    }
    Frames frames(role);
    const size_t most = dice.Below(2) == 0 ? 5 : 5000;
    for (size_t at = 0; at < bytes.size();) {
      const std::string piece = bytes.substr(at, 1 + dice.Below(most));
      ASSERT_THAT(frames.Read(piece), IsOk());
      at += piece.size();
    }
    EXPECT_TRUE(frames.Take() == wanted);
  }
}

}  // namespace
}  // namespace kube::websocket
