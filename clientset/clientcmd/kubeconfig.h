#ifndef CLIENTSET_CLIENTCMD_KUBECONFIG_H_
#define CLIENTSET_CLIENTCMD_KUBECONFIG_H_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apimachinery/base/secret.h"
#include "apimachinery/types/raw.h"

// What kubeconfig files say: clusters, users, and contexts that join the two, by name. The types of
// client-go's tools/clientcmd/api; how they look in a file is a matter of kubeconfig_codec.h.
//
//   Kubeconfig config;
//   config.clusters["prod"] = {.server = "https://10.0.0.1:6443"};
//   config.users["me"] = {.token = base::Secret(token)};
//   config.contexts["prod"] = {.cluster = "prod", .user = "me", .namespace_name = "web"};
//   config.current_context = "prod";
//
// Values; thread-compatible. Copies of secrets are secrets, and no type here can be printed.
namespace kube::clientcmd {

// By name: JSON that others keep here, and that writing does not lose.
using Extensions = std::map<std::string, RawExtension>;

// How to reach a cluster. (api.Cluster)
struct ClusterInfo {
  // The file that this is from; empty for what is new. Never written. It says where relative paths
  // begin, and which file a change goes to.
  std::string location_of_origin = {};
  // "https://10.0.0.1:6443". Without https no credentials are sent.
  std::string server = {};
  // The name in the server's certificate. Empty: the host.
  std::string tls_server_name = {};
  bool insecure_skip_tls_verify = false;
  // A file of authorities in PEM, or the same text, which counts if both are there.
  std::string certificate_authority = {};
  std::string certificate_authority_data = {};
  // http, https or socks5. Empty: what the environment says.
  std::string proxy_url = {};
  bool disable_compression = false;
  Extensions extensions = {};

  friend bool operator==(const ClusterInfo&, const ClusterInfo&) = default;
};

// A program that prints credentials, as a file describes it. (api.ExecConfig) What it means:
// rest::ExecConfig.
struct ExecPlugin {
  std::string command = {};
  std::vector<std::string> args = {};
  std::vector<std::pair<std::string, std::string>> env = {};
  std::string api_version = {};
  std::string install_hint = {};
  bool provide_cluster_info = false;
  // "Never", "IfAvailable" or "Always". Reading a file fills it for v1beta1; v1 must have it.
  std::string interactive_mode = {};

  friend bool operator==(const ExecPlugin&, const ExecPlugin&) = default;
};

// A plug-in of the time before exec, compiled into kubectl. It is kept and written, but a user that
// has one cannot log in: using it is an error. (api.AuthProviderConfig)
struct AuthProvider {
  std::string name = {};
  // May have tokens in it.
  std::map<std::string, base::Secret> config = {};

  friend bool operator==(const AuthProvider&, const AuthProvider&) = default;
};

// Who one is. (api.AuthInfo)
struct AuthInfo {
  // As ClusterInfo's.
  std::string location_of_origin = {};
  // Files in PEM, or the same text, which counts if both are there.
  std::string client_certificate = {};
  std::string client_certificate_data = {};
  std::string client_key = {};
  base::Secret client_key_data = {};
  // A bearer token, or a file of one that is read again and again; the token goes first.
  base::Secret token = {};
  std::string token_file = {};
  // Whom to act as; the others need a user.
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

// A cluster and a user, by name, and the namespace to work in. (api.Context; kube::Context is
// something else)
struct ContextInfo {
  // As ClusterInfo's.
  std::string location_of_origin = {};
  std::string cluster = {};
  std::string user = {};
  // Empty: "default".
  std::string namespace_name = {};
  Extensions extensions = {};

  friend bool operator==(const ContextInfo&, const ContextInfo&) = default;
};

// Nothing reads it any more; it is kept. (api.Preferences)
struct Preferences {
  bool colors = false;
  Extensions extensions = {};

  friend bool operator==(const Preferences&, const Preferences&) = default;
};

// One file, or several merged. (api.Config)
struct Kubeconfig {
  Preferences preferences = {};
  std::map<std::string, ClusterInfo> clusters = {};
  std::map<std::string, AuthInfo> users = {};
  std::map<std::string, ContextInfo> contexts = {};
  std::string current_context = {};
  Extensions extensions = {};

  friend bool operator==(const Kubeconfig&, const Kubeconfig&) = default;
};

// Whether it says nothing at all. (api.IsConfigEmpty)
bool IsConfigEmpty(const Kubeconfig& config);

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_KUBECONFIG_H_
