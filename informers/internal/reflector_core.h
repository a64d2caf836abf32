#ifndef INFORMERS_INTERNAL_REFLECTOR_CORE_H_
#define INFORMERS_INTERNAL_REFLECTOR_CORE_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/meta/object_access.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "informers/any_transform.h"
#include "informers/delta.h"
#include "informers/internal/collected_objects.h"
#include "informers/internal/reflector_machine.h"
#include "informers/lister_watcher.h"
#include "informers/reflector_options.h"
#include "informers/reflector_status.h"

namespace kube::informers::internal {

using AnyDeltaSink = std::function<absl::Status(const Context&, Delta<void>)>;
// Tells the sink that no further delta is at hand now, so that it can process a batch. May be null.
using FlushDeltas = std::function<void(const Context&)>;
// Called after each step, with a lock held. May be null.
using ReflectorObserver = std::function<void(const ReflectorStatus&)>;

// The part of Reflector that does not depend on the object type: performs the steps of a
// ReflectorMachine. One thread calls Run, once; const methods are thread-safe.
class ReflectorCore {
 public:
  // `access` must outlive the reflector.
  ReflectorCore(std::shared_ptr<ListerWatcher> source, const meta::ObjectAccess& access,
                AnyDeltaSink sink, AnyTransform transform, ReflectorOptions options,
                ReflectorObserver observer = nullptr, FlushDeltas flush = nullptr);

  absl::Status Run(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  ReflectorStatus status() const ABSL_LOCKS_EXCLUDED(mutex_);
  const std::string& name() const { return name_; }

 private:
  ReflectorStep Step(const ReflectorInput& input) ABSL_LOCKS_EXCLUDED(mutex_);
  // Performs a step and returns its outcome.
  ReflectorInput Perform(const Context& ctx, ReflectorStep step);
  absl::Status Dispose(const Context& ctx, ObjectsAction action);
  absl::Status HandOver(const Context& ctx, Delta<void> delta);
  absl::Status HandOverAll(const Context& ctx);
  absl::Status HandOverEvent(const Context& ctx);
  ReflectorInput List(const Context& ctx);
  ReflectorInput OpenWatch(const Context& ctx);
  ReflectorInput ReadWatch(const Context& ctx);
  ReflectorInput Wait(const Context& ctx);

  // Does what is due while waiting for events: a resync, or a warning about a slow watch-list.
  absl::Status OnTick(const Context& ctx);
  base::MonotonicTime NextTick() const;
  absl::StatusOr<std::shared_ptr<const void>> Transformed(std::shared_ptr<const void> object);
  void Flush(const Context& ctx);
  // Logs and counts an object that is left out.
  void Reject(const Context& ctx, const absl::Status& error);
  void Report(const Context& ctx, const absl::Status& error);

  const std::shared_ptr<ListerWatcher> source_;
  const meta::ObjectAccess& access_;
  const AnyDeltaSink sink_;
  const AnyTransform transform_;
  const ReflectorOptions options_;
  const ReflectorObserver observer_;
  const FlushDeltas flush_;
  const std::string name_;

  // Used only by the thread in Run:

  CollectedObjects collected_;
  std::unique_ptr<watch::Watcher<void>> watcher_;
  watch::Event<void> event_;  // the last event
  base::MonotonicTime next_resync_ = base::MonotonicTime::Infinite();
  // Used while reading a watch-list.
  base::MonotonicTime next_warning_ = base::MonotonicTime::Infinite();
  base::MonotonicTime last_event_;
  // The context of Run with the deadline `tick_`.
  Context until_tick_;
  base::MonotonicTime tick_ = base::MonotonicTime::Infinite();
  // Whether the sink has received nothing since the last call of `flush_`.
  bool is_flushed_ = true;

  mutable base::Mutex mutex_;
  ReflectorMachine machine_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_REFLECTOR_CORE_H_
