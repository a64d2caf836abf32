#ifndef APIMACHINERY_VALIDATION_VALUE_H_
#define APIMACHINERY_VALIDATION_VALUE_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "apimachinery/validation/messages.h"

// Checks ports, keys, variables and other small values (client-go: `pkg/util/validation`,
// `pkg/api/validate/content`).
//
// Each function returns one message per broken rule; the result is empty if the value is valid.
// Checking a valid value allocates no memory. Pure functions: thread-safe.
namespace kube::validation {

// 1 to 65535.
[[nodiscard]] Messages IsValidPortNum(int port);

// "http": the name of a port, with 1 to 15 characters and at least one letter.
[[nodiscard]] Messages IsValidPortName(absl::string_view port);

// The range includes both ends.
[[nodiscard]] Messages IsInRange(int value, int min, int max);

// Unix ids: 0 to 2^31 - 1.
[[nodiscard]] Messages IsValidGroupId(int64_t gid);
[[nodiscard]] Messages IsValidUserId(int64_t uid);

// "my_name": names of devices, and names in CEL.
[[nodiscard]] Messages IsCIdentifier(absl::string_view value);

// "50%", "100%", "9999%".
[[nodiscard]] Messages IsValidPercent(absl::string_view percent);

// "X-Header-Name" (client-go: `IsHTTPHeaderName`).
[[nodiscard]] Messages IsHttpHeaderName(absl::string_view value);

// "MY_ENV.NAME". Servers check names by the relaxed rule: printable ASCII without '='. The strict
// rule is the older one.
[[nodiscard]] Messages IsEnvVarName(absl::string_view value);
[[nodiscard]] Messages IsRelaxedEnvVarName(absl::string_view value);

// "key.name": keys of ConfigMaps and Secrets, which become file names.
[[nodiscard]] Messages IsConfigMapKey(absl::string_view value);

// Check whether `name` can stand in a URL's path as it is: without "/" and "%", and neither "." nor
// "..". A prefix may be "." or "..", because more characters follow. (client-go:
// `path.IsValidPathSegmentName`)
[[nodiscard]] Messages IsValidPathSegmentName(absl::string_view name);
[[nodiscard]] Messages IsValidPathSegmentPrefix(absl::string_view name);

// "0", "123", "-456": without a plus sign and leading zeros, of any length (client-go:
// `content.IsDecimalInteger`).
[[nodiscard]] Messages IsDecimalInteger(absl::string_view value);

}  // namespace kube::validation

#endif  // APIMACHINERY_VALIDATION_VALUE_H_
