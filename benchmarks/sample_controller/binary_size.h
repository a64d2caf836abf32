#ifndef BENCHMARKS_SAMPLE_CONTROLLER_BINARY_SIZE_H_
#define BENCHMARKS_SAMPLE_CONTROLLER_BINARY_SIZE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace kube::benchmarks {

// The size of a program.
struct BinarySize {
  int64_t stripped_bytes = 0;
  // The shared libraries that the loader finds for it, by name, with the sizes of their files.
  std::vector<std::pair<std::string, int64_t>> libraries = {};
};

// Runs strip on a copy in `folder`, and ldd. Returns UNAVAILABLE if one of them fails.
absl::StatusOr<BinarySize> MeasureBinary(const std::string& program, const std::string& folder);

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_SAMPLE_CONTROLLER_BINARY_SIZE_H_
