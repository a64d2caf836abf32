#include "apimachinery/codec/yaml/yaml_utf8.h"

#include <cstdint>
#include <cstring>

#include "apimachinery/base/text/go_text.h"

namespace kube::codec::internal {

size_t FindInvalidUtf8(absl::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    // Eight characters of ASCII at a time.
    uint64_t word = 0;
    if (at + sizeof(word) <= text.size()) {
      std::memcpy(&word, text.data() + at, sizeof(word));
      if ((word & 0x8080808080808080) == 0) {
        at += sizeof(word);
        continue;
      }
    }
    const text::Rune rune = text::DecodeRune(text.substr(at));
    if (rune.invalid()) return at;
    at += rune.size;
  }
  return at;
}

void AppendUtf8(std::string& out, char32_t rune) {
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

}  // namespace kube::codec::internal
