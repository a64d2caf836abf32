#ifndef APIMACHINERY_PATCH_PATCH_TYPE_H_
#define APIMACHINERY_PATCH_PATCH_TYPE_H_

#include <optional>

#include "absl/strings/string_view.h"

namespace kube::patch {

// What the body of a patch request is. (types.PatchType)
enum class PatchType {
  kJson,            // JSON patch, RFC 6902: a list of operations. For any resource.
  kMerge,           // JSON merge patch, RFC 7386: what is to change. For any resource.
  kStrategicMerge,  // Kubernetes' own: merges lists by their keys. For built-in resources only.
  kApply,           // Server-side apply: the object as its manager wants it, in YAML or JSON.
};

// What stands in Content-Type: "application/merge-patch+json".
absl::string_view MediaType(PatchType type);

// The other way; nothing where it is none of these. Parameters ("; charset=utf-8") are not allowed.
std::optional<PatchType> ParseMediaType(absl::string_view media_type);

}  // namespace kube::patch

#endif  // APIMACHINERY_PATCH_PATCH_TYPE_H_
