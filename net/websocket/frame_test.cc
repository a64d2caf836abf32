#include "net/websocket/frame.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace kube::websocket {
namespace {

constexpr MaskKey kKey = {0x37, static_cast<char>(0xfa), 0x21, 0x3d};

std::string Frame(const FrameHeader& header, absl::string_view payload) {
  std::string out = "before";
  AppendFrame(header, payload, out);
  EXPECT_EQ(out.substr(0, 6), "before");
  return absl::BytesToHexString(out.substr(6));
}

// The examples of section 5.7 of RFC 6455.
TEST(FrameTest, FramesAreThoseOfTheRfc) {
  EXPECT_EQ(Frame({.opcode = Opcode::kText}, "Hello"), "810548656c6c6f");
  EXPECT_EQ(Frame({.opcode = Opcode::kText, .mask = kKey}, "Hello"), "818537fa213d7f9f4d5158");
  EXPECT_EQ(Frame({.opcode = Opcode::kText, .fin = false}, "Hel"), "010348656c");
  EXPECT_EQ(Frame({.opcode = Opcode::kContinuation}, "lo"), "80026c6f");
  EXPECT_EQ(Frame({.opcode = Opcode::kPing}, "Hello"), "890548656c6c6f");
  EXPECT_EQ(Frame({.opcode = Opcode::kPong, .mask = kKey}, "Hello"), "8a8537fa213d7f9f4d5158");
}

TEST(FrameTest, LengthsHaveTheShortestEncoding) {
  struct Row {
    size_t size;
    std::string header;
  };
  for (const Row& row : std::vector<Row>{
           {0, "8200"},
           {1, "8201"},
           {125, "827d"},
           {126, "827e007e"},
           {256, "827e0100"},
           {65'535, "827effff"},
           {65'536, "827f0000000000010000"},
           {100'000, "827f00000000000186a0"},
       }) {
    const std::string payload(row.size, 'x');
    EXPECT_EQ(Frame({}, payload), absl::StrCat(row.header, absl::BytesToHexString(payload)))
        << row.size;
  }
}

TEST(FrameTest, MaskedLengthsHaveTheBitAndTheKey) {
  const MaskKey zero = {};
  EXPECT_EQ(Frame({.mask = zero}, ""), "828000000000");
  const std::string payload(126, 'x');
  EXPECT_EQ(Frame({.mask = zero}, payload),
            absl::StrCat("82fe007e00000000", absl::BytesToHexString(payload)));
  const std::string long_payload(65'536, 'x');
  EXPECT_EQ(Frame({.mask = zero}, long_payload),
            absl::StrCat("82ff000000000001000000000000", absl::BytesToHexString(long_payload)));
}

TEST(FrameTest, OnlyTheNewPayloadIsMasked) {
  std::string out;
  AppendFrame({.mask = kKey}, "first", out);
  const std::string first = out;
  AppendFrame({.mask = kKey}, "second", out);
  EXPECT_EQ(out.substr(0, first.size()), first);
}

TEST(FrameTest, ControlFramesAreThoseWithTheHighBit) {
  for (const Opcode opcode : {Opcode::kContinuation, Opcode::kText, Opcode::kBinary}) {
    EXPECT_FALSE(IsControl(opcode));
  }
  for (const Opcode opcode : {Opcode::kClose, Opcode::kPing, Opcode::kPong}) {
    EXPECT_TRUE(IsControl(opcode));
  }
}

}  // namespace
}  // namespace kube::websocket
