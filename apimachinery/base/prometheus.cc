#include "apimachinery/base/prometheus.h"

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/internal/leaf_mutex.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/base/text/utf8.h"

namespace kube::base {

// The registry has one Family per metric name, and a family one cell per combination of label
// values. Handles count in the atomic cells, without a lock. Both locks are leaves: the registry's
// guards its families, a family's guards its cells. Render copies the pointers under these locks
// and formats without them, so it never blocks a thread that counts.

namespace {

using internal::LeafLock;
using text::FormatGeneral;

constexpr char kDropped[] = "client_metrics_dropped_label_sets_total";

bool IsIdentifier(absl::string_view name, bool colons) {
  const auto good = [colons](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || (colons && c == ':');
  };
  return !name.empty() && !absl::ascii_isdigit(static_cast<unsigned char>(name[0])) &&
         absl::c_all_of(name, good);
}

std::string EscapeHelp(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"\n", "\\n"}});
}

std::string EscapeLabelValue(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"\n", "\\n"}, {"\"", "\\\""}});
}

// Appends `NAME{a="x",b="y"} VALUE`; `labels` is the text in the braces, which are left out if it
// is empty.
void AppendSample(std::string& out, absl::string_view name, absl::string_view labels,
                  absl::string_view value) {
  absl::StrAppend(&out, name);
  if (!labels.empty()) absl::StrAppend(&out, "{", labels, "}");
  absl::StrAppend(&out, " ", value, "\n");
}

void AppendSamples(std::string& out, absl::string_view name, absl::string_view labels,
                   const CounterCell& cell) {
  AppendSample(out, name, labels, absl::StrCat(cell.value.load(std::memory_order_relaxed)));
}

void AppendSamples(std::string& out, absl::string_view name, absl::string_view labels,
                   const GaugeCell& cell) {
  AppendSample(out, name, labels, FormatGeneral(cell.value.load(std::memory_order_relaxed)));
}

void AppendSamples(std::string& out, absl::string_view name, absl::string_view labels,
                   const HistogramCell& cell) {
  const std::vector<uint64_t> counts = cell.Counts();
  uint64_t count = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    count += counts[i];
    const std::string bound = i < cell.bounds().size() ? FormatGeneral(cell.bounds()[i]) : "+Inf";
    AppendSample(out, absl::StrCat(name, "_bucket"),
                 absl::StrCat(labels, labels.empty() ? "" : ",", "le=\"", bound, "\""),
                 absl::StrCat(count));
  }
  AppendSample(out, absl::StrCat(name, "_sum"), labels, FormatGeneral(cell.Sum()));
  AppendSample(out, absl::StrCat(name, "_count"), labels, absl::StrCat(count));
}

template <typename Metric>
constexpr const char* kTypeName = "counter";
template <>
constexpr const char* kTypeName<Gauge> = "gauge";
template <>
constexpr const char* kTypeName<Histogram> = "histogram";

}  // namespace

// The properties of a metric that must be equal if its name is registered twice.
struct PrometheusRegistry::Shape {
  std::string type = {};
  std::string name = {};
  std::string help = {};
  std::vector<std::string> label_names = {};
  std::vector<double> buckets = {};

  bool operator==(const Shape&) const = default;

  absl::Status Validate() const {
    if (!IsIdentifier(name, /*colons=*/true)) {
      return absl::InvalidArgumentError("name must match [a-zA-Z_:][a-zA-Z0-9_:]*");
    }
    for (size_t i = 0; i < label_names.size(); ++i) {
      const std::string& label = label_names[i];
      const auto error = [&label](absl::string_view what) {
        return absl::InvalidArgumentError(absl::StrCat("label \"", label, "\" ", what));
      };
      if (!IsIdentifier(label, /*colons=*/false)) return error("must match [a-zA-Z_][a-zA-Z0-9_]*");
      if (absl::StartsWith(label, "__")) return error("is reserved");
      if (label == "le" && type == kTypeName<Histogram>) {
        return error("is not allowed as label name in histograms");
      }
      if (absl::c_linear_search(absl::MakeConstSpan(label_names).first(i), label)) {
        return error("appears twice");
      }
    }
    for (size_t i = 0; i < buckets.size(); ++i) {
      if (!std::isfinite(buckets[i]) || (i > 0 && buckets[i] <= buckets[i - 1])) {
        return absl::InvalidArgumentError("bucket bounds must be finite and strictly increasing");
      }
    }
    return absl::OkStatus();
  }

  std::vector<std::string> SampleNames() const {
    if (type != kTypeName<Histogram>) return {name};
    return {name, name + "_bucket", name + "_sum", name + "_count"};
  }
};

class PrometheusRegistry::Family {
 public:
  explicit Family(Shape shape) : shape_(std::move(shape)) {}
  virtual ~Family() = default;

  const Shape& shape() const { return shape_; }
  virtual void Render(std::string& out) = 0;

 private:
  const Shape shape_;
};

template <typename Metric>
class PrometheusRegistry::TypedFamily : public Family, public MetricFamily<Metric> {
 public:
  // `dropped` counts the label sets beyond `max_label_sets`, under the name of this family.
  TypedFamily(Shape shape, size_t max_label_sets, CounterVec dropped)
      : Family(std::move(shape)), max_label_sets_(max_label_sets), dropped_(std::move(dropped)) {}

  Metric WithLabelValues(absl::Span<const absl::string_view> values) override {
    KUBE_CHECK_EQ(values.size(), shape().label_names.size())
        << "label values of metric " << shape().name;
    std::vector<std::string> key;
    key.reserve(values.size());
    for (const absl::string_view value : values) key.push_back(text::ReplaceInvalidUtf8(value));
    if (std::shared_ptr<Cell> cell = FindOrMake(std::move(key))) return Metric(std::move(cell));
    dropped_.WithLabelValues({shape().name}).Increment();
    return Metric();
  }

