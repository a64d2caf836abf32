#ifndef APIMACHINERY_CRD_SCHEMA_INTERNAL_IP_FORMATS_H_
#define APIMACHINERY_CRD_SCHEMA_INTERNAL_IP_FORMATS_H_

#include "absl/strings/string_view.h"

// IP and MAC addresses, as the formats of schemas accept them. Pure and thread-safe.
namespace kube::crd_schema::internal {

// Accepts dotted addresses with leading zeros, as Go did before 1.17 (Go:
// `netutils.ParseIPSloppy`).
bool IsSloppyIpv4(absl::string_view text);
// Accept no leading zeros (Go: `net.ParseIP`).
bool IsStrictIp(absl::string_view text);
bool IsStrictIpv6(absl::string_view text);
// Go: `netutils.ParseCIDRSloppy`.
bool IsSloppyCidr(absl::string_view text);
// Accepts addresses of 6, 8 or 20 bytes (Go: `net.ParseMAC`).
bool IsMac(absl::string_view text);

}  // namespace kube::crd_schema::internal

#endif  // APIMACHINERY_CRD_SCHEMA_INTERNAL_IP_FORMATS_H_
