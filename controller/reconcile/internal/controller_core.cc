// A worker does for each key: take it (Begin), call the reconcile function, give the request's
// writes to the parking (Park), decide what follows (Settle), and then destroy the queue's item,
// which makes the key available again. The order matters: while the item exists, no other worker
// can get the key, so the key is parked before anybody can take it.
#include "controller/reconcile/internal/controller_core.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/context_fields.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/log/log_record.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "controller/cache/watched_core.h"
#include "controller/reconcile/cause.h"
#include "controller/reconcile/internal/controller_metrics.h"
#include "controller/reconcile/internal/parking.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/result.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/queue_options.h"
#include "controller/workqueue/run_workers.h"

namespace kube::controller::internal {

namespace {

using base::MonotonicTime;
using base::MutexLock;

constexpr size_t kMaxCauses = 8;
constexpr size_t kMaxErrors = 10;
// How long WaitForSync looks at one watch before it looks at the next.
constexpr absl::Duration kSyncSlice = absl::Milliseconds(100);

workqueue::QueueOptions QueueOptionsOf(const CoreOptions& options) {
  workqueue::QueueOptions queue = options.queue;
  if (queue.name.empty()) queue.name = options.name;
  if (queue.metrics == nullptr) queue.metrics = options.metrics;
  return queue;
}

// Logs the key if an exception passes. Its destructor runs in a frame below the one that is
// noexcept, so before std::terminate.
class ThrowReport {
 public:
  ThrowReport(absl::string_view controller, const RequestParts& parts)
      : controller_(controller), parts_(parts), exceptions_(std::uncaught_exceptions()) {}
  ~ThrowReport() {
    if (std::uncaught_exceptions() == exceptions_) return;
    log::Error(absl::OkStatus(), "Reconcile function threw an exception, the process ends",
               {{"controller", controller_}, {"key", parts_.key}});
  }
  ThrowReport(const ThrowReport&) = delete;
  ThrowReport& operator=(const ThrowReport&) = delete;

