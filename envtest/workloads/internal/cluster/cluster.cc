#include "envtest/workloads/internal/cluster/cluster.h"

#include <functional>

#include "absl/status/status.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/thread_group.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {
namespace {

using typed::Resource;

constexpr Resource kPods = {.version = "v1", .plural = "pods", .kind = "Pod", .built_in = true};
constexpr Resource kNodes = {
    .version = "v1", .plural = "nodes", .kind = "Node", .namespaced = false, .built_in = true};
constexpr Resource kServices = {
    .version = "v1", .plural = "services", .kind = "Service", .built_in = true};
constexpr Resource kDeployments = {.group = "apps",
                                   .version = "v1",
                                   .plural = "deployments",
                                   .kind = "Deployment",
                                   .built_in = true};
constexpr Resource kReplicaSets = {.group = "apps",
                                   .version = "v1",
                                   .plural = "replicasets",
                                   .kind = "ReplicaSet",
                                   .built_in = true};
constexpr Resource kStatefulSets = {.group = "apps",
                                    .version = "v1",
                                    .plural = "statefulsets",
                                    .kind = "StatefulSet",
                                    .built_in = true};
constexpr Resource kDaemonSets = {.group = "apps",
                                  .version = "v1",
                                  .plural = "daemonsets",
                                  .kind = "DaemonSet",
                                  .built_in = true};
constexpr Resource kRevisions = {.group = "apps",
                                 .version = "v1",
                                 .plural = "controllerrevisions",
                                 .kind = "ControllerRevision",
                                 .built_in = true};
constexpr Resource kClaims = {.version = "v1",
                              .plural = "persistentvolumeclaims",
                              .kind = "PersistentVolumeClaim",
                              .built_in = true};
constexpr Resource kCronJobs = {
    .group = "batch", .version = "v1", .plural = "cronjobs", .kind = "CronJob", .built_in = true};
constexpr Resource kJobs = {
    .group = "batch", .version = "v1", .plural = "jobs", .kind = "Job", .built_in = true};
constexpr Resource kBudgets = {.group = "policy",
                               .version = "v1",
                               .plural = "poddisruptionbudgets",
                               .kind = "PodDisruptionBudget",
                               .built_in = true};
constexpr Resource kEndpoints = {
    .version = "v1", .plural = "endpoints", .kind = "Endpoints", .built_in = true};
constexpr Resource kSlices = {.group = "discovery.k8s.io",
                              .version = "v1",
                              .plural = "endpointslices",
                              .kind = "EndpointSlice",
                              .built_in = true};

}  // namespace

Cluster::Cluster(const rest::Client& client, bool watch_all, const std::function<void()>& changed)
    : all(watch_all),
      pods(client, kPods, changed),
      nodes(client, kNodes, changed),
      services(client, kServices, changed),
      deployments(client, kDeployments, changed),
      replica_sets(client, kReplicaSets, changed),
      stateful_sets(client, kStatefulSets, changed),
      daemon_sets(client, kDaemonSets, changed),
      revisions(client, kRevisions, changed),
      claims(client, kClaims, changed),
      jobs(client, kJobs, changed),
      cron_jobs(client, kCronJobs, changed),
      budgets(client, kBudgets, changed),
      endpoints(client, kEndpoints, changed),
      slices(client, kSlices, changed) {}

void Cluster::Start(base::ThreadGroup& threads) {
  const auto start = [&threads](const char* name, auto& mirror) {
    threads.Go(name, [&mirror](const Context& ctx) {
      mirror.Run(ctx);
      return absl::OkStatus();
    });
  };
  start("watch pods", pods);
  start("watch nodes", nodes);
  if (!all) return;
  start("watch services", services);
  start("watch deployments", deployments);
  start("watch replica sets", replica_sets);
  start("watch stateful sets", stateful_sets);
  start("watch daemon sets", daemon_sets);
  start("watch revisions", revisions);
  start("watch claims", claims);
  start("watch jobs", jobs);
  start("watch cron jobs", cron_jobs);
  start("watch budgets", budgets);
  start("watch endpoints", endpoints);
  start("watch slices", slices);
}

bool Cluster::synced() const {
  if (!pods.synced() || !nodes.synced()) return false;
  return !all || (services.synced() && deployments.synced() && replica_sets.synced() &&
                  stateful_sets.synced() && daemon_sets.synced() && revisions.synced() &&
                  claims.synced() && jobs.synced() && cron_jobs.synced() && budgets.synced() &&
                  endpoints.synced() && slices.synced());
}

}  // namespace kube::envtest::internal
