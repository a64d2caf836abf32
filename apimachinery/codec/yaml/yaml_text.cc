#include "apimachinery/codec/yaml/yaml_text.h"

#include <cstddef>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/text/utf8.h"

namespace kube::codec::internal {
namespace {

// libyaml compares each directive with all others, and the tag of each node with all directives.
constexpr int kMaxTagDirectives = 100;

// Returns the size of the line break at `at` (LF, CR LF, CR, or Unicode's NEL, LS and PS), or zero.
size_t BreakAt(absl::string_view text, size_t at) {
  const absl::string_view rest = text.substr(at);
  if (absl::StartsWith(rest, "\r\n") || absl::StartsWith(rest, "\xC2\x85")) return 2;
  if (absl::StartsWith(rest, "\xE2\x80\xA8") || absl::StartsWith(rest, "\xE2\x80\xA9")) return 3;
  return absl::StartsWith(rest, "\n") || absl::StartsWith(rest, "\r") ? 1 : 0;
}

// Returns whether go-yaml's reader (readerc.go) refuses the character. The text is valid UTF-8.
bool IsControlAt(absl::string_view text, size_t at) {
  const auto c = static_cast<unsigned char>(text[at]);
  if (c < 0x80) return c == 0x7F || (c < 0x20 && c != '\t' && c != '\n' && c != '\r');
  const absl::string_view rest = text.substr(at);
  if (c == 0xC2) return static_cast<unsigned char>(rest[1]) < 0xA0 && rest[1] != '\x85';
  return absl::StartsWith(rest, "\xEF\xBF\xBE") || absl::StartsWith(rest, "\xEF\xBF\xBF");
}

absl::Status ErrorAt(absl::string_view text, size_t at, int first_line, absl::string_view cause) {
  int line = first_line;
  size_t line_start = 0;
  for (size_t i = 0; i < at;) {
    const size_t size = BreakAt(text, i);
    i += size == 0 ? 1 : size;
    if (size == 0 || i > at) continue;
    ++line;
    line_start = i;
  }
  return YamlError(line, static_cast<int>(at - line_start) + 1, cause);
}

}  // namespace

absl::Status YamlError(int line, int column, absl::string_view cause) {
  return absl::InvalidArgumentError(absl::StrCat("line ", line, ", column ", column, ": ", cause));
}

absl::Status CheckYamlText(absl::string_view yaml, int first_line) {
  if (absl::StartsWith(yaml, "\xFF\xFE") || absl::StartsWith(yaml, "\xFE\xFF")) {
    return YamlError(first_line, 1, "text is UTF-16, not UTF-8");
  }
  const size_t valid = text::ValidUtf8Prefix(yaml);
  if (valid != yaml.size()) return ErrorAt(yaml, valid, first_line, "text is not UTF-8");
  size_t line_start = 0;
  int tag_directives = 0;
  for (size_t at = 0; at < yaml.size(); ++at) {
    if (at == line_start && absl::StartsWith(yaml.substr(at), "%TAG") &&
        ++tag_directives > kMaxTagDirectives) {
      return ErrorAt(yaml, at, first_line, "too many %TAG directives");
    }
    if (at == line_start && absl::StartsWith(yaml.substr(at), "\xEF\xBB\xBF")) {
      return ErrorAt(yaml, at, first_line, "byte order mark is not allowed within the text");
    }
    if (yaml[at] >= 0x20 && yaml[at] < 0x7F) continue;
    if (IsControlAt(yaml, at)) {
      return ErrorAt(yaml, at, first_line, "control characters are not allowed");
    }
    if (const size_t size = BreakAt(yaml, at); size > 0) line_start = at + size;
  }
  return absl::OkStatus();
}

}  // namespace kube::codec::internal
