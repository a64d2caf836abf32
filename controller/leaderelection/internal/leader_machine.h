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

// ---- what has happened

struct Started {};
struct Got {
  LeaderElectionRecord record = {};
};
// Created or updated.
struct Written {
  std::string resource_version = {};
};
// What was to be done has failed.
struct Failed {
  absl::Status error = {};
};
// The wait is over; the work has not ended by the deadline.
struct Waited {};
// All that was to end with leadership has ended.
struct WorkEnded {};
struct Stopped {};

using LeaderInput = std::variant<Started, Got, Written, Failed, Waited, WorkEnded, Stopped>;

// ---- what is to be done: first about leadership, then next

enum class LeaderChange { kNone, kStarted, kStopped };

enum class LeaderTask {
  kGet,
  kCreate,     // with `record`
  kUpdate,     // with `record`
  kWait,       // as long as `wait`
  kAwaitWork,  // until what ends with leadership has ended
  kEnd,
};

struct LeaderStep {
  LeaderChange change = LeaderChange::kNone;
  LeaderTask task = LeaderTask::kEnd;
  LeaderElectionRecord record = {};
  absl::Duration wait = absl::ZeroDuration();
  // When the task has failed.
  base::MonotonicTime deadline = base::MonotonicTime::Infinite();
  // A lock that was its own already had to be read before it is written.
  bool slow_path = false;
  // Gives the lock up: whatever ended the rest does not end this.
  bool releases = false;
};

// How a candidate is to go about it; LeaderElectionOptions explains.
struct LeaderPlan {
  std::string identity = {};
  absl::Duration lease_duration = absl::ZeroDuration();
  absl::Duration renew_deadline = absl::ZeroDuration();
  absl::Duration retry_period = absl::ZeroDuration();
  bool release_on_cancel = false;
};

// The protocol of a candidate: when to look at the lock and when to write it, who leads, since when
// and how long. It does nothing itself and blocks nowhere; of the Runtime it takes the time and
// random numbers. (what tryAcquireOrRenew, acquire, renew and release of client-go's
// leaderelection.go do between them)
//
//   kNotStarted -> kAcquiring -> kLeading -> kReleasing -> kEnded
//                                kLeading -> kEnded       lost, or not to be released
//                  kAcquiring -> kReleasing               stopped while a write was under way
//
// Why there is one leader at most: a term ends renew_deadline after the last write that succeeded
// was begun, by the leader's clock. Others take the lock lease_duration after they have seen that
// write, which is later, by their clocks; and if they have not seen the last one, their own write
// is a conflict. So it holds as long as no clock runs lease_duration / renew_deadline times as fast
// as another.
//
// Thread-compatible.
class LeaderMachine {
 public:
  explicit LeaderMachine(LeaderPlan plan);

  // The first input is Started. Whatever does not fit the state is a mistake of the driver.
  LeaderStep Step(const LeaderInput& input);

  // The term has begun, and its end has not come: exact, also if no input has come since.
  bool IsLeader(base::MonotonicTime now) const;
  // Of the term that is, or else was last; empty before the first.
  const std::optional<FencingToken>& token() const { return token_; }
  // As it was observed last.
  const LeaderElectionRecord& observed() const { return observed_; }
  // It leads, and has neither renewed nor given up for so long. (Check)
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

  // Held by this candidate from now on.
  LeaderElectionRecord NewRecord(int32_t transitions) const;
  void Observe(const LeaderElectionRecord& record);
  bool IsLeaseValid(base::MonotonicTime now) const;

  LeaderPlan plan_;
  State state_ = State::kNotStarted;
  LeaderTask task_ = LeaderTask::kEnd;  // the one under way

  LeaderElectionRecord observed_;
  base::MonotonicTime observed_at_;

  base::MonotonicTime attempt_began_;
  // The attempt began with a write, trusting that nobody else had written.
  bool optimistic_ = false;

  LeaderElectionRecord written_;
  base::MonotonicTime write_began_;
  // A write was begun, and nothing that came since says what the lock is.
  bool in_doubt_ = false;

  std::optional<FencingToken> token_;
  base::MonotonicTime term_end_;
  base::MonotonicTime release_end_;
};

}  // namespace kube::leaderelection::internal

#endif  // CONTROLLER_LEADERELECTION_INTERNAL_LEADER_MACHINE_H_
