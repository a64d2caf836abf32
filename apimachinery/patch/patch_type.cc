#include "apimachinery/patch/patch_type.h"

#include <optional>

#include "absl/strings/string_view.h"

namespace kube::patch {

absl::string_view MediaType(PatchType type) {
  switch (type) {
    case PatchType::kJson:
      return "application/json-patch+json";
    case PatchType::kMerge:
      return "application/merge-patch+json";
    case PatchType::kStrategicMerge:
      return "application/strategic-merge-patch+json";
    case PatchType::kApply:
      return "application/apply-patch+yaml";
  }
  return "";
}

std::optional<PatchType> ParseMediaType(absl::string_view media_type) {
  for (const PatchType type :
       {PatchType::kJson, PatchType::kMerge, PatchType::kStrategicMerge, PatchType::kApply}) {
    if (media_type == MediaType(type)) return type;
  }
  return std::nullopt;
}

}  // namespace kube::patch
