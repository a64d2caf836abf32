#ifndef APIMACHINERY_CEL_INTERNAL_LIBRARY_NETIP_H_
#define APIMACHINERY_CEL_INTERNAL_LIBRARY_NETIP_H_

#include <array>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// IP addresses and networks as Go's package net/netip has them: leading zeros are not allowed.
// Errors have Go's words. Pure functions: thread-safe.
namespace kube::cel::internal {

// An address. (Go: `netip.Addr`)
struct IpAddr {
  // An IPv4 address is in the last four bytes; the others are zero.
  std::array<uint8_t, 16> bytes = {};
  bool is_v4 = false;
  std::string zone = {};  // "eth0" of fe80::1%eth0

  int bits() const { return is_v4 ? 32 : 128; }
  // Returns whether this is an IPv4 address that was written as ::ffff:1.2.3.4.
  bool IsMapped() const;
  bool IsUnspecified() const;
  bool IsLoopback() const;
  bool IsMulticast() const;
  bool IsLinkLocalMulticast() const;
  bool IsLinkLocalUnicast() const;
  bool IsGlobalUnicast() const;
  std::string ToString() const;

  friend bool operator==(const IpAddr&, const IpAddr&) = default;
};

// A network. (Go: `netip.Prefix`)
struct IpPrefix {
  IpAddr address = {};
  int length = 0;

  // Returns whether the address belongs to the network; not if only one of them is IPv4.
  bool Contains(const IpAddr& other) const;
  // Returns the network with the bits behind its prefix cleared.
  IpPrefix Masked() const;
  std::string ToString() const;

  friend bool operator==(const IpPrefix&, const IpPrefix&) = default;
};

// Return INVALID_ARGUMENT for a text that is no such thing.
absl::StatusOr<IpAddr> ParseIpAddr(absl::string_view text);
absl::StatusOr<IpPrefix> ParseIpPrefix(absl::string_view text);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_LIBRARY_NETIP_H_
