#include "apimachinery/base/text/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "simdjson.h"

namespace kube::text {
namespace {

// Returns the number of bytes of a character that begins with `first`; 1 if no character does.
size_t SizeOf(unsigned char first) {
  if (first < 0xC2 || first > 0xF4) return 1;
  return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

// Removes an incomplete last character, as at the end of a part of a longer text.
absl::string_view WithoutCutCharacter(absl::string_view text) {
  for (size_t back = 1; back <= std::min<size_t>(3, text.size()); ++back) {
    const char byte = text[text.size() - back];
    if ((static_cast<unsigned char>(byte) & 0xC0) == 0x80) continue;
    const bool is_cut = SizeOf(static_cast<unsigned char>(byte)) > back;
    return is_cut ? text.substr(0, text.size() - back) : text;
  }
  return text;
}

}  // namespace

Rune DecodeRune(absl::string_view text) {
  const auto byte = [&](size_t i) -> uint32_t {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const auto continues = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead >= 0xC2 && lead < 0xE0 && continues(1)) {
    return {(lead & 0x1F) << 6 | (byte(1) & 0x3F), 2};
  }
  if (lead >= 0xE0 && lead < 0xF0 && continues(1) && continues(2)) {
    const char32_t value = (lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    if (value >= 0x800 && (value < 0xD800 || value > 0xDFFF)) return {value, 3};
  }
  if (lead >= 0xF0 && lead < 0xF5 && continues(1) && continues(2) && continues(3)) {
    const char32_t value =
        (lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
    if (value >= 0x10000 && value <= 0x10FFFF) return {value, 4};
  }
  return {0xFFFD, 1};
}

bool IsValidUtf8(absl::string_view text) {
  return simdjson::validate_utf8(text.data(), text.size());
}

size_t ValidUtf8Prefix(absl::string_view text) {
  const absl::string_view whole = WithoutCutCharacter(text);
  if (IsValidUtf8(whole)) return whole.size();
  size_t at = 0;
  while (at < text.size()) {
    const Rune rune = DecodeRune(text.substr(at));
    if (rune.invalid()) break;
    at += rune.size;
  }
  return at;
}

void AppendReplacingInvalidUtf8(absl::string_view text, std::string& out) {
  while (true) {
    const size_t valid = ValidUtf8Prefix(text);
    out.append(text.data(), valid);
    if (valid == text.size()) return;
    out.append("\xEF\xBF\xBD");
    text.remove_prefix(valid + 1);
  }
}

std::string ReplaceInvalidUtf8(absl::string_view text) {
  std::string out;
  out.reserve(text.size());
  AppendReplacingInvalidUtf8(text, out);
  return out;
}

void AppendRune(std::string& out, char32_t rune) {
  const auto tail = [rune](int shift) {
    return static_cast<char>(0x80 | ((rune >> shift) & 0x3F));
  };
  if (rune < 0x80) {
    out.push_back(static_cast<char>(rune));
  } else if (rune < 0x800) {
    out += {static_cast<char>(0xC0 | (rune >> 6)), tail(0)};
  } else if (rune < 0x10000) {
    out += {static_cast<char>(0xE0 | (rune >> 12)), tail(6), tail(0)};
  } else {
    out += {static_cast<char>(0xF0 | (rune >> 18)), tail(12), tail(6), tail(0)};
  }
}

}  // namespace kube::text
