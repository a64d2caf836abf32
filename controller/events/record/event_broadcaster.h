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

struct BroadcasterOptions {
  // (WithCorrelatorOptions)
  CorrelatorOptions correlator = {};
  // Between two tries to write an event; the first time a random part of it. Default: 10 s.
  absl::Duration sleep_duration = absl::Seconds(10);
  // How often one is tried. Default: 12.
  int max_tries = 12;
  // How many events wait for each watcher; what comes after is dropped. Default: 1000.
  size_t queue_length = 1000;
  // Counts what was dropped: event_recorder_dropped_events_total, with the label "reason" of
  // queue_full, spam, rejected, retries or shutdown. Not null. Default: nobody counts.
  std::shared_ptr<base::MetricsProvider> metrics = base::NoOpMetrics();
};

// Takes the events of its recorders to an API server, to the log, and to whoever watches: core/v1
// events, as all controllers have written them since the first. For the newer ones of
// events.k8s.io/v1 see events::EventBroadcaster; docs/events.md says which to take.
// (record.EventBroadcaster)
//
//   EventBroadcaster broadcaster;
//   KUBE_RETURN_IF_ERROR(broadcaster.StartStructuredLogging().status());
//   KUBE_RETURN_IF_ERROR(
//       broadcaster.StartRecordingToSink(NewEventSink(clientset.client())).status());
//   auto recorder = broadcaster.NewRecorder(events::KindsOf<corev1::PodClient>(),
//                                           {.component = "my-controller"});
//   recorder->Event(pod, kEventTypeNormal, "Restarted", "restarted by request");
//   …
//   absl::Status flushed = broadcaster.Shutdown(absl::Seconds(5));
//
// Each watcher has a thread and a queue of its own, and gets the events in the order in which they
// were recorded; those that came before it are gone. An event is lost if its queue is full, if the
// filter takes it for spam, if the server refuses it, after twelve tries in nearly two minutes,
// and at the end of the program: each loss is counted.
//
// Thread-safe, but for Shutdown and the destructor, which the owner calls. What its threads use
// outlives it.
class EventBroadcaster {
 public:
  using EventHandler = std::function<void(const std::shared_ptr<const api::core::v1::Event>&)>;

  explicit EventBroadcaster(BroadcasterOptions options = {});
  // Does not flush: what waits is dropped, requests are cancelled. Joins all threads.
  ~EventBroadcaster();
  EventBroadcaster(const EventBroadcaster&) = delete;
  EventBroadcaster& operator=(const EventBroadcaster&) = delete;

  // Writes events to `sink` from now on, by a thread of its own: combined, counted and filtered as
  // the options say, and one after the other: while the server cannot be reached, all wait. Answers
  // a number for StopWatching, which most have no use for. Errors: FAILED_PRECONDITION after
  // Shutdown, RESOURCE_EXHAUSTED if there is no thread.
  absl::StatusOr<int64_t> StartRecordingToSink(std::shared_ptr<EventSink> sink);

  // Logs events, each as it was recorded, if the verbosity is at least that. Errors as above.
  absl::StatusOr<int64_t> StartStructuredLogging(int verbosity = 0);

  // Calls `handler` with each event, on a thread of its own. It may block: only its own events
  // wait. It may call recorders, but neither StopWatching nor Shutdown, which wait for it, nor
  // destroy the broadcaster: that ends the program, with a message. Errors as above.
  absl::StatusOr<int64_t> StartEventWatcher(EventHandler handler);

  // Ends what one of those started, and blocks until its thread has ended; events that wait for it
  // are dropped and not counted. No effect if there is none. (Stop of what they return)
  void StopWatching(int64_t id);

  // A recorder of events from `source`, which has a component and perhaps a host, about objects of
  // `kinds`. It may outlive the broadcaster: then it drops what it gets.
  std::unique_ptr<EventRecorder> NewRecorder(events::ObjectKinds kinds,
                                             api::core::v1::EventSource source);

  // Takes no more events, and blocks until all that wait are written and handled, tries and pauses
  // included; or until `timeout` is over: then cancels, and drops and counts what is left. Returns
  // OK, or DEADLINE_EXCEEDED if events were given up. Five seconds are a good time.
  //
  // client-go's has no time limit: it drops what waits, sometimes.
  absl::Status Shutdown(absl::Duration timeout);

  // The same until `ctx` is done, for programs that may be told to hurry meanwhile. Do not pass
  // the context that ends the program, or one made of it: at the end it is done already, and then
  // nothing is written.
  absl::Status Shutdown(const Context& ctx);

 private:
  using Hub = events::internal::EventHub<api::core::v1::Event>;

  const BroadcasterOptions options_;
  const std::shared_ptr<Hub> hub_;
};

}  // namespace kube::record

#endif  // CONTROLLER_EVENTS_RECORD_EVENT_BROADCASTER_H_
