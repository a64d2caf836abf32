#include "clientset/rest/internal/warning_header.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/text/quantity_text.h"
#include "apimachinery/base/text/utf8.h"
#include "clientset/rest/internal/encoded_word.h"
#include "clientset/rest/warnings.h"

// A Warning header is a list, separated by commas, of
//
//   code SP agent SP "text" [ SP "date" ]
//
// The text may contain commas and escaped quotes, so the list cannot be split beforehand: the parts
// are removed one by one from the front. If one of them is malformed, the beginning of the next
// warning is unknown.
namespace kube::rest::internal {

namespace {

// Returns whether the text is safe for a terminal and a log: UTF-8 without control characters. (Go:
// `unicode.IsControl`)
bool IsPlain(absl::string_view text) {
  while (!text.empty()) {
    const text::Rune rune = text::DecodeRune(text);
    if (rune.invalid() || rune.value < 0x20 || (rune.value >= 0x7f && rune.value < 0xa0)) {
      return false;
    }
    text.remove_prefix(rune.size);
  }
  return true;
}

// Removes a string in double quotes, with backslash escapes, from `rest`. Returns nullopt if it
// does not end.
std::optional<std::string> TakeQuoted(absl::string_view& rest) {
  if (!absl::ConsumePrefix(&rest, "\"")) return std::nullopt;
  std::string text;
  for (size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '"') {
      rest.remove_prefix(i + 1);
      return text;
    }
    if (rest[i] == '\\' && ++i == rest.size()) break;
    text += rest[i];
  }
  return std::nullopt;
}

// Removes the text before the next blank, and the blank, from `rest`. Returns nullopt if there is
// no blank.
std::optional<absl::string_view> TakeWord(absl::string_view& rest) {
  const size_t blank = rest.find(' ');
  if (blank == absl::string_view::npos) return std::nullopt;
  const absl::string_view word = rest.substr(0, blank);
  rest.remove_prefix(blank + 1);
  return word;
}

std::optional<int> ParseCode(absl::string_view text) {
  const bool is_code = text.size() == 3 && std::all_of(text.begin(), text.end(),
                                                       [](char c) { return c >= '0' && c <= '9'; });
  if (!is_code) return std::nullopt;
  return (text[0] - '0') * 100 + (text[1] - '0') * 10 + (text[2] - '0');
}

// Removes the optional date, which is ignored, and the comma before the next warning.
bool TakeEnd(absl::string_view& rest) {
  rest = kube::text::TrimGoSpace(rest);
  if (absl::ConsumePrefix(&rest, "\"")) {
    const size_t end = rest.find('"');
    if (end == absl::string_view::npos) return false;
    rest = kube::text::TrimGoSpace(rest.substr(end + 1));
  }
  if (rest.empty()) return true;
  if (!absl::ConsumePrefix(&rest, ",")) return false;
  rest = kube::text::TrimGoSpace(rest);
  return true;
}

}  // namespace

std::optional<Warning> TakeWarning(absl::string_view& header) {
  absl::string_view rest = kube::text::TrimGoSpace(header);
  const std::optional<absl::string_view> code_text = TakeWord(rest);
  if (!code_text.has_value()) return std::nullopt;
  const std::optional<absl::string_view> agent = TakeWord(rest);
  if (!agent.has_value() || agent->empty() || !IsPlain(*agent)) return std::nullopt;
  const std::optional<int> code = ParseCode(*code_text);
  if (!code.has_value()) return std::nullopt;
  std::optional<std::string> text = TakeQuoted(rest);
  if (!text.has_value()) return std::nullopt;
  // Old servers encode other characters than ASCII as RFC 2616 demanded.
  std::string decoded = DecodeEncodedWords(*text);
  if (!IsPlain(decoded) || !TakeEnd(rest)) return std::nullopt;
  header = rest;
  return Warning{.code = *code, .agent = std::string(*agent), .text = std::move(decoded)};
}

}  // namespace kube::rest::internal
