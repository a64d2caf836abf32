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

// The namespace in the sample controller's manifests, and the name of all objects in them.
inline constexpr char kController[] = "sample-controller";
inline constexpr char kServiceAccount[] =
    "system:serviceaccount:sample-controller:sample-controller";
// The namespace of the Foos.
inline constexpr char kFoos[] = "foos";

// A cluster with the definition of Foo and the sample controller's manifests, created as by
// `kubectl create -f`, in which Deployments get pods that become ready. It is the embedded server
// or, with E2E_SERVER=real, a real kube-apiserver with RBAC and kube-controller-manager. Each test
// has its own. Must be used by the main thread, because its processes end with the thread that
// starts them.
class Cluster {
 public:
  static absl::StatusOr<std::unique_ptr<Cluster>> Start();
  virtual ~Cluster() = default;
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  // Returns a client with the rights of the administrator.
  const kubernetes::Clientset& client() const { return client_; }
  // Returns a client with the rights of the token's holder.
  absl::StatusOr<kubernetes::Clientset> ClientOf(absl::string_view token) const;
  // Returns the text of a kubeconfig that uses the token in a file, and the controller's namespace.
  std::string KubeconfigOf(absl::string_view token_file) const;

  // Issues a token of the controller's service account. It is valid for ten minutes, the minimum
  // that a server allows, unless it is revoked.
  absl::StatusOr<std::string> IssueToken();
  // Deletes the object to which the token is bound. A real server still accepts the token for about
  // ten seconds.
  absl::Status RevokeToken(const std::string& token);

  // Removes the right to read Deployments from the controller's role.
  virtual absl::Status ForbidReadingDeployments() = 0;

  // Stops the server as if it was killed: all connections break, and it cannot be reached.
  virtual void StopApiServer() = 0;
  // Starts the server again at the same address, with its data but without its history.
  virtual absl::Status StartApiServer() = 0;

  // Returns how long a test waits without any change until it fails.
  virtual absl::Duration patience() const = 0;

 protected:
  Cluster(std::unique_ptr<envtest::Environment> environment, kubernetes::Clientset client);

  // Installs the definition and the manifests, and starts the workloads.
  absl::Status Prepare(const Context& ctx, envtest::WorkloadsOptions options);

 private:
  const std::unique_ptr<envtest::Environment> environment_;
  const kubernetes::Clientset client_;
  std::map<std::string, std::string> anchors_;  // secrets, by the token that is bound to each
  std::unique_ptr<envtest::Workloads> workloads_;
};

// Use Cluster::Start.
absl::StatusOr<std::unique_ptr<Cluster>> StartEmbeddedCluster(const Context& ctx);
absl::StatusOr<std::unique_ptr<Cluster>> StartRealCluster(const Context& ctx);

}  // namespace kube::e2e

#endif  // TESTS_E2E_CLUSTER_H_
