#ifndef APISERVER_INTERNAL_FLAG_PAIRS_H_
#define APISERVER_INTERNAL_FLAG_PAIRS_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace kube::apiserver::internal {

// Splits the value of a flag, "verb=create,times=3", and calls `set` with each key and its value. A
// key without "=" has an empty value. Returns the first error of `set`, or INVALID_ARGUMENT if a
// key is empty or stands twice.
absl::Status ReadFlagPairs(
    absl::string_view text,
    absl::FunctionRef<absl::Status(absl::string_view key, absl::string_view value)> set);

// Returns INVALID_ARGUMENT: `"KEY=VALUE" is not EXPECTED`.
absl::Status WrongPair(absl::string_view key, absl::string_view value, absl::string_view expected);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_INTERNAL_FLAG_PAIRS_H_
