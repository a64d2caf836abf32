#include "net/spdy/frame.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace kube::spdy {
namespace {

TEST(FrameTest, TextsSayWhatFramesAre) {
  struct Row {
    Frame frame;
    std::string text;
  };
  for (const Row& row : std::vector<Row>{
           {SynStreamFrame{.stream_id = 1, .headers = {{"streamtype", "data"}, {"port", "80"}}},
            "SYN_STREAM 1 streamtype=data port=80"},
           {SynStreamFrame{.stream_id = 2, .fin = true, .unidirectional = true},
            "SYN_STREAM 2 fin unidirectional"},
           {SynReplyFrame{.stream_id = 3}, "SYN_REPLY 3"},
           {RstStreamFrame{.stream_id = 5}, "RST_STREAM 5 status 5"},
           {SettingsFrame{.clear = true,
           .settings = {{.id = 4, .value = 100}, {.flags = 1, .id = 7, .value = 2}}},
            "SETTINGS clear 4=100 7=2/1"},
           {PingFrame{.id = 7}, "PING 7"},
           {GoAwayFrame{.last_good_id = 9, .status = GoAwayStatus::kProtocolError},
            "GOAWAY 9 status 1"},
           {HeadersFrame{.stream_id = 1, .fin = true, .headers = {{"a", "b"}}},
            "HEADERS 1 fin a=b"},
           {WindowUpdateFrame{.stream_id = 1, .delta = 10}, "WINDOW_UPDATE 1 by 10"},
           {DataPiece{.stream_id = 1, .data = "abc", .fin = true}, "DATA 1 fin, 3 bytes"},
           {DataPiece{.stream_id = 1, .data = "abc", .ends_frame = false},
            "DATA 1, 3 bytes and more"},
       }) {
    EXPECT_EQ(ToString(row.frame), row.text);
  }
}

}  // namespace
}  // namespace kube::spdy
