#include "controller/manager/run_operator.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "controller/manager/flags.h"
#include "controller/manager/internal/print_manifests.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/manager_status.h"
#include "controller/manifests/install_options.h"

namespace kube::controller::internal {
namespace {

absl::Status CheckArguments(const std::vector<char*>& arguments) {
  if (arguments.size() <= 1) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("unexpected argument \"", arguments[1], "\": all options are flags"));
}

absl::StatusOr<std::unique_ptr<Manager>> MakeManager(const std::vector<char*>& arguments,
                                                     ManagerOptions options) {
  KUBE_RETURN_IF_ERROR(CheckArguments(arguments));
  KUBE_ASSIGN_OR_RETURN(options, OptionsFromFlags(std::move(options)));
  KUBE_ASSIGN_OR_RETURN(clientcmd::LoadedConfig loaded,
                        clientcmd::LoadDefaultConfigAndNamespace(clientcmd::FlagOptions()),
                        "unable to get kubeconfig");
  if (options.leader_election.has_value() &&
      options.leader_election->lease.namespace_name.empty()) {
    options.leader_election->lease.namespace_name = loaded.chosen_namespace.name;
  }
  CompleteSelfSigned(options, loaded.chosen_namespace.name);
  return Manager::Make(loaded.config, std::move(options));
}

// Returns whether something of the manager still runs, for which its destructor would wait. The
// code of Run's status does not say so: after a failure it is that of the failure.
bool SomethingRuns(const Manager& manager) {
  const std::vector<RunnableStatus> runnables = manager.status().runnables;
  return std::any_of(runnables.begin(), runnables.end(), [](const RunnableStatus& runnable) {
    return runnable.state == "running" || runnable.state == "stopping";
  });
}

absl::Status Print(const std::vector<char*>& arguments, const ManagerOptions& options,
                   manifests::InstallOptions install, const OperatorFunction& with_operator) {
  KUBE_RETURN_IF_ERROR(CheckArguments(arguments));
  KUBE_ASSIGN_OR_RETURN(install, InstallOptionsFromFlags(std::move(install)));
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<Manager> manager,
                        MakeManagerToPrint(options, install));
  return with_operator(*manager, [&] {
    return WriteManifests(*manager, options, install, PrintDestination(), std::cout);
  });
}

}  // namespace

int RunOperatorUntil(const Context& ctx, int argc, char** argv, ManagerOptions options,
                     const OperatorFunction& with_operator, manifests::InstallOptions install) {
  std::vector<char*> given = WithPrintDestination(argc, argv);
  const std::vector<char*> arguments =
      clientcmd::ParseCommandLine(static_cast<int>(given.size()), given.data());
  if (!PrintDestination().empty()) {
    const absl::Status printed = Print(arguments, options, std::move(install), with_operator);
    if (!printed.ok()) log::Error(printed, "unable to print manifests");
    return printed.ok() ? 0 : 1;
  }
  const absl::StatusOr<std::unique_ptr<Manager>> manager =
      MakeManager(arguments, std::move(options));
  if (!manager.ok()) {
    log::Error(manager.status(), "unable to create manager");
    return 1;
  }
  const auto run = [&ctx, &manager] {
    const absl::Status ended = (*manager)->Run(ctx);
    if (!ended.ok()) log::Error(ended, "problem running manager");
    if (absl::IsAborted(ended) || SomethingRuns(**manager)) std::_Exit(1);
    return ended;
  };
  return with_operator(**manager, run).ok() ? 0 : 1;
}

}  // namespace kube::controller::internal
