#ifndef APISERVER_CALL_LIST_OPTIONS_H_
#define APISERVER_CALL_LIST_OPTIONS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apiserver/call/call.h"

namespace kube::apiserver::internal {

// The ListOptions of the query, valid for a list or a watch.
absl::StatusOr<api::meta::v1::ListOptions> ListOptionsOf(const Call& call, bool watch);

// The revision of a resourceVersion; "" is 0, "any revision". An error is INVALID_ARGUMENT without
// a Status.
absl::StatusOr<int64_t> ParseRevision(absl::string_view text);

// Which revision the storage must have before such a list can be answered.
absl::StatusOr<int64_t> RevisionFor(const api::meta::v1::ListOptions& options);

// Whether a list is to be of exactly the revision that it names. Without a match, a limit asks for
// it, for the sake of old clients.
bool IsExact(const api::meta::v1::ListOptions& options);

// It has not come in time. 504.
absl::Status TooLargeRevision(int64_t wanted, int64_t current);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_LIST_OPTIONS_H_
