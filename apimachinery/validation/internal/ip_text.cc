#include "apimachinery/validation/internal/ip_text.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace kube::validation::internal {
namespace {

constexpr size_t kV4Start = 12;

// Takes the decimal digits at the start of `text`. Returns nullopt if there are none, or the number
// is greater than `max`, which must be at most 0xFFFF.
std::optional<uint32_t> TakeDecimal(absl::string_view& text, uint32_t max, bool& leading_zeros) {
  size_t size = 0;
  uint32_t value = 0;
  for (; size < text.size() && absl::ascii_isdigit(text[size]); ++size) {
    value = value * 10 + (text[size] - '0');
    if (value > max) return std::nullopt;
  }
  if (size == 0) return std::nullopt;
  leading_zeros |= size > 1 && text[0] == '0';
  text.remove_prefix(size);
  return value;
}

std::optional<uint32_t> TakeHex(absl::string_view& text, bool& leading_zeros) {
  size_t size = 0;
  uint32_t value = 0;
  for (; size < text.size() && absl::ascii_isxdigit(text[size]); ++size) {
    const char c = absl::ascii_tolower(text[size]);
    value = value * 16 + (c <= '9' ? c - '0' : c - 'a' + 10);
    if (value > 0xFFFF) return std::nullopt;
  }
  if (size == 0) return std::nullopt;
  leading_zeros |= size > 4;
  text.remove_prefix(size);
  return value;
}

// Writes the four numbers to `out`.
bool ParseV4(absl::string_view text, uint8_t* out, bool& leading_zeros) {
  for (int i = 0; i < 4; ++i) {
    if (i > 0 && !absl::ConsumePrefix(&text, ".")) return false;
    const std::optional<uint32_t> number = TakeDecimal(text, 255, leading_zeros);
    if (!number.has_value()) return false;
    out[i] = static_cast<uint8_t>(*number);
  }
  return text.empty();
}

// Inserts the zeros that the "::" at `ellipsis` stands for; `used` bytes were written before.
bool ExpandEllipsis(std::array<uint8_t, 16>& bytes, std::optional<size_t> ellipsis, size_t used) {
  if (used == bytes.size()) return !ellipsis.has_value();
  if (!ellipsis.has_value()) return false;
  const auto tail = bytes.begin() + *ellipsis;
  std::rotate(tail, bytes.begin() + used, bytes.end());
  return true;
}

// Writes the groups from the front and remembers where the "::" was; ExpandEllipsis then moves the
// bytes after it to the end. An IPv4 address may stand in place of the last two groups.
std::optional<IpAddress> ParseV6(absl::string_view text) {
  IpAddress ip;
  std::optional<size_t> ellipsis;
  size_t used = 0;
  if (absl::ConsumePrefix(&text, "::")) {
    if (text.empty()) return ip;
    ellipsis = 0;
  }
  while (used < ip.bytes.size()) {
    const absl::string_view group_text = text;
    bool zeros = false;
    const std::optional<uint32_t> group = TakeHex(text, zeros);
    if (!group.has_value()) return std::nullopt;
    if (absl::StartsWith(text, ".")) {
      const bool place = ellipsis.has_value() ? used <= kV4Start : used == kV4Start;
      if (!place || !ParseV4(group_text, &ip.bytes[used], ip.leading_zeros)) return std::nullopt;
      text = {};
      used += 4;
      break;
    }
    ip.leading_zeros |= zeros;
    ip.bytes[used++] = static_cast<uint8_t>(*group >> 8);
    ip.bytes[used++] = static_cast<uint8_t>(*group);
    if (text.empty()) break;
    if (!absl::ConsumePrefix(&text, ":") || text.empty()) return std::nullopt;
    if (absl::ConsumePrefix(&text, ":")) {
      if (ellipsis.has_value()) return std::nullopt;
      ellipsis = used;
      if (text.empty()) break;
    }
  }
  if (!text.empty() || !ExpandEllipsis(ip.bytes, ellipsis, used)) return std::nullopt;
  return ip;
}

std::optional<IpAddress> ParseV4(absl::string_view text) {
  IpAddress ip = {.v4_text = true};
  ip.bytes[10] = ip.bytes[11] = 0xFF;
  if (!ParseV4(text, &ip.bytes[kV4Start], ip.leading_zeros)) return std::nullopt;
  return ip;
}

// As RFC 5952 demands, the first of the longest runs of zero groups becomes "::" if it is longer
// than one.
std::string V6Text(const std::array<uint8_t, 16>& bytes) {
  const auto group = [&](int i) { return bytes[2 * i] << 8 | bytes[2 * i + 1]; };
  int zeros_start = 8;
  int zeros_end = 8;
  for (int i = 0; i < 8; ++i) {
    int end = i;
    while (end < 8 && group(end) == 0) ++end;
    if (end - i > std::max(1, zeros_end - zeros_start)) {
      zeros_start = i;
      zeros_end = end;
    }
  }
  std::string text;
  for (int i = 0; i < 8; ++i) {
    if (i == zeros_start) {
      text += "::";
      i = zeros_end;
      if (i == 8) break;
    } else if (i > 0) {
      text += ':';
    }
    absl::StrAppend(&text, absl::Hex(group(i)));
  }
  return text;
}

}  // namespace

bool IpAddress::is_v4() const {
  return std::all_of(bytes.begin(), bytes.begin() + 10, [](uint8_t b) { return b == 0; }) &&
         bytes[10] == 0xFF && bytes[11] == 0xFF;
}

std::string IpAddress::ToString() const {
  if (!is_v4()) return V6Text(bytes);
  return absl::StrCat(bytes[12], ".", bytes[13], ".", bytes[14], ".", bytes[15]);
}

IpAddress IpNetwork::Masked() const {
  IpAddress masked = address;
  const int kept = prefix + 128 - address_bits();
  for (int i = 0; i < 16; ++i) {
    const int bits = std::clamp(kept - 8 * i, 0, 8);
    masked.bytes[i] &= static_cast<uint8_t>(0xFF00 >> bits);
  }
  return masked;
}

std::string IpNetwork::ToString() const {
  const IpAddress masked = Masked();
  const int length = masked.is_v4() && !address.v4_text ? prefix - 96 : prefix;
  return absl::StrCat(masked.ToString(), "/", length);
}

std::optional<IpAddress> ParseIp(absl::string_view text) {
  const size_t mark = text.find_first_of(".:");
  if (mark == absl::string_view::npos) return std::nullopt;
  return text[mark] == '.' ? ParseV4(text) : ParseV6(text);
}

std::optional<IpNetwork> ParseCidr(absl::string_view text) {
  const size_t slash = text.find('/');
  if (slash == absl::string_view::npos) return std::nullopt;
  std::optional<IpAddress> address = ParseV4(text.substr(0, slash));
  if (!address.has_value()) address = ParseV6(text.substr(0, slash));
  if (!address.has_value()) return std::nullopt;
  IpNetwork network = {.address = *address};
  absl::string_view length = text.substr(slash + 1);
  const std::optional<uint32_t> prefix =
      TakeDecimal(length, network.address_bits(), network.leading_zeros);
  if (!prefix.has_value() || !length.empty()) return std::nullopt;
  network.prefix = static_cast<int>(*prefix);
  return network;
}

}  // namespace kube::validation::internal
