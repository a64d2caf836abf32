#ifndef APIMACHINERY_MANAGEDFIELDS_INTERNAL_STRIP_META_H_
#define APIMACHINERY_MANAGEDFIELDS_INTERNAL_STRIP_META_H_

#include "apimachinery/managedfields/managers.h"

namespace kube::managedfields::internal {

// Returns `managers` without the fields of `manager` that nobody owns: apiVersion, kind, and the
// parts of metadata that name an object or that only the server writes. What is below metadata
// stays. The manager disappears if it has no other fields. Others are not changed (apimachinery:
// `stripMetaManager`).
Managers StripMeta(Managers managers, const ManagerId& manager);

}  // namespace kube::managedfields::internal

#endif  // APIMACHINERY_MANAGEDFIELDS_INTERNAL_STRIP_META_H_
