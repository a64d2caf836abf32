#ifndef APIMACHINERY_VALIDATION_INTERNAL_IP_TEXT_H_
#define APIMACHINERY_VALIDATION_INTERNAL_IP_TEXT_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

// IP addresses and networks as text, as Kubernetes has always read them: with leading zeros, which
// are decimal. (k8s.io/utils/net: ParseIPSloppy, ParseCIDRSloppy) Pure functions: thread-safe.
namespace kube::validation::internal {

struct IpAddress {
  // An IPv4 address is the last four, after ::ffff:0:0/96.
  std::array<uint8_t, 16> bytes = {};
  // It was written as 1.2.3.4, and not as ::ffff:1.2.3.4.
  bool v4_text = false;
  // A number has zeros that net/netip refuses.
  bool leading_zeros = false;

  // Whether it is an IPv4 address, however it was written. (net.IP.To4)
  bool is_v4() const;
  // Canonical: 1.2.3.4 of IPv4, RFC 5952 of IPv6. (net.IP.String)
  std::string ToString() const;
};

struct IpNetwork {
  IpAddress address;           // as it was written, with all bits
  int prefix = 0;              // as it was written
  bool leading_zeros = false;  // in the prefix's length

  int address_bits() const { return address.v4_text ? 32 : 128; }
  // The address without the bits after the prefix.
  IpAddress Masked() const;
  // Of the masked address, canonical. (net.IPNet.String)
  std::string ToString() const;
};

std::optional<IpAddress> ParseIp(absl::string_view text);
std::optional<IpNetwork> ParseCidr(absl::string_view text);

}  // namespace kube::validation::internal

#endif  // APIMACHINERY_VALIDATION_INTERNAL_IP_TEXT_H_
