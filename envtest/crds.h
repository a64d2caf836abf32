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

// CustomResourceDefinitions for tests: from files into a server, an embedded or a real one.
// (controller-runtime's envtest.InstallCRDs, WaitForCRDs, UninstallCRDs)
//
//   KUBE_ASSIGN_OR_RETURN(rest::Client client, rest::MakeClient(environment->Config()));
//   KUBE_RETURN_IF_ERROR(InstallCrds(ctx, client, {.paths = {"config/crd"}}).status());
//
// Thread-safe.
namespace kube::envtest {

using CustomResourceDefinitions = std::vector<api::apiextensions::v1::CustomResourceDefinition>;

struct CrdOptions {
  // Files, or directories whose files *.json, *.yaml and *.yml are read, by name; not those of
  // directories in them. A file may have many documents; those that are no CRDs are passed over.
  std::vector<std::string> paths = {};
  // Also these, behind those of `paths`. Of two with one name, the last one counts.
  CustomResourceDefinitions definitions = {};
  // How long to wait until all are served. Default: as controller-runtime. Zero: not at all.
  absl::Duration timeout = absl::Seconds(10);
};

// The definitions of files and directories. NOT_FOUND: no such path. INVALID_ARGUMENT names the
// file and the line: a document is broken, or a CRD that is not of apiextensions.k8s.io/v1.
absl::StatusOr<CustomResourceDefinitions> ReadCrds(const std::vector<std::string>& paths);

// Creates them, or updates those that are there already, and waits until they are served. Returns
// what was installed, as it was sent. Errors name the definition; those of ReadCrds, the server's,
// and those of WaitForCrds. Blocks.
absl::StatusOr<CustomResourceDefinitions> InstallCrds(const Context& ctx,
                                                      const rest::Client& client,
                                                      const CrdOptions& options);

// Waits until each is Established, and each served version can be listed: a server needs a moment
// between the two. DEADLINE_EXCEEDED says of which definition, and what it lacks: names that
// another one has, perhaps. FAILED_PRECONDITION: the server refused its names. Blocks.
absl::Status WaitForCrds(const Context& ctx, const rest::Client& client,
                         const CustomResourceDefinitions& definitions,
                         absl::Duration timeout = absl::Seconds(10));

// Deletes them, with all their objects; those that are not there are no error. Does not wait until
// they are gone. Blocks.
absl::Status UninstallCrds(const Context& ctx, const rest::Client& client,
                           const CustomResourceDefinitions& definitions);

}  // namespace kube::envtest

#endif  // ENVTEST_CRDS_H_
