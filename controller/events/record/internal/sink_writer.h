#ifndef CONTROLLER_EVENTS_RECORD_INTERNAL_SINK_WRITER_H_
#define CONTROLLER_EVENTS_RECORD_INTERNAL_SINK_WRITER_H_

#include <memory>

#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "controller/events/internal/event_metrics.h"
#include "controller/events/record/correlator_options.h"
#include "controller/events/record/event_sink.h"
#include "controller/events/record/internal/event_correlator.h"

namespace kube::record::internal {

struct SinkWriterOptions {
  CorrelatorOptions correlator = {};
  absl::Duration sleep_duration = absl::Seconds(10);
  int max_tries = 12;
};

// Writes events to a sink, one after the other. Thread-compatible.
class SinkWriter {
 public:
  SinkWriter(std::shared_ptr<EventSink> sink, const SinkWriterOptions& options,
             events::internal::EventMetrics metrics);

  // Blocks until the event is written or given up, which is logged and counted, or `ctx` is done.
  // (client-go: `recordToSink`)
  void Write(const Context& ctx, const api::core::v1::Event& event);

 private:
  // Makes one attempt. Returns true if the event is written or given up. (client-go: `recordEvent`)
  bool TryOnce(const Context& ctx, CorrelatedEvent& correlated);

  const std::shared_ptr<EventSink> sink_;
  const absl::Duration sleep_duration_;
  const int max_tries_;
  const events::internal::EventMetrics metrics_;
  EventCorrelator correlator_;
};

}  // namespace kube::record::internal

#endif  // CONTROLLER_EVENTS_RECORD_INTERNAL_SINK_WRITER_H_
