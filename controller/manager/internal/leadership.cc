#include "controller/manager/internal/leadership.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "controller/leaderelection/fencing_token.h"
#include "controller/leaderelection/leader_elector.h"
#include "controller/leaderelection/resource_lock.h"
#include "controller/manager/internal/renewal_meter.h"
#include "controller/manager/manager_status.h"

namespace kube::controller::internal {

using base::MutexLock;

Leadership::Leadership(std::string lease, std::string identity,
                       std::function<void(const absl::Status&)> on_lost)
    : lease_(std::move(lease)), identity_(std::move(identity)), on_lost_(std::move(on_lost)) {}

absl::StatusOr<std::unique_ptr<Leadership>> Leadership::Make(
    std::shared_ptr<leaderelection::ResourceLock> lock,
    leaderelection::LeaderElectionOptions options,
    std::function<void(const absl::Status&)> on_lost) {
  auto made = std::make_unique<Leadership>(lock->Describe(), lock->identity(), std::move(on_lost));
  Leadership* self = made.get();
  auto renewals = std::make_shared<RenewalMeter>(std::move(lock));
  made->renewals_ = renewals;
  options.release_on_cancel = true;
  const auto lead = [self](const Context& leading, const leaderelection::FencingToken&) {
    self->Lead(leading);
  };
  const auto stopped = [self] { self->End(); };
  KUBE_ASSIGN_OR_RETURN(
      made->elector_,
      leaderelection::LeaderElector::Make(
          std::move(renewals), {.on_started_leading = lead, .on_stopped_leading = stopped},
          std::move(options)));
  return made;
}

void Leadership::Lead(const Context& leading) {
  Context running;
  bool ended = false;
  {
    MutexLock lock(mutex_);
    leading_ = leading;
    since_ = base::WallNow();
    led_ = true;
    ended = ended_;
    running = running_;
  }
  // The term was over before this thread came to run, as after a pause of the process.
  if (ended && !running.done()) ReportLoss();
  leads_.Set();
  base::WaitUntilDone(leading).IgnoreError();
  // Returning would say that the work has ended, and the lease would be released.
  work_ended_.Wait(Context()).IgnoreError();
}

void Leadership::End() {
  Context running;
  bool led = false;
  {
    MutexLock lock(mutex_);
    ended_ = true;
    led = led_;
    running = running_;
  }
  if (led && !running.done()) ReportLoss();
}

void Leadership::ReportLoss() const {
  on_lost_(absl::AbortedError(absl::StrCat("leader election lost: lease \"", lease_, "\"")));
}

absl::Status Leadership::Run(const Context& ctx) {
  {
    MutexLock lock(mutex_);
    running_ = ctx;
  }
  const absl::Status ended = elector_->Run(ctx);
  return absl::IsAborted(ended) ? absl::CancelledError(ended.message()) : ended;
}

absl::StatusOr<Context> Leadership::WaitUntilLeads(const Context& ctx) {
  KUBE_RETURN_IF_ERROR(leads_.Wait(ctx));
  MutexLock lock(mutex_);
  return leading_;
}

LeaderStatus Leadership::status() const {
  LeaderStatus status = {.elected = true,
                         .leads = elector_->IsLeader(),
                         .lease = lease_,
                         .holder = elector_->GetLeader(),
                         .identity = identity_};
  const Renewals renewals = renewals_->renewals();
  status.renewals = renewals.count;
  status.last_renewal = renewals.last;
  MutexLock lock(mutex_);
  if (status.leads) status.since = since_;
  return status;
}

}  // namespace kube::controller::internal
