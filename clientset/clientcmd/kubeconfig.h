#ifndef CLIENTSET_CLIENTCMD_KUBECONFIG_H_
#define CLIENTSET_CLIENTCMD_KUBECONFIG_H_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apimachinery/base/secret.h"
#include "apimachinery/types/raw.h"

// The content of kubeconfig files: clusters, users, and contexts that combine the two by name.
// These are the types of client-go's `tools/clientcmd/api`; kubeconfig_codec.h reads and writes the
// file format.
//
//   Kubeconfig config;
//   config.clusters["prod"] = {.server = "https://10.0.0.1:6443"};
//   config.users["me"] = {.token = base::Secret(token)};
//   config.contexts["prod"] = {.cluster = "prod", .user = "me", .namespace_name = "web"};
//   config.current_context = "prod";
//
// Values; thread-compatible. Copies of secrets are secrets, and no type here can be printed.
namespace kube::clientcmd {

// JSON values by name, which other programs store here and which are preserved.
using Extensions = std::map<std::string, RawExtension>;

// How to reach a cluster. (client-go: `api.Cluster`)
struct ClusterInfo {
  // The file that this was read from; empty if it is new. It is never written. Relative paths begin
  // at its directory, and changes go to this file.
  std::string location_of_origin = {};
  // For example "https://10.0.0.1:6443". Credentials are sent over https only.
  std::string server = {};
  // The name that the server's certificate must have. If empty, the host's name.
  std::string tls_server_name = {};
  bool insecure_skip_tls_verify = false;
  // The certificate authorities: a PEM file, or its content, which takes precedence.
  std::string certificate_authority = {};
  std::string certificate_authority_data = {};
  // A proxy with scheme http, https or socks5. If empty, the proxy of the environment.
  std::string proxy_url = {};
  bool disable_compression = false;
  Extensions extensions = {};

  friend bool operator==(const ClusterInfo&, const ClusterInfo&) = default;
};

// A credential plug-in as a file describes it; rest::ExecConfig explains the fields. (client-go:
// `api.ExecConfig`)
struct ExecPlugin {
  std::string command = {};
  std::vector<std::string> args = {};
  std::vector<std::pair<std::string, std::string>> env = {};
  std::string api_version = {};
  std::string install_hint = {};
  bool provide_cluster_info = false;
  // "Never", "IfAvailable" or "Always". Required for v1; for v1beta1 it has a default when a file
  // is read.
  std::string interactive_mode = {};

  friend bool operator==(const ExecPlugin&, const ExecPlugin&) = default;
};

// An auth provider, the predecessor of exec plug-ins, which was compiled into kubectl. "oidc" can
// be used: see rest::OidcConfig. The others are read and written, but a user that has one cannot
// log in. (client-go: `api.AuthProviderConfig`)
struct AuthProvider {
  std::string name = {};
  // May contain tokens.
  std::map<std::string, base::Secret> config = {};

  friend bool operator==(const AuthProvider&, const AuthProvider&) = default;
};

// The credentials of a user. (client-go: `api.AuthInfo`)
struct AuthInfo {
  // As in ClusterInfo.
  std::string location_of_origin = {};
  // Certificate and key: PEM files, or their content, which takes precedence.
  std::string client_certificate = {};
  std::string client_certificate_data = {};
  std::string client_key = {};
  base::Secret client_key_data = {};
  // A bearer token, which takes precedence, or a file with one, which is read again periodically.
  base::Secret token = {};
  std::string token_file = {};
  // The identity to impersonate. The other fields require the user.
  std::string impersonate = {};
  std::string impersonate_uid = {};
  std::vector<std::string> impersonate_groups = {};
  std::map<std::string, std::vector<std::string>> impersonate_user_extra = {};
  std::string username = {};
  base::Secret password = {};
  std::optional<AuthProvider> auth_provider = {};
  std::optional<ExecPlugin> exec = {};
  Extensions extensions = {};

  friend bool operator==(const AuthInfo&, const AuthInfo&) = default;
};

// A combination of a cluster and a user, by name, with a namespace to work in. (client-go:
// `api.Context`; kube::Context is something else)
struct ContextInfo {
  // As in ClusterInfo.
  std::string location_of_origin = {};
  std::string cluster = {};
  std::string user = {};
  // If empty, "default".
  std::string namespace_name = {};
  Extensions extensions = {};

  friend bool operator==(const ContextInfo&, const ContextInfo&) = default;
};

// No longer used by anything, but preserved. (client-go: `api.Preferences`)
struct Preferences {
  bool colors = false;
  Extensions extensions = {};

  friend bool operator==(const Preferences&, const Preferences&) = default;
};

// The content of one file, or of several merged ones. (client-go: `api.Config`)
struct Kubeconfig {
  Preferences preferences = {};
  std::map<std::string, ClusterInfo> clusters = {};
  std::map<std::string, AuthInfo> users = {};
  std::map<std::string, ContextInfo> contexts = {};
  std::string current_context = {};
  Extensions extensions = {};

  friend bool operator==(const Kubeconfig&, const Kubeconfig&) = default;
};

// Returns whether nothing is set. (client-go: `api.IsConfigEmpty`)
bool IsConfigEmpty(const Kubeconfig& config);

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_KUBECONFIG_H_
