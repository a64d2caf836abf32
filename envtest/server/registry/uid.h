#ifndef ENVTEST_SERVER_REGISTRY_UID_H_
#define ENVTEST_SERVER_REGISTRY_UID_H_

#include <string>

namespace kube::envtest::internal {

// Returns a random UID of base::Runtime: version 4, variant 1 of RFC 9562.
std::string NewUid();

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_REGISTRY_UID_H_
