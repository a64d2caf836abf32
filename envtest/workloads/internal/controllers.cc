#include "envtest/workloads/internal/controllers.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "envtest/workloads/internal/adoption.h"
#include "envtest/workloads/internal/apps/controller_revisions.h"
#include "envtest/workloads/internal/apps/daemon_set.h"
#include "envtest/workloads/internal/apps/deployment.h"
#include "envtest/workloads/internal/apps/replica_set.h"
#include "envtest/workloads/internal/apps/stateful_pods.h"
#include "envtest/workloads/internal/apps/stateful_set.h"
#include "envtest/workloads/internal/batch/job.h"
#include "envtest/workloads/internal/batch/job_events.h"
#include "envtest/workloads/internal/cluster/cluster.h"
#include "envtest/workloads/internal/cluster/events.h"
#include "envtest/workloads/internal/cluster/grouping.h"
#include "envtest/workloads/internal/cluster/outcome.h"
#include "envtest/workloads/internal/cluster/pod_control.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "envtest/workloads/internal/nodes/node.h"
#include "envtest/workloads/internal/services/service_controllers.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace batchv1 = api::batch::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

// Returns the event recorder of one controller for one object.
ObjectEvents About(Events& events, absl::string_view component, absl::string_view api_version,
                   absl::string_view kind, const metav1::ObjectMeta& metadata) {
  return ObjectEvents(events, component, ReferenceTo(api_version, kind, metadata));
}

// Tells of a pod of a daemon set that is deleted because it has ended.
void TellOfEnd(const Context& ctx, const corev1::Pod& pod, const ObjectEvents& told) {
  const std::string what =
      absl::StrCat("daemon pod ", pod.metadata.namespace_.view(), "/", pod.metadata.name.view(),
                   " on node ", pod.spec.node_name.view(), ", will try to ");
  if (pod.status.phase == "Failed") {
    told.Warning(ctx, "FailedDaemonPod", absl::StrCat("Found failed ", what, "kill it"));
  } else if (pod.status.phase == "Succeeded") {
    told.Normal(ctx, "SucceededDaemonPod", absl::StrCat("Found succeeded ", what, "delete it"));
  }
}

// Removes the finalizer that a job uses to count the pod.
absl::Status Release(const Context& ctx, Cluster& cluster, const corev1::Pod& pod) {
  corev1::Pod released = pod;
  erase_if(released.metadata.finalizers, [](const String& each) { return each == kJobTracking; });
  const absl::Status status = cluster.pods.Update(ctx, released);
  // The pod is gone, with the finalizer.
  return errors::IsNotFound(status) ? absl::OkStatus() : status;
}

}  // namespace

bool Controllers::HasAdopted(const metav1::ObjectMeta& controller) const {
  return adopters_.count(std::string(controller.uid)) != 0;
}

// Creates and scales the replica sets of a deployment. (Go: `getNewReplicaSet`, `scaleReplicaSet`)
bool Controllers::WriteReplicaSets(const Context& ctx, const appsv1::Deployment& deployment,
                                   const Objects<appsv1::ReplicaSet>& before,
                                   const DeploymentPlan& plan, Outcome& outcome) {
  const ObjectEvents told =
      About(events_, "deployment-controller", "apps/v1", "Deployment", deployment.metadata);
  const auto scaled = [&](const appsv1::ReplicaSet& set, int32_t from, int32_t to) {
    if (from == to) return;
    told.Normal(ctx, "ScalingReplicaSet",
                absl::StrCat("Scaled ", from < to ? "up" : "down", " replica set ",
                             set.metadata.name.view(), " from ", from, " to ", to));
  };
  for (const appsv1::ReplicaSet& set : plan.create) {
    const absl::Status created = cluster_.replica_sets.Create(ctx, set);
    if (!outcome.Note(created, "a replica set")) {
      if (errors::HasStatusCause(created, "NamespaceTerminating")) return false;
      told.Warning(ctx, "ReplicaSetCreateError",
                   absl::StrCat("Failed to create new replica set \"", set.metadata.name.view(),
                                "\": ", AsServerSays(created).message()));
      return false;
    }
    scaled(set, 0, *set.spec.replicas);
  }
  for (const appsv1::ReplicaSet& set : plan.update) {
    if (!outcome.Note(cluster_.replica_sets.Update(ctx, set), "a replica set")) return false;
    for (const auto& old : before) {
      if (old->metadata.uid != set.metadata.uid) continue;
      scaled(set, *old->spec.replicas, *set.spec.replicas);
    }
  }
  return true;
}

