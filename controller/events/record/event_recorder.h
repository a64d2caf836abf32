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

// Tells people what a program does with their objects: `kubectl describe` shows these events.
// (record.EventRecorder)
//
//   recorder->Eventf(pod, kEventTypeWarning, "FailedMount", "volume %q: %s", name, cause);
//
// An event is of the kind Event of v1, in the namespace of the object, or in "default" if that is
// in none.
//
// `type` is kEventTypeNormal or kEventTypeWarning. `reason` is short, in UpperCamelCase, and one of
// few: programs act on it. `message` is for people; best without what differs each time, such as
// times and attempts, for events with the same text are counted as one.
//
// No call blocks, and none fails: an event that cannot be made (an unknown kind, a wrong type) is
// logged, one that there is no room for is dropped. Thread-safe.
class EventRecorder {
 public:
  virtual ~EventRecorder() = default;

  void Event(const events::EventObject& object, absl::string_view type, absl::string_view reason,
             absl::string_view message) {
    Record(object, {}, type, reason, message);
  }

  // The message is absl::StrFormat's.
  template <typename... Args>
  void Eventf(const events::EventObject& object, absl::string_view type, absl::string_view reason,
              const absl::FormatSpec<Args...>& format, const Args&... args) {
    Record(object, {}, type, reason, absl::StrFormat(format, args...));
  }

  // The same, of an event with annotations.
  template <typename... Args>
  void AnnotatedEventf(const events::EventObject& object, const Map<String>& annotations,
                       absl::string_view type, absl::string_view reason,
                       const absl::FormatSpec<Args...>& format, const Args&... args) {
    Record(object, annotations, type, reason, absl::StrFormat(format, args...));
  }

  // What the others are made of: for those who implement a recorder.
  virtual void Record(const events::EventObject& object, const Map<String>& annotations,
                      absl::string_view type, absl::string_view reason,
                      absl::string_view message) = 0;
};

}  // namespace kube::record

#endif  // CONTROLLER_EVENTS_RECORD_EVENT_RECORDER_H_
