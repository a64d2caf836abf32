#include "envtest/workloads/internal/controllers.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/discovery/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "envtest/workloads/internal/cluster.h"
#include "envtest/workloads/internal/deployment.h"
#include "envtest/workloads/internal/endpoint_slices.h"
#include "envtest/workloads/internal/job.h"
#include "envtest/workloads/internal/outcome.h"
#include "envtest/workloads/internal/pods.h"
#include "envtest/workloads/internal/replica_set.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace batchv1 = api::batch::v1;
namespace corev1 = api::core::v1;
namespace discoveryv1 = api::discovery::v1;
namespace metav1 = api::meta::v1;

template <typename T>
std::map<std::string, Objects<T>> ByNamespace(const Objects<T>& objects) {
  std::map<std::string, Objects<T>> result;
  for (const auto& object : objects) {
    result[std::string(object->metadata.namespace_)].push_back(object);
  }
  return result;
}

// Without what a client adds.
absl::Status AsServerSays(const absl::Status& error) {
  const std::optional<metav1::Status> status = errors::StatusOf(error);
  return status.has_value() ? absl::UnknownError(status->message.view()) : error;
}

// Lets a pod go that a job's counting held.
absl::Status Release(const Context& ctx, Cluster& cluster, const corev1::Pod& pod) {
  corev1::Pod released = pod;
  erase_if(released.metadata.finalizers, [](const String& each) { return each == kJobTracking; });
  const absl::Status status = cluster.pods.Update(ctx, released);
  // It has gone with it, or before.
  return errors::IsNotFound(status) ? absl::OkStatus() : status;
}

}  // namespace

void Controllers::SyncDeployments(const Context& ctx, Outcome& outcome) {
  const auto sets = ByNamespace(cluster_.replica_sets.All());
  const auto pods = PodsByController(cluster_.pods.All());
  for (const auto& deployment : cluster_.deployments.All()) {
    const auto in_namespace = sets.find(std::string(deployment->metadata.namespace_));
    const Objects<appsv1::ReplicaSet> all =
        in_namespace == sets.end() ? Objects<appsv1::ReplicaSet>() : in_namespace->second;
    Objects<corev1::Pod> own_pods;
    for (const auto& set : all) {
      if (!meta::IsControlledBy(set->metadata, deployment->metadata)) continue;
      const auto found = pods.find(std::string(set->metadata.uid));
      if (found == pods.end()) continue;
      own_pods.insert(own_pods.end(), found->second.begin(), found->second.end());
    }
    const absl::Time now = base::WallNow();
    const DeploymentPlan plan = PlanDeployment(*deployment, all, own_pods, now);
    outcome.LookAgainAfter(plan.again - now);
    bool ok = true;
    for (const appsv1::ReplicaSet& set : plan.create) {
      ok = ok && outcome.Note(cluster_.replica_sets.Create(ctx, set), "a replica set");
    }
    for (const appsv1::ReplicaSet& set : plan.update) {
      ok = ok && outcome.Note(cluster_.replica_sets.Update(ctx, set), "a replica set");
    }
    for (const auto& set : plan.remove) {
      ok = ok && outcome.Note(cluster_.replica_sets.Delete(ctx, *set), "an old replica set");
    }
    // What it says holds only if all that has been done.
    if (ok && plan.status.has_value()) {
      outcome.Note(cluster_.deployments.UpdateStatus(ctx, *plan.status),
                   "the status of a deployment");
    }
  }
}

