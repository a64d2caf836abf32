#include "controller/manager/internal/request_meter.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::controller::internal {

namespace {

using base::MutexLock;

int64_t WholeSeconds(base::MonotonicTime time) { return absl::ToInt64Seconds(time.since_epoch()); }

class MeteredTransport final : public httpclient::Transport {
 public:
  MeteredTransport(std::shared_ptr<httpclient::Transport> below,
                   std::shared_ptr<RequestMeter> meter)
      : below_(std::move(below)), meter_(std::move(meter)) {}

  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context& ctx,
                                                     httpclient::HttpRequest request) override {
    meter_->Count();
    return below_->RoundTrip(ctx, std::move(request));
  }
  void CloseIdleConnections() override { below_->CloseIdleConnections(); }

 private:
  const std::shared_ptr<httpclient::Transport> below_;
  const std::shared_ptr<RequestMeter> meter_;
};

}  // namespace

RequestMeter::RequestMeter() : made_(base::Now()) {}

void RequestMeter::Count() {
  const int64_t second = WholeSeconds(base::Now());
  MutexLock lock(mutex_);
  Slot& slot = slots_[static_cast<size_t>(second % kSeconds)];
  if (slot.second != second) slot = {.second = second};
  ++slot.requests;
}

double RequestMeter::PerSecond() const {
  const base::MonotonicTime now = base::Now();
  const int64_t second = WholeSeconds(now);
  int64_t requests = 0;
  {
    MutexLock lock(mutex_);
    for (const Slot& slot : slots_) {
      if (slot.second > second - kSeconds) requests += slot.requests;
    }
  }
  const absl::Duration time = std::min(now - made_, absl::Seconds(kSeconds));
  return static_cast<double>(requests) / std::max(1.0, absl::ToDoubleSeconds(time));
}

std::shared_ptr<httpclient::Transport> MakeMeteredTransport(
    std::shared_ptr<httpclient::Transport> below, std::shared_ptr<RequestMeter> meter) {
  return std::make_shared<MeteredTransport>(std::move(below), std::move(meter));
}

}  // namespace kube::controller::internal
