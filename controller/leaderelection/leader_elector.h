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

// The defaults of client-go's components.
inline constexpr absl::Duration kDefaultLeaseDuration = absl::Seconds(15);
inline constexpr absl::Duration kDefaultRenewDeadline = absl::Seconds(10);
inline constexpr absl::Duration kDefaultRetryPeriod = absl::Seconds(2);

// Options of a LeaderElector.
struct LeaderElectionOptions {
  // How long a candidate waits after the last observed change of the lease before it takes the
  // lease over from a silent leader. Stored in the lease in whole seconds, rounded up. Default: 15
  // s.
  absl::Duration lease_duration = kDefaultLeaseDuration;
  // How long after its last renewal a leader that cannot renew gives up leadership. Must be less
  // than lease_duration: clocks may differ in speed by the factor lease_duration / renew_deadline.
  // Default: 10 s.
  absl::Duration renew_deadline = kDefaultRenewDeadline;
  // Time between the starts of two renewals by the leader. Other candidates check the lease after 1
  // to 2.2 times this. Must be less than renew_deadline / 1.2, and should be less than half of it:
  // a server that takes longer than renew_deadline - retry_period to answer a renewal costs the
  // leader its lease. Default: 2 s.
  absl::Duration retry_period = kDefaultRetryPeriod;
  // Timeout of one request to the server. Zero, the default: half of renew_deadline, but at least a
  // second, so that a dead connection does not use up all of renew_deadline.
  absl::Duration request_timeout = absl::ZeroDuration();

  // Whether to release the lease when Run's context is done, so that others need not wait for
  // lease_duration. The lease is released after on_started_leading has returned; if that takes
  // longer than the term, it is not released. Default: false, the lease expires.
  bool release_on_cancel = false;

  // Health check that detects a stuck candidate. Null, the default: none.
  std::shared_ptr<HealthzAdaptor> watch_dog = nullptr;

  // Label "name" of the metrics and name in logs. Default: the lock's "NAMESPACE/NAME".
  std::string name = {};
  // Destination of leader_election_master_status and leader_election_slowpath_total. Never null.
  std::shared_ptr<base::MetricsProvider> metrics = base::NoOpMetrics();
};

// Functions that a LeaderElector calls, without holding locks. They may call its methods other than
// Run.
struct LeaderCallbacks {
  // The leader's work, on a thread of its own. Its context is done as soon as leadership ends;
  // return soon afterwards, as Run waits for it. Returning earlier does not end leadership. `token`
  // is for stores that reject writes of older terms. Never null.
  std::function<void(const Context& ctx, const FencingToken& token)> on_started_leading = nullptr;

  // Called once per Run, on its thread, when leadership ends or the candidate ends without having
  // led. After a loss of leadership it is called immediately, while on_started_leading may still be
  // running: a program that cannot rule that out should exit here. After Run's context is done, it
  // is called once the lease has been released or will not be released. Never null.
  std::function<void()> on_stopped_leading = nullptr;

  // Called when another leader is observed, which may be this candidate, or "" for none. Runs on a
  // thread of its own, one call at a time; of several changes during a call only the last one is
  // reported. May be null.
  std::function<void(const std::string& identity)> on_new_leader = nullptr;
};

// A candidate in a leader election among programs of which only one may work at a time.
// (client-go: `leaderelection.LeaderElector`)
//
//   const auto work = [](const Context& leading, const FencingToken&) { RunController(leading); };
//   KUBE_ASSIGN_OR_RETURN(
//       const auto elector,
//       LeaderElector::Make(lock, {.on_started_leading = work, .on_stopped_leading = [] {}},
//                           {.release_on_cancel = true}));
//   return elector->Run(ctx);  // ABORTED: leadership was lost. End the program.
//
// IsLeader() is true for at most one candidate at any instant, whatever happens to requests and to
// the time of day, as long as no clock runs lease_duration / renew_deadline times as fast as
// another and only candidates write the lease. The work itself may lag behind: a thread that is
// paused after it called IsLeader() may write while another candidate leads. Only a FencingToken
// that the store checks prevents that; see docs/leader-election.md.
//
// Differences from client-go: leadership ends renew_deadline after the start of the last successful
// renewal, not after the last success seen by its loop, and ends at once when another holder is
// seen; IsLeader() is true only within a term. docs/leader-election.md has the full list.
//
// One thread at a time may call Run; all other methods are thread-safe.
class LeaderElector {
 private:
  // Makes the constructor usable by Make only.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Makes a candidate. Returns INVALID_ARGUMENT if options or callbacks are invalid or the lock has
  // no identity, or an error of the metrics provider. Does not block.
  // (client-go: `NewLeaderElector`)
  static absl::StatusOr<std::unique_ptr<LeaderElector>> Make(std::shared_ptr<ResourceLock> lock,
                                                             LeaderCallbacks callbacks,
                                                             LeaderElectionOptions options = {});
  LeaderElector(Key, std::shared_ptr<ResourceLock> lock, LeaderCallbacks callbacks,
                LeaderElectionOptions options);
  ~LeaderElector();
  LeaderElector(const LeaderElector&) = delete;
  LeaderElector& operator=(const LeaderElector&) = delete;

  // Acquires leadership and keeps it until it is lost or `ctx` is done. Blocks until all callbacks
  // have returned. Returns ctx.status() if `ctx` is done; ABORTED if leadership was lost: most
  // programs then exit, but Run may be called again; RESOURCE_EXHAUSTED if the system cannot create
  // a thread. Errors of requests are logged and retried. (client-go: `Run`)
  absl::Status Run(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns whether this candidate leads now, by the clock of the calling thread: it becomes false
  // in time even if Run is stuck.
  bool IsLeader() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns the identity that held the lease when it was last read, or "". May be out of date.
  std::string GetLeader() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns the token of the present term, or nothing if this candidate does not lead.
  std::optional<FencingToken> GetFencingToken() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns DEADLINE_EXCEEDED if this candidate believes that it leads but has not renewed the
  // lease for lease_duration plus `max_tolerable_expired_lease`; the process hangs and should be
  // restarted. Returns OK otherwise, also while others lead.
  absl::Status Check(absl::Duration max_tolerable_expired_lease) const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  class Term;
  class LeaderReporter;

  absl::Status MakeMetrics();
  internal::LeaderPlan Plan() const;
  internal::LeaderStep Step(const internal::LeaderInput& input) ABSL_LOCKS_EXCLUDED(mutex_);
  // Performs the step and returns its outcome.
  internal::LeaderInput Perform(const Context& ctx, const internal::LeaderStep& step, Term& term);
  internal::LeaderInput Send(const Context& ctx, const internal::LeaderStep& step);
  void OnChange(const Context& ctx, internal::LeaderChange change, Term& term);
  void Report(const Context& ctx, const internal::LeaderInput& input) const;

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
