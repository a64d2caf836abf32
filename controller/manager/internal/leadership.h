#ifndef CONTROLLER_MANAGER_INTERNAL_LEADERSHIP_H_
#define CONTROLLER_MANAGER_INTERNAL_LEADERSHIP_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/mutex.h"
#include "controller/leaderelection/leader_elector.h"
#include "controller/leaderelection/resource_lock.h"
#include "controller/manager/internal/renewal_meter.h"
#include "controller/manager/manager_status.h"

namespace kube::controller::internal {

// A manager's candidate in the leader election, for one term.
//
// The lease is renewed until the context of Run is done, which the manager ends only when the last
// work of the leader has ended. It is then released, unless NoteWorkEnded has not been called: a
// lease is never free while its work runs.
//
// Thread-safe.
class Leadership {
 public:
  // `on_lost` is called once, on a thread of the election, if leadership ends before the context of
  // Run. The leader's context is done by then. Returns the errors of LeaderElector::Make.
  static absl::StatusOr<std::unique_ptr<Leadership>> Make(
      std::shared_ptr<leaderelection::ResourceLock> lock,
      leaderelection::LeaderElectionOptions options,
      std::function<void(const absl::Status&)> on_lost);

  // Use Make.
  Leadership(std::string lease, std::string identity,
             std::function<void(const absl::Status&)> on_lost);
  Leadership(const Leadership&) = delete;
  Leadership& operator=(const Leadership&) = delete;

  // Is a candidate until `ctx` is done or leadership is lost, and then returns CANCELLED. Blocks
  // until NoteWorkEnded if it has led.
  absl::Status Run(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);

  // Blocks until it leads, and returns the context of the leader's work, which is done as soon as
  // leadership ends; or the status of `ctx` when that is done.
  absl::StatusOr<Context> WaitUntilLeads(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);

  // Says that the leader's work has ended, so that the lease can be released.
  void NoteWorkEnded() { work_ended_.Set(); }

  LeaderStatus status() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // Called on the thread of the leader's work when a term begins.
  void Lead(const Context& leading) ABSL_LOCKS_EXCLUDED(mutex_);
  // Called on the thread of Run when the candidate ends, also if it has never led.
  void End() ABSL_LOCKS_EXCLUDED(mutex_);
  void ReportLoss() const;

  const std::string lease_;
  const std::string identity_;
  const std::function<void(const absl::Status&)> on_lost_;
  base::Event leads_;
  base::Event work_ended_;
  mutable base::Mutex mutex_;
  Context leading_ ABSL_GUARDED_BY(mutex_);
  absl::Time since_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();
  Context running_ ABSL_GUARDED_BY(mutex_);
  // Lead and End run on two threads: the one that comes last sees that the term is over.
  bool led_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  std::shared_ptr<const RenewalMeter> renewals_;            // set by Make
  std::unique_ptr<leaderelection::LeaderElector> elector_;  // set by Make
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_MANAGER_INTERNAL_LEADERSHIP_H_
