#ifndef APIMACHINERY_DURATION_HUMAN_DURATION_H_
#define APIMACHINERY_DURATION_HUMAN_DURATION_H_

#include <string>

#include "absl/time/time.h"
#include "apimachinery/types/time.h"

// Spans of time as kubectl shows them. (pkg/util/duration, and the ages of pkg/api/meta/table)
//
//   HumanDuration(absl::Minutes(90))        "90m"
//   HumanDuration(absl::Hours(50))          "2d2h"
//   ShortHumanDuration(absl::Hours(50))     "2d"
//   Age(pod.metadata.creation_timestamp)    "5m12s"
//
// Clocks differ a little: up to two seconds below zero count as "0s", what is further below is
// "<invalid>". Thread-safe.
namespace kube::duration {

// With two or three digits that count: "119s", "2m", "9m59s", "179m", "7h59m", "7d23h", "2y".
std::string HumanDuration(absl::Duration duration);

// In one unit, cut off: "59s", "59m", "23h", "364d", "1y".
std::string ShortHumanDuration(absl::Duration duration);

// HumanDuration from `timestamp` to now, by the wall clock of the current Runtime. "<unknown>" of
// the zero time. (table.ConvertToHumanReadableDateType)
std::string Age(Time timestamp);
// The same, to another `now`.
std::string Age(Time timestamp, absl::Time now);

}  // namespace kube::duration

#endif  // APIMACHINERY_DURATION_HUMAN_DURATION_H_
