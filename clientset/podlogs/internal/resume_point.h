#ifndef CLIENTSET_PODLOGS_INTERNAL_RESUME_POINT_H_
#define CLIENTSET_PODLOGS_INTERNAL_RESUME_POINT_H_

#include <cstddef>
#include <optional>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::podlogs::internal {

// A line of a log that was requested with timestamps.
struct StampedLine {
  absl::Time time;
  // The line without its timestamp.
  absl::string_view text = {};
};

// Returns nullopt if the line does not begin with a timestamp and a blank.
std::optional<StampedLine> ParseStamp(absl::string_view line);

// Where a log can be read again after its stream has broken. A server sends lines from a time on,
// in whole seconds, so some of them come a second time: those before the last line's timestamp, and
// as many with the same timestamp as were seen. Thread-compatible.
//
// Timestamps of a log grow, but for lines of stdout and stderr that are written at the same moment.
// So only what the server repeats is compared: once the last line was seen again, with those that
// came after it in spite of an earlier timestamp, or once a later one is seen, all lines are new.
class ResumePoint {
 public:
  // Returns whether a line is new. Call it for all lines, in their order.
  bool IsNew(absl::Time time);

  // Says that the log will be read again, from since() on.
  void Resume();

  // The latest timestamp; nullopt before the first line.
  std::optional<absl::Time> since() const { return last_; }

 private:
  // Returns whether a line was seen before.
  bool IsRepeated(absl::Time time);

  std::optional<absl::Time> last_;
  size_t seen_ = 0;  // lines with that timestamp
  size_t late_ = 0;  // lines after them, with an earlier timestamp of the same second
  // The lines of `seen_` and of `late_` that have come a second time.
  size_t repeated_ = 0;
  size_t repeated_late_ = 0;
  bool resuming_ = false;
};

}  // namespace kube::podlogs::internal

#endif  // CLIENTSET_PODLOGS_INTERNAL_RESUME_POINT_H_
