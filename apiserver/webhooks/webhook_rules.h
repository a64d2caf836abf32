#ifndef APISERVER_WEBHOOKS_WEBHOOK_RULES_H_
#define APISERVER_WEBHOOKS_WEBHOOK_RULES_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"

// Which requests the rules of a webhook select (kube-apiserver:
// `pkg/admission/plugin/webhook/predicates/rules`). Pure and thread-safe.
namespace kube::apiserver::internal {

// What rules look at.
struct RuleSubject {
  absl::string_view operation = {};  // "CREATE", "UPDATE", "DELETE", "CONNECT"
  absl::string_view group = {};
  absl::string_view version = {};
  absl::string_view resource = {};
  absl::string_view subresource = {};
  // For a namespace its own name.
  absl::string_view namespace_name = {};
};

// Makes the subject the same request about another resource.
void SetResource(const Resource& resource, RuleSubject& subject);

bool RuleMatches(const api::admissionregistration::v1::RuleWithOperations& rule,
                 const RuleSubject& subject);

// Returns the resource as which the rules select a request about `resource`: itself, or with
// `equivalent` also the same objects in another group or version, such as events.k8s.io for events.
// Then the webhook gets objects of that version. Returns null if no rule selects it.
const Resource* SelectedAs(const List<api::admissionregistration::v1::RuleWithOperations>& rules,
                           bool equivalent, const Resources& resources, const Resource& resource,
                           RuleSubject subject);

// Returns the resources under which the objects of `resource` are served, with itself, in the order
// of discovery. With a subresource only those that have it (kube-apiserver:
// `EquivalentResourceMapper`).
std::vector<const Resource*> Equivalents(const Resources& resources, const Resource& resource,
                                         absl::string_view subresource);

// Returns the operations that a request may mean: an update may create an object. None if admission
// is not asked about it.
std::vector<absl::string_view> OperationsOf(const RequestInfo& info);

// Returns whether webhooks are never asked about a resource, because they could then keep
// themselves from being repaired.
bool IsExempt(const Resource& resource);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_WEBHOOKS_WEBHOOK_RULES_H_
