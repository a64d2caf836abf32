#ifndef APISERVER_POLICIES_TESTING_POLICY_CASE_H_
#define APISERVER_POLICIES_TESTING_POLICY_CASE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "apiserver/object.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "apiserver/webhooks/admission_question.h"
#include "apiserver/webhooks/admitted_object.h"

namespace kube::apiserver::internal {

// Returns an object with its defaults. Its kind must be known and its JSON valid (a CHECK).
Object ObjectOfJson(absl::string_view api_version, absl::string_view kind, absl::string_view json);

// Stores a ValidatingAdmissionPolicy about the creation of config maps, and a binding with its
// name. `spec` has further members of the policy's spec.
void StoreBoundPolicy(Storage& storage, absl::string_view name, absl::string_view spec);

// Does the same for a MutatingAdmissionPolicy.
void StoreMutatingPolicy(Storage& storage, absl::string_view name, absl::string_view spec);

// A question about a request of the user "ann" to create the config map "m" in the namespace
// "default". Thread-compatible.
class ConfigMapCreation {
 public:
  // `json` is the config map. `resources` must outlive this.
  ConfigMapCreation(const Resources& resources, absl::string_view json);

  const RequestInfo& info() const { return info_; }
  const User& user() const { return user_; }
  const Resource& resource() const { return resource_; }
  // The question refers to this, and may change the object.
  AdmissionQuestion question();
  const AdmittedObject& object() const { return now_; }

 private:
  const Resources& resources_;
  const Resource& resource_;
  const RequestInfo info_;
  const User user_;
  AdmittedObject now_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_POLICIES_TESTING_POLICY_CASE_H_
