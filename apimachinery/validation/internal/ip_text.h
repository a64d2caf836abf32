#ifndef APIMACHINERY_VALIDATION_INTERNAL_IP_TEXT_H_
#define APIMACHINERY_VALIDATION_INTERNAL_IP_TEXT_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

// Parses IP addresses and networks as Kubernetes always has: leading zeros are allowed, and the
// numbers are decimal (client-go: `ParseIPSloppy` and `ParseCIDRSloppy` of `k8s.io/utils/net`).
// Pure functions: thread-safe.
namespace kube::validation::internal {

// A parsed address, and what is special about its text.
struct IpAddress {
  // An IPv4 address is in the last four bytes, after the prefix ::ffff:0:0/96.
  std::array<uint8_t, 16> bytes = {};
  // The text was 1.2.3.4, not ::ffff:1.2.3.4.
  bool v4_text = false;
  // A number has leading zeros, which net/netip refuses.
  bool leading_zeros = false;

  // Returns whether this is an IPv4 address, in either spelling (Go: `net.IP.To4`).
  bool is_v4() const;
  // Returns the canonical text: 1.2.3.4 for IPv4, RFC 5952 for IPv6 (Go: `net.IP.String`).
  std::string ToString() const;
};

// A parsed network: an address and the length of its prefix.
struct IpNetwork {
  IpAddress address;           // as it was written, with all bits
  int prefix = 0;              // as it was written
  bool leading_zeros = false;  // in the length of the prefix
  // The number of bits of an address in the spelling that was used.
  int address_bits() const { return address.v4_text ? 32 : 128; }
  // Returns the address with the bits after the prefix cleared.
  IpAddress Masked() const;
  // Returns the canonical text of the masked address and the length (Go: `net.IPNet.String`).
  std::string ToString() const;
};

// Return nullopt if the text is malformed.
std::optional<IpAddress> ParseIp(absl::string_view text);
std::optional<IpNetwork> ParseCidr(absl::string_view text);

}  // namespace kube::validation::internal

#endif  // APIMACHINERY_VALIDATION_INTERNAL_IP_TEXT_H_
