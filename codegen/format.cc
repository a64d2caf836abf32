#include "codegen/format.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace kube::codegen {
namespace {

constexpr size_t kColumns = 100;

// Counts the characters of a UTF-8 text.
size_t Columns(absl::string_view text) {
  size_t columns = 0;
  for (const char c : text) columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return columns;
}

// Removes a trailing backslash or its trigraph, which would make the next line part of the comment,
// and lines that switch clang-format off.
std::string Harmless(absl::string_view line) {
  std::string text;
  for (const char c : line) text += absl::ascii_iscntrl(c) ? ' ' : c;
  absl::string_view view = absl::StripTrailingAsciiWhitespace(text);
  while (absl::ConsumeSuffix(&view, "\\") || absl::ConsumeSuffix(&view, "?\?/")) {
    view = absl::StripTrailingAsciiWhitespace(view);
  }
  if (absl::StartsWith(absl::StripLeadingAsciiWhitespace(view), "clang-format o")) return "";
  return std::string(view);
}

void AppendBroken(std::vector<std::string>& lines, absl::string_view line, size_t columns) {
  const absl::string_view text = absl::StripLeadingAsciiWhitespace(line);
  const std::string margin(line.substr(0, line.size() - text.size()));
  std::string current;
  for (const absl::string_view word : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    if (!current.empty() && Columns(current) + 1 + Columns(word) > columns) {
      lines.push_back(current);
      current.clear();
    }
    absl::StrAppend(&current, current.empty() ? margin : " ", word);
  }
  lines.push_back(current);
}

}  // namespace

std::vector<std::string> CommentLines(absl::string_view comment, int indent) {
  const size_t columns = kColumns - static_cast<size_t>(indent) - 2;
  std::vector<std::string> lines;
  for (const absl::string_view each : absl::StrSplit(absl::StripSuffix(comment, "\n"), '\n')) {
    std::string line = Harmless(each);
    if (!line.empty() && line[0] != ' ') line = absl::StrCat(" ", line);
    if (Columns(line) <= columns) {
      lines.push_back(line);
    } else {
      AppendBroken(lines, line, columns);
    }
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  while (!lines.empty() && lines.front().empty()) lines.erase(lines.begin());
  return lines;
}

bool FitsColumns(absl::string_view text) {
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    if (Columns(line) > kColumns) return false;
  }
  return true;
}

std::string MemberLine(absl::string_view type, absl::string_view name) {
  const std::string line = absl::StrCat("  ", type, " ", name, "{};");
  if (line.size() <= kColumns) return line;
  return absl::StrCat("  ", type, "\n      ", name, "{};");
}

std::string ConstantLine(absl::string_view name, absl::string_view value) {
  const std::string begin = absl::StrCat("inline constexpr ::absl::string_view ", name, " =");
  const std::string end = absl::StrCat(StringLiteral(value), ";");
  const std::string line = absl::StrCat(begin, " ", end);
  return FitsColumns(line) ? line : absl::StrCat(begin, "\n    ", end);
}

std::string StringLiteral(absl::string_view bytes) {
  std::string literal = "\"";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      absl::StrAppend(&literal, "\\", absl::string_view(&c, 1));
    } else if (absl::ascii_isprint(byte) && c != '?') {
      literal += c;
    } else {
      // With three octal digits, a digit that follows cannot become part of the escape.
      literal += '\\';
      for (const int shift : {6, 3, 0}) literal += static_cast<char>('0' + (byte >> shift & 7));
    }
  }
  literal += '"';
  return literal;
}

}  // namespace kube::codegen
