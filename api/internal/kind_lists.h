#ifndef API_INTERNAL_KIND_LISTS_H_
#define API_INTERNAL_KIND_LISTS_H_

#include "absl/types/span.h"
#include "apimachinery/types/kind_info.h"

namespace kube::api::internal {

// Kinds() of a group-version.
using KindList = absl::Span<const KindInfo> (*)();

// Those of every group-version. api/kind_lists.bzl makes its source.
absl::Span<const KindList> KindLists();

}  // namespace kube::api::internal

#endif  // API_INTERNAL_KIND_LISTS_H_
