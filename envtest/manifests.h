#ifndef ENVTEST_MANIFESTS_H_
#define ENVTEST_MANIFESTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/client.h"

namespace kube::envtest {

// Options of InstallManifests.
struct ManifestOptions {
  // Files, or directories, as in CrdOptions::paths.
  std::vector<std::string> paths = {};
  // More documents, as YAML or JSON, such as what an operator prints with --print-manifests.
  std::string manifest = {};
  // The namespace of objects that name none; it must exist, unless the manifests contain it.
  std::string namespace_name = "default";
  // Whether documents of kinds that the server does not serve are left out instead of being an
  // error, for example those of Prometheus' operator. Default: no.
  bool skip_unknown_kinds = false;
  // The field manager of the objects.
  std::string field_manager = "envtest";
  // How long to wait until definitions are served. Default: 10 s. Zero: do not wait.
  absl::Duration timeout = absl::Seconds(10);
};

// Applies the documents of manifests on the server's side, in their order, so that the call may be
// repeated: what `kubectl apply --server-side --force-conflicts -f` does. After a
// CustomResourceDefinition it waits until its kinds are served. `client` is somebody who may do
// everything on the embedded server or on a real one.
//
//   const auto left_out = InstallManifests(Context(), client_, {.manifest = kManifest});
//   ASSERT_THAT(left_out, IsOkAndHolds(IsEmpty()));
//
// Blocks. Returns the documents that were left out, as "ServiceMonitor \"metrics\"". Returns
// NOT_FOUND if a path does not exist, or the server does not serve a kind; INVALID_ARGUMENT if a
// document is malformed or has no name; the errors of the server and of WaitForCrds. Each says file
// and line; what stood before is then applied. Thread-safe.
absl::StatusOr<std::vector<std::string>> InstallManifests(const Context& ctx,
                                                          const rest::Client& client,
                                                          const ManifestOptions& options);

}  // namespace kube::envtest

#endif  // ENVTEST_MANIFESTS_H_
