#include "net/websocket/connection.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/utf8.h"
#include "net/io/big_endian.h"
#include "net/websocket/close.h"
#include "net/websocket/frame.h"
#include "net/websocket/frame_reader.h"

namespace kube::websocket {
namespace {

constexpr size_t kCloseCodeBytes = 2;

// A new key for each frame, which nobody who chooses the payload can foresee: otherwise the payload
// could be made to look like HTTP to a proxy (section 10.3).
MaskKey RandomMaskKey() {
  const auto random = static_cast<uint32_t>(base::UniformInt(0, int64_t{1} << 32));
  return {static_cast<char>(random), static_cast<char>(random >> 8),
          static_cast<char>(random >> 16), static_cast<char>(random >> 24)};
}

std::string ClosePayload(const Close& close) {
  if (close.code == CloseCode::kNoStatus) return "";
  std::string payload;
  io::AppendBigEndian(static_cast<uint16_t>(close.code), kCloseCodeBytes, payload);
  payload += close.reason;
  return payload;
}

absl::StatusOr<Close> ParseClose(absl::string_view payload) {
  if (payload.empty()) return Close{};
  if (payload.size() < kCloseCodeBytes) {
    return MakeError(CloseCode::kProtocolError, "close frame with half a code");
  }
  const uint64_t number = io::ReadBigEndian(payload.substr(0, kCloseCodeBytes));
  const auto code = static_cast<CloseCode>(number);
  if (!IsAllowedInFrame(code)) {
    return MakeError(CloseCode::kProtocolError, absl::StrCat("bad close code ", number));
  }
  const absl::string_view reason = payload.substr(kCloseCodeBytes);
  if (!text::IsValidUtf8(reason)) {
    return MakeError(CloseCode::kInvalidPayload, "invalid utf8 payload in close frame");
  }
  return Close{.code = code, .reason = std::string(reason)};
}

absl::Status CheckClose(const Close& close) {
  if (close.code == CloseCode::kNoStatus) {
    if (close.reason.empty()) return absl::OkStatus();
    return absl::InvalidArgumentError("send close frame: a reason without a code");
  }
  if (!IsAllowedInFrame(close.code)) {
    return absl::InvalidArgumentError(
        absl::StrCat("send close frame: no frame may have the code ", ToString(close.code)));
  }
  if (close.reason.size() > kMaxReasonBytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "send close frame: a reason of ", close.reason.size(), " bytes, of ", kMaxReasonBytes));
  }
  if (!text::IsValidUtf8(close.reason)) {
    return absl::InvalidArgumentError("send close frame: the reason is not UTF-8");
  }
  return absl::OkStatus();
}

}  // namespace

Connection::Connection(const ConnectionOptions& options, Events& events)
    : options_(options), events_(events), reader_(options.role, options.limits) {}

// ---- Receiving

absl::Status Connection::Receive(absl::string_view bytes) {
  KUBE_RETURN_IF_ERROR(failure_);
  failure_ = ReceivePieces(bytes);
  if (!failure_.ok()) {
    pong_.reset();
    if (!close_sent_) close_ = CloseFor(failure_);
  }
  return failure_;
}

absl::Status Connection::ReceivePieces(absl::string_view bytes) {
  while (!close_received_.has_value()) {
    KUBE_ASSIGN_OR_RETURN(const std::optional<FramePiece> piece, reader_.Next(bytes));
    if (!piece.has_value()) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(OnPiece(*piece));
  }
  return absl::OkStatus();
}

absl::Status Connection::OnPiece(const FramePiece& piece) {
  return IsControl(piece.opcode) ? OnControl(piece) : OnData(piece);
}

absl::Status Connection::OnControl(const FramePiece& piece) {
  if (piece.begins) control_.clear();
  absl::StrAppend(&control_, piece.payload);
  if (!piece.ends) return absl::OkStatus();
  if (piece.opcode == Opcode::kPong) {
    events_.OnPong(control_);
  } else if (piece.opcode == Opcode::kPing) {
    if (!close_sent_) pong_ = control_;
    events_.OnPing(control_);
  } else {
    KUBE_ASSIGN_OR_RETURN(close_received_, ParseClose(control_));
    // Section 5.5.1: the answer typically has the same code.
    pong_.reset();
    if (!close_sent_) close_ = Close{.code = close_received_->code};
    events_.OnClose(*close_received_);
  }
  return absl::OkStatus();
}

