#ifndef APIMACHINERY_CODEC_JSON_JSON_SCAN_H_
#define APIMACHINERY_CODEC_JSON_JSON_SCAN_H_

// The loops over the bytes of JSON text. Each loop exists for SSE2 and as portable code, and some
// exist for AVX2. All that the compiler can build are tested; decoders use JsonScan.
//
// The text is padded (see PaddedBuffer): 64 bytes after it may be read, and the first of them end
// every string. So a scan never runs away, but a string that ends in the padding has no end:
// callers must compare the result with the end of the text.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace kube::codec::internal {

// The end of a string, and whether an escape was seen on the way.
struct StringEnd {
  const char* quote;   // the closing quote, or a control character, which strings do not contain
  bool has_backslash;  // before `quote`
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
  // Returns the position of the first quote, backslash or control character.
  static const char* FindSpecial(const char* p) {
    while (*p != '"' && *p != '\\' && static_cast<unsigned char>(*p) >= 0x20) ++p;
    return p;
  }

  // Finds the end of a string. `p` is the first character after the opening quote.
  static StringEnd FindStringEnd(const char* p) { return StringEndOf<ScalarScan>(p); }

  // The state of a scan over objects and arrays.
  struct Nesting {
    size_t depth = 0;
    bool in_string = false;
    bool escaped = false;
  };

  // Returns the end of the object or array that begins at `p`, or null if it does not end before
  // `end`. Only brackets and strings are looked at: other text is not checked, and a backslash
  // outside a string, which valid JSON does not have, may lead to any result.
  static const char* SkipNested(const char* p, const char* end) {
    Nesting nesting;
    return SkipNested(nesting, p, end);
  }
  // Continues a scan within the object or array. The state in `nesting` may be used to continue at
  // `end` if `end` is a multiple of 64 bytes from where the scan began.
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

// For processors with AVX2, PCLMUL, POPCNT and BMI: three times as fast.
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

// Chooses by what the processor supports.
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

// Maximum nesting of objects and arrays, as in Go.
inline constexpr int kMaxJsonDepth = 10000;

inline bool IsJsonSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

inline const char* SkipSpace(const char* p) {
  // Servers send none.
  while (IsJsonSpace(*p)) [[unlikely]] {
      ++p;
    }
  return p;
}

// Returns the end of the JSON value at `p`, all of which is checked, or null and the position of
// the invalid byte in `*error`. `max_depth` limits the nesting; the function does not recurse.
// `end` is the end of the padded text.
const char* SkipValue(const char* p, const char* end, int max_depth, const char** error);

// Does what SkipValue does for texts of one form, and several times as fast: an object in which
// all values are objects, written as Go writes it, without blanks, and with names that are ASCII
// and have no escapes but \" and \\. metadata.managedFields has such objects of many kilobytes.
// Returns null for all other text, valid or not, and always if the processor is no x86: then
// SkipValue knows. Does not read at or beyond `end`.
const char* SkipPlainObject(const char* p, const char* end, int max_depth);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_JSON_JSON_SCAN_H_
