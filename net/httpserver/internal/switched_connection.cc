#include "net/httpserver/internal/switched_connection.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "net/io/duplex_stream.h"

namespace kube::httpserver::internal {

// Two queues and a condition. The I/O thread never waits: it adds input, takes output, and notifies
// the handler's threads. A handler's thread changes something under the lock and then, without it,
// wakes the I/O thread, but only once until that has looked (`awake_`).
//
// Input flows again when half of it has been read, not at the first byte, so that a slow handler
// does not switch the reading on and off for each piece.

namespace {

class HandlerEnd final : public io::DuplexStream {
 public:
  explicit HandlerEnd(std::shared_ptr<SwitchedConnection> connection)
      : connection_(std::move(connection)) {}
  ~HandlerEnd() override { connection_->Close(); }
  HandlerEnd(const HandlerEnd&) = delete;
  HandlerEnd& operator=(const HandlerEnd&) = delete;

  absl::StatusOr<std::string> Read(const Context& ctx) override { return connection_->Read(ctx); }
  void Recycle(std::string bytes) override { connection_->Recycle(std::move(bytes)); }
  absl::Status Write(const Context& ctx, absl::string_view bytes) override {
    return connection_->Write(ctx, bytes);
  }
  absl::Status Flush(const Context& ctx) override { return connection_->Flush(ctx); }
  absl::Status CloseWrite() override {
    connection_->CloseWrite();
    return absl::OkStatus();
  }
  void Close() override { connection_->Close(); }

 private:
  const std::shared_ptr<SwitchedConnection> connection_;
};

}  // namespace

SwitchedConnection::SwitchedConnection(absl::AnyInvocable<void()> wake) : wake_(std::move(wake)) {}

std::unique_ptr<io::DuplexStream> SwitchedConnection::ForHandler() {
  return std::make_unique<HandlerEnd>(shared_from_this());
}

absl::StatusOr<std::string> SwitchedConnection::Read(const Context& ctx) {
  std::string piece;
  {
    base::MutexLock lock(mutex_);
    KUBE_RETURN_IF_ERROR(changed_.Wait(ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return !input_.empty() || input_ended_ || closed_ || !gone_.ok();
    }));
    piece = input_.Take();
    if (piece.empty() && !input_ended_ && !closed_) {
      return base::Annotate(gone_, "read from connection");
    }
    if (!input_full_ || input_.size() > kMaxWaiting / 2) return piece;
    input_full_ = false;
    if (!TakeWake()) return piece;
  }
  wake_();
  return piece;
}

void SwitchedConnection::Recycle(std::string bytes) {
  base::MutexLock lock(mutex_);
  input_.Recycle(std::move(bytes));
}

absl::Status SwitchedConnection::Write(const Context& ctx, absl::string_view bytes) {
  {
    base::MutexLock lock(mutex_);
    KUBE_RETURN_IF_ERROR(changed_.Wait(ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return output_.size() <= kMaxWaiting || output_ended_ || closed_ || !gone_.ok();
    }));
    if (output_ended_ || closed_) {
      return absl::FailedPreconditionError("write to connection: it is closed for writing");
    }
    if (!gone_.ok()) return base::Annotate(gone_, "write to connection");
    output_.Append(bytes);
    if (bytes.empty() || !TakeWake()) return absl::OkStatus();
  }
  wake_();
  return absl::OkStatus();
}

absl::Status SwitchedConnection::Flush(const Context& ctx) {
  base::MutexLock lock(mutex_);
  KUBE_RETURN_IF_ERROR(changed_.Wait(ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return (output_.empty() && !sending_) || closed_ || !gone_.ok();
  }));
  if (closed_) return absl::FailedPreconditionError("flush connection: it is closed");
  if (lost_) return base::Annotate(gone_, "flush connection");
  return absl::OkStatus();
}

void SwitchedConnection::CloseWrite() {
  {
    base::MutexLock lock(mutex_);
    if (closed_ || std::exchange(output_ended_, true)) return;
    changed_.NotifyAll();
    if (!TakeWake()) return;
  }
  wake_();
}

void SwitchedConnection::Close() {
  {
    base::MutexLock lock(mutex_);
    if (std::exchange(closed_, true)) return;
    input_.Clear();
    output_.Clear();
    changed_.NotifyAll();
    if (!TakeWake()) return;
  }
  wake_();
}

void SwitchedConnection::NoteAwake() {
  base::MutexLock lock(mutex_);
  awake_ = false;
}

void SwitchedConnection::Receive(absl::string_view bytes) {
  base::MutexLock lock(mutex_);
  if (closed_) return;
  input_.Append(bytes);
  changed_.NotifyAll();
}

void SwitchedConnection::EndInput() {
  base::MutexLock lock(mutex_);
  input_ended_ = true;
  changed_.NotifyAll();
}

bool SwitchedConnection::WantsInput() {
  base::MutexLock lock(mutex_);
  if (input_.size() >= kMaxWaiting) input_full_ = true;
  return !input_full_ || closed_;
}

SwitchedConnection::Output SwitchedConnection::Produce(std::string& out, size_t limit) {
  base::MutexLock lock(mutex_);
  if (closed_) return Output::kClosed;
  const size_t before = out.size();
  output_.TakeInto(out, limit - std::min(limit, before));
  if (out.size() != before) {
    sending_ = true;
    changed_.NotifyAll();
  }
  return output_ended_ && output_.empty() ? Output::kEnded : Output::kOpen;
}

void SwitchedConnection::NoteSent() {
  base::MutexLock lock(mutex_);
  if (std::exchange(sending_, false)) changed_.NotifyAll();
}

bool SwitchedConnection::is_closed() const {
  base::MutexLock lock(mutex_);
  return closed_;
}

void SwitchedConnection::Disconnect(const absl::Status& why) {
  base::MutexLock lock(mutex_);
  if (!gone_.ok()) return;
  gone_ = absl::UnavailableError(why.message());
  lost_ = sending_ || !output_.empty();
  output_.Clear();
  changed_.NotifyAll();
}

bool SwitchedConnection::TakeWake() { return gone_.ok() && !std::exchange(awake_, true); }

}  // namespace kube::httpserver::internal
