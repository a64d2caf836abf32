#include "net/spdy/frame_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "net/http/headers.h"
#include "net/io/big_endian.h"
#include "net/spdy/frame.h"
#include "net/spdy/internal/error.h"
#include "net/spdy/internal/header_block.h"
#include "net/spdy/internal/wire.h"

namespace kube::spdy {
namespace {

using internal::HeaderKind;
using internal::ProtocolError;

// Returns the number of four bytes at a place of the payload.
uint32_t NumberAt(absl::string_view payload, size_t at) {
  return static_cast<uint32_t>(io::ReadBigEndian(payload.substr(at, 4)));
}

// The highest bit of an id is reserved.
StreamId IdAt(absl::string_view payload, size_t at) { return NumberAt(payload, at) & kMaxStreamId; }

absl::Status InvalidFrame() { return ProtocolError("invalid control frame"); }
absl::Status StreamZero() { return ProtocolError("stream id zero is disallowed"); }

int TypeOf(uint32_t word) { return static_cast<int>(word & 0xffff); }

absl::StatusOr<Frame> ParseRstStream(absl::string_view payload) {
  if (payload.size() != 8) return InvalidFrame();
  const RstStreamFrame frame = {.stream_id = IdAt(payload, 0),
                                .status = static_cast<ResetStatus>(NumberAt(payload, 4))};
  if (NumberAt(payload, 4) == 0) return InvalidFrame();
  if (frame.stream_id == 0) return StreamZero();
  return frame;
}

absl::StatusOr<Frame> ParseSettings(int flags, absl::string_view payload) {
  if (payload.size() < 4 || payload.size() != 4 + uint64_t{8} * NumberAt(payload, 0)) {
    return InvalidFrame();
  }
  SettingsFrame frame = {.clear = (flags & internal::kFlagClearSettings) != 0};
  for (size_t at = 4; at < payload.size(); at += 8) {
    const uint32_t number = NumberAt(payload, at);
    frame.settings.push_back({.flags = static_cast<uint8_t>(number >> 24),
                              .id = number & 0xff'ffff,
                              .value = NumberAt(payload, at + 4)});
  }
  return frame;
}

absl::StatusOr<Frame> ParsePing(int flags, absl::string_view payload) {
  if (payload.size() != 4 || flags != 0) return InvalidFrame();
  const PingFrame frame = {.id = NumberAt(payload, 0)};
  if (frame.id == 0) return StreamZero();
  return frame;
}

absl::StatusOr<Frame> ParseGoAway(int flags, absl::string_view payload) {
  if (payload.size() != 8 || flags != 0) return InvalidFrame();
  return GoAwayFrame{.last_good_id = IdAt(payload, 0),
                     .status = static_cast<GoAwayStatus>(NumberAt(payload, 4))};
}

absl::StatusOr<Frame> ParseWindowUpdate(int flags, absl::string_view payload) {
  if (payload.size() != 8 || flags != 0) return InvalidFrame();
  return WindowUpdateFrame{.stream_id = IdAt(payload, 0), .delta = NumberAt(payload, 4)};
}

}  // namespace

FrameReader::FrameReader(const Limits& limits) : limits_(limits) {}

absl::StatusOr<std::optional<Frame>> FrameReader::Next(absl::string_view& bytes) {
  KUBE_RETURN_IF_ERROR(error_);
  if (!in_payload_) {
    const absl::StatusOr<bool> complete = ReadHeader(bytes);
    if (!complete.ok()) return error_ = complete.status();
    if (!*complete) return std::nullopt;
  }
  if ((word_ & internal::kControlBit) == 0) {
    if (remaining_ > 0 && bytes.empty()) return std::nullopt;
    return TakeData(bytes);
  }
  absl::StatusOr<std::optional<Frame>> frame = ReadControl(bytes);
  if (!frame.ok()) error_ = frame.status();
  return frame;
}

absl::StatusOr<bool> FrameReader::ReadHeader(absl::string_view& bytes) {
  static_assert(internal::kFrameHeaderBytes == 8);
  const size_t size = std::min(header_.size() - header_size_, bytes.size());
  std::copy_n(bytes.begin(), size, header_.begin() + header_size_);
  header_size_ += size;
  bytes.remove_prefix(size);
  if (header_size_ < header_.size()) return false;
  const absl::string_view header(header_.data(), header_.size());
  word_ = NumberAt(header, 0);
  flags_ = static_cast<int>(io::ReadBigEndian(header.substr(4, 1)));
  remaining_ = io::ReadBigEndian(header.substr(5, 3));
  if ((word_ & internal::kControlBit) != 0) {
    KUBE_RETURN_IF_ERROR(CheckControlHeader());
  } else if (word_ == 0) {
    return StreamZero();
  }
  header_size_ = 0;
  in_payload_ = true;
  return true;
}

absl::Status FrameReader::CheckControlHeader() const {
  const uint32_t version = word_ >> 16 & 0x7fff;
  if (version != internal::kVersion) {
    return ProtocolError(absl::StrCat("unsupported version ", version));
  }
  switch (TypeOf(word_)) {
    case internal::kSynStream:
    case internal::kSynReply:
    case internal::kRstStream:
    case internal::kSettings:
    case internal::kPing:
    case internal::kGoAway:
    case internal::kHeaders:
    case internal::kWindowUpdate:
      break;
    default:
      return ProtocolError(absl::StrCat("unknown frame type ", TypeOf(word_)));
  }
  if (remaining_ > limits_.max_control_bytes) return internal::LimitError("control frame too long");
  return absl::OkStatus();
}

DataPiece FrameReader::TakeData(absl::string_view& bytes) {
  const absl::string_view data = bytes.substr(0, remaining_);
  bytes.remove_prefix(data.size());
  remaining_ -= data.size();
  const bool ends = remaining_ == 0;
  in_payload_ = !ends;
  return {.stream_id = word_,
          .data = data,
          .fin = ends && (flags_ & internal::kFlagFin) != 0,
          .ends_frame = ends};
}

absl::StatusOr<std::optional<Frame>> FrameReader::ReadControl(absl::string_view& bytes) {
  const absl::string_view piece = bytes.substr(0, remaining_);
  bytes.remove_prefix(piece.size());
  remaining_ -= piece.size();
  if (remaining_ > 0) {
    payload_.append(piece.data(), piece.size());
    return std::nullopt;
  }
  in_payload_ = false;
  // Most frames arrive as a whole.
  std::string joined = std::exchange(payload_, {});
  if (!joined.empty()) joined.append(piece.data(), piece.size());
  KUBE_ASSIGN_OR_RETURN(Frame frame, Parse(joined.empty() ? piece : joined));
  return frame;
}

absl::StatusOr<Frame> FrameReader::Parse(absl::string_view payload) {
  switch (TypeOf(word_)) {
    case internal::kSynStream:
      return ParseSynStream(payload);
    case internal::kSynReply:
      return ParseSynReply(payload);
    case internal::kRstStream:
      return ParseRstStream(payload);
    case internal::kSettings:
      return ParseSettings(flags_, payload);
    case internal::kPing:
      return ParsePing(flags_, payload);
    case internal::kGoAway:
      return ParseGoAway(flags_, payload);
    case internal::kHeaders:
      return ParseHeaders(payload);
    default:
      return ParseWindowUpdate(flags_, payload);
  }
}

absl::StatusOr<Frame> FrameReader::ParseSynStream(absl::string_view payload) {
  if (payload.size() < 10) return InvalidFrame();
  SynStreamFrame frame = {
      .stream_id = IdAt(payload, 0),
      .associated_id = IdAt(payload, 4),
      .priority = static_cast<uint8_t>(io::ReadBigEndian(payload.substr(8, 1)) >> 5),
      .slot = static_cast<uint8_t>(io::ReadBigEndian(payload.substr(9, 1))),
      .fin = (flags_ & internal::kFlagFin) != 0,
      .unidirectional = (flags_ & internal::kFlagUnidirectional) != 0};
  KUBE_ASSIGN_OR_RETURN(frame.headers, ReadHeaders(payload.substr(10), HeaderKind::kRequest));
  if (frame.stream_id == 0) return StreamZero();
  return frame;
}

absl::StatusOr<Frame> FrameReader::ParseSynReply(absl::string_view payload) {
  if (payload.size() < 4) return InvalidFrame();
  SynReplyFrame frame = {.stream_id = IdAt(payload, 0), .fin = (flags_ & internal::kFlagFin) != 0};
  KUBE_ASSIGN_OR_RETURN(frame.headers, ReadHeaders(payload.substr(4), HeaderKind::kResponse));
  if (frame.stream_id == 0) return StreamZero();
  return frame;
}

absl::StatusOr<Frame> FrameReader::ParseHeaders(absl::string_view payload) {
  if (payload.size() < 4) return InvalidFrame();
  HeadersFrame frame = {.stream_id = IdAt(payload, 0), .fin = (flags_ & internal::kFlagFin) != 0};
  KUBE_ASSIGN_OR_RETURN(
      frame.headers,
      ReadHeaders(payload.substr(4), internal::KindOfFurtherHeaders(frame.stream_id)));
  if (frame.stream_id == 0) return StreamZero();
  return frame;
}

absl::StatusOr<http::Headers> FrameReader::ReadHeaders(absl::string_view compressed,
                                                       HeaderKind kind) {
  KUBE_ASSIGN_OR_RETURN(const std::string block,
                        decompressor_.Decompress(compressed, limits_.max_block_bytes));
  return internal::DecodeHeaders(block, kind, limits_);
}

}  // namespace kube::spdy
