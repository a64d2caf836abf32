#include "controller/manager/internal/request_meter.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "controller/manager/internal/request_name.h"
#include "controller/manager/manager_status.h"
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
    meter_->Count(NameOf(request.method, request.url));
    return below_->RoundTrip(ctx, std::move(request));
  }
  void CloseIdleConnections() override { below_->CloseIdleConnections(); }
  void CloseConnections(const httpclient::ConnectionOptions& connection) override {
    below_->CloseConnections(connection);
  }

 private:
  const std::shared_ptr<httpclient::Transport> below_;
  const std::shared_ptr<RequestMeter> meter_;
};

}  // namespace

RequestMeter::RequestMeter() : made_(base::Now()) {}

void RequestMeter::Add(Series& series, int64_t second) {
  Slot& slot = series.slots[static_cast<size_t>(second % kSeconds)];
  if (slot.second != second) slot = {.second = second};
  ++slot.requests;
  ++series.requests;
}

int64_t RequestMeter::LastMinute(const Series& series, int64_t second) {
  int64_t requests = 0;
  for (const Slot& slot : series.slots) {
    if (slot.second > second - kSeconds) requests += slot.requests;
  }
  return requests;
}

double RequestMeter::Rate(int64_t requests, base::MonotonicTime now) const {
  const absl::Duration time = std::min(now - made_, absl::Seconds(kSeconds));
  return static_cast<double>(requests) / std::max(1.0, absl::ToDoubleSeconds(time));
}

void RequestMeter::Count(const RequestName& name) {
  const int64_t second = WholeSeconds(base::Now());
  MutexLock lock(mutex_);
  Add(all_, second);
  const bool told_apart = by_name_.size() < kMostNames || by_name_.contains(name);
  Add(by_name_[told_apart ? name : RequestName{.verb = "other"}], second);
}

double RequestMeter::PerSecond() const {
  const base::MonotonicTime now = base::Now();
  int64_t requests = 0;
  {
    MutexLock lock(mutex_);
    requests = LastMinute(all_, WholeSeconds(now));
  }
  return Rate(requests, now);
}

std::vector<RequestRateStatus> RequestMeter::Rates() const {
  const base::MonotonicTime now = base::Now();
  std::vector<RequestRateStatus> rates;
  {
    MutexLock lock(mutex_);
    for (const auto& [name, series] : by_name_) {
      rates.push_back({.verb = name.verb,
                       .resource = name.resource,
                       .per_second = Rate(LastMinute(series, WholeSeconds(now)), now),
                       .requests = series.requests});
    }
  }
  std::stable_sort(rates.begin(), rates.end(),
                   [](const RequestRateStatus& a, const RequestRateStatus& b) {
                     if (a.per_second != b.per_second) return a.per_second > b.per_second;
                     return a.requests > b.requests;
                   });
  return rates;
}

std::shared_ptr<httpclient::Transport> MakeMeteredTransport(
    std::shared_ptr<httpclient::Transport> below, std::shared_ptr<RequestMeter> meter) {
  return std::make_shared<MeteredTransport>(std::move(below), std::move(meter));
}

}  // namespace kube::controller::internal
