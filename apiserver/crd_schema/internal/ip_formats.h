#ifndef APISERVER_CRD_SCHEMA_INTERNAL_IP_FORMATS_H_
#define APISERVER_CRD_SCHEMA_INTERNAL_IP_FORMATS_H_

#include "absl/strings/string_view.h"

// Addresses as the formats of schemas take them. Pure functions: thread-safe.
namespace kube::crd_schema::internal {

// With a dot; leading zeros pass, as before Go 1.17. (netutils.ParseIPSloppy)
bool IsSloppyIpv4(absl::string_view text);
// As net.ParseIP: no leading zeros.
bool IsStrictIp(absl::string_view text);
bool IsStrictIpv6(absl::string_view text);
// (netutils.ParseCIDRSloppy)
bool IsSloppyCidr(absl::string_view text);
// Of 6, 8 or 20 bytes. (net.ParseMAC)
bool IsMac(absl::string_view text);

}  // namespace kube::crd_schema::internal

#endif  // APISERVER_CRD_SCHEMA_INTERNAL_IP_FORMATS_H_
