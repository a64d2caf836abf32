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

// What happened to an object. (client-go: `watch.EventType`)
enum class EventType {
  kAdded,     // the object is new to the watch
  kModified,  // the object has this new state
  kDeleted,   // this was the object's last state
  kBookmark,  // only kind and metadata.resourceVersion are set
  kError,     // the watch has failed and ends
};

// Returns the name on the wire: "ADDED", "MODIFIED", "DELETED", "BOOKMARK" or "ERROR".
absl::string_view ToString(EventType type);
// Returns nullopt if `text` is not the name of a type.
std::optional<EventType> ParseEventType(absl::string_view text);
std::ostream& operator<<(std::ostream& out, EventType type);

// One event of a watch of objects of type T: an API struct, codec::AnyObject, or another type.
// (client-go: `watch.Event`; in an Error event its object is a Status)
//
// A value; copies share the object, which is immutable. Thread-compatible.
template <typename T>
struct Event {
  EventType type = EventType::kAdded;
  // The object; null only if `type` is kError.
  std::shared_ptr<const T> object = {};
  // The reason if `type` is kError, for errors::IsResourceExpired and the like; otherwise OK.
  absl::Status error = {};

  friend bool operator==(const Event& a, const Event& b) {
    if (a.type != b.type || a.error != b.error) return false;
    return a.object == b.object || (a.object && b.object && *a.object == *b.object);
  }
};

namespace internal {

// Returns INVALID_ARGUMENT if `type` is not the name of an EventType.
absl::StatusOr<EventType> EventTypeOfFrame(absl::string_view type);

// Returns the error that an ERROR event carries. `status` is its Status; null counts as an empty
// one. `unexpected_kind` is the kind of its object if that is not a Status, otherwise empty.
absl::Status ErrorOfFrame(const api::meta::v1::Status* status, absl::string_view unexpected_kind);

}  // namespace internal

// Converts a frame that the codec read from the wire into an event. Returns INVALID_ARGUMENT for an
// unknown type, as client-go does; the caller must then end the watch, because the event is lost.
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
