#ifndef APISERVER_CLUSTER_CLUSTER_OBJECTS_H_
#define APISERVER_CLUSTER_CLUSTER_OBJECTS_H_

#include <functional>

#include "absl/time/time.h"
#include "apiserver/resources.h"
#include "apiserver/server_address.h"
#include "apiserver/storage.h"

// The objects that kube-apiserver creates in a new cluster, besides the namespaces: roles and
// bindings, priority classes, flow schemas and priority levels, API services, the service
// "kubernetes" with its endpoints and address, its config maps and its lease. Those that are the
// same in every cluster are in cluster_objects.txt, which tools/import_cluster_objects writes.
//
// Most servers are never asked for them. So they only reserve their revisions at first, and are
// made when their resource is first used.
namespace kube::apiserver::internal {

// Adds the objects to a storage that has none of these resources yet. `created` is their creation
// time. `address` is called when objects that contain it are made, and must not call the storage.
void CreateClusterObjects(Storage& storage, const Resources& resources, absl::Time created,
                          std::function<ServerAddress()> address);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CLUSTER_CLUSTER_OBJECTS_H_
