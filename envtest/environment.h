#ifndef ENVTEST_ENVIRONMENT_H_
#define ENVTEST_ENVIRONMENT_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apiserver/api_server.h"
#include "apiserver/user.h"
#include "clientset/rest/config.h"
#include "net/certificates/certificate_authority.h"

namespace kube::envtest {

// A Kubernetes API server for a single test: the embedded one, or a ControlPlane of real programs,
// so that the same test can run on both. (controller-runtime: `envtest.Environment`)
//
//   auto environment = envtest::EmbeddedEnvironment::Start();
//   ASSERT_THAT(environment, IsOk());
//   const rest::Client client = *rest::MakeClient((*environment)->Config());
//
// The destructor stops the server. Thread-safe, except for Stop, during which nothing may use it.
class Environment {
 public:
  virtual ~Environment() = default;

  // Returns the base URL, such as "https://127.0.0.1:40123".
  virtual std::string url() const = 0;
  // Returns the PEM certificate of the authority; empty without TLS.
  virtual std::string ca_certificate() const = 0;
  // Returns a bearer token of the administrator, who may do everything.
  virtual std::string admin_token() const = 0;
  // Returns a client certificate for `user`. Returns FAILED_PRECONDITION without TLS.
  virtual absl::StatusOr<certificates::Certificate> IssueClientCertificate(
      const apiserver::User& user) const = 0;

  // Stops the server, closes everything and frees its resources. Blocks until that is done. Returns
  // an error if the server had ended by itself. A second call returns OK.
  virtual absl::Status Stop() = 0;

  // Returns a configuration for rest::MakeClient, for the administrator or the user of `token`.
  rest::Config Config() const { return Config(admin_token()); }
  rest::Config Config(absl::string_view token) const;
  // Returns the text of a kubeconfig file, for programs.
  std::string Kubeconfig() const { return Kubeconfig(admin_token()); }
  std::string Kubeconfig(absl::string_view token) const;
};

// Returns a configuration for rest::MakeClient as administrator of an ApiServer.
rest::Config ConfigOf(const apiserver::ApiServer& server);

// The embedded API server as an Environment.
class EmbeddedEnvironment final : public Environment {
 private:
  // Makes the constructor usable by Start only.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Starts the server; see apiserver::ApiServer::Start.
  static absl::StatusOr<std::unique_ptr<EmbeddedEnvironment>> Start(
      apiserver::ApiServerOptions options = {});

  EmbeddedEnvironment(Key, std::unique_ptr<apiserver::ApiServer> server);

  // Returns the server for what only the embedded one has, such as rules, the request log,
  // compaction, faults and restarts. Valid until Stop.
  apiserver::ApiServer& server() { return *server_; }

  std::string url() const override { return url_; }
  std::string ca_certificate() const override { return ca_certificate_; }
  std::string admin_token() const override { return admin_token_; }
  absl::StatusOr<certificates::Certificate> IssueClientCertificate(
      const apiserver::User& user) const override;
  absl::Status Stop() override;

 private:
  const std::string url_;
  const std::string ca_certificate_;
  const std::string admin_token_;
  std::unique_ptr<apiserver::ApiServer> server_;
};

}  // namespace kube::envtest

#endif  // ENVTEST_ENVIRONMENT_H_
