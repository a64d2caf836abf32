#ifndef APIMACHINERY_META_RESOURCE_VERSION_H_
#define APIMACHINERY_META_RESOURCE_VERSION_H_

#include <compare>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::meta {

// Which resourceVersion is the later one: less, equal or greater. It means something for two
// objects of the same resource only, of a server of Kubernetes 1.35 or newer. Numbers of any length
// are compared exactly. (resourceversion.CompareResourceVersion)
//
// INVALID_ARGUMENT where one is not a positive integer without leading zeros; "" and "0" are
// questions to a server, no versions. Thread-safe.
absl::StatusOr<std::strong_ordering> CompareResourceVersion(absl::string_view a,
                                                            absl::string_view b);

}  // namespace kube::meta

#endif  // APIMACHINERY_META_RESOURCE_VERSION_H_
