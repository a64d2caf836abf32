#ifndef TESTS_STREAMING_PATTERN_H_
#define TESTS_STREAMING_PATTERN_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::streaming {

// Returns bytes that look random, the same for the same seed: those that the commands and services
// of the node (node.h) write for this seed.
std::string Pattern(size_t bytes, uint64_t seed);

// Returns the SHA-256 of bytes, in hexadecimal.
std::string Sha256(absl::string_view bytes);

}  // namespace kube::streaming

#endif  // TESTS_STREAMING_PATTERN_H_
