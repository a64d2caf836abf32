#include "net/spdy/frame_writer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/status.h"
#include "net/http/headers.h"
#include "net/io/big_endian.h"
#include "net/spdy/frame.h"
#include "net/spdy/internal/header_block.h"
#include "net/spdy/internal/wire.h"

namespace kube::spdy {
namespace {

using internal::HeaderKind;

void AppendNumber(uint32_t number, std::string& out) { io::AppendBigEndian(number, 4, out); }

// Appends the header of a frame.
void AppendHeader(uint32_t word, int flags, size_t payload_bytes, std::string& out) {
  KUBE_CHECK_LE(payload_bytes, kMaxFrameBytes);
  AppendNumber(word, out);
  io::AppendBigEndian(static_cast<uint64_t>(flags), 1, out);
  io::AppendBigEndian(payload_bytes, 3, out);
}

void AppendControlHeader(int type, int flags, size_t payload_bytes, std::string& out) {
  AppendHeader(internal::kControlBit | internal::kVersion << 16 | static_cast<uint32_t>(type),
               flags, payload_bytes, out);
}

// Returns the flag if it is set.
int FlagIf(bool is_set, int flag) { return is_set ? flag : 0; }

// What cannot be compressed must fit into a frame, too.
Limits Capped(Limits limits) {
  limits.max_block_bytes = std::min(limits.max_block_bytes, kMaxFrameBytes / 2);
  return limits;
}

}  // namespace

FrameWriter::FrameWriter(const Limits& limits) : limits_(Capped(limits)) {}

absl::Status FrameWriter::WriteHeaders(int type, int flags, std::string payload,
                                       const http::Headers& headers, HeaderKind kind,
                                       std::string& out) {
  KUBE_ASSIGN_OR_RETURN(const std::string block, internal::EncodeHeaders(headers, kind, limits_));
  compressor_.Compress(block, payload);
  AppendControlHeader(type, flags, payload.size(), out);
  out += payload;
  return absl::OkStatus();
}

absl::Status FrameWriter::Write(const SynStreamFrame& frame, std::string& out) {
  std::string payload;
  AppendNumber(frame.stream_id, payload);
  AppendNumber(frame.associated_id, payload);
  // Three bits of a byte.
  io::AppendBigEndian(static_cast<uint64_t>(frame.priority) << 5, 1, payload);
  io::AppendBigEndian(frame.slot, 1, payload);
  const int flags = FlagIf(frame.fin, internal::kFlagFin) |
                    FlagIf(frame.unidirectional, internal::kFlagUnidirectional);
  return WriteHeaders(internal::kSynStream, flags, std::move(payload), frame.headers,
                      HeaderKind::kRequest, out);
}

absl::Status FrameWriter::Write(const SynReplyFrame& frame, std::string& out) {
  std::string payload;
  AppendNumber(frame.stream_id, payload);
  return WriteHeaders(internal::kSynReply, FlagIf(frame.fin, internal::kFlagFin),
                      std::move(payload), frame.headers, HeaderKind::kResponse, out);
}

absl::Status FrameWriter::Write(const HeadersFrame& frame, std::string& out) {
  std::string payload;
  AppendNumber(frame.stream_id, payload);
  return WriteHeaders(internal::kHeaders, FlagIf(frame.fin, internal::kFlagFin), std::move(payload),
                      frame.headers, internal::KindOfFurtherHeaders(frame.stream_id), out);
}

void AppendFrame(const RstStreamFrame& frame, std::string& out) {
  AppendControlHeader(internal::kRstStream, 0, 8, out);
  AppendNumber(frame.stream_id, out);
  AppendNumber(static_cast<uint32_t>(frame.status), out);
}

void AppendFrame(const SettingsFrame& frame, std::string& out) {
  AppendControlHeader(internal::kSettings, FlagIf(frame.clear, internal::kFlagClearSettings),
                      4 + 8 * frame.settings.size(), out);
  AppendNumber(static_cast<uint32_t>(frame.settings.size()), out);
  for (const Setting& setting : frame.settings) {
    io::AppendBigEndian(setting.flags, 1, out);
    io::AppendBigEndian(setting.id, 3, out);
    AppendNumber(setting.value, out);
  }
}

void AppendFrame(const PingFrame& frame, std::string& out) {
  AppendControlHeader(internal::kPing, 0, 4, out);
  AppendNumber(frame.id, out);
}

void AppendFrame(const GoAwayFrame& frame, std::string& out) {
  AppendControlHeader(internal::kGoAway, 0, 8, out);
  AppendNumber(frame.last_good_id, out);
  AppendNumber(static_cast<uint32_t>(frame.status), out);
}

void AppendFrame(const WindowUpdateFrame& frame, std::string& out) {
  AppendControlHeader(internal::kWindowUpdate, 0, 8, out);
  AppendNumber(frame.stream_id, out);
  AppendNumber(frame.delta, out);
}

void AppendFrame(const DataPiece& piece, std::string& out) {
  AppendHeader(piece.stream_id, FlagIf(piece.fin, internal::kFlagFin), piece.data.size(), out);
  out.append(piece.data.data(), piece.data.size());
}

}  // namespace kube::spdy
