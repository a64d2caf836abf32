#ifndef CLIENTSET_PODLOGS_TARGETS_H_
#define CLIENTSET_PODLOGS_TARGETS_H_

#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/client.h"

// Chooses the containers whose logs are read. Thread-safe.
namespace kube::podlogs {

// A container whose log is read.
struct Target {
  std::string namespace_name = {};
  std::string pod = {};
  std::string container = {};

  friend bool operator==(const Target&, const Target&) = default;
  // Writes "prod/web-0/app".
  friend std::ostream& operator<<(std::ostream& out, const Target& target);
};

// A choice among the containers of a pod.
struct ContainerChoice {
  // The name of a container, also of an init or an ephemeral one. If empty: the container that the
  // annotation kubectl.kubernetes.io/default-container names, or else the first.
  std::string container = {};
  // All containers: first the init containers, then the others, then the ephemeral ones. (kubectl:
  // `--all-containers`)
  bool all_containers = false;
};

// Returns the containers of a pod that are chosen, as `kubectl logs` does. Returns INVALID_ARGUMENT
// if there is no container of the name ("container x is not valid for pod y out of: ..."), or if
// both fields of `choice` are set. Pure.
absl::StatusOr<std::vector<Target>> TargetsOf(const api::core::v1::Pod& pod,
                                              const ContainerChoice& choice = {});

// Returns the containers that are chosen of all pods that a label selector selects ("app=web"), in
// the order of the server's list. Blocks on one request, and returns its errors and those of
// TargetsOf. The result is empty if no pod is selected; kubectl then says "No resources found".
absl::StatusOr<std::vector<Target>> SelectTargets(const Context& ctx, const rest::Client& client,
                                                  absl::string_view namespace_name,
                                                  absl::string_view label_selector,
                                                  const ContainerChoice& choice = {});

}  // namespace kube::podlogs

#endif  // CLIENTSET_PODLOGS_TARGETS_H_
