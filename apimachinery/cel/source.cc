#include "apimachinery/cel/source.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "apimachinery/base/text/utf8.h"

namespace kube::cel {
namespace {

// Longer lines are not shown below an error.
constexpr size_t kMaxSnippetSize = 16'384;
// More defects are only counted.
constexpr size_t kMaxIssues = 100;

size_t CountRunes(absl::string_view text) {
  size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(text::DecodeRune(text).size);
  return count;
}

// Returns the line with the place marked below. Marks below wide characters are wide, too.
std::string Snippet(absl::string_view line, int column) {
  const std::string shown = absl::StrReplaceAll(line, {{"\t", " "}});
  std::string marks;
  absl::string_view rest = shown;
  for (int i = 0; i < column && !rest.empty(); ++i) {
    const size_t size = text::DecodeRune(rest).size;
    rest.remove_prefix(size);
    absl::StrAppend(&marks, size > 1 ? "\xef\xbc\x8e" : ".");
  }
  const bool wide = !rest.empty() && text::DecodeRune(rest).size > 1;
  absl::StrAppend(&marks, wide ? "\xef\xbc\xbe" : "^");
  return absl::StrCat("\n | ", shown, "\n | ", marks);
}

}  // namespace

Source::Source(absl::string_view text) : text_(text::ReplaceInvalidUtf8(text)) {
  for (size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  }
}

size_t Source::code_points() const { return CountRunes(text_); }

Location Source::LocationOf(size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const size_t start = next == line_starts_.begin() ? 0 : *std::prev(next);
  const absl::string_view before = absl::string_view(text_).substr(start, offset - start);
  return {.line = static_cast<int>(next - line_starts_.begin()) + 1,
          .column = static_cast<int>(CountRunes(before))};
}

std::optional<absl::string_view> Source::Line(int line) const {
  const auto index = static_cast<size_t>(line) - 1;
  if (line < 1 || index > line_starts_.size() || text_.empty()) return std::nullopt;
  const size_t start = index == 0 ? 0 : line_starts_[index - 1];
  const size_t end = index < line_starts_.size() ? line_starts_[index] - 1 : text_.size();
  return absl::string_view(text_).substr(start, end - start);
}

std::string FormatIssues(const Source& source, std::vector<Issue> issues) {
  std::stable_sort(issues.begin(), issues.end(), [](const Issue& a, const Issue& b) {
    return std::tie(a.location.line, a.location.column) <
           std::tie(b.location.line, b.location.column);
  });
  std::string out;
  for (size_t i = 0; i < std::min(issues.size(), kMaxIssues); ++i) {
    const auto& [location, message] = issues[i];
    absl::StrAppend(&out, i == 0 ? "" : "\n", "ERROR: <input>:", location.line, ":",
                    location.column + 1, ": ", message);
    const std::optional<absl::string_view> line = source.Line(location.line);
    if (line.has_value() && line->size() <= kMaxSnippetSize) {
      absl::StrAppend(&out, Snippet(*line, location.column));
    }
  }
  if (issues.size() > kMaxIssues) {
    absl::StrAppend(&out, "\n", issues.size() - kMaxIssues, " more errors were truncated");
  }
  return out;
}

}  // namespace kube::cel
