#ifndef EXAMPLES_TESTING_LINES_H_
#define EXAMPLES_TESTING_LINES_H_

#include <string>

#include "absl/strings/string_view.h"

namespace examples {

// Returns whether a line is as expected. Each "*" of `pattern` stands for one or more characters
// other than white space: "pod web-* on *" matches "pod web-5d9fb on node-0".
bool LineMatches(absl::string_view pattern, absl::string_view line);

// Compares the output of a program with the expected one, line by line. Returns "" if all lines
// match, and otherwise both texts: "  " before lines that match, "- " before lines that are missing
// and "+ " before lines that are not expected.
std::string Difference(absl::string_view expected, absl::string_view actual);

}  // namespace examples

#endif  // EXAMPLES_TESTING_LINES_H_
