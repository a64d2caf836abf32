#ifndef ENVTEST_FIND_BINARIES_H_
#define ENVTEST_FIND_BINARIES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::envtest {

// Paths of the programs of a control plane.
struct ControlPlaneBinaries {
  std::string etcd = {};
  std::string kube_apiserver = {};
  // Empty if it was not found.
  std::string kube_controller_manager = {};
};

// The environment variables that tell where the programs are.
struct BinariesEnvironment {
  std::string kubebuilder_assets = {};  // KUBEBUILDER_ASSETS
  std::string xdg_cache_home = {};      // XDG_CACHE_HOME
  std::string home = {};                // HOME
  std::string path = {};                // PATH
};
// Returns the variables of this process.
BinariesEnvironment ProcessBinariesEnvironment();

// Finds etcd, kube-apiserver and kube-controller-manager. Searches KUBEBUILDER_ASSETS, as
// controller-runtime does, then the cache of tools/kube for the release that this library supports,
// then PATH. Only the first place with both etcd and kube-apiserver is used, as programs of
// different releases may not work together. Returns NOT_FOUND with the places searched and advice.
absl::StatusOr<ControlPlaneBinaries> FindControlPlaneBinaries(
    const BinariesEnvironment& environment = ProcessBinariesEnvironment());

}  // namespace kube::envtest

#endif  // ENVTEST_FIND_BINARIES_H_
