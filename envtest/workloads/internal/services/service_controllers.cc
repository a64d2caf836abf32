#include "envtest/workloads/internal/services/service_controllers.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "api/core/v1/types.kube.h"
#include "api/discovery/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/errors/predicates.h"
#include "envtest/workloads/internal/cluster/cluster.h"
#include "envtest/workloads/internal/cluster/grouping.h"
#include "envtest/workloads/internal/cluster/outcome.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "envtest/workloads/internal/services/endpoint_slices.h"
#include "envtest/workloads/internal/services/endpoints.h"
#include "envtest/workloads/internal/services/service_pods.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;
namespace discoveryv1 = api::discovery::v1;

// Namespace and name.
using Key = std::pair<std::string, std::string>;

template <typename T>
Key KeyOf(const T& object) {
  return {std::string(object.metadata.namespace_), std::string(object.metadata.name)};
}

void WriteSlices(const Context& ctx, Cluster& cluster, const EndpointSlicesPlan& plan,
                 Outcome& outcome) {
  for (const discoveryv1::EndpointSlice& slice : plan.create) {
    outcome.Note(cluster.slices.Create(ctx, slice), "an endpoint slice");
  }
  for (const discoveryv1::EndpointSlice& slice : plan.update) {
    outcome.Note(cluster.slices.Update(ctx, slice), "an endpoint slice");
  }
  for (const auto& slice : plan.remove) {
    outcome.Note(cluster.slices.Delete(ctx, *slice), "an endpoint slice");
  }
}

void DeleteLeftOver(const Context& ctx, Cluster& cluster, const corev1::Endpoints& endpoints,
                    Outcome& outcome) {
  if (endpoints.metadata.labels.value_or(kEndpointsManagedBy, "") != kEndpointsManager) return;
  const absl::Status deleted = cluster.endpoints.Delete(ctx, endpoints);
  if (!errors::IsNotFound(deleted)) outcome.Note(deleted, "the deletion of endpoints");
}

}  // namespace

void SyncServices(const Context& ctx, Cluster& cluster, Outcome& outcome) {
  // Before the services: endpoints are younger than their service.
  std::map<Key, std::shared_ptr<const corev1::Endpoints>> endpoints;
  for (const auto& each : cluster.endpoints.All()) endpoints[KeyOf(*each)] = each;
  const auto pods = ByNamespace(cluster.pods.All());
  const auto slices = ByNamespace(cluster.slices.All());
  std::set<Key> services;
  for (const auto& service : cluster.services.All()) {
    services.insert(KeyOf(*service));
    const Objects<corev1::Pod> all = Of(pods, service->metadata.namespace_);
    WriteSlices(ctx, cluster,
                PlanEndpointSlices(*service, all, Of(slices, service->metadata.namespace_)),
                outcome);
    if (!HasEndpoints(*service)) continue;
    const auto found = endpoints.find(KeyOf(*service));
    const bool exists = found != endpoints.end();
    const std::optional<corev1::Endpoints> wanted =
        PlanEndpoints(*service, all, exists ? found->second.get() : nullptr);
    if (!wanted.has_value()) continue;
    outcome.Note(
        exists ? cluster.endpoints.Update(ctx, *wanted) : cluster.endpoints.Create(ctx, *wanted),
        "endpoints");
  }
  for (const auto& [key, each] : endpoints) {
    if (services.count(key) == 0) DeleteLeftOver(ctx, cluster, *each, outcome);
  }
}

}  // namespace kube::envtest::internal
