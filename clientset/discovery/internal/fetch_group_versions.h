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

// Threads that ask at the same time: a server has some seventy group-versions, and a round trip may
// be long.
inline constexpr int kMaxFetchThreads = 16;

// `fetch` of each of the names, on several threads. The answers are in the order of the names.
std::vector<absl::StatusOr<ResourceList>> FetchGroupVersions(
    const Context& ctx, absl::Span<const std::string> names,
    absl::FunctionRef<absl::StatusOr<ResourceList>(const Context&, const std::string&)> fetch);

}  // namespace kube::discovery::internal

#endif  // CLIENTSET_DISCOVERY_INTERNAL_FETCH_GROUP_VERSIONS_H_
