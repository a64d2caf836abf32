#ifndef APIMACHINERY_PATCH_INTERNAL_DIRECTIVES_H_
#define APIMACHINERY_PATCH_INTERNAL_DIRECTIVES_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

// The keys and values with a special meaning in strategic merge patches.
namespace kube::patch::internal {

inline constexpr absl::string_view kDirective = "$patch";
inline constexpr absl::string_view kDelete = "delete";
inline constexpr absl::string_view kReplace = "replace";
inline constexpr absl::string_view kMerge = "merge";
inline constexpr absl::string_view kRetainKeys = "$retainKeys";
// These two are followed by "/" and the name of a list.
inline constexpr absl::string_view kDeleteFromPrimitiveList = "$deleteFromPrimitiveList";
inline constexpr absl::string_view kSetElementOrder = "$setElementOrder";

inline std::string ListDirective(absl::string_view directive, absl::string_view list) {
  return absl::StrCat(directive, "/", list);
}

}  // namespace kube::patch::internal

#endif  // APIMACHINERY_PATCH_INTERNAL_DIRECTIVES_H_
