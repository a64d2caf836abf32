#include "net/httpserver/internal/connection.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "net/httpserver/internal/fault_control.h"
#include "net/httpserver/internal/file_descriptor.h"
#include "net/httpserver/internal/loop.h"
#include "net/httpserver/internal/request_memory.h"
#include "net/httpserver/internal/session.h"

namespace kube::httpserver::internal {

namespace {

// With what clients of HTTP/2 begin that know beforehand.
constexpr absl::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

// What waits for the socket, at most, while the rest waits in streams.
constexpr size_t kWireLimit = size_t{256} << 10;

// A client that takes nothing of its answer for so long makes room for others.
constexpr absl::Duration kStalledAfter = absl::Seconds(1);

// How long a client may take to close its side after we have closed ours.
constexpr absl::Duration kLingerTime = absl::Seconds(2);

// While output is slowed down.
constexpr absl::Duration kThrottleTick = absl::Milliseconds(10);

base::MonotonicTime Now() { return base::Runtime::Real().Now(); }

}  // namespace

absl::Status Connection::Start(std::shared_ptr<Loop> loop, FileDescriptor socket,
                               std::string peer_address, ServerContext& server) {
  const auto connection = std::make_shared<Connection>(std::move(loop), std::move(socket),
                                                       std::move(peer_address), server);
  connection->watched_ = EPOLLIN;
  KUBE_ASSIGN_OR_RETURN(connection->id_,
                        connection->loop_->Add(connection->socket_.get(), EPOLLIN, connection));
  connection->ListAsIdle();
  if (!connection->tls_ && !server.options.http1) {
    connection->session_ = connection->MakeSession(/*http2=*/true);
    connection->Pump();
  }
  return absl::OkStatus();
}

Connection::Connection(std::shared_ptr<Loop> loop, FileDescriptor socket, std::string peer_address,
                       ServerContext& server)
    : loop_(std::move(loop)),
      socket_(std::move(socket)),
      peer_address_(std::move(peer_address)),
      server_(server),
      opened_(Now()),
      last_output_(opened_),
      activity_since_(opened_),
      last_request_(opened_),
      last_body_(opened_),
      last_answer_(opened_) {
  if (server_.tls != nullptr) tls_.emplace(server_.tls);
}

Connection::~Connection() {
  if (state_ != State::kClosed) --server_.counters.connections;  // it never started
}

void Connection::OnEvents(uint32_t events) {
  if ((events & (EPOLLHUP | EPOLLERR)) != 0 && (watched_ & EPOLLIN) == 0) {
    return Close(absl::CancelledError("the client has gone"));
  }
  if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) Read();
  if (state_ != State::kClosed) Pump();
}

void Connection::OnTick(base::MonotonicTime now) {
  sent_in_tick_ = 0;
  const bool has_output = state_ == State::kOpen && session_ != nullptr && session_->OnTick(now);
  if (has_output || faults_.bytes_per_tick != 0) Pump();
  ListAsIdle();
  if (state_ == State::kClosed || now < Deadline()) return;
  if (state_ == State::kLingering) return Close(absl::CancelledError("the connection is closed"));
  if (tls_ && !tls_->handshaken()) ++server_.counters.failed_handshakes;
  ++server_.counters.timeouts;
  if (wire_sent_ < wire_.size()) ++server_.counters.slow_readers;
  KUBE_VLOG(4, "closing connection after a deadline", {"peer", peer_address_});
  CloseIdle(absl::DeadlineExceededError("the connection was closed after a deadline"));
}

void Connection::MakeRoom() {
  loop_->Post([weak = weak_from_this(), &server = server_] {
    server.making_room = false;
    const std::shared_ptr<Connection> connection = weak.lock();
    if (connection == nullptr || connection->state_ == State::kClosed) return server.NoteRoom();
    connection->listed_since_.reset();
    // It got a request in the meantime. Another one may do.
    if (!connection->IsIdle()) return server.NoteRoom();
    ++server.counters.evictions;
    KUBE_VLOG(4, "closing connection to make room", {"peer", connection->peer_address_});
    connection->CloseIdle(absl::CancelledError("the connection was closed to make room"));
  });
}

void Connection::OnStop() {
  id_ = 0;
  Close(absl::CancelledError("the server has stopped"));
}

void Connection::Shutdown() {
  // Nothing was asked yet.
  if (session_ == nullptr) return Close(absl::CancelledError("the server is stopping"));
  session_->Shutdown();
  Pump();
}

void Connection::SetFaults(const Faults& faults) {
  faults_ = faults;
  sent_in_tick_ = 0;
  if (faults_.bytes_per_tick != 0) loop_->SetTick(kThrottleTick);
  Pump();
}

void Connection::SendRaw(absl::string_view bytes) {
  if (tls_) {
    if (!tls_->Send(bytes).ok()) return Close(absl::CancelledError("the connection is broken"));
    tls_->TakeOutput(wire_);
  } else {
    wire_.append(bytes.data(), bytes.size());
  }
  Pump();
}

void Connection::Reset() {
  const linger now = {.l_onoff = 1, .l_linger = 0};
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &now, sizeof(now));
  Close(absl::CancelledError("the connection was reset"));
}

void Connection::HalfClose() {
  half_closed_ = true;
  ::shutdown(socket_.get(), SHUT_WR);
}

