#ifndef APIMACHINERY_BASE_METRICS_H_
#define APIMACHINERY_BASE_METRICS_H_

// Counters, gauges and histograms, as code counts them; what becomes of the counts is a provider's
// business. Nothing is counted unless a program brings a provider, such as PrometheusRegistry.
//
//   KUBE_ASSIGN_OR_RETURN(CounterVec requests,
//                         metrics.MakeCounter({.name = "rest_client_requests_total",
//                                              .help = "Requests by code and method.",
//                                              .label_names = {"code", "method"}}));
//   Counter gets = requests.WithLabelValues({"200", "GET"});   // once
//   gets.Increment();                                          // often: one atomic addition
//
// Handles and vectors are cheap to copy, thread-safe, and keep alive what they point at; they may
// outlive their provider. A default-constructed one does nothing. Names follow client_golang.

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

// ---- Cells: what handles write and providers read, both whenever they like.

struct CounterCell {
  std::atomic<uint64_t> value{0};
};

struct GaugeCell {
  std::atomic<double> value{0};
};

// Values per bucket, each counted in the first bucket whose bound is not below it, in the last one
// (bound +Inf, not among the bounds) if there is none. Sum and counts are separate: a reader may
// see one of them without a value that is just being observed.
class HistogramCell {
 public:
  // `bounds` rise strictly and are finite.
  explicit HistogramCell(std::vector<double> bounds);

  void Observe(double value);

  const std::vector<double>& bounds() const { return bounds_; }
  // One more than bounds; not cumulative.
  std::vector<uint64_t> Counts() const;
  double Sum() const { return sum_.load(std::memory_order_relaxed); }

 private:
  const std::vector<double> bounds_;
  const std::unique_ptr<std::atomic<uint64_t>[]> counts_;
  std::atomic<double> sum_{0};
};

// ---- Handles. All methods are lock-free.

// A number of events, which only grows; 2^64 wraps around.
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

// A quantity that goes up and down.
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

// A distribution of values, such as seconds.
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

// ---- Families of one name, by label values

// What a provider implements for each metric that it makes. Thread-safe.
template <typename Metric>
class MetricFamily {
 public:
  virtual ~MetricFamily() = default;

  // The same cell for the same values. As many values as there are label names.
  virtual Metric WithLabelValues(absl::Span<const absl::string_view> values) = 0;
};

template <typename Metric>
class MetricVec {
 public:
  MetricVec() = default;
  explicit MetricVec(std::shared_ptr<MetricFamily<Metric>> family) : family_(std::move(family)) {}

  // The metric of these label values, in the order of the label names, as many; `{}` if there are
  // none. Takes a lock and a look-up: keep the result where it is used often. Values must come from
  // a small set (codes, verbs, resources), never names of objects: see the provider for its limit.
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
  // [a-zA-Z_:][a-zA-Z0-9_:]*, with the unit, and "_total" for counters.
  std::string name = {};
  // One sentence for people.
  std::string help = {};
  // [a-zA-Z_][a-zA-Z0-9_]* each, all different, not beginning with "__". Default: none.
  std::vector<std::string> label_names = {};
};

struct HistogramOptions {
  // As above; the label "le" is the buckets' own.
  std::string name = {};
  std::string help = {};
  std::vector<std::string> label_names = {};
  // Upper bounds, rising strictly; +Inf at the end may be left out. Default, when empty:
  // DefaultBuckets().
  std::vector<double> buckets = {};
};

// Where metrics come from: implement it to feed another metrics system, which reads the cells when
// it exports. client-go's likeness: workqueue.MetricsProvider and rest's metrics.Register.
//
// Thread-safe. The same options twice give the same family; the same name with other options is
// ALREADY_EXISTS, options that break their rules are INVALID_ARGUMENT.
class MetricsProvider {
 public:
  virtual ~MetricsProvider() = default;

  virtual absl::StatusOr<CounterVec> MakeCounter(const MetricOptions& options) = 0;
  virtual absl::StatusOr<GaugeVec> MakeGauge(const MetricOptions& options) = 0;
  virtual absl::StatusOr<HistogramVec> MakeHistogram(const HistogramOptions& options) = 0;
};

// The default: its metrics do nothing. Any options are well. Lives for ever.
const std::shared_ptr<MetricsProvider>& NoOpMetrics();

// ---- Buckets, as client_golang makes them. Arguments that make no sense are bugs: checked.

// For seconds of network requests: 5 ms to 10 s.
std::vector<double> DefaultBuckets();
// `count` bounds, the first `start`, each `width` above the one before.
std::vector<double> LinearBuckets(double start, double width, int count);
// `count` bounds, the first `start` > 0, each `factor` > 1 times the one before.
std::vector<double> ExponentialBuckets(double start, double factor, int count);
// `count` bounds from `min` > 0 to `max`, each by the same factor above the one before.
std::vector<double> ExponentialBucketsRange(double min, double max, int count);

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_METRICS_H_
