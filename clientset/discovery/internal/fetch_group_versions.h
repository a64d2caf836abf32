#ifndef CLIENTSET_DISCOVERY_INTERNAL_FETCH_GROUP_VERSIONS_H_
#define CLIENTSET_DISCOVERY_INTERNAL_FETCH_GROUP_VERSIONS_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "clientset/discovery/server_resources.h"

namespace kube::discovery::internal {

// How many threads send requests at the same time: a server has about seventy group-versions, and a
// round trip may take long.
inline constexpr int kMaxFetchThreads = 16;

// Calls `fetch` for each name, on several threads, and blocks until all calls have returned. The
// results are in the order of the names.
std::vector<absl::StatusOr<ResourceList>> FetchGroupVersions(
    const Context& ctx, absl::Span<const std::string> names,
    absl::FunctionRef<absl::StatusOr<ResourceList>(const Context&, const std::string&)> fetch);

}  // namespace kube::discovery::internal

#endif  // CLIENTSET_DISCOVERY_INTERNAL_FETCH_GROUP_VERSIONS_H_
