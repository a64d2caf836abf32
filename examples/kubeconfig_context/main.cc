// kubeconfig_context [--kubeconfig FILE] [--context NAME]: lists the contexts of a kubeconfig and
// connects to the selected one.
//
//   * admin       https://127.0.0.1:6443  default
//     plain-user  https://127.0.0.1:6443  default
//   the server is v…
#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/version/info.kube.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/clientcmd/loading_rules.h"
#include "clientset/rest/client.h"

namespace {

absl::Status Run(const kube::Context& ctx) {
  const kube::clientcmd::LoadOptions options = kube::clientcmd::FlagOptions();
  kube::clientcmd::LoadingRules rules = kube::clientcmd::DefaultLoadingRules();
  rules.explicit_path = options.kubeconfig;
  KUBE_ASSIGN_OR_RETURN(kube::clientcmd::Kubeconfig kubeconfig, kube::clientcmd::Load(rules));
  const std::string& current =
      options.context.empty() ? kubeconfig.current_context : options.context;
  for (const auto& [name, context] : kubeconfig.contexts) {
    std::cout << (name == current ? "* " : "  ") << name << "\t"
              << kubeconfig.clusters[context.cluster].server << "\t"
              << (context.namespace_name.empty() ? "default" : context.namespace_name) << "\n";
  }

  KUBE_ASSIGN_OR_RETURN(kube::rest::Config config, kube::clientcmd::LoadDefaultConfig(options));
  KUBE_ASSIGN_OR_RETURN(kube::rest::Client client, kube::rest::MakeClient(config));
  KUBE_ASSIGN_OR_RETURN(kube::rest::Result result, client.Do(ctx, {.absolute_path = "/version"}));
  KUBE_ASSIGN_OR_RETURN(auto version, kube::codec::DecodeJson<kube::version::Info>(result.body));
  std::cout << "the server is " << version.git_version << "\n";
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const absl::Status status = Run(kube::WithTimeout(kube::SignalContext(), absl::Seconds(30)));
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
