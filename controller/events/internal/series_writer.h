#ifndef CONTROLLER_EVENTS_INTERNAL_SERIES_WRITER_H_
#define CONTROLLER_EVENTS_INTERNAL_SERIES_WRITER_H_

#include <cstddef>
#include <memory>

#include "absl/time/time.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "controller/events/event_sink.h"
#include "controller/events/internal/event_hub.h"
#include "controller/events/internal/event_metrics.h"
#include "controller/events/internal/event_series.h"

namespace kube::events::internal {

// See BroadcasterOptions.
struct SeriesWriterOptions {
  absl::Duration sleep_duration = absl::Seconds(10);
  int max_tries = 12;
  size_t max_series = 4096;
  absl::Duration finish_time = absl::Minutes(6);
  absl::Duration refresh_time = absl::Minutes(30);
};

// Writes the events of a queue to a sink, one after the other, and the counts of series when they
// are due. Thread-compatible.
class SeriesWriter {
 public:
  SeriesWriter(std::shared_ptr<EventSink> sink, const SeriesWriterOptions& options,
               EventMetrics metrics);

  // Blocks until the queue is closed and empty and the last counts are written, or `ctx` is done.
  void Run(const Context& ctx, EventHub<api::events::v1::Event>::Queue& queue);

 private:
  enum class Result { kDone, kRetry };

  void RunTimers(const Context& ctx);
  // Writes the event with retries. Returns false if `ctx` ended the attempts.
  // (client-go: `attemptRecording`)
  bool Write(const Context& ctx, const api::events::v1::Event& event);
  // Makes one attempt. (client-go: `recordEvent`)
  Result TryOnce(const Context& ctx, const api::events::v1::Event& event);

  const std::shared_ptr<EventSink> sink_;
  const SeriesWriterOptions options_;
  const EventMetrics metrics_;
  EventSeries series_;
  base::MonotonicTime next_refresh_;
  base::MonotonicTime next_finish_;
};

}  // namespace kube::events::internal

#endif  // CONTROLLER_EVENTS_INTERNAL_SERIES_WRITER_H_
