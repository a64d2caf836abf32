#include "apimachinery/base/text/base64.h"

#include <array>
#include <cstdint>

namespace kube::text {
namespace {

constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// The six bits of a character, shifted to their position in a group of 24, for each of the four
// places in a group. kInvalid, with all bits set, for characters outside the alphabet: any such
// character makes the bitwise OR of a group equal to kInvalid.
constexpr uint32_t kInvalid = 0xFFFF'FFFF;
using Table = std::array<std::array<uint32_t, 256>, 4>;

constexpr Table MakeTable() {
  Table table = {};
  for (int place = 0; place < 4; ++place) {
    for (uint32_t& bits : table[place]) bits = kInvalid;
    for (uint32_t i = 0; i < 64; ++i) {
      table[place][static_cast<unsigned char>(kAlphabet[i])] = i << (18 - 6 * place);
    }
  }
  return table;
}
constexpr Table kTable = MakeTable();

uint32_t BitsOf(char c, int place) { return kTable[place][static_cast<unsigned char>(c)]; }

char* WriteGroup(uint32_t bits, char* out) {
  out[0] = static_cast<char>(bits >> 16);
  out[1] = static_cast<char>(bits >> 8);
  out[2] = static_cast<char>(bits);
  return out + 3;
}

const char* SkipNewlines(const char* p, const char* end) {
  while (p != end && (*p == '\r' || *p == '\n')) ++p;
  return p;
}

// Decodes a group that contains newlines, or the last group. Advances `p` and `out`; returns false
// if the text is not base64.
bool DecodeOddGroup(const char*& p, const char* end, char*& out) {
  uint32_t bits = 0;
  int place = 0;
  for (; place < 4; ++place) {
    p = SkipNewlines(p, end);
    if (p == end) return place == 0;
    const uint32_t more = BitsOf(*p, place);
    if (more == kInvalid) break;
    bits |= more;
    ++p;
  }
  if (place == 4) {
    out = WriteGroup(bits, out);
    return true;
  }
  // Two or three characters are left, followed by padding up to four, and then the end of the text.
  if (place < 2) return false;
  for (int i = place; i < 4; ++i) {
    if (p == end || *p != '=') return false;
    p = SkipNewlines(p + 1, end);
  }
  *out++ = static_cast<char>(bits >> 16);
  if (place == 3) *out++ = static_cast<char>(bits >> 8);
  return p == end;
}

}  // namespace

std::optional<size_t> DecodeBase64(absl::string_view text, char* out) {
  const char* p = text.data();
  const char* const end = p + text.size();
  char* next = out;
  while (p != end) {
    while (end - p >= 4) {
      const uint32_t bits = BitsOf(p[0], 0) | BitsOf(p[1], 1) | BitsOf(p[2], 2) | BitsOf(p[3], 3);
      if (bits == kInvalid) break;
      next = WriteGroup(bits, next);
      p += 4;
    }
    if (!DecodeOddGroup(p, end, next)) return std::nullopt;
  }
  return next - out;
}

char* EncodeBase64(absl::string_view bytes, char* out) {
  const auto* p = reinterpret_cast<const unsigned char*>(bytes.data());
  size_t left = bytes.size();
  for (; left >= 3; left -= 3, p += 3) {
    const uint32_t bits = uint32_t{p[0]} << 16 | uint32_t{p[1]} << 8 | p[2];
    *out++ = kAlphabet[bits >> 18];
    *out++ = kAlphabet[bits >> 12 & 63];
    *out++ = kAlphabet[bits >> 6 & 63];
    *out++ = kAlphabet[bits & 63];
  }
  if (left == 0) return out;
  const uint32_t bits = uint32_t{p[0]} << 16 | (left == 2 ? uint32_t{p[1]} << 8 : 0);
  *out++ = kAlphabet[bits >> 18];
  *out++ = kAlphabet[bits >> 12 & 63];
  *out++ = left == 2 ? kAlphabet[bits >> 6 & 63] : '=';
  *out++ = '=';
  return out;
}

}  // namespace kube::text
