#ifndef CONTROLLER_TESTING_INTERNAL_DEPLOYED_MANIFEST_H_
#define CONTROLLER_TESTING_INTERNAL_DEPLOYED_MANIFEST_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "controller/cache/required_access.h"

namespace kube::controller::internal {

// What an operator's install.yaml says about its program.
struct DeployedManifest {
  // "system:serviceaccount:NAMESPACE:NAME" of the Deployment.
  std::string user = {};
  // The namespace of the Deployment: where the program has its lease.
  std::string namespace_name = {};
  // The arguments of the Deployment's first container.
  std::vector<std::string> flags = {};
  // Whether the webhooks' certificate is mounted: the first container has a mount where a webhook
  // server looks for it by default, or the flag --webhook-cert-path. If not, the program makes its
  // own, and writes its authority into configurations and definitions.
  bool mounts_certificate = false;
  // The rules of the roles in the manifest that are bound to the account. Those of roles that a
  // cluster has anyway, such as system:auth-delegator, are not among them.
  std::vector<RequiredAccess> access = {};
  // The webhook configurations and definitions whose references to a service have become URLs of
  // 127.0.0.1, as one YAML text, with the authority of a mounted certificate. Empty if there are
  // none.
  std::string redirected = {};
};

// Reads the manifest. `ca_certificate`, in PEM, is the authority of a certificate that is mounted.
// Returns INVALID_ARGUMENT if a document is malformed, or if there is no Deployment. Pure:
// thread-safe.
absl::StatusOr<DeployedManifest> ReadDeployedManifest(absl::string_view manifest,
                                                      absl::string_view ca_certificate);

}  // namespace kube::controller::internal

#endif  // CONTROLLER_TESTING_INTERNAL_DEPLOYED_MANIFEST_H_
