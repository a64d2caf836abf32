#ifndef CONTROLLER_MANAGER_INTERNAL_PRINT_MANIFESTS_H_
#define CONTROLLER_MANAGER_INTERNAL_PRINT_MANIFESTS_H_

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/manifests/install_options.h"

// What RunOperator does with --print-manifests. The flags are of this target:
//
//   --print-manifests[=FOLDER]  prints install.yaml, or writes the tree below a folder
//   --manifests-namespace, --manifests-image, --manifests-crds  take precedence over the options
namespace kube::controller::internal {

// Returns the arguments with "--print-manifests" as "--print-manifests=-", since a flag with a text
// needs one. The pointers are those of `argv`, or to a text that lives as long as the program.
std::vector<char*> WithPrintDestination(int argc, char** argv);

// Returns the value of --print-manifests: "" if the program is to run, "-" for standard output, or
// a folder.
std::string PrintDestination();

// Returns the options with what the flags say. Returns INVALID_ARGUMENT, with file and cause, if a
// file of --manifests-crds cannot be read.
absl::StatusOr<manifests::InstallOptions> InstallOptionsFromFlags(
    manifests::InstallOptions options);

// Fills in what a program that makes its own certificates does not say: in the namespace, the names
// by which the manifests know its webhooks. Does nothing without
// ManagerOptions::webhooks.self_signed.
void CompleteSelfSigned(ManagerOptions& options, absl::string_view namespace_name);

// Returns a manager as the Deployment of the manifests will run it, for a cluster that does not
// exist: it is never run. Sets the flags that the Deployment sets. Returns the errors of
// OptionsFromFlags and Manager::Make.
absl::StatusOr<std::unique_ptr<Manager>> MakeManagerToPrint(
    ManagerOptions options, const manifests::InstallOptions& install);

// Writes the manifests of what has been made with the manager to `out` if `destination` is "-", and
// below the folder `destination` otherwise, which is created; files of the same names are replaced.
// `options` are those of the manager. If its webhooks make their own certificate, the manifests
// have none, and INVALID_ARGUMENT says which of the manifests' names `self_signed` lacks. Returns
// the errors of manifests::InstallYaml and of webhook::Server::CheckRegistrations, or
// PERMISSION_DENIED with the path that cannot be written.
absl::Status WriteManifests(Manager& manager, const ManagerOptions& options,
                            manifests::InstallOptions install, const std::string& destination,
                            std::ostream& out);

}  // namespace kube::controller::internal

#endif  // CONTROLLER_MANAGER_INTERNAL_PRINT_MANIFESTS_H_
