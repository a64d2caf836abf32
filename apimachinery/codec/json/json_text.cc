#include "apimachinery/codec/json/json_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/codec/internal/output_buffer.h"
#include "apimachinery/codec/json/json_scan.h"
#include "apimachinery/table/layout.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace kube::codec::internal {
namespace {

constexpr char kHex[] = "0123456789abcdef";

// The longest text for one character: \u2028.
constexpr size_t kMaxEscape = 6;

constexpr bool IsPlain(unsigned char c) {
  return c >= 0x20 && c < 0x80 && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&';
}

constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (int c = 0; c < 256; ++c) plain[c] = IsPlain(static_cast<unsigned char>(c));
  return plain;
}();

#ifdef __SSE2__
// Returns a bit for each byte that is not plain. Bytes from 0x80 are negative and so less than a
// space.
unsigned NotPlain(__m128i block) {
  const __m128i control = _mm_cmplt_epi8(block, _mm_set1_epi8(0x20));
  const __m128i quote = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
  const __m128i backslash = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
  const __m128i ampersand = _mm_cmpeq_epi8(block, _mm_set1_epi8('&'));
  // '<' and '>' differ in one bit, which '>' has set.
  const __m128i angle =
      _mm_cmpeq_epi8(_mm_or_si128(block, _mm_set1_epi8('<' ^ '>')), _mm_set1_epi8('>'));
  const __m128i any = _mm_or_si128(_mm_or_si128(_mm_or_si128(control, quote), angle),
                                   _mm_or_si128(backslash, ampersand));
  return static_cast<unsigned>(_mm_movemask_epi8(any));
}
#endif

char* WriteUnicodeEscape(char* out, unsigned code) {
  *out++ = '\\';
  *out++ = 'u';
  for (int shift = 12; shift >= 0; shift -= 4) *out++ = kHex[(code >> shift) & 15];
  return out;
}

// Writes the first character of `text`, which is not plain, and sets `size` to its size in `text`.
char* WriteSpecial(absl::string_view text, char* out, size_t& size) {
  const auto c = static_cast<unsigned char>(text[0]);
  size = 1;
  if (c < 0x80) {
    static constexpr absl::string_view kShort = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (size_t i = 0; i < kShort.size(); i += 2) {
      if (kShort[i] != text[0]) continue;
      *out++ = '\\';
      *out++ = kShort[i + 1];
      return out;
    }
    return WriteUnicodeEscape(out, c);
  }
  const text::Rune rune = text::DecodeRune(text);
  size = rune.size;
  if (rune.invalid()) return WriteUnicodeEscape(out, 0xFFFD);
  if (rune.value == 0x2028 || rune.value == 0x2029) return WriteUnicodeEscape(out, rune.value);
  std::memcpy(out, text.data(), rune.size);
  return out + rune.size;
}

}  // namespace

size_t CopyPlainPortable(absl::string_view text, char* out) {
  size_t i = 0;
  while (i < text.size() && kPlain[static_cast<unsigned char>(text[i])]) {
    out[i] = text[i];
    ++i;
  }
  return i;
}

size_t CopyPlain(absl::string_view text, char* out) {
#ifdef __SSE2__
  size_t i = 0;
  for (; i + 16 <= text.size(); i += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + i));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), block);
    if (const unsigned special = NotPlain(block); special != 0)
      return i + std::countr_zero(special);
  }
  if (i == text.size()) return i;
  if (i != 0) {
    // Compares the last 16 bytes, which overlap with the block before.
    const size_t last = text.size() - 16;
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + last));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + last), block);
    const unsigned special = NotPlain(block);
    return special == 0 ? text.size() : last + std::countr_zero(special);
  }
#endif
  return CopyPlainPortable(text, out);
}

char* WriteJsonString(OutputBuffer& buffer, char* out, absl::string_view text) {
  out = buffer.Reserve(out, text.size() + 18);
  *out++ = '"';
  while (true) {
    const size_t plain = CopyPlain(text, out);
    out += plain;
    if (plain == text.size()) break;
    text.remove_prefix(plain);
    out = buffer.Reserve(out, kMaxEscape + text.size() + 18);
    size_t size;
    out = WriteSpecial(text, out, size);
    text.remove_prefix(size);
  }
  *out++ = '"';
  return out;
}

