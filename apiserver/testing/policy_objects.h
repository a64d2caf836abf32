#ifndef APISERVER_TESTING_POLICY_OBJECTS_H_
#define APISERVER_TESTING_POLICY_OBJECTS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "apiserver/testing/webhook_world.h"

// ValidatingAdmissionPolicies about config maps, and their bindings, as JSON for tests.
namespace kube::apiserver {

inline constexpr char kPolicies[] =
    "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
inline constexpr char kBindings[] =
    "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";

// Returns a policy about config maps, with members of its spec. `constraints` are further members
// of matchConstraints.
std::string PolicyJson(absl::string_view name, absl::string_view spec,
                       absl::string_view constraints = "");

// Returns a binding; `more` are further members of its spec.
std::string BindingJson(absl::string_view name, absl::string_view policy,
                        absl::string_view more = "", absl::string_view action = "Deny");

// Creates a policy and a binding with its name.
void BindPolicy(WebhookWorld& world, absl::string_view name, absl::string_view spec,
                absl::string_view more = "", absl::string_view constraints = "");

// Returns the member "validations" with one expression.
std::string Says(absl::string_view expression, absl::string_view more = "");

}  // namespace kube::apiserver

#endif  // APISERVER_TESTING_POLICY_OBJECTS_H_
