#ifndef APIMACHINERY_VERSION_API_VERSION_H_
#define APIMACHINERY_VERSION_API_VERSION_H_

#include <compare>

#include "absl/strings/string_view.h"

namespace kube::version {

// Compares versions of APIs by stability: v2 > v1 > v2beta1 > v1beta2 > v1beta1 > v1alpha1. Names
// of another form are smaller than these; among them the alphabetically first is the greatest.
// Servers, kubectl and discovery sort by this order, greatest first. Thread-safe.
//
//   const auto is_before = [](const auto& a, const auto& b) {
//     return CompareKubeAwareVersionStrings(a, b) > 0;
//   };
//   std::sort(versions.begin(), versions.end(), is_before);
//
// (client-go: `version.CompareKubeAwareVersionStrings` of `pkg/version`)
std::weak_ordering CompareKubeAwareVersionStrings(absl::string_view a, absl::string_view b);

}  // namespace kube::version

#endif  // APIMACHINERY_VERSION_API_VERSION_H_
