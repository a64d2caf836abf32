#ifndef APISERVER_DISCOVERY_STORAGE_VERSION_H_
#define APISERVER_DISCOVERY_STORAGE_VERSION_H_

#include <string>

#include "apiserver/resources.h"

namespace kube::apiserver::internal {

// Returns the storageVersionHash of discovery: a hash of the group, version and kind in which a
// kube-apiserver stores the objects of the resource. Returns "" if it does not store them.
std::string StorageVersionHash(const Resource& resource);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_DISCOVERY_STORAGE_VERSION_H_
