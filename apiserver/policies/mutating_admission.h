#ifndef APISERVER_POLICIES_MUTATING_ADMISSION_H_
#define APISERVER_POLICIES_MUTATING_ADMISSION_H_

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/policies/policy_question.h"
#include "apiserver/policies/policy_set.h"
#include "apiserver/storage.h"
#include "apiserver/webhooks/admission_question.h"

namespace kube::apiserver::internal {

// Lets the MutatingAdmissionPolicies change the object of one request, one after the other, in the
// order of the names of policies and bindings (upstream's is random). Each sees what those before
// it have made of the object. In the second round only those are asked whose reinvocationPolicy is
// IfNeeded and after which something has changed the object (kube-apiserver:
// `mutating.dispatcher`).
//
// Errors are the answer to the request, unless the failurePolicy is Ignore; the others are asked
// nevertheless. Thread-compatible.
class MutatingAdmission final : public MutationStep {
 public:
  struct Parts {
    // Ends the evaluation.
    Context ctx = {};
    std::shared_ptr<const PolicySet> policies = {};
    AuthorizeFunction authorize = {};
    // Must outlive this.
    const Storage* storage = nullptr;
  };

  explicit MutatingAdmission(Parts parts) : parts_(std::move(parts)) {}

  absl::StatusOr<bool> Mutate(const AdmissionQuestion& question, bool again) override;

 private:
  class Round;

  void RequireReinvocation();

  const Parts parts_;
  // What a second round needs of the first: what wishes to be asked again, what has to be, and what
  // the object was at the end (kube-apiserver: `policyReinvokeContext`). The texts name a policy, a
  // binding and a parameter.
  std::set<std::string> reinvocable_;
  std::set<std::string> required_;
  unstructured::Value last_output_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_POLICIES_MUTATING_ADMISSION_H_
