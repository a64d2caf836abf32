// The watches of a controller: they are started, waited for, started again if the system could not
// create a thread for them, asked to report the progress of their stores, and their lists counted.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "controller/cache/watched_core.h"
#include "controller/reconcile/internal/controller_core.h"
#include "controller/reconcile/internal/parking.h"
#include "controller/reconcile/request.h"

namespace kube::controller::internal {

namespace {

using base::MonotonicTime;
using base::MutexLock;

// How long WaitForSync looks at one watch before it looks at the next.
constexpr absl::Duration kSyncSlice = absl::Milliseconds(100);
// How long the supervisor waits before it tries again to start a watch.
constexpr absl::Duration kRetryStarts = absl::Seconds(5);

}  // namespace

void ControllerCore::AddWatch(const std::shared_ptr<WatchedCore>& watched) {
  bool started = false;
  {
    MutexLock lock(mutex_);
    std::erase_if(watches_,
                  [](const std::weak_ptr<WatchedCore>& watch) { return watch.expired(); });
    watches_.push_back(watched);
    started = watches_started_;
  }
  if (started) StartWatch(*watched);
}

void ControllerCore::StartWatch(WatchedCore& watched) {
  watched.Start();
  const absl::Status error = watched.start_error();
  // After the end of the cache no watch can be started.
  if (error.ok() || absl::IsFailedPrecondition(error)) return;
  MutexLock lock(mutex_);
  retry_starts_at_ = base::Now() + kRetryStarts;
  Wake();
}

std::vector<std::shared_ptr<WatchedCore>> ControllerCore::Watches() const {
  std::vector<std::shared_ptr<WatchedCore>> live;
  MutexLock lock(mutex_);
  live.reserve(watches_.size());
  for (const std::weak_ptr<WatchedCore>& watch : watches_) {
    if (std::shared_ptr<WatchedCore> watched = watch.lock()) live.push_back(std::move(watched));
  }
  return live;
}

void ControllerCore::StartWatches() {
  {
    MutexLock lock(mutex_);
    watches_started_ = true;
  }
  for (const std::shared_ptr<WatchedCore>& watched : Watches()) StartWatch(*watched);
}

void ControllerCore::NoteSetupError(const absl::Status& error) {
  log::Error(error, "Controller could not be set up", {{"controller", name()}});
  MutexLock lock(mutex_);
  if (setup_.ok()) setup_ = error;
}

absl::Status ControllerCore::CheckSetup() const {
  if (name().empty()) return absl::FailedPreconditionError("must specify a name");
  if (reconcile_ == nullptr) {
    return absl::FailedPreconditionError("must provide a reconcile function");
  }
  MutexLock lock(mutex_);
  return setup_;
}

absl::Status ControllerCore::WaitForSync(const Context& ctx) {
  KUBE_RETURN_IF_ERROR(CheckSetup());
  std::vector<std::shared_ptr<WatchedCore>> left = Watches();
  bool logged = false;
  // Each watch is asked in turn, so that one that can never sync is found while others are slow.
  while (!left.empty()) {
    const Context slice = WithTimeout(ctx, kSyncSlice);
    WatchedCore& watched = *left.front();
    if (!watched.start_error().ok()) watched.Start();
    const absl::Status synced = watched.WaitForSync(slice, {.fail_fast = true, .quiet = true});
    if (!synced.ok() && !std::exchange(logged, true)) {
      log::Info(ctx, "Waiting for the watches to sync",
                {{"controller", name()}, {"watches", left.size()}});
    }
    // What may come while `ctx` lasts: the definition of a resource, for which the informer keeps
    // asking, and a thread of the informer.
    if (errors::IsNotFound(synced) || absl::IsResourceExhausted(watched.start_error())) {
      base::WaitUntilDone(slice).IgnoreError();
    }
    if (synced.ok()) {
      left.erase(left.begin());
    } else if (!slice.done() || ctx.done() || absl::IsFailedPrecondition(synced)) {
      return synced;
    } else {
      std::rotate(left.begin(), left.begin() + 1, left.end());
    }
  }
  return absl::OkStatus();
}

void ControllerCore::RetryStarts() {
  {
    MutexLock lock(mutex_);
    if (base::Now() < retry_starts_at_) return;
    retry_starts_at_ = MonotonicTime::Infinite();
  }
  for (const std::shared_ptr<WatchedCore>& watched : Watches()) {
    if (!watched->start_error().ok()) StartWatch(*watched);
  }
}

void ControllerCore::CountListsAtStart() {
  ListCounts counts;
  for (const std::shared_ptr<WatchedCore>& watched : Watches()) {
    counts.emplace(watched, watched->lists());
  }
  MutexLock lock(mutex_);
  lists_at_start_ = std::move(counts);
}

ControllerCore::ListCounts ControllerCore::CountListsOfWritten() const {
  std::vector<std::shared_ptr<WatchedCore>> written;
  {
    MutexLock lock(mutex_);
    for (const auto& [weak, registration] : registrations_) {
      if (std::shared_ptr<WatchedCore> store = weak.lock()) written.push_back(std::move(store));
    }
  }
  ListCounts counts;
  for (const std::shared_ptr<WatchedCore>& store : written) counts.emplace(store, store->lists());
  return counts;
}

int64_t ControllerCore::ListsBefore(const RequestParts& parts,
                                    const std::shared_ptr<WatchedCore>& store) const {
  if (const auto it = parts.lists.find(store); it != parts.lists.end()) return it->second;
  // The first write to this store. A list between the start and the reconcile counts, too: better
  // once too often.
  MutexLock lock(mutex_);
  const auto it = lists_at_start_.find(store);
  return it != lists_at_start_.end() ? it->second : -1;
}

void ControllerCore::ListenTo(const std::shared_ptr<WatchedCore>& store) {
  {
    MutexLock lock(mutex_);
    if (registrations_.contains(store)) return;
  }
  const StoreId id = store.get();
  AdvancedRegistration made = store->OnAdvanced([this, id] { NoteAdvanced(id); });
  std::vector<AdvancedRegistration> ended;
  // Registrations end without the lock, since they may wait for a call that takes it.
  MutexLock lock(mutex_);
  for (auto it = registrations_.begin(); it != registrations_.end();) {
    if (it->first.expired()) {
      ended.push_back(std::move(it->second));
      it = registrations_.erase(it);
    } else {
      ++it;
    }
  }
  // Leaves `made` as it is if another worker was faster.
  registrations_.try_emplace(std::weak_ptr<WatchedCore>(store), std::move(made));
}

}  // namespace kube::controller::internal
