#include "controller/reconcile/internal/parking.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/monotonic_time.h"

namespace kube::controller::internal {

WritesProgress ProgressOf(const std::vector<OwnWrite>& writes) {
  WritesProgress progress;
  for (const OwnWrite& write : writes) {
    if (!write.seen()) {
      progress.unseen.push_back(write);
    } else if (!progress.missed.has_value() && write.relisted()) {
      progress.missed = write.cause;
    }
  }
  return progress;
}

void Parking::Park(absl::string_view key, std::vector<OwnWrite> writes,
                   base::MonotonicTime deadline, int16_t priority) {
  for (const OwnWrite& write : writes) stores_[write.store].keys.insert(std::string(key));
  const bool is_new =
      keys_
          .emplace(std::string(key),
                   Entry{.writes = std::make_shared<const std::vector<OwnWrite>>(std::move(writes)),
                         .deadline = deadline,
                         .held = std::nullopt,
                         .priority = priority})
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
  Released released = {.held = it->second.held,
                       .priority = it->second.priority,
                       .writes = std::move(it->second.writes)};
  for (const OwnWrite& write : *released.writes) {
    const auto store = stores_.find(write.store);
    if (store == stores_.end()) continue;  // named by an earlier write, too
    store->second.keys.erase(it->first);
    if (store->second.keys.empty()) stores_.erase(store);
  }
  keys_.erase(it);
  return released;
}

bool Parking::NoteAdvanced(StoreId store) {
  const auto it = stores_.find(store);
  if (it == stores_.end()) return false;
  it->second.advanced = true;
  return true;
}

std::vector<Parking::Parked> Parking::Take(base::MonotonicTime now) {
  std::set<std::string> due;
  for (auto& [store, waiting] : stores_) {
    if (std::exchange(waiting.advanced, false))
      due.insert(waiting.keys.begin(), waiting.keys.end());
  }
  std::vector<Parked> taken;
  for (auto& [key, entry] : keys_) {
    const bool is_new = std::exchange(entry.is_new, false);
    if (!is_new && entry.deadline > now && !due.contains(key)) continue;
    taken.push_back({.key = key, .writes = entry.writes, .deadline = entry.deadline});
  }
  return taken;
}

base::MonotonicTime Parking::NextDeadline() const {
  base::MonotonicTime next = base::MonotonicTime::Infinite();
  for (const auto& [key, entry] : keys_) next = std::min(next, entry.deadline);
  return next;
}

}  // namespace kube::controller::internal
