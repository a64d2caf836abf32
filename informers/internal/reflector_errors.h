#ifndef INFORMERS_INTERNAL_REFLECTOR_ERRORS_H_
#define INFORMERS_INTERNAL_REFLECTOR_ERRORS_H_

#include "absl/status/status.h"

// Classifies errors for reflectors. Pure functions: thread-safe.
namespace kube::informers::internal {

// Returns whether the resource version is too old: status 410 with either of the two reasons that
// servers have used. (client-go: `isExpiredError`)
bool IsExpired(const absl::Status& error);

// Returns whether the server has not reached the resource version yet, for example after a restore
// from a backup or because its cache lags behind. Servers before 1.19 say so only in the message.
// (client-go: `isTooLargeResourceVersionError`)
bool IsResourceVersionTooLarge(const absl::Status& error);

// Returns whether the server is unreachable or overloaded. What is known remains valid, so no new
// list is needed. (client-go: `isWatchErrorRetriable`)
bool IsServerAway(const absl::Status& error);

// Returns whether the watch ended because the connection ended. client-go sees io.EOF and similar
// errors; its stream watcher then simply ends.
bool IsConnectionEnd(const absl::Status& error);

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_REFLECTOR_ERRORS_H_
