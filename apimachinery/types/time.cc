#include "apimachinery/types/time.h"

#include <limits>
#include <ostream>

namespace kube {

Time Time::FromAbslTime(absl::Time time) {
  constexpr int64_t kLast = std::numeric_limits<int64_t>::max() - internal::kUnixEpochSeconds;
  const int64_t seconds = absl::ToUnixSeconds(time);  // towards the past, within int64_t
  return FromUnixSeconds(seconds < kLast ? seconds : kLast);
}

absl::Time Time::ToAbslTime() const {
  return absl::UnixEpoch() + absl::Seconds(rep_.seconds) -
         absl::Seconds(internal::kUnixEpochSeconds);
}

std::string Time::ToString() const {
  char buffer[internal::kMaxRfc3339Size];
  return std::string(buffer, internal::WriteRfc3339(rep_.seconds, buffer));
}

std::ostream& operator<<(std::ostream& out, Time time) { return out << time.ToString(); }

}  // namespace kube
