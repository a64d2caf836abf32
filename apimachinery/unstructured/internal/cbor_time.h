#ifndef APIMACHINERY_UNSTRUCTURED_INTERNAL_CBOR_TIME_H_
#define APIMACHINERY_UNSTRUCTURED_INTERNAL_CBOR_TIME_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

// The texts that times of CBOR become. Pure functions: thread-safe.
namespace kube::unstructured::internal {

// Parses RFC 3339 as Go does, and returns the time in the offset that the text has, with up to nine
// digits of the fraction and without zeros at its end. Returns nullopt if `text` is not a time, or
// Go could not write it. (Go: `time.Parse`, `Time.MarshalText`)
std::optional<std::string> NormalRfc3339(absl::string_view text);

// Return the time that is so many seconds after 1970, in UTC, or nullopt if its year has not four
// digits.
std::optional<std::string> UnixToRfc3339(int64_t seconds);
std::optional<std::string> UnixToRfc3339(double seconds);

}  // namespace kube::unstructured::internal

#endif  // APIMACHINERY_UNSTRUCTURED_INTERNAL_CBOR_TIME_H_
