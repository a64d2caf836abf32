#include "clientset/rest/internal/credentials/credential_cache.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread.h"
#include "clientset/rest/internal/credentials/credential_source.h"

// A Fetch is created by Start (with mutex_ held) and ends in Finish, on its own thread. `fetch_` is
// the one in progress, or null. A caller in Join increments `waiting` and waits for `ended`; if its
// context ends first, it was the last caller, and fetches are to be stopped then, it marks the
// fetch as `abandoned` and stops its thread. Refresh never joins an abandoned fetch: it waits until
// Finish has cleared `fetch_`, and then starts a new one. Each caller holds a reference to its
// Fetch, so it gets that one's result even if another one has begun since.
//
// Finish moves the fetch to `last_fetch_`, because a thread cannot join itself: the next Start, or
// the destructor, destroys or joins it.
namespace kube::rest::internal {

CredentialCache::CredentialCache(Fetcher fetcher, CredentialCacheOptions options)
    : fetcher_(std::move(fetcher)), options_(std::move(options)), cached_(options_.initial) {}

CredentialCache::~CredentialCache() {
  std::shared_ptr<Fetch> fetch;
  {
    base::MutexLock lock(mutex_);
    fetch = fetch_ == nullptr ? last_fetch_ : fetch_;
  }
  if (fetch == nullptr) return;
  fetch->thread.RequestStop();
  fetch->thread.Join();
}

CredentialCache::Result CredentialCache::Get(const Context& ctx) {
  const absl::Time now = base::WallNow();
  base::MutexLock lock(mutex_);
  if (cached_ == nullptr || now > cached_->expiration) return Refresh(ctx);
  return cached_;
}

CredentialCache::Result CredentialCache::GetOther(const Context& ctx, int64_t generation) {
  base::MutexLock lock(mutex_);
  if (cached_ == nullptr || cached_->generation == generation) return Refresh(ctx);
  return cached_;
}

std::shared_ptr<const Credentials> CredentialCache::last() const {
  base::MutexLock lock(mutex_);
  return cached_;
}

int CredentialCache::waiting() const {
  base::MutexLock lock(mutex_);
  return fetch_ == nullptr ? 0 : fetch_->waiting;
}

CredentialCache::Result CredentialCache::Refresh(const Context& ctx) {
  if (ctx.done()) return ctx.status();
  KUBE_RETURN_IF_ERROR(changed_.Wait(ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return fetch_ == nullptr || !fetch_->abandoned;
  }));
  if (fetch_ == nullptr) KUBE_RETURN_IF_ERROR(Start());
  return Join(ctx);
}

absl::Status CredentialCache::Start() {
  last_fetch_ = nullptr;  // its thread has nothing left to do
  auto fetch = std::make_shared<Fetch>();
  base::RuntimeScope scope(options_.runtime == nullptr ? base::Runtime::Current()
                                                       : *options_.runtime);
  KUBE_RETURN_IF_ERROR(fetch->thread.Start(Context(), options_.thread_name,
                                           [this](const Context& ctx) { Finish(fetcher_(ctx)); }));
  fetch_ = std::move(fetch);
  return absl::OkStatus();
}

CredentialCache::Result CredentialCache::Join(const Context& ctx) {
  const std::shared_ptr<Fetch> fetch = fetch_;
  ++fetch->waiting;
  const absl::Status waited = changed_.Wait(ctx, mutex_, [&fetch] { return fetch->ended; });
  --fetch->waiting;
  if (waited.ok()) return fetch->result;
  if (fetch->waiting == 0 && options_.stop_when_abandoned) {
    fetch->abandoned = true;
    fetch->thread.RequestStop();
  }
  return waited;
}

void CredentialCache::Finish(absl::StatusOr<Credentials> credentials) {
  base::MutexLock lock(mutex_);
  if (credentials.ok()) {
    auto fresh = std::make_shared<Credentials>(*std::move(credentials));
    fresh->generation = cached_ == nullptr ? 1 : cached_->generation + 1;
    cached_ = std::move(fresh);
    fetch_->result = cached_;
  } else {
    fetch_->result = credentials.status();
  }
  fetch_->ended = true;
  last_fetch_ = std::move(fetch_);
  fetch_ = nullptr;
  changed_.NotifyAll();
}

}  // namespace kube::rest::internal