void Controllers::SyncDeployments(const Context& ctx, Outcome& outcome) {
  const auto sets = ByNamespace(cluster_.replica_sets.All());
  const auto pods = ByController(cluster_.pods.All());
  for (const auto& deployment : cluster_.deployments.All()) {
    if (!HasAdopted(deployment->metadata)) continue;
    const Objects<appsv1::ReplicaSet> all = Of(sets, deployment->metadata.namespace_);
    Objects<corev1::Pod> own_pods;
    for (const auto& set : all) {
      if (!meta::IsControlledBy(set->metadata, deployment->metadata)) continue;
      const Objects<corev1::Pod> pods_of_set = Of(pods, set->metadata.uid);
      own_pods.insert(own_pods.end(), pods_of_set.begin(), pods_of_set.end());
    }
    const absl::Time now = base::WallNow();
    const DeploymentPlan plan = PlanDeployment(*deployment, all, own_pods, now);
    outcome.LookAgainAfter(plan.again - now);
    bool ok = WriteReplicaSets(ctx, *deployment, all, plan, outcome);
    for (const auto& set : plan.remove) {
      ok = ok && outcome.Note(cluster_.replica_sets.Delete(ctx, *set), "an old replica set");
    }
    // The status assumes that all changes above were made.
    if (ok && plan.status.has_value()) {
      outcome.Note(cluster_.deployments.UpdateStatus(ctx, *plan.status),
                   "the status of a deployment");
    }
  }
}

