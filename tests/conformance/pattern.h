#ifndef TESTS_CONFORMANCE_PATTERN_H_
#define TESTS_CONFORMANCE_PATTERN_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"

namespace kube::conformance {

// Compares JSON with a pattern, which is JSON too. An object must have the pattern's members, a
// list the same number of items, and everything else must be equal, except for these texts:
//
//   $any $absent $uid $time $rv    anything; not there; as such values look
//   $contains TEXT  $prefix TEXT   a text with TEXT in it, or at its beginning
//
// With `exactly` objects must not have other members, except managedFields. A pattern that has
// managedFields names all entries, in their order, and all members of each, even without `exactly`.
// Returns the differences, each with its path.
std::vector<std::string> Mismatches(const unstructured::Value& pattern,
                                    const unstructured::Value& actual, bool exactly);

// Does the same for a text.
bool MatchesText(absl::string_view pattern, absl::string_view actual);

}  // namespace kube::conformance

#endif  // TESTS_CONFORMANCE_PATTERN_H_
