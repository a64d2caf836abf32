#ifndef APISERVER_POLICIES_POLICY_MATCH_H_
#define APISERVER_POLICIES_POLICY_MATCH_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/labels/selector.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/webhooks/admission_question.h"
#include "apiserver/webhooks/webhook_rules.h"

// Which requests a policy or a binding is about (kube-apiserver:
// `pkg/admission/plugin/policy/matching`).
namespace kube::apiserver::internal {

// A rule, and the names of the objects that it is about; none means all.
struct PolicyRule {
  api::admissionregistration::v1::RuleWithOperations rule = {};
  std::vector<std::string> names = {};
};

// The matchConstraints of a policy, or the matchResources of a binding, ready to be used.
// Immutable.
struct PolicyMatch {
  // No rules: all requests.
  std::vector<PolicyRule> rules = {};
  std::vector<PolicyRule> excluded = {};
  // matchPolicy: Equivalent.
  bool equivalent = false;
  absl::StatusOr<labels::Selector> namespace_selector = labels::Selector();
  absl::StatusOr<labels::Selector> object_selector = labels::Selector();
};

PolicyMatch MakePolicyMatch(const api::admissionregistration::v1::MatchResources& match);

// Returns whether a request about `resource` could be selected, as far as the rules say it, without
// a look at names.
bool MayMatch(const PolicyMatch& match, const Resources& resources, const Resource& resource,
              const RuleSubject& subject);

// Returns the resource as which a request is selected: its own, or with matchPolicy Equivalent the
// same objects in another group or version. Null if it is not selected. Returns an error if a
// selector cannot be used, but only for requests that are selected otherwise. `name` is that of the
// request. Thread-safe.
absl::StatusOr<const Resource*> MatchedAs(const PolicyMatch& match,
                                          const AdmissionQuestion& question, absl::string_view name,
                                          const Storage& storage);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_POLICIES_POLICY_MATCH_H_
