#ifndef ENVTEST_FIND_BINARIES_H_
#define ENVTEST_FIND_BINARIES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::envtest {

// Programs of a control plane, as paths.
struct ControlPlaneBinaries {
  std::string etcd = {};
  std::string kube_apiserver = {};
  // Empty: not there.
  std::string kube_controller_manager = {};
};

// What of the process' environment says where they are.
struct BinariesEnvironment {
  std::string kubebuilder_assets = {};  // KUBEBUILDER_ASSETS
  std::string xdg_cache_home = {};      // XDG_CACHE_HOME
  std::string home = {};                // HOME
  std::string path = {};                // PATH
};
BinariesEnvironment ProcessBinariesEnvironment();

// Looks for etcd, kube-apiserver and kube-controller-manager: in KUBEBUILDER_ASSETS, as
// controller-runtime does; in the cache of tools/kube, of the release that this library is made
// for; in PATH. The first of these places that has etcd and kube-apiserver counts, and no other: an
// etcd of one release and a server of another may not go together. NOT_FOUND says what was looked
// for, where, and what to do.
absl::StatusOr<ControlPlaneBinaries> FindControlPlaneBinaries(
    const BinariesEnvironment& environment = ProcessBinariesEnvironment());

}  // namespace kube::envtest

#endif  // ENVTEST_FIND_BINARIES_H_
