#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/jsonpath/internal/parser.h"

namespace kube::jsonpath::internal {
namespace {

absl::Status SyntaxError() { return absl::InvalidArgumentError("invalid syntax"); }

int DigitOf(char c) {
  if (absl::ascii_isdigit(static_cast<unsigned char>(c))) return c - '0';
  const char lower = absl::ascii_tolower(static_cast<unsigned char>(c));
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 16;
}

// Removes `count` digits from the front of `text`. Returns false if there are fewer.
bool TakeDigits(absl::string_view& text, size_t count, uint32_t base, uint32_t& value) {
  if (text.size() < count) return false;
  value = 0;
  for (const char c : text.substr(0, count)) {
    const uint32_t digit = static_cast<uint32_t>(DigitOf(c));
    if (digit >= base) return false;
    value = value * base + digit;
  }
  text.remove_prefix(count);
  return true;
}

constexpr absl::string_view kEscapes = "abfnrtv\\";
constexpr absl::string_view kMeanings = "\a\b\f\n\r\t\v\\";

// Removes the rest of an escape sequence, after its backslash, from the front of `text` and appends
// its meaning. (Go: `strconv.UnquoteChar`)
bool TakeEscape(absl::string_view& text, char quote, std::string& out) {
  if (text.empty()) return false;
  const char c = text[0];
  uint32_t value = 0;
  if (const size_t i = kEscapes.find(c); i != absl::string_view::npos) {
    out.push_back(kMeanings[i]);
  } else if (c == quote) {
    out.push_back(c);
  } else if (c == 'x') {
    text.remove_prefix(1);
    if (!TakeDigits(text, 2, 16, value)) return false;
    out.push_back(static_cast<char>(value));
    return true;
  } else if (c == 'u' || c == 'U') {
    text.remove_prefix(1);
    if (!TakeDigits(text, c == 'u' ? 4 : 8, 16, value)) return false;
    if (value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return false;
    text::AppendRune(out, value);
    return true;
  } else {
    if (!TakeDigits(text, 3, 8, value) || value > 255) return false;
    out.push_back(static_cast<char>(value));
    return true;
  }
  text.remove_prefix(1);
  return true;
}

}  // namespace

absl::StatusOr<std::string> Unquote(absl::string_view quoted) {
  const char quote = quoted[0];
  if (quoted.size() < 2 || quoted.back() != quote) return SyntaxError();
  absl::string_view text = quoted.substr(1, quoted.size() - 2);
  std::string out;
  while (!text.empty()) {
    const char c = text[0];
    text.remove_prefix(1);
    if (c == quote) return SyntaxError();
    if (c != '\\') {
      out.push_back(c);
    } else if (!TakeEscape(text, quote, out)) {
      return SyntaxError();
    }
  }
  return out;
}

}  // namespace kube::jsonpath::internal
