#ifndef EXAMPLES_MEMCACHED_OPERATOR_TEST_CLUSTER_H_
#define EXAMPLES_MEMCACHED_OPERATOR_TEST_CLUSTER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "controller/manager/manager.h"
#include "controller/testing/operator_environment.h"
#include "envtest/testing/eventually.h"
#include "envtest/workloads/workloads.h"
#include "envtest/workloads/workloads_options.h"
#include "examples/memcached_operator/memcached.client.kube.h"
#include "examples/memcached_operator/memcached.kube.h"

namespace cache {

// The operator's service account in its manifests.
inline constexpr char kAccount[] =
    "system:serviceaccount:memcached-operator-system:memcached-operator-controller-manager";
// Returns options for a wait in virtual time: long enough for a rollout and a few retries.
inline kube::envtest::EventuallyOptions Soon() { return {.timeout = absl::Minutes(5)}; }

// Returns what the program prints with --print-manifests.
absl::StatusOr<std::string> PrintManifests();

// Returns whether the Memcached has a condition of this type and status that is about its present
// generation.
bool Has(const v1alpha1::Memcached& memcached, absl::string_view type, absl::string_view status);
// Returns whether all servers are available, and nothing is left to be done.
bool IsDeployed(const v1alpha1::Memcached& memcached);

// An API server in the process, simulated nodes and controllers, and the operator with the rights
// and the webhooks that its manifests have. For one thread, inside SimRuntime::Run.
class Cluster {
 public:
  // Starts everything. Blocks until the operator leads. Call Stop after an error, too.
  absl::Status Start(const kube::envtest::WorkloadsOptions& workloads = {
                         .pod_ready_after = absl::Seconds(1)});
  // Stops the operator, and returns what Manager::Run has returned.
  absl::Status Stop();

  kube::apiserver::ApiHandler& server() { return *test_->server(); }
  kube::controller::Manager& manager() { return test_->manager(); }

  v1alpha1::MemcachedClient memcacheds() const { return {test_->client(), "default"}; }
  kube::api::apps::v1::DeploymentClient deployments() const { return {test_->client(), "default"}; }
  kube::api::core::v1::ConfigMapClient config_maps() const { return {test_->client(), "default"}; }

  // Creates a Memcached, and returns it as the server has it.
  absl::StatusOr<v1alpha1::Memcached> Create(absl::string_view name, std::optional<int32_t> size,
                                             int32_t port = 11211) const;
  // Sets the size in the Memcached, or the replicas in its Deployment.
  absl::Status Resize(absl::string_view name, int32_t size) const;
  absl::Status ResizeDeployment(absl::string_view name, int32_t replicas) const;
  // Waits until IsDeployed, and returns the Memcached.
  absl::StatusOr<v1alpha1::Memcached> AwaitDeployed(absl::string_view name) const;

  // Returns how often the operator has recorded events with this reason.
  int EventCount(absl::string_view reason) const;
  // Waits until EventCount returns at least `times`.
  absl::Status AwaitEvents(absl::string_view reason, int times) const;

 private:
  std::unique_ptr<kube::controller::OperatorEnvironment> test_;  // set by Start
  std::unique_ptr<kube::envtest::Workloads> workloads_;
};

}  // namespace cache

#endif  // EXAMPLES_MEMCACHED_OPERATOR_TEST_CLUSTER_H_
