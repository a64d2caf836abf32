#include "clientset/clientcmd/load_config.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/client_config.h"
#include "clientset/clientcmd/environment.h"
#include "clientset/clientcmd/loading_rules.h"
#include "clientset/clientcmd/overrides.h"
#include "clientset/rest/config.h"
#include "clientset/rest/in_cluster.h"

namespace kube::clientcmd {
namespace {

ConfigOverrides OverridesOf(const LoadOptions& options) {
  ConfigOverrides overrides = options.overrides;
  if (!options.master.empty()) overrides.cluster_info.server = options.master;
  if (!options.context.empty()) overrides.current_context = options.context;
  return overrides;
}

// Returns the pod's configuration, unless the user asked for something that only a file can
// provide.
absl::StatusOr<rest::Config> TryInCluster(const LoadOptions& options) {
  const ConfigOverrides overrides = OverridesOf(options);
  if (!overrides.cluster_info.server.empty() || !overrides.current_context.empty() ||
      !overrides.context.cluster.empty() || !overrides.context.user.empty()) {
    return absl::FailedPreconditionError("a server, context, cluster or user was specified");
  }
  if (options.in_cluster.config == nullptr) {
    return absl::FailedPreconditionError("not running in a cluster");
  }
  return options.in_cluster.config();
}

// Returns the pod's configuration with the overrides, which apply to it as to one from a file: a
// program that is told to impersonate somebody must not act as its service account.
absl::StatusOr<rest::Config> WithOverrides(rest::Config pod, const ConfigOverrides& overrides) {
  if (overrides.auth_info == AuthInfo() && overrides.cluster_info == ClusterInfo() &&
      overrides.timeout.empty()) {
    return pod;
  }
  Kubeconfig kubeconfig;
  kubeconfig.clusters["pod"] = {.server = pod.host, .certificate_authority = pod.tls.ca_file};
  // Another token replaces both the pod's token and its file, which a client would read again.
  AuthInfo& user = kubeconfig.users["pod"];
  if (overrides.auth_info.token.empty() && overrides.auth_info.token_file.empty()) {
    user = {.token = pod.bearer_token, .token_file = pod.bearer_token_file};
  }
  kubeconfig.contexts["pod"] = {.cluster = "pod", .user = "pod"};
  return DirectClientConfig(std::move(kubeconfig), "pod", overrides).ToRestConfig();
}

DeferredLoadingClientConfig Deferred(const LoadOptions& options, LoadingRules rules) {
  return DeferredLoadingClientConfig(std::move(rules), OverridesOf(options), options.in_cluster);
}

// The rules of LoadDefaultConfig. ~/.kube/config is used only if nothing else is configured.
LoadingRules DefaultRules(const LoadOptions& options) {
  if (!options.kubeconfig.empty()) return {.explicit_path = options.kubeconfig};
  return DefaultLoadingRules(options.in_cluster.environment);
}

bool PodGoesFirst(const LoadOptions& options) {
  return options.kubeconfig.empty() && options.in_cluster.environment.kubeconfig.empty();
}

}  // namespace

InCluster DefaultInCluster(const Environment& environment) {
  const std::string folder = environment.service_account_dir;
  return {.config = [folder] { return rest::InClusterConfig({.service_account_folder = folder}); },
          .environment = environment};
}

absl::StatusOr<rest::Config> LoadConfig(const LoadOptions& options) {
  if (options.kubeconfig.empty()) {
    absl::StatusOr<rest::Config> in_cluster = TryInCluster(options);
    if (in_cluster.ok()) return WithOverrides(*std::move(in_cluster), OverridesOf(options));
    KUBE_VLOG(1, "unable to load in-cluster configuration",
              {"reason", in_cluster.status().message()});
  }
  return Deferred(options, {.explicit_path = options.kubeconfig}).ToRestConfig();
}

absl::StatusOr<rest::Config> LoadDefaultConfig(const LoadOptions& options) {
  if (PodGoesFirst(options)) {
    absl::StatusOr<rest::Config> in_cluster = TryInCluster(options);
    if (in_cluster.ok()) return WithOverrides(*std::move(in_cluster), OverridesOf(options));
  }
  return Deferred(options, DefaultRules(options)).ToRestConfig();
}

absl::StatusOr<LoadedConfig> LoadDefaultConfigAndNamespace(const LoadOptions& options) {
  LoadingRules rules = DefaultRules(options);
  if (PodGoesFirst(options)) {
    absl::StatusOr<rest::Config> in_cluster = TryInCluster(options);
    if (in_cluster.ok()) {
      // Without files, the namespace is the pod's, too.
      KUBE_ASSIGN_OR_RETURN(ChosenNamespace chosen, Deferred(options, {}).Namespace());
      KUBE_ASSIGN_OR_RETURN(rest::Config config,
                            WithOverrides(*std::move(in_cluster), OverridesOf(options)));
      return LoadedConfig{.config = std::move(config), .chosen_namespace = std::move(chosen)};
    }
  }
  DeferredLoadingClientConfig deferred = Deferred(options, std::move(rules));
  KUBE_ASSIGN_OR_RETURN(rest::Config config, deferred.ToRestConfig());
  KUBE_ASSIGN_OR_RETURN(ChosenNamespace chosen, deferred.Namespace());
  return LoadedConfig{.config = std::move(config), .chosen_namespace = std::move(chosen)};
}

}  // namespace kube::clientcmd
