#include "clientset/clientcmd/client_config.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "clientset/clientcmd/environment.h"
#include "clientset/clientcmd/internal/merge.h"
#include "clientset/clientcmd/internal/rest_config.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/clientcmd/kubeconfig_codec.h"
#include "clientset/clientcmd/overrides.h"
#include "clientset/clientcmd/validation.h"
#include "clientset/rest/config.h"

namespace kube::clientcmd {
namespace {

template <typename Info>
const Info* Find(const std::map<std::string, Info>& infos, const std::string& name) {
  const auto found = infos.find(name);
  return found == infos.end() ? nullptr : &found->second;
}

absl::Status DoesNotExist(absl::string_view what, absl::string_view name) {
  std::string quoted;
  text::AppendQuoted(quoted, name);
  return absl::NotFoundError(absl::StrCat(what, " ", quoted, " does not exist"));
}

}  // namespace

DirectClientConfig::DirectClientConfig(Kubeconfig config, std::string context,
                                       ConfigOverrides overrides)
    : config_(std::move(config)), context_(std::move(context)), overrides_(std::move(overrides)) {}

DirectClientConfig::Choice DirectClientConfig::ContextName() const {
  if (!overrides_.current_context.empty()) return {overrides_.current_context, true};
  return {context_.empty() ? config_.current_context : context_, false};
}

DirectClientConfig::Choice DirectClientConfig::UserName() const {
  if (!overrides_.context.user.empty()) return {overrides_.context.user, true};
  return {MergedContext().user, false};
}

DirectClientConfig::Choice DirectClientConfig::ClusterName() const {
  if (!overrides_.context.cluster.empty()) return {overrides_.context.cluster, true};
  return {MergedContext().cluster, false};
}

ContextInfo DirectClientConfig::MergedContext() const {
  const Choice choice = ContextName();
  ContextInfo merged;
  const ContextInfo* found = Find(config_.contexts, choice.name);
  // client-go goes on with an empty context if a required one is missing; CheckChoices reports
  // that.
  if (found == nullptr && choice.required) return merged;
  if (found != nullptr) merged = *found;
  internal::Merge(merged, overrides_.context);
  return merged;
}

AuthInfo DirectClientConfig::MergedUser() const {
  const Choice choice = UserName();
  AuthInfo merged;
  const AuthInfo* found = Find(config_.users, choice.name);
  if (found == nullptr && choice.required) return merged;
  if (found != nullptr) merged = *found;
  const AuthInfo& over = overrides_.auth_info;
  internal::Merge(merged, over);
  // A file in the override must not be combined with data of the kubeconfig: that would be two
  // keys.
  if (!over.client_key.empty() || !over.client_key_data.empty()) {
    merged.client_key = over.client_key;
    merged.client_key_data = over.client_key_data;
  }
  if (!over.client_certificate.empty() || !over.client_certificate_data.empty()) {
    merged.client_certificate = over.client_certificate;
    merged.client_certificate_data = over.client_certificate_data;
  }
  return merged;
}

ClusterInfo DirectClientConfig::MergedCluster() const {
  const Choice choice = ClusterName();
  const ClusterInfo* found = Find(config_.clusters, choice.name);
  if (found == nullptr && choice.required) return {};
  ClusterInfo merged = overrides_.cluster_defaults;
  if (found != nullptr) internal::Merge(merged, *found);
  const ClusterInfo& over = overrides_.cluster_info;
  internal::Merge(merged, over);
  // An override that skips verification removes the authorities, and an override with authorities
  // removes the skipping.
  if (over.insecure_skip_tls_verify || !over.certificate_authority.empty() ||
      !over.certificate_authority_data.empty()) {
    merged.insecure_skip_tls_verify = over.insecure_skip_tls_verify;
    merged.certificate_authority = over.certificate_authority;
    merged.certificate_authority_data = over.certificate_authority_data;
  }
  // Another server has another name in its certificate.
  if (!over.tls_server_name.empty() || !over.server.empty()) {
    merged.tls_server_name = over.tls_server_name;
  }
  return merged;
}

// Checks in the same order as client-go, so that the first error is the same.
absl::Status DirectClientConfig::CheckChoices() const {
  const Choice user = UserName();
  if (user.required && Find(config_.users, user.name) == nullptr) {
    return DoesNotExist("auth info", user.name);
  }
  const Choice context = ContextName();
  if (context.required && Find(config_.contexts, context.name) == nullptr) {
    return DoesNotExist("context", context.name);
  }
  const Choice cluster = ClusterName();
  if (cluster.required && Find(config_.clusters, cluster.name) == nullptr) {
    return DoesNotExist("cluster", cluster.name);
  }
  return absl::OkStatus();
}

absl::Status DirectClientConfig::ConfirmUsable() const {
  std::vector<absl::Status> errors;
  // As in client-go, this is the context that was given to the constructor and not the override's.
  const std::string& context = context_.empty() ? config_.current_context : context_;
  if (!context.empty() && Find(config_.contexts, context) == nullptr) {
    errors.push_back(internal::ContextNotFound(context));
  }
  for (absl::Status& error : internal::ValidateUser(UserName().name, MergedUser())) {
    errors.push_back(std::move(error));
  }
  const Choice cluster = ClusterName();
  if (cluster.required && Find(config_.clusters, cluster.name) == nullptr) {
    // This must not count as an empty configuration.
    errors.push_back(internal::NoServer(cluster.name));
  } else {
    for (absl::Status& error : internal::ValidateCluster(cluster.name, MergedCluster())) {
      errors.push_back(std::move(error));
    }
  }
  if (errors.size() == 1 && internal::IsEmptyCluster(errors[0])) {
    errors[0] = internal::EmptyConfig();
  }
  return internal::ConfigurationInvalid(errors);
}

absl::StatusOr<rest::Config> DirectClientConfig::ToRestConfig() const {
  KUBE_RETURN_IF_ERROR(CheckChoices());
  KUBE_RETURN_IF_ERROR(ConfirmUsable());
  return internal::MakeRestConfig(MergedCluster(), UserName().name, MergedUser(),
                                  overrides_.timeout);
}

absl::StatusOr<ChosenNamespace> DirectClientConfig::Namespace() const {
  // Comes before validation, because a pod has no kubeconfig.
  if (!overrides_.context.namespace_name.empty()) {
    return ChosenNamespace{.name = overrides_.context.namespace_name, .overridden = true};
  }
  KUBE_RETURN_IF_ERROR(ConfirmUsable());
  const Choice choice = ContextName();
  if (choice.required && Find(config_.contexts, choice.name) == nullptr) {
    return DoesNotExist("context", choice.name);
  }
  const std::string name = MergedContext().namespace_name;
  return name.empty() ? ChosenNamespace() : ChosenNamespace{.name = name};
}

absl::StatusOr<Kubeconfig> DirectClientConfig::MergedRawConfig() const {
  KUBE_RETURN_IF_ERROR(ConfirmUsable());
  KUBE_RETURN_IF_ERROR(CheckChoices());
  Kubeconfig merged = config_;
  merged.users[UserName().name] = MergedUser();
  merged.current_context = ContextName().name;
  merged.contexts[merged.current_context] = MergedContext();
  merged.clusters[ClusterName().name] = MergedCluster();
  return merged;
}

absl::StatusOr<rest::Config> RestConfigFromKubeconfig(absl::string_view text) {
  KUBE_ASSIGN_OR_RETURN(Kubeconfig config, DecodeKubeconfig(text));
  return DirectClientConfig(std::move(config)).ToRestConfig();
}

absl::StatusOr<rest::Config> LegacyDefaultClientConfig(const Environment& environment) {
  return DirectClientConfig({}, "", {.cluster_defaults = LegacyClusterDefaults(environment)})
      .ToRestConfig();
}

}  // namespace kube::clientcmd
