// The status of a manager, and its readiness.

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "controller/cache/cache.h"
#include "controller/cache/watched_core.h"
#include "controller/manager/internal/controller_run.h"
#include "controller/manager/internal/manager_core.h"
#include "controller/manager/internal/process_memory.h"
#include "controller/manager/internal/request_meter.h"
#include "controller/manager/internal/runnable_group.h"
#include "controller/manager/manager_status.h"
#include "informers/wait_for_cache_sync.h"
#include "webhook/server.h"

namespace kube::controller::internal {
namespace {

using base::MutexLock;

std::string SelectorOf(const WatchSummary& summary) {
  if (summary.label_selector.empty()) return summary.field_selector;
  if (summary.field_selector.empty()) return summary.label_selector;
  return absl::StrCat(summary.label_selector, "; ", summary.field_selector);
}

// Returns what tells a watch from all others.
std::string KeyOf(const WatchSummary& summary) {
  return absl::StrCat(summary.resource.group, "/", summary.resource.version, "/",
                      summary.resource.resource, " ", summary.namespace_name, " ",
                      summary.label_selector, "; ", summary.field_selector);
}

InformerStatus StatusOf(const WatchSummary& summary, const std::string& cluster, absl::Time now) {
  const std::string group =
      summary.resource.group.empty() ? "" : absl::StrCat(".", summary.resource.group);
  InformerStatus status;
  status.resource = absl::StrCat(summary.resource.resource, group, "/", summary.resource.version);
  status.selector = SelectorOf(summary);
  status.namespace_name = summary.namespace_name;
  status.synced = summary.synced;
  if (!summary.synced) status.why_not_synced = std::string(summary.why_not_synced.message());
  status.objects = static_cast<int64_t>(summary.objects);
  status.cluster = cluster;
  status.last_event = now - summary.since_last_event;
  return status;
}

}  // namespace

absl::Status ManagerCore::CheckInformers() const {
  bool was_ready = false;
  {
    MutexLock lock(mutex_);
    if (stopping_) return absl::UnavailableError("the manager is ending");
    if (!informers_started_) return absl::UnavailableError("informers have not been started");
    was_ready = was_ready_;
  }
  std::vector<absl::Status> errors;
  if (!was_ready) {
    for (const Cache* cache : AllCaches()) errors.push_back(cache->CheckSynced());
  }
  for (const std::shared_ptr<ControllerRun>& run : AllRuns()) {
    errors.push_back(was_ready ? run->start_error() : run->CheckWatched());
  }
  const absl::Status status = base::JoinErrors(errors);
  if (status.ok()) {
    MutexLock lock(mutex_);
    was_ready_ = true;
  }
  return status;
}

void ManagerCore::NoteDeclared() {
  std::set<std::string> watches;
  for (const WatchSummary& summary : cache_->Summaries()) watches.insert(KeyOf(summary));
  Runs early = AllRuns();
  std::erase_if(early,
                [](const std::shared_ptr<ControllerRun>& run) { return !run->starts_early(); });
  MutexLock lock(mutex_);
  webhook_watches_ = std::move(watches);
  webhook_runs_ = std::move(early);
}

absl::Status ManagerCore::CheckWebhooks() const {
  KUBE_RETURN_IF_ERROR(webhooks_->CheckStarted());
  MutexLock lock(mutex_);
  return authority_error_;
}

absl::Status ManagerCore::CheckWebhookCaches() const {
  Runs runs;
  std::set<std::string> watches;
  {
    MutexLock lock(mutex_);
    if (webhooks_ready_) return absl::OkStatus();
    if (!informers_started_) return absl::UnavailableError("informers have not been started");
    runs = webhook_runs_;
    watches = webhook_watches_;
  }
  std::vector<absl::Status> errors;
  for (const std::shared_ptr<ControllerRun>& run : runs) {
    if (run->start_error().ok()) errors.push_back(run->CheckWatched());
  }
  for (const WatchSummary& summary : cache_->Summaries()) {
    if (!summary.started || summary.synced || !watches.contains(KeyOf(summary))) continue;
    if (!informers::CannotSync(summary.why_not_synced)) errors.push_back(summary.why_not_synced);
  }
  return base::JoinErrors(errors);
}

LeaderStatus ManagerCore::StatusOfLeader() const {
  if (leadership_ != nullptr) return leadership_->status();
  MutexLock lock(mutex_);
  return {.leads = run_called_ && !stopping_, .since = started_};
}

ManagerStatus ManagerCore::status() const {
  ManagerStatus status;
  status.name = options_.name;
  status.version = options_.version;
  status.now = base::WallNow();
  {
    MutexLock lock(mutex_);
    status.started = started_;
  }
  status.leader = StatusOfLeader();
  status.phases = phases_.status();
  for (const RunnableGroup* group :
       {&servers_, &events_, &before_caches_, &informers_, &watches_, &always_,
        &always_controllers_, &election_, &before_work_, &leader_}) {
    for (RunnableStatus& runnable : group->status()) {
      status.runnables.push_back(std::move(runnable));
    }
  }
  for (const Cache* cache : AllCaches()) {
    for (const WatchSummary& summary : cache->Summaries()) {
      status.informers.push_back(StatusOf(summary, cache->name(), status.now));
    }
  }
  for (const std::shared_ptr<ControllerRun>& run : AllRuns()) {
    status.controllers.push_back(run->status());
  }
  if (meter_ != nullptr) {
    status.requests_per_second = meter_->PerSecond();
    status.request_rates = meter_->Rates();
  }
  status.memory = ReadProcessMemory();
  return status;
}

}  // namespace kube::controller::internal
