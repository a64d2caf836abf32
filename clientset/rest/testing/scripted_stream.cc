#include "clientset/rest/testing/scripted_stream.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/watch/byte_stream.h"

namespace kube::rest {

class ScriptedStream::Body final : public watch::ByteStream {
 public:
  explicit Body(std::shared_ptr<ScriptedStream> stream) : stream_(std::move(stream)) {}
  ~Body() override { stream_->Close(); }

  absl::StatusOr<std::string> Read(const Context& ctx) override { return stream_->Read(ctx); }
  void Close() override { stream_->Close(); }

 private:
  const std::shared_ptr<ScriptedStream> stream_;
};

void ScriptedStream::Write(absl::string_view bytes) {
  if (bytes.empty()) return;  // an empty piece would be the end for a reader
  const base::MutexLock lock(mutex_);
  pieces_.push_back({.bytes = std::string(bytes)});
  changed_.NotifyAll();
}

void ScriptedStream::Pause(absl::Duration duration) {
  const base::MutexLock lock(mutex_);
  pieces_.push_back({.pause = duration});
  changed_.NotifyAll();
}

void ScriptedStream::End(absl::Status status) {
  const base::MutexLock lock(mutex_);
  pieces_.push_back({.is_end = true, .status = std::move(status)});
  changed_.NotifyAll();
}

absl::Status ScriptedStream::WaitUntilOpened(const Context& ctx) const {
  const base::MutexLock lock(mutex_);
  return changed_.Wait(ctx, mutex_,
                       [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return opened_; });
}

absl::Status ScriptedStream::WaitUntilClosed(const Context& ctx) const {
  const base::MutexLock lock(mutex_);
  return changed_.Wait(ctx, mutex_,
                       [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return closed_; });
}

bool ScriptedStream::closed() const {
  const base::MutexLock lock(mutex_);
  return closed_;
}

std::unique_ptr<watch::ByteStream> ScriptedStream::Open(std::shared_ptr<ScriptedStream> stream) {
  {
    const base::MutexLock lock(stream->mutex_);
    stream->opened_ = true;
    stream->changed_.NotifyAll();
  }
  return std::make_unique<Body>(std::move(stream));
}

absl::StatusOr<std::string> ScriptedStream::Read(const Context& ctx) {
  const base::MutexLock lock(mutex_);
  for (;;) {
    const absl::Status status = changed_.Wait(
        ctx, mutex_,
        [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return closed_ || !pieces_.empty(); });
    if (closed_) return absl::CancelledError("the body was closed");
    if (!status.ok()) return status;
    Piece& piece = pieces_.front();
    if (piece.is_end) {
      // The end stays in the queue, so that another Read gets it again.
      if (!piece.status.ok()) return piece.status;
      return std::string();
    }
    if (piece.pause == absl::ZeroDuration()) {
      std::string bytes = std::move(piece.bytes);
      pieces_.pop_front();
      if (!bytes.empty()) return bytes;
      continue;
    }
    const base::MonotonicTime start = base::Now();
    const base::MonotonicTime end = start + piece.pause;
    const bool closed = changed_.WaitUntil(
        ctx, mutex_, end, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return closed_; });
    // A reader that gave up waits only for the rest of the pause the next time.
    const base::MonotonicTime now = base::Now();
    piece.pause = now < end ? end - now : absl::ZeroDuration();
    if (!closed && piece.pause > absl::ZeroDuration() && ctx.done()) return ctx.status();
  }
}

void ScriptedStream::Close() {
  const base::MutexLock lock(mutex_);
  closed_ = true;
  changed_.NotifyAll();
}

}  // namespace kube::rest
