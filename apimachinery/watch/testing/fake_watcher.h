#ifndef APIMACHINERY_WATCH_TESTING_FAKE_WATCHER_H_
#define APIMACHINERY_WATCH_TESTING_FAKE_WATCHER_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/internal/any_event.h"
#include "apimachinery/watch/watcher.h"

namespace kube::watch {

// The default number of queued events. (client-go: `watch.DefaultChanSize`)
inline constexpr size_t kDefaultQueueLength = 100;

namespace internal {

// The part of FakeWatcher that does not depend on the type of the objects. Thread-safe.
class FakeWatcherCore {
 public:
  explicit FakeWatcherCore(size_t queue_length);

  void Send(Event<void> event) ABSL_LOCKS_EXCLUDED(mutex_);
  std::shared_ptr<EventQueue> queue() const ABSL_LOCKS_EXCLUDED(mutex_);
  void Stop() ABSL_LOCKS_EXCLUDED(mutex_);
  bool IsStopped() const ABSL_LOCKS_EXCLUDED(mutex_);
  void Reset() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  const size_t queue_length_;
  mutable base::Mutex mutex_;
  std::shared_ptr<EventQueue> queue_ ABSL_GUARDED_BY(mutex_);
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace internal

// A watch whose events are made by a test. (client-go: `watch.RaceFreeFakeWatcher`)
//
//   FakeWatcher<corev1::Pod> pods;
//   pods.Add({.metadata = {.name = "web-0"}});
//   pods.Error(errors::ResourceExpired("too old resource version"));
//   pods.Stop();
//
// Sending never blocks. Sending more events than the queue holds, with none pulled, is a mistake of
// the test and aborts it; a queue of length zero holds one. Events sent after Stop are dropped;
// those sent before can still be pulled. Unlike a real watch it does not end after an error, and it
// does not check resource versions.
//
// Thread-safe. Under SimRuntime it is as deterministic as its callers.
template <typename T>
class FakeWatcher final : public Watcher<T> {
 public:
  explicit FakeWatcher(size_t queue_length = kDefaultQueueLength) : core_(queue_length) {}

  void Add(T object) { Send(EventType::kAdded, std::move(object)); }
  void Modify(T object) { Send(EventType::kModified, std::move(object)); }
  void Delete(T last_state) { Send(EventType::kDeleted, std::move(last_state)); }
  void Bookmark(T object) { Send(EventType::kBookmark, std::move(object)); }
  void Error(absl::Status error) { Send({.type = EventType::kError, .error = std::move(error)}); }

  // (client-go: `RaceFreeFakeWatcher.Action`)
  void Send(EventType type, T object) {
    Send({.type = type, .object = std::make_shared<const T>(std::move(object))});
  }
  void Send(Event<T> event) { core_.Send(internal::ToAny(std::move(event))); }

  absl::StatusOr<std::optional<Event<T>>> Next(const Context& ctx) override {
    return internal::NextOf<T>(*core_.queue(), ctx);
  }

  void Stop() override { core_.Stop(); }
  bool IsStopped() const { return core_.IsStopped(); }

  // Restores the initial state: not stopped, no events. A Next that blocks returns nullopt.
  void Reset() { core_.Reset(); }

 private:
  internal::FakeWatcherCore core_;
};

}  // namespace kube::watch

#endif  // APIMACHINERY_WATCH_TESTING_FAKE_WATCHER_H_
