#ifndef CONTROLLER_RECONCILE_INTERNAL_CONTROLLER_CORE_H_
#define CONTROLLER_RECONCILE_INTERNAL_CONTROLLER_CORE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/schema/group_version.h"
#include "controller/cache/watched_core.h"
#include "controller/events/record/event_recorder.h"
#include "controller/manager/managed_controller.h"
#include "controller/manager/manager_status.h"
#include "controller/reconcile/cause.h"
#include "controller/reconcile/internal/controller_metrics.h"
#include "controller/reconcile/internal/late_writes.h"
#include "controller/reconcile/internal/own_versions.h"
#include "controller/reconcile/internal/parking.h"
#include "controller/reconcile/internal/steps.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/result.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/queue_options.h"
#include "controller/workqueue/verdict.h"

namespace kube::controller::internal {

// Options of a ControllerCore: those of the controller, with all defaults filled in.
struct CoreOptions {
  std::string name = {};
  schema::GroupVersionKind kind = {};  // of the primary; empty for keys of one's own
  // Returns the name of the object with this key.
  meta::ObjectName (*name_of)(absl::string_view key) = nullptr;
  int workers = 1;
  workqueue::QueueOptions queue = {.order = workqueue::QueueOrder::kPriority};
  absl::Duration reconcile_timeout = absl::Minutes(5);
  absl::Duration own_writes_timeout = absl::Seconds(10);
  bool always_runs = false;
  bool warm = true;
  int max_retries = -1;
  std::shared_ptr<base::MetricsProvider> metrics = base::NoOpMetrics();
  record::EventRecorder* recorder = nullptr;  // may be null; outlives the core
};

// What is behind Controller<T> and KeyController<Key>: the queue, the workers, what follows from a
// result. Keys are texts.
//
// A key has at most one place in the queue and is with at most one worker. Its causes are collected
// until a worker takes it. A reconcile that has written objects which its stores lack parks the key
// (parking.h) before it gives the key back, so no other reconcile of the key can begin. One thread,
// the supervisor, ends these waits and reports reconciles that take too long.
//
// A store may pass a write by a list instead of by its event, and then nothing tells that the
// written object is already gone. So the lists of stores that the controller writes to are counted
// before each reconcile, and a key is reconciled again if its store has been relisted when it has
// the write, be that while the key is parked or later (late_writes.h).
//
// Watches are held weakly, since their handlers hold the core; what parked keys hold ends with
// RunWorkers.
//
// Thread-safe. SetReconcile must be called before RunWorkers, and RunWorkers must have returned
// before the destructor.
class ControllerCore final : public ManagedController {
 public:
  using Reconcile = std::function<absl::StatusOr<Result>(RequestParts&)>;

  explicit ControllerCore(CoreOptions options);
  ~ControllerCore() override;
  ControllerCore(const ControllerCore&) = delete;
  ControllerCore& operator=(const ControllerCore&) = delete;

  void SetReconcile(Reconcile reconcile) { reconcile_ = std::move(reconcile); }

  // Remembers that a watch could not be set up; WaitForSync returns the first such error.
  void NoteSetupError(const absl::Status& error);

  // Adds a watch, which starts now if the others have started. The core does not keep it alive.
  void AddWatch(const std::shared_ptr<WatchedCore>& watched);

  // Adds a key. Has no effect after RunWorkers. Never blocks.
  void Add(absl::string_view key, const workqueue::AddOptions& options, Cause cause);

  const CoreOptions& options() const { return options_; }

  const std::string& name() const override { return options_.name; }
  bool needs_leadership() const override { return !options_.always_runs; }
  bool warm() const override { return options_.warm; }
  void StartWatches() override;
  absl::Status WaitForSync(const Context& ctx) override;
  absl::Status RunWorkers(const Context& take, const Context& work) override;
  ControllerStatus status() const override;

 private:
  // Causes that wait for the key's next reconcile.
  struct KeyState {
    std::vector<Cause> causes;
    int more_causes = 0;
  };
  // A reconcile that is running.
  struct Running {
    base::MonotonicTime since;
    absl::Time wall_since;
    std::string reconcile_id;
    std::shared_ptr<const Steps> steps;  // never null
    size_t worker = 0;                   // its index in ControllerStatus::workers
    bool reported = false;
  };
  // By store; of those that have ended, the next one that is added removes the registrations.
  using Registrations =
      std::map<std::weak_ptr<WatchedCore>, AdvancedRegistration, std::owner_less<>>;
  // By store, WatchedCore::lists().
  using ListCounts = std::map<std::weak_ptr<WatchedCore>, int64_t, std::owner_less<>>;

