#include "clientset/clientcmd/internal/rest_config.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/base/text/utf8.h"
#include "clientset/clientcmd/internal/addresses.h"
#include "clientset/clientcmd/internal/file_lock.h"
#include "clientset/clientcmd/internal/read_file.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/clientcmd/loading_rules.h"
#include "clientset/clientcmd/modify_config.h"
#include "clientset/clientcmd/overrides.h"
#include "clientset/rest/config.h"
#include "clientset/rest/exec_config.h"
#include "clientset/rest/oidc_config.h"

namespace kube::clientcmd::internal {
namespace {

// The extension of a cluster that is reserved for exec plug-ins.
constexpr char kExecExtension[] = "client.authentication.k8s.io/exec";
// Keys of the auth-provider "oidc".
constexpr char kIssuerUrl[] = "idp-issuer-url";
constexpr char kClientId[] = "client-id";
constexpr char kIdToken[] = "id-token";
constexpr char kRefreshToken[] = "refresh-token";
// Writing a file takes no longer; a lock that lasts was left behind.
constexpr absl::Duration kLockTimeout = absl::Seconds(1);

rest::ExecInteractiveMode InteractiveMode(absl::string_view mode) {
  if (mode == "Never") return rest::ExecInteractiveMode::kNever;
  if (mode == "IfAvailable") return rest::ExecInteractiveMode::kIfAvailable;
  if (mode == "Always") return rest::ExecInteractiveMode::kAlways;
  return rest::ExecInteractiveMode::kUnset;
}

rest::ExecConfig MakeExecConfig(const ExecPlugin& exec, const ClusterInfo& cluster) {
  rest::ExecConfig config{
      .command = exec.command,
      .args = exec.args,
      .env = exec.env,
      .api_version = exec.api_version,
      .install_hint = CleanEscapeCodes(exec.install_hint),
      .provide_cluster_info = exec.provide_cluster_info,
      .interactive_mode = InteractiveMode(exec.interactive_mode),
  };
  const auto extension = cluster.extensions.find(kExecExtension);
  if (extension != cluster.extensions.end()) config.cluster_config = extension->second;
  return config;
}

base::Secret Setting(const AuthProvider& provider, const std::string& key) {
  const auto found = provider.config.find(key);
  return found == provider.config.end() ? base::Secret() : found->second;
}

// The files of a kubeconfig of which only one counts, as it is written.
LoadingRules RulesOf(const std::string& file) {
  LoadingRules rules;
  rules.explicit_path = file;
  rules.resolve_paths = false;
  return rules;
}

// Where the tokens of a login are stored, and whose they are.
struct StoredLogin {
  std::string file = {};
  std::string user = {};
  std::string issuer_url = {};
  std::string client_id = {};
};

// Returns FAILED_PRECONDITION if the user has changed to another issuer meanwhile: the refresh
// token of that one must not be sent to the former.
absl::StatusOr<AuthProvider*> ProviderOf(Kubeconfig& config, const StoredLogin& login) {
  const auto found = config.users.find(login.user);
  if (found == config.users.end() || !found->second.auth_provider.has_value()) {
    return absl::NotFoundError(
        absl::StrCat("user ", text::Quoted(login.user), " with an auth-provider in ", login.file));
  }
  AuthProvider& provider = *found->second.auth_provider;
  if (Setting(provider, kIssuerUrl).Reveal() != login.issuer_url ||
      Setting(provider, kClientId).Reveal() != login.client_id) {
    return absl::FailedPreconditionError(
        absl::StrCat("user ", text::Quoted(login.user), " in ", login.file,
                     " has another issuer or client ID than the program began with"));
  }
  return &provider;
}

// Reads the tokens that the file has now, under its lock, since other programs write it in place.
// Where there can be no lock, because the folder cannot be written, it is read without.
absl::StatusOr<rest::OidcTokens> LoadTokens(const Context& ctx, const StoredLogin& login) {
  FileLocks locks;
  locks.Lock(ctx, login.file, kLockTimeout).IgnoreError();
  KUBE_ASSIGN_OR_RETURN(Kubeconfig config, StartingConfig(RulesOf(login.file)));
  KUBE_ASSIGN_OR_RETURN(const AuthProvider* provider, ProviderOf(config, login));
  return rest::OidcTokens{.id_token = Setting(*provider, kIdToken),
                          .refresh_token = Setting(*provider, kRefreshToken)};
}

// Writes new tokens into the file that the user came from. (client-go:
// `restclient.AuthProviderConfigPersister`)
absl::Status StoreTokens(const Context& ctx, const StoredLogin& login,
                         const rest::OidcTokens& tokens) {
  const LoadingRules rules = RulesOf(login.file);
  KUBE_ASSIGN_OR_RETURN(Kubeconfig config, StartingConfig(rules));
  KUBE_ASSIGN_OR_RETURN(AuthProvider * provider, ProviderOf(config, login));
  provider->config[kIdToken] = tokens.id_token;
  provider->config[kRefreshToken] = tokens.refresh_token;
  return ModifyConfig(ctx, rules, config);
}

// (client-go: `oidc.newOIDCAuthProvider`)
absl::StatusOr<rest::OidcConfig> MakeOidcConfig(absl::string_view name, const AuthInfo& user) {
  const AuthProvider& provider = *user.auth_provider;
  const auto plain = [&provider](const std::string& key) {
    return std::string(Setting(provider, key).Reveal());
  };
  rest::OidcConfig oidc{
      .issuer_url = plain(kIssuerUrl),
      .client_id = plain(kClientId),
      .client_secret = Setting(provider, "client-secret"),
      .ca_file = plain("idp-certificate-authority"),
      .tokens = {.id_token = Setting(provider, kIdToken),
                 .refresh_token = Setting(provider, kRefreshToken)},
  };
  if (!absl::Base64Unescape(plain("idp-certificate-authority-data"), &oidc.ca_data)) {
    return absl::InvalidArgumentError(
        absl::StrCat("use credentials of user ", text::Quoted(name),
                     ": idp-certificate-authority-data of its auth-provider is not base64"));
  }
  if (!user.location_of_origin.empty()) {
    const StoredLogin login = {.file = user.location_of_origin,
                               .user = std::string(name),
                               .issuer_url = oidc.issuer_url,
                               .client_id = oidc.client_id};
    oidc.load = [login](const Context& ctx) { return LoadTokens(ctx, login); };
    oidc.persist = [login](const Context& ctx, const rest::OidcTokens& tokens) {
      return StoreTokens(ctx, login, tokens);
    };
  }
  return oidc;
}

// (client-go: `getUserIdentificationPartialConfig`)
absl::Status SetUser(rest::Config& config, absl::string_view name, const AuthInfo& user,
                     const ClusterInfo& cluster) {
  if (user.auth_provider.has_value()) {
    if (user.auth_provider->name != "oidc") {
      return absl::UnimplementedError(
          absl::StrCat("use credentials of user \"", name, "\": no Auth Provider found for name \"",
                       user.auth_provider->name, "\", use an exec plugin"));
    }
    KUBE_ASSIGN_OR_RETURN(config.oidc, MakeOidcConfig(name, user));
  }
  config.bearer_token = user.token;
  config.bearer_token_file = user.token_file;
  if (user.token.empty() && !user.token_file.empty()) {
    KUBE_ASSIGN_OR_RETURN(std::string token, ReadFile(user.token_file));
    config.bearer_token = base::Secret(std::move(token));
  }
  // A key without a certificate is not a credential.
  if (!user.client_certificate.empty() || !user.client_certificate_data.empty()) {
    config.tls.cert_file = user.client_certificate;
    config.tls.cert_data = user.client_certificate_data;
    config.tls.key_file = user.client_key;
    config.tls.key_data = user.client_key_data;
  }
  config.username = user.username;
  config.password = user.password;
  if (user.exec.has_value()) config.exec = MakeExecConfig(*user.exec, cluster);
  return absl::OkStatus();
}

// (client-go: `getServerIdentificationPartialConfig`)
void SetServer(rest::Config& config, const ClusterInfo& cluster) {
  config.tls.ca_file = cluster.certificate_authority;
  config.tls.ca_data = cluster.certificate_authority_data;
  config.tls.insecure = cluster.insecure_skip_tls_verify;
  config.tls.server_name = cluster.tls_server_name;
}

// Unicode's spaces beyond ASCII, which unicode.IsPrint excludes.
bool IsWideSpace(char32_t rune) {
  constexpr char32_t kSpaces[] = {0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000};
  return (rune >= 0x2000 && rune <= 0x200A) ||
         std::find(std::begin(kSpaces), std::end(kSpaces), rune) != std::end(kSpaces);
}

auto TieTls(const rest::TlsClientConfig& tls) {
  return std::tie(tls.insecure, tls.server_name, tls.cert_file, tls.key_file, tls.cert_data,
                  tls.key_data, tls.ca_file, tls.ca_data);
}
auto TieConfig(const rest::Config& config) {
  return std::tie(config.host, config.username, config.password, config.bearer_token,
                  config.bearer_token_file, config.impersonate, config.disable_compression,
                  config.timeout);
}
auto TieOidc(const rest::OidcConfig& oidc) {
  return std::tie(oidc.issuer_url, oidc.client_id, oidc.client_secret, oidc.ca_file, oidc.ca_data,
                  oidc.tokens.id_token, oidc.tokens.refresh_token);
}
auto TieExec(const rest::ExecConfig& exec) {
  return std::tie(exec.command, exec.args, exec.env, exec.api_version, exec.install_hint,
                  exec.provide_cluster_info, exec.cluster_config, exec.interactive_mode);
}

}  // namespace

absl::StatusOr<rest::Config> MakeRestConfig(const ClusterInfo& cluster, absl::string_view user_name,
                                            const AuthInfo& user, absl::string_view timeout) {
  rest::Config config;
  if (!cluster.proxy_url.empty()) {
    KUBE_ASSIGN_OR_RETURN(config.proxy_url, ParseProxyUrl(cluster.proxy_url));
  }
  config.disable_compression = cluster.disable_compression;
  if (!timeout.empty()) {
    KUBE_ASSIGN_OR_RETURN(config.timeout, ParseTimeout(timeout));
  }
  config.host = WithoutQuery(cluster.server);
  if (!user.impersonate.empty()) {
    config.impersonate = {
        .user_name = user.impersonate,
        .uid = user.impersonate_uid,
        .groups = user.impersonate_groups,
        .extra = user.impersonate_user_extra,
    };
  }
  // Credentials must not be readable on the network.
  if (IsTls(config.host)) {
    KUBE_RETURN_IF_ERROR(SetUser(config, user_name, user, cluster));
    SetServer(config, cluster);
  }
  return config;
}

bool SameConfig(const rest::Config& a, const rest::Config& b) {
  if (a.proxy_url.has_value() || b.proxy_url.has_value()) return false;
  if (a.exec.has_value() != b.exec.has_value()) return false;
  if (a.exec.has_value() && TieExec(*a.exec) != TieExec(*b.exec)) return false;
  if (a.oidc.has_value() != b.oidc.has_value()) return false;
  if (a.oidc.has_value() && TieOidc(*a.oidc) != TieOidc(*b.oidc)) return false;
  return TieConfig(a) == TieConfig(b) && TieTls(a.tls) == TieTls(b.tls);
}

std::string CleanEscapeCodes(absl::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const text::Rune rune = text::DecodeRune(text);
    const absl::string_view bytes = text.substr(0, rune.size);
    text.remove_prefix(rune.size);
    if (rune.invalid()) {
      clean += "\xEF\xBF\xBD";
    } else if (text::IsPrint(rune.value) || IsWideSpace(rune.value) ||
               (rune.value >= '\t' && rune.value <= '\r')) {
      absl::StrAppend(&clean, bytes);
    } else {
      absl::StrAppendFormat(&clean, "U+%04X", static_cast<uint32_t>(rune.value));
    }
  }
  return clean;
}

}  // namespace kube::clientcmd::internal
