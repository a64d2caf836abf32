#include "controller/reconcile/internal/parking.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/monotonic_time.h"

namespace kube::controller::internal {

void Parking::Park(absl::string_view key, std::vector<OwnWrite> writes,
                   base::MonotonicTime deadline) {
  const bool is_new =
      keys_
          .emplace(std::string(key),
                   Entry{.writes = std::make_shared<const std::vector<OwnWrite>>(std::move(writes)),
                         .deadline = deadline,
                         .held = std::nullopt})
          .second;
  KUBE_CHECK(is_new) << "key parked twice";
}

bool Parking::Hold(absl::string_view key, int16_t priority) {
  const auto it = keys_.find(std::string(key));
  if (it == keys_.end()) return false;
  std::optional<int16_t>& held = it->second.held;
  held = held.has_value() ? std::max(*held, priority) : priority;
  return true;
}

std::optional<Parking::Released> Parking::Release(absl::string_view key) {
  const auto it = keys_.find(std::string(key));
  if (it == keys_.end()) return std::nullopt;
  Released released = {.held = it->second.held, .writes = std::move(it->second.writes)};
  keys_.erase(it);
  return released;
}

std::vector<Parking::Parked> Parking::All() const {
  std::vector<Parked> all;
  all.reserve(keys_.size());
  for (const auto& [key, entry] : keys_) {
    all.push_back({.key = key, .writes = entry.writes, .deadline = entry.deadline});
  }
  return all;
}

base::MonotonicTime Parking::NextDeadline() const {
  base::MonotonicTime next = base::MonotonicTime::Infinite();
  for (const auto& [key, entry] : keys_) next = std::min(next, entry.deadline);
  return next;
}

}  // namespace kube::controller::internal
