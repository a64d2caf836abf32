#ifndef INFORMERS_INTERNAL_SHARED_INFORMER_CORE_H_
#define INFORMERS_INTERNAL_SHARED_INFORMER_CORE_H_

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/meta/object_access.h"
#include "apimachinery/schema/group_version.h"
#include "informers/any_transform.h"
#include "informers/delta.h"
#include "informers/handler_options.h"
#include "informers/internal/delta_queue.h"
#include "informers/internal/informer_metrics.h"
#include "informers/internal/listener.h"
#include "informers/internal/notification.h"
#include "informers/internal/reflector_core.h"
#include "informers/internal/store_callbacks.h"
#include "informers/lister_watcher.h"
#include "informers/reflector_options.h"
#include "informers/reflector_status.h"
#include "informers/shared_informer_options.h"
#include "listers/any_store.h"

namespace kube::informers::internal {

// Returns FAILED_PRECONDITION with a message such as "add event handler: informer pods has
// stopped".
absl::Status StoppedError(absl::string_view verb, absl::string_view name);

// The part of SharedInformer that does not depend on the object type: a reflector, the delta queue,
// the store and the listeners. The thread in Run reads, decodes and writes to the store; each
// listener has its own thread. Thread-safe, except for the destructor.
class SharedInformerCore {
 public:
  // `access` must outlive the informer.
  SharedInformerCore(std::shared_ptr<ListerWatcher> source, const meta::ObjectAccess& access,
                     std::shared_ptr<listers::AnyStore> store, SharedInformerOptions options);
  ~SharedInformerCore();

  absl::Status Run(const Context& ctx) ABSL_LOCKS_EXCLUDED(deltas_mutex_, mutex_);

  absl::StatusOr<std::shared_ptr<Listener>> AddHandler(AnyHandler handler, HandlerOptions options)
      ABSL_LOCKS_EXCLUDED(deltas_mutex_, mutex_);
  // Blocks as described for AnySharedInformer::RemoveEventHandler.
  void RemoveHandler(const std::shared_ptr<Listener>& listener) ABSL_LOCKS_EXCLUDED(mutex_);
  // Drops the pending notifications of all handlers; calls that are running are the last ones.
  // Never blocks. For an informer that is about to stop.
  void CloseHandlers() ABSL_LOCKS_EXCLUDED(mutex_);

  absl::Status SetTransform(AnyTransform transform) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status SetErrorHandler(std::function<void(const absl::Status&)> handler)
      ABSL_LOCKS_EXCLUDED(mutex_);

  absl::Status WaitForResourceVersion(const Context& ctx, absl::string_view resource_version) const
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Never blocks.
  bool HasResourceVersion(absl::string_view resource_version) const;
  // The functions that are called when the store has advanced. They are shared with their
  // registrations, which may outlive the informer.
  const std::shared_ptr<StoreCallbacks>& store_callbacks() const { return store_callbacks_; }

  const base::Event& synced() const { return queue_.synced(); }
  // Describes the caller if it is a thread that must not wait for Run: "handler \"web\" of informer
  // pods" or "the thread of informer pods". Returns "" for any other thread.
  std::string Caller() const;

  bool has_started() const ABSL_LOCKS_EXCLUDED(mutex_);
  bool is_stopped() const ABSL_LOCKS_EXCLUDED(mutex_);
  ReflectorStatus reflector_status() const ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<HandlerStatus> handlers() const ABSL_LOCKS_EXCLUDED(mutex_);
  size_t queued() const { return queued_.load(std::memory_order_relaxed); }
  const listers::AnyStore& store() const { return *store_; }
  const std::string& name() const { return name_; }
  schema::GroupResource resource() const { return options_.resource.group_resource(); }

 private:
  enum class Phase { kNew, kRunning, kStopped };
  struct Member {
    std::shared_ptr<Listener> listener = {};
    absl::Duration requested_period = absl::ZeroDuration();
    // Zero if the handler gets no resyncs.
    absl::Duration resync_period = absl::ZeroDuration();
    base::MonotonicTime next_resync = {};
    // Whether the handler gets the resyncs of the present period; ShouldResync updates it. Before
    // the first call of ShouldResync every handler gets them.
    bool syncing = true;
  };
  // A listener to which a batch is delivered.
  struct Target {
    std::shared_ptr<Listener> listener;
    bool syncing;
  };

  absl::Status Start() ABSL_LOCKS_EXCLUDED(mutex_);
  void Stop() ABSL_LOCKS_EXCLUDED(mutex_);
  std::unique_ptr<ReflectorCore> MakeReflector() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Called on the thread of Run. Take queues a delta of the reflector; Process handles all queued
  // ones.
  void Take(const Context& ctx, Delta<void> delta) ABSL_LOCKS_EXCLUDED(deltas_mutex_, mutex_);
  void Process(const Context& ctx) ABSL_LOCKS_EXCLUDED(deltas_mutex_, mutex_);
  void ProcessBatch(const Context& ctx, std::vector<Delta<void>> deltas, bool is_initial)
      ABSL_LOCKS_EXCLUDED(deltas_mutex_, mutex_);
  // Has an effect only once.
  void AnnounceSynced(const Context& ctx) ABSL_LOCKS_EXCLUDED(deltas_mutex_, mutex_);
  std::vector<Target> Targets() const ABSL_LOCKS_EXCLUDED(mutex_);

  void JoinRetired() ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns the resync period granted to a handler that asks for `requested`, and adjusts
  // check_period_ if the informer is not running yet.
  absl::Duration AgreeOnPeriod(absl::Duration requested) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Duration PeriodOf(const Member& member) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Called on the thread of Run.
  bool ShouldResync() ABSL_LOCKS_EXCLUDED(mutex_);

  const std::shared_ptr<ListerWatcher> source_;
  const meta::ObjectAccess& access_;
  const std::shared_ptr<listers::AnyStore> store_;
  const SharedInformerOptions options_;
  const std::string name_;
  const std::shared_ptr<StoreCallbacks> store_callbacks_ = std::make_shared<StoreCallbacks>();
  InformerMetrics metrics_;
  // Used only by the thread of Run, except for synced().
  DeltaQueue queue_;
  // Length of queue_, for other threads.
  std::atomic<size_t> queued_ = 0;

  // Held while a batch is applied, so that a handler added meanwhile is notified of each object
  // either by the initial notifications or by the batch, and never by both.
  base::Mutex deltas_mutex_ ABSL_ACQUIRED_BEFORE(mutex_);
  bool announced_ ABSL_GUARDED_BY(deltas_mutex_) = false;

  mutable base::Mutex mutex_;
  // Signalled after each batch and when the informer stops.
  mutable base::CondVar advanced_;
  Phase phase_ ABSL_GUARDED_BY(mutex_) = Phase::kNew;
  std::vector<Member> members_ ABSL_GUARDED_BY(mutex_);
  // Removed listeners that are not joined yet, since a call may still run. Stop waits for them too.
  std::vector<std::shared_ptr<Listener>> retired_ ABSL_GUARDED_BY(mutex_);
  int handlers_added_ ABSL_GUARDED_BY(mutex_) = 0;
  // How often the reflector checks whether a handler wants a resync.
  absl::Duration check_period_ ABSL_GUARDED_BY(mutex_);
  AnyTransform transform_ ABSL_GUARDED_BY(mutex_);
  std::function<void(const absl::Status&)> error_handler_ ABSL_GUARDED_BY(mutex_);
  // Null until the informer is started.
  std::unique_ptr<ReflectorCore> reflector_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_SHARED_INFORMER_CORE_H_
