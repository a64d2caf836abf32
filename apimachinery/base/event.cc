#include "apimachinery/base/event.h"

namespace kube::base {

void Event::Set() {
  MutexLock lock(mutex_);
  set_ = true;
  changed_.NotifyAll();
}

bool Event::IsSet() const {
  MutexLock lock(mutex_);
  return set_;
}

absl::Status Event::Wait(const Context& ctx, SourceLocation where) const {
  MutexLock lock(mutex_, where);
  return changed_.Wait(
      ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return set_; }, where);
}

}  // namespace kube::base
