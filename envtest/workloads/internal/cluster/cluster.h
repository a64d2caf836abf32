#ifndef ENVTEST_WORKLOADS_INTERNAL_CLUSTER_CLUSTER_H_
#define ENVTEST_WORKLOADS_INTERNAL_CLUSTER_CLUSTER_H_

#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "api/apps/v1/types.kube.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/discovery/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/thread_group.h"
#include "clientset/rest/client.h"
#include "envtest/workloads/internal/cluster/mirror.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {

// What the controllers see and write: a mirror of each resource that they use.
struct Cluster {
  // Without `all`, mirrors only pods and nodes. `changed` is passed to the mirrors.
  Cluster(const rest::Client& client, bool all, const std::function<void()>& changed);

  // Starts a thread for each mirror.
  void Start(base::ThreadGroup& threads);
  // Returns whether all mirrors have listed.
  bool synced() const;

  const bool all;
  Mirror<api::core::v1::Pod, api::core::v1::PodList> pods;
  Mirror<api::core::v1::Node, api::core::v1::NodeList> nodes;
  Mirror<api::core::v1::Service, api::core::v1::ServiceList> services;
  Mirror<api::apps::v1::Deployment, api::apps::v1::DeploymentList> deployments;
  Mirror<api::apps::v1::ReplicaSet, api::apps::v1::ReplicaSetList> replica_sets;
  Mirror<api::apps::v1::StatefulSet, api::apps::v1::StatefulSetList> stateful_sets;
  Mirror<api::apps::v1::DaemonSet, api::apps::v1::DaemonSetList> daemon_sets;
  Mirror<api::apps::v1::ControllerRevision, api::apps::v1::ControllerRevisionList> revisions;
  Mirror<api::core::v1::PersistentVolumeClaim, api::core::v1::PersistentVolumeClaimList> claims;
  Mirror<api::batch::v1::Job, api::batch::v1::JobList> jobs;
  Mirror<api::batch::v1::CronJob, api::batch::v1::CronJobList> cron_jobs;
  Mirror<api::policy::v1::PodDisruptionBudget, api::policy::v1::PodDisruptionBudgetList> budgets;
  Mirror<api::core::v1::Endpoints, api::core::v1::EndpointsList> endpoints;
  Mirror<api::discovery::v1::EndpointSlice, api::discovery::v1::EndpointSliceList> slices;
};

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_CLUSTER_CLUSTER_H_
