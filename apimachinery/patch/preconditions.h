#ifndef APIMACHINERY_PATCH_PRECONDITIONS_H_
#define APIMACHINERY_PATCH_PRECONDITIONS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch {

// Looks at a patch that was made, and returns an error if it must not be used. Its message says
// why; of what kind it is does not matter. (mergepatch.PreconditionFunc)
using Precondition = std::function<absl::Status(const unstructured::Value& patch)>;

// The patch does not have that member: kubectl asks this of "apiVersion" and "kind".
Precondition RequireKeyUnchanged(absl::string_view key);

// The patch's metadata does not have that member: kubectl asks this of "name".
Precondition RequireMetadataKeyUnchanged(absl::string_view key);

// Whether that is why a patch was not made: a precondition failed (FAILED_PRECONDITION); or two
// sides changed the same in different ways (ABORTED). Other errors of these codes, as of a server,
// are neither. (mergepatch.IsPreconditionFailed, IsConflict)
bool IsPreconditionFailed(const absl::Status& status);
bool IsConflict(const absl::Status& status);

namespace internal {

// The first error, as one for which IsPreconditionFailed holds.
absl::Status CheckPreconditions(const std::vector<Precondition>& preconditions,
                                const unstructured::Value& patch);

// For which IsConflict holds. `path` is where: "spec.replicas".
absl::Status ConflictError(absl::string_view path);

}  // namespace internal
}  // namespace kube::patch

#endif  // APIMACHINERY_PATCH_PRECONDITIONS_H_
