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

// When each stage was reached, counted from sending the first Foo.
struct Convergence {
  absl::Duration created = absl::ZeroDuration();      // all Foos exist
  absl::Duration deployments = absl::ZeroDuration();  // all their Deployments exist
  absl::Duration statuses = absl::ZeroDuration();     // the status of each Foo was written
};

// A cluster with the definition of Foo and a controller for Deployments. Thread-compatible.
class Cluster {
 public:
  // Starts etcd, kube-apiserver and kube-controller-manager, or with `embedded` envtest's own
  // server. `crds` is the path of the definition of Foo. Returns NOT_FOUND if the programs are
  // missing.
  static absl::StatusOr<std::unique_ptr<Cluster>> Start(const Context& ctx, bool embedded,
                                                        const std::string& crds);

  // Use Start instead.
  Cluster(std::unique_ptr<envtest::Environment> environment, kubernetes::Clientset client)
      : environment_(std::move(environment)), client_(std::move(client)) {}

  // Returns the text of a kubeconfig file for the administrator.
  std::string Kubeconfig() const { return environment_->Kubeconfig(); }

  // Creates this number of Foos, and blocks until a running controller has processed them. Uses
  // watches, which cost the server little and show each stage when it is reached. Call it once.
  absl::StatusOr<Convergence> Converge(const Context& ctx, int foos);

 private:
  absl::Status AwaitDeploymentController(const Context& ctx) const;
  absl::Status CreateFoos(const Context& ctx, int foos) const;

  const std::unique_ptr<envtest::Environment> environment_;
  const kubernetes::Clientset client_;
  std::unique_ptr<envtest::Workloads> workloads_;  // null: the real server has controllers
};

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_SAMPLE_CONTROLLER_CLUSTER_H_
