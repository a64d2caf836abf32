#ifndef BENCHMARKS_SAMPLE_CONTROLLER_CLUSTER_H_
#define BENCHMARKS_SAMPLE_CONTROLLER_CLUSTER_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "clientset/kubernetes/clientset.h"
#include "envtest/environment.h"
#include "envtest/workloads/workloads.h"

namespace kube::benchmarks {

// When it was reached, since the first Foo was sent.
struct Convergence {
  absl::Duration created = absl::ZeroDuration();      // all Foos are there
  absl::Duration deployments = absl::ZeroDuration();  // and all of their Deployments
  absl::Duration statuses = absl::ZeroDuration();     // and each Foo's status has been written
};

// A cluster that knows Foos, and that makes replica sets of Deployments. Thread-compatible.
class Cluster {
 public:
  // etcd, kube-apiserver and kube-controller-manager, or with `embedded` envtest's own server.
  // `crds` is the path of the definition of Foos. NOT_FOUND: no such programs.
  static absl::StatusOr<std::unique_ptr<Cluster>> Start(const Context& ctx, bool embedded,
                                                        const std::string& crds);

  // For Start.
  Cluster(std::unique_ptr<envtest::Environment> environment, kubernetes::Clientset client)
      : environment_(std::move(environment)), client_(std::move(client)) {}

  // The text of a kubeconfig file of the administrator.
  std::string Kubeconfig() const { return environment_->Kubeconfig(); }

  // Creates so many Foos, and blocks until a controller, which runs already, has done its work. It
  // watches: it costs the server little, and sees each moment as it is. Once.
  absl::StatusOr<Convergence> Converge(const Context& ctx, int foos);

 private:
  absl::Status AwaitDeploymentController(const Context& ctx) const;
  absl::Status CreateFoos(const Context& ctx, int foos) const;

  const std::unique_ptr<envtest::Environment> environment_;
  const kubernetes::Clientset client_;
  std::unique_ptr<envtest::Workloads> workloads_;  // null: a real server has controllers
};

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_SAMPLE_CONTROLLER_CLUSTER_H_