char* WriteJsonString(OutputBuffer& buffer, char* out, const kube::table::StringRep& text) {
#ifdef __SSE2__
  if (text.is_inline()) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&text));
    const size_t size = text.size();
    if ((NotPlain(block) & ((1u << size) - 1)) == 0) {
      out = buffer.Reserve(out, 18);
      *out++ = '"';
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out), block);
      out += size;
      *out++ = '"';
      return out;
    }
  }
#endif
  return WriteJsonString(buffer, out, absl::string_view(text.data(), text.size()));
}

namespace {

// Reads one JSON value and writes it compactly, without recursion: `depth_` counts the open objects
// and arrays, and `objects_` has a bit for each that says which it is. `expect_value_` says whether
// the next token is a value or what follows one. Space for the rest of the input is reserved in
// advance, so only escapes that are longer than the original reserve more.
class Compactor {
 public:
  Compactor(OutputBuffer& buffer, absl::string_view json)
      : buffer_(buffer), in_(json.data()), end_(json.data() + json.size()) {}

  char* Run(char* out) {
    out = buffer_.Reserve(out, Slack());
    while (out != nullptr) {
      out = WriteToken(out);
      if (out != nullptr && depth_ == 0 && !expect_value_) break;
    }
    SkipSpace();
    return in_ == end_ ? out : nullptr;
  }

 private:
  // Go: encoding/json's `maxNestingDepth`.
  static constexpr size_t kMaxDepth = 10000;

  // Space for the rest of the input without changes, and for one escape. Reserved again after each
  // escape.
  size_t Slack() const { return static_cast<size_t>(end_ - in_) + kMaxEscape + 16; }

  void SkipSpace() {
    while (in_ != end_ && (*in_ == ' ' || *in_ == '\n' || *in_ == '\t' || *in_ == '\r')) ++in_;
  }

  // Writes a scalar, the start of an object or array, or what follows a value within one.
  char* WriteToken(char* out) {
    SkipSpace();
    if (in_ == end_) return nullptr;
    if (expect_value_) return WriteValue(out);
    const bool object = InObject();
    const char c = *in_++;
    *out++ = c;
    if (c == ',') {
      expect_value_ = true;
      return object ? WriteKey(out) : out;
    }
    if (c != (object ? '}' : ']')) return nullptr;
    --depth_;
    return out;
  }

  char* WriteValue(char* out) {
    expect_value_ = false;
    switch (*in_) {
      case '{':
        return Open(out, true, '}');
      case '[':
        return Open(out, false, ']');
      case '"':
        return WriteString(out);
      case 't':
        return WriteLiteral(out, "true");
      case 'f':
        return WriteLiteral(out, "false");
      case 'n':
        return WriteLiteral(out, "null");
      default:
        return WriteNumber(out);
    }
  }

  char* Open(char* out, bool object, char close) {
    if (depth_ == kMaxDepth) return nullptr;
    const uint64_t bit = uint64_t{1} << (depth_ % 64);
    uint64_t& word = objects_[depth_ / 64];
    word = object ? word | bit : word & ~bit;
    *out++ = *in_++;
    SkipSpace();
    if (in_ != end_ && *in_ == close) {
      *out++ = *in_++;
      return out;
    }
    ++depth_;
    expect_value_ = true;
    return object ? WriteKey(out) : out;
  }

  char* WriteKey(char* out) {
    SkipSpace();
    if (in_ == end_ || *in_ != '"') return nullptr;
    out = WriteString(out);
    SkipSpace();
    if (out == nullptr || in_ == end_ || *in_ != ':') return nullptr;
    *out++ = *in_++;
    return out;
  }

  char* WriteString(char* out) {
    *out++ = *in_++;
    while (true) {
      const size_t plain = CopyPlain({in_, static_cast<size_t>(end_ - in_)}, out);
      in_ += plain;
      out += plain;
      if (in_ == end_) return nullptr;
      if (*in_ == '"') {
        *out++ = *in_++;
        return out;
      }
      out = *in_ == '\\' ? CopyEscape(out) : WriteOther(out);
      if (out == nullptr) return nullptr;
    }
  }

