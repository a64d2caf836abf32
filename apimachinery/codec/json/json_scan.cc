#include "apimachinery/codec/json/json_scan.h"

// SkipNested finds the end of an object or array, 64 bytes at a time, as simdjson's first stage
// does. For each block, vector comparisons give one 64-bit mask per kind of character, with a bit
// for each byte. Escaped removes the quotes after an odd run of backslashes. The prefix-xor of the
// remaining quotes is the mask of the bytes in strings; brackets there are ignored. A block whose
// closing brackets cannot bring the depth to zero is handled by two population counts; only in
// other blocks the brackets are visited one by one. Three values are carried from block to block:
// the depth, whether the block ended in an odd run of backslashes, and whether it ended in a
// string.
//
// Skipper checks a whole value by JSON's grammar, without recursion: one bit per level says whether
// it is an object or an array.
//
// SkipPlainObject does both at once, with masks. If all values are objects, a character outside the
// strings may be judged by the one before it: a colon follows a name, an opening bracket a colon
// and so on. Shifted by one, the mask of each kind of character is the mask of what follows it.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "apimachinery/codec/json/json_leaf.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace kube::codec::internal {
namespace {

#if defined(__x86_64__)
// One bit for each of 64 bytes, for each kind of character.
struct Block {
  uint64_t quotes = 0;
  uint64_t backslashes = 0;
  uint64_t opens = 0;
  uint64_t closes = 0;
};

// '{' and '[' differ only in this bit, and so do '}' and ']'.
constexpr char kBracketBit = 0x20;

struct Sse2Block {
  static Block Load(const char* p) {
    Block block;
    for (int i = 0; i < 4; ++i) {
      const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * i));
      const __m128i y = _mm_or_si128(x, _mm_set1_epi8(kBracketBit));
      block.quotes |= Equal(x, '"') << (16 * i);
      block.backslashes |= Equal(x, '\\') << (16 * i);
      block.opens |= Equal(y, '{') << (16 * i);
      block.closes |= Equal(y, '}') << (16 * i);
    }
    return block;
  }

  // Bit i of the result is the parity of bits 0 to i.
  static uint64_t PrefixXor(uint64_t x) {
    for (int shift = 1; shift < 64; shift *= 2) x ^= x << shift;
    return x;
  }

 private:
  static uint64_t Equal(__m128i x, char c) {
    return static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8(c))));
  }
};

struct Avx2Block {
  [[gnu::target("avx2,pclmul,popcnt,bmi")]] static Block Load(const char* p) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 32));
    const __m256i bracket_bit = _mm256_set1_epi8(kBracketBit);
    const __m256i low_brackets = _mm256_or_si256(low, bracket_bit);
    const __m256i high_brackets = _mm256_or_si256(high, bracket_bit);
    return {.quotes = Equal(low, high, '"'),
            .backslashes = Equal(low, high, '\\'),
            .opens = Equal(low_brackets, high_brackets, '{'),
            .closes = Equal(low_brackets, high_brackets, '}')};
  }

  // The carry-less product with all ones has the same value.
  [[gnu::target("avx2,pclmul,popcnt,bmi")]] static uint64_t PrefixXor(uint64_t x) {
    const __m128i bits = _mm_cvtsi64_si128(static_cast<int64_t>(x));
    return static_cast<uint64_t>(
        _mm_cvtsi128_si64(_mm_clmulepi64_si128(bits, _mm_set1_epi8(-1), 0)));
  }

 private:
  [[gnu::target("avx2,pclmul,popcnt,bmi")]] static uint64_t Equal(__m256i low, __m256i high,
                                                                  char c) {
    const __m256i wanted = _mm256_set1_epi8(c);
    const int low_bits = _mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted));
    const int high_bits = _mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted));
    return static_cast<uint32_t>(low_bits) | static_cast<uint64_t>(high_bits) << 32;
  }
};

