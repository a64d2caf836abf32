#ifndef APISERVER_REGISTRY_ADMISSION_H_
#define APISERVER_REGISTRY_ADMISSION_H_

#include "absl/status/status.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"

// The admission plugins of kube-apiserver that this server has: Priority, DefaultTolerationSeconds
// and TaintNodesByCondition. They fill in what a client leaves out. An update keeps what they
// filled in before, so that the manifest that created an object can also replace it
// (kube-apiserver: `plugin/pkg/admission`). Thread-safe for different objects.
namespace kube::apiserver::internal {

// Fills in an object that is being created. Returns a 403 for a priority that does not fit its
// class.
absl::Status AdmitCreate(const Storage& storage, const Resource& resource, Object& object);

// Fills in the update of `old`. Not called for subresources.
void AdmitUpdate(const Object& old, Object& object);

// Returns a 403 for an object that is valid, but not together with other objects in the cluster.
// Called after the kind's own validation, but not for subresources.
absl::Status AdmitValid(const Storage& storage, const Resource& resource, const Object& object,
                        bool is_new);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_REGISTRY_ADMISSION_H_