  char* CopyEscape(char* out) {
    *out++ = *in_++;
    if (in_ == end_ || std::strchr("\"\\/bfnrtu", *in_) == nullptr || *in_ == 0) return nullptr;
    const bool unicode = *in_ == 'u';
    *out++ = *in_++;
    for (int i = 0; unicode && i < 4; ++i) {
      if (in_ == end_ || !IsHex(*in_)) return nullptr;
      *out++ = *in_++;
    }
    return out;
  }

  static bool IsHex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  // Writes a character of a string that is not plain, not an escape and not the closing quote.
  char* WriteOther(char* out) {
    const auto c = static_cast<unsigned char>(*in_);
    if (c < 0x20) return nullptr;
    const bool separator = c == 0xE2 && end_ - in_ > 2 && in_[1] == '\x80' &&
                           (static_cast<unsigned char>(in_[2]) & 0xFE) == 0xA8;
    if (c >= 0x80 && !separator) {
      *out++ = *in_++;
      return out;
    }
    out = WriteUnicodeEscape(out, separator ? 0x2020u + (in_[2] & 15) : c);
    in_ += separator ? 3 : 1;
    return buffer_.Reserve(out, Slack());
  }

  char* WriteLiteral(char* out, absl::string_view literal) {
    const absl::string_view rest(in_, static_cast<size_t>(end_ - in_));
    if (rest.substr(0, literal.size()) != literal) return nullptr;
    std::memcpy(out, literal.data(), literal.size());
    in_ += literal.size();
    return out + literal.size();
  }

  char* CopyDigits(char* out) {
    if (in_ == end_ || !IsDigit(*in_)) return nullptr;
    while (in_ != end_ && IsDigit(*in_)) *out++ = *in_++;
    return out;
  }

  static bool IsDigit(char c) { return c >= '0' && c <= '9'; }

  char* WriteNumber(char* out) {
    if (*in_ == '-') *out++ = *in_++;
    if (in_ != end_ && *in_ == '0') {
      *out++ = *in_++;
    } else {
      out = CopyDigits(out);
    }
    if (out != nullptr && in_ != end_ && *in_ == '.') {
      *out++ = *in_++;
      out = CopyDigits(out);
    }
    if (out != nullptr && in_ != end_ && (*in_ == 'e' || *in_ == 'E')) {
      *out++ = *in_++;
      if (in_ != end_ && (*in_ == '+' || *in_ == '-')) *out++ = *in_++;
      out = CopyDigits(out);
    }
    return out;
  }

  bool InObject() const { return (objects_[(depth_ - 1) / 64] >> ((depth_ - 1) % 64) & 1) != 0; }

  OutputBuffer& buffer_;
  const char* in_;
  const char* const end_;
  bool expect_value_ = true;
  size_t depth_ = 0;
  // One bit per level: set for an object. Not initialised, because each level sets its own bit.
  uint64_t objects_[kMaxDepth / 64 + 1];
};

}  // namespace

char* WriteCompactJson(OutputBuffer& buffer, char* out, absl::string_view json) {
  const char* end = json.data() + json.size();
  const bool is_compact = SkipPlainObject(json.data(), end, kMaxJsonDepth) == end;
  if (!is_compact || json.empty()) return Compactor(buffer, json).Run(out);
  out = buffer.Reserve(out, json.size());
  std::memcpy(out, json.data(), json.size());
  return out + json.size();
}

std::string IndentJson(absl::string_view compact, absl::string_view indent) {
  std::string out;
  out.reserve(compact.size() * 2);
  size_t depth = 0;
  const auto new_line = [&] {
    out += '\n';
    for (size_t i = 0; i < depth; ++i) out.append(indent.data(), indent.size());
  };
  bool in_string = false;
  for (size_t i = 0; i < compact.size(); ++i) {
    const char c = compact[i];
    if (in_string) {
      out += c;
      if (c == '\\') out += compact[++i];
      in_string = c != '"';
      continue;
    }
    const bool empty = i + 1 < compact.size() && (compact[i + 1] == '}' || compact[i + 1] == ']');
    if (c == '}' || c == ']') {
      --depth;
      new_line();
    }
    out += c;
    if (c == '"') in_string = true;
    if (c == ':') out += ' ';
    if (c == ',') new_line();
    if ((c == '{' || c == '[') && empty) out += compact[++i];
    if ((c == '{' || c == '[') && !empty) {
      ++depth;
      new_line();
    }
  }
  return out;
}

}  // namespace kube::codec::internal
