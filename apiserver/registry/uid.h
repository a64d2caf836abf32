#ifndef APISERVER_REGISTRY_UID_H_
#define APISERVER_REGISTRY_UID_H_

#include <string>

namespace kube::apiserver::internal {

// Returns a random UID of base::Runtime: version 4, variant 1 of RFC 9562.
std::string NewUid();

}  // namespace kube::apiserver::internal

#endif  // APISERVER_REGISTRY_UID_H_
