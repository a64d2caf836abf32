#include "net/httpserver/in_process_exchange.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/internal/stream.h"

namespace kube::httpserver {

using internal::Stream;
using internal::StreamEnvironment;

namespace {

constexpr size_t kReadBytes = 64 * 1024;

}  // namespace

// The stream, and the thread that waits for it; the stream wakes that thread when there is
// something to read. It is shared with the stream, which may outlive the exchange.
class InProcessExchange::Pipe : public std::enable_shared_from_this<Pipe> {
 public:
  void Open(Request request, size_t max_buffered_bytes) {
    StreamEnvironment environment;
    environment.max_buffered_bytes = max_buffered_bytes;
    environment.slow_readers = &slow_readers_;
    environment.wake = [pipe = weak_from_this()] {
      if (const auto kept = pipe.lock()) kept->Wake();
    };
    stream_ = std::make_shared<Stream>(std::move(request), std::move(environment));
  }
  const std::shared_ptr<Stream>& stream() const { return stream_; }

  ~Pipe() { Give(absl::CancelledError("the client canceled the request")); }

  // Blocks until the head of the final response is there.
  absl::StatusOr<InProcessExchange::Head> WaitForHead(const Context& ctx,
                                                      base::MonotonicTime deadline) {
    while (true) {
      const Stream::Phase phase = stream_->phase();
      if (phase == Stream::Phase::kAborted) return Broken();
      while (std::optional<internal::ResponseHead> head = stream_->TakeHead()) {
        if (head->status < 200) continue;
        return InProcessExchange::Head{.status = head->status,
                                       .headers = std::move(head->headers),
                                       .content_length = head->content_length};
      }
      KUBE_RETURN_IF_ERROR(Wait(ctx, deadline));
    }
  }

  absl::StatusOr<std::string> Read(const Context& ctx) {
    while (true) {
      std::string bytes(std::min(kReadBytes, stream_->buffered_bytes()), '\0');
      bytes.resize(stream_->Read(bytes.data(), bytes.size()));
      if (!bytes.empty()) return bytes;
      if (closed_) return std::string();
      switch (stream_->phase()) {
        case Stream::Phase::kReady:
          continue;
        case Stream::Phase::kFinished:
          stream_->Close(absl::CancelledError("the response is complete"));
          return std::string();
        case Stream::Phase::kAborted:
          return Broken();
        case Stream::Phase::kWaiting:
          KUBE_RETURN_IF_ERROR(Wait(ctx, base::MonotonicTime::Infinite()));
      }
    }
  }

  // Ends the exchange, and wakes a Read that blocks.
  void Close() {
    closed_ = true;
    Give(absl::CancelledError("the client closed the connection"));
    Wake();
  }

 private:
  void Give(const absl::Status& why) {
    if (stream_ != nullptr) stream_->Close(why);
  }

  static absl::Status Broken() { return absl::AbortedError("the server aborted the response"); }

  void Wake() {
    base::MutexLock lock(mutex_);
    awake_ = true;
    changed_.NotifyAll();
  }

  // Waits until woken, which may already have happened since the caller looked at the phase.
  absl::Status Wait(const Context& ctx, base::MonotonicTime deadline) {
    base::MutexLock lock(mutex_);
    const bool woken = changed_.WaitUntil(
        ctx, mutex_, deadline,
        [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return std::exchange(awake_, false); });
    if (woken) return absl::OkStatus();
    if (ctx.done()) return ctx.status();
    return absl::DeadlineExceededError("no response before the deadline");
  }

  std::shared_ptr<Stream> stream_;  // set by Open
  std::atomic<int64_t> slow_readers_ = 0;
  std::atomic<bool> closed_ = false;
  base::Mutex mutex_;
  base::CondVar changed_;
  bool awake_ ABSL_GUARDED_BY(mutex_) = false;
};

InProcessExchange::InProcessExchange(Request request, size_t max_buffered_bytes)
    : pipe_(std::make_shared<Pipe>()) {
  pipe_->Open(std::move(request), max_buffered_bytes);
}

InProcessExchange::~InProcessExchange() { pipe_->Close(); }

std::shared_ptr<Exchange> InProcessExchange::ForHandler() {
  return internal::ForHandler(pipe_->stream());
}

absl::StatusOr<InProcessExchange::Head> InProcessExchange::WaitForHead(
    const Context& ctx, base::MonotonicTime deadline) {
  return pipe_->WaitForHead(ctx, deadline);
}

absl::StatusOr<std::string> InProcessExchange::Read(const Context& ctx) { return pipe_->Read(ctx); }

void InProcessExchange::Close() { pipe_->Close(); }

}  // namespace kube::httpserver
