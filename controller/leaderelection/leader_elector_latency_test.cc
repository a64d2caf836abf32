// Terms on a server that is well but answers late.

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "controller/leaderelection/fencing_token.h"
#include "controller/leaderelection/leader_elector.h"
#include "controller/leaderelection/resource_lock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::leaderelection {
namespace {

using base::IsOk;

absl::Duration Elapsed() { return base::Now().since_epoch(); }

// What candidates compete for, on a server whose reads and writes are done at once.
struct SlowServer {
  base::Mutex mutex;
  std::optional<LeaderElectionRecord> record;
  int version = 0;
};

// Its writes are answered `latency` later.
class SlowLock final : public ResourceLock {
 public:
  SlowLock(SlowServer& server, std::string identity, absl::Duration latency)
      : server_(server), identity_(std::move(identity)), latency_(latency) {}

  absl::StatusOr<LeaderElectionRecord> Get(const Context&) override {
    base::MutexLock lock(server_.mutex);
    seen_ = server_.version;
    if (!server_.record.has_value()) return errors::NotFound({.resource = "leases"}, "lock");
    return *server_.record;
  }
  absl::StatusOr<std::string> Create(const Context& ctx,
                                     const LeaderElectionRecord& record) override {
    {
      base::MutexLock lock(server_.mutex);
      if (seen_ != server_.version) return errors::Conflict({.resource = "leases"}, "lock", "");
      server_.record = record;
      seen_ = ++server_.version;
    }
    const absl::Status answered = base::SleepFor(ctx, latency_);
    if (!answered.ok()) return answered;
    return absl::StrCat(seen_);
  }
  absl::StatusOr<std::string> Update(const Context& ctx,
                                     const LeaderElectionRecord& record) override {
    return Create(ctx, record);
  }
  void RecordEvent(absl::string_view) override {}
  const std::string& identity() const override { return identity_; }
  std::string Describe() const override { return "default/lock"; }

 private:
  SlowServer& server_;
  const std::string identity_;
  const absl::Duration latency_;
  int seen_ = 0;
};

// Of terms whose renewals are answered late: when the work's context was done, and whether it led
// at that moment.
TEST(LeaderElectorLatencyTest, TheWorksContextIsDoneWhenTheTermIsOver) {
  const struct {
    const char* name;
    absl::Duration latency;
    LeaderElectionOptions options;
    absl::Duration end;
  } cases[] = {
      // Renewed at 8 s, answered at 10.5 s: too late.
      {"retry_period near renew_deadline",
       absl::Seconds(2.5),
       {.retry_period = absl::Seconds(8)},
       absl::Seconds(10)},
      // Answered at 4.9 s; the attempt at 8 s is not answered before the end of the term.
      {"slower than renew_deadline - retry_period",
       absl::Seconds(4.9),
       {.retry_period = absl::Seconds(8)},
       absl::Seconds(10)},
      // Renewed at 4.5 s, 9 s ...: each answer comes a second before the term ends.
      {"slower than retry_period", absl::Seconds(4.5), {}, absl::Minutes(1)},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    const log::LogCapture quiet;
    base::SimRuntime sim;
    ASSERT_THAT(sim.Run([&test] {
      SlowServer server;
      std::unique_ptr<LeaderElector> elector;
      absl::Duration done;
      absl::Duration late;
      elector =
          *LeaderElector::Make(std::make_shared<SlowLock>(server, "me", test.latency),
                               {.on_started_leading =
                                    [&](const Context& ctx, const FencingToken&) {
                                      while (base::SleepFor(ctx, absl::Milliseconds(7)).ok()) {
                                        if (!elector->IsLeader() && !ctx.done())
                                          late += absl::Milliseconds(7);
                                      }
                                      done = Elapsed();
                                    },
                                .on_stopped_leading = [] {}},
                               test.options);
      elector->Run(WithTimeout(Context(), absl::Minutes(1))).IgnoreError();
      EXPECT_EQ(late, absl::ZeroDuration());
      EXPECT_EQ(done, test.end);
    }),
                IsOk());
  }
}

// Two candidates on a server that is well, but slow to answer one of them: when the work of one
// begins, the context of the other's is done. KUBE_SIM_SEEDS says how many seeds are searched.
absl::Status FindOverlap(base::SimRuntime& sim, const LeaderElectionOptions& options) {
  absl::Status outcome;
  const absl::Status run = sim.Run([&] {
    SlowServer server;
    base::Mutex mutex;
    std::optional<Context> work[2];
    base::ThreadGroup candidates{Context()};
    const auto compete = [&](int me, const Context& ctx) {
      const std::unique_ptr<LeaderElector> elector = *LeaderElector::Make(
          std::make_shared<SlowLock>(server, absl::StrCat(me),
                                     me == 0 ? absl::Seconds(4.9) : absl::Milliseconds(10)),
          {.on_started_leading =
               [&](const Context& leading, const FencingToken&) {
                 {
                   base::MutexLock lock(mutex);
                   work[me] = leading;
                   if (work[1 - me].has_value() && !work[1 - me]->done()) {
                     outcome = absl::DataLossError(
                         absl::StrCat("two work at ", absl::FormatDuration(Elapsed())));
                   }
                 }
                 base::WaitUntilDone(leading).IgnoreError();
                 base::MutexLock lock(mutex);
                 work[me] = std::nullopt;
               },
           .on_stopped_leading = [] {}},
          options);
      while (!ctx.done()) {
        elector->Run(ctx).IgnoreError();
        base::SleepFor(ctx, absl::Seconds(1)).IgnoreError();
      }
      return absl::OkStatus();
    };
    for (const int me : {0, 1}) {
      candidates.Go("candidate", [&compete, me](const Context&) {
        return compete(me, WithTimeout(Context(), absl::Minutes(5)));
      });
    }
    candidates.Wait().IgnoreError();
  });
  return run.ok() ? outcome : run;
}

TEST(LeaderElectorLatencyTest, WorkOfTwoCandidatesNeverOverlaps) {
  const log::LogCapture quiet;
  const LeaderElectionOptions options[] = {
      {},
      {.retry_period = absl::Seconds(8)},
      {.lease_duration = absl::Seconds(11), .retry_period = absl::Seconds(8)},
      {.lease_duration = absl::Seconds(10.1), .retry_period = absl::Seconds(5)}};
  for (const LeaderElectionOptions& periods : options) {
    EXPECT_THAT(base::SearchSeeds([&](base::SimRuntime& sim) { return FindOverlap(sim, periods); },
                                  {.seeds = base::SimulationSeeds(100)}),
                IsOk())
        << periods.lease_duration << " " << periods.retry_period;
  }
}

}  // namespace
}  // namespace kube::leaderelection
