#ifndef CONTROLLER_TESTING_INTERNAL_REQUEST_COUNT_H_
#define CONTROLLER_TESTING_INTERNAL_REQUEST_COUNT_H_

#include <cstddef>
#include <deque>

#include "absl/time/time.h"

namespace kube::controller::internal {

// Counts requests in a window of time that ends with the latest one. Thread-compatible.
class RequestCount {
 public:
  // Counts a request at this time, and returns the number of requests in the window that ends with
  // it, itself included. If the clock was set back, requests with later times are forgotten.
  size_t Add(absl::Time time, absl::Duration window);

 private:
  std::deque<absl::Time> times_;
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_TESTING_INTERNAL_REQUEST_COUNT_H_
