#ifndef APISERVER_WEBHOOKS_ADMISSION_QUESTION_H_
#define APISERVER_WEBHOOKS_ADMISSION_QUESTION_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/admission/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/labels/selector.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "apiserver/webhooks/admitted_object.h"

namespace kube::apiserver::internal {

// What admission is asked about: a request and its objects, all of which must outlive this
// (kube-apiserver: `admission.Attributes`). Thread-compatible.
struct AdmissionQuestion {
  // Never null, but for `delete_options`, which are those in the body of a deletion.
  const RequestInfo* info = nullptr;
  const User* user = nullptr;
  const Resources* resources = nullptr;
  const Resource* resource = nullptr;
  const api::meta::v1::DeleteOptions* delete_options = nullptr;
  absl::string_view operation = {};  // "CREATE", "UPDATE", "DELETE", "CONNECT"
  // Null for a creation.
  const AdmittedObject* old = nullptr;
  // Null for a deletion.
  AdmittedObject* now = nullptr;

  // Returns the namespace of the request; for a namespace its own name.
  std::string NamespaceOf() const;
  // Returns whether a selector selects the namespace of the request, as it is or, if it is what is
  // written, as it will be. Objects without a namespace are never left out. Returns the error of
  // the selector, or NOT_FOUND if the namespace does not exist.
  absl::StatusOr<bool> InNamespace(const absl::StatusOr<labels::Selector>& selector,
                                   const Storage& storage) const;
  // Returns whether a selector selects the object, as it was or as it will be.
  bool HasLabels(const labels::Selector& selector) const;
  bool IsDryRun() const;

  // Returns the request as a review describes it, without uid and objects. `as` is the resource in
  // whose version the objects are told.
  api::admission::v1::AdmissionRequest RequestFor(const Resource& as) const;

 private:
  std::string OptionsJson() const;
};

// What is asked about an object before the mutating webhooks, and may change it: mutating admission
// policies. One request uses it for both of its rounds. Implementations are thread-compatible.
class MutationStep {
 public:
  virtual ~MutationStep() = default;
  // Changes `question.now`, which is never null. `again` says that it is the second round. Returns
  // whether there has to be a second round.
  virtual absl::StatusOr<bool> Mutate(const AdmissionQuestion& question, bool again) = 0;
};

// What is asked about a valid object before the validating webhooks: admission policies.
// Implementations are thread-compatible.
class ValidationStep {
 public:
  struct Result {
    // OK, or an error with a Status for the client.
    absl::Status error = {};
    // What the client is told besides.
    std::vector<std::string> warnings = {};
  };

  virtual ~ValidationStep() = default;
  virtual Result Validate(const AdmissionQuestion& question) = 0;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_WEBHOOKS_ADMISSION_QUESTION_H_
