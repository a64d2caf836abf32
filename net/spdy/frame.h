#ifndef NET_SPDY_FRAME_H_
#define NET_SPDY_FRAME_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "net/http/headers.h"

// The frames of SPDY/3.1, as far as Kubernetes uses them: plain values.
// (github.com/moby/spdystream/spdy)
namespace kube::spdy {

// The side of a connection. A client's streams and pings have odd numbers, a server's even ones.
enum class Role { kClient, kServer };

// Identifies a stream; from 1 to kMaxStreamId.
using StreamId = uint32_t;

constexpr StreamId kMaxStreamId = 0x7fff'ffff;

// The largest payload of a frame, whose length has 24 bits.
constexpr size_t kMaxFrameBytes = (size_t{1} << 24) - 1;

// Why a stream ends before its time.
enum class ResetStatus : uint32_t {
  kProtocolError = 1,
  kInvalidStream = 2,
  kRefusedStream = 3,
  kUnsupportedVersion = 4,
  kCancel = 5,  // sent when Kubernetes resets a stream
  kInternalError = 6,
  kFlowControlError = 7,
  kStreamInUse = 8,
  kStreamAlreadyClosed = 9,
  kFrameTooLarge = 11,
};

enum class GoAwayStatus : uint32_t { kOk = 0, kProtocolError = 1, kInternalError = 2 };

// Limits for headers. They hold for what is read and for what is written.
struct Limits {
  // The number of lines, counting each value of a name that has several. spdystream, too, allows
  // 1000 names, but any number of values.
  size_t max_headers = 1000;
  // The largest name and the largest value, where several values of one name count as one, in
  // bytes. spdystream has the same limit.
  size_t max_header_bytes = size_t{1} << 20;
  // The sum of all names and values with their lengths, which protects from blocks that are small
  // as long as they are compressed. spdystream has no such limit.
  size_t max_block_bytes = size_t{4} << 20;
  // The largest payload of a frame that is not of data, which is kept until it is complete.
  // spdystream allows kMaxFrameBytes; frames of Kubernetes have less than a kilobyte.
  size_t max_control_bytes = size_t{4} << 20;
};

// Opens a stream.
struct SynStreamFrame {
  StreamId stream_id = 0;
  StreamId associated_id = 0;
  uint8_t priority = 0;  // from 0, the highest, to 7
  uint8_t slot = 0;
  bool fin = false;             // the sender will send no data
  bool unidirectional = false;  // the receiver must not send data
  // Several lines with one name are sent as one, whose values are separated by NUL, and read as
  // several.
  http::Headers headers = {};

  friend bool operator==(const SynStreamFrame&, const SynStreamFrame&) = default;
};

// Accepts a stream.
struct SynReplyFrame {
  StreamId stream_id = 0;
  bool fin = false;
  http::Headers headers = {};

  friend bool operator==(const SynReplyFrame&, const SynReplyFrame&) = default;
};

// Ends a stream in both directions.
struct RstStreamFrame {
  StreamId stream_id = 0;
  ResetStatus status = ResetStatus::kCancel;

  friend bool operator==(const RstStreamFrame&, const RstStreamFrame&) = default;
};

struct Setting {
  uint8_t flags = 0;
  uint32_t id = 0;  // 24 bits
  uint32_t value = 0;

  friend bool operator==(const Setting&, const Setting&) = default;
};

struct SettingsFrame {
  bool clear = false;  // forget settings that were kept
  std::vector<Setting> settings = {};

  friend bool operator==(const SettingsFrame&, const SettingsFrame&) = default;
};

// Asks for the same frame in return.
struct PingFrame {
  uint32_t id = 0;

  friend bool operator==(const PingFrame&, const PingFrame&) = default;
};

// Announces that the sender accepts no more streams.
struct GoAwayFrame {
  // The last stream of the receiver that the sender has accepted, or zero.
  StreamId last_good_id = 0;
  GoAwayStatus status = GoAwayStatus::kOk;

  friend bool operator==(const GoAwayFrame&, const GoAwayFrame&) = default;
};

// More headers for a stream.
struct HeadersFrame {
  StreamId stream_id = 0;
  bool fin = false;
  http::Headers headers = {};

  friend bool operator==(const HeadersFrame&, const HeadersFrame&) = default;
};

struct WindowUpdateFrame {
  StreamId stream_id = 0;
  uint32_t delta = 0;

  friend bool operator==(const WindowUpdateFrame&, const WindowUpdateFrame&) = default;
};

// The payload of a data frame, or a piece of it: its boundaries mean nothing.
struct DataPiece {
  StreamId stream_id = 0;
  // Valid as long as the bytes that the reader was given.
  absl::string_view data = {};
  // Whether the sender sends no more data. Only the last piece of a frame says so.
  bool fin = false;
  // Whether the frame ends here.
  bool ends_frame = true;

  friend bool operator==(const DataPiece&, const DataPiece&) = default;
};

using Frame = std::variant<SynStreamFrame, SynReplyFrame, RstStreamFrame, SettingsFrame, PingFrame,
                           GoAwayFrame, HeadersFrame, WindowUpdateFrame, DataPiece>;

// Returns a text for logs and tests, such as "SYN_STREAM 1 streamtype=data port=80" or
// "DATA 1 fin, 12 bytes". Headers are shown as they are: do not log them if they may be secret.
std::string ToString(const Frame& frame);

}  // namespace kube::spdy

#endif  // NET_SPDY_FRAME_H_
