#include "envtest/workloads/internal/controllers.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
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
#include "envtest/workloads/internal/controller_revisions.h"
#include "envtest/workloads/internal/cron_job.h"
#include "envtest/workloads/internal/daemon_set.h"
#include "envtest/workloads/internal/deployment.h"
#include "envtest/workloads/internal/endpoint_slices.h"
#include "envtest/workloads/internal/events.h"
#include "envtest/workloads/internal/job.h"
#include "envtest/workloads/internal/node.h"
#include "envtest/workloads/internal/outcome.h"
#include "envtest/workloads/internal/pods.h"
#include "envtest/workloads/internal/replica_set.h"
#include "envtest/workloads/internal/stateful_set.h"

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

// Groups objects by the UID of their controller, and leaves out those without one.
template <typename T>
std::map<std::string, Objects<T>> ByController(const Objects<T>& objects) {
  std::map<std::string, Objects<T>> result;
  for (const auto& object : objects) {
    const metav1::OwnerReference* controller = meta::GetControllerOf(object->metadata);
    if (controller != nullptr) result[std::string(controller->uid)].push_back(object);
  }
  return result;
}

template <typename T>
Objects<T> Of(const std::map<std::string, Objects<T>>& objects, const String& key) {
  const auto found = objects.find(std::string(key));
  return found == objects.end() ? Objects<T>() : found->second;
}

corev1::ObjectReference ReferenceTo(const batchv1::CronJob& cron_job) {
  corev1::ObjectReference reference;
  reference.api_version = "batch/v1";
  reference.kind = "CronJob";
  reference.name = cron_job.metadata.name;
  reference.namespace_ = cron_job.metadata.namespace_;
  reference.uid = cron_job.metadata.uid;
  reference.resource_version = cron_job.metadata.resource_version;
  return reference;
}

