#ifndef CONTROLLER_MANAGER_RUN_OPERATOR_H_
#define CONTROLLER_MANAGER_RUN_OPERATOR_H_

#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/manifests/install_options.h"

namespace kube::controller {

namespace internal {

// Makes whatever runs in the manager, calls `run` and returns its status.
using OperatorFunction =
    std::function<absl::Status(Manager& manager, const std::function<absl::Status()>& run)>;

// Does what RunOperator says, until `ctx` is done.
int RunOperatorUntil(const Context& ctx, int argc, char** argv, ManagerOptions options,
                     const OperatorFunction& with_operator, manifests::InstallOptions install = {});

}  // namespace internal

// Is what main of a program with controllers does:
//
//   return kube::controller::RunOperator<WebsiteOperator>(argc, argv, {.name = "website-operator"});
//
// Parses the flags of clientcmd and of controller/manager/flags.h, connects as
// clientcmd::LoadDefaultConfig does, makes a Manager with `options`, makes an Operator with it, and
// runs the manager until SIGTERM or SIGINT. The lease is in the namespace of the pod, or of the
// kubeconfig's context, unless options or flags name another one.
//
// If its webhooks make their own certificates, ManagerOptions::webhooks.self_signed need not say
// how API servers call them: empty fields, and the default of `dns_names`, get the names that the
// manifests have, in the namespace of the pod.
//
// `Operator` is a class that can be made of a Manager&, with its controllers as members. It is made
// when the flags have been parsed, so its constructor may read flags of the program's own. A
// constructor cannot fail: give what can fail to Manager::BeforeWork or Manager::Add, whose error
// ends the program.
//
// With --print-manifests it prints instead all that a cluster needs to run the program, as one YAML
// text, and with --print-manifests=FOLDER it writes a tree for kustomize: service account, roles of
// what the program has declared, Deployment, webhook configurations. It makes the Operator,
// connects to nothing, and returns. --manifests-crds names the files of its definitions,
// --manifests-image the image, --manifests-namespace the namespace; `install` has these and more.
// See controller/manifests/install.h.
//
// Returns the exit code: 0 if it ended because of a signal and in time, otherwise 1, after the
// error was logged. If leadership was lost, or something did not end within the time limits, it
// does not return but ends the process with code 1 without destructors, which would wait for what
// does not end. (kubebuilder: `cmd/main.go`)
template <typename Operator>
int RunOperator(int argc, char** argv, ManagerOptions options,
                manifests::InstallOptions install = {}) {
  return internal::RunOperatorUntil(
      SignalContext(), argc, argv, std::move(options),
      [](Manager& manager, const std::function<absl::Status()>& run) {
        [[maybe_unused]] Operator made(manager);
        return run();
      },
      std::move(install));
}

}  // namespace kube::controller

#endif  // CONTROLLER_MANAGER_RUN_OPERATOR_H_
