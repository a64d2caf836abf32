#ifndef CONTROLLER_MANAGER_INTERNAL_CA_TARGETS_H_
#define CONTROLLER_MANAGER_INTERNAL_CA_TARGETS_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "webhook/ca_bundle.h"
#include "webhook/registration.h"
#include "webhook/self_signed.h"

namespace kube::controller::internal {

// Returns whether the manager writes the authority: whether the options name anything.
bool HasCaTargets(const webhook::SelfSignedOptions& options);

// Returns the objects into which the manager of this program writes the authority of its webhooks:
// those that the options name, and the definitions of the kinds that it converts. RunOperator names
// both configurations of the manifests before it is known which webhooks there are; the one that
// the manifests do not have, because no webhook of its kind is registered, is left out. Returns
// nothing if the options name nothing. Pure.
webhook::CaBundleTargets CaBundleTargetsOf(absl::string_view program,
                                           const webhook::SelfSignedOptions& options,
                                           const std::vector<webhook::Registration>& registered);

}  // namespace kube::controller::internal

#endif  // CONTROLLER_MANAGER_INTERNAL_CA_TARGETS_H_
