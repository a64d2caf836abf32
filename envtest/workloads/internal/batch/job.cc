#include "envtest/workloads/internal/batch/job.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/time.h"
#include "envtest/workloads/internal/batch/completed_indexes.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {
namespace {

namespace batchv1 = api::batch::v1;
namespace corev1 = api::core::v1;

constexpr absl::string_view kIndex = "batch.kubernetes.io/job-completion-index";
// (Go: `names.MaxGeneratedNameLength`)
constexpr size_t kMaxPrefix = 58;
// Maximum number of pods created or deleted at once. (Go: `MaxPodCreateDeletePerSync`)
constexpr int32_t kBurst = 500;
// Delay before failed pods are replaced; doubled after each further failure.
constexpr absl::Duration kFirstRetry = absl::Seconds(10);
constexpr absl::Duration kLastRetry = absl::Minutes(10);

const batchv1::JobCondition* FindCondition(const batchv1::JobStatus& status,
                                           absl::string_view type) {
  for (const batchv1::JobCondition& each : status.conditions) {
    if (each.type == type && each.status == "True") return &each;
  }
  return nullptr;
}

bool Contains(const List<String>& list, const String& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

int IndexOf(const corev1::Pod& pod) {
  int index = -1;
  const String* text = pod.metadata.annotations.find(kIndex);
  return text != nullptr && absl::SimpleAtoi(text->view(), &index) ? index : -1;
}

void AddIndexVariable(corev1::Container& container) {
  for (const corev1::EnvVar& each : container.env) {
    if (each.name == "JOB_COMPLETION_INDEX") return;
  }
  corev1::EnvVar variable;
  variable.name = "JOB_COMPLETION_INDEX";
  variable.value_from.emplace().field_ref.emplace().field_path =
      absl::StrCat("metadata.labels['", kIndex, "']");
  container.env.push_back(std::move(variable));
}

// One sync of a job, as in kube-controller-manager, which plans writes instead of making them:
// counts the pods, decides whether the job has failed or is complete (Verdict), otherwise creates
// or deletes pods (Manage), and advances the counting of ended pods (CountEnded). A job ends in two
// steps: the verdict is announced by a condition; when all pods are counted and gone, the final
// condition is set.
class Sync {
 public:
  Sync(const batchv1::Job& job, const Objects<corev1::Pod>& pods, absl::Time now);

  JobPlan Run();

 private:
  // Why a job ends. Announced first; the final condition follows when all pods are counted.
  struct Verdict {
    bool success = false;
    std::string reason = {};
    std::string message = {};
  };

  bool IsFailed(const corev1::Pod& pod) const;
  bool IsNew(const corev1::Pod& pod) const;
  bool indexed() const { return job_.spec.completion_mode == "Indexed"; }
  bool suspended() const { return job_.spec.suspend.value_or(false); }
  bool replaces_failed_only() const { return job_.spec.pod_replacement_policy == "Failed"; }
  int32_t active() const { return static_cast<int32_t>(active_.size()); }

  void Count();
  std::optional<Verdict> Announced() const;
  bool TooManyRestarts() const;
  std::optional<Verdict> Failure();
  bool IsComplete() const;
  void Manage();
  void Give(int32_t count);
  absl::Time NextTry() const;
  void CreatePods(int32_t count);
  corev1::Pod NewPod(std::optional<int> index) const;
  void SetCondition(absl::string_view type, absl::string_view status, absl::string_view reason,
                    absl::string_view message);
  void SetSuspended();
  void CountEnded(const std::optional<Verdict>& verdict);

  const batchv1::Job& job_;
  const Objects<corev1::Pod>& pods_;
  const absl::Time now_;
  batchv1::JobStatus status_;
  Objects<corev1::Pod> active_;
  int32_t ready_ = 0;
  int32_t terminating_ = 0;
  int32_t succeeded_ = 0;  // including pods that are not in the counters yet
  int32_t failed_ = 0;
  std::set<int> succeeded_indexes_;
  JobPlan plan_;
};

Sync::Sync(const batchv1::Job& job, const Objects<corev1::Pod>& pods, absl::Time now)
    : job_(job), pods_(pods), now_(now), status_(job.status) {
  if (!status_.uncounted_terminated_pods) status_.uncounted_terminated_pods.emplace();
}

// (Go: `isPodFailed`)
bool Sync::IsFailed(const corev1::Pod& pod) const {
  if (pod.status.phase == "Failed") return true;
  return !replaces_failed_only() && pod.metadata.deletion_timestamp.has_value() &&
         pod.status.phase != "Succeeded";
}

// Returns whether the pod is neither counted nor about to be counted.
bool Sync::IsNew(const corev1::Pod& pod) const {
  const batchv1::UncountedTerminatedPods& uncounted = *status_.uncounted_terminated_pods;
  return HasJobTracking(pod) && !Contains(uncounted.succeeded, pod.metadata.uid) &&
         !Contains(uncounted.failed, pod.metadata.uid);
}

void Sync::Count() {
  const batchv1::UncountedTerminatedPods& uncounted = *status_.uncounted_terminated_pods;
  succeeded_ = status_.succeeded + static_cast<int32_t>(uncounted.succeeded.size());
  failed_ = status_.failed + static_cast<int32_t>(uncounted.failed.size());
  const int completions = job_.spec.completions.value_or(0);
  if (indexed()) {
    succeeded_indexes_ = ParseIndexes(status_.completed_indexes.view(), completions);
  }
  for (const auto& pod : pods_) {
    if (IsActive(*pod)) {
      active_.push_back(pod);
      if (IsReady(*pod)) ++ready_;
    }
    if (IsTerminating(*pod)) ++terminating_;
    if (!IsNew(*pod)) continue;
    if (pod->status.phase == "Succeeded") {
      ++succeeded_;
      const int index = IndexOf(*pod);
      if (indexed() && index >= 0 && index < completions) succeeded_indexes_.insert(index);
    } else if (IsFailed(*pod)) {
      ++failed_;
    }
  }
  if (indexed()) succeeded_ = static_cast<int32_t>(succeeded_indexes_.size());
}

std::optional<Sync::Verdict> Sync::Announced() const {
  for (const bool success : {true, false}) {
    const batchv1::JobCondition* found =
        FindCondition(status_, success ? "SuccessCriteriaMet" : "FailureTarget");
    if (found == nullptr) continue;
    return Verdict{.success = success,
                   .reason = std::string(found->reason),
                   .message = std::string(found->message)};
  }
  return std::nullopt;
}

// For pods whose containers are restarted after a failure, the restarts count.
// (Go: `pastBackoffLimitOnFailure`)
bool Sync::TooManyRestarts() const {
  if (job_.spec.template_.spec.restart_policy != "OnFailure") return false;
  int32_t restarts = 0;
  for (const auto& pod : pods_) {
    if (pod->status.phase != "Running" && pod->status.phase != "Pending") continue;
    for (const auto* statuses :
         {&pod->status.init_container_statuses, &pod->status.container_statuses}) {
      for (const corev1::ContainerStatus& each : *statuses) restarts += each.restart_count;
    }
  }
  const int32_t limit = job_.spec.backoff_limit.value_or(6);
  return limit == 0 ? restarts > 0 : restarts >= limit;
}

std::optional<Sync::Verdict> Sync::Failure() {
  if (failed_ > job_.spec.backoff_limit.value_or(6) || TooManyRestarts()) {
    return Verdict{.reason = "BackoffLimitExceeded",
                   .message = "Job has reached the specified backoff limit"};
  }
  const auto& limit = job_.spec.active_deadline_seconds;
  if (!limit.has_value() || suspended()) return std::nullopt;
  const absl::Time deadline = status_.start_time->ToAbslTime() + absl::Seconds(*limit);
  if (deadline <= now_) {
    return Verdict{.reason = "DeadlineExceeded",
                   .message = "Job was active longer than specified deadline"};
  }
  plan_.again = std::min(plan_.again, deadline);
  return std::nullopt;
}

bool Sync::IsComplete() const {
  if (!plan_.create.empty() || active() != static_cast<int32_t>(plan_.remove.size())) return false;
  // Without spec.completions one success is enough; the other pods may finish.
  if (!job_.spec.completions.has_value()) return succeeded_ > 0;
  return succeeded_ >= *job_.spec.completions;
}

// Removes `count` pods, beginning with those that have progressed least.
void Sync::Give(int32_t count) {
  Objects<corev1::Pod> sorted = active_;
  SortForDeletion(sorted);
  sorted.resize(static_cast<size_t>(std::min(count, kBurst)));
  plan_.remove = std::move(sorted);
}

// (Go: `manageJob`)
void Sync::Manage() {
  if (suspended()) return Give(active());
  const int32_t parallelism = job_.spec.parallelism.value_or(1);
  int32_t wanted = 0;
  if (job_.spec.completions.has_value()) {
    wanted = std::clamp(*job_.spec.completions - succeeded_, 0, parallelism);
  } else {
    wanted = succeeded_ > 0 ? active() : parallelism;
  }
  if (active() > wanted) return Give(active() - wanted);
  const int32_t missing = wanted - active() - (replaces_failed_only() ? terminating_ : 0);
  if (missing <= 0) return;
  const absl::Time next_try = NextTry();
  if (next_try > now_) {
    plan_.again = std::min(plan_.again, next_try);
    return;
  }
  CreatePods(std::min(missing, kBurst));
}

// Returns when failed pods may be replaced, depending on the failures since the last success.
// Kubernetes keeps a record; this derives it from the existing pods. (Go: `backoffRecord`)
absl::Time Sync::NextTry() const {
  absl::Time last_success = absl::InfinitePast();
  for (const auto& pod : pods_) {
    if (pod->status.phase == "Succeeded") last_success = std::max(last_success, EndOf(*pod, now_));
  }
  absl::Duration delay = absl::ZeroDuration();
  absl::Time last_failure = absl::InfinitePast();
  for (const auto& pod : pods_) {
    if (pod->status.phase != "Failed") continue;
    const absl::Time end = EndOf(*pod, now_);
    if (end < last_success) continue;
    last_failure = std::max(last_failure, end);
    delay = delay == absl::ZeroDuration() ? kFirstRetry : std::min(delay * 2, kLastRetry);
  }
  return last_failure + delay;
}

corev1::Pod Sync::NewPod(std::optional<int> index) const {
  const auto owner =
      meta::NewControllerRef(job_.metadata, {.group = "batch", .version = "v1", .kind = "Job"});
  corev1::Pod pod = PodFrom(job_.spec.template_, job_.metadata, owner);
  if (!HasJobTracking(pod)) pod.metadata.finalizers.push_back(kJobTracking);
  if (!index.has_value()) return pod;
  const std::string number = absl::StrCat(*index);
  const std::string suffix = absl::StrCat("-", number, "-");
  pod.metadata.generate_name =
      absl::StrCat(job_.metadata.name.view().substr(0, kMaxPrefix - suffix.size()), suffix);
  pod.metadata.annotations[kIndex] = number;
  pod.metadata.labels[kIndex] = number;
  pod.spec.hostname = absl::StrCat(job_.metadata.name.view(), "-", number);
  for (corev1::Container& each : pod.spec.init_containers) AddIndexVariable(each);
  for (corev1::Container& each : pod.spec.containers) AddIndexVariable(each);
  return pod;
}

void Sync::CreatePods(int32_t count) {
  if (!indexed()) {
    for (int32_t i = 0; i < count; ++i) plan_.create.push_back(NewPod(std::nullopt));
    return;
  }
  std::set<int> taken = succeeded_indexes_;
  for (const auto& pod : pods_) {
    if (IsActive(*pod) || (replaces_failed_only() && IsTerminating(*pod))) {
      taken.insert(IndexOf(*pod));
    }
  }
  for (int i = 0; i < job_.spec.completions.value_or(0) && count > 0; ++i) {
    if (taken.count(i) != 0) continue;
    plan_.create.push_back(NewPod(i));
    --count;
  }
}

void Sync::SetCondition(absl::string_view type, absl::string_view status, absl::string_view reason,
                        absl::string_view message) {
  batchv1::JobCondition condition;
  condition.type = type;
  condition.status = status;
  condition.last_probe_time = Time(now_);
  condition.last_transition_time = Time(now_);
  condition.reason = reason;
  condition.message = message;
  for (batchv1::JobCondition& each : status_.conditions) {
    if (each.type != type) continue;
    each = std::move(condition);
    return;
  }
  status_.conditions.push_back(std::move(condition));
}

// A job that was never suspended has no such condition.
void Sync::SetSuspended() {
  const auto is_suspended = [](const batchv1::JobCondition& each) {
    return each.type == "Suspended";
  };
  const auto found =
      std::find_if(status_.conditions.begin(), status_.conditions.end(), is_suspended);
  const bool known = found != status_.conditions.end();
  const bool was = known && found->status == "True";
  if (suspended() && !was) {
    SetCondition("Suspended", "True", "JobSuspended", "Job suspended");
    status_.start_time.reset();
  } else if (!suspended() && was) {
    SetCondition("Suspended", "False", "JobResumed", "Job resumed");
    status_.start_time = Time(now_);
  }
}

// (Go: `trackJobStatusAndRemoveFinalizers`)
void Sync::CountEnded(const std::optional<Verdict>& verdict) {
  batchv1::UncountedTerminatedPods& uncounted = *status_.uncounted_terminated_pods;
  const auto released = [&](const String& uid) {
    return std::none_of(pods_.begin(), pods_.end(), [&](const auto& pod) {
      return pod->metadata.uid == uid && HasJobTracking(*pod);
    });
  };
  // Pods whose finalizer was removed are moved to the counters.
  status_.succeeded += static_cast<int32_t>(erase_if(uncounted.succeeded, released));
  status_.failed += static_cast<int32_t>(erase_if(uncounted.failed, released));

  const bool failed = verdict.has_value() && !verdict->success;
  const batchv1::JobStatus& stored = job_.status;
  for (const auto& pod : pods_) {
    if (!HasJobTracking(*pod)) continue;
    const bool success = pod->status.phase == "Succeeded";
    if (!success && !IsFailed(*pod) && !verdict.has_value() &&
        !job_.metadata.deletion_timestamp.has_value()) {
      continue;
    }
    const int index = IndexOf(*pod);
    if (success && indexed()) {
      // The stored index prevents counting it twice.
      if (ParseIndexes(stored.completed_indexes.view(), index + 1).count(index) != 0) {
        plan_.release.push_back(pod);
      }
    } else if (!success && !IsFailed(*pod) && !failed) {
      plan_.release.push_back(pod);
    } else if (IsNew(*pod)) {
      (success ? uncounted.succeeded : uncounted.failed).push_back(pod->metadata.uid);
    } else {
      plan_.release.push_back(pod);
    }
  }
  if (indexed()) {
    status_.succeeded = static_cast<int32_t>(succeeded_indexes_.size());
    status_.completed_indexes = FormatIndexes(succeeded_indexes_);
  }
}

JobPlan Sync::Run() {
  Count();
  if (!status_.start_time.has_value() && !suspended()) status_.start_time = Time(now_);
  std::optional<Verdict> verdict = Announced();
  if (!verdict.has_value()) verdict = Failure();
  if (verdict.has_value()) {
    plan_.remove = active_;
  } else if (!job_.metadata.deletion_timestamp.has_value()) {
    Manage();
    if (IsComplete()) {
      verdict = Verdict{.success = true,
                        .reason = "CompletionsReached",
                        .message = "Reached expected number of succeeded pods"};
    } else {
      SetSuspended();
    }
  }
  status_.active = active();
  status_.ready = ready_;
  status_.terminating = terminating_;
  CountEnded(verdict);
  if (verdict.has_value()) {
    const batchv1::UncountedTerminatedPods& uncounted = *status_.uncounted_terminated_pods;
    if (!Announced().has_value()) {
      SetCondition(verdict->success ? "SuccessCriteriaMet" : "FailureTarget", "True",
                   verdict->reason, verdict->message);
    } else if (uncounted.succeeded.empty() && uncounted.failed.empty() && plan_.release.empty() &&
               active() == 0 && terminating_ == 0) {
      SetCondition(verdict->success ? "Complete" : "Failed", "True", verdict->reason,
                   verdict->message);
      if (verdict->success) status_.completion_time = Time(now_);
    }
  }
  if (status_ != job_.status) plan_.status = std::move(status_);
  return std::move(plan_);
}

}  // namespace

bool HasJobTracking(const corev1::Pod& pod) {
  const List<String>& finalizers = pod.metadata.finalizers;
  return std::find(finalizers.begin(), finalizers.end(), kJobTracking) != finalizers.end();
}

JobPlan PlanJob(const batchv1::Job& job, const Objects<corev1::Pod>& pods, absl::Time now) {
  const auto& manager = job.spec.managed_by;
  if (manager.has_value() && *manager != "kubernetes.io/job-controller") return {};
  JobPlan plan;
  if (FindCondition(job.status, "Complete") == nullptr &&
      FindCondition(job.status, "Failed") == nullptr) {
    return Sync(job, pods, now).Run();
  }
  // The job is finished: nothing must hold its pods.
  for (const auto& pod : pods) {
    if (HasJobTracking(*pod)) plan.release.push_back(pod);
  }
  return plan;
}

}  // namespace kube::envtest::internal
