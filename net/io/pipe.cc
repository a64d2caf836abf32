#include "net/io/pipe.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "net/io/byte_queue.h"
#include "net/io/duplex_stream.h"

namespace kube::io {

// A pipe is two channels, one for each direction. Each end writes to one of them and reads from the
// other. The flags of a channel only ever become true: `ended_` and `closed_` are set by the end
// that writes (CloseWrite and Close), `abandoned_` by the end that reads (Close).

namespace {

// One direction of a pipe. Thread-safe.
class Channel {
 public:
  explicit Channel(size_t limit) : limit_(limit) {}

  // ---- The end that writes

  absl::Status Write(const Context& ctx, absl::string_view bytes) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    KUBE_RETURN_IF_ERROR(changed_.Wait(ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return ended_ || abandoned_ || bytes_.size() <= limit_;
    }));
    if (ended_) {
      return absl::FailedPreconditionError("write to pipe: this end is closed for writing");
    }
    if (abandoned_) return absl::UnavailableError("write to pipe: the other end is closed");
    bytes_.Append(bytes);
    changed_.NotifyAll();
    return absl::OkStatus();
  }

  absl::Status Flush(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    KUBE_RETURN_IF_ERROR(changed_.Wait(ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return closed_ || abandoned_ || bytes_.empty();
    }));
    if (closed_) return absl::FailedPreconditionError("flush pipe: this end is closed");
    if (lost_) return absl::UnavailableError("flush pipe: the other end is closed");
    return absl::OkStatus();
  }

  void CloseWrite() ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    ended_ = true;
    changed_.NotifyAll();
  }

  void CloseWriter() ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    ended_ = true;
    closed_ = true;
    changed_.NotifyAll();
  }

  // ---- The end that reads

  absl::StatusOr<std::string> Read(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    KUBE_RETURN_IF_ERROR(changed_.Wait(ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return ended_ || abandoned_ || !bytes_.empty();
    }));
    std::string piece = bytes_.Take();
    if (!piece.empty()) changed_.NotifyAll();
    return piece;
  }

  void Recycle(std::string piece) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    bytes_.Recycle(std::move(piece));
  }

  void CloseReader() ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    if (std::exchange(abandoned_, true)) return;
    lost_ = !bytes_.empty();
    bytes_.Clear();
    changed_.NotifyAll();
  }

 private:
  const size_t limit_;
  base::Mutex mutex_;
  base::CondVar changed_;
  ByteQueue bytes_ ABSL_GUARDED_BY(mutex_);
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  bool abandoned_ ABSL_GUARDED_BY(mutex_) = false;
  bool lost_ ABSL_GUARDED_BY(mutex_) = false;  // bytes were dropped that nobody had read
};

class PipeEnd final : public DuplexStream {
 public:
  PipeEnd(std::shared_ptr<Channel> in, std::shared_ptr<Channel> out)
      : in_(std::move(in)), out_(std::move(out)) {}
  ~PipeEnd() override { CloseBoth(); }
  PipeEnd(const PipeEnd&) = delete;
  PipeEnd& operator=(const PipeEnd&) = delete;

  absl::StatusOr<std::string> Read(const Context& ctx) override { return in_->Read(ctx); }
  void Recycle(std::string bytes) override { in_->Recycle(std::move(bytes)); }
  absl::Status Write(const Context& ctx, absl::string_view bytes) override {
    return out_->Write(ctx, bytes);
  }
  absl::Status Flush(const Context& ctx) override { return out_->Flush(ctx); }
  absl::Status CloseWrite() override {
    out_->CloseWrite();
    return absl::OkStatus();
  }
  void Close() override { CloseBoth(); }

 private:
  void CloseBoth() {
    out_->CloseWriter();
    in_->CloseReader();
  }

  const std::shared_ptr<Channel> in_;
  const std::shared_ptr<Channel> out_;
};

}  // namespace

Pipe MakePipe(size_t buffer_bytes) {
  const auto forth = std::make_shared<Channel>(buffer_bytes);
  const auto back = std::make_shared<Channel>(buffer_bytes);
  return {.first = std::make_unique<PipeEnd>(back, forth),
          .second = std::make_unique<PipeEnd>(forth, back)};
}

}  // namespace kube::io
