#ifndef APIMACHINERY_VALIDATION_IP_H_
#define APIMACHINERY_VALIDATION_IP_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// IP addresses and networks. (pkg/util/validation/ip.go)
//
// Kubernetes once took "010.0.0.1" for 10.0.0.1, where others read it as octal, and
// "::ffff:10.0.0.1" for another address than 10.0.0.1, which it is not. New fields take canonical
// text only; the old ones, which the "legacy" functions check, take any text that is unambiguous.
// Pure functions: thread-safe.
namespace kube::validation {

// "10.9.8.7", "2001:db8::ffff", canonical.
[[nodiscard]] field::ErrorList IsValidIp(const field::Path& path, absl::string_view value);

// Of the form <subnet>/<bits>, as "192.168.1.0/24", canonical and without bits after the prefix.
[[nodiscard]] field::ErrorList IsValidCidr(const field::Path& path, absl::string_view value);

// "192.168.1.5/24": an address within its network, canonical.
[[nodiscard]] field::ErrorList IsValidInterfaceAddress(const field::Path& path,
                                                       absl::string_view value);

struct LegacyIpOptions {
  // Refuse leading zeros, IPv4 written as IPv6, and bits set after a network's prefix, as servers
  // do by default since 1.36 (feature gate StrictIPCIDRValidation). Default: true.
  bool strict = true;
  // In an update: texts that the old object has, which stay valid whatever they are.
  absl::Span<const std::string> valid_old = {};
};

// For the fields that had addresses before there was strict validation: not canonical ones, such as
// "FE80:0abc:0:0:0:0:0:0", are valid.
[[nodiscard]] field::ErrorList IsValidIpForLegacyField(const field::Path& path,
                                                       absl::string_view value,
                                                       const LegacyIpOptions& options = {});
[[nodiscard]] field::ErrorList IsValidCidrForLegacyField(const field::Path& path,
                                                         absl::string_view value,
                                                         const LegacyIpOptions& options = {});

// What a server warns of in a value that is valid in a legacy field, and how to write it instead.
// Nothing for values that are not valid.
std::vector<std::string> GetWarningsForIp(const field::Path& path, absl::string_view value);
std::vector<std::string> GetWarningsForCidr(const field::Path& path, absl::string_view value);

}  // namespace kube::validation

#endif  // APIMACHINERY_VALIDATION_IP_H_
