#include "informers/internal/retry_watcher_core.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "informers/internal/reflector_errors.h"

namespace kube::informers::internal {

namespace metav1 = api::meta::v1;
using watch::EventType;
using MaybeEvent = std::optional<watch::Event<void>>;

namespace {

// Minimum time between the starts of two watches; a watch that lasted longer is followed at once.
constexpr absl::Duration kLeastTimeBetween = absl::Seconds(1);

}  // namespace

RetryWatcherCore::RetryWatcherCore(std::shared_ptr<ListerWatcher> source,
                                   const meta::ObjectAccess& access, std::string resource_version)
    : source_(std::move(source)),
      access_(access),
      resource_version_(std::move(resource_version)),
      stop_(WithCancel(Context())) {}

absl::StatusOr<MaybeEvent> RetryWatcherCore::Next(const Context& ctx) {
  while (!ended_) {
    if (stopped()) return MaybeEvent();
    if (watcher_ == nullptr) {
      absl::StatusOr<MaybeEvent> end = Open(ctx);
      if (!end.ok() && stopped()) return MaybeEvent();
      if (!end.ok() || end->has_value()) return end;
      continue;
    }
    KUBE_ASSIGN_OR_RETURN(MaybeEvent event, watcher_->Next(ctx));
    if (!event.has_value()) {
      Restart(absl::ZeroDuration());
    } else if (MaybeEvent passed = OnEvent(*std::move(event)); passed.has_value()) {
      return passed;
    }
  }
  return MaybeEvent();
}

absl::StatusOr<MaybeEvent> RetryWatcherCore::Open(const Context& ctx) {
  CancelScope scope = WithCancel(ctx);
  const DoneCallback on_stop = stop_.context().OnDone([&scope] { scope.Cancel(); });
  KUBE_RETURN_IF_ERROR(base::SleepUntil(scope.context(), open_at_));
  opened_ = base::Now();
  metav1::ListOptions options;
  options.resource_version = resource_version_;
  options.allow_watch_bookmarks = true;
  absl::StatusOr<std::unique_ptr<watch::Watcher<void>>> watcher =
      source_->Watch(scope.context(), options);
  if (scope.context().done()) return scope.context().status();
  if (!watcher.ok()) {
    const absl::Status& error = watcher.status();
    // client-go retries forever if the version is too old from the start.
    const bool is_final =
        IsExpired(error) || errors::IsForbidden(error) || errors::IsUnauthorized(error);
    return OnError(error, is_final);
  }
  base::MutexLock lock(mutex_);
  watcher_ = *std::move(watcher);
  // A concurrent call of Stop may have missed the new watcher.
  if (stopped()) watcher_->Stop();
  return MaybeEvent();
}

MaybeEvent RetryWatcherCore::OnEvent(watch::Event<void> event) {
  // As in client-go, 401 and 403 in an event are not final, but as the answer to the next watch.
  if (event.type == EventType::kError) return OnError(event.error, IsExpired(event.error));
  const std::string version(access_.resource_version(event.object.get()));
  // Without a version it is unknown where to continue.
  if (version.empty()) {
    return End(errors::InternalError("retryWatcher: object doesn't support resourceVersion"));
  }
  resource_version_ = version;
  if (event.type == EventType::kBookmark) return std::nullopt;
  return event;
}

MaybeEvent RetryWatcherCore::OnError(const absl::Status& error, bool is_final) {
  if (is_final) return End(error);
  KUBE_VLOG(2, "restarting watch", {"resource", source_->description()}, {"err", error.message()});
  Restart(errors::SuggestsClientDelay(error).value_or(absl::ZeroDuration()));
  return std::nullopt;
}

watch::Event<void> RetryWatcherCore::End(absl::Status error) {
  ended_ = true;
  return {.type = EventType::kError, .error = std::move(error)};
}

void RetryWatcherCore::Restart(absl::Duration after) {
  open_at_ = std::max(opened_ + kLeastTimeBetween, base::Now() + after);
  base::MutexLock lock(mutex_);
  watcher_ = nullptr;
}

void RetryWatcherCore::Stop() {
  stop_.Cancel();
  base::MutexLock lock(mutex_);
  if (watcher_ != nullptr) watcher_->Stop();
}

}  // namespace kube::informers::internal
