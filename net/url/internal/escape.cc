#include "net/url/internal/escape.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"

namespace kube::url::internal {
namespace {

using Bits = uint8_t;

constexpr Bits Bit(Part part) { return static_cast<Bits>(1 << static_cast<int>(part)); }

// Marks the bytes that are valid in an encoded path or fragment, in addition to those that Escape
// leaves as they are. (Go: `validEncoded`)
constexpr Bits kKept = 0x80;

// For each byte, the parts in which it need not be escaped. (Go: `shouldEscape`)
constexpr std::array<Bits, 256> MakeTable() {
  std::array<Bits, 256> table = {};
  const auto set = [&table](const char* bytes, Bits bits) {
    for (; *bytes != '\0'; ++bytes) table[static_cast<unsigned char>(*bytes)] |= bits;
  };
  const Bits host = Bit(Part::kHost) | Bit(Part::kZone);
  set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~", 0xff);
  set("!$&'()*+,;=:[]<>\"", host);
  set("$&+,/:;=@", Bit(Part::kPath));
  set("$&+,;=", Bit(Part::kUser));
  set("$&+,/:;=?@!()*", Bit(Part::kFragment));
  set("!$&'()*+,;=:@[]%", kKept);
  return table;
}
constexpr std::array<Bits, 256> kTable = MakeTable();

Bits BitsOf(char c) { return kTable[static_cast<unsigned char>(c)]; }

bool MustEscape(char c, Part part) { return (BitsOf(c) & Bit(part)) == 0; }

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const int lower = c | 0x20;
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// In hosts, only bytes beyond ASCII and the percent sign of a zone (RFC 6874) may be escaped; in
// zones also the bytes that a host may have, and the spaces that Windows uses.
bool MayBeEscaped(char byte, Part part) {
  if (part == Part::kHost) return byte == '%' || static_cast<unsigned char>(byte) >= 0x80;
  return part != Part::kZone || byte == '%' || byte == ' ' || !MustEscape(byte, Part::kHost);
}

absl::Status InvalidEscape() { return absl::InvalidArgumentError("invalid URL escape"); }

}  // namespace

std::string Escape(absl::string_view text, Part part) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  const auto more =
      std::count_if(text.begin(), text.end(), [part](char c) { return MustEscape(c, part); });
  if (more == 0) return std::string(text);
  std::string out;
  out.reserve(text.size() + 2 * static_cast<size_t>(more));
  for (const char c : text) {
    if (MustEscape(c, part)) {
      const auto byte = static_cast<unsigned char>(c);
      out.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
    } else {
      out.push_back(c);
    }
  }
  return out;
}

absl::StatusOr<std::string> Unescape(absl::string_view text, Part part) {
  const bool strict = part == Part::kHost || part == Part::kZone;
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != '%') {
      if (strict && static_cast<unsigned char>(c) < 0x80 && MustEscape(c, part)) {
        return absl::InvalidArgumentError("invalid character in host name");
      }
      out.push_back(c);
      continue;
    }
    if (text.size() - i < 3) return InvalidEscape();
    const int high = HexDigit(text[i + 1]);
    const int low = HexDigit(text[i + 2]);
    if (high < 0 || low < 0) return InvalidEscape();
    const char byte = static_cast<char>(high << 4 | low);
    if (!MayBeEscaped(byte, part)) return InvalidEscape();
    out.push_back(byte);
    i += 2;
  }
  return out;
}

absl::StatusOr<std::string> Normalize(absl::string_view escaped, Part part) {
  bool has_escapes = false;
  bool keep = true;
  for (const char c : escaped) {
    has_escapes |= c == '%';
    keep &= (BitsOf(c) & (Bit(part) | kKept)) != 0;
  }
  if (keep && !has_escapes) return std::string(escaped);
  KUBE_ASSIGN_OR_RETURN(const std::string plain, Unescape(escaped, part));
  return keep ? std::string(escaped) : Escape(plain, part);
}

}  // namespace kube::url::internal
