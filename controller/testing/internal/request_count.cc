#include "controller/testing/internal/request_count.h"

#include <cstddef>

#include "absl/time/time.h"

namespace kube::controller::internal {

size_t RequestCount::Add(absl::Time time, absl::Duration window) {
  const auto is_outside = [&](absl::Time other) { return other > time || time - other >= window; };
  while (!times_.empty() && is_outside(times_.front())) times_.pop_front();
  times_.push_back(time);
  return times_.size();
}

}  // namespace kube::controller::internal
