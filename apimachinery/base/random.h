#ifndef APIMACHINERY_BASE_RANDOM_H_
#define APIMACHINERY_BASE_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::base {

// Random numbers of the calling thread's Runtime: in a simulation they come from its seed, so that
// a run replays; elsewhere each comes from the kernel, which takes about a microsecond, and a
// forked process has numbers of its own. Not for cryptography. Thread-safe.

// Uniform in [0, 1): a multiple of 2^-53. Go: rand.Float64.
double UniformDouble();

// Uniform, without bias, in [min, max); `min` is less than `max`. Go: rand.Int63nRange of
// k8s.io/apimachinery.
int64_t UniformInt(int64_t min, int64_t max);

// Uniform between `duration` and duration + max_factor * duration; a factor of zero or less
// means 1. In whole nanoseconds. Spreads clients that would otherwise act all at once. Go:
// wait.Jitter.
absl::Duration Jitter(absl::Duration duration, double max_factor);

// `length` random characters for a name: lower-case consonants and digits, none of them easily
// confused and no word among them. Go: rand.String of k8s.io/apimachinery.
std::string RandomString(size_t length);

// A random UUID, as "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d": version 4 of RFC 9562. Go:
// uuid.NewString of github.com/google/uuid.
std::string RandomUuid();

// `text`, a hash in digits for example, spelled with RandomString's characters: the same text gives
// the same name, here and in Go, if it is ASCII. Go: rand.SafeEncodeString.
std::string SafeEncodeString(absl::string_view text);

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_RANDOM_H_
