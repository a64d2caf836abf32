#ifndef NET_IO_UNSHARED_STATUS_H_
#define NET_IO_UNSHARED_STATUS_H_

#include "absl/status/status.h"

namespace kube::io {

// Returns a copy that shares nothing with `status`, for a status that one thread keeps and others
// are told. Ordinary copies share a reference count whose synchronization ThreadSanitizer cannot
// see in a prebuilt library, so that it reports races that do not exist. Call it with the lock
// held that guards `status`.
absl::Status UnsharedCopy(const absl::Status& status);

}  // namespace kube::io

#endif  // NET_IO_UNSHARED_STATUS_H_
