#ifndef INFORMERS_INTERNAL_REFLECTOR_ERRORS_H_
#define INFORMERS_INTERNAL_REFLECTOR_ERRORS_H_

#include "absl/status/status.h"

// Which errors mean what to a reflector. Pure functions: thread-safe.
namespace kube::informers::internal {

// The resource version is too old: 410, with either of the reasons that servers have had for it.
// (isExpiredError)
bool IsExpired(const absl::Status& error);

// The resource version has not come yet, as after a restore from a backup, or at a server whose
// cache lags behind. Servers before 1.19 say so in the text alone. (isTooLargeResourceVersionError)
bool IsResourceVersionTooLarge(const absl::Status& error);

// The server is not there, or has no time: what is known stays right, so that nothing has to be
// listed again. (isWatchErrorRetriable)
bool IsServerAway(const absl::Status& error);

// The watch has ended because the connection has. (io.EOF and its like; a client-go stream watcher
// just ends)
bool IsConnectionEnd(const absl::Status& error);

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_REFLECTOR_ERRORS_H_
