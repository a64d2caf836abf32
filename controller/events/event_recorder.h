#ifndef CONTROLLER_EVENTS_EVENT_RECORDER_H_
#define CONTROLLER_EVENTS_EVENT_RECORDER_H_

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "controller/events/event_object.h"
#include "controller/events/event_types.h"

namespace kube::events {

// Tells people what a program does with their objects. (events.EventRecorder)
//
//   recorder->Eventf(pod, node, kEventTypeNormal, "Scheduled", "Binding", "assigned %s to %s",
//                    name, node_name);
//
// An event is of the kind Event of events.k8s.io/v1, in the namespace of the object that it is
// about, or in "default" if that is in none.
//
// `related` is a second object that had a part in it; nullptr: there is none. `type` is
// kEventTypeNormal or kEventTypeWarning. `reason` says why, and `action` what was done; both are
// short, in UpperCamelCase, and one of few: programs act on them. The note is for people:
// absl::StrFormat makes it, and of a series of events that differ in their notes alone the first
// one's is kept. A server refuses events whose action or reason is empty or longer than 128 bytes,
// or whose note is longer than 1 kB.
//
// No call blocks, and none fails: an event that cannot be made (an unknown kind, a wrong type) is
// logged, one that there is no room for is dropped. Thread-safe.
class EventRecorder {
 public:
  virtual ~EventRecorder() = default;

  template <typename... Args>
  void Eventf(const EventObject& regarding, const EventObject& related, absl::string_view type,
              absl::string_view reason, absl::string_view action,
              const absl::FormatSpec<Args...>& format, const Args&... args) {
    Record(regarding, related, type, reason, action, absl::StrFormat(format, args...));
  }

  // The same with the note as it is; and what those implement who write a recorder.
  virtual void Record(const EventObject& regarding, const EventObject& related,
                      absl::string_view type, absl::string_view reason, absl::string_view action,
                      absl::string_view note) = 0;
};

}  // namespace kube::events

#endif  // CONTROLLER_EVENTS_EVENT_RECORDER_H_
