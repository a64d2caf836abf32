#ifndef APIMACHINERY_PATCH_PRECONDITIONS_H_
#define APIMACHINERY_PATCH_PRECONDITIONS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch {

// Checks a patch that was made, and returns an error if it must not be used. The message says why;
// the code is ignored. (client-go: `mergepatch.PreconditionFunc`)
using Precondition = std::function<absl::Status(const unstructured::Value& patch)>;

// Requires that the patch does not have the member `key`. kubectl uses it for "apiVersion" and
// "kind". (client-go: `mergepatch.RequireKeyUnchanged`)
Precondition RequireKeyUnchanged(absl::string_view key);

// Requires that the patch's metadata does not have the member `key`. kubectl uses it for "name".
// (client-go: `mergepatch.RequireMetadataKeyUnchanged`)
Precondition RequireMetadataKeyUnchanged(absl::string_view key);

// Return whether a patch was not made because a precondition failed (FAILED_PRECONDITION), or
// because two sides changed the same member in different ways (ABORTED). They return false for
// other errors with these codes, such as a server's. (client-go: `mergepatch.IsPreconditionFailed`,
// `mergepatch.IsConflict`)
bool IsPreconditionFailed(const absl::Status& status);
bool IsConflict(const absl::Status& status);

namespace internal {

// Returns the first error, as an error for which IsPreconditionFailed holds.
absl::Status CheckPreconditions(const std::vector<Precondition>& preconditions,
                                const unstructured::Value& patch);

// Returns an error for which IsConflict holds. `path` is the place: "spec.replicas".
absl::Status ConflictError(absl::string_view path);

}  // namespace internal
}  // namespace kube::patch

#endif  // APIMACHINERY_PATCH_PRECONDITIONS_H_
