#ifndef TESTS_CONFORMANCE_PATTERN_H_
#define TESTS_CONFORMANCE_PATTERN_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"

namespace kube::conformance {

// What JSON must be like. A pattern is JSON itself: objects must have its members, lists as many
// items, and all else is as it says, but for these texts:
//
//   $any $absent $uid $time $rv    anything; not there; as such values look
//   $contains TEXT  $prefix TEXT   a text with TEXT in it, or at its beginning
//
// `exactly`: objects have no other members, but managedFields. Returns what is wrong, each with its
// place.
std::vector<std::string> Mismatches(const unstructured::Value& pattern,
                                    const unstructured::Value& actual, bool exactly);

// The same for a text.
bool MatchesText(absl::string_view pattern, absl::string_view actual);

}  // namespace kube::conformance

#endif  // TESTS_CONFORMANCE_PATTERN_H_
