#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/duration/human_duration.h"
#include "apimachinery/labels/label_selector.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/labels/set.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/schema/group_version.h"
#include "apiserver/printers/internal/containers.h"
#include "apiserver/printers/internal/printer.h"
#include "apiserver/printers/internal/row.h"

// Controllers of pods: apps, batch, and replication controllers.
namespace kube::printers::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace batchv1 = api::batch::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

constexpr Column kDesired = {"Desired", "integer", "The number of desired pods."};
constexpr Column kCurrent = {"Current", "integer", "The number of current pods."};
constexpr Column kReady = {"Ready", "integer", "The number of ready pods."};

// The columns of replication controllers and replica sets.
constexpr Column kReplicaColumns[] = {
    kName, kDesired, kCurrent, kReady, kAge, kContainers, kImages, kSelector,
};

// As upstream, the counts are numbers, although the columns are strings.
constexpr Column kDeploymentColumns[] = {
    kName,
    {"Ready", "string", "The number of ready pods and the number of desired pods."},
    {"Up-to-date", "string", "The number of pods with the current template."},
    {"Available", "string", "The number of pods that have been ready for minReadySeconds."},
    kAge,
    kContainers,
    kImages,
    kSelector,
};

constexpr Column kStatefulSetColumns[] = {
    kName,   {"Ready", "string", "The number of ready pods and the number of desired pods."},
    kAge,    kContainers,
    kImages,
};

constexpr Column kDaemonSetColumns[] = {
    kName,
    {"Desired", "integer", "The number of nodes that should run a pod."},
    {"Current", "integer", "The number of nodes that run a pod."},
    {"Ready", "integer", "The number of nodes with a ready pod."},
    {"Up-to-date", "integer", "The number of nodes with a pod of the current template."},
    {"Available", "integer",
     "The number of nodes with a pod that has been ready for minReadySeconds."},
    {"Node Selector", "string", "The labels of the nodes that should run a pod."},
    kAge,
    kContainers,
    kImages,
    kSelector,
};

constexpr Column kJobColumns[] = {
    kName,
    {"Status", "string", "The state of the job."},
    {"Completions", "string", "The number of succeeded pods and the number of completions."},
    {"Duration", "string", "The running time of the job."},
    kAge,
    kContainers,
    kImages,
    kSelector,
};

constexpr Column kCronJobColumns[] = {
    kName,
    {"Schedule", "string", "The schedule in cron format."},
    {"Timezone", "string", "The time zone of the schedule."},
    {"Suspend", "boolean", "Whether the schedule is suspended."},
    {"Active", "integer", "The number of running jobs."},
    {"Last Schedule", "string", "The time since the last scheduled job."},
    kAge,
    kContainers,
    kImages,
    kSelector,
};

constexpr Column kControllerRevisionColumns[] = {
    kName,
    {"Controller", "string", "The object that the revision belongs to."},
    {"Revision", "string", "The number of the revision."},
    kAge,
};

void PrintReplicationController(const corev1::ReplicationController& controller, Row& row) {
  row.Text(controller.metadata.name);
  row.Number(*controller.spec.replicas);
  row.Number(controller.status.replicas);
  row.Number(controller.status.ready_replicas);
  row.Age(controller.metadata.creation_timestamp);
  if (controller.spec.template_) {
    PrintContainers(controller.spec.template_->spec.containers, row);
  } else {
    PrintContainers({}, row);
  }
  row.Text(labels::FormatLabels(controller.spec.selector));
}

void PrintReplicaSet(const appsv1::ReplicaSet& set, Row& row) {
  row.Text(set.metadata.name);
  row.Number(*set.spec.replicas);
  row.Number(set.status.replicas);
  row.Number(set.status.ready_replicas);
  row.Age(set.metadata.creation_timestamp);
  PrintContainers(set.spec.template_.spec.containers, row);
  row.Text(labels::FormatLabelSelector(set.spec.selector.get()));
}

void PrintDeployment(const appsv1::Deployment& deployment, Row& row) {
  row.Text(deployment.metadata.name);
  row.Text(absl::StrCat(deployment.status.ready_replicas, "/", *deployment.spec.replicas));
  row.Number(deployment.status.updated_replicas);
  row.Number(deployment.status.available_replicas);
  row.Age(deployment.metadata.creation_timestamp);
  PrintContainers(deployment.spec.template_.spec.containers, row);
  // Unlike FormatLabelSelector, shows a null and an empty selector as upstream does here: as "".
  const absl::StatusOr<labels::Selector> selector =
      labels::LabelSelectorAsSelector(deployment.spec.selector.get());
  row.Text(selector.ok() ? selector->ToString() : "<invalid>");
}

void PrintStatefulSet(const appsv1::StatefulSet& set, Row& row) {
  row.Text(set.metadata.name);
  row.Text(absl::StrCat(set.status.ready_replicas, "/", *set.spec.replicas));
  row.Age(set.metadata.creation_timestamp);
  PrintContainers(set.spec.template_.spec.containers, row);
}

