// Every call of the server becomes an operation on the inner exchange (Do). While the exchange is
// held (`holds_` > 0: by a partition, by a delayed answer) or while Flush runs, operations are
// queued in `held_`, so that order is kept; once it is aborted (`broken_`) or silent, they are
// dropped. The last Release flushes the queue on its thread, and then tells the writer that it may
// continue (`drained_`). A held exchange reports a large buffer, which stops the writers of
// watches.
//
// A fault of an event cannot act in the middle of a stream, so BeforeEvent stores in `end_` how the
// stream shall end, and lets the stream finish: Finish then forwards, stays silent, or aborts.
//
// SwitchProtocols is an operation, too, and so is what closes the connection. The bytes of the
// connection are not: FaultyConnection waits before each of its calls (AwaitConnection).
//
// While operations wait, nobody else may hold the exchange. It then holds itself through `self_`,
// until the queue is flushed, it is aborted, or the client goes away.

#include "apiserver/faults/faulty_exchange.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults/fault_layer.h"
#include "apiserver/faults/faulty_connection.h"
#include "apiserver/faults/read_faults.h"
#include "net/http/headers.h"
#include "net/httpserver/exchange.h"
#include "net/io/duplex_stream.h"

namespace kube::apiserver::internal {

using httpserver::Exchange;

FaultyExchange::FaultyExchange(std::weak_ptr<FaultLayer> layer, int64_t id,
                               std::shared_ptr<Exchange> inner)
    : layer_(std::move(layer)), id_(id), inner_(std::move(inner)) {}

FaultyExchange::~FaultyExchange() {
  if (const auto layer = layer_.lock()) layer->Leave(id_);
}

void FaultyExchange::Inform(int status, http::Headers headers) {
  Do([status, headers = std::move(headers)](Exchange& inner) mutable {
    inner.Inform(status, std::move(headers));
  });
}

void FaultyExchange::Respond(httpserver::Response response) {
  DelayAnswer();
  if (plan_.drop.has_value() && plan_.drop->after_commit) return Abort();
  if (plan_.error.has_value() && plan_.error->after_commit) {
    if (const auto layer = layer_.lock()) response = layer->ErrorAnswer(*this);
  }
  Do([response = std::move(response)](Exchange& inner) mutable {
    inner.Respond(std::move(response));
  });
}

void FaultyExchange::Start(int status, http::Headers headers) {
  const bool drop = plan_.drop.has_value() && plan_.drop->after_commit;
  const bool error = plan_.error.has_value() && plan_.error->after_commit;
  if (drop || error) return Respond({});
  {
    base::MutexLock lock(mutex_);
    started_ = true;
  }
  DelayAnswer();
  Do([status, headers = std::move(headers)](Exchange& inner) mutable {
    inner.Start(status, std::move(headers));
  });
}

bool FaultyExchange::Write(std::string piece) {
  {
    base::MutexLock lock(mutex_);
    if (broken_) return false;
  }
  if (!Holds()) return inner_->Write(std::move(piece));
  Do([piece = std::move(piece)](Exchange& inner) mutable { inner.Write(std::move(piece)); });
  return !over();
}

void FaultyExchange::Finish(http::Headers trailers) {
  End end = End::kFinish;
  {
    base::MutexLock lock(mutex_);
    end = end_;
    // It has ended for the writer, but the client is not told.
    silent_ |= end == End::kSilence;
  }
  if (end == End::kSilence) return KeepAlive();
  if (end == End::kBreak) return Abort();
  Do([trailers = std::move(trailers)](Exchange& inner) mutable {
    inner.Finish(std::move(trailers));
  });
}

absl::StatusOr<std::unique_ptr<io::DuplexStream>> FaultyExchange::SwitchProtocols(
    http::Headers headers) {
  if (!request().wants_upgrade) return inner_->SwitchProtocols(std::move(headers));
  const bool drop = plan_.drop.has_value() && plan_.drop->after_commit;
  const bool error = plan_.error.has_value() && plan_.error->after_commit;
  if (drop || error) {
    Respond({});
    return absl::UnavailableError("switch protocols: a fault takes the place of the answer");
  }
  {
    base::MutexLock lock(mutex_);
    if (std::exchange(switching_, true)) {
      return absl::FailedPreconditionError("switch protocols: an answer has been begun");
    }
  }
  DelayAnswer();
  connection_gone_ = inner_->context().OnDone([weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self == nullptr) return;
    base::MutexLock lock(self->mutex_);
    self->changed_.NotifyAll();
  });
  Do([this, headers = std::move(headers)](Exchange& inner) mutable {
    SetConnection(inner.SwitchProtocols(std::move(headers)));
  });
  {
    base::MutexLock lock(mutex_);
    if (broken_) return absl::UnavailableError("switch protocols: the connection was aborted");
    if (!switch_error_.ok()) {
      switching_ = false;
      return std::exchange(switch_error_, absl::OkStatus());
    }
  }
  return std::make_unique<FaultyConnection>(shared_from_this());
}

