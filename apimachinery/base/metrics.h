#ifndef APIMACHINERY_BASE_METRICS_H_
#define APIMACHINERY_BASE_METRICS_H_

// Counters, gauges and histograms as code uses them; a MetricsProvider decides what happens to
// their values. Nothing is counted unless the program supplies a provider, such as
// PrometheusRegistry.
//
//   KUBE_ASSIGN_OR_RETURN(CounterVec requests,
//                         metrics.MakeCounter({.name = "rest_client_requests_total",
//                                              .help = "Requests by code and method.",
//                                              .label_names = {"code", "method"}}));
//   const Counter gets = requests.WithLabelValues({"200", "GET"});  // once
//   gets.Increment();                                               // often: one atomic addition
//
// Handles and vectors are thread-safe, cheap to copy, and keep their cells alive, so they may
// outlive the provider. A default-constructed one does nothing. The names follow client_golang.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace kube::base {

// ---- Cells. Handles write them and providers read them, at any time and from any thread.

struct CounterCell {
  std::atomic<uint64_t> value{0};
};

struct GaugeCell {
  std::atomic<double> value{0};
};

// The values observed, per bucket. A value counts in the first bucket whose upper bound is not less
// than the value, otherwise in the last bucket, whose bound is +Inf and is not stored. Sum and
// counts are separate atomics: a concurrent reader may see one of them without the newest value.
class HistogramCell {
 public:
  // Creates the buckets. `bounds` must be finite and strictly increasing.
  explicit HistogramCell(std::vector<double> bounds);

  void Observe(double value);

  const std::vector<double>& bounds() const { return bounds_; }
  // Returns the number of values per bucket, not cumulative: one element more than bounds() has.
  std::vector<uint64_t> Counts() const;
  double Sum() const { return sum_.load(std::memory_order_relaxed); }

 private:
  const std::vector<double> bounds_;
  const std::unique_ptr<std::atomic<uint64_t>[]> counts_;
  std::atomic<double> sum_{0};
};

// ---- Handles. All methods are lock-free.

// A number of events that only grows; it wraps around at 2^64.
class Counter {
 public:
  using Cell = CounterCell;
  Counter() = default;
  explicit Counter(std::shared_ptr<Cell> cell) : cell_(std::move(cell)) {}

  void Increment(uint64_t by = 1) const {
    if (cell_ != nullptr) cell_->value.fetch_add(by, std::memory_order_relaxed);
  }
  uint64_t Value() const { return cell_ == nullptr ? 0 : cell_->value.load(); }

 private:
  std::shared_ptr<Cell> cell_;
};

// A value that goes up and down.
class Gauge {
 public:
  using Cell = GaugeCell;
  Gauge() = default;
  explicit Gauge(std::shared_ptr<Cell> cell) : cell_(std::move(cell)) {}

  void Set(double value) const {
    if (cell_ != nullptr) cell_->value.store(value, std::memory_order_relaxed);
  }
  void Add(double delta) const {
    if (cell_ != nullptr) cell_->value.fetch_add(delta, std::memory_order_relaxed);
  }
  void Increment() const { Add(1); }
  void Decrement() const { Add(-1); }
  double Value() const { return cell_ == nullptr ? 0 : cell_->value.load(); }

 private:
  std::shared_ptr<Cell> cell_;
};

// A distribution of values, such as durations in seconds.
class Histogram {
 public:
  using Cell = HistogramCell;
  Histogram() = default;
  explicit Histogram(std::shared_ptr<Cell> cell) : cell_(std::move(cell)) {}

  void Observe(double value) const {
    if (cell_ != nullptr) cell_->Observe(value);
  }
  uint64_t Count() const;
  double Sum() const { return cell_ == nullptr ? 0 : cell_->Sum(); }

 private:
  std::shared_ptr<Cell> cell_;
};

// ---- Families: the metrics of one name, by label values.

// The interface that a provider implements for each metric that it creates. Thread-safe.
template <typename Metric>
class MetricFamily {
 public:
  virtual ~MetricFamily() = default;

  // Returns a handle on the cell of these label values; equal values share one cell. There must be
  // one value per label name.
  virtual Metric WithLabelValues(absl::Span<const absl::string_view> values) = 0;
};

template <typename Metric>
class MetricVec {
 public:
  MetricVec() = default;
  explicit MetricVec(std::shared_ptr<MetricFamily<Metric>> family) : family_(std::move(family)) {}

  // Returns the metric of these label values, one per label name and in their order; `{}` without
  // labels. Locks and looks up: keep the result where it is used often. Values must come from a
  // small set (codes, verbs, resources), never from names of objects: providers limit how many they
  // accept.
  Metric WithLabelValues(absl::Span<const absl::string_view> values) const {
    return family_ == nullptr ? Metric() : family_->WithLabelValues(values);
  }

 private:
  std::shared_ptr<MetricFamily<Metric>> family_;
};

using CounterVec = MetricVec<Counter>;
using GaugeVec = MetricVec<Gauge>;
using HistogramVec = MetricVec<Histogram>;

// ---- Providers

struct MetricOptions {
  // Must match [a-zA-Z_:][a-zA-Z0-9_:]*. Ends in the unit and, for counters, in "_total".
  std::string name = {};
  // One sentence that describes the metric.
  std::string help = {};
  // Each must match [a-zA-Z_][a-zA-Z0-9_]*, be unique and not begin with "__". Default: no labels.
  std::vector<std::string> label_names = {};
};

struct HistogramOptions {
  // As in MetricOptions; the label name "le" is reserved for the buckets.
  std::string name = {};
  std::string help = {};
  std::vector<std::string> label_names = {};
  // Upper bounds, strictly increasing; a +Inf at the end may be left out. Default, if empty:
  // DefaultBuckets().
  std::vector<double> buckets = {};
};

// Creates metrics. Implement it to feed another metrics system, which reads the cells when it
// exports. Similar to client-go: `workqueue.MetricsProvider` and `metrics.Register` of package
// tools/metrics.
//
// Thread-safe. Equal options return the same family. Returns ALREADY_EXISTS if the name is in use
// with other options, and INVALID_ARGUMENT if the options break the rules above.
class MetricsProvider {
 public:
  virtual ~MetricsProvider() = default;

  virtual absl::StatusOr<CounterVec> MakeCounter(const MetricOptions& options) = 0;
  virtual absl::StatusOr<GaugeVec> MakeGauge(const MetricOptions& options) = 0;
  virtual absl::StatusOr<HistogramVec> MakeHistogram(const HistogramOptions& options) = 0;
};

// Returns the default provider, whose metrics do nothing. It accepts all options and is never
// destroyed.
const std::shared_ptr<MetricsProvider>& NoOpMetrics();

// ---- Buckets, as client_golang makes them. Arguments outside the stated ranges abort.

// Returns buckets for the seconds of network requests: 5 ms to 10 s.
std::vector<double> DefaultBuckets();
// Returns `count` >= 1 bounds: `start`, and each further one `width` > 0 above its predecessor.
std::vector<double> LinearBuckets(double start, double width, int count);
// Returns `count` >= 1 bounds: `start` > 0, and each further one `factor` > 1 times its
// predecessor.
std::vector<double> ExponentialBuckets(double start, double factor, int count);
// Returns `count` >= 2 bounds from `min` > 0 to `max` > `min`, each the same factor above its
// predecessor.
std::vector<double> ExponentialBucketsRange(double min, double max, int count);

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_METRICS_H_
