#include "net/spdy/connection.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "net/http/headers.h"
#include "net/spdy/frame.h"
#include "net/spdy/frame_reader.h"
#include "net/spdy/frame_writer.h"
#include "net/spdy/internal/error.h"

namespace kube::spdy {

// A stream is in the table from SYN_STREAM on until both sides have finished or one has reset it.
// Frames for other streams are ignored, as in spdystream: they may cross the frame that has ended
// the stream. Events may change the table, so a stream is looked up again after each of them.

namespace {

// The most that waits for Produce. Answers are not larger than the frames that ask for them, so it
// takes a large input, or many without a call of Produce, to exceed it.
constexpr size_t kMaxAnswerBytes = size_t{256} << 10;

// Pings have ids of 31 bits in spdystream.
constexpr uint32_t kMaxPingId = kMaxStreamId;

absl::Status StreamIsOver(StreamId id) {
  return absl::NotFoundError(absl::StrCat("spdy: stream ", id, " is over"));
}

}  // namespace

Connection::Connection(const ConnectionOptions& options, Events& events)
    : options_(options),
      events_(events),
      own_parity_(options.role == Role::kClient ? 1 : 0),
      reader_(options.limits),
      writer_(options.limits),
      next_stream_id_(options.first_stream_id != 0 ? options.first_stream_id : 2 - own_parity_),
      next_ping_id_(2 - own_parity_) {}

// ---- Receiving

absl::Status Connection::Receive(absl::string_view bytes) {
  KUBE_RETURN_IF_ERROR(failure_);
  absl::Status status = ReceiveFrames(bytes);
  if (!status.ok()) Fail(std::move(status));
  return failure_;
}

absl::Status Connection::ReceiveFrames(absl::string_view bytes) {
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::optional<Frame> frame, reader_.Next(bytes));
    if (!frame.has_value()) return absl::OkStatus();
    std::visit([this](const auto& kind) { On(kind); }, *frame);
    if (answers_.size() > kMaxAnswerBytes) {
      answers_.clear();
      return internal::LimitError("the peer asks for more answers than are written");
    }
  }
}

void Connection::Fail(absl::Status status) {
  failure_ = std::move(status);
  streams_.clear();
  peer_streams_ = 0;
  if (std::exchange(going_away_, true)) return;
  AppendFrame(GoAwayFrame{.last_good_id = last_peer_id_, .status = GoAwayStatus::kProtocolError},
              answers_);
}

absl::Status Connection::EndOfInput() {
  input_ended_ = true;
  if (!failure_.ok() || streams_.empty()) return failure_;
  failure_ = absl::UnavailableError("spdy: unexpected EOF");
  streams_.clear();
  peer_streams_ = 0;
  answers_.clear();
  return failure_;
}

void Connection::On(const SynStreamFrame& frame) {
  if (going_away_ || peer_going_away_) return;
  const StreamId id = frame.stream_id;
  if (IsOwn(id) || id <= last_peer_id_) {
    return AppendFrame(RstStreamFrame{.stream_id = id, .status = ResetStatus::kProtocolError},
                       answers_);
  }
  last_peer_id_ = id;
  if (peer_streams_ >= options_.max_peer_streams) {
    return AppendFrame(RstStreamFrame{.stream_id = id, .status = ResetStatus::kRefusedStream},
                       answers_);
  }
  ++peer_streams_;
  streams_[id] = {.finished = frame.unidirectional};
  events_.OnStream(id, frame.headers);
  if (frame.fin) EndPeer(id);
}

void Connection::On(const SynReplyFrame& frame) {
  const auto stream = streams_.find(frame.stream_id);
  if (stream == streams_.end() || !IsOwn(frame.stream_id) || stream->second.replied) return;
  stream->second.replied = true;
  events_.OnReply(frame.stream_id, frame.headers);
  if (frame.fin) EndPeer(frame.stream_id);
}

void Connection::On(const RstStreamFrame& frame) {
  if (!Forget(frame.stream_id)) return;
  events_.OnReset(frame.stream_id, frame.status);
}

void Connection::On(const HeadersFrame& frame) {
  const auto stream = streams_.find(frame.stream_id);
  if (stream == streams_.end() || (IsOwn(frame.stream_id) && !stream->second.replied)) return;
  if (frame.fin) EndPeer(frame.stream_id);
}

void Connection::On(const PingFrame& frame) {
  if (!IsOwn(frame.id)) {
    AppendFrame(frame, answers_);
  } else if (frame.id < next_ping_id_) {
    events_.OnPong(frame.id);
  }
}

void Connection::On(const GoAwayFrame& frame) {
  if (std::exchange(peer_going_away_, true)) return;
  events_.OnGoAway(frame.last_good_id, frame.status);
  std::vector<StreamId> unseen;
  for (auto it = streams_.upper_bound(frame.last_good_id); it != streams_.end(); ++it) {
    if (IsOwn(it->first)) unseen.push_back(it->first);
  }
  for (const StreamId id : unseen) {
    if (Forget(id)) events_.OnReset(id, ResetStatus::kRefusedStream);
  }
}

