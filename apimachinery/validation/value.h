#ifndef APIMACHINERY_VALIDATION_VALUE_H_
#define APIMACHINERY_VALIDATION_VALUE_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "apimachinery/validation/messages.h"

// Ports, keys, variables and other small values. (pkg/util/validation, pkg/api/validate/content)
//
// What is right costs no allocation. Pure functions: thread-safe.
namespace kube::validation {

// 1 to 65535.
[[nodiscard]] Messages IsValidPortNum(int port);

// "http": a name of a port, of 1 to 15 characters with a letter among them.
[[nodiscard]] Messages IsValidPortName(absl::string_view port);

// Both ends belong to it.
[[nodiscard]] Messages IsInRange(int value, int min, int max);

// Unix ids, 0 to 2^31 - 1.
[[nodiscard]] Messages IsValidGroupId(int64_t gid);
[[nodiscard]] Messages IsValidUserId(int64_t uid);

// "my_name": devices, and names in CEL.
[[nodiscard]] Messages IsCIdentifier(absl::string_view value);

// "50%", "100%", "9999%".
[[nodiscard]] Messages IsValidPercent(absl::string_view percent);

// "X-Header-Name". (IsHTTPHeaderName)
[[nodiscard]] Messages IsHttpHeaderName(absl::string_view value);

// "MY_ENV.NAME". Servers take what the relaxed one takes, printable ASCII without '=', and use the
// strict one for what they shall not refuse to older clients.
[[nodiscard]] Messages IsEnvVarName(absl::string_view value);
[[nodiscard]] Messages IsRelaxedEnvVarName(absl::string_view value);

// "key.name": keys of config maps and secrets, which become names of files.
[[nodiscard]] Messages IsConfigMapKey(absl::string_view value);

// Whether `name` can stand in a URL's path as it is: not "." or "..", without "/" and "%". A prefix
// may be "." and "..", since more follows. (path.IsValidPathSegmentName)
[[nodiscard]] Messages IsValidPathSegmentName(absl::string_view name);
[[nodiscard]] Messages IsValidPathSegmentPrefix(absl::string_view name);

// "0", "123", "-456": no plus, no leading zeros, any length. (content.IsDecimalInteger)
[[nodiscard]] Messages IsDecimalInteger(absl::string_view value);

}  // namespace kube::validation

#endif  // APIMACHINERY_VALIDATION_VALUE_H_
