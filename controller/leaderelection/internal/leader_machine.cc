#include "controller/leaderelection/internal/leader_machine.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/errors/predicates.h"
#include "controller/leaderelection/fencing_token.h"
#include "controller/leaderelection/resource_lock.h"

namespace kube::leaderelection::internal {

using base::MonotonicTime;

namespace {

// Spreads the attempts of candidates that do not lead.
constexpr double kJitterFactor = 1.2;

// Rounds up: a candidate that waited less than the leader assumes would lead beside it. client-go
// rounds down.
int32_t WholeSeconds(absl::Duration duration) {
  return static_cast<int32_t>(absl::ToInt64Seconds(absl::Ceil(duration, absl::Seconds(1))));
}

}  // namespace

LeaderMachine::LeaderMachine(LeaderPlan plan) : plan_(std::move(plan)) {}

LeaderStep LeaderMachine::Step(const LeaderInput& input) {
  LeaderStep step = std::visit([this](const auto& i) { return On(i); }, input);
  task_ = step.task;
  return step;
}

bool LeaderMachine::IsLeader(MonotonicTime now) const {
  return state_ == State::kLeading && now < term_end_;
}

bool LeaderMachine::IsStuck(MonotonicTime now, absl::Duration tolerance) const {
  return state_ == State::kLeading && now - observed_at_ > plan_.lease_duration + tolerance;
}

// Only the time at which this candidate saw the record change counts, not the times in the record.
bool LeaderMachine::IsLeaseValid(MonotonicTime now) const {
  return observed_at_ + absl::Seconds(observed_.lease_duration_seconds) > now;
}

void LeaderMachine::Observe(const LeaderElectionRecord& record) {
  observed_ = record;
  observed_at_ = base::Now();
}

// ---- inputs

LeaderStep LeaderMachine::On(const Started&) {
  state_ = State::kAcquiring;
  return Attempt();
}

LeaderStep LeaderMachine::On(const Got& input) {
  in_doubt_ = false;
  const LeaderElectionRecord& record = input.record;
  if (record != observed_) Observe(record);
  const bool mine = record.holder_identity == plan_.identity;
  if (state_ == State::kReleasing) {
    if (!mine) return End();
    LeaderElectionRecord released = NewRecord(record.leader_transitions);
    released.holder_identity.clear();
    released.lease_duration_seconds = 1;
    return Write(LeaderTask::kUpdate, std::move(released));
  }
  if (!mine) {
    // Somebody else holds the lock, or held it for a moment: the term is over. client-go keeps
    // trying.
    if (state_ == State::kLeading) return End(LeaderChange::kStopped);
    if (!record.holder_identity.empty() && IsLeaseValid(attempt_began_)) return NextAttempt();
    return Write(LeaderTask::kUpdate, NewRecord(record.leader_transitions + 1));
  }
  LeaderElectionRecord renewed = NewRecord(record.leader_transitions);
  renewed.acquire_time = record.acquire_time;
  LeaderStep step = Write(LeaderTask::kUpdate, std::move(renewed));
  step.slow_path = true;
  return step;
}

LeaderStep LeaderMachine::On(const Written& input) {
  in_doubt_ = false;
  Observe(written_);
  if (state_ == State::kReleasing) return End();
  const MonotonicTime now = base::Now();
  const MonotonicTime term_end = write_began_ + plan_.renew_deadline;
  if (state_ == State::kAcquiring) {
    // The response came after the end of the term. The next attempt finds the lock held by this
    // candidate.
    if (now >= term_end) return NextAttempt();
    state_ = State::kLeading;
    token_ = {.transitions = written_.leader_transitions,
              .resource_version = input.resource_version};
    term_end_ = term_end;
    LeaderStep step = NextAttempt();
    step.change = LeaderChange::kStarted;
    return step;
  }
  // IsLeader has already returned false, and a term cannot be resumed.
  if (now >= term_end_) return End(LeaderChange::kStopped);
  term_end_ = term_end;
  return NextAttempt();
}

LeaderStep LeaderMachine::On(const Failed& input) {
  if (state_ == State::kReleasing) {
    return errors::IsConflict(input.error) && base::Now() < release_end_ ? Do(LeaderTask::kGet)
                                                                         : End();
  }
  if (state_ == State::kLeading && base::Now() >= term_end_) return End(LeaderChange::kStopped);
  if (task_ == LeaderTask::kGet && errors::IsNotFound(input.error)) {
    return Write(LeaderTask::kCreate, NewRecord(0));
  }
  // The optimistic write failed: read the record, and decide again.
  if (std::exchange(optimistic_, false)) return Do(LeaderTask::kGet);
  return NextAttempt();
}

LeaderStep LeaderMachine::On(const Waited&) {
  if (task_ == LeaderTask::kAwaitWork) return End();  // the lease expires
  if (state_ == State::kLeading && base::Now() >= term_end_) return End(LeaderChange::kStopped);
  return Attempt();
}

LeaderStep LeaderMachine::On(const WorkEnded&) { return Release(); }

LeaderStep LeaderMachine::On(const Stopped&) {
  if (state_ == State::kLeading) {
    if (!plan_.release_on_cancel) return End(LeaderChange::kStopped);
    state_ = State::kReleasing;
    release_end_ = term_end_;  // bounds the wait for the work
    LeaderStep step = Do(LeaderTask::kAwaitWork);
    step.change = LeaderChange::kStopped;
    return step;
  }
  // A write without a response may have taken the lock. client-go does not release it then.
  if (state_ == State::kAcquiring && plan_.release_on_cancel && in_doubt_) return Release();
  return End();
}

// ---- steps

LeaderStep LeaderMachine::Attempt() {
  attempt_began_ = base::Now();
  optimistic_ = state_ == State::kLeading && IsLeaseValid(attempt_began_);
  if (!optimistic_) return Do(LeaderTask::kGet);
  LeaderElectionRecord renewed = NewRecord(observed_.leader_transitions);
  renewed.acquire_time = observed_.acquire_time;
  return Write(LeaderTask::kUpdate, std::move(renewed));
}

// A leader's attempts start retry_period apart, however long they take. The wait ends with the term
// at the latest, because the caller ends the work only when the machine says so: waiting
// retry_period after a slow response would exceed the term.
LeaderStep LeaderMachine::NextAttempt() {
  if (state_ != State::kLeading) return Wait(base::Jitter(plan_.retry_period, kJitterFactor));
  const MonotonicTime now = base::Now();
  const MonotonicTime next = std::min(attempt_began_ + plan_.retry_period, term_end_);
  return Wait(std::max(next - now, absl::ZeroDuration()));
}

LeaderStep LeaderMachine::Write(LeaderTask task, LeaderElectionRecord record) {
  written_ = std::move(record);
  write_began_ = base::Now();
  in_doubt_ = true;
  LeaderStep step = Do(task);
  step.record = written_;
  return step;
}

LeaderStep LeaderMachine::Release() {
  state_ = State::kReleasing;
  release_end_ = base::Now() + plan_.renew_deadline;
  return Do(LeaderTask::kGet);
}

LeaderStep LeaderMachine::End(LeaderChange change) {
  state_ = State::kEnded;
  return {.change = change, .task = LeaderTask::kEnd};
}

LeaderStep LeaderMachine::Do(LeaderTask task) const {
  LeaderStep step = {.task = task};
  if (state_ == State::kLeading) step.deadline = term_end_;
  if (state_ == State::kReleasing) {
    step.deadline = release_end_;
    step.releases = true;
  }
  return step;
}

LeaderStep LeaderMachine::Wait(absl::Duration wait) const {
  LeaderStep step = Do(LeaderTask::kWait);
  step.wait = wait;
  return step;
}

LeaderElectionRecord LeaderMachine::NewRecord(int32_t transitions) const {
  const absl::Time now = base::WallNow();
  return {.holder_identity = plan_.identity,
          .lease_duration_seconds = WholeSeconds(plan_.lease_duration),
          .acquire_time = now,
          .renew_time = now,
          .leader_transitions = transitions};
}

}  // namespace kube::leaderelection::internal
