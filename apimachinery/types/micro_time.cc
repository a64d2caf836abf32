#include "apimachinery/types/micro_time.h"

#include <limits>
#include <ostream>

namespace kube {

MicroTime MicroTime::FromAbslTime(absl::Time time) {
  constexpr int64_t kLast = std::numeric_limits<int64_t>::max() - text::kUnixEpochSeconds;
  // Rounds down; saturates at the limits of int64_t.
  const int64_t seconds = absl::ToUnixSeconds(time);
  if (seconds >= kLast) return FromUnix(kLast, 999'999'999);
  const absl::Duration rest = time - absl::FromUnixSeconds(seconds);
  if (rest < absl::ZeroDuration()) return FromUnix(seconds, 0);  // the infinite past
  return FromUnix(seconds, static_cast<int32_t>(absl::ToInt64Nanoseconds(rest)));
}

absl::Time MicroTime::ToAbslTime() const {
  return absl::UnixEpoch() + absl::Seconds(rep_.seconds) - absl::Seconds(text::kUnixEpochSeconds) +
         absl::Microseconds(rep_.micros);
}

std::string MicroTime::ToString() const {
  char buffer[text::kMaxRfc3339Size];
  return std::string(buffer, text::WriteRfc3339Micro(rep_, buffer));
}

std::ostream& operator<<(std::ostream& out, const MicroTime& time) {
  return out << time.ToString();
}

}  // namespace kube
