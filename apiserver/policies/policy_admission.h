#ifndef APISERVER_POLICIES_POLICY_ADMISSION_H_
#define APISERVER_POLICIES_POLICY_ADMISSION_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apiserver/policies/policy_question.h"
#include "apiserver/policies/policy_set.h"
#include "apiserver/storage.h"
#include "apiserver/webhooks/admission_question.h"

namespace kube::apiserver::internal {

// Asks the ValidatingAdmissionPolicies about one request (kube-apiserver: `validating.dispatcher`).
// All of them are evaluated; the first denial, in the order of the names of policies and bindings,
// is the answer. Upstream's order is random.
//
// Thread-compatible.
class PolicyAdmission final : public ValidationStep {
 public:
  struct Parts {
    // Ends the evaluation.
    Context ctx = {};
    std::shared_ptr<const PolicySet> policies = {};
    AuthorizeFunction authorize = {};
    // Must outlive this.
    const Storage* storage = nullptr;
  };

  explicit PolicyAdmission(Parts parts) : parts_(std::move(parts)) {}

  Result Validate(const AdmissionQuestion& question) override;

 private:
  class Asking;

  const Parts parts_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_POLICIES_POLICY_ADMISSION_H_
