// Two to five candidates for one lease, each on a machine of its own, whose clocks are wrong and
// whose link to the API server is bad; in virtual time. On the way there is one leader at most, at
// any instant. When it is quiet again, the next leader comes in time: after the present one has
// vanished, and after it has stepped down. A store that demands rising tokens takes no write of a
// leader of yesterday, also where clocks are worse than promised and machines stand still. Where no
// machine stands still, the context of on_started_leading is done as soon as IsLeader() is false,
// and so before another candidate's work begins.
//
// Each kind of trouble is searched with seeds 1, 2, 3 ...; KUBE_SIM_SEEDS says how many (the
// documented run: 10000), and KUBE_SIM_SEED=N replays one.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/coordination/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/drifting_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "clientset/kubernetes/coordination/v1/client.h"
#include "controller/leaderelection/fencing_token.h"
#include "controller/leaderelection/leader_elector.h"
#include "controller/leaderelection/lease_lock.h"
#include "controller/leaderelection/testing/lease_cluster.h"
#include "gtest/gtest.h"

namespace kube::leaderelection {
namespace {

namespace coordinationv1 = api::coordination::v1;

using base::MonotonicTime;

constexpr absl::Duration kTroubles = absl::Minutes(2);
// Latency of a link without faults, both ways.
constexpr absl::Duration kLatency = absl::Milliseconds(40);

// ---- what goes wrong

struct Trouble {
  const char* name;
  LinkFaults link = {};
  // Clocks run between these speeds.
  double slowest = 1.0;
  double fastest = 1.0;
  // Now and then, one candidate: is cut off, stands still, is restarted.
  bool cuts = false;
  bool pauses = false;
  bool restarts = false;
  // The periods of all candidates.
  LeaderElectionOptions options = {};
  // As promised, there is one leader at most.
  bool safe = true;
};

LeaderElectionOptions Periods(int lease_duration, int renew_deadline, int retry_period) {
  return {.lease_duration = absl::Seconds(lease_duration),
          .renew_deadline = absl::Seconds(renew_deadline),
          .retry_period = absl::Seconds(retry_period)};
}

std::vector<Trouble> Troubles() {
  const LinkFaults bad = {.slow = 0.1,
                          .slow_latency = absl::Seconds(6),
                          .lose_request = 0.05,
                          .lose_answer = 0.1,
                          .late = 0.05};
  // Less than lease_duration / renew_deadline = 1.5 apart.
  constexpr double kSlowest = 0.81;
  constexpr double kFastest = 1.21;
  return {
      {.name = "none"},
      {.name = "drift", .slowest = kSlowest, .fastest = kFastest, .cuts = true},
      {.name = "slow API", .link = {.slow = 0.5, .slow_latency = absl::Seconds(9)}},
      {.name = "lost answers", .link = {.lose_answer = 0.4}},
      {.name = "late requests", .link = {.late = 0.3}},
      {.name = "partitions", .cuts = true},
      {.name = "restarts", .restarts = true},
      {.name = "all, as promised",
       .link = bad,
       .slowest = kSlowest,
       .fastest = kFastest,
       .cuts = true,
       .restarts = true},
      {.name = "pauses", .link = bad, .cuts = true, .pauses = true},
      {.name = "more drift than promised, and pauses",
       .link = bad,
       .slowest = 0.3,
       .fastest = 2.0,
       .cuts = true,
       .pauses = true,
       .safe = false},
  };
}

// Renewals whose answers take longer than renew_deadline - retry_period.
std::vector<Trouble> TroublesWithPeriodsNearEachOther() {
  return {
      {.name = "slow API, retry_period near renew_deadline",
       .link = {.slow = 0.3, .slow_latency = absl::Seconds(6)},
       .options = Periods(15, 10, 8)},
      {.name = "slow API, lease_duration near renew_deadline",
       .link = {.slow = 0.3, .slow_latency = absl::Seconds(6)},
       .options = Periods(11, 10, 8)},
      {.name = "slow API, lost answers, restarts, periods near each other",
       .link = {.slow = 0.3, .slow_latency = absl::Seconds(6), .lose_answer = 0.1, .late = 0.05},
       .restarts = true,
       .options = Periods(11, 10, 8)},
  };
}

// ---- what is watched

// A store that refuses tokens smaller than the greatest it has seen, and looks whether that was
// right: by the cluster's ledger, no write of an earlier term may come after one of a later.
class FencedStore {
 public:
  explicit FencedStore(const LeaseCluster& cluster) : cluster_(cluster) {}

