#include "examples/memcached_operator/test/cluster.h"

#include <fstream>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/meta/conditions.h"
#include "controller/manager/manager_options.h"
#include "controller/manifests/install.h"
#include "controller/manifests/install_options.h"
#include "envtest/in_process_transport.h"
#include "envtest/service_account.h"
#include "examples/memcached_operator/operator.h"
#include "gmock/gmock.h"

namespace cache {
namespace {

namespace appsv1 = kube::api::apps::v1;
namespace corev1 = kube::api::core::v1;
namespace metav1 = kube::api::meta::v1;
using kube::Context;
using v1alpha1::Memcached;

constexpr char kCrds[] = "examples/memcached_operator/memcached_crds.yaml";

kube::controller::ManagerOptions Options() {
  kube::controller::ManagerOptions options = {.name = kOperatorName};
  options.leader_election = kube::controller::LeaseOptions{
      .lease = {.namespace_name = absl::StrCat(kOperatorName, "-system")}};
  options.health.reset();  // a simulation has no ports
  return options;
}

}  // namespace

absl::StatusOr<std::string> PrintManifests() {
  std::ifstream file(kCrds);
  if (!file.is_open()) return absl::NotFoundError(kCrds);
  const std::string crds((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  kube::apiserver::ApiHandler server;  // is not asked
  KUBE_ASSIGN_OR_RETURN(
      const std::unique_ptr<kube::controller::Manager> manager,
      kube::controller::Manager::Make(kube::envtest::InProcessConfig(server), Options()));
  const MemcachedOperator made(*manager);
  return kube::manifests::InstallYaml({.name = kOperatorName,
                                       .access = manager->RequiredRules(),
                                       .webhooks = manager->webhooks().registrations()},
                                      {.definitions = crds});
}

bool Has(const Memcached& memcached, absl::string_view type, absl::string_view status) {
  const metav1::Condition* condition =
      kube::meta::FindStatusCondition(memcached.status.conditions, type);
  return condition != nullptr && condition->status == status &&
         condition->observed_generation == memcached.metadata.generation;
}

bool IsDeployed(const Memcached& memcached) {
  return Has(memcached, kAvailable, metav1::kConditionTrue) &&
         Has(memcached, kProgressing, metav1::kConditionFalse) &&
         Has(memcached, kDegraded, metav1::kConditionFalse);
}

absl::Status Cluster::Start(const kube::envtest::WorkloadsOptions& workloads) {
  KUBE_ASSIGN_OR_RETURN(std::string manifests, PrintManifests());
  kube::controller::OperatorEnvironmentOptions options;
  options.crds.paths = {kCrds};
  options.account = kube::envtest::ServiceAccountOptions{.manifest = std::move(manifests)};
  options.manager = Options();
  KUBE_ASSIGN_OR_RETURN(test_, kube::controller::OperatorEnvironment::Make(std::move(options)));
  test_->Add<MemcachedOperator>();
  KUBE_ASSIGN_OR_RETURN(workloads_,
                        kube::envtest::Workloads::Start(test_->admin_config(), workloads));
  return test_->Start();
}

absl::Status Cluster::Stop() { return test_ == nullptr ? absl::OkStatus() : test_->Stop(); }

absl::StatusOr<Memcached> Cluster::Create(absl::string_view name, std::optional<int32_t> size,
                                          int32_t port) const {
  const Memcached memcached = {.metadata = {.name = name},
                               .spec = {.size = size, .container_port = port}};
  return memcacheds().Create(Context(), memcached);
}

absl::Status Cluster::Resize(absl::string_view name, int32_t size) const {
  const auto change = [size](Memcached& memcached) {
    memcached.spec.size = size;
    return absl::OkStatus();
  };
  return memcacheds().Edit(Context(), name, change).status();
}

absl::Status Cluster::ResizeDeployment(absl::string_view name, int32_t replicas) const {
  const auto change = [replicas](appsv1::Deployment& deployment) {
    deployment.spec.replicas = replicas;
    return absl::OkStatus();
  };
  return deployments().Edit(Context(), name, change).status();
}

absl::StatusOr<Memcached> Cluster::AwaitDeployed(absl::string_view name) const {
  return kube::envtest::EventuallyGet(memcacheds(), name, testing::Truly(IsDeployed), Soon());
}

int Cluster::EventCount(absl::string_view reason) const {
  const corev1::EventClient events(test_->client(), "default");
  const auto list = events.List(Context());
  if (!list.ok()) return 0;
  int times = 0;
  for (const corev1::Event& event : list->items) {
    if (event.involved_object.kind == "Memcached" && event.reason == reason) times += event.count;
  }
  return times;
}

absl::Status Cluster::AwaitEvents(absl::string_view reason, int times) const {
  const auto check = [&] {
    const int now = EventCount(reason);
    return now >= times ? absl::OkStatus() : absl::NotFoundError(absl::StrCat(now, " times"));
  };
  return kube::envtest::EventuallyOk(check, Soon());
}

}  // namespace cache