void Controllers::SyncReplicaSets(const Context& ctx, Outcome& outcome) {
  const auto pods = ByController(cluster_.pods.All());
  std::map<std::string, absl::Status> failures;
  for (const auto& set : cluster_.replica_sets.All()) {
    if (!HasAdopted(set->metadata)) continue;
    const std::string uid(set->metadata.uid);
    const auto failed = failures_.find(uid);
    const absl::Time now = base::WallNow();
    ReplicaSetPlan plan =
        PlanReplicaSet(*set, Of(pods, set->metadata.uid),
                       failed == failures_.end() ? absl::OkStatus() : failed->second, now);
    outcome.LookAgainAfter(plan.again - now);
    const ObjectEvents told =
        About(events_, "replicaset-controller", "apps/v1", "ReplicaSet", set->metadata);
    absl::Status written;
    for (const corev1::Pod& pod : plan.create) {
      written = CreatePod(ctx, cluster_, pod, told);
      // Further creations would fail for the same reason.
      if (!outcome.Note(written, "a pod")) break;
    }
    for (const auto& pod : plan.remove) {
      const absl::Status removed = DeletePod(ctx, cluster_, *pod, told);
      if (!outcome.Note(removed, "the deletion of a pod") && !errors::IsNotFound(removed)) {
        written = removed;
      }
    }
    if (!written.ok()) {
      failures[uid] = AsServerSays(written);
      // Makes another pass, so that the failure gets into the status.
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

bool Controllers::WriteRevision(const Context& ctx, const RevisionPlan& plan, Outcome& outcome) {
  if (plan.create) return outcome.Note(cluster_.revisions.Create(ctx, plan.newest), "a revision");
  if (plan.update) return outcome.Note(cluster_.revisions.Update(ctx, plan.newest), "a revision");
  return true;
}

// Writes the claims and pods of a stateful set, as far as nothing fails.
void Controllers::WriteStatefulPods(const Context& ctx, const appsv1::StatefulSet& set,
                                    const StatefulSetPlan& plan, Outcome& outcome) {
  const ObjectEvents told =
      About(events_, "statefulset-controller", "apps/v1", "StatefulSet", set.metadata);
  const absl::string_view name = set.metadata.name.view();
  const auto tell = [&](absl::string_view verb, const corev1::Pod& pod,
                        const absl::Status& status) {
    return TellOfPod(ctx, verb, name, pod.metadata.name.view(), status, told);
  };
  for (const auto& claim : plan.create_claims) {
    const absl::Status created = cluster_.claims.Create(ctx, claim);
    const absl::Status status =
        TellOfClaim(ctx, name, claim.metadata.name.view(), PodOfClaim(set, claim), created, told);
    if (!outcome.Note(status, "a claim")) return;
  }
  for (const auto& claim : plan.update_claims) {
    if (!outcome.Note(cluster_.claims.Update(ctx, claim), "a claim")) return;
  }
  for (const corev1::Pod& pod : plan.create) {
    const absl::Status created = cluster_.pods.Create(ctx, pod);
    if (!errors::IsAlreadyExists(created)) tell("Create", pod, created).IgnoreError();
    if (!outcome.Note(created, "a pod")) return;
  }
  for (const corev1::Pod& pod : plan.update) {
    const absl::Status updated = cluster_.pods.Update(ctx, pod);
    // Upstream reads the pod again and tells of its last try.
    if (!errors::IsConflict(updated)) tell("Update", pod, updated).IgnoreError();
    if (!outcome.Note(updated, "a pod")) return;
  }
  for (const auto& pod : plan.remove) {
    const absl::Status removed = cluster_.pods.Delete(ctx, *pod);
    const bool gone = errors::IsNotFound(removed);
    tell("Delete", *pod, gone ? absl::OkStatus() : removed).IgnoreError();
    if (!outcome.Note(removed, "the deletion of a pod")) return;
  }
}

void Controllers::SyncStatefulSets(const Context& ctx, Outcome& outcome) {
  const auto pods = ByController(cluster_.pods.All());
  const auto hidden = ByController(cluster_.pods.Hidden());
  const auto claims = ByNamespace(cluster_.claims.All());
  const auto revisions = ByNamespace(cluster_.revisions.All());
  for (const auto& set : cluster_.stateful_sets.All()) {
    if (!HasAdopted(set->metadata)) continue;
    // The next step must wait until the deletions of the last one are visible.
    if (hidden.count(std::string(set->metadata.uid)) != 0) continue;
    const String& space = set->metadata.namespace_;
    const absl::Time now = base::WallNow();
    StatefulSetPlan plan = PlanStatefulSet(*set, Of(pods, set->metadata.uid), Of(claims, space),
                                           Of(revisions, space), now);
    outcome.LookAgainAfter(plan.again - now);
    if (WriteRevision(ctx, plan.revision, outcome)) WriteStatefulPods(ctx, *set, plan, outcome);
    for (const auto& revision : plan.remove_revisions) {
      outcome.Note(cluster_.revisions.Delete(ctx, *revision), "an old revision");
    }
    if (plan.status.has_value()) {
      appsv1::StatefulSet changed = *set;
      changed.status = *std::move(plan.status);
      outcome.Note(cluster_.stateful_sets.UpdateStatus(ctx, changed),
                   "the status of a stateful set");
    }
  }
}

void Controllers::SyncDaemonSets(const Context& ctx, Outcome& outcome) {
  const auto pods = ByController(cluster_.pods.All());
  const auto hidden = ByController(cluster_.pods.Hidden());
  const auto revisions = ByNamespace(cluster_.revisions.All());
  const Objects<corev1::Node> nodes = cluster_.nodes.All();
  for (const auto& set : cluster_.daemon_sets.All()) {
    if (!HasAdopted(set->metadata)) continue;
    // The next step must wait until the deletions of the last one are visible.
    if (hidden.count(std::string(set->metadata.uid)) != 0) continue;
    const absl::Time now = base::WallNow();
    DaemonSetPlan plan = PlanDaemonSet(*set, Of(pods, set->metadata.uid), nodes,
                                       Of(revisions, set->metadata.namespace_), now);
    outcome.LookAgainAfter(plan.again - now);
    if (!WriteRevision(ctx, plan.revision, outcome)) continue;
    const ObjectEvents told =
        About(events_, "daemonset-controller", "apps/v1", "DaemonSet", set->metadata);
    for (const corev1::Pod& pod : plan.create) {
      if (!outcome.Note(CreatePod(ctx, cluster_, pod, told), "a pod")) break;
    }
    for (const auto& pod : plan.remove) {
      TellOfEnd(ctx, *pod, told);
      outcome.Note(DeletePod(ctx, cluster_, *pod, told), "the deletion of a pod");
    }
    for (const auto& revision : plan.remove_revisions) {
      outcome.Note(cluster_.revisions.Delete(ctx, *revision), "an old revision");
    }
    if (plan.status.has_value()) {
      appsv1::DaemonSet changed = *set;
      changed.status = *std::move(plan.status);
      outcome.Note(cluster_.daemon_sets.UpdateStatus(ctx, changed), "the status of a daemon set");
    }
  }
}

void Controllers::SyncNodes(const Context& ctx, Outcome& outcome) {
  for (const auto& node : cluster_.nodes.All()) {
    const absl::Time now = base::WallNow();
    NodePlan plan = PlanNode(*node, now);
    outcome.LookAgainAfter(plan.again - now);
    corev1::Node changed = *node;
    if (plan.status.has_value()) {
      changed.status = *std::move(plan.status);
      outcome.Note(cluster_.nodes.UpdateStatus(ctx, changed), "the status of a node");
    } else if (plan.taints.has_value()) {
      changed.spec.taints = *std::move(plan.taints);
      outcome.Note(cluster_.nodes.Update(ctx, changed), "the taints of a node");
    }
  }
}

void Controllers::SyncJobs(const Context& ctx, Outcome& outcome) {
  const auto pods = ByController(cluster_.pods.All());
  for (const auto& job : cluster_.jobs.All()) {
    if (!HasAdopted(job->metadata)) continue;
    const absl::Time now = base::WallNow();
    JobPlan plan = PlanJob(*job, Of(pods, job->metadata.uid), now);
    outcome.LookAgainAfter(plan.again - now);
    const ObjectEvents told = About(events_, "job-controller", "batch/v1", "Job", job->metadata);
    for (const corev1::Pod& pod : plan.create) {
      if (!outcome.Note(CreatePod(ctx, cluster_, pod, told), "a pod")) break;
    }
    for (const auto& pod : plan.remove) {
      outcome.Note(DeletePod(ctx, cluster_, *pod, told), "the deletion of a pod");
    }
    for (const auto& pod : plan.release) {
      outcome.Note(Release(ctx, cluster_, *pod), "a counted pod");
    }
    if (plan.status.has_value()) {
      batchv1::Job changed = *job;
      changed.status = *std::move(plan.status);
      if (outcome.Note(cluster_.jobs.UpdateStatus(ctx, changed), "the status of a job")) {
        for (const EventText& event : EventsBetween(*job, changed.status)) told.Write(ctx, event);
      }
    }
  }
}

// Releases the pods of jobs that no longer exist. (Go: `syncOrphanPod`)
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

void Controllers::Sync(const Context& ctx, Outcome& outcome) {
  adopters_ = AdoptAndRelease(ctx, cluster_, outcome);
  SyncNodes(ctx, outcome);
  SyncDeployments(ctx, outcome);
  SyncReplicaSets(ctx, outcome);
  SyncStatefulSets(ctx, outcome);
  SyncDaemonSets(ctx, outcome);
  cron_jobs_.Sync(ctx, outcome);
  SyncJobs(ctx, outcome);
  ReleaseOrphans(ctx, outcome);
  SyncServices(ctx, cluster_, outcome);
  disruption_.Sync(ctx, outcome);
}

}  // namespace kube::envtest::internal
