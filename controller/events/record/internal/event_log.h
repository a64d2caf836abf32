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

// Counts equal events. Thread-compatible. (record.eventLogger)
class EventLog {
 public:
  explicit EventLog(size_t max_entries) : seen_(max_entries) {}

  // Makes `event` the next of those under `key`, if there was one: gives it the name, first time
  // and count. The patch that makes the stored event the same; empty for the first one.
  // (eventObserve)
  absl::StatusOr<std::string> Observe(api::core::v1::Event& event, absl::string_view key);

  // What the server has made of it. (updateState)
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
