#ifndef TESTS_CONFORMANCE_RELEASES_H_
#define TESTS_CONFORMANCE_RELEASES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::conformance {

// A row of tests/real_server/releases.txt: something that servers of some releases do.
struct ReleaseRow {
  // The first and the last minor version: 36 is 1.36.
  int since = 0;
  int until = 1000;
  // "behaviour", "variant" or "test".
  std::string kind = {};
  std::string name = {};
  std::string reason = {};

  // Returns whether servers of the minor version do it.
  bool Covers(int minor) const { return since <= minor && minor <= until; }
};

// Parses the table; its first lines describe the format. Returns INVALID_ARGUMENT with the line of
// an error.
absl::StatusOr<std::vector<ReleaseRow>> ParseReleases(absl::string_view text);

}  // namespace kube::conformance

#endif  // TESTS_CONFORMANCE_RELEASES_H_
