#ifndef APISERVER_CLUSTER_CLUSTER_OBJECTS_TEXT_H_
#define APISERVER_CLUSTER_CLUSTER_OBJECTS_TEXT_H_

#include "absl/strings/string_view.h"

namespace kube::apiserver::internal {

// Returns the content of cluster_objects.txt, from which the build generates the source file.
absl::string_view ClusterObjectsText();

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CLUSTER_CLUSTER_OBJECTS_TEXT_H_
