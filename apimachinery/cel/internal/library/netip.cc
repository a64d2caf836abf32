#include "apimachinery/cel/internal/library/netip.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"

namespace kube::cel::internal {
namespace {

constexpr size_t kSize = 16;
constexpr size_t kV4Start = 12;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Returns the value of a hexadecimal digit, or -1.
int HexDigit(char c) {
  if (IsDigit(c)) return c - '0';
  const int lower = c | 0x20;
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Makes the errors for one text.
class Defect {
 public:
  explicit Defect(absl::string_view text) : text_(text) {}

  absl::Status operator()(absl::string_view message) const {
    return absl::InvalidArgumentError(
        absl::StrCat("ParseAddr(", text::Quoted(text_), "): ", message));
  }
  // `rest` is what was not parsed.
  absl::Status operator()(absl::string_view message, absl::string_view rest) const {
    return (*this)(absl::StrCat(message, " (at ", text::Quoted(rest), ")"));
  }

 private:
  const absl::string_view text_;
};

// Parses "1.2.3.4" into four bytes.
absl::Status ParseV4(absl::string_view text, const Defect& defect, absl::Span<uint8_t> bytes) {
  int value = 0;
  int digits = 0;
  size_t next = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (IsDigit(text[i])) {
      if (digits == 1 && value == 0) return defect("IPv4 field has octet with leading zero");
      value = value * 10 + (text[i] - '0');
      ++digits;
      if (value > 255) return defect("IPv4 field has value >255");
    } else if (text[i] != '.') {
      return defect("unexpected character", text.substr(i));
    } else if (i == 0 || i == text.size() - 1 || text[i - 1] == '.') {
      return defect("IPv4 field must have at least one digit", text.substr(i));
    } else if (next == 3) {
      return defect("IPv4 address too long");
    } else {
      bytes[next++] = static_cast<uint8_t>(value);
      value = 0;
      digits = 0;
    }
  }
  if (next < 3) return defect("IPv4 address too short");
  bytes[3] = static_cast<uint8_t>(value);
  return absl::OkStatus();
}

// Parses the groups of an IPv6 address, without its zone.
class V6Parser {
 public:
  V6Parser(absl::string_view rest, const Defect& defect) : rest_(rest), defect_(defect) {}

  absl::StatusOr<std::array<uint8_t, kSize>> Parse() {
    if (absl::StartsWith(rest_, "::")) {
      gap_ = 0;
      rest_.remove_prefix(2);
      if (rest_.empty()) return bytes_;
    }
    bool more = true;
    while (more && next_ < kSize) {
      KUBE_ASSIGN_OR_RETURN(more, TakeGroup());
    }
    if (!rest_.empty()) return defect_("trailing garbage after address", rest_);
    if (next_ < kSize) {
      if (!gap_.has_value()) return defect_("address string too short");
      std::rotate(bytes_.begin() + static_cast<ptrdiff_t>(*gap_),
                  bytes_.begin() + static_cast<ptrdiff_t>(next_), bytes_.end());
    } else if (gap_.has_value()) {
      return defect_("the :: must expand to at least one field of zeros");
    }
    return bytes_;
  }

 private:
  // Takes a group and the colon behind it. Returns whether there is more.
  absl::StatusOr<bool> TakeGroup() {
    size_t digits = 0;
    int value = 0;
    while (digits < rest_.size() && HexDigit(rest_[digits]) >= 0) {
      if (digits == 4) return defect_("each group must have 4 or less digits", rest_);
      value = value * 16 + HexDigit(rest_[digits]);
      ++digits;
    }
    if (digits == 0) {
      return defect_("each colon-separated field must have at least one digit", rest_);
    }
    if (digits < rest_.size() && rest_[digits] == '.') return TakeV4();
    bytes_[next_] = static_cast<uint8_t>(value >> 8);
    bytes_[next_ + 1] = static_cast<uint8_t>(value & 0xff);
    next_ += 2;
    rest_.remove_prefix(digits);
    if (rest_.empty()) return false;
    if (rest_[0] != ':') return defect_("unexpected character, want colon", rest_);
    if (rest_.size() == 1) return defect_("colon must be followed by more characters", rest_);
    rest_.remove_prefix(1);
    if (rest_[0] != ':') return true;
    if (gap_.has_value()) return defect_("multiple :: in address", rest_);
    gap_ = next_;
    rest_.remove_prefix(1);
    return !rest_.empty();
  }

