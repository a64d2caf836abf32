#ifndef APIMACHINERY_DURATION_HUMAN_DURATION_H_
#define APIMACHINERY_DURATION_HUMAN_DURATION_H_

#include <string>

#include "absl/time/time.h"
#include "apimachinery/types/time.h"

// Formats spans of time as kubectl does. (client-go: `pkg/util/duration`, and the ages of
// `pkg/api/meta/table`)
//
//   HumanDuration(absl::Minutes(90))        "90m"
//   HumanDuration(absl::Hours(50))          "2d2h"
//   ShortHumanDuration(absl::Hours(50))     "2d"
//   Age(pod.metadata.creation_timestamp)    "5m12s"
//
// Since clocks differ a little, a span of less than two seconds below zero is "0s"; a smaller one
// is "<invalid>". Thread-safe.
namespace kube::duration {

// Formats with two or three significant digits: "119s", "2m", "9m59s", "179m", "7h59m", "7d23h",
// "2y". (client-go: `duration.HumanDuration`)
std::string HumanDuration(absl::Duration duration);

// Formats in a single unit, rounded down: "59s", "59m", "23h", "364d", "1y".
// (client-go: `duration.ShortHumanDuration`)
std::string ShortHumanDuration(absl::Duration duration);

// Returns HumanDuration of the time since `timestamp`, by the wall clock of the current Runtime;
// "<unknown>" for the zero time. (client-go: `table.ConvertToHumanReadableDateType`)
std::string Age(Time timestamp);
// As above, but with `now` as the current time.
std::string Age(Time timestamp, absl::Time now);

}  // namespace kube::duration

#endif  // APIMACHINERY_DURATION_HUMAN_DURATION_H_
