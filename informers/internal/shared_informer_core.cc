#include "informers/internal/shared_informer_core.h"

#include <algorithm>
#include <compare>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/meta/resource_version.h"
#include "informers/delta.h"
#include "informers/internal/apply_deltas.h"

// The path of a change: the reflector, which runs on the thread of Run, gives each delta to Take,
// which queues it. When the queue holds a full batch, or when the reflector has nothing more to
// read (its flush), Process pops batches. ProcessBatch applies a batch to the store, turns it into
// notifications, calls `store_callbacks_` and pushes the notifications to the listeners, whose
// threads call the handlers.
//
// `deltas_mutex_` makes storing a batch and choosing its listeners one step, and likewise taking
// the initial notifications and adding the listener. So a new handler learns of each object exactly
// once: initially if the batch was stored before, or with the batch otherwise. `mutex_` guards
// everything else and is acquired after `deltas_mutex_`. Neither is held while a listener blocks in
// Push or while user code runs.
//
// Resyncs: the reflector calls ShouldResync every `check_period_`, the shortest period of all
// handlers. It marks the handlers whose own period is over (`syncing`), and only these get the
// resync.

namespace kube::informers::internal {

using base::MonotonicTime;

namespace {

// Shortest resync period of a handler. (client-go: `minimumResyncPeriod`)
constexpr absl::Duration kLeastResyncPeriod = absl::Seconds(1);

// The informer whose Run is on the stack of this thread.
thread_local const SharedInformerCore* informer_of_this_thread = nullptr;

// Returns whether storing the batch advances the store. A resync does not, nor does a bookmark of
// the version that the store has.
bool Advances(const std::vector<Delta<void>>& deltas, const listers::AnyStore& store) {
  // A delta that concerns all objects is alone in its batch.
  const Delta<void>& first = deltas.front();
  if (first.type == DeltaType::kSync) return false;
  return first.type != DeltaType::kBookmark ||
         first.resource_version != store.snapshot().resource_version();
}

// Returns false for the deletion of an object that the store did not have: no handler knew it.
bool IsNews(const AnyNotification& notification) {
  return notification.type != DeltaType::kDeleted || notification.change.old_object != nullptr;
}

}  // namespace

absl::Status StoppedError(absl::string_view verb, absl::string_view name) {
  return absl::FailedPreconditionError(absl::StrCat(verb, ": informer ", name, " has stopped"));
}

SharedInformerCore::SharedInformerCore(std::shared_ptr<ListerWatcher> source,
                                       const meta::ObjectAccess& access,
                                       std::shared_ptr<listers::AnyStore> store,
                                       SharedInformerOptions options)
    : source_(std::move(source)),
      access_(access),
      store_(std::move(store)),
      options_(std::move(options)),
      name_(options_.reflector.name.empty() ? source_->description() : options_.reflector.name),
      metrics_(*options_.metrics, options_.metrics_name, options_.resource),
      queue_(access),
      check_period_(options_.resync_period),
      transform_(options_.transform) {}

SharedInformerCore::~SharedInformerCore() {
  base::MutexLock lock(mutex_);
  KUBE_CHECK(phase_ != Phase::kRunning) << "informer " << name_ << " is destroyed while running";
  // If it never ran: registrations that outlive it report that it has stopped.
  for (const Member& member : members_) member.listener->Close();
}

// ---- Run

absl::Status SharedInformerCore::Run(const Context& ctx) {
  KUBE_RETURN_IF_ERROR(Start());
  ReflectorCore* reflector;
  {
    base::MutexLock lock(mutex_);
    reflector = reflector_.get();
  }
  const SharedInformerCore* const outer = std::exchange(informer_of_this_thread, this);
  const absl::Status status = reflector->Run(ctx);
  Stop();
  informer_of_this_thread = outer;
  return status;
}

std::string SharedInformerCore::Caller() const {
  if (informer_of_this_thread == this) return absl::StrCat("the thread of informer ", name_);
  const Listener* const listener = Listener::OfThisThread();
  if (listener == nullptr || listener->informer() != this) return "";
  return absl::StrCat("handler \"", listener->options().name, "\" of informer ", name_);
}

absl::Status SharedInformerCore::Start() {
  absl::Status status;
  {
    base::MutexLock lock(mutex_);
    if (phase_ != Phase::kNew) {
      return absl::FailedPreconditionError(absl::StrCat(
          "run informer ", name_, ": informer has started, run more than once is not allowed"));
    }
    phase_ = Phase::kRunning;
    reflector_ = MakeReflector();
    for (Member& member : members_) {
      member.next_resync = base::Now() + member.resync_period;
      status.Update(member.listener->Start());
    }
  }
  if (!status.ok()) Stop();
  return status;
}

std::unique_ptr<ReflectorCore> SharedInformerCore::MakeReflector() {
  ReflectorOptions options = options_.reflector;
  options.name = name_;
  options.resync_period = check_period_;
  options.should_resync = [this] { return ShouldResync(); };
  options.on_error = [first = std::move(options.on_error),
                      second = error_handler_](const absl::Status& error) {
    if (first != nullptr) first(error);
    if (second != nullptr) second(error);
  };
  source_->SetMetrics(metrics_.source());
  return std::make_unique<ReflectorCore>(
      source_, access_,
      [this](const Context& ctx, Delta<void> delta) {
        Take(ctx, std::move(delta));
        return absl::OkStatus();
      },
      transform_, std::move(options),
      [this](const ReflectorStatus& status) { metrics_.Observe(status); },
      [this](const Context& ctx) { Process(ctx); });
}

void SharedInformerCore::Stop() {
  std::vector<Member> members;
  std::vector<std::shared_ptr<Listener>> retired;
  {
    base::MutexLock lock(mutex_);
    phase_ = Phase::kStopped;
    // With the lock, so that CloseHandlers can rely on it: only members may still be called.
    for (const Member& member : members_) member.listener->Close();
    members.swap(members_);
    retired.swap(retired_);
    advanced_.NotifyAll();
  }
  for (const Member& member : members) member.listener->Join();
  for (const std::shared_ptr<Listener>& listener : retired) listener->Join();
}

void SharedInformerCore::Take(const Context& ctx, Delta<void> delta) {
  queue_.Push(std::move(delta));
  queued_.store(queue_.length(), std::memory_order_relaxed);
  if (queue_.length() >= queue_.max_batch()) Process(ctx);
}

void SharedInformerCore::Process(const Context& ctx) {
  // Deltas that are queued when the informer stops are dropped.
  bool more = true;
  while (more && !ctx.done()) {
    more = queue_.Pop([&](std::vector<Delta<void>> deltas, bool is_initial) {
      queued_.store(queue_.length(), std::memory_order_relaxed);
      ProcessBatch(ctx, std::move(deltas), is_initial);
    });
    if (queue_.synced().IsSet()) AnnounceSynced(ctx);
  }
}

void SharedInformerCore::ProcessBatch(const Context& ctx, std::vector<Delta<void>> deltas,
                                      bool is_initial) {
  const MonotonicTime begin = base::Now();
  const bool advances = Advances(deltas, *store_);
  std::vector<Target> targets;
  auto notifications = std::make_shared<Notifications>();
  {
    base::MutexLock deltas_lock(deltas_mutex_);
    targets = Targets();
    const absl::Status status = ApplyDeltas(std::move(deltas), access_, *store_,
                                            targets.empty() ? nullptr : notifications.get());
    // Everything else was stored and is reported. Lost are only index entries, or objects with
    // names that no server accepts.
    if (!status.ok()) log::Error(ctx, status, "unable to store change", {{"informer", name_}});
  }
  {
    base::MutexLock lock(mutex_);
    advanced_.NotifyAll();
  }
  // Before the listeners, in whose Push the informer may wait for a slow handler.
  if (advances) store_callbacks_->Call();
  if (!targets.empty()) {
    std::erase_if(notifications->all, [](const AnyNotification& n) { return !IsNews(n); });
    if (is_initial) {
      for (AnyNotification& n : notifications->all) n.is_initial = n.type == DeltaType::kAdded;
    }
  }
  if (!notifications->all.empty()) {
    const NotificationBatch batch = std::move(notifications);
    for (const Target& target : targets) target.listener->Push(ctx, batch, target.syncing);
  }
  metrics_.OnBatch(base::Now() - begin, queue_.length(), *store_);
}

void SharedInformerCore::AnnounceSynced(const Context& ctx) {
  std::vector<Target> targets;
  {
    base::MutexLock deltas_lock(deltas_mutex_);
    if (std::exchange(announced_, true)) return;
    targets = Targets();
  }
  KUBE_VLOG_CTX(ctx, 2, "synced informer", {"informer", name_},
                {"objects", store_->snapshot().size()});
  for (const Target& target : targets) target.listener->PushSynced();
}

std::vector<SharedInformerCore::Target> SharedInformerCore::Targets() const {
  base::MutexLock lock(mutex_);
  std::vector<Target> targets;
  targets.reserve(members_.size());
  for (const Member& member : members_) targets.push_back({member.listener, member.syncing});
  return targets;
}

// ---- handlers

// Joins the threads of removed listeners that have ended, each thread once.
void SharedInformerCore::JoinRetired() {
  std::vector<std::shared_ptr<Listener>> ended;
  {
    base::MutexLock lock(mutex_);
    const auto first_ended =
        std::stable_partition(retired_.begin(), retired_.end(),
                              [](const auto& listener) { return !listener->ended().IsSet(); });
    ended.assign(first_ended, retired_.end());
    retired_.erase(first_ended, retired_.end());
  }
  for (const std::shared_ptr<Listener>& listener : ended) listener->Join();
}

absl::StatusOr<std::shared_ptr<Listener>> SharedInformerCore::AddHandler(AnyHandler handler,
                                                                         HandlerOptions options) {
  JoinRetired();
  base::MutexLock deltas_lock(deltas_mutex_);
  // Covers what is stored now; later changes are in batches that follow.
  const auto initial = std::make_shared<const Notifications>(InitialNotifications(*store_));
  base::MutexLock lock(mutex_);
  if (phase_ == Phase::kStopped) return StoppedError("add event handler", name_);
  if (options.name.empty()) options.name = absl::StrCat("handler-", handlers_added_);
  ++handlers_added_;
  Member member;
  member.requested_period = AgreeOnPeriod(options.resync_period.value_or(options_.resync_period));
  member.resync_period = PeriodOf(member);
  member.next_resync = base::Now() + member.resync_period;
  member.listener = std::make_shared<Listener>(this, std::move(handler), std::move(options),
                                               access_, metrics_.listener());
  member.listener->PushInitial(initial);
  if (announced_) member.listener->PushSynced();
  if (phase_ == Phase::kRunning) KUBE_RETURN_IF_ERROR(member.listener->Start());
  return members_.emplace_back(std::move(member)).listener;
}

void SharedInformerCore::RemoveHandler(const std::shared_ptr<Listener>& listener) {
  listener->Close();
  {
    base::MutexLock lock(mutex_);
    const auto it = std::find_if(members_.begin(), members_.end(),
                                 [&](const Member& m) { return m.listener == listener; });
    if (it != members_.end()) {
      members_.erase(it);
      retired_.push_back(listener);
    }
  }
  // A handler cannot wait for itself.
  if (Listener::OfThisThread() != nullptr) return;
  listener->ended().Wait(Context()).IgnoreError();
  JoinRetired();
}

void SharedInformerCore::CloseHandlers() {
  for (const Target& target : Targets()) target.listener->Close();
}

// (client-go: `AddEventHandlerWithOptions`)
absl::Duration SharedInformerCore::AgreeOnPeriod(absl::Duration requested) {
  if (requested <= absl::ZeroDuration()) return absl::ZeroDuration();
  if (requested < kLeastResyncPeriod) {
    log::Warning("resync period is too small. Changing it to the minimum allowed value",
                 {{"informer", name_},
                  {"resyncPeriod", requested},
                  {"minimumResyncPeriod", kLeastResyncPeriod}});
    requested = kLeastResyncPeriod;
  }
  if (requested >= check_period_) return requested;
  if (phase_ == Phase::kRunning) {
    log::Warning(
        "resync period is smaller than resync check period and the informer has already started. "
        "Changing it to the resync check period",
        {{"informer", name_}, {"resyncPeriod", requested}, {"resyncCheckPeriod", check_period_}});
    return check_period_;
  }
  check_period_ = requested;
  for (Member& member : members_) member.resync_period = PeriodOf(member);
  return requested;
}

// (client-go: `determineResyncPeriod`)
absl::Duration SharedInformerCore::PeriodOf(const Member& member) const {
  const absl::Duration requested = member.requested_period;
  if (requested == absl::ZeroDuration()) return requested;
  if (check_period_ == absl::ZeroDuration()) {
    log::Warning(
        "the specified resyncPeriod is invalid because this shared informer doesn't support "
        "resyncing",
        {{"informer", name_}, {"desired", requested}});
    return absl::ZeroDuration();
  }
  return std::max(requested, check_period_);
}

bool SharedInformerCore::ShouldResync() {
  base::MutexLock lock(mutex_);
  const MonotonicTime now = base::Now();
  bool any = false;
  for (Member& member : members_) {
    member.syncing = member.resync_period > absl::ZeroDuration() && now >= member.next_resync;
    if (member.syncing) member.next_resync = now + member.resync_period;
    any = any || member.syncing;
  }
  return any;
}

// ---- the rest

absl::Status SharedInformerCore::SetTransform(AnyTransform transform) {
  base::MutexLock lock(mutex_);
  if (phase_ != Phase::kNew) {
    return absl::FailedPreconditionError(
        absl::StrCat("set transform: informer ", name_, " has already started"));
  }
  transform_ = std::move(transform);
  return absl::OkStatus();
}

absl::Status SharedInformerCore::SetErrorHandler(std::function<void(const absl::Status&)> handler) {
  base::MutexLock lock(mutex_);
  if (phase_ != Phase::kNew) {
    return absl::FailedPreconditionError(
        absl::StrCat("set watch error handler: informer ", name_, " has already started"));
  }
  error_handler_ = std::move(handler);
  return absl::OkStatus();
}

absl::Status SharedInformerCore::WaitForResourceVersion(const Context& ctx,
                                                        absl::string_view resource_version) const {
  KUBE_RETURN_IF_ERROR(meta::CompareResourceVersion(resource_version, resource_version).status(),
                       "wait for resource version");
  bool came = false;
  base::MutexLock lock(mutex_);
  const absl::Status status =
      advanced_.Wait(ctx, mutex_, [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
        came = HasResourceVersion(resource_version);
        return came || phase_ == Phase::kStopped;
      });
  if (!status.ok() || came) return status;
  return absl::CancelledError(
      absl::StrCat("wait for resource version: informer ", name_, " has stopped"));
}

bool SharedInformerCore::HasResourceVersion(absl::string_view resource_version) const {
  const absl::StatusOr<std::strong_ordering> order =
      meta::CompareResourceVersion(store_->snapshot().resource_version(), resource_version);
  return order.ok() && *order >= 0;
}

bool SharedInformerCore::has_started() const {
  base::MutexLock lock(mutex_);
  return phase_ != Phase::kNew;
}

bool SharedInformerCore::is_stopped() const {
  base::MutexLock lock(mutex_);
  return phase_ == Phase::kStopped;
}

ReflectorStatus SharedInformerCore::reflector_status() const {
  base::MutexLock lock(mutex_);
  return reflector_ == nullptr ? ReflectorStatus() : reflector_->status();
}

std::vector<HandlerStatus> SharedInformerCore::handlers() const {
  std::vector<HandlerStatus> handlers;
  for (const Target& target : Targets()) handlers.push_back(target.listener->status());
  return handlers;
}

}  // namespace kube::informers::internal
