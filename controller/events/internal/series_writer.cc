#include "controller/events/internal/series_writer.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "controller/events/event_sink.h"
#include "controller/events/internal/clock_reading.h"
#include "controller/events/internal/event_hub.h"
#include "controller/events/internal/event_metrics.h"
#include "controller/events/internal/event_series.h"
#include "controller/events/internal/write_errors.h"

namespace kube::events::internal {

namespace eventsv1 = api::events::v1;

namespace {

log::ObjectRef RefOf(const eventsv1::Event& event) {
  return log::KRef(event.metadata.namespace_.view(), event.metadata.name.view());
}

}  // namespace

SeriesWriter::SeriesWriter(std::shared_ptr<EventSink> sink, const SeriesWriterOptions& options,
                           EventMetrics metrics)
    : sink_(std::move(sink)),
      options_(options),
      metrics_(std::move(metrics)),
      series_(options.max_series) {}

void SeriesWriter::Run(const Context& ctx, EventHub<eventsv1::Event>::Queue& queue) {
  const base::MonotonicTime start = base::Now();
  next_refresh_ = start + options_.refresh_time;
  next_finish_ = start + options_.finish_time;
  while (true) {
    const auto event = queue.Pop(WithDeadline(ctx, std::min(next_refresh_, next_finish_)));
    if (event.ok()) {
      EventSeries::Observed observed = series_.Observe(**event, ClockReading::Now());
      if (observed.forgotten.has_value()) Write(ctx, *observed.forgotten);
      if (observed.write.has_value()) Write(ctx, *observed.write);
    } else if (absl::IsOutOfRange(event.status())) {
      series_.Flush([&](const eventsv1::Event& series) { return Write(ctx, series); });
      return;
    }
    if (ctx.done()) return;
    RunTimers(ctx);
  }
}

void SeriesWriter::RunTimers(const Context& ctx) {
  base::Runtime& runtime = base::Runtime::Current();
  const auto write = [&](const eventsv1::Event& event) {
    return TryOnce(ctx, event) == Result::kDone;
  };
  if (runtime.Now() >= next_refresh_) {
    series_.Refresh(write);
    next_refresh_ = runtime.Now() + options_.refresh_time;
  }
  if (runtime.Now() >= next_finish_) {
    series_.Finish(runtime.Now(), options_.finish_time, write);
    next_finish_ = runtime.Now() + options_.finish_time;
  }
}

bool SeriesWriter::Write(const Context& ctx, const eventsv1::Event& event) {
  for (int tries = 1; TryOnce(ctx, event) == Result::kRetry; ++tries) {
    if (tries >= options_.max_tries) {
      metrics_.retries.Increment();
      log::Error(ctx, absl::OkStatus(), "Unable to write event (retry limit exceeded!)",
                 {{"event", RefOf(event)}});
      return true;
    }
    // Random, so that clients that have lost the same server do not all return at once.
    if (!base::SleepFor(ctx, base::Jitter(options_.sleep_duration, 0.25)).ok()) {
      metrics_.shutdown.Increment();
      return false;
    }
  }
  return true;
}

SeriesWriter::Result SeriesWriter::TryOnce(const Context& ctx, const eventsv1::Event& event) {
  const bool is_series = event.series != nullptr;
  absl::StatusOr<eventsv1::Event> stored = absl::UnknownError("");
  if (is_series) {
    const absl::StatusOr<std::string> patch = PatchOfSeries(event);
    if (!patch.ok()) {
      metrics_.rejected.Increment();
      log::Error(ctx, patch.status(), "Unable to calculate diff, no merge is possible");
      return Result::kDone;
    }
    stored = sink_->Patch(ctx, event, *patch);
  }
  // The event may be gone: servers delete events after an hour.
  if (!is_series || IsKeyNotFound(stored.status())) stored = sink_->Create(ctx, event);
  if (stored.ok()) return Result::kDone;
  if (!IsFinal(stored.status())) {
    log::Error(ctx, stored.status(), "Unable to write event (may retry after sleeping)");
    return Result::kRetry;
  }
  // Another writer has created it meanwhile; the next attempt patches it.
  if (is_series && errors::IsAlreadyExists(stored.status())) return Result::kRetry;
  metrics_.rejected.Increment();
  if (errors::IsAlreadyExists(stored.status())) {
    KUBE_VLOG_CTX(ctx, 5, "Server rejected event (will not retry!)", {"event", RefOf(event)},
                  {"err", stored.status()});
  } else {
    log::Error(ctx, stored.status(), "Server rejected event (will not retry!)",
               {{"event", RefOf(event)}});
  }
  return Result::kDone;
}

}  // namespace kube::events::internal
