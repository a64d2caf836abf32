#include "net/io/shared_writer.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "net/io/duplex_stream.h"

namespace kube::io {

// The thread that has the turn moves the queue to out_ and writes that, without a lock. A stream
// takes all of a write or nothing; so what it did not take goes back to the front of the queue, but
// for the frames that may be dropped. A thread that queues bytes while another one has the turn may
// leave them to that: it looks at the queue again under the lock under which it gives up the turn.
// It passes the turn on to the thread that has waited longest, and `busy_` stays true meanwhile, so
// that nobody comes between the two.

namespace {

// Memory for larger writes is freed.
constexpr size_t kMaxKeptBytes = size_t{256} << 10;

// Unlike a deadline in the past, it belongs to no Runtime.
Context DoneContext() {
  CancelScope scope = WithCancel(Context());
  scope.Cancel();
  return scope.context();
}

}  // namespace

SharedWriter::SharedWriter(DuplexStream& stream) : stream_(stream), no_wait_(DoneContext()) {}

void SharedWriter::Queue(absl::string_view bytes) {
  base::MutexLock lock(mutex_);
  absl::StrAppend(&queue_, bytes);
}

size_t SharedWriter::queued_bytes() const {
  base::MutexLock lock(mutex_);
  return queue_.size();
}

void SharedWriter::TrySend() {
  if (queued_bytes() > 0) Send(no_wait_).IgnoreError();  // the bytes remain queued
}

absl::Status SharedWriter::Send(const Context& ctx) {
  KUBE_RETURN_IF_ERROR(BeginTurn(ctx));
  const absl::Status status = SendQueue(ctx);
  EndTurn();
  return status;
}

absl::Status SharedWriter::Write(const Context& ctx, base::Mutex& order, Make make) {
  KUBE_RETURN_IF_ERROR(BeginTurn(ctx));
  const absl::Status status = WriteInTurn(ctx, order, make);
  EndTurn();
  return status;
}

absl::Status SharedWriter::WriteInTurn(const Context& ctx, base::Mutex& order, Make make) {
  // First, so that calls that are given up one after the other do not make the queue grow.
  KUBE_RETURN_IF_ERROR(SendQueue(ctx));
  absl::StatusOr<size_t> kept = size_t{0};
  {
    base::MutexLock lock(order);
    TakeQueue();
    kept = make(out_);
  }
  KUBE_RETURN_IF_ERROR(kept);
  absl::Status status = WriteOut(ctx);
  if (!status.ok()) out_.resize(*kept);
  return status;
}

absl::Status SharedWriter::Flush(const Context& ctx) {
  KUBE_RETURN_IF_ERROR(BeginTurn(ctx));
  absl::Status status = SendQueue(ctx);
  if (status.ok()) status = stream_.Flush(ctx);
  EndTurn();
  return status;
}

absl::Status SharedWriter::SendLeftovers(const Context& ctx) {
  while (true) {
    {
      base::MutexLock lock(mutex_);
      KUBE_RETURN_IF_ERROR(leftover_.Wait(
          ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return has_leftover_; }));
      has_leftover_ = false;
    }
    KUBE_RETURN_IF_ERROR(Send(ctx));
  }
}

absl::Status SharedWriter::BeginTurn(const Context& ctx) {
  base::MutexLock lock(mutex_);
  if (!busy_) {
    busy_ = true;
    return absl::OkStatus();
  }
  if (ctx.done()) return ctx.status();
  InLine self;
  const auto place = line_.insert(line_.end(), &self);
  const absl::Status status = self.changed.Wait(ctx, mutex_, [&self] { return self.has_turn; });
  // Who has passed the turn on has taken this thread out of the line.
  if (!status.ok()) line_.erase(place);
  return status;
}

void SharedWriter::EndTurn() {
  bool has_room = true;
  while (!TryEndTurn(has_room)) has_room = WriteOut(no_wait_).ok();
}

// Returns false if there is something to send first.
bool SharedWriter::TryEndTurn(bool has_room) {
  bool leaves = false;
  {
    base::MutexLock lock(mutex_);
    MoveQueueToOut();
    leaves = !out_.empty();
    if (leaves && has_room) return false;
    if (leaves) queue_.swap(out_);
    has_leftover_ = leaves;
    busy_ = !line_.empty();
    if (busy_) {
      InLine& next = *line_.front();
      line_.pop_front();
      next.has_turn = true;
      // With the lock: afterwards `next` may be gone.
      next.changed.NotifyOne();
    }
  }
  if (leaves) leftover_.NotifyOne();
  return true;
}

void SharedWriter::TakeQueue() {
  base::MutexLock lock(mutex_);
  MoveQueueToOut();
}

void SharedWriter::MoveQueueToOut() {
  if (queue_.empty()) return;
  if (out_.empty()) {
    out_.swap(queue_);
  } else {
    out_ += queue_;
    queue_.clear();
  }
}

absl::Status SharedWriter::SendQueue(const Context& ctx) {
  TakeQueue();
  return WriteOut(ctx);
}

absl::Status SharedWriter::WriteOut(const Context& ctx) {
  if (out_.empty()) return absl::OkStatus();
  absl::Status status = stream_.Write(ctx, out_);
  if (status.ok()) ClearOut();
  return status;
}

void SharedWriter::ClearOut() {
  if (out_.capacity() > kMaxKeptBytes) {
    out_ = std::string();
  } else {
    out_.clear();
  }
}

}  // namespace kube::io
