#ifndef APIMACHINERY_PATCH_PATCH_TYPE_H_
#define APIMACHINERY_PATCH_PATCH_TYPE_H_

#include <optional>

#include "absl/strings/string_view.h"

namespace kube::patch {

// The format of the body of a patch request (client-go: `types.PatchType`).
enum class PatchType {
  kJson,            // JSON patch, RFC 6902: a list of operations. For any resource.
  kMerge,           // JSON merge patch, RFC 7386: the members to change. For any resource.
  kStrategicMerge,  // Strategic merge patch: merges lists by keys. For built-in resources only.
  kApply,           // Server-side apply: the fields that a manager sets, in YAML or JSON.
};

// Returns the value for Content-Type: "application/merge-patch+json".
absl::string_view MediaType(PatchType type);

// Returns the type with this media type, or nullopt if it is unknown. Parameters such as
// "; charset=utf-8" are not accepted.
std::optional<PatchType> ParseMediaType(absl::string_view media_type);

}  // namespace kube::patch

#endif  // APIMACHINERY_PATCH_PATCH_TYPE_H_
