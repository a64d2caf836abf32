#ifndef APISERVER_REGISTRY_ADMISSION_H_
#define APISERVER_REGISTRY_ADMISSION_H_

#include "absl/status/status.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"

// The default admission plugins that this server has: Priority, DefaultTolerationSeconds and
// TaintNodesByCondition. They fill in what a client leaves out. In an update they keep what they
// filled in before, so that the manifest with which an object was made can replace it.
// (plugin/pkg/admission) Thread-safe for different objects.
namespace kube::apiserver::internal {

// Of an object that is to be created. 403 with its Status.
absl::Status AdmitCreate(const Storage& storage, const Resource& resource, Object& object);

// Of an update of `old`, but not of one of its subresources.
void AdmitUpdate(const Object& old, Object& object);

// Refuses an object that is valid, but that the cluster must not have beside those it has. Called
// after the kind's own validation; not for subresources. 403 with its Status.
absl::Status AdmitValid(const Storage& storage, const Resource& resource, const Object& object,
                        bool is_new);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_REGISTRY_ADMISSION_H_
