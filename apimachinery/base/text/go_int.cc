#include "apimachinery/base/text/go_int.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "apimachinery/base/text/go_text.h"

namespace kube::text {

GoInt<uint64_t> ParseGoUint(absl::string_view text) {
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  if (text.empty()) return {GoIntError::kSyntax};
  uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return {GoIntError::kSyntax};
    const uint64_t digit = static_cast<uint64_t>(c - '0');
    // Go stops here too: "99999999999999999999x" is out of range, not a syntax error.
    if (value > (kMax - digit) / 10) return {GoIntError::kRange, kMax};
    value = value * 10 + digit;
  }
  return {GoIntError::kNone, value};
}

GoInt<int64_t> ParseGoInt(absl::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
  const uint64_t limit = uint64_t{std::numeric_limits<int64_t>::max()} + (negative ? 1 : 0);
  GoInt<uint64_t> magnitude = ParseGoUint(text);
  if (magnitude.error == GoIntError::kSyntax) return {GoIntError::kSyntax};
  if (magnitude.value > limit) magnitude = {GoIntError::kRange, limit};
  const uint64_t value = negative ? -magnitude.value : magnitude.value;
  return {magnitude.error, static_cast<int64_t>(value)};
}

std::string GoIntErrorText(absl::string_view function, absl::string_view text, GoIntError error) {
  std::string quoted;
  text::AppendQuoted(quoted, text);
  return absl::StrCat("strconv.", function, ": parsing ", quoted, ": ",
                      error == GoIntError::kRange ? "value out of range" : "invalid syntax");
}

}  // namespace kube::text
