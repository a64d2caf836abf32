#ifndef APIMACHINERY_BASE_EVENT_H_
#define APIMACHINERY_BASE_EVENT_H_

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/source_location.h"

namespace kube::base {

// Something that happens once, such as "has synced" or "is closed". Go: a channel that is closed.
//
// Thread-safe. What a thread did before Set is visible to every thread that has seen the Event set.
// The thread whose Wait has returned OK may destroy the Event.
class Event {
 public:
  // Sets the event and wakes all its waiters. Has no effect if the event is already set.
  void Set();

  bool IsSet() const;

  // Blocks until the event is set, and then returns OK, or until `ctx` is done, and then returns
  // its status.
  absl::Status Wait(const Context& ctx, SourceLocation where = SourceLocation::Current()) const;

 private:
  mutable Mutex mutex_;
  mutable CondVar changed_;
  bool set_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_EVENT_H_
