#ifndef APIMACHINERY_CODEC_INTERNAL_JSON_SCAN_H_
#define APIMACHINERY_CODEC_INTERNAL_JSON_SCAN_H_

// The loops over the bytes of JSON text. Each exists for SSE2 and without it; both are compiled and
// tested everywhere, JsonScan is the one that decoders use.
//
// Text is padded (see PaddedBuffer): 64 bytes after it may be read, and the first of them end any
// string. A string that ends in the padding is one that does not end: callers look where they are.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace kube::codec::internal {

// The end of a string, and what was seen on the way.
struct StringEnd {
  const char* quote;   // the closing one; or the first control character, which no string has
  bool has_backslash;  // before it
};

template <typename Scan>
inline StringEnd StringEndOf(const char* p) {
  p = Scan::FindSpecial(p);
  if (*p != '\\') [[likely]] {
    return {p, false};
  }
  do {
    ++p;
    if (static_cast<unsigned char>(*p) < 0x20) break;
    p = Scan::FindSpecial(p + 1);
  } while (*p == '\\');
  return {p, true};
}

struct ScalarScan {
  // The first quote, backslash or control character.
  static const char* FindSpecial(const char* p) {
    while (*p != '"' && *p != '\\' && static_cast<unsigned char>(*p) >= 0x20) ++p;
    return p;
  }

  // From the first character after the opening quote.
  static StringEnd FindStringEnd(const char* p) { return StringEndOf<ScalarScan>(p); }

  // Where a scan over objects and arrays is.
  struct Nesting {
    size_t depth = 0;
    bool in_string = false;
    bool escaped = false;
  };

  // The end of the object or array that starts at `p`, or null when it does not end before `end`.
  // Sees brackets and strings only: what is between them is not checked, and a backslash there,
  // which no JSON has, may make anything the end.
  static const char* SkipNested(const char* p, const char* end) {
    Nesting nesting;
    return SkipNested(nesting, p, end);
  }
  // The same from inside of it. `nesting` is good for going on at `end` if that is a multiple of 64
  // bytes away from where the scan began.
  static const char* SkipNested(Nesting& nesting, const char* p, const char* end) {
    for (; p < end; ++p) {
      if (nesting.in_string) {
        if (nesting.escaped) {
          nesting.escaped = false;
        } else if (*p == '\\') {
          nesting.escaped = true;
        } else if (*p == '"') {
          nesting.in_string = false;
        }
        continue;
      }
      switch (*p) {
        case '{':
        case '[':
          ++nesting.depth;
          break;
        case '}':
        case ']':
          if (--nesting.depth == 0) return p + 1;
          break;
        case '"':
          nesting.in_string = true;
          break;
        default:
          break;
      }
    }
    return nullptr;
  }
};

