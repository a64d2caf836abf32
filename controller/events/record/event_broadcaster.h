#ifndef CONTROLLER_EVENTS_RECORD_EVENT_BROADCASTER_H_
#define CONTROLLER_EVENTS_RECORD_EVENT_BROADCASTER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metrics.h"
#include "controller/events/event_object.h"
#include "controller/events/internal/event_hub.h"
#include "controller/events/record/correlator_options.h"
#include "controller/events/record/event_recorder.h"
#include "controller/events/record/event_sink.h"

namespace kube::record {

// Options of an EventBroadcaster.
struct BroadcasterOptions {
  // How events are combined, counted and filtered. (client-go: `WithCorrelatorOptions`)
  CorrelatorOptions correlator = {};
  // Pause between attempts to write an event; the first pause is a random part of it. Default: 10
  // s.
  absl::Duration sleep_duration = absl::Seconds(10);
  // Maximum number of attempts to write an event. Default: 12.
  int max_tries = 12;
  // Number of events that may wait for each watcher; further ones are dropped. Default: 1000.
  size_t queue_length = 1000;
  // Destination of event_recorder_dropped_events_total, whose label "reason" is queue_full, spam,
  // rejected, retries or shutdown. Never null. Default: no metrics.
  std::shared_ptr<base::MetricsProvider> metrics = base::NoOpMetrics();
};

// Delivers the events of its recorders to an API server, to the log and to watchers. The events are
// of core/v1, the original API. For events of events.k8s.io/v1 see events::EventBroadcaster;
// docs/events.md explains which to use. (client-go: `record.EventBroadcaster`)
//
//   EventBroadcaster broadcaster;
//   KUBE_RETURN_IF_ERROR(broadcaster.StartRecordingToSink(NewEventSink(clientset.client())));
//   const std::unique_ptr<EventRecorder> recorder =
//       broadcaster.NewRecorder(events::KindsOf<corev1::PodClient>(), {.component = "example"});
//   recorder->Event(pod, kEventTypeNormal, "Restarted", "by request");
//   return broadcaster.Shutdown(absl::Seconds(5));  // not WithTimeout(ctx, …): ctx is done
//
// Each watcher has its own thread and queue and receives events in the order in which they were
// recorded, from its start on. An event is lost if the queue is full, if the spam filter drops it,
// if the server rejects it, after `max_tries` failed attempts (nearly two minutes by default), and
// at the end of the program. Each loss is counted.
//
// Thread-safe, except for Shutdown and the destructor, which only the owner may call. Whatever
// handlers use must outlive the broadcaster.
class EventBroadcaster {
 public:
  using EventHandler = std::function<void(const std::shared_ptr<const api::core::v1::Event>&)>;

  explicit EventBroadcaster(BroadcasterOptions options = {});
  // Does not flush: drops waiting events, cancels requests and joins all threads.
  ~EventBroadcaster();
  EventBroadcaster(const EventBroadcaster&) = delete;
  EventBroadcaster& operator=(const EventBroadcaster&) = delete;

  // Starts writing events to `sink`, one after the other on a separate thread, combined, counted
  // and filtered as the options say; while the server is unreachable, all events wait. Returns an
  // id for StopWatching, which is rarely needed. Returns FAILED_PRECONDITION after Shutdown, or
  // RESOURCE_EXHAUSTED if the system cannot create a thread.
  absl::StatusOr<int64_t> StartRecordingToSink(std::shared_ptr<EventSink> sink);

  // Starts logging each event as it was recorded, at level `verbosity`. Errors as above.
  absl::StatusOr<int64_t> StartStructuredLogging(int verbosity = 0);

  // Starts calling `handler` with each event, on a separate thread. The handler may block; only its
  // own events wait. It may call recorders. It must not stop its own watcher, nor shut down or
  // destroy the broadcaster: they wait for the handler, so the program is terminated with a
  // message. Errors as above.
  absl::StatusOr<int64_t> StartEventWatcher(EventHandler handler);

  // Stops what one of the methods above started, and blocks until its thread has ended. Events that
  // wait for it are dropped and not counted. Has no effect if there is no such watcher.
  // (client-go: `Stop` of the returned watch)
  void StopWatching(int64_t id);

  // Returns a recorder for events from `source`, which names a component and optionally a host,
  // about objects of `kinds`. It may outlive the broadcaster; it then drops events.
  std::unique_ptr<EventRecorder> NewRecorder(events::ObjectKinds kinds,
                                             api::core::v1::EventSource source);

  // Stops accepting events, and blocks until all waiting ones are written and handled, including
  // retries. After `timeout`, cancels and drops the rest, which is counted. Returns OK, or
  // DEADLINE_EXCEEDED if events were dropped. Five seconds is a good timeout.
  //
  // (client-go: `Shutdown`, which has no timeout and may drop waiting events.)
  absl::Status Shutdown(absl::Duration timeout);

  // Does the same with a limit given by `ctx`, for programs that may be told to hurry. Do not pass
  // the context that ends the program or a child of it: it is already done at the end, so that
  // nothing would be written.
  absl::Status Shutdown(const Context& ctx);

 private:
  using Hub = events::internal::EventHub<api::core::v1::Event>;

  const BroadcasterOptions options_;
  const std::shared_ptr<Hub> hub_;
};

}  // namespace kube::record

#endif  // CONTROLLER_EVENTS_RECORD_EVENT_BROADCASTER_H_
