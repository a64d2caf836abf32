#include "clientset/clientcmd/validation.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/validation/dns.h"
#include "clientset/clientcmd/internal/addresses.h"
#include "clientset/clientcmd/internal/read_file.h"
#include "clientset/clientcmd/kubeconfig.h"

namespace kube::clientcmd {
namespace {

using text::Quoted;

// A payload of this type holds the kind of an error.
constexpr absl::string_view kErrorType = "kube.clientcmd/error";
constexpr absl::string_view kEmptyConfig = "empty config";
constexpr absl::string_view kEmptyCluster = "empty cluster";
constexpr absl::string_view kContextNotFound = "context not found";
constexpr absl::string_view kInvalid = "invalid";

absl::Status Marked(absl::Status status, absl::string_view mark) {
  status.SetPayload(kErrorType, absl::Cord(mark));
  return status;
}

bool HasMark(const absl::Status& status, absl::string_view mark) {
  const auto payload = status.GetPayload(kErrorType);
  return payload.has_value() && *payload == mark;
}

// Appends an error whose message is made of `pieces`.
template <typename... Pieces>
void Add(std::vector<absl::Status>& errors, const Pieces&... pieces) {
  errors.push_back(absl::InvalidArgumentError(absl::StrCat(pieces...)));
}

void CheckFile(std::vector<absl::Status>& errors, absl::string_view what, const std::string& path,
               absl::string_view owner) {
  if (path.empty()) return;
  const absl::Status status = internal::CheckReadable(path);
  if (status.ok()) return;
  Add(errors, "unable to read ", what, " ", path, " for ", owner, " due to ", status.message());
}

void ValidateCertificate(std::vector<absl::Status>& errors, absl::string_view name,
                         const AuthInfo& user) {
  if (user.client_certificate.empty() && user.client_certificate_data.empty()) return;
  if (!user.client_certificate.empty() && !user.client_certificate_data.empty()) {
    Add(errors, "client-cert-data and client-cert are both specified for ", name,
        ". client-cert-data will override.");
  }
  if (!user.client_key.empty() && !user.client_key_data.empty()) {
    Add(errors, "client-key-data and client-key are both specified for ", name,
        "; client-key-data will override");
  }
  if (user.client_key.empty() && user.client_key_data.empty()) {
    Add(errors, "client-key-data or client-key must be specified for ", name,
        " to use the clientCert authentication method.");
  }
  CheckFile(errors, "client-cert", user.client_certificate, name);
  CheckFile(errors, "client-key", user.client_key, name);
}

void ValidateExec(std::vector<absl::Status>& errors, absl::string_view name,
                  const ExecPlugin& exec) {
  constexpr absl::string_view kUse = " to use exec authentication plugin";
  if (exec.command.empty()) Add(errors, "command must be specified for ", name, kUse);
  if (exec.api_version.empty()) Add(errors, "apiVersion must be specified for ", name, kUse);
  for (const auto& [variable, value] : exec.env) {
    if (variable.empty()) Add(errors, "env variable name must be specified for ", name, kUse);
  }
  if (exec.interactive_mode.empty()) {
    Add(errors, "interactiveMode must be specified for ", name, kUse);
  } else if (exec.interactive_mode != "Never" && exec.interactive_mode != "IfAvailable" &&
             exec.interactive_mode != "Always") {
    Add(errors, "invalid interactiveMode for ", name, ": ", Quoted(exec.interactive_mode));
  }
}

// Checks that the user and the cluster exist, but does not validate them. (client-go:
// `validateContext`)
std::vector<absl::Status> ValidateContext(absl::string_view name, const ContextInfo& context,
                                          const Kubeconfig& config) {
  std::vector<absl::Status> errors;
  if (name.empty()) Add(errors, "empty context name is not allowed");
  if (context.user.empty()) {
    Add(errors, "user was not specified for context ", Quoted(name));
  } else if (config.users.count(context.user) == 0) {
    Add(errors, "user ", Quoted(context.user), " was not found for context ", Quoted(name));
  }
  if (context.cluster.empty()) {
    Add(errors, "cluster was not specified for context ", Quoted(name));
  } else if (config.clusters.count(context.cluster) == 0) {
    Add(errors, "cluster ", Quoted(context.cluster), " was not found for context ", Quoted(name));
  }
  if (!context.namespace_name.empty() &&
      !validation::IsDns1123Label(context.namespace_name).empty()) {
    Add(errors, "namespace ", Quoted(context.namespace_name), " for context ", Quoted(name),
        " does not conform to the kubernetes DNS_LABEL rules");
  }
  return errors;
}

void Append(std::vector<absl::Status>& to, std::vector<absl::Status> from) {
  for (absl::Status& status : from) to.push_back(std::move(status));
}

}  // namespace

namespace internal {

std::vector<absl::Status> ValidateCluster(absl::string_view name, const ClusterInfo& cluster) {
  std::vector<absl::Status> errors;
  if (cluster == ClusterInfo()) {
    return {Marked(absl::InvalidArgumentError("cluster has no server defined"), kEmptyCluster)};
  }
  if (cluster.server.empty()) {
    errors.push_back(NoServer(name));
  }
  if (!cluster.proxy_url.empty()) {
    const absl::Status status = ParseProxyUrl(cluster.proxy_url).status();
    if (!status.ok()) {
      Add(errors, "invalid 'proxy-url' ", Quoted(WithoutUser(cluster.proxy_url)), " for cluster ",
          Quoted(name), ": ", status.message());
    }
  }
  if (!cluster.certificate_authority.empty() && !cluster.certificate_authority_data.empty()) {
    Add(errors, "certificate-authority-data and certificate-authority are both specified for ",
        name, ". certificate-authority-data will override.");
  }
  CheckFile(errors, "certificate-authority", cluster.certificate_authority, name);
  return errors;
}

std::vector<absl::Status> ValidateUser(absl::string_view name, const AuthInfo& user) {
  std::vector<absl::Status> errors;
  ValidateCertificate(errors, name, user);
  if (user.exec.has_value()) {
    if (user.auth_provider.has_value()) {
      Add(errors, "authProvider cannot be provided in combination with an exec plugin for ", name);
    }
    ValidateExec(errors, name, *user.exec);
  }
  if (!user.token.empty() && (!user.username.empty() || !user.password.empty())) {
    Add(errors, "more than one authentication method found for ", name,
        "; found [token basicAuth], only one is allowed");
  }
  if (user.impersonate.empty() &&
      (!user.impersonate_uid.empty() || !user.impersonate_groups.empty() ||
       !user.impersonate_user_extra.empty())) {
    Add(errors, "requesting uid, groups or user-extra for ", name, " without impersonating a user");
  }
  return errors;
}

absl::Status ContextNotFound(absl::string_view name) {
  return Marked(absl::InvalidArgumentError(
                    absl::StrCat("context was not found for specified context: ", name)),
                kContextNotFound);
}

absl::Status NoServer(absl::string_view cluster) {
  return absl::InvalidArgumentError(
      cluster.empty() ? "default cluster has no server defined"
                      : absl::StrCat("no server found for cluster ", Quoted(cluster)));
}

absl::Status EmptyConfig() {
  return Marked(absl::InvalidArgumentError("no configuration has been provided, try setting "
                                           "KUBERNETES_MASTER environment variable"),
                kEmptyConfig);
}

bool IsEmptyCluster(const absl::Status& status) { return HasMark(status, kEmptyCluster); }

absl::Status ConfigurationInvalid(const std::vector<absl::Status>& errors) {
  const absl::Status joined = base::JoinErrors(errors);
  if (joined.ok()) return joined;
  absl::Status status = base::Annotate(joined, "invalid configuration");
  // Keep the mark of a missing context also if there are other errors: client-go finds it in the
  // text.
  for (const absl::Status& error : errors) {
    if (HasMark(error, kContextNotFound)) return Marked(std::move(status), kContextNotFound);
  }
  return IsEmptyConfig(status) ? status : Marked(std::move(status), kInvalid);
}

}  // namespace internal

absl::Status Validate(const Kubeconfig& config) {
  if (IsConfigEmpty(config)) return internal::ConfigurationInvalid({internal::EmptyConfig()});
  std::vector<absl::Status> errors;
  if (!config.current_context.empty() && config.contexts.count(config.current_context) == 0) {
    errors.push_back(internal::ContextNotFound(config.current_context));
  }
  for (const auto& [name, context] : config.contexts) {
    Append(errors, ValidateContext(name, context, config));
  }
  for (const auto& [name, user] : config.users) Append(errors, internal::ValidateUser(name, user));
  for (const auto& [name, cluster] : config.clusters) {
    Append(errors, internal::ValidateCluster(name, cluster));
  }
  return internal::ConfigurationInvalid(errors);
}

absl::Status ConfirmUsable(const Kubeconfig& config, absl::string_view context) {
  if (IsConfigEmpty(config)) return internal::ConfigurationInvalid({internal::EmptyConfig()});
  const std::string name = context.empty() ? config.current_context : std::string(context);
  if (name.empty()) {
    return Marked(absl::InvalidArgumentError("no context chosen"), kContextNotFound);
  }
  const auto found = config.contexts.find(name);
  if (found == config.contexts.end()) {
    return internal::ConfigurationInvalid({internal::ContextNotFound(name)});
  }
  const ContextInfo& info = found->second;
  std::vector<absl::Status> errors = ValidateContext(name, info, config);
  const auto user = config.users.find(info.user);
  if (user != config.users.end()) Append(errors, internal::ValidateUser(info.user, user->second));
  const auto cluster = config.clusters.find(info.cluster);
  if (cluster == config.clusters.end()) {
    errors.push_back(internal::NoServer(info.cluster));
  } else {
    Append(errors, internal::ValidateCluster(info.cluster, cluster->second));
  }
  return internal::ConfigurationInvalid(errors);
}

bool IsEmptyConfig(const absl::Status& status) { return HasMark(status, kEmptyConfig); }

bool IsContextNotFound(const absl::Status& status) { return HasMark(status, kContextNotFound); }

bool IsConfigurationInvalid(const absl::Status& status) {
  return IsEmptyConfig(status) || IsContextNotFound(status) || HasMark(status, kInvalid);
}

}  // namespace kube::clientcmd
