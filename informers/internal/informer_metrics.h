#ifndef INFORMERS_INTERNAL_INFORMER_METRICS_H_
#define INFORMERS_INTERNAL_INFORMER_METRICS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/schema/group_version.h"
#include "informers/internal/listener.h"
#include "informers/lister_watcher.h"
#include "informers/reflector_status.h"
#include "listers/any_store.h"

namespace kube::informers::internal {

// The metrics of an informer. docs/informers.md lists their names; informer_queued_items,
// informer_processing_latency_seconds and informer_store_resource_version are also client-go's.
//
// Each method may be called by one thread at a time; different methods may use different threads.
class InformerMetrics {
 public:
  // Registers the metrics. If `provider` refuses, logs the error and counts nothing.
  InformerMetrics(base::MetricsProvider& provider, const std::string& name,
                  const schema::GroupVersionResource& resource);

  // Records the reflector's counters; called after each step of the reflector.
  void Observe(const ReflectorStatus& status);
  // Records a stored batch: the time it took and the number of deltas still queued.
  void OnBatch(absl::Duration took, size_t queued, const listers::AnyStore& store);

  const SourceMetrics& source() const { return source_; }
  const ListenerMetrics& listener() const { return listener_; }

 private:
  struct Counted {
    int64_t ReflectorCounters::*field;
    base::Counter counter;
    int64_t seen = 0;
  };

  absl::Status Register(base::MetricsProvider& provider,
                        const std::vector<absl::string_view>& labels);

  bool enabled_ = false;
  SourceMetrics source_;
  ListenerMetrics listener_;
  std::vector<Counted> counted_;
  base::Gauge last_event_;
  base::Gauge queued_;
  base::Gauge stored_;
  base::Gauge store_version_;
  base::Histogram latency_;
};

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_INFORMER_METRICS_H_
