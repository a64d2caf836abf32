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
  // Whether an override names it, that is, the user has asked for it this time.
  bool overridden = false;

  friend bool operator==(const ChosenNamespace&, const ChosenNamespace&) = default;
};

// Combines a kubeconfig with overrides. (client-go: `clientcmd.DirectClientConfig`, without its
// prompts)
//
// Build, then immutable; thread-safe. Errors name what is missing, or are those of validation.h.
class DirectClientConfig {
 public:
  // `context` is the context to use; if empty, config.current_context. overrides.current_context
  // takes precedence over both: if it does not exist, methods return NOT_FOUND. If `context` or
  // config.current_context does not exist, the configuration is invalid. (client-go:
  // `clientcmd.NewNonInteractiveClientConfig`)
  explicit DirectClientConfig(Kubeconfig config, std::string context = {},
                              ConfigOverrides overrides = {});

  // Returns the configuration of a client. If the server's address does not begin with https, it
  // has no credentials and no TLS settings. If the user has a token file but no token, the file is
  // read.
  //
  // Returns INVALID_ARGUMENT if validation fails; NOT_FOUND if an override names a context, cluster
  // or user that does not exist; UNIMPLEMENTED for a user with an auth provider other than "oidc";
  // and the error of reading the token file. (client-go: `ClientConfig`)
  absl::StatusOr<rest::Config> ToRestConfig() const;

  // Returns the namespace of the overrides, or of the context, or "default".
  absl::StatusOr<ChosenNamespace> Namespace() const;

  const Kubeconfig& raw_config() const { return config_; }

  // Returns the kubeconfig with the overrides merged into the chosen context, its cluster and its
  // user.
  absl::StatusOr<Kubeconfig> MergedRawConfig() const;

  // Returns OK, or everything that is wrong with the chosen context, its cluster and its user.
  absl::Status ConfirmUsable() const;

 private:
  // A name, and whether it comes from an override and therefore must exist.
  struct Choice {
    std::string name;
    bool required = false;
  };
  Choice ContextName() const;
  Choice UserName() const;
  Choice ClusterName() const;

  // Empty if the chosen entry does not exist.
  ContextInfo MergedContext() const;
  AuthInfo MergedUser() const;
  ClusterInfo MergedCluster() const;
  absl::Status CheckChoices() const;

  Kubeconfig config_;
  std::string context_;
  ConfigOverrides overrides_;
};

// How to find the cluster of the pod in which the program runs.
struct InCluster {
  // Usually rest::InClusterConfig. If null, it is never tried.
  std::function<absl::StatusOr<rest::Config>()> config = {};
  Environment environment = ProcessEnvironment();
};

// Loads the configuration when it is first needed. If no configuration exists, uses the cluster in
// which the program runs. (client-go: `clientcmd.DeferredLoadingClientConfig`)
//
// Thread-compatible. Files are read once; that blocks on the disk.
class DeferredLoadingClientConfig {
 public:
  DeferredLoadingClientConfig(LoadingRules rules, ConfigOverrides overrides,
                              InCluster in_cluster = {});

  // Returns the configuration of the files, unless it is empty or equal to
  // rules.default_client_config. Otherwise, in a pod, returns the pod's configuration with the
  // server, the token and the authorities' file of the overrides. Otherwise returns what came of
  // the files. Returns the errors of Load and of DirectClientConfig; IsEmptyConfig(status) means
  // that nothing is configured.
  absl::StatusOr<rest::Config> ToRestConfig();

  // Returns the namespace of the overrides or of the context; in a pod, POD_NAMESPACE or the pod's
  // own namespace; otherwise "default".
  absl::StatusOr<ChosenNamespace> Namespace();

  // Returns the merged files, without the overrides.
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

// Returns the configuration of the current context in the text of a kubeconfig. (client-go:
// `clientcmd.RESTConfigFromKubeConfig`)
absl::StatusOr<rest::Config> RestConfigFromKubeconfig(absl::string_view text);

// Returns the configuration that LegacyClusterDefaults alone result in: see
// LoadingRules::default_client_config. (client-go: `clientcmd.DefaultClientConfig`)
absl::StatusOr<rest::Config> LegacyDefaultClientConfig(
    const Environment& environment = ProcessEnvironment());

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_CLIENT_CONFIG_H_
