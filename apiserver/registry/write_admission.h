#ifndef APISERVER_REGISTRY_WRITE_ADMISSION_H_
#define APISERVER_REGISTRY_WRITE_ADMISSION_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apiserver/object.h"

namespace kube::apiserver::internal {

// Who is asked about a write of the registry besides its own rules: admission webhooks. The methods
// may block, and are called without locks held. Their errors carry the Status for the client. One
// request uses it on one thread (kube-apiserver: `admission.MutationInterface`,
// `ValidationInterface`).
class WriteAdmission {
 public:
  virtual ~WriteAdmission() = default;

  // May change an object in the version of the request that is about to be created, or to replace
  // `old`, which is null for a creation. Called again, from the beginning, if the update is tried
  // again. Returns whether it has changed the object: the registry then completes it once more, and
  // calls MutateAgain.
  virtual absl::StatusOr<bool> Mutate(const Object* old, Object& object) = 0;
  virtual absl::Status MutateAgain(const Object* old, Object& object) = 0;

  // Asks about an object that is valid, just before it is stored. Both objects may be in the
  // internal version.
  virtual absl::Status Validate(const Object* old, const Object& object) = 0;

  // Asks about the deletion of `old`, just before it is carried out.
  virtual absl::Status Delete(const Object& old) = 0;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_REGISTRY_WRITE_ADMISSION_H_
