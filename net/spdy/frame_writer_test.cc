#include "net/spdy/frame_writer.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/spdy/frame.h"

namespace kube::spdy {
namespace {

using base::IsOk;
using base::StatusIs;
using ::testing::StartsWith;

template <typename FrameT>
std::string Bytes(const FrameT& frame) {
  std::string out = "x";
  AppendFrame(frame, out);
  return absl::BytesToHexString(out.substr(1));
}

// behaviour.md: ST-81
TEST(FrameWriterTest, FramesWithoutHeadersAreThoseOfTheSpecification) {
  EXPECT_EQ(Bytes(RstStreamFrame{.stream_id = 5, .status = ResetStatus::kCancel}),
            "80030003000000080000000500000005");
  EXPECT_EQ(Bytes(SettingsFrame{.settings = {{.flags = 1, .id = 4, .value = 100}}}),
            "800300040000000c000000010100000400000064");
  EXPECT_EQ(Bytes(SettingsFrame{.clear = true}), "800300040100000400000000");
  EXPECT_EQ(Bytes(PingFrame{.id = 7}), "800300060000000400000007");
  EXPECT_EQ(Bytes(GoAwayFrame{.last_good_id = 9, .status = GoAwayStatus::kInternalError}),
            "80030007000000080000000900000002");
  EXPECT_EQ(Bytes(WindowUpdateFrame{.stream_id = 1, .delta = 0x7fff'ffff}),
            "8003000900000008000000017fffffff");
  EXPECT_EQ(Bytes(DataPiece{.stream_id = 1, .data = "abc"}), "0000000100000003616263");
  EXPECT_EQ(Bytes(DataPiece{.stream_id = kMaxStreamId, .fin = true}), "7fffffff01000000");
}

// behaviour.md: ST-81
TEST(FrameWriterTest, FramesOfDataHaveLengthsOf24Bits) {
  const std::string data(kMaxFrameBytes, 'x');
  std::string out;
  AppendFrame(DataPiece{.stream_id = 1, .data = data, .fin = true}, out);
  EXPECT_EQ(absl::BytesToHexString(out.substr(0, 8)), "0000000101ffffff");
  EXPECT_EQ(out.size(), 8 + data.size());
}

// The headers, which are compressed, begin with those of the zlib stream.
// behaviour.md: ST-81
TEST(FrameWriterTest, FramesWithHeadersBeginAsInTheSpecification) {
  struct Row {
    std::string name;
    std::string flags;
    SynStreamFrame frame;
    std::string begin;
  };
  for (const Row& row : std::vector<Row>{
           {"plain", "00", {.stream_id = 1}, "00000001000000000000"},
           {"everything",
            "03",
            {.stream_id = 2,
            .associated_id = 1,
            .priority = 7,
            .slot = 8,
            .fin = true,
            .unidirectional = true},
            "0000000200000001e008"},
       }) {
    FrameWriter writer;
    std::string out;
    ASSERT_THAT(writer.Write(row.frame, out), IsOk());
    const std::string hex = absl::BytesToHexString(out);
    EXPECT_THAT(hex, StartsWith(absl::StrCat("80030001", row.flags))) << row.name;
    EXPECT_EQ(hex.substr(16, 32), absl::StrCat(row.begin, "78f9e3c6a7c2")) << row.name;
    EXPECT_EQ(hex.substr(10, 6),
              absl::BytesToHexString(absl::StrCat(
                  std::string(2, '\0'), std::string(1, static_cast<char>(out.size() - 8)))))
        << row.name;
  }
  FrameWriter writer;
  std::string out;
  ASSERT_THAT(writer.Write(SynReplyFrame{.stream_id = 3, .fin = true}, out), IsOk());
  EXPECT_THAT(absl::BytesToHexString(out), StartsWith("80030002010000"));
  out.clear();
  ASSERT_THAT(writer.Write(HeadersFrame{.stream_id = 3}, out), IsOk());
  EXPECT_THAT(absl::BytesToHexString(out), StartsWith("80030008000000"));
}

TEST(FrameWriterTest, HeadersThatCannotBeSentChangeNothing) {
  FrameWriter writer;
  std::string out = "before";
  EXPECT_THAT(
      writer.Write(SynStreamFrame{.stream_id = 1, .headers = {{"host", "example"}}}, out),
      StatusIs(absl::StatusCode::kInvalidArgument, "send headers: host belongs to the connection"));
  EXPECT_THAT(writer.Write(SynReplyFrame{.stream_id = 1, .headers = {{"keep-alive", "1"}}}, out),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(writer.Write(HeadersFrame{.stream_id = 1, .headers = {{"a b", "1"}}}, out),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(out, "before");
  // The stream of headers has not begun either.
  EXPECT_THAT(writer.Write(SynReplyFrame{.stream_id = 1}, out), IsOk());
  EXPECT_EQ(absl::BytesToHexString(out.substr(6 + 12, 6)), "78f9e3c6a7c2");
}

// Whatever the limits say, a frame has room for the headers, even if they cannot be compressed.
TEST(FrameWriterTest, HeadersAreNeverLargerThanAFrame) {
  FrameWriter writer({.max_header_bytes = 100 << 20, .max_block_bytes = 100 << 20});
  std::string out;
  EXPECT_THAT(
      writer.Write(
          SynReplyFrame{.stream_id = 1, .headers = {{"a", std::string(kMaxFrameBytes, 'x')}}}, out),
      StatusIs(absl::StatusCode::kInvalidArgument, "send headers: headers too long"));
}

}  // namespace
}  // namespace kube::spdy
