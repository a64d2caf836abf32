#include "controller/manager/internal/renewal_meter.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "controller/leaderelection/resource_lock.h"

namespace kube::controller::internal {

using base::MutexLock;
using leaderelection::LeaderElectionRecord;

absl::StatusOr<LeaderElectionRecord> RenewalMeter::Get(const Context& ctx) {
  return below_->Get(ctx);
}

absl::StatusOr<std::string> RenewalMeter::Create(const Context& ctx,
                                                 const LeaderElectionRecord& record) {
  absl::StatusOr<std::string> version = below_->Create(ctx, record);
  if (version.ok()) Note(record);
  return version;
}

absl::StatusOr<std::string> RenewalMeter::Update(const Context& ctx,
                                                 const LeaderElectionRecord& record) {
  absl::StatusOr<std::string> version = below_->Update(ctx, record);
  if (version.ok()) Note(record);
  return version;
}

void RenewalMeter::RecordEvent(absl::string_view what) { below_->RecordEvent(what); }

const std::string& RenewalMeter::identity() const { return below_->identity(); }

std::string RenewalMeter::Describe() const { return below_->Describe(); }

void RenewalMeter::Note(const LeaderElectionRecord& record) {
  if (record.holder_identity != identity()) return;
  const absl::Time now = base::WallNow();
  MutexLock lock(mutex_);
  ++renewals_.count;
  renewals_.last = now;
}

Renewals RenewalMeter::renewals() const {
  MutexLock lock(mutex_);
  return renewals_;
}

}  // namespace kube::controller::internal
