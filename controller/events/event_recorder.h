#ifndef CONTROLLER_EVENTS_EVENT_RECORDER_H_
#define CONTROLLER_EVENTS_EVENT_RECORDER_H_

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "controller/events/event_object.h"
#include "controller/events/event_types.h"

namespace kube::events {

// Records events that tell users what a program does with their objects.
// (client-go: `events.EventRecorder`)
//
//   recorder->Eventf(pod, node, kEventTypeNormal, "Scheduled", "Binding", "assigned %s to %s",
//                    pod.metadata.name.view(), node.metadata.name.view());
//
// Events are of kind Event in events.k8s.io/v1, in the namespace of their object, or in "default"
// for cluster-scoped objects.
//
// `related` is a second object involved in the event, or nullptr. `type` is kEventTypeNormal or
// kEventTypeWarning. `reason` says why and `action` says what was done; both are short, in
// UpperCamelCase and from a small set, because programs act on them. The note is for people and is
// formatted with absl::StrFormat; in a series of events that differ only in their notes, the first
// note is kept. A server rejects events whose action or reason is empty or longer than 128 bytes,
// or whose note is longer than 1 kB.
//
// No call blocks or fails: an event that cannot be made (unknown kind, invalid type) is logged, and
// an event for which the queue has no room is dropped. Thread-safe.
class EventRecorder {
 public:
  virtual ~EventRecorder() = default;

  template <typename... Args>
  void Eventf(const EventObject& regarding, const EventObject& related, absl::string_view type,
              absl::string_view reason, absl::string_view action,
              const absl::FormatSpec<Args...>& format, const Args&... args) {
    Record(regarding, related, type, reason, action, absl::StrFormat(format, args...));
  }

  // Does the same for an event with annotations. Those of the first event of a series are kept.
  // (client-go 0.37: `AnnotatedEventRecorder`)
  template <typename... Args>
  void AnnotatedEventf(const EventObject& regarding, const EventObject& related,
                       const Map<String>& annotations, absl::string_view type,
                       absl::string_view reason, absl::string_view action,
                       const absl::FormatSpec<Args...>& format, const Args&... args) {
    RecordAnnotated(regarding, related, annotations, type, reason, action,
                    absl::StrFormat(format, args...));
  }

  // Records an event with `note` as it is. Implementations of a recorder override this.
  virtual void Record(const EventObject& regarding, const EventObject& related,
                      absl::string_view type, absl::string_view reason, absl::string_view action,
                      absl::string_view note) = 0;

  // Does the same with annotations. A recorder that does not override it, such as FakeRecorder,
  // records the event without them.
  virtual void RecordAnnotated(const EventObject& regarding, const EventObject& related,
                               const Map<String>& /*annotations*/, absl::string_view type,
                               absl::string_view reason, absl::string_view action,
                               absl::string_view note) {
    Record(regarding, related, type, reason, action, note);
  }
};

}  // namespace kube::events

#endif  // CONTROLLER_EVENTS_EVENT_RECORDER_H_
