#ifndef APIMACHINERY_WATCH_EVENT_H_
#define APIMACHINERY_WATCH_EVENT_H_

#include <memory>
#include <optional>
#include <ostream>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/stream/watch_reader.h"

namespace kube::watch {

// What happened to an object. (watch.EventType)
enum class EventType {
  kAdded,     // it is new, to the watch at least
  kModified,  // this is its new state
  kDeleted,   // this was its last state
  kBookmark,  // nothing: of the object only the kind and metadata.resourceVersion count
  kError,     // the watch is broken; it ends after this
};

// "ADDED", "MODIFIED" ..., as on the wire.
absl::string_view ToString(EventType type);
// Nothing: another text.
std::optional<EventType> ParseEventType(absl::string_view text);
std::ostream& operator<<(std::ostream& out, EventType type);

// One event of a watch of objects of type T: an API struct, codec::AnyObject, or whatever else is
// watched. (watch.Event, whose Error has a Status as its object)
//
// A value; events share their objects, which nobody changes. Thread-compatible.
template <typename T>
struct Event {
  EventType type = EventType::kAdded;
  // Null with kError, otherwise never.
  std::shared_ptr<const T> object = {};
  // With kError what is wrong, for errors::IsResourceExpired and its siblings; otherwise OK.
  absl::Status error = {};

  friend bool operator==(const Event& a, const Event& b) {
    if (a.type != b.type || a.error != b.error) return false;
    return a.object == b.object || (a.object && b.object && *a.object == *b.object);
  }
};

namespace internal {

// INVALID_ARGUMENT for a type that there is not.
absl::StatusOr<EventType> EventTypeOfFrame(absl::string_view type);

// The error of what an ERROR carries: a Status, which may be null, or something of another kind.
absl::Status ErrorOfFrame(const api::meta::v1::Status* status, absl::string_view unexpected_kind);

}  // namespace internal

// The event of what the codec read from the wire. INVALID_ARGUMENT, as with client-go, for a type
// that this library does not know: the watch is to be ended, for what was said is lost.
template <typename T>
absl::StatusOr<Event<T>> EventOf(codec::WatchFrame<T, api::meta::v1::Status> frame) {
  absl::StatusOr<EventType> type = internal::EventTypeOfFrame(frame.type);
  if (!type.ok()) return type.status();
  if (*type == EventType::kError) {
    return Event<T>{.type = *type,
                    .error = internal::ErrorOfFrame(frame.status.get(), frame.unexpected_kind)};
  }
  return Event<T>{.type = *type, .object = std::move(frame.object)};
}

}  // namespace kube::watch

#endif  // APIMACHINERY_WATCH_EVENT_H_
