#ifndef WEBHOOK_ADMISSION_OPTIONS_H_
#define WEBHOOK_ADMISSION_OPTIONS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "webhook/admission_types.h"

namespace kube::webhook {

// What becomes of a request if the webhook cannot be asked.
enum class FailurePolicy {
  kFail,    // The request fails.
  kIgnore,  // The request goes on as if the webhook had allowed it.
};

// Whether a webhook changes something besides the object that it is asked about.
enum class SideEffects {
  kNone,         // It changes nothing else.
  kNoneOnDryRun  // It changes nothing else if AdmissionRequest::dry_run is set.
};

// Return the values as configurations have them: "Fail", "NoneOnDryRun".
absl::string_view ToString(FailurePolicy policy);
absl::string_view ToString(SideEffects side_effects);

// How an admission webhook is registered: its path in the server, and what the webhook
// configuration of the API server says about it. The server itself reads `name` and `path` alone:
// the API server decides by the rest whether it asks. (controller-tools: the marker
// `kubebuilder:webhook`)
struct AdmissionOptions {
  // The name in the configuration. Empty, the default: "mwebsite-v1.kb.io" or "vwebsite-v1.kb.io",
  // as kubebuilder's.
  std::string name = {};
  // The path in the server. It must begin with "/" and have no other characters than letters,
  // digits, "-", "_" and "/". Empty, the default: "/mutate-sites-example-com-v1-website" or
  // "/validate-…", as controller-runtime's.
  std::string path = {};

  FailurePolicy failure_policy = FailurePolicy::kFail;
  // The operations about which the webhook is asked. Default: creations and updates. Deletions,
  // where AdmissionRequest::object is the deleted object, and connections must be named.
  std::vector<Operation> operations = {Operation::kCreate, Operation::kUpdate};
  SideEffects side_effects = SideEffects::kNone;
  // How long the API server waits for the answer, in whole seconds from 1 to 30. Default: 10 s, as
  // the API server's. The context of the request is done then.
  absl::Duration timeout = absl::Seconds(10);

  // The namespaces and the objects about which it is asked. Default: all.
  api::meta::v1::LabelSelector namespace_selector = {};
  api::meta::v1::LabelSelector object_selector = {};
  // Expressions in CEL; it is asked only if all are true. Default: none.
  std::vector<api::admissionregistration::v1::MatchCondition> match_conditions = {};

  // Whether a mutating webhook is asked again if another one has changed the object after it.
  // Default: no.
  bool reinvoke = false;
  // The subresources about which it is asked beside or instead of the objects: "status", "scale".
  // "*" means all of them, and "" the objects themselves. Default: the objects alone.
  std::vector<std::string> subresources = {""};
};

}  // namespace kube::webhook

#endif  // WEBHOOK_ADMISSION_OPTIONS_H_
