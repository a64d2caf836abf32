#ifndef CONTROLLER_EVENTS_EVENT_BROADCASTER_H_
#define CONTROLLER_EVENTS_EVENT_BROADCASTER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metrics.h"
#include "controller/events/event_object.h"
#include "controller/events/event_recorder.h"
#include "controller/events/event_sink.h"
#include "controller/events/internal/event_hub.h"

namespace kube::events {

// Options of an EventBroadcaster.
struct BroadcasterOptions {
  // Pause between attempts to write an event, extended at random by up to a quarter. Default: 10 s.
  absl::Duration sleep_duration = absl::Seconds(10);
  // Maximum number of attempts to write an event. Default: 12.
  int max_tries = 12;
  // Number of events that may wait for each watcher; further ones are dropped. Default: 1000.
  size_t queue_length = 1000;
  // Number of different events that are remembered. When one is forgotten to make room, its count
  // is written; if it occurs again, it is a new event. At least 1. client-go has no bound.
  size_t max_series = 4096;
  // How often finished series are removed: those without an event for this long. Their last count
  // is then written. Default: 6 minutes.
  absl::Duration finish_time = absl::Minutes(6);
  // How often the counts of all series are written, even of unchanged ones, since servers delete
  // events after an hour. Default: 30 minutes.
  absl::Duration refresh_time = absl::Minutes(30);
  // Destination of event_recorder_dropped_events_total, whose label "reason" is queue_full,
  // rejected, retries or shutdown. Never null. Default: no metrics.
  std::shared_ptr<base::MetricsProvider> metrics = base::NoOpMetrics();
};

// Options of EventBroadcaster::NewRecorder.
struct RecorderOptions {
  // Identifies the instance of the controller, for example by the name of its pod. Empty, the
  // default: the name of the controller, "-" and the host name.
  std::string reporting_instance = {};
};

// Delivers the events of its recorders to an API server, to the log and to watchers. The events are
// of events.k8s.io/v1. For core/v1 events see record::EventBroadcaster; docs/events.md explains
// which to use. (client-go: `events.EventBroadcaster`)
//
//   events::EventBroadcaster broadcaster(events::NewEventSink(clientset.client()));
//   KUBE_RETURN_IF_ERROR(broadcaster.StartRecordingToSink().status());
//   const std::unique_ptr<events::EventRecorder> recorder =
//       broadcaster.NewRecorder(events::KindsOf<corev1::PodClient>(), "example.com/restarter");
//   ...
//   return broadcaster.Shutdown(absl::Seconds(5));  // not WithTimeout(ctx, …): ctx is done
//
// An event that equals one of the last minutes in everything but the note begins a series: it is
// counted instead of written. The count is written once at the start, then every `refresh_time`,
// and when the series is over.
//
// Each watcher has its own thread and queue and receives events in the order in which they were
// recorded, from its start on. An event is lost if the queue is full, if the server rejects it,
// after `max_tries` failed attempts (about two minutes by default), and at the end of the program.
// Each loss is counted.
//
// Thread-safe, except for Shutdown and the destructor, which only the owner may call.
class EventBroadcaster {
 public:
  using EventHandler = std::function<void(const std::shared_ptr<const api::events::v1::Event>&)>;

  // `sink` may be null if StartRecordingToSink is never called. (client-go: `NewBroadcaster`)
  explicit EventBroadcaster(std::shared_ptr<EventSink> sink, BroadcasterOptions options = {});
  // Does not flush: drops waiting events, cancels requests and joins all threads.
  ~EventBroadcaster();
  EventBroadcaster(const EventBroadcaster&) = delete;
  EventBroadcaster& operator=(const EventBroadcaster&) = delete;

  // Starts writing events to the sink, one after the other on a separate thread; while the server
  // is unreachable, all events wait. Call it once: a second call would write each event twice.
  // Returns an id for StopWatching, which is rarely needed. Returns FAILED_PRECONDITION after
  // Shutdown, or RESOURCE_EXHAUSTED if the system cannot create a thread.
  // (client-go: `StartRecordingToSinkWithContext`)
  absl::StatusOr<int64_t> StartRecordingToSink();

  // Starts logging each event as it was recorded, at level `verbosity`. Errors as above.
  absl::StatusOr<int64_t> StartStructuredLogging(int verbosity = 0);

  // Starts calling `handler` with each event, on a separate thread. The handler may block; only its
  // own events wait. It may call recorders. It must not stop its own watcher, nor shut down or
  // destroy the broadcaster: they wait for the handler, so the program is terminated with a
  // message. Errors as above.
  absl::StatusOr<int64_t> StartEventWatcher(EventHandler handler);

  // Stops what one of the methods above started, and blocks until its thread has ended. Events that
  // wait for it are dropped and not counted. Has no effect if there is no such watcher.
  void StopWatching(int64_t id);

  // Returns a recorder for `reporting_controller`, such as "example.com/my-controller", and objects
  // of `kinds`. It may outlive the broadcaster; it then drops events.
  std::unique_ptr<EventRecorder> NewRecorder(ObjectKinds kinds,
                                             absl::string_view reporting_controller,
                                             const RecorderOptions& options = {});

  // Stops accepting events, and blocks until all waiting ones are written and handled, including
  // retries, and then the counts of all changed series. After `timeout`, cancels and drops the
  // rest, which is counted. Returns OK, or DEADLINE_EXCEEDED if events were dropped. Five seconds
  // is a good timeout.
  //
  // (client-go: `Shutdown`, which has no timeout, drops waiting events and leaves counts
  // unwritten.)
  absl::Status Shutdown(absl::Duration timeout);

  // Does the same with a limit given by `ctx`, for programs that may be told to hurry. Do not pass
  // the context that ends the program or a child of it: it is already done at the end, so that
  // nothing would be written.
  absl::Status Shutdown(const Context& ctx);

 private:
  using Hub = internal::EventHub<api::events::v1::Event>;

  const std::shared_ptr<EventSink> sink_;
  const BroadcasterOptions options_;
  const std::shared_ptr<Hub> hub_;
};

}  // namespace kube::events

#endif  // CONTROLLER_EVENTS_EVENT_BROADCASTER_H_