 private:
  const absl::string_view controller_;
  const RequestParts& parts_;
  const int exceptions_;
};

ABSL_ATTRIBUTE_NOINLINE absl::StatusOr<Result> CallAndReport(
    const ControllerCore::Reconcile& reconcile, absl::string_view controller, RequestParts& parts) {
  const ThrowReport report(controller, parts);
  return reconcile(parts);
}

}  // namespace

absl::StatusOr<Result> CallNoexcept(const ControllerCore::Reconcile& reconcile,
                                    absl::string_view controller, RequestParts& parts) noexcept {
  return CallAndReport(reconcile, controller, parts);
}

ControllerCore::ControllerCore(CoreOptions options)
    : options_(std::move(options)),
      metrics_(*options_.metrics, options_.name),
      queue_(QueueOptionsOf(options_)),
      check_at_(MonotonicTime::Infinite()) {}

ControllerCore::~ControllerCore() { queue_.ShutDown(); }

void ControllerCore::AddWatch(const std::shared_ptr<WatchedCore>& watched) {
  bool started = false;
  {
    MutexLock lock(mutex_);
    std::erase_if(watches_,
                  [](const std::weak_ptr<WatchedCore>& watch) { return watch.expired(); });
    watches_.push_back(watched);
    started = watches_started_;
  }
  if (started) watched->Start();
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
  for (const std::shared_ptr<WatchedCore>& watched : Watches()) watched->Start();
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
  KUBE_RETURN_IF_ERROR(CheckSetup(), "start controller ", name());
  std::vector<std::shared_ptr<WatchedCore>> left = Watches();
  bool logged = false;
  // Each watch is asked in turn, so that one that can never sync is found while others are slow.
  while (!left.empty()) {
    const Context slice = WithTimeout(ctx, kSyncSlice);
    const absl::Status synced =
        left.front()->WaitForSync(slice, {.fail_fast = true, .quiet = true});
    if (!synced.ok() && !std::exchange(logged, true)) {
      log::Info(ctx, "Waiting for the watches to sync",
                {{"controller", name()}, {"watches", left.size()}});
    }
    // A resource that is not defined may be defined while `ctx` lasts; its informer keeps asking.
    if (errors::IsNotFound(synced)) base::WaitUntilDone(slice).IgnoreError();
    if (synced.ok()) {
      left.erase(left.begin());
    } else if (!slice.done() || ctx.done()) {
      return base::Annotate(synced, absl::StrCat("start controller ", name()));
    } else {
      std::rotate(left.begin(), left.begin() + 1, left.end());
    }
  }
  return absl::OkStatus();
}

void ControllerCore::Add(absl::string_view key, const workqueue::AddOptions& options, Cause cause) {
  Record(key, std::move(cause));
  queue_.Add(std::string(key), options);
}

void ControllerCore::Record(absl::string_view key, Cause cause) {
  MutexLock lock(mutex_);
  if (stopped_) return;
  KeyState& state = keys_[std::string(key)];
  if (state.causes.size() < kMaxCauses) {
    state.causes.push_back(std::move(cause));
    return;
  }
  ++state.more_causes;
  // Not lost, because a writer repairs drift in the reconciles of a resync (writer_core.cc).
  if (cause.type == Cause::Type::kResync) state.causes.back() = std::move(cause);
}

absl::Status ControllerCore::RunWorkers(const Context& take, const Context& work) {
  {
    MutexLock lock(mutex_);
    if (workers_started_) {
      return absl::FailedPreconditionError(
          absl::StrCat("start controller ", name(), ": controller was started more than once"));
    }
    workers_started_ = true;
  }
  const Context logged = WithLogFields(work, {{"controller", name()}});
  log::Info(logged, "Starting Controller", {{"controllerKind", options_.kind.kind}});
  metrics_.SetWorkers(options_.workers);
  // No key is taken once the work is cancelled, even if `take` is not done.
  CancelScope taking = WithCancel(take);
  const DoneCallback work_done = work.OnDone([&taking] { taking.Cancel(); });
  log::Info(logged, "Starting workers", {{"worker count", options_.workers}});
  base::Thread supervisor;
  absl::Status started =
      supervisor.Start(WithoutCancel(logged), absl::StrCat(name(), "-supervisor"),
                       [this](const Context& ctx) { Supervise(ctx); });
  std::vector<std::unique_ptr<base::Thread>> workers;
  for (int i = 1; started.ok() && i <= options_.workers; ++i) {
    workers.push_back(std::make_unique<base::Thread>());
    started = workers.back()->Start(
        work, absl::StrCat(name(), "-", i),
        [this, take_ctx = taking.context()](const Context& ctx) { Work(take_ctx, ctx); });
  }
  if (started.ok()) base::WaitUntilDone(taking.context()).IgnoreError();
  taking.Cancel();
  log::Info(logged, "Shutdown signal received, waiting for all workers to finish");
  for (const std::unique_ptr<base::Thread>& worker : workers) worker->Join();
  supervisor.RequestStop();
  supervisor.Join();
  Stop();
  log::Info(logged, "All workers finished");
  return base::Annotate(started, absl::StrCat("start controller ", name()));
}

void ControllerCore::Stop() {
  queue_.ShutDown();
  Parking parked;
  absl::flat_hash_map<std::string, KeyState> keys;
  {
    MutexLock lock(mutex_);
    stopped_ = true;
    std::swap(parked, parking_);
    std::swap(keys, keys_);
  }
  // A later controller of this name has the same gauge.
  for (size_t i = 0; i < parked.size(); ++i) metrics_.Unparked();
}

void ControllerCore::Work(const Context& take, const Context& work) {
  while (true) {
    const absl::StatusOr<workqueue::Item<std::string>> item = queue_.Get(take);
    if (!item.ok()) return;
    Process(*item, work);
  }
}

void ControllerCore::Process(const workqueue::Item<std::string>& item, const Context& work) {
  std::optional<RequestParts> parts = Begin(item, work);
  if (!parts.has_value()) return;
  KUBE_VLOG_CTX(parts->context, 5, "Reconciling");
  const MonotonicTime start = base::Now();
  const absl::StatusOr<Result> result = CallNoexcept(reconcile_, name(), *parts);
  const absl::Duration took = base::Now() - start;
  const bool timed_out = End(*parts, took);
  Park(*parts);
  const Outcome outcome = Settle(item, *parts, result, work);
  if (timed_out && outcome != Outcome::kError) metrics_.ReconcileTimedOut();
  metrics_.ReconcileEnded(timed_out && outcome == Outcome::kError ? Outcome::kTimeout : outcome,
                          took);
}

std::optional<RequestParts> ControllerCore::Begin(const workqueue::Item<std::string>& item,
                                                  const Context& work) {
  RequestParts parts;
  parts.key = item.key();
  parts.reconcile_id = base::RandomUuid();
  parts.name = options_.name_of(item.key());
  parts.kind = options_.kind;
  parts.recorder = options_.recorder;
  parts.failures = queue_.NumRequeues(item.key());
  {
    MutexLock lock(mutex_);
    if (parking_.Hold(parts.key, item.priority())) return std::nullopt;
    const std::vector<std::string> own_versions = own_versions_.Take(parts.key);
    if (const auto it = keys_.find(parts.key); it != keys_.end()) {
      KeyState& state = it->second;
      for (Cause& cause : state.causes) {
        const bool own = std::find(own_versions.begin(), own_versions.end(), cause.new_version) !=
                         own_versions.end();
        if (own && cause.type != Cause::Type::kDeleted) cause.type = Cause::Type::kOwnWrite;
      }
      parts.causes = std::move(state.causes);
      parts.more_causes = state.more_causes;
      keys_.erase(it);
    }
    const MonotonicTime now = base::Now();
    running_.emplace(
        parts.key,
        Running{.since = now, .wall_since = base::WallNow(), .reconcile_id = parts.reconcile_id});
    if (OverdueAt(now) < check_at_) {
      check_now_ = true;
      changed_.NotifyOne();
    }
  }
  parts.watched = Watches();
  parts.context = ContextOf(work, parts);
  metrics_.ReconcileStarted();
  return parts;
}

Context ControllerCore::ContextOf(const Context& work, const RequestParts& parts) const {
  const log::ObjectRef object = log::KRef(parts.name.namespace_name, parts.name.name);
  std::vector<log::Field> fields = {{"controller", options_.name}};
  if (options_.kind.kind.empty()) {
    fields.push_back({"object", object});
  } else {
    fields.push_back({"controllerGroup", options_.kind.group});
    fields.push_back({"controllerKind", options_.kind.kind});
    fields.push_back({options_.kind.kind, object});
  }
  fields.push_back({"namespace", parts.name.namespace_name});
  fields.push_back({"name", parts.name.name});
  fields.push_back({"reconcileID", parts.reconcile_id});
  return WithLogFields(WithTimeout(work, options_.reconcile_timeout), fields);
}

bool ControllerCore::End(const RequestParts& parts, absl::Duration took) {
  MutexLock lock(mutex_);
  const auto it = running_.find(parts.key);
  const bool reported = it->second.reported;
  running_.erase(it);
  ++reconciles_;
  return took >= options_.reconcile_timeout && !reported;
}

void ControllerCore::Park(RequestParts& parts) {
  std::vector<NotedWrite> noted = std::move(parts.writes);
  if (noted.empty() || options_.own_writes_timeout <= absl::ZeroDuration()) return;
  std::vector<std::string> versions;
  std::vector<OwnWrite> unseen;
  for (NotedWrite& write : noted) {
    versions.push_back(write.resource_version);
    // The registration comes first, so that no progress of the store is missed.
    auto registration =
        std::make_shared<const AdvancedRegistration>(write.store->OnAdvanced([this] { Wake(); }));
    auto seen = [write = std::move(write)] {
      return write.store->HasResourceVersion(write.namespace_name, write.resource_version);
    };
    if (seen()) continue;
    unseen.push_back({.seen = std::move(seen), .registration = std::move(registration)});
  }
  const bool parks = !unseen.empty();
  if (parks) metrics_.Parked();
  MutexLock lock(mutex_);
  own_versions_.Note(parts.key, std::move(versions));
  if (!parks) return;
  parking_.Park(parts.key, std::move(unseen), base::Now() + options_.own_writes_timeout);
  check_now_ = true;  // a store may have advanced since it was asked
  changed_.NotifyOne();
}

Outcome ControllerCore::Settle(const workqueue::Item<std::string>& item, const RequestParts& parts,
                               const absl::StatusOr<Result>& result, const Context& work) {
  if (!result.ok()) {
    // When the work is cancelled, an error says nothing about the key.
    return work.done() ? Outcome::kError : Fail(item, parts, result.status());
  }
  queue_.Forget(parts.key);
  if (result->requeue_after <= absl::ZeroDuration()) {
    KUBE_VLOG_CTX(parts.context, 5, "Reconcile successful");
    return Outcome::kSuccess;
  }
  KUBE_VLOG_CTX(parts.context, 5, "Reconcile done, requeueing", {"after", result->requeue_after});
  Add(parts.key,
      {.after = result->requeue_after, .priority = result->priority.value_or(item.priority())},
      {.type = Cause::Type::kRequeued});
  return Outcome::kRequeueAfter;
}

Outcome ControllerCore::Fail(const workqueue::Item<std::string>& item, const RequestParts& parts,
                             const absl::Status& error) {
  const std::optional<absl::Duration> delay = workqueue::RetryDelayOf(error);
  const bool is_terminal = workqueue::IsTerminalError(error);
  Remember(parts, error);
  const bool is_spent =
      !delay.has_value() && options_.max_retries >= 0 && parts.failures >= options_.max_retries;
  if (is_terminal || is_spent) {
    log::Error(parts.context, error, "Reconciler error", {{"retried", false}});
    queue_.Forget(parts.key);
    return is_terminal ? Outcome::kTerminalError : Outcome::kError;
  }
  log::Error(parts.context, error, "Reconciler error");
  workqueue::AddOptions again;
  again.priority = workqueue::RetryPriorityOf(error).value_or(item.priority());
  again.rate_limited = !delay.has_value();
  if (delay.has_value()) again.after = *delay;
  Add(parts.key, again, {.type = Cause::Type::kRetry});
  return Outcome::kError;
}

void ControllerCore::Remember(const RequestParts& parts, const absl::Status& error) {
  MutexLock lock(mutex_);
  ++failed_reconciles_;
  last_errors_.push_front({.key = parts.key,
                           .time = base::WallNow(),
                           .message = std::string(error.message()),
                           .failures = parts.failures + 1});
  if (last_errors_.size() > kMaxErrors) last_errors_.pop_back();
}

}  // namespace kube::controller::internal