void Controllers::SyncReplicaSets(const Context& ctx, Outcome& outcome) {
  const auto pods = PodsByController(cluster_.pods.All());
  std::map<std::string, absl::Status> failures;
  for (const auto& set : cluster_.replica_sets.All()) {
    const std::string uid(set->metadata.uid);
    const auto own = pods.find(uid);
    const auto failed = failures_.find(uid);
    const absl::Time now = base::WallNow();
    ReplicaSetPlan plan =
        PlanReplicaSet(*set, own == pods.end() ? Objects<corev1::Pod>() : own->second,
                       failed == failures_.end() ? absl::OkStatus() : failed->second, now);
    outcome.LookAgainAfter(plan.again - now);
    absl::Status written;
    for (const corev1::Pod& pod : plan.create) {
      written = cluster_.pods.Create(ctx, pod);
      // The others would fail in the same way.
      if (!outcome.Note(written, "a pod")) break;
    }
    for (const auto& pod : plan.remove) {
      const absl::Status removed = cluster_.pods.Delete(ctx, *pod);
      if (!outcome.Note(removed, "the deletion of a pod") && !errors::IsNotFound(removed)) {
        written = removed;
      }
    }
    if (!written.ok()) {
      failures[uid] = AsServerSays(written);
      // So that it gets into the status.
      if (failed == failures_.end()) outcome.LookAgainAfter(absl::ZeroDuration());
    }
    if (plan.status.has_value()) {
      appsv1::ReplicaSet changed = *set;
      changed.status = *std::move(plan.status);
      outcome.Note(cluster_.replica_sets.UpdateStatus(ctx, changed), "the status of a replica set");
    }
  }
  failures_ = std::move(failures);
}

void Controllers::SyncJobs(const Context& ctx, Outcome& outcome) {
  const auto pods = PodsByController(cluster_.pods.All());
  for (const auto& job : cluster_.jobs.All()) {
    const auto own = pods.find(std::string(job->metadata.uid));
    const absl::Time now = base::WallNow();
    JobPlan plan = PlanJob(*job, own == pods.end() ? Objects<corev1::Pod>() : own->second, now);
    outcome.LookAgainAfter(plan.again - now);
    for (const corev1::Pod& pod : plan.create) {
      if (!outcome.Note(cluster_.pods.Create(ctx, pod), "a pod")) break;
    }
    for (const auto& pod : plan.remove) {
      outcome.Note(cluster_.pods.Delete(ctx, *pod), "the deletion of a pod");
    }
    for (const auto& pod : plan.release) {
      outcome.Note(Release(ctx, cluster_, *pod), "a counted pod");
    }
    if (plan.status.has_value()) {
      batchv1::Job changed = *job;
      changed.status = *std::move(plan.status);
      outcome.Note(cluster_.jobs.UpdateStatus(ctx, changed), "the status of a job");
    }
  }
}

// Pods of jobs that are gone. (syncOrphanPod)
void Controllers::ReleaseOrphans(const Context& ctx, Outcome& outcome) {
  std::set<std::string> jobs;
  for (const auto& job : cluster_.jobs.All()) jobs.insert(std::string(job->metadata.uid));
  for (const auto& pod : cluster_.pods.All()) {
    if (!HasJobTracking(*pod)) continue;
    const auto* controller = meta::GetControllerOf(pod->metadata);
    if (controller != nullptr && jobs.count(std::string(controller->uid)) != 0) continue;
    outcome.Note(Release(ctx, cluster_, *pod), "a job's orphan");
  }
}

void Controllers::SyncServices(const Context& ctx, Outcome& outcome) {
  const auto pods = ByNamespace(cluster_.pods.All());
  const auto slices = ByNamespace(cluster_.slices.All());
  for (const auto& service : cluster_.services.All()) {
    const std::string space(service->metadata.namespace_);
    const auto pods_here = pods.find(space);
    const auto slices_here = slices.find(space);
    const EndpointSlicesPlan plan = PlanEndpointSlices(
        *service, pods_here == pods.end() ? Objects<corev1::Pod>() : pods_here->second,
        slices_here == slices.end() ? Objects<discoveryv1::EndpointSlice>() : slices_here->second);
    for (const discoveryv1::EndpointSlice& slice : plan.create) {
      outcome.Note(cluster_.slices.Create(ctx, slice), "an endpoint slice");
    }
    for (const discoveryv1::EndpointSlice& slice : plan.update) {
      outcome.Note(cluster_.slices.Update(ctx, slice), "an endpoint slice");
    }
    for (const auto& slice : plan.remove) {
      outcome.Note(cluster_.slices.Delete(ctx, *slice), "an endpoint slice");
    }
  }
}

void Controllers::Sync(const Context& ctx, Outcome& outcome) {
  SyncDeployments(ctx, outcome);
  SyncReplicaSets(ctx, outcome);
  SyncJobs(ctx, outcome);
  ReleaseOrphans(ctx, outcome);
  SyncServices(ctx, outcome);
}

}  // namespace kube::envtest::internal
