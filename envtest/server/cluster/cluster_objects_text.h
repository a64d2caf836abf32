#ifndef ENVTEST_SERVER_CLUSTER_CLUSTER_OBJECTS_TEXT_H_
#define ENVTEST_SERVER_CLUSTER_CLUSTER_OBJECTS_TEXT_H_

#include "absl/strings/string_view.h"

namespace kube::envtest::internal {

// The content of cluster_objects.txt. The build makes the source file of it.
absl::string_view ClusterObjectsText();

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_CLUSTER_CLUSTER_OBJECTS_TEXT_H_
