#ifndef APIMACHINERY_BASE_RANDOM_H_
#define APIMACHINERY_BASE_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::base {

// Random numbers from the calling thread's Runtime. In a simulation they come from its seed, so
// that a run can be replayed. Otherwise each number comes from the kernel, which takes about a
// microsecond; therefore a forked process does not repeat its parent's numbers. Not for
// cryptography. Thread-safe.

// Returns a uniformly distributed multiple of 2^-53 in [0, 1). Go: `rand.Float64`.
double UniformDouble();

// Returns an unbiased, uniformly distributed number in [min, max). `min` must be less than `max`.
// apimachinery: `rand.Int63nRange`.
int64_t UniformInt(int64_t min, int64_t max);

// Returns `duration` plus a uniformly distributed part of max_factor * duration, in whole
// nanoseconds. A factor of zero or less means 1. Use it to spread clients that would otherwise act
// at the same time. apimachinery: `wait.Jitter`.
absl::Duration Jitter(absl::Duration duration, double max_factor);

// Returns `length` random characters for a name: lower-case consonants and digits. Vowels and the
// digits 0, 1 and 3 are left out, so that no words arise. apimachinery: `rand.String`.
std::string RandomString(size_t length);

// Returns a random UUID of version 4 (RFC 9562), such as "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d".
// Go: `uuid.NewString` of github.com/google/uuid.
std::string RandomUuid();

// Maps each byte of `text`, for example of a hash in digits, to one of RandomString's characters.
// If `text` is ASCII, the result is the same as in Go. apimachinery: `rand.SafeEncodeString`.
std::string SafeEncodeString(absl::string_view text);

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_RANDOM_H_
