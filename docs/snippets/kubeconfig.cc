// The code of docs/kubeconfig.md: a program that says where it would go, and sets a namespace.
#include "clientset/clientcmd/kubeconfig.h"

#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/clientcmd/loading_rules.h"
#include "clientset/clientcmd/modify_config.h"
#include "clientset/rest/config.h"

namespace kube::clientcmd {

// Returns "" for all namespaces, unless the user names one by --namespace.
absl::StatusOr<std::string> NamespaceToList() {
  KUBE_ASSIGN_OR_RETURN(const LoadedConfig loaded, LoadDefaultConfigAndNamespace(FlagOptions()));
  return loaded.chosen_namespace.overridden ? loaded.chosen_namespace.name : "";
}

absl::Status SetNamespace(const Context& ctx) {
  const LoadingRules rules = DefaultPathOptions();
  KUBE_ASSIGN_OR_RETURN(Kubeconfig config, StartingConfig(rules));
  config.contexts["prod"].namespace_name = "web";
  KUBE_RETURN_IF_ERROR(ModifyConfig(ctx, rules, config));
  return absl::OkStatus();
}

}  // namespace kube::clientcmd

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  absl::StatusOr<kube::rest::Config> config =
      kube::clientcmd::LoadDefaultConfig(kube::clientcmd::FlagOptions());
  if (!config.ok()) std::cerr << config.status().message() << "\n";
  if (config.ok()) std::cout << config->host << "\n";
  std::cout << kube::clientcmd::NamespaceToList().value_or("default") << "\n";
  const kube::Context ctx = kube::WithTimeout(kube::Context(), absl::Seconds(10));
  return kube::clientcmd::SetNamespace(ctx).ok() ? 0 : 1;
}
