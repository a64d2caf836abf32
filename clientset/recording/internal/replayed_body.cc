#include "clientset/recording/internal/replayed_body.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "net/httpclient/transport_error.h"

namespace kube::recording::internal {
namespace {

class ReplayedBody final : public watch::ByteStream {
 public:
  ReplayedBody(std::shared_ptr<const Exchange> exchange, base::MonotonicTime start, double speed)
      : exchange_(std::move(exchange)), start_(start), speed_(speed) {}

  absl::StatusOr<std::string> Read(const Context& ctx) override {
    if (next_ < exchange_->parts.size()) {
      const BodyPart& part = exchange_->parts[next_];
      KUBE_RETURN_IF_ERROR(WaitFor(ctx, start_ + AtSpeed(part.at, speed_)));
      ++next_;
      return part.bytes;
    }
    switch (exchange_->end) {
      case ExchangeEnd::kComplete:
        KUBE_RETURN_IF_ERROR(WaitFor(ctx, start_ + AtSpeed(exchange_->duration, speed_)));
        return std::string();
      case ExchangeEnd::kFailed:
        KUBE_RETURN_IF_ERROR(WaitFor(ctx, start_ + AtSpeed(exchange_->duration, speed_)));
        return exchange_->error;
      case ExchangeEnd::kTruncated:
        return absl::DataLossError(
            absl::StrCat("replay exchange ", exchange_->number,
                         ": the recording has only the start of the body (max_body_bytes)"));
      case ExchangeEnd::kOpen:
      case ExchangeEnd::kAbandoned:
        break;
    }
    KUBE_RETURN_IF_ERROR(WaitFor(ctx, base::MonotonicTime::Infinite()));
    return std::string();  // not reached
  }

  void Close() override {
    base::MutexLock lock(mutex_);
    closed_ = true;
    changed_.NotifyAll();
  }

 private:
  absl::Status WaitFor(const Context& ctx, base::MonotonicTime time) {
    base::MutexLock lock(mutex_);
    const bool closed = changed_.WaitUntil(
        ctx, mutex_, time, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return closed_; });
    if (closed) {
      return httpclient::MakeTransportError({.kind = httpclient::TransportErrorKind::kClosed},
                                            "the body was closed");
    }
    return ctx.status();
  }

  const std::shared_ptr<const Exchange> exchange_;
  const base::MonotonicTime start_;
  const double speed_;
  size_t next_ = 0;
  base::Mutex mutex_;
  base::CondVar changed_;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace

absl::Duration AtSpeed(absl::Duration at, double speed) {
  return speed > 0 ? at / speed : absl::ZeroDuration();
}

std::unique_ptr<watch::ByteStream> MakeReplayedBody(std::shared_ptr<const Exchange> exchange,
                                                    base::MonotonicTime start, double speed) {
  return std::make_unique<ReplayedBody>(std::move(exchange), start, speed);
}

}  // namespace kube::recording::internal