void PrintDaemonSet(const appsv1::DaemonSet& set, Row& row) {
  row.Text(set.metadata.name);
  row.Number(set.status.desired_number_scheduled);
  row.Number(set.status.current_number_scheduled);
  row.Number(set.status.number_ready);
  row.Number(set.status.updated_number_scheduled);
  row.Number(set.status.number_available);
  row.Text(labels::FormatLabels(set.spec.template_.spec.node_selector));
  row.Age(set.metadata.creation_timestamp);
  PrintContainers(set.spec.template_.spec.containers, row);
  row.Text(labels::FormatLabelSelector(set.spec.selector.get()));
}

bool IsFirstTrue(const batchv1::Job& job, absl::string_view type) {
  for (const batchv1::JobCondition& condition : job.status.conditions) {
    if (condition.type == type) return condition.status == "True";
  }
  return false;
}

absl::string_view StatusOf(const batchv1::Job& job) {
  if (IsFirstTrue(job, "Complete")) return "Complete";
  if (IsFirstTrue(job, "Failed")) return "Failed";
  if (job.metadata.deletion_timestamp.has_value()) return "Terminating";
  for (absl::string_view type : {"Suspended", "FailureTarget", "SuccessCriteriaMet"}) {
    if (IsFirstTrue(job, type)) return type;
  }
  return "Running";
}

std::string CompletionsOf(const batchv1::Job& job) {
  const std::string done = absl::StrCat(job.status.succeeded, "/");
  if (job.spec.completions.has_value()) return absl::StrCat(done, *job.spec.completions);
  // The job is a work queue: it is complete when one pod has succeeded.
  if (*job.spec.parallelism > 1) return absl::StrCat(done, "1 of ", *job.spec.parallelism);
  return absl::StrCat(done, "1");
}

std::string DurationOf(const batchv1::Job& job, absl::Time now) {
  if (!job.status.start_time.has_value()) return "";
  const absl::Time end =
      job.status.completion_time.has_value() ? job.status.completion_time->ToAbslTime() : now;
  return duration::HumanDuration(end - job.status.start_time->ToAbslTime());
}

void PrintJob(const batchv1::Job& job, Row& row) {
  row.Text(job.metadata.name);
  row.Text(StatusOf(job));
  row.Text(CompletionsOf(job));
  row.Text(DurationOf(job, row.now()));
  row.Age(job.metadata.creation_timestamp);
  PrintContainers(job.spec.template_.spec.containers, row);
  row.Text(labels::FormatLabelSelector(job.spec.selector.get()));
}

void PrintCronJob(const batchv1::CronJob& job, Row& row) {
  row.Text(job.metadata.name);
  row.Text(job.spec.schedule);
  row.Text(job.spec.time_zone.has_value() ? job.spec.time_zone->view() : kNone);
  // A string, although the column says otherwise.
  row.Text(!job.spec.suspend.has_value() ? kUnset : *job.spec.suspend ? "True" : "False");
  row.Number(static_cast<int64_t>(job.status.active.size()));
  row.Text(job.status.last_schedule_time.has_value()
               ? AgeOf(*job.status.last_schedule_time, row.now())
               : std::string(kNone));
  row.Age(job.metadata.creation_timestamp);
  PrintContainers(job.spec.job_template.spec.template_.spec.containers, row);
  row.Text(labels::FormatLabelSelector(job.spec.job_template.spec.selector.get()));
}

// Returns a name such as "statefulset.apps/web".
absl::StatusOr<std::string> ControllerName(const metav1::ObjectMeta& metadata) {
  const metav1::OwnerReference* owner = meta::GetControllerOf(metadata);
  if (owner == nullptr) return std::string(kNone);
  const absl::StatusOr<schema::GroupVersion> version =
      schema::ParseGroupVersion(owner->api_version);
  if (!version.ok()) return version.status();
  const schema::GroupKind kind = {.group = version->group, .kind = std::string(owner->kind)};
  if (kind.group.empty() && kind.kind.empty()) return std::string(owner->name);
  return absl::StrCat(absl::AsciiStrToLower(kind.ToString()), "/", owner->name.view());
}

void PrintControllerRevision(const appsv1::ControllerRevision& revision, Row& row) {
  const absl::StatusOr<std::string> controller = ControllerName(revision.metadata);
  if (!controller.ok()) return row.Fail(controller.status());
  row.Text(revision.metadata.name);
  row.Text(*controller);
  row.Number(revision.revision);
  row.Age(revision.metadata.creation_timestamp);
}

}  // namespace

std::vector<Printer> WorkloadPrinters() {
  return {
      PrinterOf<PrintReplicationController>(kReplicaColumns),
      PrinterOf<PrintReplicaSet>(kReplicaColumns),
      PrinterOf<PrintDeployment>(kDeploymentColumns),
      PrinterOf<PrintStatefulSet>(kStatefulSetColumns),
      PrinterOf<PrintDaemonSet>(kDaemonSetColumns),
      PrinterOf<PrintJob>(kJobColumns),
      PrinterOf<PrintCronJob>(kCronJobColumns),
      PrinterOf<PrintControllerRevision>(kControllerRevisionColumns),
  };
}

}  // namespace kube::printers::internal
