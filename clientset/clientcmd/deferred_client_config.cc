#include <sys/stat.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/client_config.h"
#include "clientset/clientcmd/environment.h"
#include "clientset/clientcmd/internal/read_file.h"
#include "clientset/clientcmd/internal/rest_config.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/clientcmd/loading_rules.h"
#include "clientset/clientcmd/overrides.h"
#include "clientset/clientcmd/validation.h"
#include "clientset/rest/config.h"

namespace kube::clientcmd {

DeferredLoadingClientConfig::DeferredLoadingClientConfig(LoadingRules rules,
                                                         ConfigOverrides overrides,
                                                         InCluster in_cluster)
    : rules_(std::move(rules)),
      overrides_(std::move(overrides)),
      in_cluster_(std::move(in_cluster)) {}

absl::StatusOr<const DirectClientConfig*> DeferredLoadingClientConfig::Loaded() {
  if (!loaded_.has_value()) {
    KUBE_ASSIGN_OR_RETURN(Kubeconfig config, Load(rules_));
    loaded_.emplace(std::move(config), overrides_.current_context, overrides_);
  }
  return &*loaded_;
}

bool DeferredLoadingClientConfig::IsDefault(const rest::Config& config) const {
  return rules_.default_client_config.has_value() &&
         internal::SameConfig(config, *rules_.default_client_config);
}

absl::StatusOr<rest::Config> DeferredLoadingClientConfig::ToRestConfig() {
  KUBE_ASSIGN_OR_RETURN(const DirectClientConfig* loaded, Loaded());
  absl::StatusOr<rest::Config> config = loaded->ToRestConfig();
  if (config.ok() ? !IsDefault(*config) : !IsEmptyConfig(config.status())) return config;
  if (!InClusterIsPossible()) return config;
  KUBE_VLOG(4, "using in-cluster configuration");
  return InClusterConfig();
}

absl::StatusOr<ChosenNamespace> DeferredLoadingClientConfig::Namespace() {
  KUBE_ASSIGN_OR_RETURN(const DirectClientConfig* loaded, Loaded());
  absl::StatusOr<ChosenNamespace> chosen = loaded->Namespace();
  if (!chosen.ok() && !IsEmptyConfig(chosen.status())) return chosen;
  if ((chosen.ok() && chosen->overridden) || !InClusterIsPossible()) return chosen;
  if (chosen.ok()) {
    if (chosen->name != "default") return chosen;
    // "default" may come from the context, or mean that the context names no namespace.
    const Kubeconfig& raw = loaded->raw_config();
    const auto context = raw.contexts.find(
        overrides_.current_context.empty() ? raw.current_context : overrides_.current_context);
    if (context != raw.contexts.end() && !context->second.namespace_name.empty()) return chosen;
  }
  KUBE_VLOG(4, "using in-cluster namespace");
  return ChosenNamespace{.name = InClusterNamespace()};
}

absl::StatusOr<Kubeconfig> DeferredLoadingClientConfig::RawConfig() {
  KUBE_ASSIGN_OR_RETURN(const DirectClientConfig* loaded, Loaded());
  return loaded->raw_config();
}

bool DeferredLoadingClientConfig::InClusterIsPossible() const {
  const Environment& environment = in_cluster_.environment;
  if (in_cluster_.config == nullptr || environment.service_host.empty() ||
      environment.service_port.empty()) {
    return false;
  }
  struct stat info = {};
  const std::string token = absl::StrCat(environment.service_account_dir, "/token");
  return stat(token.c_str(), &info) == 0 && !S_ISDIR(info.st_mode);
}

absl::StatusOr<rest::Config> DeferredLoadingClientConfig::InClusterConfig() const {
  KUBE_ASSIGN_OR_RETURN(rest::Config config, in_cluster_.config());
  const ClusterInfo& cluster = overrides_.cluster_info;
  const AuthInfo& user = overrides_.auth_info;
  if (!cluster.server.empty()) config.host = cluster.server;
  if (!user.token.empty() || !user.token_file.empty()) {
    config.bearer_token = user.token;
    config.bearer_token_file = user.token_file;
  }
  if (!cluster.certificate_authority.empty()) config.tls.ca_file = cluster.certificate_authority;
  return config;
}

std::string DeferredLoadingClientConfig::InClusterNamespace() const {
  const Environment& environment = in_cluster_.environment;
  if (!environment.pod_namespace.empty()) return environment.pod_namespace;
  const absl::StatusOr<std::string> file =
      internal::ReadFile(absl::StrCat(environment.service_account_dir, "/namespace"));
  if (file.ok()) {
    const absl::string_view name = absl::StripAsciiWhitespace(*file);
    if (!name.empty()) return std::string(name);
  }
  return "default";
}

}  // namespace kube::clientcmd
