#ifndef APISERVER_CALL_LIST_OPTIONS_H_
#define APISERVER_CALL_LIST_OPTIONS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apiserver/call/call.h"

namespace kube::apiserver::internal {

// Returns the ListOptions of the query. Returns 400 if they cannot be read, and 422 if they are not
// valid for a list or a watch.
absl::StatusOr<api::meta::v1::ListOptions> ListOptionsOf(const Call& call, bool watch);

// Parses a resourceVersion; "" is 0, "any revision". Returns INVALID_ARGUMENT without a Status if
// it is not a number.
absl::StatusOr<int64_t> ParseRevision(absl::string_view text);

// Returns the revision that the storage must have before the list can be answered, or 400.
absl::StatusOr<int64_t> RevisionFor(const api::meta::v1::ListOptions& options);

// Returns whether the list must have exactly the revision that it names. Without
// resourceVersionMatch a limit implies that, for old clients.
bool IsExact(const api::meta::v1::ListOptions& options);

// Returns the 504 for a revision that did not come in time.
absl::Status TooLargeRevision(int64_t wanted, int64_t current);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_LIST_OPTIONS_H_
