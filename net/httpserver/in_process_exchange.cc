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
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/internal/stream.h"
#include "net/io/duplex_stream.h"
#include "net/io/pipe.h"

namespace kube::httpserver {

using internal::Stream;
using internal::StreamEnvironment;

namespace {

constexpr size_t kReadBytes = 64 * 1024;

// A connection within the process that belongs to an exchange: a pipe that tells the exchange when
// it has ended, and that can be broken off. Both ends share it. Thread-safe.
class Link {
 public:
  // Call it once, before all else.
  void SetStream(std::weak_ptr<Stream> stream) { stream_ = std::move(stream); }

  io::DuplexStream& client() { return *pipe_.first; }
  io::DuplexStream& handler() { return *pipe_.second; }

  // The handler has switched protocols.
  void NoteConnected() { connected_ = true; }
  bool connected() const { return connected_; }
  // The client has seen that. A connection that ends earlier does not end the exchange before.
  void NoteAnnounced() ABSL_LOCKS_EXCLUDED(mutex_) {
    {
      base::MutexLock lock(mutex_);
      announced_ = true;
      if (!closed_) return;
    }
    CloseStream();
  }

  // An end has closed the connection, or ended its bytes.
  void NoteClosed() ABSL_LOCKS_EXCLUDED(mutex_) {
    {
      base::MutexLock lock(mutex_);
      closed_ = true;
      if (!announced_) return;
    }
    CloseStream();
  }
  void NoteEnded() {
    if (--open_directions_ == 0) NoteClosed();
  }

  // Fails all calls at both ends, also those that block.
  void Break() {
    broken_ = true;
    client().Close();
    handler().Close();
    CloseStream();
  }
  bool broken() const { return broken_; }

 private:
  void CloseStream() {
    const auto stream = stream_.lock();
    if (stream != nullptr) stream->Close(absl::CancelledError("the connection is closed"));
  }

  std::weak_ptr<Stream> stream_;
  const io::Pipe pipe_ = io::MakePipe();
  std::atomic<bool> connected_ = false;
  std::atomic<int> open_directions_ = 2;
  std::atomic<bool> broken_ = false;
  base::Mutex mutex_;
  bool announced_ ABSL_GUARDED_BY(mutex_) = false;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

// An end of a link.
class LinkEnd final : public io::DuplexStream {
 public:
  // `end` is one of the link's; `broken` is the error once the link is broken. `owner` is kept as
  // long as this.
  LinkEnd(std::shared_ptr<Link> link, io::DuplexStream& end, absl::Status broken,
          std::shared_ptr<void> owner)
      : link_(std::move(link)), end_(end), broken_(std::move(broken)), owner_(std::move(owner)) {}
  ~LinkEnd() override { CloseBoth(); }
  LinkEnd(const LinkEnd&) = delete;
  LinkEnd& operator=(const LinkEnd&) = delete;

  absl::StatusOr<std::string> Read(const Context& ctx) override {
    absl::StatusOr<std::string> bytes = end_.Read(ctx);
    // What was received before the link broke is not lost, as with TCP.
    const bool received = bytes.ok() && !bytes->empty();
    if (!received && link_->broken()) return broken_;
    return bytes;
  }
  void Recycle(std::string bytes) override { end_.Recycle(std::move(bytes)); }
  absl::Status Write(const Context& ctx, absl::string_view bytes) override {
    return Checked(end_.Write(ctx, bytes));
  }
  absl::Status Flush(const Context& ctx) override { return Checked(end_.Flush(ctx)); }
  absl::Status CloseWrite() override {
    if (!ended_.exchange(true)) {
      KUBE_RETURN_IF_ERROR(end_.CloseWrite());
      link_->NoteEnded();
    }
    return absl::OkStatus();
  }
  void Close() override { CloseBoth(); }

 private:
  absl::Status Checked(const absl::Status& status) const {
    return link_->broken() ? broken_ : status;
  }
  void CloseBoth() {
    end_.Close();
    link_->NoteClosed();
  }

  const std::shared_ptr<Link> link_;
  io::DuplexStream& end_;
  const absl::Status broken_;
  const std::shared_ptr<void> owner_;
  std::atomic<bool> ended_ = false;
};

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
    if (request.wants_upgrade) {
      link_ = std::make_shared<Link>();
      environment.connect = [link = link_]() -> std::unique_ptr<io::DuplexStream> {
        link->NoteConnected();
        return std::make_unique<LinkEnd>(link, link->handler(),
                                         absl::UnavailableError("the connection was aborted"),
                                         /*owner=*/nullptr);
      };
    }
    stream_ = std::make_shared<Stream>(std::move(request), std::move(environment));
    if (link_ != nullptr) link_->SetStream(stream_);
  }
  const std::shared_ptr<Stream>& stream() const { return stream_; }

  ~Pipe() { Give(absl::CancelledError("the client canceled the request")); }

  std::unique_ptr<io::DuplexStream> TakeConnection() {
    if (link_ == nullptr || !link_->connected()) return nullptr;
    {
      base::MutexLock lock(mutex_);
      if (std::exchange(taken_, true)) return nullptr;
    }
    // The pipe notices an abort, so the client's end keeps it.
    return std::make_unique<LinkEnd>(link_, link_->client(),
                                     absl::AbortedError("the server aborted the connection"),
                                     /*owner=*/shared_from_this());
  }

  // Blocks until the head of the final response is there.
  absl::StatusOr<InProcessExchange::Head> WaitForHead(const Context& ctx,
                                                      base::MonotonicTime deadline) {
    while (true) {
      const Stream::Phase phase = stream_->phase();
      if (phase == Stream::Phase::kAborted) return Broken();
      while (std::optional<internal::ResponseHead> head = stream_->TakeHead()) {
        if (head->status < 200 && !head->switches) continue;
        if (head->switches) {
          BreakIfAborted();
          link_->NoteAnnounced();
        }
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
        case Stream::Phase::kSwitched:
          return std::string();
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
    {
      base::MutexLock lock(mutex_);
      if (taken_) return;
    }
    closed_ = true;
    if (link_ != nullptr) link_->client().Close();
    Give(absl::CancelledError("the client closed the connection"));
    Wake();
  }

 private:
  void Give(const absl::Status& why) {
    if (stream_ != nullptr) stream_->Close(why);
  }

  static absl::Status Broken() { return absl::AbortedError("the server aborted the response"); }

  void Wake() {
    {
      base::MutexLock lock(mutex_);
      awake_ = true;
      changed_.NotifyAll();
    }
    if (link_ != nullptr && link_->connected()) BreakIfAborted();
  }

  // Breaks the connection if the handler has aborted the exchange. If it does so later, the stream
  // calls Wake.
  void BreakIfAborted() {
    if (stream_->phase() == Stream::Phase::kAborted) link_->Break();
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
  std::shared_ptr<Link> link_;      // set by Open; null if the request does not ask for an upgrade
  std::atomic<int64_t> slow_readers_ = 0;
  std::atomic<bool> closed_ = false;
  base::Mutex mutex_;
  base::CondVar changed_;
  bool awake_ ABSL_GUARDED_BY(mutex_) = false;
  bool taken_ ABSL_GUARDED_BY(mutex_) = false;  // the client has its end
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

std::unique_ptr<io::DuplexStream> InProcessExchange::TakeConnection() {
  return pipe_->TakeConnection();
}

void InProcessExchange::Close() { pipe_->Close(); }

}  // namespace kube::httpserver
