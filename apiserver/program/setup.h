#ifndef APISERVER_PROGRAM_SETUP_H_
#define APISERVER_PROGRAM_SETUP_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apiserver/api_server.h"
#include "apiserver/program_flags.h"
#include "envtest/workloads/workloads.h"

// What //apiserver:main does besides serving. It uses clients of the server, which the server
// itself does not depend on.
namespace kube::apiserver::internal {

// Reads the files with the server's certificate and opens the request log, and sets the options of
// `flags.server` accordingly. Returns the error of open(2) with the flag and the path.
absl::Status PrepareServer(ProgramFlags& flags);

// Fills a new server as the flags say: installs the definitions, starts the workloads, applies the
// manifests, and then adds the faults of `flags.server.handler`, which must not be among the
// options that the server was started with. Blocks until the definitions are served. Returns the
// workloads, which must be destroyed before the server, or null if the flags do not ask for them.
// Returns the errors of envtest::InstallCrds and envtest::InstallManifests, and INVALID_ARGUMENT if
// `flags.crds` have no definition.
absl::StatusOr<std::unique_ptr<envtest::Workloads>> SetUpCluster(const Context& ctx,
                                                                 ApiServer& server,
                                                                 const ProgramFlags& flags);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_PROGRAM_SETUP_H_