  void Write(const std::string& identity, const FencingToken& token) ABSL_LOCKS_EXCLUDED(mutex_) {
    const int64_t term = cluster_.HeldSince(identity);
    base::MutexLock lock(mutex_);
    if (!greatest_.resource_version.empty() && *CompareFencingTokens(token, greatest_) < 0) {
      ++refused_;
      return;
    }
    greatest_ = token;
    ++accepted_;
    if (term < last_term_) mistake_ = absl::StrCat(identity, " writes after a later term has");
    last_term_ = term;
  }

  std::string mistake() const ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    return mistake_;
  }
  int64_t refused() const ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    return refused_;
  }

 private:
  const LeaseCluster& cluster_;
  mutable base::Mutex mutex_;
  FencingToken greatest_ ABSL_GUARDED_BY(mutex_);
  int64_t last_term_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t accepted_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t refused_ ABSL_GUARDED_BY(mutex_) = 0;
  std::string mistake_ ABSL_GUARDED_BY(mutex_);
};

// Over all seeds, to see that there was something to be seen.
struct Counts {
  int64_t terms = 0;
  int64_t overlaps = 0;
  int64_t late_work = 0;
  int64_t refused = 0;
};

// A machine with a program that is a candidate, and is restarted when it ends.
class Candidate {
 public:
  using OnLeading = std::function<void(const Candidate&)>;

  Candidate(int number, LeaseCluster& cluster, FencedStore& store,
            const base::DriftingOptions& clocks, LeaderElectionOptions options,
            OnLeading on_leading)
      : number_(number),
        store_(store),
        options_(std::move(options)),
        on_leading_(std::move(on_leading)),
        machine_(base::Runtime::Current(), clocks),
        link_(std::make_shared<UnreliableLink>(cluster, base::Runtime::Current())),
        leases_(cluster.ClientOf(link_)) {}

  absl::Status Start() {
    const base::RuntimeScope scope(machine_);
    return thread_.Start(Context(), absl::StrCat("candidate ", number_),
                         [this](const Context& ctx) { RunPrograms(ctx); });
  }
  void Stop() {
    thread_.RequestStop();
    thread_.Join();
  }
  // Writes take no time from now on.
  void Calm() { is_calm_ = true; }
  // The program ends in an orderly way, and begins again.
  void Restart() ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    if (program_ != nullptr) program_->Cancel();
  }

  // By its machine's clock.
  bool IsLeader() const ABSL_LOCKS_EXCLUDED(mutex_) {
    std::shared_ptr<LeaderElector> elector;
    {
      base::MutexLock lock(mutex_);
      elector = elector_;
    }
    const base::RuntimeScope scope(machine_);
    return elector != nullptr && elector->IsLeader();
  }

  // The context of on_started_leading is not done: whatever IsLeader says, the work goes on.
  bool IsWorking() const ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    return work_.has_value() && !work_->done();
  }
  // How often the work was asked to go on when IsLeader() was false.
  int64_t late_work() const { return late_work_; }

  base::DriftingRuntime& machine() { return machine_; }
  UnreliableLink& link() { return *link_; }
  int number() const { return number_; }

 private:
  void RunPrograms(const Context& ctx) {
    for (int n = 0; !ctx.done(); ++n) {
      RunProgram(ctx, absl::StrCat(number_, "-", n));
      base::SleepFor(ctx, UpTo(absl::Seconds(2))).IgnoreError();
    }
  }

  void RunProgram(const Context& ctx, const std::string& identity) ABSL_LOCKS_EXCLUDED(mutex_) {
    LeaderElectionOptions options = options_;
    options.release_on_cancel = true;
    CancelScope program = WithCancel(ctx);
    auto lock = std::make_shared<LeaseLock>(
        leases_, "lease", identity,
        LeaseLockOptions{.event_recorder = [this](const coordinationv1::Lease&, absl::string_view,
                                                  absl::string_view note) {
          if (note.substr(note.size() - 6) == "leader") on_leading_(*this);
        }});
    std::shared_ptr<LeaderElector> elector = *LeaderElector::Make(
        std::move(lock),
        {.on_started_leading = [&](const Context& leading,
                                   const FencingToken& token) { Work(leading, identity, token); },
         .on_stopped_leading = [] {}},
        std::move(options));
    {
      base::MutexLock guard(mutex_);
      elector_ = elector;
      program_ = &program;
    }
    elector->Run(program.context()).IgnoreError();
    base::MutexLock guard(mutex_);
    program_ = nullptr;
  }

  // Asks whether it leads, is held up, and writes.
  void Work(const Context& ctx, const std::string& identity, const FencingToken& token)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    SetWork(ctx);
    while (base::SleepFor(ctx, UpTo(absl::Seconds(3))).ok()) {
      if (!IsLeader()) {
        if (!ctx.done()) ++late_work_;
        continue;
      }
      if (!is_calm_ && Chance(0.2)) {
        base::SleepFor(Context(), UpTo(absl::Seconds(30))).IgnoreError();
      }
      store_.Write(identity, token);
    }
    SetWork(std::nullopt);
  }

  void SetWork(std::optional<Context> work) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    work_ = std::move(work);
  }

  const int number_;
  FencedStore& store_;
  const LeaderElectionOptions options_;
  const OnLeading on_leading_;
  mutable base::DriftingRuntime machine_;
  const std::shared_ptr<UnreliableLink> link_;
  const coordinationv1::LeaseClient leases_;
  std::atomic<bool> is_calm_ = false;
  std::atomic<int64_t> late_work_ = 0;

  mutable base::Mutex mutex_;
  std::shared_ptr<LeaderElector> elector_ ABSL_GUARDED_BY(mutex_);
  CancelScope* program_ ABSL_GUARDED_BY(mutex_) = nullptr;
  std::optional<Context> work_ ABSL_GUARDED_BY(mutex_);

  base::Thread thread_;
};