// Returns the mask of the bytes that follow an odd run of backslashes. `carry` says whether the
// previous block ended in one. (The arithmetic, which adds carries through a run, is that of
// simdjson's first stage.)
uint64_t Escaped(uint64_t backslashes, uint64_t& carry) {
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

// Always inlined, so that it is compiled for the target of the calling function.
template <typename BlockT>
[[gnu::always_inline]] inline const char* SkipBlocks(Sse2Scan::Nesting& nesting, const char* p,
                                                     const char* end) {
  auto [depth, escape_carry, string_carry] = nesting;
  for (; p < end; p += 64) {
    const Block block = BlockT::Load(p);
    const uint64_t quotes = block.quotes & ~Escaped(block.backslashes, escape_carry);
    const uint64_t in_string = BlockT::PrefixXor(quotes) ^ string_carry;
    string_carry = static_cast<uint64_t>(static_cast<int64_t>(in_string) >> 63);
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
  nesting = {depth, escape_carry, string_carry};
  return nullptr;
}

// One bit for each of 64 bytes of the text of a plain object, for each kind of character.
struct PlainBlock {
  uint64_t quotes = 0;
  uint64_t backslashes = 0;
  uint64_t opens = 0;
  uint64_t closes = 0;
  uint64_t colons = 0;
  uint64_t commas = 0;
  uint64_t special = 0;  // what names do not contain: control characters, <, >, &, beyond ASCII

  static PlainBlock Load(const char* p) {
    PlainBlock block;
    for (int shift = 0; shift < 64; shift += 16) {
      const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + shift));
      block.quotes |= Bits(_mm_cmpeq_epi8(x, _mm_set1_epi8('"'))) << shift;
      block.backslashes |= Bits(_mm_cmpeq_epi8(x, _mm_set1_epi8('\\'))) << shift;
      block.opens |= Bits(_mm_cmpeq_epi8(x, _mm_set1_epi8('{'))) << shift;
      block.closes |= Bits(_mm_cmpeq_epi8(x, _mm_set1_epi8('}'))) << shift;
      block.colons |= Bits(_mm_cmpeq_epi8(x, _mm_set1_epi8(':'))) << shift;
      block.commas |= Bits(_mm_cmpeq_epi8(x, _mm_set1_epi8(','))) << shift;
      // Bytes from 0x80 are negative, and '<' and '>' differ in one bit, which '>' has set.
      const __m128i control = _mm_cmplt_epi8(x, _mm_set1_epi8(0x20));
      const __m128i angle =
          _mm_cmpeq_epi8(_mm_or_si128(x, _mm_set1_epi8('<' ^ '>')), _mm_set1_epi8('>'));
      const __m128i ampersand = _mm_cmpeq_epi8(x, _mm_set1_epi8('&'));
      block.special |= Bits(_mm_or_si128(_mm_or_si128(control, angle), ampersand)) << shift;
    }
    return block;
  }

 private:
  static uint64_t Bits(__m128i x) { return static_cast<uint32_t>(_mm_movemask_epi8(x)); }
};

class PlainSkipper {
 public:
  // Reads the next 64 bytes. Returns whether the text is plain so far.
  bool Read(const PlainBlock& block, int max_depth) {
    const uint64_t escaped = Escaped(block.backslashes, escape_carry_);
    const uint64_t quotes = block.quotes & ~escaped;
    const uint64_t in_string = Sse2Block::PrefixXor(quotes) ^ string_carry_;
    string_carry_ = static_cast<uint64_t>(static_cast<int64_t>(in_string) >> 63);
    const uint64_t begins = quotes & in_string;
    const uint64_t ends = quotes & ~in_string;
    const uint64_t opens = block.opens & ~in_string;
    const uint64_t closes = block.closes & ~in_string;
    const uint64_t colons = block.colons & ~in_string;
    const uint64_t commas = block.commas & ~in_string;
    if (depth_ + std::popcount(opens) > max_depth) return false;
    const uint64_t valid = UpToEnd(opens, closes);
    const uint64_t wrong =
        (in_string & block.special) | (escaped & ~(block.quotes | block.backslashes)) |
        ~(in_string | ends | opens | closes | colons | commas) |
        (After(opens, open_carry_) & ~(begins | closes)) | (After(ends, end_carry_) & ~colons) |
        (After(colons, colon_carry_) & ~opens) |
        (After(closes, close_carry_) & ~(commas | closes)) |
        (After(commas, comma_carry_) & ~begins);
    return (wrong & valid) == 0;
  }

  // Returns the position after the object in the last 64 bytes, or 0 if it did not end.
  int end() const { return end_; }

 private:
  // Returns the mask of what follows the characters of `mask`.
  static uint64_t After(uint64_t mask, uint64_t& carry) {
    const uint64_t after = (mask << 1) | carry;
    carry = mask >> 63;
    return after;
  }

  // Counts brackets, and returns the mask of the bytes up to the end of the object.
  uint64_t UpToEnd(uint64_t opens, uint64_t closes) {
    const int close_count = std::popcount(closes);
    if (depth_ > close_count || (depth_ > 0 && closes == 0)) {
      depth_ += std::popcount(opens) - close_count;
      return ~uint64_t{0};
    }
    for (uint64_t rest = opens | closes; rest != 0; rest &= rest - 1) {
      if ((opens & rest & (~rest + 1)) != 0) {
        ++depth_;
      } else if (--depth_ == 0) {
        const int at = std::countr_zero(rest);
        end_ = at + 1;
        return ~uint64_t{0} >> (63 - at);
      }
    }
    return ~uint64_t{0};
  }

  int depth_ = 0;
  int end_ = 0;
  uint64_t escape_carry_ = 0;
  uint64_t string_carry_ = 0;
  uint64_t open_carry_ = 0;
  uint64_t end_carry_ = 0;
  uint64_t colon_carry_ = 0;
  uint64_t close_carry_ = 0;
  uint64_t comma_carry_ = 0;
};
#endif

bool IsHexDigit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Returns whether `c` may follow a backslash.
bool IsEscape(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
      return true;
    default:
      return false;
  }
}

class Skipper {
 public:
  Skipper(const char* end, int max_depth, const char** error)
      : end_(end),
        max_depth_(max_depth < kMaxJsonDepth ? max_depth : kMaxJsonDepth),
        error_(error) {}

