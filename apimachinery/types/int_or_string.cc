#include "apimachinery/types/int_or_string.h"

#include <ostream>

namespace kube {
namespace {

// What strconv.ParseInt(text, 10, 64) returns beside its error, if there is one: zero for what is
// no number, the nearest for what is too large.
struct Parsed {
  bool ok = false;
  int64_t value = 0;
};

Parsed ParseInt(absl::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
  if (text.empty()) return {};
  const uint64_t limit = uint64_t{std::numeric_limits<int64_t>::max()} + (negative ? 1 : 0);
  const Parsed nearest{false, static_cast<int64_t>(negative ? -limit : limit)};
  uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return {};
    const uint64_t digit = static_cast<uint64_t>(c - '0');
    // Go does not look at what follows: "99999999999999999999x" is the nearest number, not zero.
    if (value > (std::numeric_limits<uint64_t>::max() - digit) / 10) return nearest;
    value = value * 10 + digit;
  }
  if (value > limit) return nearest;
  return {true, static_cast<int64_t>(negative ? -value : value)};
}

}  // namespace

IntOrString IntOrString::Parse(absl::string_view text) {
  const Parsed parsed = ParseInt(text);
  if (!parsed.ok || !std::in_range<int32_t>(parsed.value)) return text;
  return static_cast<int32_t>(parsed.value);
}

int64_t IntOrString::IntValue() const { return is_string() ? ParseInt(text_.view()).value : int_; }

std::string IntOrString::ToString() const {
  return is_string() ? std::string(text_) : std::to_string(int_);
}

std::ostream& operator<<(std::ostream& out, const IntOrString& value) {
  return out << value.ToString();
}

}  // namespace kube
