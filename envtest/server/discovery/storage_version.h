#ifndef ENVTEST_SERVER_DISCOVERY_STORAGE_VERSION_H_
#define ENVTEST_SERVER_DISCOVERY_STORAGE_VERSION_H_

#include <string>

#include "envtest/server/resources.h"

namespace kube::envtest::internal {

// Returns the storageVersionHash of discovery: a hash of the group, version and kind in which a
// kube-apiserver stores the objects of the resource. Empty: it stores none.
std::string StorageVersionHash(const Resource& resource);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_DISCOVERY_STORAGE_VERSION_H_