absl::Status Connection::OnData(const FramePiece& piece) {
  const bool begins = piece.begins && piece.opcode != Opcode::kContinuation;
  const bool ends = piece.ends && piece.fin;
  if (begins) {
    type_ = piece.opcode == Opcode::kText ? MessageType::kText : MessageType::kBinary;
  }
  if (type_ == MessageType::kText &&
      (!text_.Append(piece.payload) || (ends && !text_.complete()))) {
    return MakeError(CloseCode::kInvalidPayload, "invalid utf8 payload in text message");
  }
  if (options_.stream_messages) {
    if (begins || ends || !piece.payload.empty()) Deliver(piece.payload, begins, ends);
  } else if (ends && message_.empty()) {
    Deliver(piece.payload, true, true);
  } else {
    absl::StrAppend(&message_, piece.payload);
    if (!ends) return absl::OkStatus();
    Deliver(message_, true, true);
    message_.clear();
  }
  return absl::OkStatus();
}

void Connection::Deliver(absl::string_view data, bool begins, bool ends) {
  events_.OnMessage({.type = type_, .data = data, .begins = begins, .ends = ends});
}

absl::Status Connection::EndOfInput() {
  input_ended_ = true;
  if (close_received_.has_value() || !failure_.ok()) return failure_;
  failure_ = MakeClosedError({.code = CloseCode::kAbnormal, .reason = "unexpected EOF"});
  pong_.reset();
  close_.reset();
  return failure_;
}

// ---- Sending

absl::Status Connection::CheckCanSend() const {
  KUBE_RETURN_IF_ERROR(failure_);
  if (close_received_.has_value()) {
    return absl::FailedPreconditionError(absl::StrCat("websocket: ", ToString(*close_received_)));
  }
  if (close_sent_) return absl::FailedPreconditionError("websocket: close sent");
  return absl::OkStatus();
}

absl::Status Connection::SendMessage(MessageType type, absl::string_view data, std::string& out) {
  KUBE_RETURN_IF_ERROR(CheckCanSend());
  if (type == MessageType::kText && !text::IsValidUtf8(data)) {
    return absl::InvalidArgumentError("send text message: it is not UTF-8");
  }
  Produce(out);
  Append(type == MessageType::kText ? Opcode::kText : Opcode::kBinary, data, out);
  return absl::OkStatus();
}

absl::Status Connection::SendPing(absl::string_view payload, std::string& out) {
  KUBE_RETURN_IF_ERROR(CheckCanSend());
  if (payload.size() > kMaxControlBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("send ping: a payload of ", payload.size(), " bytes, of ", kMaxControlBytes));
  }
  Produce(out);
  Append(Opcode::kPing, payload, out);
  return absl::OkStatus();
}

absl::Status Connection::SendClose(const Close& close, std::string& out) {
  KUBE_RETURN_IF_ERROR(CheckCanSend());
  KUBE_RETURN_IF_ERROR(CheckClose(close));
  Produce(out);
  Append(Opcode::kClose, ClosePayload(close), out);
  close_sent_ = true;
  return absl::OkStatus();
}

void Connection::Produce(std::string& out) {
  if (pong_.has_value()) Append(Opcode::kPong, *pong_, out);
  pong_.reset();
  if (!close_.has_value()) return;
  Append(Opcode::kClose, ClosePayload(*close_), out);
  close_.reset();
  close_sent_ = true;
}

void Connection::Append(Opcode opcode, absl::string_view payload, std::string& out) {
  FrameHeader header = {.opcode = opcode};
  if (options_.role == Role::kClient) header.mask = RandomMaskKey();
  AppendFrame(header, payload, out);
}

bool Connection::done() const {
  if (input_ended_) return true;
  return close_sent_ && (close_received_.has_value() || !failure_.ok());
}

}  // namespace kube::websocket
