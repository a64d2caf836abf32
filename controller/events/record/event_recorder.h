#ifndef CONTROLLER_EVENTS_RECORD_EVENT_RECORDER_H_
#define CONTROLLER_EVENTS_RECORD_EVENT_RECORDER_H_

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "controller/events/event_object.h"
#include "controller/events/event_types.h"

namespace kube::record {

using events::kEventTypeNormal;
using events::kEventTypeWarning;

// Records events that tell users what a program does with their objects; `kubectl describe` shows
// them. (client-go: `record.EventRecorder`)
//
//   recorder->Eventf(pod, kEventTypeWarning, "FailedMount", "volume %s: %s", volume, cause);
//
// Events are of kind Event in core/v1, in the namespace of their object, or in "default" for
// cluster-scoped objects.
//
// `type` is kEventTypeNormal or kEventTypeWarning. `reason` is short, in UpperCamelCase and from a
// small set, because programs act on it. `message` is for people; leave out what differs each time,
// such as times and attempts, because events with equal messages are counted as one.
//
// No call blocks or fails: an event that cannot be made (unknown kind, invalid type) is logged, and
// an event for which the queue has no room is dropped. Thread-safe.
class EventRecorder {
 public:
  virtual ~EventRecorder() = default;

  // Records an event.
  void Event(const events::EventObject& object, absl::string_view type, absl::string_view reason,
             absl::string_view message) {
    Record(object, {}, type, reason, message);
  }

  // Records an event whose message is formatted with absl::StrFormat.
  template <typename... Args>
  void Eventf(const events::EventObject& object, absl::string_view type, absl::string_view reason,
              const absl::FormatSpec<Args...>& format, const Args&... args) {
    Record(object, {}, type, reason, absl::StrFormat(format, args...));
  }

  // Does the same for an event with annotations.
  template <typename... Args>
  void AnnotatedEventf(const events::EventObject& object, const Map<String>& annotations,
                       absl::string_view type, absl::string_view reason,
                       const absl::FormatSpec<Args...>& format, const Args&... args) {
    Record(object, annotations, type, reason, absl::StrFormat(format, args...));
  }

  // Implementations of a recorder override this; all other methods call it.
  virtual void Record(const events::EventObject& object, const Map<String>& annotations,
                      absl::string_view type, absl::string_view reason,
                      absl::string_view message) = 0;
};

}  // namespace kube::record

#endif  // CONTROLLER_EVENTS_RECORD_EVENT_RECORDER_H_