void Connection::On(const DataPiece& piece) {
  const StreamId id = piece.stream_id;
  const auto stream = streams_.find(id);
  if (stream == streams_.end() || stream->second.peer_finished) return;
  if (IsOwn(id) && !stream->second.replied) {
    Reset(id, answers_, ResetStatus::kProtocolError);
    return events_.OnReset(id, ResetStatus::kProtocolError);
  }
  if (!piece.data.empty()) events_.OnData(id, piece.data);
  if (piece.fin) EndPeer(id);
}

void Connection::EndPeer(StreamId id) {
  const auto stream = streams_.find(id);
  if (stream == streams_.end() || stream->second.peer_finished) return;
  stream->second.peer_finished = true;
  if (stream->second.finished) Forget(id);
  events_.OnEnd(id);
}

bool Connection::Forget(StreamId id) {
  if (streams_.erase(id) == 0) return false;
  if (!IsOwn(id)) --peer_streams_;
  return true;
}

// ---- Sending

absl::StatusOr<StreamId> Connection::OpenStream(const http::Headers& headers, std::string& out) {
  KUBE_RETURN_IF_ERROR(failure_);
  if (going_away_ || peer_going_away_) {
    return absl::FailedPreconditionError("spdy: open stream: the connection is going away");
  }
  if (next_stream_id_ > kMaxStreamId) {
    return absl::ResourceExhaustedError("spdy: open stream: all stream ids are used");
  }
  const auto id = static_cast<StreamId>(next_stream_id_);
  KUBE_RETURN_IF_ERROR(writer_.Write(SynStreamFrame{.stream_id = id, .headers = headers}, out));
  next_stream_id_ += 2;
  streams_[id] = {};
  return id;
}

absl::StatusOr<Connection::Stream*> Connection::Find(StreamId id) {
  KUBE_RETURN_IF_ERROR(failure_);
  const auto stream = streams_.find(id);
  if (stream == streams_.end()) return StreamIsOver(id);
  return &stream->second;
}

absl::Status Connection::Reply(StreamId id, std::string& out, const http::Headers& headers) {
  KUBE_ASSIGN_OR_RETURN(Stream * stream, Find(id));
  if (IsOwn(id) || stream->replied) {
    return absl::FailedPreconditionError(absl::StrCat("spdy: reply on stream ", id, ": not due"));
  }
  KUBE_RETURN_IF_ERROR(writer_.Write(SynReplyFrame{.stream_id = id, .headers = headers}, out));
  stream->replied = true;
  return absl::OkStatus();
}

absl::StatusOr<Connection::Stream*> Connection::Writable(StreamId id) {
  KUBE_ASSIGN_OR_RETURN(Stream * stream, Find(id));
  if (!stream->replied) {
    return absl::FailedPreconditionError(
        absl::StrCat("spdy: write on stream ", id, ": it has no reply"));
  }
  if (stream->finished) {
    return absl::FailedPreconditionError(absl::StrCat("spdy: write on closed stream ", id));
  }
  return stream;
}

absl::Status Connection::SendData(StreamId id, absl::string_view data, std::string& out) {
  KUBE_RETURN_IF_ERROR(Writable(id));
  while (!data.empty()) {
    const absl::string_view piece = data.substr(0, kMaxDataBytes);
    AppendFrame(DataPiece{.stream_id = id, .data = piece}, out);
    data.remove_prefix(piece.size());
  }
  return absl::OkStatus();
}

absl::Status Connection::Finish(StreamId id, std::string& out) {
  KUBE_ASSIGN_OR_RETURN(Stream * stream, Writable(id));
  AppendFrame(DataPiece{.stream_id = id, .fin = true}, out);
  stream->finished = true;
  if (stream->peer_finished) Forget(id);
  return absl::OkStatus();
}

void Connection::Reset(StreamId id, std::string& out, ResetStatus status) {
  if (Forget(id)) AppendFrame(RstStreamFrame{.stream_id = id, .status = status}, out);
}

uint32_t Connection::SendPing(std::string& out) {
  const uint32_t id = next_ping_id_;
  next_ping_id_ = id + 2 > kMaxPingId ? 2 - own_parity_ : id + 2;
  AppendFrame(PingFrame{.id = id}, out);
  return id;
}

void Connection::Close(std::string& out) {
  if (std::exchange(going_away_, true)) return;
  Produce(out);
  for (const auto& [id, stream] : streams_) {
    AppendFrame(RstStreamFrame{.stream_id = id, .status = ResetStatus::kCancel}, out);
  }
  streams_.clear();
  peer_streams_ = 0;
  AppendFrame(GoAwayFrame{.last_good_id = last_peer_id_, .status = GoAwayStatus::kOk}, out);
}

void Connection::Produce(std::string& out) {
  out += answers_;
  answers_.clear();
}

bool Connection::done() const {
  return streams_.empty() && (going_away_ || peer_going_away_ || input_ended_);
}

}  // namespace kube::spdy
