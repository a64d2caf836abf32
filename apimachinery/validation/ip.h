#ifndef APIMACHINERY_VALIDATION_IP_H_
#define APIMACHINERY_VALIDATION_IP_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// Checks IP addresses and networks (client-go: `pkg/util/validation/ip.go`).
//
// Kubernetes used to read "010.0.0.1" as 10.0.0.1, which other software reads as octal, and to
// treat "::ffff:10.0.0.1" and 10.0.0.1 as different addresses, which they are not. New fields
// accept only canonical text. Old fields, which the "legacy" functions check, accept any text that
// is unambiguous. Each function returns the errors of the value, or an empty list. Pure functions:
// thread-safe.
namespace kube::validation {

// "10.9.8.7", "2001:db8::ffff", in canonical form.
[[nodiscard]] field::ErrorList IsValidIp(const field::Path& path, absl::string_view value);

// <subnet>/<bits>, such as "192.168.1.0/24", in canonical form and without bits after the prefix.
[[nodiscard]] field::ErrorList IsValidCidr(const field::Path& path, absl::string_view value);

// "192.168.1.5/24": an address and its network's prefix length, in canonical form.
[[nodiscard]] field::ErrorList IsValidInterfaceAddress(const field::Path& path,
                                                       absl::string_view value);

// How fields are checked that existed before strict validation.
struct LegacyIpOptions {
  // Refuses leading zeros, IPv4 addresses written as IPv6, and bits set after a network's prefix,
  // as servers do by default since 1.36 (feature gate StrictIPCIDRValidation). Default: true.
  bool strict = true;
  // For an update: texts in the old object, which stay valid whatever they are. The strings must
  // outlive the call.
  absl::Span<const std::string> valid_old = {};
};

// For fields that existed before strict validation: text that is not canonical, such as
// "FE80:0abc:0:0:0:0:0:0", is valid.
[[nodiscard]] field::ErrorList IsValidIpForLegacyField(const field::Path& path,
                                                       absl::string_view value,
                                                       const LegacyIpOptions& options = {});
[[nodiscard]] field::ErrorList IsValidCidrForLegacyField(const field::Path& path,
                                                         absl::string_view value,
                                                         const LegacyIpOptions& options = {});

// Return the warnings that a server gives for a value that is valid in a legacy field, with a
// better spelling. Return nothing if the value is not valid.
std::vector<std::string> GetWarningsForIp(const field::Path& path, absl::string_view value);
std::vector<std::string> GetWarningsForCidr(const field::Path& path, absl::string_view value);

}  // namespace kube::validation

#endif  // APIMACHINERY_VALIDATION_IP_H_
