// exec_plugin PLUGIN [--kubeconfig FILE]: talks to the cluster of a kubeconfig with a credential
// that a program prints. The program is run when the first request needs the credential, and again
// when it expires or the server rejects it.
//
//   200 from /api with the plug-in's token
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/exec_config.h"

namespace {

absl::Status Run(const kube::Context& ctx, const std::string& plugin) {
  KUBE_ASSIGN_OR_RETURN(const kube::rest::Config loaded,
                        kube::clientcmd::LoadDefaultConfig(kube::clientcmd::FlagOptions()));
  kube::rest::Config config = kube::rest::AnonymousConfig(loaded);
  config.exec = kube::rest::ExecConfig{
      .command = plugin,
      .api_version = "client.authentication.k8s.io/v1",
      .interactive_mode = kube::rest::ExecInteractiveMode::kNever,
  };
  KUBE_ASSIGN_OR_RETURN(const kube::rest::Client client, kube::rest::MakeClient(config));
  KUBE_ASSIGN_OR_RETURN(const kube::rest::Result result, client.Do(ctx, {.absolute_path = "/api"}));
  std::cout << result.status << " from /api with the plug-in's token\n";
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<char*> arguments = kube::clientcmd::ParseCommandLine(argc, argv);
  if (arguments.size() != 2) {
    std::cerr << "usage: exec_plugin PLUGIN\n";
    return 2;
  }
  const absl::Status status =
      Run(kube::WithTimeout(kube::SignalContext(), absl::Minutes(1)), arguments[1]);
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