void FaultyExchange::SetConnection(absl::StatusOr<std::unique_ptr<io::DuplexStream>> connection) {
  base::MutexLock lock(mutex_);
  if (connection.ok()) {
    connection_ = *std::move(connection);
  } else {
    switch_error_ = connection.status();
  }
  changed_.NotifyAll();
}

absl::StatusOr<io::DuplexStream*> FaultyExchange::AwaitConnection(const Context& ctx) {
  base::MutexLock lock(mutex_);
  KUBE_RETURN_IF_ERROR(changed_.Wait(ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    // Negative for a moment if two threads change rules at once, and Release overtakes its Hold.
    const bool passes = connection_ != nullptr && holds_ <= 0;
    return passes || broken_ || !switch_error_.ok() || context().done();
  }));
  if (broken_) return absl::UnavailableError("the connection was aborted");
  if (!switch_error_.ok()) return switch_error_;
  if (connection_ == nullptr) return absl::UnavailableError("the client has disconnected");
  return connection_.get();
}

void FaultyExchange::ChangeConnection(absl::AnyInvocable<void(io::DuplexStream&)> change) {
  Do([this, change = std::move(change)](Exchange&) mutable {
    if (io::DuplexStream* const changed = connection()) change(*changed);
  });
}

io::DuplexStream* FaultyExchange::connection() const {
  base::MutexLock lock(mutex_);
  return connection_.get();
}

void FaultyExchange::Abort() {
  Do([](Exchange& inner) { inner.Abort(); });
}

size_t FaultyExchange::buffered_bytes() const {
  // More than any writer allows to be buffered.
  constexpr size_t kMany = size_t{1} << 40;
  return Holds() ? kMany : inner_->buffered_bytes();
}

bool FaultyExchange::PauseUntilDrained(size_t limit, std::function<void()> drained) {
  {
    base::MutexLock lock(mutex_);
    if (holds_ > 0 && !broken_) {
      drained_ = std::move(drained);
      return true;
    }
  }
  return inner_->PauseUntilDrained(limit, std::move(drained));
}

int64_t FaultyExchange::Lag() {
  const auto layer = layer_.lock();
  return layer == nullptr ? 0 : layer->Lag(*this);
}

std::optional<fault::Bookmarks> FaultyExchange::Bookmarks() {
  const auto layer = layer_.lock();
  return layer == nullptr ? std::nullopt : layer->Bookmarks(*this);
}

EventFate FaultyExchange::BeforeEvent(absl::string_view namespace_name, absl::string_view name) {
  const auto layer = layer_.lock();
  if (layer == nullptr) return EventFate::kSend;
  const Fault fault = layer->OfEvent(*this, namespace_name, name);
  if (std::holds_alternative<std::monostate>(fault)) return EventFate::kSend;
  if (std::holds_alternative<fault::DropEvent>(fault)) return EventFate::kDrop;
  if (std::holds_alternative<fault::DuplicateEvent>(fault)) return EventFate::kTwice;
  if (std::holds_alternative<fault::ExpireWatch>(fault)) return EventFate::kExpire;
  base::MutexLock lock(mutex_);
  if (std::holds_alternative<fault::StallWatch>(fault)) end_ = End::kSilence;
  if (std::holds_alternative<fault::BreakWatch>(fault)) end_ = End::kBreak;
  return EventFate::kEnd;
}

