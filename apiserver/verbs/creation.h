#ifndef APISERVER_VERBS_CREATION_H_
#define APISERVER_VERBS_CREATION_H_

#include "absl/status/status.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/object.h"

// What holds for all creations: by a POST, and by a PUT or an apply to an object that does not
// exist. Thread-safe.
namespace kube::apiserver::internal {

// Returns 403 if the resource's definition is being deleted: its deletion waits until no objects
// are left (apiextensions-apiserver: `forbidCreateAdmission`).
absl::Status CheckCreation(const Call& call);

// Returns whether an update failed because its object does not exist. A role that a binding refers
// to is another object.
bool IsMissing(const absl::Status& error, const Call& call);

// Returns OK if the user may create the object of a PUT or of an apply that does not exist, else a
// 403 (kube-apiserver: `withAuthorization`).
absl::Status AuthorizeCreation(const Core& core, const Call& call);

// Makes the user of the call the requester of a CertificateSigningRequest, whatever the client has
// sent: who signs it trusts these fields (kube-apiserver: `csrStrategy.PrepareForCreate`).
void SetRequestor(const Call& call, Object& object);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VERBS_CREATION_H_
