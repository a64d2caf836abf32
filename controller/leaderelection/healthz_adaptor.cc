#include "controller/leaderelection/healthz_adaptor.h"

#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/mutex.h"

namespace kube::leaderelection {

absl::Status HealthzAdaptor::Check() const {
  base::MutexLock lock(mutex_);  // held during the call, so that the elector is not destroyed
  return check_ == nullptr ? absl::OkStatus() : check_(timeout_);
}

void HealthzAdaptor::SetLeaderElection(std::function<absl::Status(absl::Duration)> check) {
  base::MutexLock lock(mutex_);
  check_ = std::move(check);
}

}  // namespace kube::leaderelection
