#ifndef CONTROLLER_WORKQUEUE_QUEUE_STATUS_H_
#define CONTROLLER_WORKQUEUE_QUEUE_STATUS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"

namespace kube::workqueue {

// Number of keys that QueueStatus::oldest_keys has at most.
inline constexpr size_t kMostOldestKeys = 10;

// A key that can be taken now. A plain value.
struct ReadyKey {
  std::string key = {};
  // Time since the key was added, or became due. Nothing if the queue does not keep these times;
  // see QueueStatus::oldest_age.
  std::optional<absl::Duration> age = {};
};

// What a queue has at a moment, for status pages and logs; Queue::status returns it. Metrics have
// the same numbers without the name of a key, since label values must be few. (controller-runtime
// has nothing like it; its priority queue logs its length every ten seconds.)
//
// A plain value. `controller/workqueue/workers_monitor.h` tells which keys are being processed.
struct QueueStatus {
  // Number of keys that can be taken now, by priority, without priorities that have none. With
  // QueueOrder::kFifo all keys have the priority 0.
  std::map<int16_t, size_t> ready = {};
  // Number of keys that wait for their time.
  size_t delayed = 0;
  // Number of keys that workers have.
  size_t processing = 0;
  // Text of the key that became ready before all others that are ready, whatever their priorities.
  // Nothing if no key is ready.
  std::optional<std::string> oldest_key = {};
  // Time since that key was added, or became due. Nothing if no key is ready, and for a queue that
  // has neither metrics nor QueueOptions::ageing: such a queue does not keep these times.
  std::optional<absl::Duration> oldest_age = {};
  // The ready keys that became ready before all others, the oldest first: all of them, but at most
  // kMostOldestKeys.
  std::vector<ReadyKey> oldest_keys = {};
  // Time until the next delayed key is due. Nothing if no key is delayed.
  std::optional<absl::Duration> next_due_in = {};
  // Whether ShutDown or ShutDownWithDrain was called.
  bool shutting_down = false;
};

}  // namespace kube::workqueue

#endif  // CONTROLLER_WORKQUEUE_QUEUE_STATUS_H_
