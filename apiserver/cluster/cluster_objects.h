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
// same in every cluster are in cluster_objects.txt, which tools/import_cluster_objects writes. With
// controllers there is also what each namespace gets from them (registry/namespace_objects.h).
//
// Most servers are never asked for them. So they only reserve their revisions at first, and are
// made when their resource is first used.
namespace kube::apiserver::internal {

// What the objects depend on.
struct ClusterOptions {
  // Their creation time.
  absl::Time created = absl::UnixEpoch();
  // Called when objects that contain the address are made. Must not call the storage.
  std::function<ServerAddress()> address = {};
  // Whether controllers run, which keep objects in every namespace, and which give the roles admin,
  // edit and view their rules (RoleAggregator).
  bool controllers = false;
};

// Adds the objects to a storage that has none of these resources yet.
void CreateClusterObjects(Storage& storage, const Resources& resources, ClusterOptions options);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CLUSTER_CLUSTER_OBJECTS_H_
