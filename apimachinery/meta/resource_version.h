#ifndef APIMACHINERY_META_RESOURCE_VERSION_H_
#define APIMACHINERY_META_RESOURCE_VERSION_H_

#include <compare>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::meta {

// Compares two resourceVersions by age: less, equal or greater. The result is meaningful only for
// objects of the same resource, from a server of Kubernetes 1.35 or newer. Numbers of any length
// are compared exactly. apimachinery: `resourceversion.CompareResourceVersion`.
//
// Returns INVALID_ARGUMENT if one is not a positive integer without leading zeros. That includes ""
// and "0", which have a meaning only in requests. Thread-safe.
absl::StatusOr<std::strong_ordering> CompareResourceVersion(absl::string_view a,
                                                            absl::string_view b);

}  // namespace kube::meta

#endif  // APIMACHINERY_META_RESOURCE_VERSION_H_
