#ifndef APIMACHINERY_BASE_STRING_VIEW_H_
#define APIMACHINERY_BASE_STRING_VIEW_H_

#include <string_view>

#include "absl/strings/string_view.h"

namespace kube::base {

// Convert between the two string views. With some distributions absl::string_view is a type of its
// own that converts to std::string_view in neither direction; with others it is an alias. This SDK
// uses absl::string_view everywhere and calls these functions where the standard library or another
// library needs the other type.
//
// The result refers to the same characters as the argument and is valid as long as they are.
constexpr absl::string_view ToAbsl(std::string_view s) {
  return absl::string_view(s.data(), s.size());
}
constexpr std::string_view ToStd(absl::string_view s) {
  return std::string_view(s.data(), s.size());
}

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_STRING_VIEW_H_
