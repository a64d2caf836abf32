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

struct BroadcasterOptions {
  // Between two tries to write an event, and up to a quarter more. Default: 10 s.
  absl::Duration sleep_duration = absl::Seconds(10);
  // How often one is tried. Default: 12.
  int max_tries = 12;
  // How many events wait for each watcher; what comes after is dropped. Default: 1000.
  size_t queue_length = 1000;
  // How many different events are remembered. Of one that is forgotten for others the count is
  // written; should it come again, it is a new event. At least 1. client-go's has no bound.
  size_t max_series = 4096;
  // How often it looks for series that are over: those that were quiet for that long. Their last
  // count is written then. Default: 6 minutes.
  absl::Duration finish_time = absl::Minutes(6);
  // How often the counts of all series are written, also of those that did not change, for servers
  // forget events after an hour. Default: 30 minutes.
  absl::Duration refresh_time = absl::Minutes(30);
  // Counts what was dropped: event_recorder_dropped_events_total, with the label "reason" of
  // queue_full, rejected, retries or shutdown. Not null. Default: nobody counts.
  std::shared_ptr<base::MetricsProvider> metrics = base::NoOpMetrics();
};

struct RecorderOptions {
  // Which of several such programs this is: its pod's name is a good one. Default, when empty: the
  // controller's name, "-" and the name of the host.
  std::string reporting_instance = {};
};

// Takes the events of its recorders to an API server, to the log, and to whoever watches: events of
// events.k8s.io/v1. For those of core/v1 see record::EventBroadcaster; docs/events.md says which to
// take. (events.EventBroadcaster)
//
//   EventBroadcaster broadcaster(NewEventSink(clientset.client()));
//   KUBE_RETURN_IF_ERROR(broadcaster.StartRecordingToSink().status());
//   auto recorder = broadcaster.NewRecorder(KindsOf<corev1::PodClient>(),
//                                           "example.com/my-controller");
//   recorder->Eventf(pod, nullptr, kEventTypeNormal, "Requested", "Restart", "by %s", user);
//   …
//   absl::Status flushed = broadcaster.Shutdown(absl::Seconds(5));
//
// An event that is equal to one of the last minutes but for its note begins a series: it is not
// written anew, but counted, and the count written at once the first time, then every half an hour,
// and when the series is over.
//
// Each watcher has a thread and a queue of its own, and gets the events in the order in which they
// were recorded; those that came before it are gone. An event is lost if its queue is full, if the
// server refuses it, after twelve tries in about two minutes, and at the end of the program: each
// loss is counted.
//
// Thread-safe, but for Shutdown and the destructor, which the owner calls.
class EventBroadcaster {
 public:
  using EventHandler = std::function<void(const std::shared_ptr<const api::events::v1::Event>&)>;

  // `sink` may be null if StartRecordingToSink is never called. (NewBroadcaster)
  explicit EventBroadcaster(std::shared_ptr<EventSink> sink, BroadcasterOptions options = {});
  // Does not flush: what waits is dropped, requests are cancelled. Joins all threads.
  ~EventBroadcaster();
  EventBroadcaster(const EventBroadcaster&) = delete;
  EventBroadcaster& operator=(const EventBroadcaster&) = delete;

  // Writes events to the sink from now on, by a thread of its own, one after the other: while the
  // server cannot be reached, all wait. Once; a second time would write all twice. Answers a number
  // for StopWatching, which most have no use for. Errors: FAILED_PRECONDITION after Shutdown,
  // RESOURCE_EXHAUSTED if there is no thread. (StartRecordingToSinkWithContext)
  absl::StatusOr<int64_t> StartRecordingToSink();

  // Logs events, each as it was recorded, if the verbosity is at least that. Errors as above.
  absl::StatusOr<int64_t> StartStructuredLogging(int verbosity = 0);

  // Calls `handler` with each event, on a thread of its own. It may block: only its own events
  // wait. It may call recorders, but neither StopWatching nor Shutdown, which wait for it, nor
  // destroy the broadcaster: that ends the program, with a message. Errors as above.
  absl::StatusOr<int64_t> StartEventWatcher(EventHandler handler);

  // Ends what one of those started, and blocks until its thread has ended; events that wait for it
  // are dropped and not counted. No effect if there is none.
  void StopWatching(int64_t id);

  // A recorder for `reporting_controller`, as "example.com/my-controller", about objects of
  // `kinds`. It may outlive the broadcaster: then it drops what it gets.
  std::unique_ptr<EventRecorder> NewRecorder(ObjectKinds kinds,
                                             absl::string_view reporting_controller,
                                             const RecorderOptions& options = {});

  // Takes no more events, and blocks until all that wait are written and handled, tries and pauses
  // included, and then the counts of all series that have changed; or until `timeout` is over:
  // then cancels, and drops and counts what is left. Returns OK, or DEADLINE_EXCEEDED if events
  // were given up. Five seconds are a good time.
  //
  // client-go's has no time limit, drops what waits, and leaves counts unwritten.
  absl::Status Shutdown(absl::Duration timeout);

  // The same until `ctx` is done, for programs that may be told to hurry meanwhile. Do not pass
  // the context that ends the program, or one made of it: at the end it is done already, and then
  // nothing is written.
  absl::Status Shutdown(const Context& ctx);

 private:
  using Hub = internal::EventHub<api::events::v1::Event>;

  const std::shared_ptr<EventSink> sink_;
  const BroadcasterOptions options_;
  const std::shared_ptr<Hub> hub_;
};

}  // namespace kube::events

#endif  // CONTROLLER_EVENTS_EVENT_BROADCASTER_H_
