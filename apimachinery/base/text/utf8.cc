#include "apimachinery/base/text/utf8.h"

#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace kube::text {
namespace {

// Moves over ASCII, a block at a time, and stops in front of a block that holds something else or
// is not whole.
const char* SkipAsciiPortable(const char* p, const char* end) {
  while (end - p >= 8) {
    uint64_t block;
    std::memcpy(&block, p, sizeof block);
    if ((block & 0x8080'8080'8080'8080) != 0) break;
    p += 8;
  }
  return p;
}

#ifdef __SSE2__
const char* SkipAscii(const char* p, const char* end) {
  const auto load = [](const char* from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  };
  while (end - p >= 64) {
    const __m128i a = _mm_or_si128(load(p), load(p + 16));
    const __m128i b = _mm_or_si128(load(p + 32), load(p + 48));
    if (_mm_movemask_epi8(_mm_or_si128(a, b)) != 0) break;
    p += 64;
  }
  while (end - p >= 16 && _mm_movemask_epi8(load(p)) == 0) p += 16;
  return SkipAsciiPortable(p, end);
}
#else
const char* SkipAscii(const char* p, const char* end) { return SkipAsciiPortable(p, end); }
#endif

// The size of the character of two bytes or more at `p`. Zero: invalid.
size_t MultiByteSize(const char* p, const char* end) {
  const auto byte = [p](size_t i) { return static_cast<unsigned char>(p[i]); };
  const auto continues = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned first = byte(0);
  const size_t left = end - p;
  if (first < 0xC2 || first > 0xF4) return 0;
  if (first < 0xE0) return left >= 2 && continues(1) ? 2 : 0;
  if (left < 3 || !continues(1) || !continues(2)) return 0;
  const unsigned two = first << 8 | byte(1);
  if (first < 0xF0) {
    const bool overlong = two < 0xE0A0;
    const bool surrogate = two >= 0xEDA0 && two <= 0xEDBF;
    return overlong || surrogate ? 0 : 3;
  }
  return left >= 4 && continues(3) && two >= 0xF090 && two <= 0xF48F ? 4 : 0;
}

template <typename Skip>
size_t ValidPrefix(absl::string_view text, Skip skip_ascii) {
  const char* p = text.data();
  const char* const end = p + text.size();
  p = skip_ascii(p, end);
  while (p != end) {
    if (static_cast<signed char>(*p) >= 0) {
      ++p;
      continue;
    }
    const size_t size = MultiByteSize(p, end);
    if (size == 0) break;
    p += size;
    // Text of another script has few runs of ASCII that are worth a block.
    if (end - p >= 8 && static_cast<signed char>(*p) >= 0) p = skip_ascii(p, end);
  }
  return p - text.data();
}

}  // namespace

size_t ValidUtf8Prefix(absl::string_view text) { return ValidPrefix(text, SkipAscii); }

size_t ValidUtf8PrefixPortable(absl::string_view text) {
  return ValidPrefix(text, SkipAsciiPortable);
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