  std::vector<std::shared_ptr<WatchedCore>> Watches() const;
  void Work(const Context& take, const Context& work);
  void Process(const workqueue::Item<std::string>& item, const Context& work);
  std::optional<RequestParts> Begin(const workqueue::Item<std::string>& item, const Context& work);
  Context ContextOf(const Context& work, const RequestParts& parts) const;
  // Remembers an error for the status page.
  void Remember(const RequestParts& parts, const absl::Status& error);
  // Returns whether the reconcile took longer than its timeout and nobody has counted that yet.
  bool End(const RequestParts& parts, absl::Duration took);
  void Park(RequestParts& parts, int16_t priority);
  // Makes the store report its progress until RunWorkers ends, once for all keys.
  void ListenTo(const std::shared_ptr<WatchedCore>& store);
  // Counts the lists of all watches, for the first write to each of them.
  void CountListsAtStart();
  // Counts those of the stores that the controller has written to: few, as a count takes a moment.
  ListCounts CountListsOfWritten() const;
  // Returns how often a store had been filled by a list before the reconcile; -1 if nobody has
  // counted, so that it is taken as relisted.
  int64_t ListsBefore(const RequestParts& parts, const std::shared_ptr<WatchedCore>& store) const;
  void StartWatch(WatchedCore& watched);
  // Does what follows from the result, and returns how it is to be counted.
  Outcome Settle(const workqueue::Item<std::string>& item, const RequestParts& parts,
                 const absl::StatusOr<Result>& result, const Context& work);
  // Logs the result, and remembers an error.
  void Report(const RequestParts& parts, const absl::StatusOr<Result>& result,
              const workqueue::Verdict& verdict);
  void Record(absl::string_view key, Cause cause);
  absl::Status CheckSetup() const;
  void Stop();

  void Supervise(const Context& ctx);
  void NoteAdvanced(StoreId store);
  void EndWaits();
  // Ends the wait of one key, which may run from now on.
  void EndWait(const Parking::Parked& wait, WritesProgress progress);
  void CheckLateWrites();
  void ReportOverdue();
  void RetryStarts();
  // Returns the lowest index of a worker that runs no reconcile.
  size_t FreeWorker() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  base::MonotonicTime NextCheck() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  base::MonotonicTime OverdueAt(base::MonotonicTime since) const;
  // Makes the supervisor check now.
  void Wake() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const CoreOptions options_;
  const ControllerMetrics metrics_;
  Reconcile reconcile_;
  mutable workqueue::Queue<std::string> queue_;  // its status is no const function

  // Held for a moment only: no user code, no store and no queue is called with it.
  mutable base::Mutex mutex_;
  base::CondVar changed_;
  bool check_now_ ABSL_GUARDED_BY(mutex_) = false;
  base::MonotonicTime check_at_ ABSL_GUARDED_BY(mutex_);  // until when the supervisor sleeps
  // When watches that could not be started are started again; infinite if none failed.
  base::MonotonicTime retry_starts_at_ ABSL_GUARDED_BY(mutex_);
  bool watches_started_ ABSL_GUARDED_BY(mutex_) = false;
  bool workers_started_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status setup_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::weak_ptr<WatchedCore>> watches_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, KeyState> keys_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, Running> running_ ABSL_GUARDED_BY(mutex_);
  OwnVersions own_versions_ ABSL_GUARDED_BY(mutex_);
  Parking parking_ ABSL_GUARDED_BY(mutex_);
  LateWrites late_writes_ ABSL_GUARDED_BY(mutex_);
  ListCounts lists_at_start_ ABSL_GUARDED_BY(mutex_);
  int64_t reconciles_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t failed_reconciles_ ABSL_GUARDED_BY(mutex_) = 0;
  std::deque<ReconcileError> last_errors_ ABSL_GUARDED_BY(mutex_);  // the newest first
  Registrations registrations_ ABSL_GUARDED_BY(mutex_);
};

// Calls `reconcile`. An exception that leaves it ends the process with std::terminate, as the
// state of the controller's objects is unknown then; a log line before that names controller and
// key.
absl::StatusOr<Result> CallNoexcept(const ControllerCore::Reconcile& reconcile,
                                    absl::string_view controller, RequestParts& parts) noexcept;

}  // namespace kube::controller::internal

#endif  // CONTROLLER_RECONCILE_INTERNAL_CONTROLLER_CORE_H_
