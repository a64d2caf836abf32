#ifndef CONTROLLER_EVENTS_RECORD_INTERNAL_EVENT_LOG_H_
#define CONTROLLER_EVENTS_RECORD_INTERNAL_EVENT_LOG_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/time.h"
#include "controller/events/internal/lru_cache.h"

namespace kube::record::internal {

// Counts equal events. Thread-compatible. (client-go: `record.eventLogger`)
class EventLog {
 public:
  explicit EventLog(size_t max_entries) : seen_(max_entries) {}

  // If an event with `key` was seen before, gives `event` its name, its first timestamp and the
  // next count, and returns the patch that updates the stored event. Returns "" for the first
  // event. (client-go: `eventObserve`)
  absl::StatusOr<std::string> Observe(api::core::v1::Event& event, absl::string_view key);

  // Records the event that the server has returned. (client-go: `updateState`)
  void UpdateState(const api::core::v1::Event& stored);

 private:
  struct Seen {
    int32_t count = 0;
    Time first_timestamp = {};
    String name = {};
    String resource_version = {};
  };
  static Seen SeenOf(const api::core::v1::Event& event);

  events::internal::LruCache<Seen> seen_;
};

}  // namespace kube::record::internal

#endif  // CONTROLLER_EVENTS_RECORD_INTERNAL_EVENT_LOG_H_
