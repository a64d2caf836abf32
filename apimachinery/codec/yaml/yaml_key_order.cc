#include "apimachinery/codec/yaml/yaml_key_order.h"

// Compares two keys at the first character that differs, as go-yaml v2's sorter.go does. Two
// letters are compared by code point, and a letter is greater than anything else. Otherwise the
// numbers are compared that begin at this character in both keys; text that is not a number counts
// as zero with no digits. Equal numbers are compared by their count of digits, and then the
// characters by code point. If one of the characters is a zero within a number, both numbers get a
// leading 1, so that the zero is not taken for a leading zero.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/types/span.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/codec/yaml/yaml_unicode.h"

namespace kube::codec::internal {
namespace {

using text::DecodeRune;
using text::Rune;

bool Contains(absl::Span<const RuneRange> ranges, char32_t rune) {
  const auto found =
      std::lower_bound(ranges.begin(), ranges.end(), rune,
                       [](const RuneRange& range, char32_t r) { return range.last < r; });
  return found != ranges.end() && found->first <= rune;
}

bool IsLetter(char32_t rune) {
  if (rune < 0x80) return absl::ascii_isalpha(static_cast<unsigned char>(rune));
  return Contains(kLetters, rune);
}

bool IsDigit(char32_t rune) {
  if (rune < 0x80) return absl::ascii_isdigit(static_cast<unsigned char>(rune));
  return Contains(kDigits, rune);
}

struct Number {
  // Wraps around as in go-yaml. A digit outside ASCII counts as its distance from '0'.
  int64_t value = 0;
  size_t digits = 0;
};

Number ReadNumber(absl::string_view text, int64_t start) {
  Number number{.value = start};
  while (!text.empty()) {
    const Rune rune = DecodeRune(text);
    if (!IsDigit(rune.value)) break;
    number.value =
        static_cast<int64_t>(static_cast<uint64_t>(number.value) * 10 + rune.value - '0');
    ++number.digits;
    text.remove_prefix(rune.size);
  }
  return number;
}

// Returns whether the digits directly before `at` contain one that is not zero. A zero at `at` is
// then not a leading zero.
bool FollowsNumber(absl::string_view text, size_t at) {
  while (at > 0) {
    do {
      --at;
    } while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
    const char32_t rune = DecodeRune(text.substr(at)).value;
    if (!IsDigit(rune)) return false;
    if (rune != '0') return true;
  }
  return false;
}

// Compares keys that differ at `at`; both have a character there.
bool LessAt(absl::string_view a, absl::string_view b, size_t at) {
  const char32_t rune_a = DecodeRune(a.substr(at)).value;
  const char32_t rune_b = DecodeRune(b.substr(at)).value;
  const bool letter_a = IsLetter(rune_a);
  const bool letter_b = IsLetter(rune_b);
  if (letter_a && letter_b) return rune_a < rune_b;
  if (letter_a || letter_b) return letter_b;
  const bool inner_zero = (rune_a == '0' || rune_b == '0') && FollowsNumber(a, at);
  const Number number_a = ReadNumber(a.substr(at), inner_zero ? 1 : 0);
  const Number number_b = ReadNumber(b.substr(at), inner_zero ? 1 : 0);
  if (number_a.value != number_b.value) return number_a.value < number_b.value;
  if (number_a.digits != number_b.digits) return number_a.digits < number_b.digits;
  return rune_a < rune_b;
}

}  // namespace

bool YamlKeyLess(absl::string_view a, absl::string_view b) {
  const auto difference = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  auto at = static_cast<size_t>(difference.first - a.begin());
  if (at == a.size() || at == b.size()) return a.size() < b.size();
  // Moves back to the start of the character that differs.
  while (at > 0 && (static_cast<unsigned char>(a[at]) & 0xC0) == 0x80) --at;
  return LessAt(a, b, at);
}

}  // namespace kube::codec::internal