  // Takes an IPv4 address in the place of the last two groups.
  absl::StatusOr<bool> TakeV4() {
    if (!gap_.has_value() && next_ != kV4Start) {
      return defect_("embedded IPv4 address must replace the final 2 fields of the address", rest_);
    }
    if (next_ + 4 > kSize) {
      return defect_("too many hex fields to fit an embedded IPv4 at the end of the address",
                     rest_);
    }
    KUBE_RETURN_IF_ERROR(ParseV4(rest_, defect_, absl::MakeSpan(bytes_).subspan(next_, 4)));
    next_ += 4;
    rest_ = "";
    return false;
  }

  absl::string_view rest_;
  const Defect& defect_;
  std::array<uint8_t, kSize> bytes_ = {};
  size_t next_ = 0;
  // Where :: stands.
  std::optional<size_t> gap_;
};

absl::StatusOr<IpAddr> ParseV6(absl::string_view text, const Defect& defect) {
  IpAddr address;
  const size_t percent = text.find('%');
  if (percent != absl::string_view::npos) {
    address.zone = std::string(text.substr(percent + 1));
    if (address.zone.empty()) return defect("zone must be a non-empty string");
  }
  KUBE_ASSIGN_OR_RETURN(address.bytes, V6Parser(text.substr(0, percent), defect).Parse());
  return address;
}

uint8_t V4Byte(const IpAddr& address, size_t i) { return address.bytes[kV4Start + i]; }

int Group(const IpAddr& address, size_t i) {
  return address.bytes[2 * i] << 8 | address.bytes[2 * i + 1];
}

std::string V4Text(const IpAddr& address) {
  return absl::StrCat(V4Byte(address, 0), ".", V4Byte(address, 1), ".", V4Byte(address, 2), ".",
                      V4Byte(address, 3));
}

// Returns the canonical text: the longest run of zeros is "::". (RFC 5952)
std::string V6Text(const IpAddr& address) {
  size_t zeros = 8;
  size_t zeros_end = 8;
  for (size_t i = 0; i < 8; ++i) {
    size_t end = i;
    while (end < 8 && Group(address, end) == 0) ++end;
    if (end - i >= 2 && end - i > zeros_end - zeros) {
      zeros = i;
      zeros_end = end;
    }
  }
  std::string out;
  for (size_t i = 0; i < 8; ++i) {
    if (i == zeros) {
      out += "::";
      i = zeros_end;
      if (i >= 8) break;
    } else if (i > 0) {
      out += ':';
    }
    absl::StrAppend(&out, absl::Hex(Group(address, i)));
  }
  return out;
}

// Returns the address in which an IPv4 address that is written as IPv6 is IPv4.
IpAddr Unmapped(IpAddr address) {
  if (!address.IsMapped()) return address;
  std::fill(address.bytes.begin(), address.bytes.begin() + kV4Start, uint8_t{0});
  address.is_v4 = true;
  address.zone.clear();
  return address;
}

}  // namespace

bool IpAddr::IsMapped() const {
  return !is_v4 && bytes[10] == 0xff && bytes[11] == 0xff &&
         std::all_of(bytes.begin(), bytes.begin() + 10, [](uint8_t byte) { return byte == 0; });
}

bool IpAddr::IsUnspecified() const {
  return zone.empty() && absl::c_all_of(bytes, [](uint8_t byte) { return byte == 0; });
}

bool IpAddr::IsLoopback() const {
  const IpAddr address = Unmapped(*this);
  if (address.is_v4) return V4Byte(address, 0) == 127;
  return address.bytes[15] == 1 && std::all_of(address.bytes.begin(), address.bytes.end() - 1,
                                               [](uint8_t byte) { return byte == 0; });
}

bool IpAddr::IsMulticast() const {
  const IpAddr address = Unmapped(*this);
  return address.is_v4 ? (V4Byte(address, 0) & 0xf0) == 0xe0 : address.bytes[0] == 0xff;
}

bool IpAddr::IsLinkLocalMulticast() const {
  const IpAddr address = Unmapped(*this);
  if (!address.is_v4) return (Group(address, 0) & 0xff0f) == 0xff02;
  return V4Byte(address, 0) == 224 && V4Byte(address, 1) == 0 && V4Byte(address, 2) == 0;
}

bool IpAddr::IsLinkLocalUnicast() const {
  const IpAddr address = Unmapped(*this);
  if (!address.is_v4) return (Group(address, 0) & 0xffc0) == 0xfe80;
  return V4Byte(address, 0) == 169 && V4Byte(address, 1) == 254;
}

bool IpAddr::IsGlobalUnicast() const {
  const IpAddr address = Unmapped(*this);
  const bool is_broadcast =
      address.is_v4 && std::all_of(address.bytes.begin() + kV4Start, address.bytes.end(),
                                   [](uint8_t byte) { return byte == 255; });
  return !is_broadcast && !address.IsUnspecified() && !address.IsLoopback() &&
         !address.IsMulticast() && !address.IsLinkLocalUnicast();
}

std::string IpAddr::ToString() const {
  if (is_v4) return V4Text(*this);
  return absl::StrCat(IsMapped() ? absl::StrCat("::ffff:", V4Text(*this)) : V6Text(*this),
                      zone.empty() ? "" : "%", zone);
}

bool IpPrefix::Contains(const IpAddr& other) const {
  if (other.is_v4 != address.is_v4 || !other.zone.empty()) return false;
  return IpPrefix{.address = other, .length = length}.Masked() == Masked();
}

IpPrefix IpPrefix::Masked() const {
  IpPrefix masked = *this;
  const size_t first = address.is_v4 ? kV4Start : 0;
  for (size_t i = first; i < kSize; ++i) {
    const int kept = std::clamp(length - 8 * static_cast<int>(i - first), 0, 8);
    masked.address.bytes[i] &= static_cast<uint8_t>(0xff00 >> kept);
  }
  return masked;
}

std::string IpPrefix::ToString() const { return absl::StrCat(address.ToString(), "/", length); }

absl::StatusOr<IpAddr> ParseIpAddr(absl::string_view text) {
  const Defect defect(text);
  const size_t mark = text.find_first_of(".:%");
  if (mark == absl::string_view::npos) return defect("unable to parse IP");
  if (text[mark] == '%') return defect("missing IPv6 address");
  if (text[mark] == ':') return ParseV6(text, defect);
  IpAddr address;
  address.is_v4 = true;
  KUBE_RETURN_IF_ERROR(ParseV4(text, defect, absl::MakeSpan(address.bytes).subspan(kV4Start, 4)));
  return address;
}

absl::StatusOr<IpPrefix> ParseIpPrefix(absl::string_view text) {
  const auto wrong = [text](absl::string_view message) {
    return absl::InvalidArgumentError(
        absl::StrCat("netip.ParsePrefix(", text::Quoted(text), "): ", message));
  };
  const size_t slash = text.rfind('/');
  if (slash == absl::string_view::npos) return wrong("no '/'");
  absl::StatusOr<IpAddr> address = ParseIpAddr(text.substr(0, slash));
  if (!address.ok()) return wrong(address.status().message());
  if (!address->zone.empty()) return wrong("IPv6 zones cannot be present in a prefix");
  const absl::string_view bits = text.substr(slash + 1);
  int length = 0;
  const bool is_number = !bits.empty() && absl::c_all_of(bits, IsDigit) &&
                         (bits.size() == 1 || bits[0] != '0') && absl::SimpleAtoi(bits, &length);
  if (!is_number) {
    // Go's int has 64 bits.
    const bool fits =
        bits.size() > 1 && bits.size() < 19 && bits[0] != '0' && absl::c_all_of(bits, IsDigit);
    return fits ? wrong("prefix length out of range")
                : wrong(absl::StrCat("bad bits after slash: ", text::Quoted(bits)));
  }
  if (length > address->bits()) return wrong("prefix length out of range");
  return IpPrefix{.address = *std::move(address), .length = length};
}

}  // namespace kube::cel::internal
