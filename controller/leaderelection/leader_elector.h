#ifndef CONTROLLER_LEADERELECTION_LEADER_ELECTOR_H_
#define CONTROLLER_LEADERELECTION_LEADER_ELECTOR_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/mutex.h"
#include "controller/leaderelection/fencing_token.h"
#include "controller/leaderelection/healthz_adaptor.h"
#include "controller/leaderelection/internal/leader_machine.h"
#include "controller/leaderelection/resource_lock.h"

namespace kube::leaderelection {

// What client-go's components take.
inline constexpr absl::Duration kDefaultLeaseDuration = absl::Seconds(15);
inline constexpr absl::Duration kDefaultRenewDeadline = absl::Seconds(10);
inline constexpr absl::Duration kDefaultRetryPeriod = absl::Seconds(2);

struct LeaderElectionOptions {
  // How long a candidate waits, after it has seen the lease change last, until it takes the lease
  // from a leader that says nothing any more. Written to the lease in whole seconds, rounded up.
  absl::Duration lease_duration = kDefaultLeaseDuration;
  // How long after its last renewal a leader that cannot renew gives up. Less than lease_duration:
  // clocks may differ in speed by the factor lease_duration / renew_deadline.
  absl::Duration renew_deadline = kDefaultRenewDeadline;
  // From the beginning of one renewal of the leader to that of the next. Other candidates look once
  // in 1 to 2.2 times as long. Less than renew_deadline / 1.2; better less than half of it: a
  // server that works, but takes longer than renew_deadline - retry_period to answer a renewal,
  // loses the leader.
  absl::Duration retry_period = kDefaultRetryPeriod;
  // Of one request to the server. Zero, the default: half of renew_deadline, but a second at least.
  // So a connection that is dead does not use up all of renew_deadline.
  absl::Duration request_timeout = absl::ZeroDuration();

  // When Run's context is done, on_started_leading is waited for, until the end of the term at
  // most, and then the lease is given up, so that others need not wait for lease_duration. Default:
  // no; it runs out.
  bool release_on_cancel = false;

  // Tells a health endpoint when this candidate is stuck. Null, the default: nobody is told.
  std::shared_ptr<HealthzAdaptor> watch_dog = nullptr;

  // Label "name" of the metrics, and in logs. Default: the lock's "NAMESPACE/NAME".
  std::string name = {};
  // Gets leader_election_master_status and leader_election_slowpath_total. Never null.
  std::shared_ptr<base::MetricsProvider> metrics = base::NoOpMetrics();
};

// What a candidate does about leadership. Called without locks; may ask the LeaderElector.
struct LeaderCallbacks {
  // The work of the leader, on a thread of its own. Its context is done as soon as leadership is
  // over; return soon after: Run waits for it. Returning earlier does not end leadership. `token`
  // is for stores that refuse what comes from older terms. Never null.
  std::function<void(const Context& ctx, const FencingToken& token)> on_started_leading = nullptr;

  // Leadership is over, or this candidate ends without; once for each Run, on its thread.
  // After a loss it is called at once, while on_started_leading may still be about to return: a
  // program that cannot make sure of that ends itself here. After the end of Run's context it is
  // called when the lease has been given up, or is not to be. Never null.
  std::function<void()> on_stopped_leading = nullptr;

  // Another leader than before was observed; it may be this candidate, or "" for nobody. On a
  // thread of its own; while it runs, no other call comes, and of several changes only the last one
  // is told after that. Null: nobody is told.
  std::function<void(const std::string& identity)> on_new_leader = nullptr;
};

// A candidate for leadership among programs that do the same work, of which one at a time is to.
// (client-go's leaderelection.LeaderElector)
//
//   KUBE_ASSIGN_OR_RETURN(auto elector, LeaderElector::Make(lock, {
//       .on_started_leading = [&](const Context& ctx, const FencingToken&) { RunController(ctx); },
//       .on_stopped_leading = [] {}}, {.release_on_cancel = true}));
//   return elector->Run(ctx);  // not OK: the program ends
//
// At most one candidate's IsLeader() is true at any instant, whatever happens to requests and
// clocks' times, as long as no clock runs lease_duration / renew_deadline times as fast as another,
// and nobody but candidates writes the lease. The work itself may lag behind: a thread that was
// paused after it has asked IsLeader() writes when another leads. Only a FencingToken that the
// store checks helps against that; see docs/leader-election.md.
//
// Unlike client-go's it gives up renew_deadline after the last renewal was begun, not after the
// last good moment of its loop, and at once when it sees another holder; IsLeader() is true only
// between those two. docs/deviations.md has the list.
//
// Run is for one thread at a time; all else is thread-safe.
class LeaderElector {
 private:
  // Only Make has one.
  struct Key {
    explicit Key() = default;
  };

 public:
  // INVALID_ARGUMENT for options and callbacks that break their rules, and a lock without identity;
  // errors of the metrics provider. Does not block. (NewLeaderElector)
  static absl::StatusOr<std::unique_ptr<LeaderElector>> Make(std::shared_ptr<ResourceLock> lock,
                                                             LeaderCallbacks callbacks,
                                                             LeaderElectionOptions options = {});
  LeaderElector(Key, std::shared_ptr<ResourceLock> lock, LeaderCallbacks callbacks,
                LeaderElectionOptions options);
  ~LeaderElector();
  LeaderElector(const LeaderElector&) = delete;
  LeaderElector& operator=(const LeaderElector&) = delete;

  // Tries until it leads, and then leads until that is lost, or `ctx` is done, all of which blocks.
  // Returns when all callbacks have returned: ctx.status() when that ended it; ABORTED when
  // leadership was lost, after which most programs end, and it may also be called again;
  // RESOURCE_EXHAUSTED when the system has no thread left. Errors of requests are logged and tried
  // again. (Run)
  absl::Status Run(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);

  // Whether this candidate leads, now, by the calling thread's clock: it needs no working Run to
  // become false in time.
  bool IsLeader() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Who held the lease when it was last seen; "" for nobody. For people: it may be long ago.
  std::string GetLeader() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Of the present term; nothing when it does not lead.
  std::optional<FencingToken> GetFencingToken() const ABSL_LOCKS_EXCLUDED(mutex_);

  // An error if this candidate still thinks that it leads, but has not renewed the lease for
  // lease_duration and `max_tolerable_expired_lease`: it hangs, and is better restarted. OK while
  // others lead.
  absl::Status Check(absl::Duration max_tolerable_expired_lease) const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  class Term;
  class LeaderReporter;

  absl::Status MakeMetrics();
  internal::LeaderPlan Plan() const;
  internal::LeaderStep Step(const internal::LeaderInput& input) ABSL_LOCKS_EXCLUDED(mutex_);
  // Does what the step says, and answers what came of it.
  internal::LeaderInput Perform(const Context& ctx, const internal::LeaderStep& step, Term& term);
  internal::LeaderInput Send(const Context& ctx, const internal::LeaderStep& step);
  void OnChange(internal::LeaderChange change, Term& term);
  void Report(const internal::LeaderInput& input) const;

  const std::shared_ptr<ResourceLock> lock_;
  const LeaderCallbacks callbacks_;
  const LeaderElectionOptions options_;
  base::Gauge master_status_;
  base::Counter slow_paths_;

  mutable base::Mutex mutex_;
  internal::LeaderMachine machine_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::leaderelection

#endif  // CONTROLLER_LEADERELECTION_LEADER_ELECTOR_H_
