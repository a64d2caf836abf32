#ifndef APIMACHINERY_VERSION_API_VERSION_H_
#define APIMACHINERY_VERSION_API_VERSION_H_

#include <compare>

#include "absl/strings/string_view.h"

namespace kube::version {

// Versions of APIs by how stable they are: v2 > v1 > v2beta1 > v1beta2 > v1beta1 > v1alpha1, then
// all names of another form, the alphabet's first being the greatest. What servers, kubectl and
// discovery sort by, the greatest first. Thread-safe.
//
//   std::sort(versions.begin(), versions.end(), [](const auto& a, const auto& b) {
//     return CompareKubeAwareVersionStrings(a, b) > 0;
//   });
//
// (version.CompareKubeAwareVersionStrings of pkg/version)
std::weak_ordering CompareKubeAwareVersionStrings(absl::string_view a, absl::string_view b);

}  // namespace kube::version

#endif  // APIMACHINERY_VERSION_API_VERSION_H_