  const char* Skip(const char* p) {
    for (;;) {
      // At a value.
      p = Open(p);
      if (p == nullptr) return nullptr;
      if (opened_) continue;
      // After a value.
      do {
        if (depth_ == 0) return p;
        p = Close(SkipSpace(p));
        if (p == nullptr) return nullptr;
      } while (closed_);
    }
  }

 private:
  // Reads a scalar or an empty object or array and returns the position after it. Of any other
  // object or array reads the start and returns the position of its first value, with opened_.
  const char* Open(const char* p) {
    opened_ = false;
    switch (*p) {
      case '"':
        return String(p);
      case 't':
        return Literal(p, "true", 4);
      case 'f':
        return Literal(p, "false", 5);
      case 'n':
        return Literal(p, "null", 4);
      case '{':
      case '[':
        return OpenNested(p);
      default: {
        const char* after = ScanNumber(p).after;
        return after != nullptr ? after : Fail(p);
      }
    }
  }

  const char* OpenNested(const char* p) {
    const bool object = *p == '{';
    const char* start = p;
    p = SkipSpace(p + 1);
    // "[]" is one level deep, as in Go.
    if (depth_ >= max_depth_) return Fail(start);
    if (*p == (object ? '}' : ']')) return p + 1;
    const uint64_t bit = uint64_t{1} << (depth_ % 64);
    uint64_t& word = is_object_[depth_ / 64];
    word = object ? word | bit : word & ~bit;
    ++depth_;
    opened_ = true;
    return object ? Name(p) : p;
  }

  // At a comma, returns the position of the next value. At the matching bracket, returns the
  // position after it, with closed_.
  const char* Close(const char* p) {
    closed_ = false;
    const int innermost = depth_ - 1;
    const bool object = (is_object_[innermost / 64] >> (innermost % 64) & 1) != 0;
    if (*p == ',') {
      p = SkipSpace(p + 1);
      return object ? Name(p) : p;
    }
    if (*p != (object ? '}' : ']')) return Fail(p);
    --depth_;
    closed_ = true;
    return p + 1;
  }

  const char* Name(const char* p) {
    if (*p != '"') return Fail(p);
    p = String(p);
    if (p == nullptr) return nullptr;
    p = SkipSpace(p);
    return *p == ':' ? SkipSpace(p + 1) : Fail(p);
  }

  const char* String(const char* p) {
    ++p;
    for (;;) {
      p = JsonScan::FindSpecial(p);
      if (p >= end_) return Fail(end_);
      if (*p == '"') return p + 1;
      if (*p != '\\') return Fail(p);
      p = Escape(p);
      if (p == nullptr) return nullptr;
    }
  }

  const char* Escape(const char* p) {
    if (p[1] != 'u') return IsEscape(p[1]) ? p + 2 : Fail(p + 1 < end_ ? p : end_);
    for (int i = 2; i < 6; ++i) {
      if (!IsHexDigit(p[i])) return Fail(p + i < end_ ? p : end_);
    }
    return p + 6;
  }

  const char* Literal(const char* p, const char* text, size_t size) {
    return std::memcmp(p, text, size) == 0 ? p + size : Fail(p);
  }

  const char* Fail(const char* p) {
    *error_ = p;
    return nullptr;
  }

  const char* const end_;
  const int max_depth_;
  const char** const error_;
  int depth_ = 0;
  bool opened_ = false;
  bool closed_ = false;
  uint64_t is_object_[kMaxJsonDepth / 64 + 1];  // one bit per open level; others are undefined
};

}  // namespace

#if defined(__x86_64__)
const char* Sse2Scan::SkipNested(Nesting& nesting, const char* p, const char* end) {
  return SkipBlocks<Sse2Block>(nesting, p, end);
}

[[gnu::target("avx2,pclmul,popcnt,bmi")]] const char* Avx2Scan::SkipNested(Nesting& nesting,
                                                                           const char* p,
                                                                           const char* end) {
  return SkipBlocks<Avx2Block>(nesting, p, end);
}
#endif

const char* SkipValue(const char* p, const char* end, int max_depth, const char** error) {
  return Skipper(end, max_depth, error).Skip(p);
}

#if defined(__x86_64__)
const char* SkipPlainObject(const char* p, const char* end, int max_depth) {
  if (p == end || *p != '{') return nullptr;
  PlainSkipper skipper;
  for (; end - p >= 64; p += 64) {
    if (!skipper.Read(PlainBlock::Load(p), max_depth)) return nullptr;
    if (skipper.end() != 0) return p + skipper.end();
  }
  // Zeros end every string, and are nothing outside of strings.
  char rest[64] = {};
  std::memcpy(rest, p, static_cast<size_t>(end - p));
  if (!skipper.Read(PlainBlock::Load(rest), max_depth) || skipper.end() == 0) return nullptr;
  return p + skipper.end();
}
#else
const char* SkipPlainObject(const char*, const char*, int) { return nullptr; }
#endif

}  // namespace kube::codec::internal