const FaultSubject& FaultyExchange::Subject() {
  {
    base::MutexLock lock(mutex_);
    if (subject_ != nullptr) return *subject_;
  }
  const auto layer = layer_.lock();
  auto subject = std::make_unique<const FaultSubject>(
      layer == nullptr ? FaultSubject() : layer->Describe(request()));
  base::MutexLock lock(mutex_);
  if (subject_ == nullptr) subject_ = std::move(subject);
  return *subject_;
}

void FaultyExchange::Hold() {
  base::MutexLock lock(mutex_);
  ++holds_;
}

void FaultyExchange::Release() {
  {
    base::MutexLock lock(mutex_);
    --holds_;
    changed_.NotifyAll();
  }
  Flush();
}

void FaultyExchange::Break() {
  std::list<Operation> dropped;
  std::function<void()> drained;
  std::shared_ptr<FaultyExchange> self;
  {
    base::MutexLock lock(mutex_);
    broken_ = true;
    changed_.NotifyAll();
    dropped.swap(held_);
    drained.swap(drained_);
    self.swap(self_);
  }
  inner_->Abort();
  // Wakes the writer, whose next Write fails.
  if (drained != nullptr) drained();
}

void FaultyExchange::After(absl::Duration delay, std::function<void()> callback) {
  {
    base::MutexLock lock(mutex_);
    waits_ = true;
  }
  KeepAlive();
  if (delay == absl::InfiniteDuration()) return;
  timer_.Start(delay, [weak = weak_from_this(), callback = std::move(callback)] {
    const auto self = weak.lock();
    if (self == nullptr) return;
    {
      base::MutexLock lock(self->mutex_);
      self->waits_ = false;
    }
    callback();
    self->Flush();
  });
}

void FaultyExchange::DelayAnswer() {
  if (plan_.answer_delay <= absl::ZeroDuration()) return;
  Hold();
  KeepAlive();
  if (plan_.answer_delay == absl::InfiniteDuration()) return;
  answer_timer_.Start(plan_.answer_delay, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->Release();
  });
}

void FaultyExchange::KeepAlive() {
  {
    base::MutexLock lock(mutex_);
    if (broken_) return;
    self_ = shared_from_this();
    if (std::exchange(watches_client_, true)) return;
  }
  gone_ = inner_->context().OnDone([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->Forget();
  });
}

void FaultyExchange::Forget() {
  {
    base::MutexLock lock(mutex_);
    // Others hold the exchange, and will end it.
    if (self_ == nullptr) return;
  }
  Break();
}

bool FaultyExchange::over() const {
  base::MutexLock lock(mutex_);
  return broken_ || context().done();
}

bool FaultyExchange::started() const {
  base::MutexLock lock(mutex_);
  return started_;
}

bool FaultyExchange::Holds() const {
  base::MutexLock lock(mutex_);
  return silent_ || broken_ || holds_ > 0 || flushing_ || !held_.empty();
}

void FaultyExchange::Do(Operation operation) {
  {
    base::MutexLock lock(mutex_);
    if (silent_ || broken_) return;
    if (holds_ > 0 || flushing_) {
      held_.push_back(std::move(operation));
      operation = nullptr;
    }
  }
  if (operation == nullptr) return KeepAlive();
  operation(*inner_);
}

void FaultyExchange::Flush() {
  std::shared_ptr<FaultyExchange> self;
  {
    base::MutexLock lock(mutex_);
    if (holds_ > 0 || flushing_) return;
    flushing_ = true;
  }
  while (true) {
    Operation next;
    std::function<void()> drained;
    {
      base::MutexLock lock(mutex_);
      if (held_.empty() || holds_ > 0 || broken_) {
        flushing_ = false;
        if (holds_ > 0) return;
        drained.swap(drained_);
        if (!waits_ && !silent_) self.swap(self_);
      } else {
        next = std::move(held_.front());
        held_.pop_front();
      }
    }
    if (next != nullptr) {
      next(*inner_);
      continue;
    }
    if (drained != nullptr) drained();
    return;
  }
}

}  // namespace kube::apiserver::internal
