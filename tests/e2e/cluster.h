#ifndef TESTS_E2E_CLUSTER_H_
#define TESTS_E2E_CLUSTER_H_

#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "clientset/kubernetes/clientset.h"
#include "envtest/environment.h"
#include "envtest/workloads/workloads.h"
#include "envtest/workloads/workloads_options.h"

namespace kube::e2e {

// Of the sample controller's manifests: its namespace, and the name of all that they make.
inline constexpr char kController[] = "sample-controller";
inline constexpr char kServiceAccount[] =
    "system:serviceaccount:sample-controller:sample-controller";
// Where the Foos are.
inline constexpr char kFoos[] = "foos";

// A cluster with the definition of Foo and the sample controller's manifests, as `kubectl create
// -f` makes them, where Deployments get pods that become ready: the embedded server, or, with
// E2E_SERVER=real, a real kube-apiserver with RBAC and kube-controller-manager. Each test has its
// own. For the main thread: what it starts ends with that.
class Cluster {
 public:
  static absl::StatusOr<std::unique_ptr<Cluster>> Start();
  virtual ~Cluster() = default;
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  // As the administrator.
  const kubernetes::Clientset& client() const { return client_; }
  // As the holder of a token.
  absl::StatusOr<kubernetes::Clientset> ClientOf(absl::string_view token) const;
  // The text of a kubeconfig: who holds the token in that file, in the controller's namespace.
  std::string KubeconfigOf(absl::string_view token_file) const;

  // One more token of the controller's service account, which is good for ten minutes, the least
  // that a server gives, and as long as it is not revoked.
  absl::StatusOr<std::string> IssueToken();
  // Deletes what the token is bound to. A real server still takes it for some ten seconds.
  absl::Status RevokeToken(const std::string& token);

  // Takes the right to read Deployments from the controller's role.
  virtual absl::Status ForbidReadingDeployments() = 0;

  // The server ends as if it was killed, and all that is open with it; nobody can reach it.
  virtual void StopApiServer() = 0;
  // It is back at the same address, with its data, and has forgotten its history.
  virtual absl::Status StartApiServer() = 0;

  // How long nothing may change on this server until a test gives up.
  virtual absl::Duration patience() const = 0;

 protected:
  Cluster(std::unique_ptr<envtest::Environment> environment, kubernetes::Clientset client);

  // The definition, the manifests, pods.
  absl::Status Prepare(const Context& ctx, envtest::WorkloadsOptions options);

  // Of what the server has signed, what it takes; and takes no more.
  virtual std::string Accept(std::string token) { return token; }
  virtual void Reject(const std::string& /*token*/) {}

 private:
  const std::unique_ptr<envtest::Environment> environment_;
  const kubernetes::Clientset client_;
  std::map<std::string, std::string> anchors_;  // secrets, by the token that is bound to each
  std::unique_ptr<envtest::Workloads> workloads_;
};

// For Cluster::Start.
absl::StatusOr<std::unique_ptr<Cluster>> StartEmbeddedCluster(const Context& ctx);
absl::StatusOr<std::unique_ptr<Cluster>> StartRealCluster(const Context& ctx);

}  // namespace kube::e2e

#endif  // TESTS_E2E_CLUSTER_H_
