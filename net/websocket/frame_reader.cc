#include "net/websocket/frame_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/status.h"
#include "net/io/big_endian.h"
#include "net/websocket/close.h"
#include "net/websocket/frame.h"
#include "net/websocket/internal/mask.h"

namespace kube::websocket {

// A frame is read in three steps: its first two bytes, which are checked as soon as they are there;
// the rest of its header, whose size these bytes give; and its payload, of which each call takes
// what has arrived. The order of frames is checked with the first two bytes: a continuation belongs
// to a message that has begun and is not complete, and nothing but control frames may interrupt
// such a message.

namespace {

constexpr size_t kFixedHeaderBytes = 2;

// Lengths below this one stand in the second byte; this one and the next say that two or eight
// bytes follow.
constexpr uint8_t kTwoBytes = 126;
constexpr uint8_t kEightBytes = 127;

// The largest piece that is unmasked at a time: it is copied.
constexpr size_t kUnmaskedBytes = size_t{64} << 10;

size_t LengthBytes(uint8_t marker) {
  return marker == kTwoBytes ? 2 : marker == kEightBytes ? 8 : 0;
}

bool IsKnown(uint8_t opcode) {
  switch (static_cast<Opcode>(opcode)) {
    case Opcode::kContinuation:
    case Opcode::kText:
    case Opcode::kBinary:
    case Opcode::kClose:
    case Opcode::kPing:
    case Opcode::kPong:
      return true;
  }
  return false;
}

}  // namespace

FrameReader::FrameReader(Role role, const FrameLimits& limits)
    : masked_(role == Role::kServer), limits_(limits) {}

absl::StatusOr<std::optional<FramePiece>> FrameReader::Next(absl::string_view& bytes) {
  KUBE_RETURN_IF_ERROR(error_);
  if (!in_payload_) {
    const absl::StatusOr<bool> complete = ReadHeader(bytes);
    if (!complete.ok()) return error_ = complete.status();
    if (!*complete) return std::nullopt;
  }
  if (remaining_ > 0 && bytes.empty()) return std::nullopt;
  return TakePiece(bytes);
}

bool FrameReader::FillHeader(absl::string_view& bytes) {
  const size_t size = std::min(header_needed_ - header_size_, bytes.size());
  std::copy_n(bytes.begin(), size, header_.begin() + header_size_);
  header_size_ += size;
  bytes.remove_prefix(size);
  return header_size_ == header_needed_;
}

absl::StatusOr<bool> FrameReader::ReadHeader(absl::string_view& bytes) {
  if (!FillHeader(bytes)) return false;
  if (header_needed_ == kFixedHeaderBytes) {
    KUBE_RETURN_IF_ERROR(CheckFirstTwoBytes());
    const uint8_t marker = static_cast<uint8_t>(header_[1]) & 0x7f;
    header_needed_ += LengthBytes(marker) + (masked_ ? key_.size() : 0);
    if (!FillHeader(bytes)) return false;
  }
  KUBE_RETURN_IF_ERROR(ReadLength());
  KUBE_RETURN_IF_ERROR(CheckLimits());
  if (masked_) std::copy_n(header_.begin() + header_size_ - key_.size(), key_.size(), key_.begin());
  mask_position_ = 0;
  header_size_ = 0;
  header_needed_ = kFixedHeaderBytes;
  in_payload_ = begins_ = true;
  return true;
}

// Collects everything that is wrong, as gorilla/websocket does, since the peer is told.
absl::Status FrameReader::CheckFirstTwoBytes() {
  const auto first = static_cast<uint8_t>(header_[0]);
  const auto second = static_cast<uint8_t>(header_[1]);
  std::vector<std::string> mistakes;
  const auto check = [&mistakes](bool holds, absl::string_view otherwise) {
    if (!holds) mistakes.push_back(std::string(otherwise));
  };
  check((first & 0x40) == 0, "RSV1 set");
  check((first & 0x20) == 0, "RSV2 set");
  check((first & 0x10) == 0, "RSV3 set");
  fin_ = (first & 0x80) != 0;
  opcode_ = static_cast<Opcode>(first & 0x0f);
  if (!IsKnown(first & 0x0f)) {
    mistakes.push_back(absl::StrCat("bad opcode ", first & 0x0f));
  } else if (IsControl(opcode_)) {
    check(static_cast<size_t>(second & 0x7f) <= kMaxControlBytes, "len > 125 for control");
    check(fin_, "FIN not set on control");
  } else if (opcode_ == Opcode::kContinuation) {
    check(in_message_, "continuation after FIN");
  } else {
    check(!in_message_, "data before FIN");
  }
  check(((second & 0x80) != 0) == masked_, "bad MASK");
  if (mistakes.empty()) return absl::OkStatus();
  return MakeError(CloseCode::kProtocolError, absl::StrJoin(mistakes, ", "));
}

absl::Status FrameReader::ReadLength() {
  const uint8_t marker = static_cast<uint8_t>(header_[1]) & 0x7f;
  const size_t bytes = LengthBytes(marker);
  if (bytes == 0) {
    remaining_ = marker;
    return absl::OkStatus();
  }
  remaining_ = io::ReadBigEndian(absl::string_view(header_.data() + kFixedHeaderBytes, bytes));
  if (remaining_ > INT64_MAX) {
    return MakeError(CloseCode::kProtocolError, "length of 64 bits with the highest bit set");
  }
  if (remaining_ < kTwoBytes || (bytes == 8 && remaining_ <= UINT16_MAX)) {
    return MakeError(CloseCode::kProtocolError, "length not in its shortest encoding");
  }
  return absl::OkStatus();
}

absl::Status FrameReader::CheckLimits() {
  if (IsControl(opcode_)) return absl::OkStatus();
  if (opcode_ != Opcode::kContinuation) message_bytes_ = 0;
  if (remaining_ > limits_.max_frame_bytes ||
      remaining_ > limits_.max_message_bytes - message_bytes_) {
    return MakeError(CloseCode::kMessageTooBig, "read limit exceeded");
  }
  message_bytes_ += remaining_;
  in_message_ = !fin_;
  return absl::OkStatus();
}

FramePiece FrameReader::TakePiece(absl::string_view& bytes) {
  const absl::string_view payload = TakePayload(bytes);
  const bool ends = remaining_ == 0;
  in_payload_ = !ends;
  return {.opcode = opcode_,
          .fin = fin_,
          .begins = std::exchange(begins_, false),
          .ends = ends,
          .payload = payload};
}

absl::string_view FrameReader::TakePayload(absl::string_view& bytes) {
  uint64_t size = std::min<uint64_t>(remaining_, bytes.size());
  if (masked_) size = std::min<uint64_t>(size, kUnmaskedBytes);
  const absl::string_view payload = bytes.substr(0, size);
  bytes.remove_prefix(size);
  remaining_ -= size;
  if (!masked_) return payload;
  unmasked_.assign(payload.data(), payload.size());
  internal::ApplyMask(key_, mask_position_, absl::MakeSpan(unmasked_));
  mask_position_ = (mask_position_ + payload.size()) % key_.size();
  return unmasked_;
}

}  // namespace kube::websocket