// ---- one run

class Election {
 public:
  explicit Election(const Trouble& trouble) : trouble_(trouble), store_(cluster_) {
    const int64_t size = base::UniformInt(2, 6);
    for (int i = 0; i < size; ++i) {
      const double rate =
          trouble.slowest + (trouble.fastest - trouble.slowest) * base::UniformDouble();
      slowest_ = std::min(slowest_, rate);
      candidates_.push_back(std::make_unique<Candidate>(
          i, cluster_, store_,
          base::DriftingOptions{
              .rate = rate,
              .wall_skew = absl::Hours(base::UniformInt(-48, 48)) + UpTo(absl::Seconds(1))},
          trouble.options, [this](const Candidate& candidate) { OnLeading(candidate); }));
    }
  }

  absl::Status Run(Counts& counts) {
    for (const auto& candidate : candidates_) {
      candidate->link().SetFaults(trouble_.link);
      KUBE_RETURN_IF_ERROR(candidate->Start());
    }
    MakeTroubles();
    absl::Status status = BecomeQuiet();
    if (status.ok()) status = LeaderVanishes();
    if (status.ok()) status = LeaderStepsDown();
    for (const auto& candidate : candidates_) candidate->Stop();
    int64_t late_work = 0;
    for (const auto& candidate : candidates_) late_work += candidate->late_work();
    counts.terms += terms_;
    counts.overlaps += overlaps_;
    counts.late_work += late_work;
    counts.refused += store_.refused();
    if (!store_.mistake().empty()) return absl::DataLossError(store_.mistake());
    if (trouble_.safe && overlaps_ > 0) return absl::DataLossError(overlap_);
    // A thread that stands still cannot end its work.
    if (trouble_.safe && !trouble_.pauses && late_work > 0) {
      return absl::DataLossError("work went on when its candidate did not lead any more");
    }
    return status;
  }

 private:
  // The only way in which there can come to be two.
  void OnLeading(const Candidate& leader) {
    ++terms_;
    for (const auto& candidate : candidates_) {
      if (candidate.get() == &leader) continue;
      const bool leads = candidate->IsLeader();
      if (!leads && (trouble_.pauses || !candidate->IsWorking())) continue;
      ++overlaps_;
      overlap_ =
          absl::StrCat("candidate ", leader.number(), " leads beside ", leads ? "" : "the work of ",
                       candidate->number(), " at ", absl::FormatDuration(Now().since_epoch()));
    }
  }

  static MonotonicTime Now() { return base::Now(); }

  Candidate& Any() {
    return *candidates_[static_cast<size_t>(
        base::UniformInt(0, static_cast<int64_t>(candidates_.size())))];
  }
  // Or null.
  Candidate* Leader() {
    for (const auto& candidate : candidates_) {
      if (candidate->IsLeader()) return candidate.get();
    }
    return nullptr;
  }

  // Beyond what is promised there may be none for a moment: one whose clock is fast takes the lease
  // from a leader whose clock is slow.
  Candidate* SettledLeader() {
    if (!trouble_.safe && Leader() == nullptr) AwaitNextTerm(LimitOfTakeOver()).IgnoreError();
    return Leader();
  }
  absl::Duration LimitOfTakeOver() const {
    return (trouble_.options.lease_duration + 4.4 * trouble_.options.retry_period) / slowest_ +
           4 * kLatency;
  }

