#include "apimachinery/validation/ip.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/validation/internal/ip_text.h"

namespace kube::validation {

using internal::IpAddress;
using internal::IpNetwork;
using text::Quoted;

namespace {

// Returns whether this is an IPv4 address that was written as an IPv6 address.
bool IsMapped(const IpAddress& ip) { return ip.is_v4() && !ip.v4_text; }

field::Error Invalid(const field::Path& path, absl::string_view value, absl::string_view detail) {
  return field::Invalid(path, std::string(value), detail);
}

field::ErrorList CheckCanonical(const field::Path& path, absl::string_view value,
                                absl::string_view canonical) {
  if (value == canonical) return {};
  return {
      Invalid(path, value, absl::StrCat("must be in canonical form (", Quoted(canonical), ")"))};
}

struct CheckedIp {
  std::optional<IpAddress> ip;
  field::ErrorList errors = {};
};

CheckedIp CheckIp(const field::Path& path, absl::string_view value, bool strict) {
  CheckedIp checked = {.ip = internal::ParseIp(value)};
  absl::string_view wrong;
  if (!checked.ip.has_value()) {
    wrong = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
  } else if (strict && checked.ip->leading_zeros) {
    wrong = "must not have leading 0s";
  } else if (strict && IsMapped(*checked.ip)) {
    wrong = "must not be an IPv4-mapped IPv6 address";
  }
  if (!wrong.empty()) checked.errors.push_back(Invalid(path, value, wrong));
  return checked;
}

struct CheckedCidr {
  std::optional<IpNetwork> network;
  field::ErrorList errors = {};
};

CheckedCidr CheckCidr(const field::Path& path, absl::string_view value, bool strict) {
  CheckedCidr checked = {.network = internal::ParseCidr(value)};
  const std::optional<IpNetwork>& network = checked.network;
  absl::string_view wrong;
  if (!network.has_value()) {
    wrong = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
  } else if (!strict) {
    return checked;
  } else if (network->leading_zeros || network->address.leading_zeros) {
    wrong = "must not have leading 0s in IP or prefix length";
  } else if (IsMapped(network->address)) {
    wrong = "must not have an IPv4-mapped IPv6 address";
  } else if (network->address.bytes != network->Masked().bytes) {
    wrong = "must not have bits set beyond the prefix length";
  }
  if (!wrong.empty()) checked.errors.push_back(Invalid(path, value, wrong));
  return checked;
}

bool IsOld(const LegacyIpOptions& options, absl::string_view value) {
  return std::find(options.valid_old.begin(), options.valid_old.end(), value) !=
         options.valid_old.end();
}

std::string Warning(const field::Path& path, absl::string_view before, absl::string_view value,
                    absl::string_view between, absl::string_view better, absl::string_view after) {
  return absl::StrCat(path.ToString(), ": ", before, " ", Quoted(value), " ", between,
                      Quoted(better), after);
}

}  // namespace

field::ErrorList IsValidIp(const field::Path& path, absl::string_view value) {
  CheckedIp checked = CheckIp(path, value, true);
  if (checked.errors.empty()) {
    checked.errors = CheckCanonical(path, value, checked.ip->ToString());
  }
  return field::WithOrigin(std::move(checked.errors), "format=ip-strict");
}

field::ErrorList IsValidIpForLegacyField(const field::Path& path, absl::string_view value,
                                         const LegacyIpOptions& options) {
  if (IsOld(options, value)) return {};
  return field::WithOrigin(CheckIp(path, value, options.strict).errors, "format=ip-sloppy");
}

field::ErrorList IsValidCidr(const field::Path& path, absl::string_view value) {
  CheckedCidr checked = CheckCidr(path, value, true);
  if (!checked.errors.empty()) return std::move(checked.errors);
  return CheckCanonical(path, value, checked.network->ToString());
}

field::ErrorList IsValidCidrForLegacyField(const field::Path& path, absl::string_view value,
                                           const LegacyIpOptions& options) {
  if (IsOld(options, value)) return {};
  return CheckCidr(path, value, options.strict).errors;
}

field::ErrorList IsValidInterfaceAddress(const field::Path& path, absl::string_view value) {
  const std::optional<IpNetwork> network = internal::ParseCidr(value);
  if (!network.has_value()) {
    return {Invalid(path, value,
                    "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)")};
  }
  // "::ffff:192.168.0.1/120" is "192.168.0.1/24". For shorter prefixes upstream keeps the length.
  const int prefix = network->prefix;
  const bool mapped = network->address.is_v4() && prefix > 32;
  return CheckCanonical(
      path, value, absl::StrCat(network->address.ToString(), "/", mapped ? prefix - 96 : prefix));
}

std::vector<std::string> GetWarningsForIp(const field::Path& path, absl::string_view value) {
  const std::optional<IpAddress> ip = internal::ParseIp(value);
  if (!ip.has_value()) return {};
  const std::string canonical = ip->ToString();
  if (ip->leading_zeros || IsMapped(*ip)) {
    return {Warning(path, "non-standard IP address", value, "is invalid: use ", canonical, "")};
  }
  if (ip->v4_text || value == canonical) return {};
  return {Warning(path, "IPv6 address", value, "should be in RFC 5952 canonical format (",
                  canonical, ")")};
}

std::vector<std::string> GetWarningsForCidr(const field::Path& path, absl::string_view value) {
  const std::optional<IpNetwork> network = internal::ParseCidr(value);
  if (!network.has_value()) return {};
  const IpAddress& ip = network->address;
  const std::string canonical = network->ToString();
  std::vector<std::string> warnings;
  if (ip.bytes != network->Masked().bytes) {
    const std::string single = absl::StrCat(ip.ToString(), "/", network->address_bits());
    warnings.push_back(Warning(path, "CIDR value", value,
                               "is ambiguous in this context (should be ", canonical,
                               absl::StrCat(" or ", Quoted(single), "?)")));
  }
  if (network->leading_zeros || ip.leading_zeros || IsMapped(ip)) {
    warnings.push_back(
        Warning(path, "non-standard CIDR value", value, "is invalid: use ", canonical, ""));
  }
  if (warnings.empty() && !ip.v4_text && value != canonical) {
    warnings.push_back(Warning(path, "IPv6 CIDR value", value,
                               "should be in RFC 5952 canonical format (", canonical, ")"));
  }
  return warnings;
}

}  // namespace kube::validation
