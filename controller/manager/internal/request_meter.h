#ifndef CONTROLLER_MANAGER_INTERNAL_REQUEST_METER_H_
#define CONTROLLER_MANAGER_INTERNAL_REQUEST_METER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "controller/manager/internal/request_name.h"
#include "controller/manager/manager_status.h"
#include "net/httpclient/transport.h"

namespace kube::controller::internal {

// Counts the requests of the last minute, second by second, of each verb and resource. Thread-safe.
class RequestMeter {
 public:
  // Number of verbs with a resource that are told apart. All further ones are counted as the verb
  // "other" without a resource, so that the memory has a bound.
  static constexpr size_t kMostNames = 100;

  RequestMeter();
  RequestMeter(const RequestMeter&) = delete;
  RequestMeter& operator=(const RequestMeter&) = delete;

  void Count(const RequestName& name) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns how many requests there were in the last minute, per second; or since the meter was
  // made, if that is less than a minute ago.
  double PerSecond() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the same for each verb and resource that was ever requested, the busiest first.
  std::vector<RequestRateStatus> Rates() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  static constexpr int64_t kSeconds = 60;
  // The requests of one second; `second` tells it from those a minute before and after.
  struct Slot {
    int64_t second = -1;
    int64_t requests = 0;
  };
  struct Series {
    std::array<Slot, kSeconds> slots;
    int64_t requests = 0;  // since the meter was made
  };

  static void Add(Series& series, int64_t second);
  static int64_t LastMinute(const Series& series, int64_t second);
  double Rate(int64_t requests, base::MonotonicTime now) const;

  const base::MonotonicTime made_;
  mutable base::Mutex mutex_;
  Series all_ ABSL_GUARDED_BY(mutex_);
  std::map<RequestName, Series> by_name_ ABSL_GUARDED_BY(mutex_);
};

// Returns a transport that counts each request before it passes it on.
std::shared_ptr<httpclient::Transport> MakeMeteredTransport(
    std::shared_ptr<httpclient::Transport> below, std::shared_ptr<RequestMeter> meter);

}  // namespace kube::controller::internal

#endif  // CONTROLLER_MANAGER_INTERNAL_REQUEST_METER_H_
