#ifndef CONTROLLER_MANAGER_INTERNAL_RENEWAL_METER_H_
#define CONTROLLER_MANAGER_INTERNAL_RENEWAL_METER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "controller/leaderelection/resource_lock.h"

namespace kube::controller::internal {

// How often a candidate has written the lease as its holder, and when it did so last.
struct Renewals {
  int64_t count = 0;
  absl::Time last = absl::InfinitePast();
};

// Passes all calls on to the lock of a lease, and counts the writes by which the candidate takes or
// keeps the lease. Its release does not count. renewals() is thread-safe.
class RenewalMeter final : public leaderelection::ResourceLock {
 public:
  explicit RenewalMeter(std::shared_ptr<leaderelection::ResourceLock> below)
      : below_(std::move(below)) {}

  absl::StatusOr<leaderelection::LeaderElectionRecord> Get(const Context& ctx) override;
  absl::StatusOr<std::string> Create(const Context& ctx,
                                     const leaderelection::LeaderElectionRecord& record) override;
  absl::StatusOr<std::string> Update(const Context& ctx,
                                     const leaderelection::LeaderElectionRecord& record) override;
  void RecordEvent(absl::string_view what) override;
  const std::string& identity() const override;
  std::string Describe() const override;

  Renewals renewals() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void Note(const leaderelection::LeaderElectionRecord& record) ABSL_LOCKS_EXCLUDED(mutex_);

  const std::shared_ptr<leaderelection::ResourceLock> below_;
  mutable base::Mutex mutex_;
  Renewals renewals_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_MANAGER_INTERNAL_RENEWAL_METER_H_
