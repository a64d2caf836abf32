#include "clientset/podlogs/internal/resume_point.h"

#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::podlogs::internal {

std::optional<StampedLine> ParseStamp(absl::string_view line) {
  const size_t blank = line.find(' ');
  if (blank == absl::string_view::npos) return std::nullopt;
  absl::Time time;
  std::string error;
  if (!absl::ParseTime(absl::RFC3339_full, line.substr(0, blank), &time, &error)) {
    return std::nullopt;
  }
  // Abseil's words for them are not timestamps.
  if (time == absl::InfiniteFuture() || time == absl::InfinitePast()) return std::nullopt;
  return StampedLine{.time = time, .text = line.substr(blank + 1)};
}

bool ResumePoint::IsRepeated(absl::Time time) {
  if (!resuming_) return false;
  if (time < *last_) {
    if (repeated_ < seen_) return true;  // before the last line
    if (repeated_late_ < late_) {
      ++repeated_late_;
      return true;
    }
  } else if (time == *last_ && repeated_ < seen_) {
    ++repeated_;
    return true;
  }
  resuming_ = false;
  return false;
}

bool ResumePoint::IsNew(absl::Time time) {
  if (IsRepeated(time)) return false;
  if (!last_.has_value() || time > *last_) {
    last_ = time;
    seen_ = 0;
  }
  if (time == *last_) {
    ++seen_;
    late_ = 0;
  } else if (time >= absl::FromUnixSeconds(absl::ToUnixSeconds(*last_))) {
    ++late_;  // others will not be repeated
  }
  return true;
}

void ResumePoint::Resume() {
  resuming_ = last_.has_value();
  repeated_ = 0;
  repeated_late_ = 0;
}

}  // namespace kube::podlogs::internal
