#ifndef APIMACHINERY_WATCH_FILTER_H_
#define APIMACHINERY_WATCH_FILTER_H_

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"

namespace kube::watch {

// Returns the event to pass on, which may be changed, or nullopt to drop it. It is called by the
// thread that calls Next, one event at a time, and must not call the watcher.
// (client-go: `watch.FilterFunc`)
template <typename T>
using FilterFunction = absl::AnyInvocable<std::optional<Event<T>>(Event<T>)>;

// A watch that passes the events of another through a function. (client-go: `watch.Filter`) The
// function also sees errors and bookmarks: one that drops errors hides why the watch ended; one
// that drops bookmarks makes a restarted watch begin further back. See Watcher for the contract of
// its methods.
//
//   FilteredWatcher<Pod> users(std::move(pods), [](Event<Pod> event) -> std::optional<Event<Pod>> {
//     // Passes errors, which have no object, and bookmarks, which have no namespace.
//     if (event.object && event.object->metadata.namespace_ == "kube-system") return std::nullopt;
//     return event;
//   });
template <typename T>
class FilteredWatcher final : public Watcher<T> {
 public:
  FilteredWatcher(std::unique_ptr<Watcher<T>> source, FilterFunction<T> filter)
      : source_(std::move(source)), filter_(std::move(filter)) {}

  absl::StatusOr<std::optional<Event<T>>> Next(const Context& ctx) override {
    while (true) {
      absl::StatusOr<std::optional<Event<T>>> event = source_->Next(ctx);
      if (!event.ok() || !event->has_value()) return event;
      std::optional<Event<T>> filtered = filter_(**std::move(event));
      if (filtered.has_value()) return filtered;
    }
  }

  void Stop() override { source_->Stop(); }

 private:
  const std::unique_ptr<Watcher<T>> source_;
  FilterFunction<T> filter_;
};

// A watch that records the events that are pulled from it, for tests. It keeps every event, without
// a bound. (client-go: `watch.Recorder`)
template <typename T>
class RecordingWatcher final : public Watcher<T> {
 public:
  explicit RecordingWatcher(std::unique_ptr<Watcher<T>> source) : source_(std::move(source)) {}

  absl::StatusOr<std::optional<Event<T>>> Next(const Context& ctx) override {
    absl::StatusOr<std::optional<Event<T>>> event = source_->Next(ctx);
    if (event.ok() && event->has_value()) {
      base::MutexLock lock(mutex_);
      events_.push_back(**event);
    }
    return event;
  }

  void Stop() override { source_->Stop(); }

  // Returns the events pulled so far, in order. Thread-safe.
  std::vector<Event<T>> events() const ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    return events_;
  }

 private:
  const std::unique_ptr<Watcher<T>> source_;
  mutable base::Mutex mutex_;
  std::vector<Event<T>> events_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::watch

#endif  // APIMACHINERY_WATCH_FILTER_H_
