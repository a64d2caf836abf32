#include "clientset/clientcmd/kubeconfig_codec.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/clientcmd/v1/types.kube.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/type_meta.h"
#include "apimachinery/codec/yaml/json_to_yaml.h"
#include "apimachinery/codec/yaml/yaml_to_json.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "clientset/clientcmd/kubeconfig.h"

namespace kube::clientcmd {
namespace {

namespace v1 = api::clientcmd::v1;
using text::Quoted;

// client-go's message contains the whole list, including tokens.
absl::Status DuplicateName(absl::string_view list, absl::string_view name) {
  return absl::InvalidArgumentError(
      absl::StrCat("decode Config: ", list, ": duplicate name ", Quoted(name)));
}

// ---- reading

absl::StatusOr<Extensions> ReadExtensions(const List<v1::NamedExtension>& list) {
  Extensions extensions;
  for (const v1::NamedExtension& named : list) {
    // client-go does not distinguish null from a missing value: the name is kept with nil.
    const bool none = named.extension.empty() || named.extension.view() == "null";
    RawExtension& extension = extensions[named.name];
    // client-go does not notice a duplicate name if the first one had no value.
    if (!extension.is_null()) return DuplicateName("extensions", named.name.view());
    if (!none) extension = named.extension;
  }
  return extensions;
}

absl::StatusOr<ClusterInfo> Read(const v1::Cluster& in) {
  KUBE_ASSIGN_OR_RETURN(Extensions extensions, ReadExtensions(in.extensions));
  return ClusterInfo{
      .server = in.server,
      .tls_server_name = in.tls_server_name,
      .insecure_skip_tls_verify = in.insecure_skip_tls_verify,
      .certificate_authority = in.certificate_authority,
      .certificate_authority_data = in.certificate_authority_data,
      .proxy_url = in.proxy_url,
      .disable_compression = in.disable_compression,
      .extensions = std::move(extensions),
  };
}

// (client-go: `SetDefaults_ExecConfig`)
std::string InteractiveMode(const v1::ExecConfig& in) {
  if (!in.interactive_mode.empty()) return in.interactive_mode;
  if (in.api_version == "client.authentication.k8s.io/v1beta1" ||
      in.api_version == "client.authentication.k8s.io/v1alpha1") {
    return std::string(v1::kIfAvailableExecInteractiveMode);
  }
  return "";
}

ExecPlugin Read(const v1::ExecConfig& in) {
  ExecPlugin exec{
      .command = in.command,
      .args = in.args,
      .api_version = in.api_version,
      .install_hint = in.install_hint,
      .provide_cluster_info = in.provide_cluster_info,
      .interactive_mode = InteractiveMode(in),
  };
  for (const v1::ExecEnvVar& variable : in.env)
    exec.env.emplace_back(variable.name, variable.value);
  return exec;
}

AuthProvider Read(const v1::AuthProviderConfig& in) {
  AuthProvider provider{.name = in.name};
  for (const auto& [key, value] : in.config) {
    provider.config.emplace(key, base::Secret(value.view()));
  }
  return provider;
}

absl::StatusOr<AuthInfo> Read(const v1::AuthInfo& in) {
  KUBE_ASSIGN_OR_RETURN(Extensions extensions, ReadExtensions(in.extensions));
  AuthInfo user{
      .client_certificate = in.client_certificate,
      .client_certificate_data = in.client_certificate_data,
      .client_key = in.client_key,
      .client_key_data = base::Secret(in.client_key_data.view()),
      .token = base::Secret(in.token.view()),
      .token_file = in.token_file,
      .impersonate = in.as,
      .impersonate_uid = in.as_uid,
      .impersonate_groups = in.as_groups,
      .username = in.username,
      .password = base::Secret(in.password.view()),
      .extensions = std::move(extensions),
  };
  for (const auto& [key, values] : in.as_user_extra) {
    user.impersonate_user_extra.emplace(key, values);
  }
  if (in.auth_provider) user.auth_provider = Read(*in.auth_provider);
  if (in.exec) user.exec = Read(*in.exec);
  return user;
}

absl::StatusOr<ContextInfo> Read(const v1::Context& in) {
  KUBE_ASSIGN_OR_RETURN(Extensions extensions, ReadExtensions(in.extensions));
  return ContextInfo{
      .cluster = in.cluster,
      .user = in.user,
      .namespace_name = in.namespace_,
      .extensions = std::move(extensions),
  };
}

// Converts the list `named`, each element of which has its value in `member`, to a map.
template <typename Info, typename Named, typename Member>
absl::Status ReadNamed(const List<Named>& named, Member Named::*member, absl::string_view what,
                       std::map<std::string, Info>& infos) {
  for (const Named& element : named) {
    KUBE_ASSIGN_OR_RETURN(Info info, Read(element.*member), what, " ", Quoted(element.name.view()));
    if (!infos.emplace(element.name, std::move(info)).second) {
      return DuplicateName(what, element.name.view());
    }
  }
  return absl::OkStatus();
}

// Checks that the text is of the kind that this reads; null is, too.
absl::Status CheckKind(absl::string_view text) {
  std::string json;
  if (codec::LooksLikeJson(text)) {
    json = std::string(text);
  } else {
    KUBE_ASSIGN_OR_RETURN(json, [&]() -> absl::StatusOr<std::string> {
      KUBE_ASSIGN_OR_RETURN(codec::JsonFromYaml from_yaml, codec::YamlToJson(text));
      return std::move(from_yaml.json);
    }());
    if (json == "null") return absl::OkStatus();
  }
  KUBE_ASSIGN_OR_RETURN(const codec::TypeMeta meta, codec::TypeMetaOfJson(json));
  const std::string version = meta.api_version.empty() ? "v1" : meta.api_version;
  const std::string kind = meta.kind.empty() ? "Config" : meta.kind;
  // client-go accepts "/v1" as well.
  if (kind == "Config" && (version == "v1" || version == "/v1")) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("decode Config: no kind ", Quoted(kind),
                                                 " is registered for version ", Quoted(version)));
}

// ---- writing

List<v1::NamedExtension> WriteExtensions(const Extensions& extensions) {
  List<v1::NamedExtension> list;
  for (const auto& [name, extension] : extensions) {
    list.push_back({.name = name, .extension = extension});
  }
  return list;
}

// Returns null for an empty list, as kubectl writes it.
List<String> WriteList(const std::vector<std::string>& strings) {
  return strings.empty() ? List<String>() : List<String>(strings);
}

v1::Cluster Write(const ClusterInfo& in) {
  v1::Cluster cluster{
      .server = in.server,
      .tls_server_name = in.tls_server_name,
      .insecure_skip_tls_verify = in.insecure_skip_tls_verify,
      .certificate_authority = in.certificate_authority,
      .proxy_url = in.proxy_url,
      .disable_compression = in.disable_compression,
      .extensions = WriteExtensions(in.extensions),
  };
  if (!in.certificate_authority_data.empty()) {
    cluster.certificate_authority_data = in.certificate_authority_data;
  }
  return cluster;
}

v1::ExecConfig Write(const ExecPlugin& in) {
  v1::ExecConfig exec{
      .command = in.command,
      .args = WriteList(in.args),
      .api_version = in.api_version,
      .install_hint = in.install_hint,
      .provide_cluster_info = in.provide_cluster_info,
      .interactive_mode = in.interactive_mode,
  };
  for (const auto& [name, value] : in.env) exec.env.push_back({.name = name, .value = value});
  return exec;
}

v1::AuthProviderConfig Write(const AuthProvider& in) {
  v1::AuthProviderConfig provider{.name = in.name};
  for (const auto& [key, value] : in.config) provider.config[key] = value.Reveal();
  return provider;
}

v1::AuthInfo Write(const AuthInfo& in) {
  v1::AuthInfo user{
      .client_certificate = in.client_certificate,
      .client_key = in.client_key,
      .token = in.token.Reveal(),
      .token_file = in.token_file,
      .as = in.impersonate,
      .as_uid = in.impersonate_uid,
      .as_groups = WriteList(in.impersonate_groups),
      .username = in.username,
      .password = in.password.Reveal(),
      .extensions = WriteExtensions(in.extensions),
  };
  if (!in.client_certificate_data.empty()) {
    user.client_certificate_data = in.client_certificate_data;
  }
  if (!in.client_key_data.empty()) user.client_key_data = in.client_key_data.Reveal();
  for (const auto& [key, values] : in.impersonate_user_extra) {
    user.as_user_extra[key] = List<String>(values);
  }
  if (in.auth_provider.has_value()) user.auth_provider = Write(*in.auth_provider);
  if (in.exec.has_value()) user.exec = Write(*in.exec);
  return user;
}

v1::Context Write(const ContextInfo& in) {
  return {
      .cluster = in.cluster,
      .user = in.user,
      .namespace_ = in.namespace_name,
      .extensions = WriteExtensions(in.extensions),
  };
}

}  // namespace