  void MakeTroubles() {
    const MonotonicTime end = Now() + kTroubles;
    while (Now() < end) {
      base::SleepFor(Context(), UpTo(absl::Seconds(20))).IgnoreError();
      Candidate* const victim = Chance(0.5) ? &Any() : Leader();
      if (victim == nullptr) continue;
      if (trouble_.cuts && Chance(0.5)) victim->link().CutUntil(Now() + UpTo(absl::Seconds(40)));
      if (trouble_.pauses && Chance(0.5)) {
        victim->machine().PauseUntil(Now() + UpTo(absl::Seconds(40)));
      }
      if (trouble_.restarts && Chance(0.5)) victim->Restart();
    }
  }

  // All is well from here on, but for the clocks. What was late has come.
  absl::Status BecomeQuiet() {
    for (const auto& candidate : candidates_) {
      candidate->link().SetFaults({});
      candidate->link().CutUntil(MonotonicTime());
      candidate->Calm();
    }
    base::SleepFor(Context(), absl::Seconds(80)).IgnoreError();
    return SettledLeader() != nullptr ? absl::OkStatus() : absl::UnavailableError("nobody leads");
  }

  absl::Status LeaderVanishes() {
    base::SleepFor(Context(), UpTo(absl::Seconds(5))).IgnoreError();
    Candidate* const leader = SettledLeader();
    if (leader == nullptr) return absl::UnavailableError("the leader has gone without a reason");
    leader->link().CutUntil(Now() + absl::Hours(1));
    const absl::Status next = AwaitNextTerm(LimitOfTakeOver());
    leader->link().CutUntil(MonotonicTime());
    return base::Annotate(next, "after the leader has vanished");
  }

  absl::Status LeaderStepsDown() {
    base::SleepFor(Context(), absl::Minutes(1)).IgnoreError();
    Candidate* const leader = SettledLeader();
    if (leader == nullptr) return absl::UnavailableError("nobody leads again");
    leader->Restart();
    return base::Annotate(
        AwaitNextTerm(2.2 * trouble_.options.retry_period / slowest_ + 5 * kLatency),
        "after the leader has stepped down");
  }

  // It may be that of the same machine's next program.
  absl::Status AwaitNextTerm(absl::Duration limit) {
    const MonotonicTime from = Now();
    const int64_t terms = terms_;
    while (true) {
      if (terms_ > terms) return absl::OkStatus();
      if (Now() - from > limit) {
        return absl::DeadlineExceededError(
            absl::StrCat("no next leader in ", absl::FormatDuration(limit)));
      }
      base::SleepFor(Context(), absl::Milliseconds(10)).IgnoreError();
    }
  }

  const Trouble& trouble_;
  LeaseCluster cluster_;
  FencedStore store_;
  double slowest_ = 1.0;
  std::atomic<int64_t> terms_ = 0;
  int64_t overlaps_ = 0;
  std::string overlap_;
  std::vector<std::unique_ptr<Candidate>> candidates_;
};

absl::Status RunOnce(base::SimRuntime& sim, const Trouble& trouble, Counts& counts) {
  absl::Status outcome;
  KUBE_RETURN_IF_ERROR(sim.Run([&] { outcome = Election(trouble).Run(counts); }));
  return outcome;
}

void Search(const std::vector<Trouble>& troubles) {
  const log::LogCapture quiet;
  for (const Trouble& trouble : troubles) {
    SCOPED_TRACE(trouble.name);
    Counts counts;
    EXPECT_THAT(
        base::SearchSeeds([&](base::SimRuntime& sim) { return RunOnce(sim, trouble, counts); },
                          {.seeds = base::SimulationSeeds(1)}),
        base::IsOk());
    std::cout << trouble.name << ": " << counts.terms << " terms, " << counts.overlaps
              << " beside another, " << counts.late_work << " times late work, " << counts.refused
              << " writes refused" << std::endl;
  }
}

TEST(LeaderElectionSimulation, Candidates_AnyTrouble_OneLeadsAtMostAndTheNextInTime) {
  Search(Troubles());
}

TEST(LeaderElectionSimulation, Candidates_PeriodsNearEachOther_OneLeadsAtMostAndTheNextInTime) {
  Search(TroublesWithPeriodsNearEachOther());
}

TEST(LeaderElectionSimulation, ASeedReplaysExactly) {
  const log::LogCapture quiet;
  const std::vector<Trouble> troubles = Troubles();
  uint64_t fingerprints[2];
  for (uint64_t& fingerprint : fingerprints) {
    base::SimRuntime sim({.seed = 7});
    Counts counts;
    EXPECT_THAT(RunOnce(sim, troubles.back(), counts), base::IsOk());
    fingerprint = sim.fingerprint();
  }
  EXPECT_EQ(fingerprints[0], fingerprints[1]);
}

}  // namespace
}  // namespace kube::leaderelection
