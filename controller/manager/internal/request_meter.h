#ifndef CONTROLLER_MANAGER_INTERNAL_REQUEST_METER_H_
#define CONTROLLER_MANAGER_INTERNAL_REQUEST_METER_H_

#include <array>
#include <cstdint>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "net/httpclient/transport.h"

namespace kube::controller::internal {

// Counts the requests of the last minute, second by second. Thread-safe.
class RequestMeter {
 public:
  RequestMeter();
  RequestMeter(const RequestMeter&) = delete;
  RequestMeter& operator=(const RequestMeter&) = delete;

  void Count() ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns how many requests there were in the last minute, per second; or since the meter was
  // made, if that is less than a minute ago.
  double PerSecond() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  static constexpr int64_t kSeconds = 60;
  // The requests of one second; `second` tells it from those a minute before and after.
  struct Slot {
    int64_t second = -1;
    int64_t requests = 0;
  };

  const base::MonotonicTime made_;
  mutable base::Mutex mutex_;
  std::array<Slot, kSeconds> slots_ ABSL_GUARDED_BY(mutex_);
};

// Returns a transport that counts each request before it passes it on.
std::shared_ptr<httpclient::Transport> MakeMeteredTransport(
    std::shared_ptr<httpclient::Transport> below, std::shared_ptr<RequestMeter> meter);

}  // namespace kube::controller::internal

#endif  // CONTROLLER_MANAGER_INTERNAL_REQUEST_METER_H_
