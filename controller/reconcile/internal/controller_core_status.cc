#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/schema/group_version.h"
#include "controller/cache/watched_core.h"
#include "controller/manager/manager_status.h"
#include "controller/reconcile/internal/controller_core.h"
#include "controller/reconcile/internal/steps.h"
#include "controller/workqueue/queue_status.h"

namespace kube::controller::internal {

namespace {

std::string TextOf(const schema::GroupVersionKind& kind) {
  if (kind.kind.empty()) return "";
  return absl::StrCat(kind.kind, kind.group.empty() ? "" : ".", kind.group, "/", kind.version);
}

// Returns what keeps the watches from being synced; empty if nothing does.
std::string WaitsFor(const std::vector<std::shared_ptr<WatchedCore>>& watches) {
  for (const std::shared_ptr<WatchedCore>& watched : watches) {
    const absl::Status why = watched->WhyNotSynced();
    if (!why.ok()) return absl::StrCat("informer ", watched->name(), ": ", why.message());
  }
  return "";
}

QueueStatus StatusOf(const workqueue::QueueStatus& queue) {
  QueueStatus status;
  for (const auto& [priority, keys] : queue.ready) status.ready += static_cast<int64_t>(keys);
  status.delayed = static_cast<int64_t>(queue.delayed);
  status.in_work = static_cast<int64_t>(queue.processing);
  status.oldest_key = queue.oldest_key.value_or("");
  status.oldest_age = queue.oldest_age.value_or(absl::ZeroDuration());
  for (const workqueue::ReadyKey& ready : queue.oldest_keys) {
    status.oldest_keys.push_back(
        {.key = ready.key, .age = ready.age.value_or(absl::ZeroDuration())});
  }
  return status;
}

}  // namespace

size_t ControllerCore::FreeWorker() const {
  std::vector<bool> taken(running_.size() + 1, false);
  for (const auto& [key, running] : running_) {
    if (running.worker < taken.size()) taken[running.worker] = true;
  }
  size_t worker = 0;
  while (taken[worker]) ++worker;
  return worker;
}

ControllerStatus ControllerCore::status() const {
  ControllerStatus result;
  result.name = name();
  result.kind = TextOf(options_.kind);
  result.queue = StatusOf(queue_.status());
  result.waits_for = WaitsFor(Watches());
  base::MutexLock lock(mutex_);
  result.running = workers_started_ && !stopped_;
  if (result.running) result.waits_for.clear();
  if (!setup_.ok()) result.waits_for = std::string(setup_.message());
  result.queue.parked = static_cast<int64_t>(parking_.size());
  for (const auto& [key, running] : running_) {
    if (result.workers.size() <= running.worker) result.workers.resize(running.worker + 1);
    result.workers[running.worker] = {
        .key = key, .since = running.wall_since, .where = running.steps->Innermost()};
  }
  const size_t workers = result.running ? static_cast<size_t>(options_.workers) : 0;
  if (result.workers.size() < workers) result.workers.resize(workers);
  result.last_errors.assign(last_errors_.begin(), last_errors_.end());
  result.reconciles = reconciles_;
  result.failed_reconciles = failed_reconciles_;
  return result;
}

}  // namespace kube::controller::internal
