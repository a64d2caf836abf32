#include "apiserver/containers/pod_logs.h"

#include <memory>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/mutex.h"
#include "apiserver/container.h"
#include "apiserver/containers/container_log.h"

namespace kube::apiserver::internal {

void PodLogs::Set(const ContainerName& name, absl::string_view text, absl::Time now) {
  auto log = std::make_shared<ContainerLog>();
  log->Append(text, now);
  log->End();
  {
    base::MutexLock lock(mutex_);
    logs_[name].current.swap(log);
  }
  // Those who follow the old log have read all of it.
  if (log != nullptr) log->EndForGood();
}

void PodLogs::Append(const ContainerName& name, absl::string_view text, absl::Time now) {
  CurrentOrNew(name)->Append(text, now);
}

void PodLogs::End(const ContainerName& name) { CurrentOrNew(name)->End(); }

void PodLogs::Restart(const ContainerName& name) {
  auto ended = std::make_shared<ContainerLog>();
  {
    base::MutexLock lock(mutex_);
    Runs& runs = logs_[name];
    if (runs.current != nullptr) ended = std::move(runs.current);
    runs.current = std::make_shared<ContainerLog>();
    runs.previous = ended;
  }
  ended->EndForGood();
}

std::shared_ptr<ContainerLog> PodLogs::Current(const ContainerName& name) const {
  base::MutexLock lock(mutex_);
  const auto found = logs_.find(name);
  return found == logs_.end() ? nullptr : found->second.current;
}

std::shared_ptr<ContainerLog> PodLogs::Previous(const ContainerName& name) const {
  base::MutexLock lock(mutex_);
  const auto found = logs_.find(name);
  return found == logs_.end() ? nullptr : found->second.previous;
}

std::shared_ptr<ContainerLog> PodLogs::CurrentOrNew(const ContainerName& name) {
  base::MutexLock lock(mutex_);
  std::shared_ptr<ContainerLog>& current = logs_[name].current;
  if (current == nullptr) current = std::make_shared<ContainerLog>();
  return current;
}

}  // namespace kube::apiserver::internal
