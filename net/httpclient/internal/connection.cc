#include "net/httpclient/internal/connection.h"

#include <sys/epoll.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/internal/curl_error.h"
#include "net/httpclient/internal/curl_options.h"
#include "net/httpclient/internal/dial_threads.h"
#include "net/httpclient/internal/session.h"
#include "net/httpclient/transport_error.h"
#include "net/io/event_loop.h"
#include "net/io/secure_socket.h"

namespace kube::httpclient::internal {

// A connection alternates between Receive and Send, each of which runs until the socket would
// block. `unread_` and `full_` remember whether it may have data or lacks room; epoll events and
// tasks only set these flags, and Work acts on them. Receive stops after kTurnBytes, so that other
// connections get their turn and readers are woken; the timer `again_` continues it in the next
// round. Receive also stops while the session wants no input (HTTP/1.1 whose reader is behind);
// Watch then removes EPOLLIN until Resume. Send keeps at most kWireBytes in `wire_`, while the rest
// stays in the session; after a switch of protocols it takes all that waits, without copying it. It
// stops after kSendTurnBytes as Receive does, because a caller may write as fast as it sends.

namespace {

// Bytes received before other connections get their turn and readers are woken. A reader gets at
// most this much in one piece, which malloc can serve without asking the system (from 128 kB on it
// does not).
constexpr size_t kTurnBytes = 64 << 10;
// Maximum number of bytes that wait for the socket; the rest waits in the session.
constexpr size_t kWireBytes = 64 << 10;
// Bytes sent before other connections get their turn. Sending is cheaper than receiving.
constexpr size_t kSendTurnBytes = 256 << 10;

}  // namespace

Connection::Connection(io::EventLoop& loop, const HttpTransportOptions& transport_options,
                       const CurlOptions& options, DialThreads& dials, io::EventLoop::Task& changed)
    : loop_(loop),
      transport_options_(transport_options),
      options_(options),
      changed_(changed),
      dialer_(loop, transport_options, options, dials, changed),
      again_(loop, [this] { changed_.Schedule(); }),
      life_timer_(loop, [this] { CheckLife(); }) {}

Connection::~Connection() {
  if (socket_ != nullptr) loop_.Forget(socket_->fd());
}

bool Connection::Open() { return dialer_.Start(); }

void Connection::OnDialed() {
  opened_ = dialer_.status();
  if (opened_->ok()) {
    socket_ = dialer_.MakeSocket();
    opened_ = MakeSession();
  }
  if (opened_->ok()) {
    last_heard_ = loop_.now();
    unread_ = true;  // the handshake may have read more
    life_timer_.Set(last_heard_ + transport_options_.keep_alive_idle);
  }
}

absl::Status Connection::MakeSession() {
  const SessionLimits limits = {.max_header_bytes = transport_options_.max_header_bytes,
                                .window_bytes = transport_options_.max_buffered_bytes};
  const bool http2 =
      !options_.upgrade() && (socket_->protocol() == "h2" || options_.prior_knowledge());
  if (!http2 && !options_.upgrade() &&
      options_.connection().http_version == HttpVersion::kHttp2Only) {
    return MakeTransportError(
        {.kind = TransportErrorKind::kTls, .maybe_sent = false},
        absl::StrCat("connect to ", options_.authority(), ": the server does not support HTTP/2"));
  }
  session_ = http2 ? MakeHttp2Session(limits) : MakeHttp1Session(limits, options_.plain_proxy());
  return absl::OkStatus();
}

void Connection::Start(Stream& stream) {
  session_->Start(stream);
  changed_.Schedule();
}

void Connection::Cancel(Stream& stream) {
  session_->Cancel(stream);
  changed_.Schedule();
}

void Connection::Resume(Stream& stream) {
  session_->Resume(stream);
  unread_ = true;  // bytes that TLS has already received raise no event
  changed_.Schedule();
}

void Connection::OnEvents(int, uint32_t events) {
  if ((events & ~uint32_t{EPOLLOUT}) != 0) unread_ = true;
  if ((events & EPOLLOUT) != 0) full_ = false;
  changed_.Schedule();
}

void Connection::Work() {
  if (!opened_.has_value() && dialer_.done()) OnDialed();
  if (session_ == nullptr) return;
  if (unread_) Receive();
  if (!full_ && !cannot_send_ && !failure_.has_value()) Send();
  Watch();
}

void Connection::Receive() {
  std::array<char, 64 << 10> buffer;  // NOLINT: not initialised, on purpose
  size_t received = 0;
  while (!failure().has_value() && session_->wants_input()) {
    if (received >= kTurnBytes) return again_.Set(loop_.now());
    const io::SecureSocket::Result result = socket_->Read(buffer.data(), buffer.size());
    if (result.state == io::SecureSocket::State::kLater) break;
    if (result.state == io::SecureSocket::State::kError) {
      return FailBySocket();
    }
    if (result.state == io::SecureSocket::State::kEnd) {
      input_ended_ = true;
      session_->EndOfInput();
      break;
    }
    last_heard_ = loop_.now();
    if (!asked_.is_infinite()) {
      asked_ = base::MonotonicTime::Infinite();
      life_timer_.Set(last_heard_ + transport_options_.keep_alive_idle);
    }
    received += result.bytes;
    session_->Receive(absl::string_view(buffer.data(), result.bytes));
    if (!socket_->may_have_more()) break;
  }
  unread_ = false;
}

void Connection::Send() {
  size_t sent = 0;
  for (;;) {
    if (sent >= kSendTurnBytes) return again_.Set(loop_.now());
    if (wire_sent_ == wire_.size()) {
      wire_.clear();
      wire_sent_ = 0;
      session_->Produce(wire_, kWireBytes);
      if (wire_.empty()) return;
    }
    const io::SecureSocket::Result result =
        socket_->Write(absl::string_view(wire_).substr(wire_sent_));
    if (result.state == io::SecureSocket::State::kLater) {
      full_ = true;
      return;
    }
    if (result.state != io::SecureSocket::State::kDone) {
      // The server may have sent the reason before it closed.
      unread_ = true;
      Receive();
      if (failure().has_value()) return;
      // After an upgrade it may have sent more than there is room for. That is not lost: nothing
      // more is sent, while reading goes on until it meets the end.
      cannot_send_ = options_.upgrade() && (unread_ || !session_->wants_input());
      if (!cannot_send_) FailBySocket();
      return;
    }
    wire_sent_ += result.bytes;
    sent += result.bytes;
  }
}

void Connection::Watch() {
  uint32_t events = 0;
  if (!failure().has_value() && !input_ended_ && session_->wants_input()) events |= EPOLLIN;
  if (full_) events |= EPOLLOUT;
  loop_.Watch(socket_->fd(), events, this);
}

void Connection::Fail(TransportErrorKind kind, std::string cause) {
  if (!failure_.has_value()) failure_ = {.error = kind, .cause = std::move(cause)};
}

void Connection::FailBySocket() { Fail(KindOf(socket_->error().kind), socket_->error().cause); }

// With HTTP/1.1 TCP's own keep-alives do this, because the protocol has no ping.
void Connection::CheckLife() {
  const absl::Duration patience =
      transport_options_.lost_after - transport_options_.keep_alive_idle;
  const base::MonotonicTime now = loop_.now();
  if (session_->http_version() == 1) return;
  if (!asked_.is_infinite()) {
    if (unread_) return life_timer_.Set(now);  // the thread was delayed; read first
    Fail(TransportErrorKind::kLost, "client connection lost: no response to PING");
    return changed_.Schedule();
  }
  const base::MonotonicTime due = last_heard_ + transport_options_.keep_alive_idle;
  if (now < due) return life_timer_.Set(due);
  asked_ = now;
  session_->Ping();
  life_timer_.Set(now + patience);
  changed_.Schedule();
}

}  // namespace kube::httpclient::internal
