#ifndef APIMACHINERY_CODEC_JSON_JSON_SCAN_H_
#define APIMACHINERY_CODEC_JSON_JSON_SCAN_H_

// The loops over the bytes of JSON text. Each exists for SSE2 and without it, some for AVX2 too;
// all are compiled and tested everywhere, JsonScan is the one that decoders use.
//
// Text is padded (see PaddedBuffer): 64 bytes after it may be read, and the first of them end any
// string. A string that ends in the padding is one that does not end: callers look where they are.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
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

#if defined(__x86_64__)
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
  static const char* SkipNested(Nesting& nesting, const char* p, const char* end);
};

// For processors that have AVX2 and what has come with it: three times as fast.
struct Avx2Scan : Sse2Scan {
  static bool IsSupported() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("pclmul") &&
           __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
  }
  static const char* SkipNested(const char* p, const char* end) {
    Nesting nesting;
    return SkipNested(nesting, p, end);
  }
  static const char* SkipNested(Nesting& nesting, const char* p, const char* end);
};

// As the processor is.
struct X86Scan : Sse2Scan {
  static const char* SkipNested(const char* p, const char* end) {
    Nesting nesting;
    return SkipNested(nesting, p, end);
  }
  static const char* SkipNested(Nesting& nesting, const char* p, const char* end) {
    return Avx2Scan::IsSupported() ? Avx2Scan::SkipNested(nesting, p, end)
                                   : Sse2Scan::SkipNested(nesting, p, end);
  }
};
#endif

#if defined(__x86_64__) && !defined(KUBE_SCALAR_SCAN)
using JsonScan = X86Scan;
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

#endif  // APIMACHINERY_CODEC_JSON_JSON_SCAN_H_