absl::StatusOr<Kubeconfig> DecodeKubeconfig(absl::string_view text) {
  Kubeconfig config;
  if (text.empty()) return config;
  KUBE_RETURN_IF_ERROR(CheckKind(text));
  KUBE_ASSIGN_OR_RETURN(const v1::Config in, codec::DecodeYaml<v1::Config>(text));
  KUBE_RETURN_IF_ERROR(
      ReadNamed(in.clusters, &v1::NamedCluster::cluster, "clusters", config.clusters));
  KUBE_RETURN_IF_ERROR(ReadNamed(in.users, &v1::NamedAuthInfo::user, "users", config.users));
  KUBE_RETURN_IF_ERROR(
      ReadNamed(in.contexts, &v1::NamedContext::context, "contexts", config.contexts));
  config.current_context = in.current_context;
  config.preferences.colors = in.preferences.colors;
  KUBE_ASSIGN_OR_RETURN(config.preferences.extensions, ReadExtensions(in.preferences.extensions));
  KUBE_ASSIGN_OR_RETURN(config.extensions, ReadExtensions(in.extensions));
  return config;
}

absl::StatusOr<std::string> EncodeKubeconfig(const Kubeconfig& config) {
  v1::Config out{
      .kind = "Config",
      .api_version = "v1",
      .preferences = {.colors = config.preferences.colors,
                      .extensions = WriteExtensions(config.preferences.extensions)},
      .current_context = config.current_context,
      .extensions = WriteExtensions(config.extensions),
  };
  for (const auto& [name, cluster] : config.clusters) {
    out.clusters.push_back({.name = name, .cluster = Write(cluster)});
  }
  for (const auto& [name, user] : config.users) {
    out.users.push_back({.name = name, .user = Write(user)});
  }
  for (const auto& [name, context] : config.contexts) {
    out.contexts.push_back({.name = name, .context = Write(context)});
  }
  KUBE_ASSIGN_OR_RETURN(const std::string json, codec::EncodeJson(out), "encode kubeconfig");
  return codec::JsonToYaml(json);
}

}  // namespace kube::clientcmd
