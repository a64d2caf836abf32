#ifndef CONTROLLER_LEADERELECTION_INTERNAL_LEADER_MACHINE_H_
#define CONTROLLER_LEADERELECTION_INTERNAL_LEADER_MACHINE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "controller/leaderelection/fencing_token.h"
#include "controller/leaderelection/resource_lock.h"

namespace kube::leaderelection::internal {

// ---- inputs: what has happened

struct Started {};
struct Got {
  LeaderElectionRecord record = {};
};
// The object was created or updated.
struct Written {
  std::string resource_version = {};
};
// The task has failed.
struct Failed {
  absl::Status error = {};
};
// The wait is over, or the work has not ended by the deadline.
struct Waited {};
// Everything that had to end with leadership has ended.
struct WorkEnded {};
struct Stopped {};

using LeaderInput = std::variant<Started, Got, Written, Failed, Waited, WorkEnded, Stopped>;

// ---- steps: a change of leadership, then a task

enum class LeaderChange { kNone, kStarted, kStopped };

enum class LeaderTask {
  kGet,
  kCreate,     // create the object with `record`
  kUpdate,     // update the object with `record`
  kWait,       // wait for `wait`
  kAwaitWork,  // wait for the end of the leader's work
  kEnd,
};

struct LeaderStep {
  LeaderChange change = LeaderChange::kNone;
  LeaderTask task = LeaderTask::kEnd;
  LeaderElectionRecord record = {};
  absl::Duration wait = absl::ZeroDuration();
  // When the task counts as failed.
  base::MonotonicTime deadline = base::MonotonicTime::Infinite();
  // Whether a lock that this candidate held had to be read before the write.
  bool slow_path = false;
  // Releases the lock: must be performed even if Run's context is done.
  bool releases = false;
};

// The options of the machine; see LeaderElectionOptions.
struct LeaderPlan {
  std::string identity = {};
  absl::Duration lease_duration = absl::ZeroDuration();
  absl::Duration renew_deadline = absl::ZeroDuration();
  absl::Duration retry_period = absl::ZeroDuration();
  bool release_on_cancel = false;
};

// The protocol of a candidate as a state machine: decides when to read and when to write the lock,
// and who leads for how long. It performs no I/O and never blocks; it takes only the time and
// random numbers from the Runtime. (client-go: `tryAcquireOrRenew`, `acquire`, `renew` and
// `release` in leaderelection.go)
//
//   kNotStarted -> kAcquiring -> kLeading -> kReleasing -> kEnded
//                                kLeading -> kEnded       lost, or not to be released
//                  kAcquiring -> kReleasing               stopped while a write was under way
//
// Why there is at most one leader: a term ends renew_deadline after the start of the last
// successful write, by the leader's clock. Other candidates take the lock lease_duration after they
// have seen that write, which is later, by their own clocks. If they have not seen the last write,
// their own write fails with a conflict. So this holds as long as no clock runs lease_duration /
// renew_deadline times as fast as another.
//
// Thread-compatible.
class LeaderMachine {
 public:
  explicit LeaderMachine(LeaderPlan plan);

  // Processes an input and returns the next step. The first input must be Started. An input that
  // does not fit the present state is a bug of the caller.
  LeaderStep Step(const LeaderInput& input);

  // Returns whether a term has begun and has not ended by `now`; exact even without further inputs.
  bool IsLeader(base::MonotonicTime now) const;
  // Returns the token of the present or of the last term; empty before the first term.
  const std::optional<FencingToken>& token() const { return token_; }
  // Returns the record that was observed last.
  const LeaderElectionRecord& observed() const { return observed_; }
  // Returns whether this candidate leads but has neither renewed nor given up for lease_duration
  // plus `tolerance`. (client-go: `Check`)
  bool IsStuck(base::MonotonicTime now, absl::Duration tolerance) const;

 private:
  enum class State { kNotStarted, kAcquiring, kLeading, kReleasing, kEnded };

  LeaderStep On(const Started& input);
  LeaderStep On(const Got& input);
  LeaderStep On(const Written& input);
  LeaderStep On(const Failed& input);
  LeaderStep On(const Waited& input);
  LeaderStep On(const WorkEnded& input);
  LeaderStep On(const Stopped& input);

  LeaderStep Attempt();
  LeaderStep NextAttempt();
  LeaderStep Write(LeaderTask task, LeaderElectionRecord record);
  LeaderStep Lead(const std::string& resource_version);
  LeaderStep Release();
  LeaderStep End(LeaderChange change = LeaderChange::kNone);
  LeaderStep Do(LeaderTask task) const;
  LeaderStep Wait(absl::Duration wait) const;

  // Returns a record that names this candidate as the holder from now on.
  LeaderElectionRecord NewRecord(int32_t transitions) const;
  void Observe(const LeaderElectionRecord& record);
  bool IsLeaseValid(base::MonotonicTime now) const;

  LeaderPlan plan_;
  State state_ = State::kNotStarted;
  LeaderTask task_ = LeaderTask::kEnd;  // the present task

  LeaderElectionRecord observed_;
  base::MonotonicTime observed_at_;

  base::MonotonicTime attempt_began_;
  // Whether the attempt began with a write, assuming that nobody else has written.
  bool optimistic_ = false;

  LeaderElectionRecord written_;
  base::MonotonicTime write_began_;
  // A write was started, and nothing received since shows the state of the lock.
  bool in_doubt_ = false;

  std::optional<FencingToken> token_;
  base::MonotonicTime term_end_;
  base::MonotonicTime release_end_;
};

}  // namespace kube::leaderelection::internal

#endif  // CONTROLLER_LEADERELECTION_INTERNAL_LEADER_MACHINE_H_
