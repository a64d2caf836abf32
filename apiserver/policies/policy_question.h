#ifndef APISERVER_POLICIES_POLICY_QUESTION_H_
#define APISERVER_POLICIES_POLICY_QUESTION_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/policies/policy_set.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "apiserver/webhooks/admission_question.h"

// What validating and mutating admission policies see of a request. Thread-safe, but for what uses
// a question.
namespace kube::apiserver::internal {

// Decides whether a user may do something.
using AuthorizeFunction = std::function<Decision(const User& user, const RequestInfo& info)>;

// Returns whether policies are never asked about a resource, because a cluster could then not be
// used any more (kube-apiserver: `exclusion.Excluded`).
bool IsExcludedFromPolicies(const Resource& resource);

// Returns the name in the request, or that of the new object. "" if it has none yet.
absl::string_view RequestNameOf(const AdmissionQuestion& question);

// The objects of a question in the version that a policy asks for, and the request; see
// PolicyInput.
struct VersionedQuestion {
  unstructured::Value object = {};
  unstructured::Value old_object = {};
  unstructured::Value condition_request = {};
  unstructured::Value request = {};
};

// Returns the error of a conversion webhook, which is called for it.
absl::StatusOr<VersionedQuestion> VersionedIn(const AdmissionQuestion& question,
                                              const Resource& as);

// Returns the parameters of a binding, as CollectParams does: null alone if the policy is evaluated
// without parameters. `params` is the resource of the paramKind, or null.
absl::StatusOr<std::vector<unstructured::Value>> ParamsOf(const PolicyBinding& binding,
                                                          const Resource* params,
                                                          absl::string_view namespace_name,
                                                          const Storage& storage);

// Returns the namespace of the request as expressions see it; null for objects without one. Returns
// a 404 if it does not exist.
absl::StatusOr<unstructured::Value> NamespaceObjectOf(const AdmissionQuestion& question,
                                                      const Storage& storage);

// The variables `authorizer` and `authorizer.requestResource`.
struct PolicyAuthorizers {
  cel::Value authorizer = {};
  cel::Value request_resource = {};
};
PolicyAuthorizers AuthorizersOf(const AdmissionQuestion& question,
                                const AuthorizeFunction& authorize);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_POLICIES_POLICY_QUESTION_H_
