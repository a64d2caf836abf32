#ifndef INFORMERS_INTERNAL_SHARED_INFORMER_CORE_H_
#define INFORMERS_INTERNAL_SHARED_INFORMER_CORE_H_

#include <cstddef>
#include <cstdint>
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
#include "apimachinery/schema/group_version.h"
#include "informers/handler_options.h"
#include "informers/internal/delta_queue_core.h"
#include "informers/internal/listener.h"
#include "informers/internal/notification.h"
#include "informers/internal/object_access.h"
#include "informers/internal/reflector_core.h"
#include "informers/lister_watcher.h"
#include "informers/reflector_status.h"
#include "informers/shared_informer_options.h"
#include "listers/internal/store_core.h"

namespace kube::informers::internal {

// "add event handler: informer of pods has stopped"
absl::Status StoppedError(absl::string_view verb, absl::string_view name);

// SharedInformer of any type: reflector, queue, store and listeners. Thread-safe, but the
// destructor.
class SharedInformerCore {
 public:
  // `access` lives for ever.
  SharedInformerCore(std::shared_ptr<ListerWatcher> source, const ObjectAccess& access,
                     std::shared_ptr<listers::internal::StoreCore> store,
                     SharedInformerOptions options);
  ~SharedInformerCore();

  absl::Status Run(const Context& ctx) ABSL_LOCKS_EXCLUDED(deltas_mutex_, mutex_);

  absl::StatusOr<std::shared_ptr<Listener>> AddHandler(AnyHandler handler, HandlerOptions options)
      ABSL_LOCKS_EXCLUDED(deltas_mutex_, mutex_);
  absl::Status RemoveHandler(const std::shared_ptr<Listener>& listener)
      ABSL_LOCKS_EXCLUDED(deltas_mutex_, mutex_);

  absl::Status SetTransform(AnyTransform transform) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status SetErrorHandler(std::function<void(const absl::Status&)> handler)
      ABSL_LOCKS_EXCLUDED(mutex_);

  absl::Status WaitForResourceVersion(const Context& ctx, absl::string_view resource_version) const
      ABSL_LOCKS_EXCLUDED(mutex_);

  const base::Event& synced() const { return queue_.synced(); }
  bool has_started() const ABSL_LOCKS_EXCLUDED(mutex_);
  bool is_stopped() const ABSL_LOCKS_EXCLUDED(mutex_);
  ReflectorStatus reflector_status() const ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<HandlerStatus> handlers() const ABSL_LOCKS_EXCLUDED(mutex_);
  size_t queued() const { return queue_.length(); }
  const listers::internal::StoreCore& store() const { return *store_; }
  const std::string& name() const { return name_; }
  schema::GroupResource resource() const { return options_.resource.group_resource(); }

 private:
  struct Member {
    std::shared_ptr<Listener> listener;
    // Zero: it wants no resyncs.
    absl::Duration resync_period;
    base::MonotonicTime next_resync;
    // It is told of resyncs, from this look at the time to the next. All are before the first.
    bool syncing = true;
  };

  const std::shared_ptr<ListerWatcher> source_;
  const ObjectAccess& access_;
  const std::shared_ptr<listers::internal::StoreCore> store_;
  const SharedInformerOptions options_;
  const std::string name_;
  DeltaQueueCore queue_;

  // Held while a batch is carried over: what a handler that is being added sees in the store is
  // what it will not be told of again.
  base::Mutex deltas_mutex_ ABSL_ACQUIRED_BEFORE(mutex_);
  mutable base::Mutex mutex_;
  std::vector<Member> members_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_SHARED_INFORMER_CORE_H_
