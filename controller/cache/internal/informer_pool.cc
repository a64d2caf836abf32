#include "controller/cache/internal/informer_pool.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread.h"

namespace kube::controller::internal {

InformerPool::Pooled InformerPool::Acquire(const InformerKey& key, MakeInformer make) {
  {
    base::MutexLock lock(mutex_);
    if (Pooled found = Use(key); found != nullptr) return found;
  }
  // Made without the lock, since it calls the provider of metrics.
  auto pooled = std::make_shared<PooledInformer>();
  pooled->key = key;
  pooled->informer = make();
  pooled->users = 1;
  base::MutexLock lock(mutex_);
  // Another thread may have been faster.
  if (Pooled found = Use(key); found != nullptr) return found;
  used_.push_back(pooled);
  return pooled;
}

InformerPool::Pooled InformerPool::Use(const InformerKey& key) {
  for (const Pooled& pooled : used_) {
    if (!(pooled->key == key)) continue;
    ++pooled->users;
    return pooled;
  }
  return nullptr;
}

void InformerPool::Release(const Pooled& pooled) {
  {
    base::MutexLock lock(mutex_);
    if (--pooled->users > 0) return;
    used_.erase(std::find(used_.begin(), used_.end(), pooled));
    if (!End(pooled)) return;
  }
  pooled->thread->RequestStop();
}

bool InformerPool::End(const Pooled& pooled) {
  if (pooled->thread == nullptr || pooled->is_ending) return false;
  pooled->is_ending = true;
  ending_.push_back(pooled);
  has_ending_.NotifyAll();
  return true;
}

absl::Status InformerPool::Start(const Pooled& pooled) {
  base::MutexLock lock(mutex_);
  if (is_shut_down_ || pooled->thread != nullptr) return absl::OkStatus();
  pooled->start_error = StartThread(*pooled);
  return pooled->start_error;
}

absl::Status InformerPool::StartThread(PooledInformer& pooled) {
  if (!reaper_.joinable()) {
    KUBE_RETURN_IF_ERROR(
        reaper_.Start(Context(), "cache reaper", [this](const Context& ctx) { Reap(ctx); }),
        "start the reaper of the cache");
  }
  auto thread = std::make_unique<base::Thread>();
  // The reaper keeps the informer until it has joined the thread.
  KUBE_RETURN_IF_ERROR(thread->Start(Context(), "informer",
                                     [informer = pooled.informer.get()](const Context& ctx) {
                                       informer->Run(ctx).IgnoreError();
                                     }),
                       "start informer ", pooled.informer->name());
  pooled.thread = std::move(thread);
  return absl::OkStatus();
}

absl::Status InformerPool::StartError(const Pooled& pooled) const {
  base::MutexLock lock(mutex_);
  return pooled->start_error;
}

void InformerPool::Reap(const Context& ctx) {
  while (true) {
    std::vector<Pooled> taken;
    {
      base::MutexLock lock(mutex_);
      // What is ending is joined even if `ctx` is done.
      const absl::Status status = has_ending_.Wait(
          ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !ending_.empty(); });
      if (!status.ok()) return;
      joining_.swap(ending_);
      taken = joining_;
    }
    for (const Pooled& pooled : taken) pooled->thread->Join();
    {
      base::MutexLock lock(mutex_);
      joining_.clear();
    }
    // The last references end here, without the lock: handlers may hold other watches.
  }
}

std::string InformerPool::Caller() const {
  base::MutexLock lock(mutex_);
  for (const auto* pool : {&used_, &ending_, &joining_}) {
    for (const Pooled& pooled : *pool) {
      std::string caller = pooled->informer->Caller();
      if (!caller.empty()) return caller;
    }
  }
  return "";
}

void InformerPool::Shutdown() {
  const bool waits = Caller().empty();
  bool joins = false;
  std::vector<Pooled> ending;
  {
    base::MutexLock lock(mutex_);
    is_shut_down_ = true;
    joins = waits && !std::exchange(is_joining_, true);
    for (const Pooled& pooled : used_) {
      if (End(pooled)) ending.push_back(pooled);
      if (pooled->start_error.ok()) continue;
      pooled->start_error = absl::FailedPreconditionError(
          absl::StrCat("start informer ", pooled->informer->name(), ": the cache was shut down"));
    }
  }
  open_.Cancel();
  for (const Pooled& pooled : ending) pooled->thread->RequestStop();
  ending.clear();
  if (!waits) return;
  if (joins) {
    // Nothing starts the reaper any more.
    reaper_.RequestStop();
    reaper_.Join();
    ended_.Set();
  }
  ended_.Wait(Context()).IgnoreError();
}

std::vector<InformerPool::Used> InformerPool::Informers() const {
  base::MutexLock lock(mutex_);
  std::vector<Used> informers;
  for (const Pooled& pooled : used_) {
    informers.push_back({.pooled = pooled,
                         .users = pooled->users,
                         .started = pooled->thread != nullptr,
                         .start_error = pooled->start_error});
  }
  return informers;
}

int64_t InformerPool::NextIndex() {
  base::MutexLock lock(mutex_);
  return ++indexes_;
}

int InformerPool::UsersOf(const Pooled& pooled) const {
  base::MutexLock lock(mutex_);
  return pooled->users;
}

}  // namespace kube::controller::internal
