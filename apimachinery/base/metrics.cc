#include "apimachinery/base/metrics.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/no_destructor.h"

namespace kube::base {
namespace {

class NoOpProvider : public MetricsProvider {
 public:
  absl::StatusOr<CounterVec> MakeCounter(const MetricOptions&) override { return CounterVec(); }
  absl::StatusOr<GaugeVec> MakeGauge(const MetricOptions&) override { return GaugeVec(); }
  absl::StatusOr<HistogramVec> MakeHistogram(const HistogramOptions&) override {
    return HistogramVec();
  }
};

}  // namespace

HistogramCell::HistogramCell(std::vector<double> bounds)
    : bounds_(std::move(bounds)),
      counts_(std::make_unique<std::atomic<uint64_t>[]>(bounds_.size() + 1)) {}

void HistogramCell::Observe(double value) {
  // NaN counts in the last bucket, as in client_golang.
  const size_t bucket =
      std::isnan(value) ? bounds_.size()
                        : std::lower_bound(bounds_.begin(), bounds_.end(), value) - bounds_.begin();
  counts_[bucket].fetch_add(1, std::memory_order_relaxed);
  sum_.fetch_add(value, std::memory_order_relaxed);
}

std::vector<uint64_t> HistogramCell::Counts() const {
  std::vector<uint64_t> counts(bounds_.size() + 1);
  for (size_t i = 0; i < counts.size(); ++i) counts[i] = counts_[i].load(std::memory_order_relaxed);
  return counts;
}

uint64_t Histogram::Count() const {
  if (cell_ == nullptr) return 0;
  const std::vector<uint64_t> counts = cell_->Counts();
  return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
}

const std::shared_ptr<MetricsProvider>& NoOpMetrics() {
  static base::NoDestructor<std::shared_ptr<MetricsProvider>> provider(
      std::make_shared<NoOpProvider>());
  return *provider;
}

std::vector<double> DefaultBuckets() { return {.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}; }

std::vector<double> LinearBuckets(double start, double width, int count) {
  KUBE_CHECK_GE(count, 1);
  KUBE_CHECK_GT(width, 0);
  std::vector<double> bounds(count);
  for (double& bound : bounds) bound = std::exchange(start, start + width);
  return bounds;
}

std::vector<double> ExponentialBuckets(double start, double factor, int count) {
  KUBE_CHECK_GE(count, 1);
  KUBE_CHECK_GT(start, 0);
  KUBE_CHECK_GT(factor, 1);
  std::vector<double> bounds(count);
  for (double& bound : bounds) bound = std::exchange(start, start * factor);
  return bounds;
}

std::vector<double> ExponentialBucketsRange(double min, double max, int count) {
  KUBE_CHECK_GE(count, 2);
  KUBE_CHECK_GT(min, 0);
  KUBE_CHECK_GT(max, min);
  const double factor = std::pow(max / min, 1.0 / (count - 1));
  std::vector<double> bounds(count);
  for (int i = 0; i < count; ++i) bounds[i] = min * std::pow(factor, i);
  return bounds;
}

}  // namespace kube::base
