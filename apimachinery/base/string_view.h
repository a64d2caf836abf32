#ifndef APIMACHINERY_BASE_STRING_VIEW_H_
#define APIMACHINERY_BASE_STRING_VIEW_H_

#include <string_view>

#include "absl/strings/string_view.h"

namespace kube::base {

// The bridge between the two string views. A distribution's absl::string_view may be a type of its
// own, which converts to std::string_view in neither direction; elsewhere it is an alias. Code here
// says absl::string_view everywhere and crosses over with these where a library insists.
//
// The result views the same characters: it lives as long as they do.
constexpr absl::string_view ToAbsl(std::string_view s) {
  return absl::string_view(s.data(), s.size());
}
constexpr std::string_view ToStd(absl::string_view s) {
  return std::string_view(s.data(), s.size());
}

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_STRING_VIEW_H_
