#include "apimachinery/types/time.h"

#include <limits>
#include <ostream>

namespace kube {

Time Time::FromAbslTime(absl::Time time) {
  constexpr int64_t kLast = std::numeric_limits<int64_t>::max() - text::kUnixEpochSeconds;
  // Rounds down; saturates at the limits of int64_t.
  const int64_t seconds = absl::ToUnixSeconds(time);
  return FromUnixSeconds(seconds < kLast ? seconds : kLast);
}

absl::Time Time::ToAbslTime() const {
  return absl::UnixEpoch() + absl::Seconds(rep_.seconds) - absl::Seconds(text::kUnixEpochSeconds);
}

std::string Time::ToString() const {
  char buffer[text::kMaxRfc3339Size];
  return std::string(buffer, text::WriteRfc3339(rep_.seconds, buffer));
}

std::ostream& operator<<(std::ostream& out, Time time) { return out << time.ToString(); }

}  // namespace kube
