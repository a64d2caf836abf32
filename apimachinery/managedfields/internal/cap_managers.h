#ifndef APIMACHINERY_MANAGEDFIELDS_INTERNAL_CAP_MANAGERS_H_
#define APIMACHINERY_MANAGEDFIELDS_INTERNAL_CAP_MANAGERS_H_

#include <cstddef>

#include "apimachinery/managedfields/managers.h"

namespace kube::managedfields::internal {

// The number of updaters that an object keeps (apimachinery: `DefaultMaxUpdateManagers`).
inline constexpr size_t kMaxUpdaters = 10;

// Returns `managed` with no more than kMaxUpdaters updaters, if some of the superfluous ones share
// a version: the oldest of one version are united into an updater "ancient-changes" of this
// version, which has the time of the latest of them. Appliers stay, however old they are
// (apimachinery: `capManagersManager`).
Managed CapManagers(Managed managed);

}  // namespace kube::managedfields::internal

#endif  // APIMACHINERY_MANAGEDFIELDS_INTERNAL_CAP_MANAGERS_H_
