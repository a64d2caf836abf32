#ifndef APIMACHINERY_CEL_INTERNAL_LIBRARY_SEMVER_H_
#define APIMACHINERY_CEL_INTERNAL_LIBRARY_SEMVER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::cel::internal {

// A semantic version. (Go: `semver.Version` of github.com/blang/semver)
struct Semver {
  // A part of "alpha.1".
  struct Part {
    std::string text;
    std::optional<uint64_t> number;
  };

  uint64_t major_number = 0;
  uint64_t minor_number = 0;
  uint64_t patch_number = 0;
  std::vector<Part> prerelease = {};
  std::vector<std::string> build = {};

  // Returns -1, 0 or 1; the build does not matter.
  int Compare(const Semver& other) const;
  std::string ToString() const;
};

// Parses "1.2.3-alpha.1+build". If `normalize` is true, a "v" in front and zeros in front of
// numbers are allowed, and minor and patch may be missing. Returns INVALID_ARGUMENT with upstream's
// words. Pure function: thread-safe. (Go: `semver.Parse`; k8s.io/apiserver: `normalizeAndParse`)
absl::StatusOr<Semver> ParseSemver(absl::string_view text, bool normalize);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_LIBRARY_SEMVER_H_
