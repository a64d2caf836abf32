#include "net/httpserver/internal/connection.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "net/httpserver/internal/fault_control.h"
#include "net/httpserver/internal/request_memory.h"
#include "net/httpserver/internal/session.h"
#include "net/httpserver/internal/tls.h"
#include "net/httpserver/internal/worker.h"
#include "net/httpserver/server.h"
#include "net/io/event_loop.h"
#include "net/io/file_descriptor.h"
#include "net/io/secure_socket.h"

namespace kube::httpserver::internal {

// Everything that happens ends in Pump, which alternates FillWire (take output from the session, at
// most kWireLimit) and SendWire (write it to the socket) until the socket or the session has no
// more, and then looks at what the session wants: to be reset (broken), to end (finished), to end
// its output only, which a connection that has switched protocols can (output_ended), or to
// continue. Pump also notes progress, from which Deadline computes the next timeout, and tells the
// loop which events to watch.
//
// States: kOpen; kLingering after the last byte, when the sending side is closed and input is read
// and ignored until the client closes or kLingerTime passes (closing at once could make the kernel
// send RST and destroy what the client has not read); kClosed. Without TLS the session is chosen by
// the first bytes, with TLS by ALPN when the handshake is complete.

namespace {

// The bytes with which an HTTP/2 client with prior knowledge begins.
constexpr absl::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

// Maximum number of bytes that wait for the socket; the rest waits in the streams.
constexpr size_t kWireLimit = size_t{256} << 10;

// A connection may be closed to make room if its client has taken nothing of its answer for this
// long.
constexpr absl::Duration kStalledAfter = absl::Seconds(1);

// How long a client may take to close its side after the server has closed its own.
constexpr absl::Duration kLingerTime = absl::Seconds(2);

// The interval of ticks while output is slowed down.
constexpr absl::Duration kThrottleTick = absl::Milliseconds(10);

base::MonotonicTime Now() { return base::Runtime::Real().Now(); }

}  // namespace

void Connection::Start(std::shared_ptr<Worker> worker, io::FileDescriptor socket,
                       std::string peer_address, ServerContext& server) {
  const auto connection = std::make_shared<Connection>(std::move(worker), std::move(socket),
                                                       std::move(peer_address), server);
  connection->worker_->Add(connection);
  connection->WatchEvents();
  connection->ListAsIdle();
  if (!connection->socket_.is_secure() && !server.options.http1) {
    connection->session_ = connection->MakeSession(/*http2=*/true);
    connection->Pump();
  }
}

Connection::Connection(std::shared_ptr<Worker> worker, io::FileDescriptor socket,
                       std::string peer_address, ServerContext& server)
    : worker_(std::move(worker)),
      file_(std::move(socket)),
      tls_(server.tls == nullptr ? nullptr : NewServerSsl(*server.tls->Newest())),
      socket_(file_.get(), nullptr, tls_.get()),
      peer_address_(std::move(peer_address)),
      server_(server),
      again_(worker_->loop(), io::EventLoop::Turn::kConnections,
             [this] { OnEvents(file_.get(), EPOLLIN); }),
      opened_(Now()),
      last_output_(opened_),
      activity_since_(opened_),
      last_request_(opened_),
      last_body_(opened_),
      last_answer_(opened_) {}

Connection::~Connection() {
  if (state_ != State::kClosed) --server_.counters.connections;  // it was never started
}

void Connection::OnEvents(int, uint32_t events) {
  // Keeps it alive: it may close itself, and the worker may hold the last reference.
  const std::shared_ptr<Connection> kept = shared_from_this();
  if ((events & (EPOLLHUP | EPOLLERR)) != 0 && (watched_ & EPOLLIN) == 0) {
    return Close(absl::CancelledError("the client disconnected"));
  }
  if ((events & ~uint32_t{EPOLLOUT}) != 0 || !socket_.is_ready()) Read();
  if (state_ == State::kLingering && goodbye_waits_) SayGoodbye();
  if (state_ != State::kClosed) Pump();
}

void Connection::OnTick(base::MonotonicTime now) {
  sent_in_tick_ = 0;
  const bool has_output = state_ == State::kOpen && session_ != nullptr && session_->OnTick(now);
  if (has_output || faults_.bytes_per_tick != 0) Pump();
  ListAsIdle();
  if (state_ == State::kClosed || now < Deadline()) return;
  if (state_ == State::kLingering) return Close(absl::CancelledError("the connection is closed"));
  if (!socket_.is_ready()) ++server_.counters.failed_handshakes;
  ++server_.counters.timeouts;
  if (wire_sent_ < wire_.size()) ++server_.counters.slow_readers;
  KUBE_VLOG(4, "closing connection: timed out", {"peer", peer_address_});
  CloseIdle(absl::DeadlineExceededError("the connection timed out"));
}

void Connection::MakeRoom() {
  worker_->Post([weak = weak_from_this(), &server = server_] {
    server.making_room = false;
    const std::shared_ptr<Connection> connection = weak.lock();
    if (connection == nullptr || connection->state_ == State::kClosed) return server.NoteRoom();
    connection->listed_since_.reset();
    // It got a request meanwhile. The listener tries another one.
    if (!connection->IsIdle()) return server.NoteRoom();
    ++server.counters.evictions;
    KUBE_VLOG(4, "closing idle connection: too many connections",
              {"peer", connection->peer_address_});
    connection->CloseIdle(absl::CancelledError("the connection was closed: too many connections"));
  });
}

void Connection::OnStop() { Close(absl::CancelledError("the server was stopped")); }

void Connection::Shutdown() {
  // The client has not requested anything yet.
  if (session_ == nullptr) return Close(absl::CancelledError("the server is shutting down"));
  session_->Shutdown();
  Pump();
}

void Connection::SetFaults(const Faults& faults) {
  faults_ = faults;
  sent_in_tick_ = 0;
  if (faults_.bytes_per_tick != 0) worker_->SetTick(kThrottleTick);
  Pump();
}

void Connection::SendRaw(absl::string_view bytes) {
  wire_.append(bytes.data(), bytes.size());
  Pump();
}

void Connection::Reset() {
  const linger now = {.l_onoff = 1, .l_linger = 0};
  ::setsockopt(file_.get(), SOL_SOCKET, SO_LINGER, &now, sizeof(now));
  Close(absl::CancelledError("the connection was reset"));
}

void Connection::HalfClose() {
  half_closed_ = true;
  ::shutdown(file_.get(), SHUT_WR);
}

void Connection::Read() {
  using SocketState = io::SecureSocket::State;
  std::array<char, 65536> buffer;  // NOLINT: not initialised, on purpose
  unread_ = false;
  while (state_ != State::kClosed) {
    if ((watched_ & EPOLLIN) == 0) {
      unread_ = true;
      return;
    }
    const io::SecureSocket::Result result = socket_.Read(buffer.data(), buffer.size());
    if (tls_ != nullptr && socket_.is_ready() && session_ == nullptr) ChooseSession();
    if (result.state == SocketState::kLater) return;
    if (result.state == SocketState::kEnd) return OnInputEnd();
    if (result.state == SocketState::kError) return OnBroken();
    // While lingering, input is ignored.
    if (state_ == State::kOpen) Receive(absl::string_view(buffer.data(), result.bytes));
    if (!socket_.may_have_more()) return;
    Pump();
  }
}

void Connection::OnInputEnd() {
  if (state_ == State::kLingering || session_ == nullptr) {
    return Close(absl::CancelledError("the client closed the connection"));
  }
  input_ended_ = true;
  session_->EndOfInput();
  WatchEvents();
}

void Connection::OnBroken() {
  absl::Status why = absl::CancelledError("the client disconnected");
  if (!socket_.is_ready()) {
    ++server_.counters.failed_handshakes;
    why = absl::UnauthenticatedError(absl::StrCat("TLS handshake: ", socket_.error().cause));
  } else if (socket_.error().kind == io::SecureSocket::ErrorKind::kProtocol) {
    why = absl::DataLossError(absl::StrCat("TLS: ", socket_.error().cause));
  }
  KUBE_VLOG(4, "closing connection", {"peer", peer_address_}, {"err", why});
  Close(why);
}

void Connection::Receive(absl::string_view plain) {
  if (session_ == nullptr) {
    first_bytes_.append(plain.data(), plain.size());
    ChooseSession();
    if (session_ == nullptr) return;
    plain = first_bytes_;
  }
  session_->Receive(plain);
  first_bytes_ = {};
}

void Connection::ChooseSession() {
  if (tls_ != nullptr) {
    const bool http2 = socket_.protocol() == "h2" || !server_.options.http1;
    session_ = MakeSession(http2);
    return;
  }
  const size_t size = std::min(first_bytes_.size(), kPreface.size());
  const bool may_be_http2 =
      server_.options.http2 &&
      absl::string_view(first_bytes_).substr(0, size) == kPreface.substr(0, size);
  if (may_be_http2 && size < kPreface.size()) return;
  session_ = MakeSession(may_be_http2);
}

std::unique_ptr<Session> Connection::MakeSession(bool http2) {
  return http2 ? MakeHttp2Session(MakeEnvironment()) : MakeHttp1Session(MakeEnvironment());
}

SessionEnvironment Connection::MakeEnvironment() {
  SessionEnvironment environment = {
      .options = &server_.options,
      .handler = server_.handler,
      .counters = &server_.counters,
      .request = {},
      .make_wake = {},
      .faults = {},
      .memory = std::make_shared<MemoryLimit>(server_.options.max_connection_request_bytes,
                                              server_.memory),
      .progress = &progress_};
  environment.request.peer_address = peer_address_;
  environment.request.tls = socket_.is_secure();
  if (tls_ != nullptr) environment.request.client_certificate = ClientCertificateOf(tls_.get());
  const std::weak_ptr<Connection> weak = weak_from_this();
  environment.make_wake = [weak, worker = worker_](int32_t number) -> absl::AnyInvocable<void()> {
    return [weak, worker, number] {
      worker->Post([weak, number] {
        const std::shared_ptr<Connection> connection = weak.lock();
        if (connection == nullptr || connection->state_ != State::kOpen) return;
        connection->session_->Wake(number);
        connection->Pump();
      });
    };
  };
  environment.faults =
      std::make_shared<FaultControl>([weak, worker = worker_](FaultControl::Action action) {
        worker->Post([weak, action = std::move(action)]() mutable {
          const std::shared_ptr<Connection> connection = weak.lock();
          if (connection != nullptr && connection->state_ != State::kClosed) action(*connection);
        });
      });
  return environment;
}

void Connection::Pump() {
  while (state_ != State::kClosed) {
    const bool filled = FillWire();
    if (state_ == State::kClosed || !SendWire()) return;
    if (!filled || wire_sent_ < wire_.size()) break;
  }
  if (state_ == State::kOpen && session_ != nullptr) {
    if (session_->broken()) return Reset();
    if (wire_.empty()) session_->OnOutputSent();
    if (session_->finished() && (wire_.empty() || session_->drops_output())) return Linger();
    if (session_->output_ended() && wire_.empty() && !half_closed_) EndOutput();
    const bool new_request = progress_.requests != seen_.requests;
    if (session_->activity() != activity_ || new_request) {
      activity_ = session_->activity();
      activity_since_ = Now();
    }
    if (new_request) last_request_ = Now();
    if (progress_.body_bytes != seen_.body_bytes) last_body_ = Now();
    if (progress_.answer_bytes != seen_.answer_bytes) last_answer_ = Now();
    seen_ = progress_;
  }
  ListAsIdle();
  WatchEvents();
}

bool Connection::IsIdle() const {
  if (session_ == nullptr) return true;
  if (session_->awaits_handler()) return false;
  // A client that does not read its answer must not keep others out.
  return activity_ != Activity::kResponding || Now() - last_answer_ >= kStalledAfter;
}

void Connection::ListAsIdle() {
  if (!server_.has_limit() || state_ == State::kClosed) return;
  const bool idle = IsIdle();
  if (listed_since_.has_value()) {
    if (idle && *listed_since_ == last_request_) return;
    server_.idle.Remove(*listed_since_, this);
    listed_since_.reset();
  }
  if (!idle) return;
  listed_since_ = last_request_;
  server_.idle.Add(last_request_, shared_from_this());
  server_.NoteRoom();
}

bool Connection::FillWire() {
  if (session_ == nullptr || state_ != State::kOpen) return false;
  const size_t waiting = wire_.size() - wire_sent_;
  if (waiting >= kWireLimit) return true;  // send some first
  if (waiting == 0) last_output_ = Now();
  const size_t before = wire_.size();
  session_->Produce(wire_, before + kWireLimit - waiting);
  return wire_.size() != before;
}

uint64_t Connection::SendAllowance() const {
  if (faults_.stall_output) return 0;
  uint64_t allowance = UINT64_MAX - socket_.sent_bytes();
  if (faults_.bytes_per_tick != 0) {
    allowance = std::min<uint64_t>(allowance, faults_.bytes_per_tick - sent_in_tick_);
  }
  if (faults_.close_after) allowance = std::min<uint64_t>(allowance, *faults_.close_after);
  return allowance;
}

bool Connection::SendWire() {
  using SocketState = io::SecureSocket::State;
  while (wire_sent_ < wire_.size() && socket_.is_ready() && SendAllowance() != 0) {
    const uint64_t before = socket_.sent_bytes();
    socket_.set_sent_limit(before + SendAllowance());
    const io::SecureSocket::Result result =
        socket_.Write(absl::string_view(wire_).substr(wire_sent_));
    const uint64_t sent = socket_.sent_bytes() - before;
    if (sent != 0) last_output_ = Now();
    if (faults_.bytes_per_tick != 0) sent_in_tick_ += sent;
    if (faults_.close_after) *faults_.close_after -= sent;
    if (result.state == SocketState::kLater) break;
    if (result.state != SocketState::kDone) {
      if (half_closed_) return true;
      Close(absl::CancelledError("the client disconnected"));
      return false;
    }
    wire_sent_ += result.bytes;
  }
  if (faults_.close_after && *faults_.close_after == 0) {
    Close(absl::CancelledError("the connection was closed by fault injection"));
    return false;
  }
  if (wire_sent_ == wire_.size()) {
    wire_.clear();
    wire_sent_ = 0;
    if (wire_.capacity() > 2 * kWireLimit) wire_.shrink_to_fit();
  } else if (wire_sent_ > kWireLimit) {
    wire_.erase(0, std::exchange(wire_sent_, 0));
  }
  return true;
}

void Connection::EndOutput() {
  const uint64_t allowance = SendAllowance();
  if (allowance == 0) return;  // a fault holds it back
  socket_.set_sent_limit(socket_.sent_bytes() + allowance);
  goodbye_waits_ = socket_.SayGoodbye().state == io::SecureSocket::State::kLater;
  if (goodbye_waits_) return;
  // With TLS, close_notify is the end of the bytes. The socket stays open in both directions: TLS
  // may have to answer to what is still received.
  if (!socket_.is_secure()) ::shutdown(file_.get(), SHUT_WR);
  half_closed_ = true;
}

void Connection::WatchEvents() {
  if (state_ == State::kClosed) return;
  uint32_t events = 0;
  const bool wants_input = session_ == nullptr || session_->wants_input();
  if (!input_ended_ && !faults_.stall_input && (wants_input || state_ == State::kLingering)) {
    events |= EPOLLIN;
  }
  const bool has_output =
      goodbye_waits_ || (socket_.is_ready() ? wire_sent_ < wire_.size() : socket_.wants_room());
  if (has_output && SendAllowance() != 0 && !half_closed_) events |= EPOLLOUT;
  if (unread_ && (events & EPOLLIN) != 0) again_.Schedule();
  if (events == watched_) return;
  watched_ = events;
  worker_->loop().Watch(file_.get(), events, this);
}

base::MonotonicTime Connection::Deadline() const {
  const ServerOptions& options = server_.options;
  base::MonotonicTime deadline = base::MonotonicTime::Infinite();
  const auto at_most = [&deadline](base::MonotonicTime from, absl::Duration timeout) {
    if (timeout > absl::ZeroDuration()) deadline = std::min(deadline, from + timeout);
  };
  if (state_ == State::kLingering) return last_output_ + kLingerTime;
  // After a switch of protocols a client may pause for as long as the handler waits for it: that
  // is how it slows the handler down.
  const bool has_output = wire_sent_ < wire_.size() || goodbye_waits_;
  if (has_output && activity_ != Activity::kSwitched) at_most(last_output_, options.write_timeout);
  if (session_ == nullptr) {
    at_most(opened_, tls_ != nullptr ? options.handshake_timeout : options.header_timeout);
    return deadline;
  }
  switch (activity_) {
    case Activity::kIdle:
      at_most(std::max(activity_since_, last_request_), options.idle_timeout);
      break;
    case Activity::kReadingHeader:
      at_most(activity_since_, options.header_timeout);
      break;
    case Activity::kReadingBody:
      at_most(std::max(activity_since_, last_body_), options.body_timeout);
      break;
    case Activity::kResponding:
    case Activity::kSwitched:
      break;
  }
  return deadline;
}

void Connection::CloseIdle(const absl::Status& why) {
  if (state_ == State::kOpen && session_ != nullptr) {
    session_->Shutdown();
    if (FillWire()) SendWire();
  }
  Close(why);
}

void Connection::Linger() {
  session_->Close(absl::CancelledError("the connection is closed"));
  state_ = State::kLingering;
  last_output_ = Now();
  wire_.clear();
  wire_sent_ = 0;
  SayGoodbye();
}

void Connection::SayGoodbye() {
  // Before, if the output has ended earlier.
  goodbye_waits_ = !half_closed_ && socket_.SayGoodbye().state == io::SecureSocket::State::kLater;
  if (goodbye_waits_) return WatchEvents();
  ::shutdown(file_.get(), SHUT_WR);
  half_closed_ = true;
  if (input_ended_) return Close(absl::CancelledError("the connection is closed"));
  WatchEvents();
}

void Connection::Close(const absl::Status& why) {
  if (state_ == State::kClosed) return;
  state_ = State::kClosed;
  --server_.counters.connections;
  if (listed_since_.has_value()) server_.idle.Remove(*listed_since_, this);
  // Keeps it alive: the worker may hold the last reference.
  const std::shared_ptr<Connection> kept = shared_from_this();
  again_.Cancel();
  worker_->loop().Forget(file_.get());
  worker_->Remove(this);
  file_.Close();
  if (session_ != nullptr) session_->Close(why);
  server_.NoteRoom();
}

}  // namespace kube::httpserver::internal