#if defined(__SSE2__)
struct Sse2Scan {
  static const char* FindSpecial(const char* p) {
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i backslash = _mm_set1_epi8('\\');
    const __m128i control = _mm_set1_epi8(0x1f);
    for (;; p += 16) {
      const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
      const __m128i specials =
          _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(x, quote), _mm_cmpeq_epi8(x, backslash)),
                       _mm_cmpeq_epi8(_mm_min_epu8(x, control), x));
      const auto mask = static_cast<uint32_t>(_mm_movemask_epi8(specials));
      if (mask != 0) return p + std::countr_zero(mask);
    }
  }

  static StringEnd FindStringEnd(const char* p) { return StringEndOf<Sse2Scan>(p); }

  struct Nesting {
    int64_t depth = 0;
    uint64_t escape_carry = 0;
    uint64_t string_carry = 0;
  };

  static const char* SkipNested(const char* p, const char* end) {
    Nesting nesting;
    return SkipNested(nesting, p, end);
  }
  static const char* SkipNested(Nesting& nesting, const char* p, const char* end) {
    int64_t depth = nesting.depth;
    for (; p < end; p += 64) {
      const Block block = Load(p);
      const uint64_t quotes = block.quotes & ~Escaped(block.backslashes, nesting.escape_carry);
      const uint64_t in_string = PrefixXor(quotes) ^ nesting.string_carry;
      nesting.string_carry = static_cast<uint64_t>(static_cast<int64_t>(in_string) >> 63);
      const uint64_t opens = block.opens & ~in_string;
      const uint64_t closes = block.closes & ~in_string;
      const int close_count = std::popcount(closes);
      if (depth > close_count || (depth > 0 && closes == 0)) {
        depth += std::popcount(opens) - close_count;
        continue;
      }
      for (uint64_t rest = opens | closes; rest != 0; rest &= rest - 1) {
        if ((opens & rest & (~rest + 1)) != 0) {
          ++depth;
        } else if (--depth == 0) {
          const char* after = p + std::countr_zero(rest) + 1;
          return after <= end ? after : nullptr;
        }
      }
    }
    nesting.depth = depth;
    return nullptr;
  }

 private:
  struct Block {
    uint64_t quotes = 0;
    uint64_t backslashes = 0;
    uint64_t opens = 0;
    uint64_t closes = 0;
  };

  static Block Load(const char* p) {
    // '{' and '[', '}' and ']' differ in this bit only.
    const __m128i bracket_bit = _mm_set1_epi8(0x20);
    Block block;
    for (int i = 0; i < 4; ++i) {
      const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * i));
      const __m128i y = _mm_or_si128(x, bracket_bit);
      block.quotes |= Mask(_mm_cmpeq_epi8(x, _mm_set1_epi8('"'))) << (16 * i);
      block.backslashes |= Mask(_mm_cmpeq_epi8(x, _mm_set1_epi8('\\'))) << (16 * i);
      block.opens |= Mask(_mm_cmpeq_epi8(y, _mm_set1_epi8('{'))) << (16 * i);
      block.closes |= Mask(_mm_cmpeq_epi8(y, _mm_set1_epi8('}'))) << (16 * i);
    }
    return block;
  }

  static uint64_t Mask(__m128i x) { return static_cast<uint32_t>(_mm_movemask_epi8(x)); }

  // The bytes after an odd run of backslashes. `carry`: whether the block before ended in one.
  // (The arithmetic is that of simdjson's first stage: adding carries through a run.)
  static uint64_t Escaped(uint64_t backslashes, uint64_t& carry) {
    if (backslashes == 0) {
      const uint64_t escaped = carry;
      carry = 0;
      return escaped;
    }
    constexpr uint64_t kEven = 0x5555555555555555;
    backslashes &= ~carry;
    const uint64_t follows = (backslashes << 1) | carry;
    const uint64_t odd_starts = backslashes & ~kEven & ~follows;
    uint64_t sum = 0;
    carry = __builtin_add_overflow(odd_starts, backslashes, &sum) ? 1 : 0;
    return (kEven ^ (sum << 1)) & follows;
  }

  // Bit i of the result is the parity of the bits up to i.
  static uint64_t PrefixXor(uint64_t x) {
    for (int shift = 1; shift < 64; shift *= 2) x ^= x << shift;
    return x;
  }
};
#endif

#if defined(__SSE2__) && !defined(KUBE_SCALAR_SCAN)
using JsonScan = Sse2Scan;
#else
using JsonScan = ScalarScan;
#endif

// Objects and arrays in one another: Go reads no deeper JSON.
inline constexpr int kMaxJsonDepth = 10000;

inline bool IsJsonSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

inline const char* SkipSpace(const char* p) {
  // What servers send has none.
  while (IsJsonSpace(*p)) [[unlikely]] {
      ++p;
    }
  return p;
}

// The end of one JSON value of any kind at `p`, all of it checked, or null with `*error` at the
// offending byte. `max_depth` bounds its nesting; no recursion. `end`: of the padded text.
const char* SkipValue(const char* p, const char* end, int max_depth, const char** error);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_JSON_SCAN_H_
