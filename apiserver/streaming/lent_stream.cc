#include "apiserver/streaming/lent_stream.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "net/io/duplex_stream.h"

namespace kube::apiserver::internal {

// The stream may refer to what ends soon after the function has returned, which may have given what
// was lent to other threads. So no call reaches it once it is taken back: a call counts itself
// under the lock, unless it finds the stream closed, and Loan::End waits until none is left.
struct Loan::Shared {
  explicit Shared(std::unique_ptr<io::DuplexStream> lent)
      : stream(std::move(lent)), closed(WithCancel(Context())) {}

  // Returns false if the stream is closed. Otherwise Leave must follow.
  bool Enter() ABSL_LOCKS_EXCLUDED(mutex) {
    base::MutexLock lock(mutex);
    if (closed.context().done()) return false;
    ++calls;
    return true;
  }
  void Leave() ABSL_LOCKS_EXCLUDED(mutex) {
    base::MutexLock lock(mutex);
    if (--calls == 0) idle.NotifyAll();
  }
  void AwaitIdle() ABSL_LOCKS_EXCLUDED(mutex) {
    base::MutexLock lock(mutex);
    // The contexts of all calls are done.
    idle.Wait(Context(), mutex,
              [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) { return calls == 0; })
        .IgnoreError();
  }

  const std::unique_ptr<io::DuplexStream> stream;
  CancelScope closed;

  base::Mutex mutex;
  base::CondVar idle;
  int calls ABSL_GUARDED_BY(mutex) = 0;
};

namespace {

absl::Status Closed() {
  return absl::FailedPreconditionError("use a forwarded connection: it is closed");
}

class LentStream final : public io::DuplexStream {
 public:
  explicit LentStream(std::shared_ptr<Loan::Shared> shared) : shared_(std::move(shared)) {}
  ~LentStream() override { End(); }
  LentStream(const LentStream&) = delete;
  LentStream& operator=(const LentStream&) = delete;

  absl::StatusOr<std::string> Read(const Context& ctx) override {
    if (!shared_->Enter()) return Closed();
    const UnderWay call(ctx, *shared_);
    absl::StatusOr<std::string> bytes = shared_->stream->Read(call.context());
    if (closed()) return Closed();
    return bytes;
  }
  absl::Status Write(const Context& ctx, absl::string_view bytes) override {
    if (!shared_->Enter()) return Closed();
    const UnderWay call(ctx, *shared_);
    return shared_->stream->Write(call.context(), bytes);
  }
  absl::Status Flush(const Context& ctx) override {
    if (!shared_->Enter()) return Closed();
    const UnderWay call(ctx, *shared_);
    return shared_->stream->Flush(call.context());
  }
  absl::Status CloseWrite() override {
    if (!shared_->Enter()) return absl::OkStatus();
    const UnderWay call(Context(), *shared_);
    return shared_->stream->CloseWrite();
  }
  void Close() override { End(); }

 private:
  // A call that has entered. Its context is done with `ctx`, and when the stream is closed.
  class UnderWay {
   public:
    UnderWay(const Context& ctx, Loan::Shared& shared)
        : shared_(shared),
          scope_(WithCancel(ctx)),
          callback_(shared.closed.context().OnDone([this] { scope_.Cancel(); })) {}
    ~UnderWay() { shared_.Leave(); }
    UnderWay(const UnderWay&) = delete;
    UnderWay& operator=(const UnderWay&) = delete;
    const Context& context() const { return scope_.context(); }

   private:
    Loan::Shared& shared_;
    CancelScope scope_;
    DoneCallback callback_;
  };

  bool closed() const { return shared_->closed.context().done(); }
  void End() {
    if (!shared_->Enter()) return;
    const UnderWay call(Context(), *shared_);
    shared_->closed.Cancel();
    // The stream may be one whose directions end together.
    shared_->stream->CloseWrite().IgnoreError();
  }

  const std::shared_ptr<Loan::Shared> shared_;
};

}  // namespace

Loan::Loan(std::unique_ptr<io::DuplexStream> stream)
    : shared_(std::make_shared<Shared>(std::move(stream))) {}

std::unique_ptr<io::DuplexStream> Loan::Lend() { return std::make_unique<LentStream>(shared_); }

void Loan::End() {
  shared_->closed.Cancel();
  shared_->AwaitIdle();
}

io::DuplexStream& Loan::stream() { return *shared_->stream; }

}  // namespace kube::apiserver::internal
