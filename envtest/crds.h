#ifndef ENVTEST_CRDS_H_
#define ENVTEST_CRDS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/client.h"

// Installs CustomResourceDefinitions in the embedded server or in a real one, for tests.
// (controller-runtime: `envtest.InstallCRDs`, `WaitForCRDs`, `UninstallCRDs`)
//
//   const auto installed = InstallCrds(Context(), client_, {.paths = {kFolder}});
//   ASSERT_THAT(installed, IsOk());
//
// Thread-safe.
namespace kube::envtest {

using CustomResourceDefinitions = std::vector<api::apiextensions::v1::CustomResourceDefinition>;

// Options of InstallCrds.
struct CrdOptions {
  // Files, or directories whose files *.json, *.yaml and *.yml are read in the order of their
  // names, without subdirectories. A file may contain several documents; those that are not CRDs
  // are skipped.
  std::vector<std::string> paths = {};
  // Additional definitions. They replace definitions of the same name from `paths`.
  CustomResourceDefinitions definitions = {};
  // How long to wait until all are served. Default: 10 s, as in controller-runtime. Zero: do not
  // wait.
  absl::Duration timeout = absl::Seconds(10);
};

// Reads the definitions of files and directories. Returns NOT_FOUND if a path does not exist.
// Returns INVALID_ARGUMENT, with file and line, if a document is malformed or a CRD is not of
// apiextensions.k8s.io/v1.
absl::StatusOr<CustomResourceDefinitions> ReadCrds(const std::vector<std::string>& paths);

// Creates the definitions, or updates existing ones, and waits until they are served. Blocks.
// Returns the definitions as they were sent. Returns the errors of ReadCrds, of the server and of
// WaitForCrds; they name the definition.
absl::StatusOr<CustomResourceDefinitions> InstallCrds(const Context& ctx,
                                                      const rest::Client& client,
                                                      const CrdOptions& options);

// Waits until each definition is Established and each served version can be listed, which takes the
// server a moment longer. Blocks. Returns DEADLINE_EXCEEDED, with the definition and what it lacks,
// or FAILED_PRECONDITION if the server rejected its names, for example because another definition
// has them.
absl::Status WaitForCrds(const Context& ctx, const rest::Client& client,
                         const CustomResourceDefinitions& definitions,
                         absl::Duration timeout = absl::Seconds(10));

// Deletes the definitions with all their objects, without waiting until they are gone. Definitions
// that do not exist are ignored. Blocks.
absl::Status UninstallCrds(const Context& ctx, const rest::Client& client,
                           const CustomResourceDefinitions& definitions);

}  // namespace kube::envtest

#endif  // ENVTEST_CRDS_H_
