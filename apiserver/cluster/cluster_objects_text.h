#ifndef APISERVER_CLUSTER_CLUSTER_OBJECTS_TEXT_H_
#define APISERVER_CLUSTER_CLUSTER_OBJECTS_TEXT_H_

#include "absl/strings/string_view.h"

namespace kube::apiserver::internal {

// The content of cluster_objects.txt. The build makes the source file of it.
absl::string_view ClusterObjectsText();

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CLUSTER_CLUSTER_OBJECTS_TEXT_H_