void Connection::Read() {
  std::array<char, 65536> buffer;
  while (state_ != State::kClosed && (watched_ & EPOLLIN) != 0) {
    const ssize_t size = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
    if (size < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN || errno == EWOULDBLOCK) return;
      return Close(absl::CancelledError("the client has gone"));
    }
    if (size == 0) {
      if (state_ == State::kLingering || session_ == nullptr) {
        return Close(absl::CancelledError("the client has closed"));
      }
      input_ended_ = true;
      session_->EndOfInput();
      return WatchEvents();
    }
    if (state_ == State::kLingering) continue;  // of no interest any more
    const absl::string_view bytes(buffer.data(), static_cast<size_t>(size));
    if (!tls_) {
      Receive(bytes);
    } else {
      std::string plain;
      const absl::Status status = tls_->Receive(bytes, plain);
      tls_->TakeOutput(wire_);
      if (!status.ok()) {
        if (!tls_->handshaken()) ++server_.counters.failed_handshakes;
        KUBE_VLOG(4, "closing connection", {"peer", peer_address_}, {"err", status});
        SendWire();  // the alert
        return Close(status);
      }
      if (tls_->handshaken() && session_ == nullptr) ChooseSession();
      if (!plain.empty()) Receive(plain);
    }
    // The rest in the next turn: others want to be served, too.
    if (static_cast<size_t>(size) < buffer.size()) return;
    Pump();
  }
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
  if (tls_) {
    const bool http2 = tls_->protocol() == "h2" || !server_.options.http1;
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
  environment.request.tls = tls_.has_value();
  if (tls_) environment.request.client_certificate = tls_->client_certificate();
  const std::weak_ptr<Connection> weak = weak_from_this();
  environment.make_wake = [weak, loop = loop_](int32_t number) -> absl::AnyInvocable<void()> {
    return [weak, loop, number] {
      loop->Post([weak, number] {
        const std::shared_ptr<Connection> connection = weak.lock();
        if (connection == nullptr || connection->state_ != State::kOpen) return;
        connection->session_->Wake(number);
        connection->Pump();
      });
    };
  };
  environment.faults =
      std::make_shared<FaultControl>([weak, loop = loop_](FaultControl::Action action) {
        loop->Post([weak, action = std::move(action)]() mutable {
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
    if (session_->finished() && wire_.empty()) return Linger();
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
  // An answer that nobody takes keeps no one out.
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
  if (waiting >= kWireLimit) return true;  // first send some
  if (waiting == 0) last_output_ = Now();
  if (!tls_) {
    const size_t before = wire_.size();
    session_->Produce(wire_, before + kWireLimit - waiting);
    return wire_.size() != before;
  }
  std::string plain;
  session_->Produce(plain, kWireLimit - waiting);
  if (plain.empty()) return false;
  if (const absl::Status status = tls_->Send(plain); !status.ok()) {
    Close(status);
    return false;
  }
  tls_->TakeOutput(wire_);
  return true;
}

size_t Connection::SendAllowance() const {
  size_t allowance = wire_.size() - wire_sent_;
  if (faults_.stall_output) return 0;
  if (faults_.bytes_per_tick != 0) {
    allowance = std::min(allowance, faults_.bytes_per_tick - sent_in_tick_);
  }
  if (faults_.close_after) allowance = std::min(allowance, *faults_.close_after);
  return allowance;
}

bool Connection::SendWire() {
  while (const size_t allowance = SendAllowance()) {
    const ssize_t size = ::send(socket_.get(), wire_.data() + wire_sent_, allowance, MSG_NOSIGNAL);
    if (size < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN || errno == EWOULDBLOCK) break;
      if (half_closed_) return true;
      Close(absl::CancelledError("the client has gone"));
      return false;
    }
    wire_sent_ += static_cast<size_t>(size);
    last_output_ = Now();
    if (faults_.bytes_per_tick != 0) sent_in_tick_ += static_cast<size_t>(size);
    if (faults_.close_after) *faults_.close_after -= static_cast<size_t>(size);
  }
  if (faults_.close_after && *faults_.close_after == 0) {
    Close(absl::CancelledError("the connection was cut"));
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

void Connection::WatchEvents() {
  if (state_ == State::kClosed) return;
  uint32_t events = 0;
  const bool wants_input = session_ == nullptr || session_->wants_input();
  if (!input_ended_ && !faults_.stall_input && (wants_input || state_ == State::kLingering)) {
    events |= EPOLLIN;
  }
  if (SendAllowance() != 0 && !half_closed_) events |= EPOLLOUT;
  if (events == watched_ || id_ == 0) return;
  watched_ = events;
  loop_->Watch(id_, socket_.get(), events);
}

base::MonotonicTime Connection::Deadline() const {
  const ServerOptions& options = server_.options;
  base::MonotonicTime deadline = base::MonotonicTime::Infinite();
  const auto at_most = [&deadline](base::MonotonicTime from, absl::Duration timeout) {
    if (timeout > absl::ZeroDuration()) deadline = std::min(deadline, from + timeout);
  };
  if (state_ == State::kLingering) return last_output_ + kLingerTime;
  if (wire_sent_ < wire_.size()) at_most(last_output_, options.write_timeout);
  if (session_ == nullptr) {
    at_most(opened_, tls_ ? options.handshake_timeout : options.header_timeout);
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
  if (tls_) {
    tls_->SendClose();
    tls_->TakeOutput(wire_);
    if (!SendWire()) return;
  }
  ::shutdown(socket_.get(), SHUT_WR);
  half_closed_ = true;
  if (input_ended_) return Close(absl::CancelledError("the connection is closed"));
  WatchEvents();
}

void Connection::Close(const absl::Status& why) {
  if (state_ == State::kClosed) return;
  state_ = State::kClosed;
  --server_.counters.connections;
  if (listed_since_.has_value()) server_.idle.Remove(*listed_since_, this);
  // The last reference may be the loop's.
  const std::shared_ptr<Connection> kept = shared_from_this();
  if (id_ != 0) loop_->Remove(id_, socket_.get());
  socket_.Close();
  if (session_ != nullptr) session_->Close(why);
  server_.NoteRoom();
}

}  // namespace kube::httpserver::internal
