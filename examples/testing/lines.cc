#include "examples/testing/lines.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace examples {

bool LineMatches(absl::string_view pattern, absl::string_view line) {
  while (!pattern.empty() && pattern[0] != '*') {
    if (line.empty() || line[0] != pattern[0]) return false;
    pattern.remove_prefix(1);
    line.remove_prefix(1);
  }
  if (pattern.empty()) return line.empty();
  pattern.remove_prefix(1);
  while (!line.empty() && !absl::ascii_isspace(static_cast<unsigned char>(line[0]))) {
    line.remove_prefix(1);
    if (LineMatches(pattern, line)) return true;
  }
  return false;
}

std::string Difference(absl::string_view expected, absl::string_view actual) {
  const std::vector<absl::string_view> wanted = absl::StrSplit(expected, '\n');
  const std::vector<absl::string_view> found = absl::StrSplit(actual, '\n');
  size_t same = 0;
  while (same < wanted.size() && same < found.size() && LineMatches(wanted[same], found[same])) {
    ++same;
  }
  if (same == wanted.size() && same == found.size()) return "";
  size_t wanted_end = wanted.size();
  size_t found_end = found.size();
  while (wanted_end > same && found_end > same &&
         LineMatches(wanted[wanted_end - 1], found[found_end - 1])) {
    --wanted_end;
    --found_end;
  }
  std::string text;
  for (size_t i = 0; i < same; ++i) absl::StrAppend(&text, "  ", found[i], "\n");
  for (size_t i = same; i < wanted_end; ++i) absl::StrAppend(&text, "- ", wanted[i], "\n");
  for (size_t i = same; i < found_end; ++i) absl::StrAppend(&text, "+ ", found[i], "\n");
  for (size_t i = found_end; i < found.size(); ++i) absl::StrAppend(&text, "  ", found[i], "\n");
  return text;
}

}  // namespace examples
