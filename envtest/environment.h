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

// A Kubernetes API server that a test has for itself, whichever it is: the embedded one, or a
// ControlPlane of real binaries. So that the same test can run on both.
//
//   KUBE_ASSIGN_OR_RETURN(std::unique_ptr<EmbeddedEnvironment> environment,
//                         EmbeddedEnvironment::Start());
//   KUBE_ASSIGN_OR_RETURN(rest::Client client, rest::MakeClient(environment->Config()));
//
// The destructor stops it. Thread-safe, but for Stop: nobody uses it meanwhile.
class Environment {
 public:
  virtual ~Environment() = default;

  // "https://127.0.0.1:40123"
  virtual std::string url() const = 0;
  // PEM. Empty without TLS.
  virtual std::string ca_certificate() const = 0;
  // Who may do everything, by bearer token.
  virtual std::string admin_token() const = 0;
  // A certificate for a client. FAILED_PRECONDITION without TLS.
  virtual absl::StatusOr<certificates::Certificate> IssueClientCertificate(
      const apiserver::User& user) const = 0;

  // Ends it, with all that is open, and frees what it has. Blocks until that is done. An error says
  // that it had ended before. Again: OK.
  virtual absl::Status Stop() = 0;

  // For rest::MakeClient: as the administrator, or by another token.
  rest::Config Config() const { return Config(admin_token()); }
  rest::Config Config(absl::string_view token) const;
  // The text of a kubeconfig file, for programs.
  std::string Kubeconfig() const { return Kubeconfig(admin_token()); }
  std::string Kubeconfig(absl::string_view token) const;
};

// For rest::MakeClient: an ApiServer, as its administrator.
rest::Config ConfigOf(const apiserver::ApiServer& server);

// The embedded server as an Environment.
class EmbeddedEnvironment final : public Environment {
 private:
  // Only Start has one.
  struct Key {
    explicit Key() = default;
  };

 public:
  // As ApiServer::Start.
  static absl::StatusOr<std::unique_ptr<EmbeddedEnvironment>> Start(
      apiserver::ApiServerOptions options = {});

  EmbeddedEnvironment(Key, std::unique_ptr<apiserver::ApiServer> server);

  // What only this one has: rules, the log, compaction, faults, restarts. Until Stop.
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
