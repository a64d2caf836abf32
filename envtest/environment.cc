#include "envtest/environment.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apiserver/api_server.h"
#include "apiserver/kubeconfig_text.h"
#include "apiserver/user.h"
#include "clientset/rest/config.h"
#include "net/certificates/certificate_authority.h"

namespace kube::envtest {
namespace {

rest::Config MakeConfig(const std::string& url, const std::string& ca_certificate,
                        absl::string_view token) {
  return {.host = url,
          .bearer_token = base::Secret(token),
          .tls = {.ca_data = ca_certificate},
          // The server is on this machine, so no proxy is used.
          .proxy_url = ""};
}

}  // namespace

rest::Config Environment::Config(absl::string_view token) const {
  return MakeConfig(url(), ca_certificate(), token);
}

std::string Environment::Kubeconfig(absl::string_view token) const {
  return apiserver::KubeconfigText(url(), ca_certificate(), token);
}

rest::Config ConfigOf(const apiserver::ApiServer& server) {
  return MakeConfig(server.url(), server.ca_certificate(), server.admin_token());
}

absl::StatusOr<std::unique_ptr<EmbeddedEnvironment>> EmbeddedEnvironment::Start(
    apiserver::ApiServerOptions options) {
  KUBE_ASSIGN_OR_RETURN(std::unique_ptr<apiserver::ApiServer> server,
                        apiserver::ApiServer::Start(std::move(options)));
  return std::make_unique<EmbeddedEnvironment>(Key(), std::move(server));
}

EmbeddedEnvironment::EmbeddedEnvironment(Key, std::unique_ptr<apiserver::ApiServer> server)
    : url_(server->url()),
      ca_certificate_(server->ca_certificate()),
      admin_token_(server->admin_token()),
      server_(std::move(server)) {}

absl::StatusOr<certificates::Certificate> EmbeddedEnvironment::IssueClientCertificate(
    const apiserver::User& user) const {
  if (server_ == nullptr) {
    return absl::FailedPreconditionError("issue client certificate: the server was stopped");
  }
  return server_->IssueClientCertificate(user);
}

absl::Status EmbeddedEnvironment::Stop() {
  server_.reset();
  return absl::OkStatus();
}

}  // namespace kube::envtest
