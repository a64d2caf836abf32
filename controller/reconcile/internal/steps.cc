#include "controller/reconcile/internal/steps.h"

#include <string>
#include <utility>

#include "apimachinery/base/mutex.h"

namespace kube::controller::internal {

using base::MutexLock;

void Steps::Enter(std::string what) {
  MutexLock lock(mutex_);
  steps_.push_back(std::move(what));
}

void Steps::Leave() {
  MutexLock lock(mutex_);
  steps_.pop_back();
}

std::string Steps::Innermost() const {
  MutexLock lock(mutex_);
  return steps_.empty() ? "" : steps_.back();
}

}  // namespace kube::controller::internal
