#include "controller/reconcile/internal/late_writes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/base/monotonic_time.h"
#include "controller/reconcile/internal/parking.h"

namespace kube::controller::internal {

void LateWrites::Note(absl::string_view key, std::vector<OwnWrite> writes, int16_t priority) {
  std::vector<OwnWrite> all;
  if (const std::optional<Parking::Released> earlier = Release(key); earlier.has_value()) {
    all = *earlier->writes;
    priority = std::max(priority, earlier->priority);
  }
  for (OwnWrite& write : writes) {
    write.keeps = nullptr;
    all.push_back(std::move(write));
  }
  if (all.size() > kMaxWrites) {
    const auto old = static_cast<std::ptrdiff_t>(all.size() - kMaxWrites);
    all.erase(all.begin(), all.begin() + old);
  }
  newer_.Park(key, std::move(all), base::MonotonicTime::Infinite(), priority);
  if (newer_.size() * 2 < limit_) return;
  older_ = std::move(newer_);
  newer_ = Parking();
}

std::optional<Parking::Released> LateWrites::Release(absl::string_view key) {
  std::optional<Parking::Released> released = newer_.Release(key);
  return released.has_value() ? std::move(released) : older_.Release(key);
}

bool LateWrites::NoteAdvanced(StoreId store) {
  const bool newer = newer_.NoteAdvanced(store);
  return older_.NoteAdvanced(store) || newer;
}

std::vector<Parking::Parked> LateWrites::Take() {
  std::vector<Parking::Parked> taken = older_.Take(base::MonotonicTime());
  for (Parking::Parked& parked : newer_.Take(base::MonotonicTime())) {
    taken.push_back(std::move(parked));
  }
  return taken;
}

}  // namespace kube::controller::internal
