// A worker does for each key: take it (Begin), call the reconcile function, give the request's
// writes to the parking (Park), decide what follows (Settle), and then destroy the queue's item,
// which makes the key available again. The order matters: while the item exists, no other worker
// can get the key, so the key is parked before anybody can take it.
#include "controller/reconcile/internal/controller_core.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
#include "controller/reconcile/cause.h"
#include "controller/reconcile/internal/controller_metrics.h"
#include "controller/reconcile/internal/parking.h"
#include "controller/reconcile/internal/steps.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/result.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/queue_options.h"
#include "controller/workqueue/verdict.h"

namespace kube::controller::internal {

namespace {

using base::MonotonicTime;
using base::MutexLock;

constexpr size_t kMaxCauses = 8;
constexpr size_t kMaxErrors = 10;

// `lists` is the store's count before the reconcile.
OwnWrite OwnWriteOf(const NotedWrite& write, int64_t lists) {
  const std::weak_ptr<WatchedCore> weak = write.store;
  return {.store = write.store.get(),
          .seen =
              [weak, in = write.namespace_name, version = write.resource_version] {
                const std::shared_ptr<WatchedCore> store = weak.lock();
                return store == nullptr || store->HasResourceVersion(in, version);
              },
          .relisted =
              [weak, lists] {
                const std::shared_ptr<WatchedCore> store = weak.lock();
                return store != nullptr && store->lists() != lists;
              },
          .cause = {.type = Cause::Type::kOwnWrite,
                    .kind = write.store->kind().kind,
                    .new_version = write.resource_version},
          .keeps = write.store};
}

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
      check_at_(MonotonicTime::Infinite()),
      retry_starts_at_(MonotonicTime::Infinite()) {}

ControllerCore::~ControllerCore() { queue_.ShutDown(); }

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
      return absl::FailedPreconditionError("controller was started more than once");
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
  CountListsAtStart();
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
  return base::Annotate(started, "start workers");
}

void ControllerCore::Stop() {
  queue_.ShutDown();
  Parking parked;
  absl::flat_hash_map<std::string, KeyState> keys;
  Registrations registrations;
  {
    MutexLock lock(mutex_);
    stopped_ = true;
    std::swap(parked, parking_);
    late_writes_ = LateWrites();
    std::swap(keys, keys_);
    std::swap(registrations, registrations_);
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
  Park(*parts, item.priority());
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
  parts.steps = std::make_shared<Steps>();
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
    running_.emplace(parts.key, Running{.since = now,
                                        .wall_since = base::WallNow(),
                                        .reconcile_id = parts.reconcile_id,
                                        .steps = parts.steps,
                                        .worker = FreeWorker()});
    if (OverdueAt(now) < check_at_) Wake();
  }
  parts.watched = Watches();
  parts.lists = CountListsOfWritten();
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

void ControllerCore::Park(RequestParts& parts, int16_t priority) {
  const std::vector<NotedWrite> noted = std::move(parts.writes);
  if (noted.empty()) return;
  std::vector<std::string> versions;
  std::vector<OwnWrite> writes;
  for (const NotedWrite& write : noted) {
    versions.push_back(write.resource_version);
    // Before the store is asked, so that none of its progress is missed.
    ListenTo(write.store);
    writes.push_back(OwnWriteOf(write, ListsBefore(parts, write.store)));
  }
  WritesProgress progress = ProgressOf(writes);
  const bool waits = !progress.unseen.empty();
  const bool parks = waits && options_.own_writes_timeout > absl::ZeroDuration();
  if (parks) metrics_.Parked();
  {
    MutexLock lock(mutex_);
    own_versions_.Note(parts.key, std::move(versions));
    if (parks) {
      parking_.Park(parts.key, std::move(writes), base::Now() + options_.own_writes_timeout,
                    priority);
    } else if (waits) {
      late_writes_.Note(parts.key, std::move(progress.unseen), priority);
    }
    if (waits) Wake();  // a store may have advanced since it was asked
  }
  // The end of the wait does it for a parked key.
  if (progress.missed.has_value() && !parks) {
    Add(parts.key, {.priority = priority}, *std::move(progress.missed));
  }
}

Outcome ControllerCore::Settle(const workqueue::Item<std::string>& item, const RequestParts& parts,
                               const absl::StatusOr<Result>& result, const Context& work) {
  const workqueue::Verdict verdict = workqueue::Judge(work, result,
                                                      {.failures = parts.failures,
                                                       .priority = item.priority(),
                                                       .max_retries = options_.max_retries});
  Report(parts, result, verdict);
  if (verdict.forget) queue_.Forget(parts.key);
  if (verdict.add) {
    Add(parts.key, verdict.how,
        {.type = result.ok() ? Cause::Type::kRequeued : Cause::Type::kRetry});
  }
  if (result.ok()) return verdict.add ? Outcome::kRequeueAfter : Outcome::kSuccess;
  const bool is_terminal = verdict.given_up && workqueue::IsTerminalError(result.status());
  return is_terminal ? Outcome::kTerminalError : Outcome::kError;
}

void ControllerCore::Report(const RequestParts& parts, const absl::StatusOr<Result>& result,
                            const workqueue::Verdict& verdict) {
  if (result.ok()) {
    if (verdict.add) {
      KUBE_VLOG_CTX(parts.context, 5, "Reconcile done, requeueing",
                    {"after", result->requeue_after});
    } else {
      KUBE_VLOG_CTX(parts.context, 5, "Reconcile successful");
    }
    return;
  }
  if (verdict.given_up) {
    log::Error(parts.context, result.status(), "Reconciler error", {{"retried", false}});
  } else if (verdict.add) {
    log::Error(parts.context, result.status(), "Reconciler error");
  } else {
    return;  // the work is cancelled, and the error says nothing about the key
  }
  Remember(parts, result.status());
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
