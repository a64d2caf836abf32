// The status of a manager, and its readiness.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "controller/cache/cache.h"
#include "controller/cache/watched_core.h"
#include "controller/manager/internal/controller_run.h"
#include "controller/manager/internal/manager_core.h"
#include "controller/manager/internal/runnable_group.h"
#include "controller/manager/manager_status.h"

namespace kube::controller::internal {
namespace {

using base::MutexLock;

std::string SelectorOf(const WatchSummary& summary) {
  if (summary.label_selector.empty()) return summary.field_selector;
  if (summary.field_selector.empty()) return summary.label_selector;
  return absl::StrCat(summary.label_selector, "; ", summary.field_selector);
}

InformerStatus StatusOf(const WatchSummary& summary) {
  const std::string group =
      summary.resource.group.empty() ? "" : absl::StrCat(".", summary.resource.group);
  InformerStatus status;
  status.resource = absl::StrCat(summary.resource.resource, group, "/", summary.resource.version);
  status.selector = SelectorOf(summary);
  status.namespace_name = summary.namespace_name;
  status.synced = summary.synced;
  if (!summary.synced) status.why_not_synced = std::string(summary.why_not_synced.message());
  status.objects = static_cast<int64_t>(summary.objects);
  return status;
}

}  // namespace

absl::Status ManagerCore::CheckInformers() const {
  {
    MutexLock lock(mutex_);
    if (stopping_) return absl::UnavailableError("the manager is ending");
    if (!informers_started_) return absl::UnavailableError("informers have not been started");
  }
  std::vector<absl::Status> errors;
  for (const Cache* cache : AllCaches()) errors.push_back(cache->CheckSynced());
  for (const std::shared_ptr<ControllerRun>& run : AllRuns()) {
    errors.push_back(run->CheckWatched());
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
      status.informers.push_back(StatusOf(summary));
    }
  }
  for (const std::shared_ptr<ControllerRun>& run : AllRuns()) {
    status.controllers.push_back(run->status());
  }
  return status;
}

}  // namespace kube::controller::internal
