#ifndef APIMACHINERY_BASE_EVENT_H_
#define APIMACHINERY_BASE_EVENT_H_

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/source_location.h"

namespace kube::base {

// Something that happens once: "has synced", "is closed". Go: a channel that is closed.
//
// Thread-safe. What a thread did before Set is visible to whoever has seen the Event set. It may be
// destroyed by the thread whose Wait has returned OK.
class Event {
 public:
  // Wakes all who wait, now and later. Again: no effect.
  void Set();

  bool IsSet() const;

  // Blocks until set (OK) or until `ctx` is done (its status).
  absl::Status Wait(const Context& ctx, SourceLocation where = SourceLocation::Current()) const;

 private:
  mutable Mutex mutex_;
  mutable CondVar changed_;
  bool set_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_EVENT_H_
