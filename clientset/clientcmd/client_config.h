#ifndef CLIENTSET_CLIENTCMD_CLIENT_CONFIG_H_
#define CLIENTSET_CLIENTCMD_CLIENT_CONFIG_H_

#include <functional>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "clientset/clientcmd/environment.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/clientcmd/loading_rules.h"
#include "clientset/clientcmd/overrides.h"
#include "clientset/rest/config.h"

namespace kube::clientcmd {

// The namespace to work in.
struct ChosenNamespace {
  // Never empty.
  std::string name = "default";
  // By an override: the user said so this time.
  bool overridden = false;

  friend bool operator==(const ChosenNamespace&, const ChosenNamespace&) = default;
};

// What a configuration and its overrides come to. (DirectClientConfig, without its prompts)
//
// Build, then immutable; thread-safe. Errors name what is missing, or are those of validation.h.
class DirectClientConfig {
 public:
  // `context`: which one; empty is config.current_context. overrides.current_context goes before
  // either, and unlike them must exist. (NewNonInteractiveClientConfig)
  explicit DirectClientConfig(Kubeconfig config, std::string context = {},
                              ConfigOverrides overrides = {});

  // How to talk to the cluster. Without https in its server's address there are no credentials, nor
  // anything of TLS. A token is read from its file if there is no other.
  //
  // INVALID_ARGUMENT for what validation refuses, NOT_FOUND for a context, cluster or user that an
  // override names, UNIMPLEMENTED for a user with an auth provider. (ClientConfig)
  absl::StatusOr<rest::Config> ToRestConfig() const;

  // The override, or what the context says, or "default".
  absl::StatusOr<ChosenNamespace> Namespace() const;

  const Kubeconfig& raw_config() const { return config_; }

  // With the overrides written into the context that counts, its cluster and its user.
  absl::StatusOr<Kubeconfig> MergedRawConfig() const;

  // OK, or all that is wrong with what the context refers to.
  absl::Status ConfirmUsable() const;

 private:
  // A name, and whether an override says it: then it must be there.
  struct Choice {
    std::string name;
    bool required = false;
  };
  Choice ContextName() const;
  Choice UserName() const;
  Choice ClusterName() const;

  // As far as there is one.
  ContextInfo MergedContext() const;
  AuthInfo MergedUser() const;
  ClusterInfo MergedCluster() const;
  absl::Status CheckChoices() const;

  Kubeconfig config_;
  std::string context_;
  ConfigOverrides overrides_;
};

// The cluster that a pod runs in.
struct InCluster {
  // rest::InClusterConfig. Null: never tried.
  std::function<absl::StatusOr<rest::Config>()> config = {};
  Environment environment = ProcessEnvironment();
};

// A configuration that is loaded when it is first asked for; where there is none, the cluster that
// the program runs in. (DeferredLoadingClientConfig)
//
// Thread-compatible. Loading blocks on the disk, and happens once.
class DeferredLoadingClientConfig {
 public:
  DeferredLoadingClientConfig(LoadingRules rules, ConfigOverrides overrides,
                              InCluster in_cluster = {});

  // The configuration of the files, if there is one, and it is not rules.default_client_config;
  // else that of the pod, if this is one, with the server, token and authority of the overrides;
  // else what came of the files. Errors: of Load and of DirectClientConfig. IsEmptyConfig tells
  // that there was nothing at all.
  absl::StatusOr<rest::Config> ToRestConfig();

  // Override, context, POD_NAMESPACE or the pod's own namespace, "default". The third only if this
  // is a pod.
  absl::StatusOr<ChosenNamespace> Namespace();

  absl::StatusOr<Kubeconfig> RawConfig();

 private:
  absl::StatusOr<const DirectClientConfig*> Loaded();
  bool IsDefault(const rest::Config& config) const;
  bool InClusterIsPossible() const;
  absl::StatusOr<rest::Config> InClusterConfig() const;
  std::string InClusterNamespace() const;

  const LoadingRules rules_;
  const ConfigOverrides overrides_;
  const InCluster in_cluster_;
  std::optional<DirectClientConfig> loaded_;
};

// Of a kubeconfig's text: its current context, nothing else. (RESTConfigFromKubeConfig)
absl::StatusOr<rest::Config> RestConfigFromKubeconfig(absl::string_view text);

// What LegacyClusterDefaults alone come to: see LoadingRules::default_client_config.
// (clientcmd.DefaultClientConfig)
absl::StatusOr<rest::Config> LegacyDefaultClientConfig(
    const Environment& environment = ProcessEnvironment());

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_CLIENT_CONFIG_H_