// Returns the error with the server's message only, without what the client added.
absl::Status AsServerSays(const absl::Status& error) {
  const std::optional<metav1::Status> status = errors::StatusOf(error);
  return status.has_value() ? absl::UnknownError(status->message.view()) : error;
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

void Controllers::SyncDeployments(const Context& ctx, Outcome& outcome) {
  const auto sets = ByNamespace(cluster_.replica_sets.All());
  const auto pods = ByController(cluster_.pods.All());
  for (const auto& deployment : cluster_.deployments.All()) {
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
    const std::string uid(set->metadata.uid);
    const auto failed = failures_.find(uid);
    const absl::Time now = base::WallNow();
    ReplicaSetPlan plan =
        PlanReplicaSet(*set, Of(pods, set->metadata.uid),
                       failed == failures_.end() ? absl::OkStatus() : failed->second, now);
    outcome.LookAgainAfter(plan.again - now);
    absl::Status written;
    for (const corev1::Pod& pod : plan.create) {
      written = cluster_.pods.Create(ctx, pod);
      // Further creations would fail for the same reason.
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

void Controllers::SyncStatefulSets(const Context& ctx, Outcome& outcome) {
  const auto pods = ByController(cluster_.pods.All());
  const auto hidden = ByController(cluster_.pods.Hidden());
  const auto claims = ByNamespace(cluster_.claims.All());
  const auto revisions = ByNamespace(cluster_.revisions.All());
  for (const auto& set : cluster_.stateful_sets.All()) {
    // The next step must wait until the deletions of the last one are visible.
    if (hidden.count(std::string(set->metadata.uid)) != 0) continue;
    const String& space = set->metadata.namespace_;
    const absl::Time now = base::WallNow();
    StatefulSetPlan plan = PlanStatefulSet(*set, Of(pods, set->metadata.uid), Of(claims, space),
                                           Of(revisions, space), now);
    outcome.LookAgainAfter(plan.again - now);
    bool ok = WriteRevision(ctx, plan.revision, outcome);
    for (const auto& claim : plan.create_claims) {
      ok = ok && outcome.Note(cluster_.claims.Create(ctx, claim), "a claim");
    }
    for (const auto& claim : plan.update_claims) {
      ok = ok && outcome.Note(cluster_.claims.Update(ctx, claim), "a claim");
    }
    for (const corev1::Pod& pod : plan.create) {
      ok = ok && outcome.Note(cluster_.pods.Create(ctx, pod), "a pod");
    }
    for (const auto& pod : plan.remove) {
      ok = ok && outcome.Note(cluster_.pods.Delete(ctx, *pod), "the deletion of a pod");
    }
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
    // The next step must wait until the deletions of the last one are visible.
    if (hidden.count(std::string(set->metadata.uid)) != 0) continue;
    const absl::Time now = base::WallNow();
    DaemonSetPlan plan = PlanDaemonSet(*set, Of(pods, set->metadata.uid), nodes,
                                       Of(revisions, set->metadata.namespace_), now);
    outcome.LookAgainAfter(plan.again - now);
    if (!WriteRevision(ctx, plan.revision, outcome)) continue;
    for (const corev1::Pod& pod : plan.create) {
      if (!outcome.Note(cluster_.pods.Create(ctx, pod), "a pod")) break;
    }
    for (const auto& pod : plan.remove) {
      outcome.Note(cluster_.pods.Delete(ctx, *pod), "the deletion of a pod");
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

bool Controllers::DeleteJob(const Context& ctx, const batchv1::Job& job,
                            const corev1::ObjectReference& cron_job, Outcome& outcome) {
  const absl::Status deleted = cluster_.jobs.Delete(ctx, job, {.propagation_policy = "Background"});
  if (!outcome.Note(deleted, "the deletion of a job")) {
    cron_job_events_.Write(
        ctx, cron_job,
        {.warning = true,
         .reason = "FailedDelete",
         .message = absl::StrCat("Deleted job: ", AsServerSays(deleted).message())});
    return false;
  }
  cron_job_events_.Write(ctx, cron_job,
                         {.reason = "SuccessfulDelete",
                          .message = absl::StrCat("Deleted job ", job.metadata.name.view())});
  return true;
}

// Returns whether everything was done.
bool Controllers::SyncCronJob(const Context& ctx, const batchv1::CronJob& cron_job,
                              const CronJobPlan& plan, Outcome& outcome) {
  const corev1::ObjectReference reference = ReferenceTo(cron_job);
  bool ok = true;
  for (const auto& job : plan.remove) ok = DeleteJob(ctx, *job, reference, outcome) && ok;
  for (const EventText& event : plan.events) cron_job_events_.Write(ctx, reference, event);
  for (const auto& job : plan.replace) ok = DeleteJob(ctx, *job, reference, outcome) && ok;
  batchv1::CronJob changed = cron_job;
  changed.status = plan.status;
  if (ok && plan.create.has_value()) {
    const absl::Status created = cluster_.jobs.Create(ctx, *plan.create);
    if (created.ok()) {
      cron_job_events_.Write(
          ctx, reference,
          {.reason = "SuccessfulCreate",
           .message = absl::StrCat("Created job ", plan.create->metadata.name.view())});
    } else if (!errors::IsAlreadyExists(created)) {
      outcome.Note(created, "a job");
      cron_job_events_.Write(
          ctx, reference,
          {.warning = true,
           .reason = "FailedCreate",
           .message = absl::StrCat("Error creating job: ", AsServerSays(created).message())});
      return false;
    }
    // The job may exist from an earlier pass whose status could not be written.
    const auto job = cluster_.jobs.client()
                         .Namespace(cron_job.metadata.namespace_.view())
                         .Get(ctx, plan.create->metadata.name.view());
    if (!outcome.Note(job.status(), "a new job")) return false;
    if (meta::IsControlledBy(job->metadata, cron_job.metadata)) {
      AddActive(*job, plan.scheduled, changed.status);
    }
  }
  if (changed.status != cron_job.status) {
    ok = outcome.Note(cluster_.cron_jobs.UpdateStatus(ctx, changed), "the status of a cron job") &&
         ok;
  }
  return ok;
}

void Controllers::SyncCronJobs(const Context& ctx, Outcome& outcome) {
  const auto jobs = ByController(cluster_.jobs.All());
  std::map<std::string, Look> looks;
  for (const auto& cron_job : cluster_.cron_jobs.All()) {
    const std::string uid(cron_job->metadata.uid);
    const Objects<batchv1::Job> own = Of(jobs, cron_job->metadata.uid);
    Look look = {.versions = std::string(cron_job->metadata.resource_version)};
    for (const auto& job : own) {
      absl::StrAppend(&look.versions, " ", job->metadata.resource_version.view());
    }
    const absl::Time now = base::WallNow();
    const auto last = looks_.find(uid);
    if (last != looks_.end() && last->second.versions == look.versions &&
        now < last->second.again) {
      look.again = last->second.again;
    } else {
      const CronJobPlan plan = PlanCronJob(*cron_job, own, now);
      look.again = plan.again;
      if (!SyncCronJob(ctx, *cron_job, plan, outcome)) look.versions.clear();
    }
    outcome.LookAgainAfter(look.again - now);
    looks[uid] = std::move(look);
  }
  looks_ = std::move(looks);
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
    const absl::Time now = base::WallNow();
    JobPlan plan = PlanJob(*job, Of(pods, job->metadata.uid), now);
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

void Controllers::SyncServices(const Context& ctx, Outcome& outcome) {
  const auto pods = ByNamespace(cluster_.pods.All());
  const auto slices = ByNamespace(cluster_.slices.All());
  for (const auto& service : cluster_.services.All()) {
    const String& space = service->metadata.namespace_;
    const EndpointSlicesPlan plan =
        PlanEndpointSlices(*service, Of(pods, space), Of(slices, space));
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
  SyncNodes(ctx, outcome);
  SyncDeployments(ctx, outcome);
  SyncReplicaSets(ctx, outcome);
  SyncStatefulSets(ctx, outcome);
  SyncDaemonSets(ctx, outcome);
  SyncCronJobs(ctx, outcome);
  SyncJobs(ctx, outcome);
  ReleaseOrphans(ctx, outcome);
  SyncServices(ctx, outcome);
}

}  // namespace kube::envtest::internal
