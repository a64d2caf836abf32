#include "clientset/rest/config.h"

#include <errno.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/text/go_text.h"
#include "clientset/rest/exec_config.h"
#include "clientset/rest/internal/redaction.h"
#include "clientset/rest/oidc_config.h"
#include "clientset/rest/user_agent.h"
#include "net/httpclient/transport.h"

namespace kube::rest {

namespace {

// Formats the fields that are set, in braces.
class Members {
 public:
  void Text(absl::string_view name, absl::string_view value) {
    if (value.empty()) return;
    std::string quoted;
    text::AppendQuoted(quoted, value);
    Raw(name, quoted);
  }
  void Redacted(absl::string_view name, bool is_set) {
    if (is_set) Raw(name, base::Secret::kRedacted);
  }
  void Flag(absl::string_view name, bool value) {
    if (value) Raw(name, "true");
  }
  void Raw(absl::string_view name, absl::string_view value) {
    members_.push_back(absl::StrCat(name, "=", value));
  }
  std::string ToString() const { return absl::StrCat("{", absl::StrJoin(members_, " "), "}"); }

 private:
  std::vector<std::string> members_;
};

std::string TlsString(const TlsClientConfig& tls) {
  Members members;
  members.Flag("insecure", tls.insecure);
  members.Text("server_name", tls.server_name);
  members.Text("cert_file", tls.cert_file);
  members.Text("key_file", tls.key_file);
  members.Text("ca_file", tls.ca_file);
  // Certificates are not secret, but long.
  if (!tls.cert_data.empty())
    members.Raw("cert_data", absl::StrCat("<", tls.cert_data.size(), " bytes>"));
  if (!tls.ca_data.empty())
    members.Raw("ca_data", absl::StrCat("<", tls.ca_data.size(), " bytes>"));
  members.Redacted("key_data", !tls.key_data.empty());
  members.Flag("get_key_pair", tls.get_key_pair != nullptr);
  return members.ToString();
}

// Users put passwords into the arguments and the environment of plug-ins.
std::string ExecString(const ExecConfig& exec) {
  Members members;
  members.Text("command", exec.command);
  members.Text("api_version", exec.api_version);
  members.Redacted("args", !exec.args.empty());
  members.Redacted("env", !exec.env.empty());
  members.Redacted("cluster_config", !exec.cluster_config.empty());
  return members.ToString();
}

std::string OidcString(const OidcConfig& oidc) {
  Members members;
  members.Text("issuer_url", internal::ShownUrl(oidc.issuer_url));
  members.Text("client_id", oidc.client_id);
  members.Redacted("client_secret", !oidc.client_secret.empty());
  members.Text("ca_file", oidc.ca_file);
  members.Redacted("id_token", !oidc.tokens.id_token.empty());
  members.Redacted("refresh_token", !oidc.tokens.refresh_token.empty());
  return members.ToString();
}

std::string ImpersonationString(const ImpersonationConfig& impersonate) {
  Members members;
  members.Text("user_name", impersonate.user_name);
  members.Text("uid", impersonate.uid);
  members.Text("groups", absl::StrJoin(impersonate.groups, ","));
  members.Redacted("extra", !impersonate.extra.empty());
  return members.ToString();
}

}  // namespace

void Wrap(Config& config, httpclient::TransportWrapper wrapper) {
  if (config.wrap_transport == nullptr) {
    config.wrap_transport = std::move(wrapper);
    return;
  }
  config.wrap_transport = [inner = std::move(config.wrap_transport), outer = std::move(wrapper)](
                              std::shared_ptr<httpclient::Transport> transport) {
    return outer(inner(std::move(transport)));
  };
}

Config AnonymousConfig(const Config& config) {
  Config anonymous = config;
  anonymous.username.clear();
  anonymous.password = base::Secret();
  anonymous.bearer_token = base::Secret();
  anonymous.bearer_token_file.clear();
  anonymous.exec.reset();
  anonymous.oidc.reset();
  anonymous.impersonate = {};
  anonymous.tls.cert_file.clear();
  anonymous.tls.cert_data.clear();
  anonymous.tls.key_file.clear();
  anonymous.tls.key_data = base::Secret();
  anonymous.tls.get_key_pair = nullptr;
  return anonymous;
}

std::string RedactedString(const Config& config) {
  Members members;
  members.Text("host", internal::ShownUrl(config.host));
  members.Text("username", config.username);
  members.Redacted("password", !config.password.empty());
  members.Redacted("bearer_token", !config.bearer_token.empty());
  members.Text("bearer_token_file", config.bearer_token_file);
  if (config.exec.has_value()) members.Raw("exec", ExecString(*config.exec));
  if (config.oidc.has_value()) members.Raw("oidc", OidcString(*config.oidc));
  members.Raw("impersonate", ImpersonationString(config.impersonate));
  members.Raw("tls", TlsString(config.tls));
  if (config.proxy_url.has_value()) {
    members.Text("proxy_url", internal::ShownProxyUrl(*config.proxy_url));
  }
  members.Flag("dialer", config.dialer != nullptr);
  members.Flag("close_connections_on_rotation", config.close_connections_on_rotation);
  members.Text("user_agent", config.user_agent);
  members.Flag("disable_compression", config.disable_compression);
  members.Text("content_type", config.content_type);
  if (config.qps > 0) members.Raw("qps", absl::StrCat(config.qps));
  if (config.burst > 0) members.Raw("burst", absl::StrCat(config.burst));
  if (config.timeout > absl::ZeroDuration()) {
    members.Raw("timeout", absl::FormatDuration(config.timeout));
  }
  return members.ToString();
}

const std::string& DefaultUserAgent() {
  static base::NoDestructor<std::string> agent(
      BuildUserAgent(program_invocation_name == nullptr ? "" : program_invocation_name,
                     KUBE_RELEASE, OperatingSystem(), Architecture(), ""));
  return *agent;
}

}  // namespace kube::rest
