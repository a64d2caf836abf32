#include "controller/events/record/internal/sink_writer.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/wait.h"
#include "controller/events/internal/clock_reading.h"
#include "controller/events/internal/event_metrics.h"
#include "controller/events/internal/write_errors.h"
#include "controller/events/record/event_sink.h"
#include "controller/events/record/internal/event_correlator.h"

namespace kube::record::internal {

namespace corev1 = api::core::v1;

namespace {

log::ObjectRef RefOf(const corev1::Event& event) {
  return log::KRef(event.metadata.namespace_.view(), event.metadata.name.view());
}

}  // namespace

SinkWriter::SinkWriter(std::shared_ptr<EventSink> sink, const SinkWriterOptions& options,
                       events::internal::EventMetrics metrics)
    : sink_(std::move(sink)),
      sleep_duration_(options.sleep_duration),
      max_tries_(options.max_tries),
      metrics_(std::move(metrics)),
      correlator_(options.correlator) {}

void SinkWriter::Write(const Context& ctx, const corev1::Event& event) {
  absl::StatusOr<CorrelatedEvent> correlated =
      correlator_.Correlate(event, events::internal::ClockReading::Now());
  if (!correlated.ok()) {
    metrics_.rejected.Increment();
    log::Error(ctx, correlated.status(), "Unable to construct event (will not retry!)",
               {{"event", RefOf(event)}});
    return;
  }
  if (correlated->skip) {
    metrics_.spam.Increment();
    return;
  }
  for (int tries = 1; !TryOnce(ctx, *correlated); ++tries) {
    if (tries >= max_tries_) {
      metrics_.retries.Increment();
      log::Error(ctx, absl::OkStatus(), "Unable to write event (retry limit exceeded!)",
                 {{"event", RefOf(correlated->event)}});
      return;
    }
    // Random, so that clients that have lost the same server do not all return at once.
    const absl::Duration delay =
        tries == 1 ? sleep_duration_ * base::UniformDouble() : sleep_duration_;
    if (!base::SleepFor(ctx, delay).ok()) {
      metrics_.shutdown.Increment();
      log::Error(ctx, absl::OkStatus(), "Unable to write event (broadcaster is shut down)",
                 {{"event", RefOf(correlated->event)}});
      return;
    }
  }
}

bool SinkWriter::TryOnce(const Context& ctx, CorrelatedEvent& correlated) {
  corev1::Event& event = correlated.event;
  const bool update = event.count > 1;
  absl::StatusOr<corev1::Event> stored =
      update ? sink_->Patch(ctx, event, correlated.patch) : absl::UnknownError("");
  // The event may be gone: servers delete events after an hour.
  if (!update || events::internal::IsKeyNotFound(stored.status())) {
    event.metadata.resource_version = "";
    stored = sink_->Create(ctx, event);
  }
  if (stored.ok()) {
    correlator_.UpdateState(*stored);
    return true;
  }
  if (!events::internal::IsFinal(stored.status())) {
    log::Error(ctx, stored.status(), "Unable to write event (may retry after sleeping)",
               {{"event", RefOf(event)}});
    return false;
  }
  metrics_.rejected.Increment();
  if (!events::internal::IsExpected(stored.status())) {
    log::Error(ctx, stored.status(), "Server rejected event (will not retry!)",
               {{"event", RefOf(event)}});
  } else {
    KUBE_VLOG_CTX(ctx, 5, "Server rejected event (will not retry!)", {"event", RefOf(event)},
                  {"err", stored.status()});
  }
  return true;
}

}  // namespace kube::record::internal
