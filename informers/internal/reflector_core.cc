#include "informers/internal/reflector_core.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/typed/watch_list.h"
#include "informers/delta.h"
#include "informers/internal/reflector_errors.h"

// ReflectorCore is the driver of a ReflectorMachine. Run gives the machine an input, and Perform
// carries out the step that it returns: first the action on objects (Dispose), then the task, whose
// outcome is the next input. All decisions are the machine's; this file does the I/O.
//
// `watcher_` exists only while the tasks are kReadWatch; any other task closes the watch. Objects
// of lists and of watch-lists are collected until the machine asks for kReplace; events of a watch
// are handed over one by one. The sink may batch what it is given: Flush tells it when no event is
// at hand and before every other task, so that nothing waits in a batch while the reflector blocks.

namespace kube::informers::internal {

namespace metav1 = api::meta::v1;
using base::MonotonicTime;
using watch::EventType;

namespace {

// A warning is logged when a watch-list delivers nothing for this long.
constexpr absl::Duration kWatchListWarning = absl::Seconds(10);
constexpr absl::Duration kLeastWatchTimeout = absl::Minutes(5);

ReflectorPlan PlanOf(const ReflectorOptions& options) {
  return {.watch_list = options.watch_list,
          .page_size = options.page_size,
          .label_selector = options.label_selector,
          .field_selector = options.field_selector,
          .min_watch_timeout = std::max(options.min_watch_timeout, kLeastWatchTimeout),
          .max_internal_error_retry = options.max_internal_error_retry,
          .backoff = options.backoff,
          .backoff_reset = options.backoff_reset};
}

DeltaType DeltaTypeOf(EventType type) {
  switch (type) {
    case EventType::kAdded:
      return DeltaType::kAdded;
    case EventType::kDeleted:
      return DeltaType::kDeleted;
    default:
      return DeltaType::kUpdated;
  }
}

}  // namespace

ReflectorCore::ReflectorCore(std::shared_ptr<ListerWatcher> source,
                             const meta::ObjectAccess& access, AnyDeltaSink sink,
                             AnyTransform transform, ReflectorOptions options,
                             ReflectorObserver observer, FlushDeltas flush)
    : source_(std::move(source)),
      access_(access),
      sink_(std::move(sink)),
      transform_(std::move(transform)),
      options_(std::move(options)),
      observer_(std::move(observer)),
      flush_(std::move(flush)),
      name_(options_.name.empty() ? source_->description() : options_.name),
      collected_(access),
      machine_(PlanOf(options_)) {}

ReflectorStatus ReflectorCore::status() const {
  base::MutexLock lock(mutex_);
  return machine_.status();
}

ReflectorStep ReflectorCore::Step(const ReflectorInput& input) {
  base::MutexLock lock(mutex_);
  const ReflectorStep step = machine_.Step(input);
  if (observer_ != nullptr) observer_(machine_.status());
  return step;
}

absl::Status ReflectorCore::Run(const Context& ctx) {
  KUBE_VLOG_CTX(ctx, 3, "starting reflector", {"reflector", name_});
  ReflectorInput input = Started();
  while (true) {
    if (ctx.done()) input = Stopped();
    if (const Failed* failed = std::get_if<Failed>(&input)) Report(ctx, failed->error);
    if (const StoreFailed* failed = std::get_if<StoreFailed>(&input)) Report(ctx, failed->error);
    const ReflectorStep step = Step(input);
    input = Perform(ctx, step);
    if (step.task == ReflectorTask::kEnd) break;
  }
  KUBE_VLOG_CTX(ctx, 3, "stopping reflector", {"reflector", name_});
  return ctx.status();
}

ReflectorInput ReflectorCore::Perform(const Context& ctx, ReflectorStep step) {
  if (step.task != ReflectorTask::kReadWatch) watcher_ = nullptr;
  if (absl::Status status = Dispose(ctx, step.objects); !status.ok()) {
    Flush(ctx);
    return StoreFailed{.error = std::move(status)};
  }
  if (step.task != ReflectorTask::kReadWatch || !watcher_->HasNext()) Flush(ctx);
  switch (step.task) {
    case ReflectorTask::kList:
      return List(ctx);
    case ReflectorTask::kOpenWatch:
      return OpenWatch(ctx);
    case ReflectorTask::kReadWatch:
      return ReadWatch(ctx);
    case ReflectorTask::kWait:
      return Wait(ctx);
    case ReflectorTask::kEnd:
      break;
  }
  return Stopped();
}

// Returns only errors after which all objects must be listed again. An event that cannot be handed
// over is not such an error.
absl::Status ReflectorCore::Dispose(const Context& ctx, ObjectsAction action) {
  switch (action) {
    case ObjectsAction::kNone:
      break;
    case ObjectsAction::kForget:
      collected_.Forget();
      break;
    case ObjectsAction::kCollect: {
      KUBE_ASSIGN_OR_RETURN(std::shared_ptr<const void> object,
                            Transformed(std::move(event_.object)));
      collected_.Apply(event_.type, std::move(object));
      break;
    }
    case ObjectsAction::kReplace:
      return HandOverAll(ctx);
    case ObjectsAction::kApply:
    case ObjectsAction::kBookmark:
      // When the reflector is being stopped, errors of an interrupted sink do not count.
      if (const absl::Status status = HandOverEvent(ctx); !status.ok() && !ctx.done()) {
        Reject(ctx, status);
      }
      break;
  }
  return absl::OkStatus();
}

absl::Status ReflectorCore::HandOver(const Context& ctx, Delta<void> delta) {
  is_flushed_ = false;
  return sink_(ctx, std::move(delta));
}

void ReflectorCore::Flush(const Context& ctx) {
  if (std::exchange(is_flushed_, true) || flush_ == nullptr) return;
  flush_(ctx);
}

absl::Status ReflectorCore::HandOverAll(const Context& ctx) {
  if (options_.resync_period > absl::ZeroDuration())
    next_resync_ = base::Now() + options_.resync_period;
  next_warning_ = MonotonicTime::Infinite();
  return HandOver(ctx, {.type = DeltaType::kReplaced,
                        .objects = collected_.Take(),
                        .resource_version = status().last_sync_resource_version});
}

absl::Status ReflectorCore::HandOverEvent(const Context& ctx) {
  if (event_.type == EventType::kBookmark) {
    return HandOver(
        ctx, {.type = DeltaType::kBookmark,
              .resource_version = std::string(access_.resource_version(event_.object.get()))});
  }
  KUBE_ASSIGN_OR_RETURN(std::shared_ptr<const void> object, Transformed(std::move(event_.object)));
  return HandOver(ctx, {.type = DeltaTypeOf(event_.type), .object = std::move(object)});
}

ReflectorInput ReflectorCore::List(const Context& ctx) {
  metav1::ListOptions options;
  {
    base::MutexLock lock(mutex_);
    options = machine_.options();
  }
  absl::StatusOr<ListerWatcher::ListHeader> header =
      source_->List(ctx, options, [this](std::shared_ptr<const void> object) -> absl::Status {
        KUBE_ASSIGN_OR_RETURN(object, Transformed(std::move(object)));
        collected_.Add(std::move(object));
        return absl::OkStatus();
      });
  if (!header.ok()) return Failed{.error = std::move(header).status()};
  return PageListed{.resource_version = std::move(header->resource_version),
                    .continue_token = std::move(header->continue_token)};
}

ReflectorInput ReflectorCore::OpenWatch(const Context& ctx) {
  metav1::ListOptions options;
  {
    base::MutexLock lock(mutex_);
    options = machine_.options();
  }
  absl::StatusOr<std::unique_ptr<watch::Watcher<void>>> watcher = source_->Watch(ctx, options);
  if (!watcher.ok()) return Failed{.error = std::move(watcher).status()};
  watcher_ = *std::move(watcher);
  if (options.send_initial_events.value_or(false)) {
    last_event_ = base::Now();
    next_warning_ = last_event_ + kWatchListWarning;
  }
  return WatchOpened();
}

MonotonicTime ReflectorCore::NextTick() const { return std::min(next_resync_, next_warning_); }

ReflectorInput ReflectorCore::ReadWatch(const Context& ctx) {
  while (true) {
    const MonotonicTime next = NextTick();
    if (!next.is_infinite() && next != tick_) {
      tick_ = next;
      until_tick_ = WithDeadline(ctx, next);
    }
    const Context& limited = next.is_infinite() ? ctx : until_tick_;
    absl::StatusOr<std::optional<watch::Event<void>>> event = watcher_->Next(limited);
    if (ctx.done()) return Stopped();
    if (!event.ok()) {
      if (!limited.done()) return Failed{.error = std::move(event).status()};
      if (absl::Status status = OnTick(ctx); !status.ok()) {
        return StoreFailed{.error = std::move(status)};
      }
      continue;
    }
    if (!event->has_value()) return WatchEnded();
    event_ = **std::move(event);
    if (event_.type == EventType::kError) return Failed{.error = std::move(event_.error)};
    if (!next_warning_.is_infinite()) last_event_ = base::Now();
    const void* const object = event_.object.get();
    return EventCame{
        .type = event_.type,
        .resource_version = access_.resource_version(object),
        .ends_initial_events = event_.type == EventType::kBookmark &&
                               access_.has_annotation(object, typed::kInitialEventsEnd, "true")};
  }
}

absl::Status ReflectorCore::OnTick(const Context& ctx) {
  const MonotonicTime now = base::Now();
  if (now >= next_warning_ && now - last_event_ < kWatchListWarning) {
    next_warning_ = last_event_ + kWatchListWarning;
  } else if (now >= next_warning_) {
    next_warning_ = now + kWatchListWarning;
    log::Warning(ctx,
                 "hasn't received required bookmark event marking the end of initial events stream",
                 {{"reflector", name_},
                  {"objects", collected_.size()},
                  {"sinceLastEvent", now - last_event_}});
  }
  if (now < next_resync_) return absl::OkStatus();
  next_resync_ = now + options_.resync_period;
  if (options_.should_resync != nullptr && !options_.should_resync()) return absl::OkStatus();
  {
    base::MutexLock lock(mutex_);
    ++machine_.counters().resyncs;
  }
  KUBE_RETURN_IF_ERROR(HandOver(ctx, {.type = DeltaType::kSync}));
  Flush(ctx);
  return absl::OkStatus();
}

ReflectorInput ReflectorCore::Wait(const Context& ctx) {
  absl::Duration wait;
  {
    base::MutexLock lock(mutex_);
    wait = machine_.wait();
  }
  return base::SleepFor(ctx, wait).ok() ? ReflectorInput(Waited()) : ReflectorInput(Stopped());
}

absl::StatusOr<std::shared_ptr<const void>> ReflectorCore::Transformed(
    std::shared_ptr<const void> object) {
  if (transform_ == nullptr) return object;
  return transform_(std::move(object));
}

void ReflectorCore::Reject(const Context& ctx, const absl::Status& error) {
  {
    base::MutexLock lock(mutex_);
    ++machine_.counters().rejected;
  }
  log::Error(ctx, error, "unable to store object", {{"reflector", name_}});
}

// Reports an error. (client-go: `DefaultWatchErrorHandler`)
void ReflectorCore::Report(const Context& ctx, const absl::Status& error) {
  const bool watch_listing = status().state == ReflectorState::kWatchListing;
  if (IsExpired(error) || (watch_listing && typed::IsWatchListUnsupported(error))) {
    KUBE_VLOG_CTX(ctx, 4, "watch closed", {"reflector", name_}, {"err", error.message()});
  } else if (IsConnectionEnd(error) && !IsServerAway(error)) {
    KUBE_VLOG_CTX(ctx, 1, "watch closed with unexpected EOF", {"reflector", name_},
                  {"err", error.message()});
  } else if (watch_listing && !IsServerAway(error)) {
    // The machine continues at once, in most cases with a list. If the list fails for the same
    // reason, that error is logged at level 0.
    KUBE_VLOG_CTX(ctx, 2, "watch-list failed", {"reflector", name_}, {"err", error.message()});
  } else {
    log::Error(ctx, error, "failed to list or watch", {{"reflector", name_}});
  }
  if (options_.on_error != nullptr) options_.on_error(error);
}

}  // namespace kube::informers::internal