  void Render(std::string& out) override {
    const std::map<std::vector<std::string>, std::shared_ptr<Cell>> cells = Cells();
    if (cells.empty()) return;
    const Shape& s = shape();
    if (!s.help.empty()) absl::StrAppend(&out, "# HELP ", s.name, " ", EscapeHelp(s.help), "\n");
    absl::StrAppend(&out, "# TYPE ", s.name, " ", s.type, "\n");
    for (const auto& [values, cell] : cells) {
      std::string labels;
      for (size_t i = 0; i < values.size(); ++i) {
        absl::StrAppend(&labels, i == 0 ? "" : ",", s.label_names[i], "=\"",
                        EscapeLabelValue(values[i]), "\"");
      }
      AppendSamples(out, s.name, labels, *cell);
    }
  }

 private:
  using Cell = typename Metric::Cell;

  // Returns null if `key` is new and the family has max_label_sets_ cells already.
  std::shared_ptr<Cell> FindOrMake(std::vector<std::string> key) {
    LeafLock lock(mutex_);
    const auto found = cells_.find(key);
    if (found != cells_.end()) return found->second;
    if (cells_.size() >= max_label_sets_) return nullptr;
    std::shared_ptr<Cell> cell;
    if constexpr (std::is_same_v<Metric, Histogram>) {
      cell = std::make_shared<Cell>(shape().buckets);
    } else {
      cell = std::make_shared<Cell>();
    }
    return cells_.emplace(std::move(key), std::move(cell)).first->second;
  }

  std::map<std::vector<std::string>, std::shared_ptr<Cell>> Cells() {
    LeafLock lock(mutex_);
    return cells_;
  }

  const size_t max_label_sets_;
  const CounterVec dropped_;
  internal::LeafMutex mutex_;
  std::map<std::vector<std::string>, std::shared_ptr<Cell>> cells_ ABSL_GUARDED_BY(mutex_);
};

PrometheusRegistry::PrometheusRegistry(PrometheusOptions options) : options_(options) {
  absl::StatusOr<CounterVec> dropped = MakeCounter(
      {.name = kDropped,
       .help = "Number of label value combinations dropped because the metric has too many.",
       .label_names = {"metric"}});
  KUBE_CHECK_OK(dropped);
  dropped_ = *std::move(dropped);
}

PrometheusRegistry::~PrometheusRegistry() = default;

absl::StatusOr<CounterVec> PrometheusRegistry::MakeCounter(const MetricOptions& options) {
  return Make<Counter>(
      {.name = options.name, .help = options.help, .label_names = options.label_names});
}

absl::StatusOr<GaugeVec> PrometheusRegistry::MakeGauge(const MetricOptions& options) {
  return Make<Gauge>(
      {.name = options.name, .help = options.help, .label_names = options.label_names});
}

absl::StatusOr<HistogramVec> PrometheusRegistry::MakeHistogram(const HistogramOptions& options) {
  Shape shape = {.name = options.name,
                 .help = options.help,
                 .label_names = options.label_names,
                 .buckets = options.buckets};
  if (shape.buckets.empty()) shape.buckets = DefaultBuckets();
  if (shape.buckets.back() == HUGE_VAL) shape.buckets.pop_back();
  return Make<Histogram>(std::move(shape));
}

template <typename Metric>
absl::StatusOr<MetricVec<Metric>> PrometheusRegistry::Make(Shape shape) {
  shape.type = kTypeName<Metric>;
  shape.help = text::ReplaceInvalidUtf8(shape.help);
  const std::string name = shape.name;
  KUBE_RETURN_IF_ERROR(shape.Validate(), "make metric \"", name, "\"");
  KUBE_ASSIGN_OR_RETURN(MetricVec<Metric> vec, Register<Metric>(std::move(shape)), "make metric \"",
                        name, "\"");
  return vec;
}

template <typename Metric>
absl::StatusOr<MetricVec<Metric>> PrometheusRegistry::Register(Shape shape) {
  LeafLock lock(mutex_);
  const auto found = families_.find(shape.name);
  if (found != families_.end()) {
    if (found->second->shape() != shape) {
      return absl::AlreadyExistsError(
          "already registered with a different type, help, labels or buckets");
    }
    return MetricVec<Metric>(std::static_pointer_cast<TypedFamily<Metric>>(found->second));
  }
  for (const std::string& name : shape.SampleNames()) {
    const auto taken = sample_names_.find(name);
    if (taken != sample_names_.end()) {
      return absl::AlreadyExistsError(
          absl::StrCat("sample \"", name, "\" belongs to metric \"", taken->second, "\""));
    }
  }
  for (std::string& name : shape.SampleNames()) sample_names_.emplace(std::move(name), shape.name);
  // The counter of dropped label sets is not limited: it has at most one sample per metric.
  const size_t limit =
      shape.name == kDropped ? std::numeric_limits<size_t>::max() : options_.max_label_sets;
  const auto family = std::make_shared<TypedFamily<Metric>>(shape, limit, dropped_);
  families_.emplace(shape.name, family);
  return MetricVec<Metric>(family);
}

std::string PrometheusRegistry::Render() const {
  std::vector<std::shared_ptr<Family>> families;
  {
    LeafLock lock(mutex_);
    for (const auto& [name, family] : families_) families.push_back(family);
  }
  std::string out;
  for (const std::shared_ptr<Family>& family : families) family->Render(out);
  return out;
}

}  // namespace kube::base
