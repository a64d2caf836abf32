#include "codegen/crd_import/internal/idl_comment.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace kube::codegen::internal {
namespace {

// U+202A to U+202E and U+2066 to U+2069, of which compilers warn.
bool IsBidirectional(absl::string_view three_bytes) {
  return (three_bytes >= "\xE2\x80\xAA" && three_bytes <= "\xE2\x80\xAE") ||
         (three_bytes >= "\xE2\x81\xA6" && three_bytes <= "\xE2\x81\xA9");
}

std::string Harmless(absl::string_view line) {
  std::string text;
  for (size_t i = 0; i < line.size(); ++i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    if (byte == 0xE2 && IsBidirectional(line.substr(i, 3))) {
      i += 2;
    } else {
      text += absl::ascii_iscntrl(byte) && byte != '\t' ? ' ' : line[i];
    }
  }
  absl::StripTrailingAsciiWhitespace(&text);
  return text == "---" ? "- - -" : text;
}

// Returns the text without white space at the ends of its lines, and at its own ends.
std::string Stripped(absl::string_view text) {
  std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
  for (absl::string_view& line : lines) line = absl::StripTrailingAsciiWhitespace(line);
  return std::string(absl::StripAsciiWhitespace(absl::StrJoin(lines, "\n")));
}

}  // namespace

Comment CommentOf(absl::string_view description) {
  Comment comment;
  for (const absl::string_view line : absl::StrSplit(description, '\n')) {
    std::string harmless = Harmless(line);
    const bool is_first = comment.lines.empty();
    if (!is_first || !harmless.empty()) comment.lines.push_back(std::move(harmless));
  }
  while (!comment.lines.empty() && comment.lines.back().empty()) comment.lines.pop_back();
  comment.is_exact = Stripped(absl::StrJoin(comment.lines, "\n")) == Stripped(description);
  return comment;
}

}  // namespace kube::codegen::internal
