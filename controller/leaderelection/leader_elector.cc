#include "controller/leaderelection/leader_elector.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "controller/leaderelection/fencing_token.h"
#include "controller/leaderelection/healthz_adaptor.h"
#include "controller/leaderelection/internal/leader_machine.h"
#include "controller/leaderelection/resource_lock.h"

// LeaderElector drives a LeaderMachine: Run feeds it inputs, and Perform sends the requests or
// waits. The machine makes all decisions (see leader_machine.h). Two helper threads exist for the
// duration of Run: one calls on_started_leading (Term), one calls on_new_leader (LeaderReporter),
// so that neither delays a renewal. Both are started before the first request, so that nothing can
// fail after the lease was acquired.
//
// Requests are limited by the end of the term and by request_timeout. When Run's context is done,
// requests and waits end at once, except for those that release the lease (LeaderStep::releases),
// which do not use that context.

namespace kube::leaderelection {

using base::MonotonicTime;
using internal::Failed;
using internal::Got;
using internal::LeaderChange;
using internal::LeaderInput;
using internal::LeaderStep;
using internal::LeaderTask;
using internal::Started;
using internal::Stopped;
using internal::Waited;
using internal::WorkEnded;
using internal::Written;

namespace {

constexpr double kJitterFactor = 1.2;
constexpr absl::Duration kLeastRequestTimeout = absl::Seconds(1);

absl::Status Validate(const ResourceLock* lock, const LeaderCallbacks& callbacks,
                      const LeaderElectionOptions& options) {
  const auto invalid = [](const auto&... what) {
    return absl::InvalidArgumentError(absl::StrCat("make leader elector: ", what...));
  };
  if (options.lease_duration <= options.renew_deadline) {
    return invalid("lease_duration must be greater than renew_deadline");
  }
  if (options.renew_deadline <= options.retry_period * kJitterFactor) {
    return invalid("renew_deadline must be greater than retry_period * ", kJitterFactor);
  }
  // Since it is smaller than the two others, checking this one is sufficient.
  if (options.retry_period < absl::Nanoseconds(1)) {
    return invalid("retry_period must be greater than zero");
  }
  // The lease stores an int32.
  if (options.lease_duration > absl::Seconds(std::numeric_limits<int32_t>::max())) {
    return invalid("lease_duration must be at most ", std::numeric_limits<int32_t>::max(), "s");
  }
  if (options.request_timeout < absl::ZeroDuration()) {
    return invalid("request_timeout must not be negative");
  }
  if (callbacks.on_started_leading == nullptr) {
    return invalid("on_started_leading must not be null");
  }
  if (callbacks.on_stopped_leading == nullptr) {
    return invalid("on_stopped_leading must not be null");
  }
  if (options.metrics == nullptr) return invalid("metrics must not be null");
  if (lock == nullptr) return invalid("lock must not be null");
  if (lock->identity().empty()) return invalid("lock identity is empty");
  return absl::OkStatus();
}

LeaderElectionOptions WithDefaults(LeaderElectionOptions options, const ResourceLock& lock) {
  if (options.name.empty()) options.name = lock.Describe();
  if (options.request_timeout == absl::ZeroDuration()) {
    options.request_timeout = std::max(options.renew_deadline / 2, kLeastRequestTimeout);
  }
  return options;
}

}  // namespace

// The work of one term. The thread is created before the term, so that nothing fails once it
// begins.
class LeaderElector::Term {
 public:
  using Work = std::function<void(const Context&, const FencingToken&)>;

  // `work` must outlive this.
  Term(const Context& ctx, const Work& work) : work_(work), leading_(WithCancel(ctx)) {}
  ~Term() { Cancel(); }

  absl::Status Start() {
    return thread_.Start(Context(), "leader-work", [this](const Context& ctx) {
      if (began_.Wait(ctx).ok()) work_(leading_.context(), token_);
      ended_.Set();
    });
  }

  void Begin(FencingToken token) {
    token_ = std::move(token);
    began_.Set();
  }

  void Cancel() { leading_.Cancel(absl::CancelledError("stopped leading")); }

  // Waits for the work of a term that has begun. Returns false at `deadline`.
  bool AwaitEnd(MonotonicTime deadline) const {
    return ended_.Wait(WithDeadline(Context(), deadline)).ok();
  }

 private:
  const Work& work_;
  CancelScope leading_;
  FencingToken token_;  // written before began_ is set, read afterwards
  base::Event began_;
  base::Event ended_;
  base::Thread thread_;
};

// Reports new leaders on a thread of its own, so that the callback does not delay renewals.
class LeaderElector::LeaderReporter {
 public:
  using Callback = std::function<void(const std::string&)>;

  // `callback` must outlive this.
  explicit LeaderReporter(const Callback& callback) : callback_(callback) {}

  absl::Status Start() {
    if (callback_ == nullptr) return absl::OkStatus();
    return thread_.Start(Context(), "new-leader", [this](const Context& ctx) { Run(ctx); });
  }

  void Report(const std::string& leader) ABSL_LOCKS_EXCLUDED(mutex_) {
    if (callback_ == nullptr) return;
    base::MutexLock lock(mutex_);
    if (leader == reported_) return;
    reported_ = leader;
    next_ = leader;
    changed_.NotifyAll();
  }

 private:
  // A change that was reported before the end is still delivered.
  void Run(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_) {
    while (true) {
      std::string leader;
      {
        base::MutexLock lock(mutex_);
        const absl::Status came = changed_.Wait(
            ctx, mutex_,
            [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return next_.has_value(); });
        if (!came.ok()) return;
        leader = *std::exchange(next_, std::nullopt);
      }
      callback_(leader);
    }
  }

  const Callback& callback_;
  base::Mutex mutex_;
  base::CondVar changed_;
  std::string reported_ ABSL_GUARDED_BY(mutex_);
  std::optional<std::string> next_ ABSL_GUARDED_BY(mutex_);
  base::Thread thread_;
};

LeaderElector::LeaderElector(Key /*key*/, std::shared_ptr<ResourceLock> lock,
                             LeaderCallbacks callbacks, LeaderElectionOptions options)
    : lock_(std::move(lock)),
      callbacks_(std::move(callbacks)),
      options_(WithDefaults(std::move(options), *lock_)),
      machine_(Plan()) {}

absl::StatusOr<std::unique_ptr<LeaderElector>> LeaderElector::Make(
    std::shared_ptr<ResourceLock> lock, LeaderCallbacks callbacks, LeaderElectionOptions options) {
  KUBE_RETURN_IF_ERROR(Validate(lock.get(), callbacks, options));
  auto elector = std::make_unique<LeaderElector>(Key(), std::move(lock), std::move(callbacks),
                                                 std::move(options));
  KUBE_RETURN_IF_ERROR(elector->MakeMetrics(), "make leader elector");
  if (elector->options_.watch_dog != nullptr) {
    elector->options_.watch_dog->SetLeaderElection(
        [raw = elector.get()](absl::Duration tolerance) { return raw->Check(tolerance); });
  }
  return elector;
}

LeaderElector::~LeaderElector() {
  if (options_.watch_dog != nullptr) options_.watch_dog->SetLeaderElection(nullptr);
}

absl::Status LeaderElector::MakeMetrics() {
  KUBE_ASSIGN_OR_RETURN(
      const base::GaugeVec master_status,
      options_.metrics->MakeGauge(
          {.name = "leader_election_master_status",
           .help = "Gauge of if the reporting system is master of the relevant lease, 0 indicates "
                   "backup, 1 indicates master. 'name' is the string used to identify the lease. "
                   "Please make sure to group by name.",
           .label_names = {"name"}}));
  KUBE_ASSIGN_OR_RETURN(
      const base::CounterVec slow_paths,
      options_.metrics->MakeCounter(
          {.name = "leader_election_slowpath_total",
           .help = "Total number of slow path exercised in renewing leader leases. 'name' is the "
                   "string used to identify the lease. Please make sure to group by name.",
           .label_names = {"name"}}));
  master_status_ = master_status.WithLabelValues({options_.name});
  slow_paths_ = slow_paths.WithLabelValues({options_.name});
  master_status_.Set(0);
  return absl::OkStatus();
}

internal::LeaderPlan LeaderElector::Plan() const {
  return {.identity = lock_->identity(),
          .lease_duration = options_.lease_duration,
          .renew_deadline = options_.renew_deadline,
          .retry_period = options_.retry_period,
          .release_on_cancel = options_.release_on_cancel};
}

absl::Status LeaderElector::Run(const Context& ctx) {
  {
    base::MutexLock lock(mutex_);
    machine_ = internal::LeaderMachine(Plan());
  }
  LeaderReporter reporter(callbacks_.on_new_leader);
  Term term(ctx, callbacks_.on_started_leading);
  absl::Status threads = reporter.Start();
  if (threads.ok()) threads = term.Start();
  LeaderInput input = Stopped();
  if (threads.ok()) {
    log::Info(ctx, "attempting to acquire leader lease", {{"lock", options_.name}});
    input = Started();
  }
  while (true) {
    const LeaderStep step = Step(input);
    if (step.slow_path) slow_paths_.Increment();
    OnChange(ctx, step.change, term);
    if (step.task == LeaderTask::kWait || step.change == LeaderChange::kStopped) {
      reporter.Report(GetLeader());
    }
    if (step.task == LeaderTask::kEnd) break;
    input = Perform(ctx, step, term);
  }
  callbacks_.on_stopped_leading();
  if (!threads.ok()) return threads;
  if (ctx.done()) return ctx.status();
  return absl::AbortedError(absl::StrCat("leader election lost: lease \"", options_.name, "\""));
}

LeaderStep LeaderElector::Step(const LeaderInput& input) {
  base::MutexLock lock(mutex_);
  return machine_.Step(input);
}

void LeaderElector::OnChange(const Context& ctx, LeaderChange change, Term& term) {
  switch (change) {
    case LeaderChange::kNone:
      return;
    case LeaderChange::kStarted: {
      FencingToken token;
      {
        base::MutexLock lock(mutex_);
        token = *machine_.token();
      }
      lock_->RecordEvent("became leader");
      master_status_.Set(1);
      log::Info(ctx, "successfully acquired lease",
                {{"lock", options_.name}, {"resourceVersion", token.resource_version}});
      term.Begin(std::move(token));
      return;
    }
    case LeaderChange::kStopped:
      term.Cancel();
      master_status_.Set(0);
      lock_->RecordEvent("stopped leading");
      log::Info(ctx, "stopped leading", {{"lock", options_.name}});
  }
}

LeaderInput LeaderElector::Perform(const Context& ctx, const LeaderStep& step, Term& term) {
  if (ctx.done() && !step.releases) return Stopped();
  switch (step.task) {
    case LeaderTask::kGet:
    case LeaderTask::kCreate:
    case LeaderTask::kUpdate: {
      LeaderInput input = Send(step.releases ? WithoutCancel(ctx) : ctx, step);
      Report(ctx, input);
      return input;
    }
    case LeaderTask::kWait:
      if (!base::SleepFor(ctx, step.wait).ok()) return Stopped();
      return Waited();
    case LeaderTask::kAwaitWork:
      if (!term.AwaitEnd(step.deadline)) return Waited();
      return WorkEnded();
    case LeaderTask::kEnd:
      break;
  }
  return Stopped();
}

LeaderInput LeaderElector::Send(const Context& ctx, const LeaderStep& step) {
  const Context limited =
      WithDeadline(ctx, std::min(step.deadline, base::Now() + options_.request_timeout));
  if (step.task == LeaderTask::kGet) {
    absl::StatusOr<LeaderElectionRecord> record = lock_->Get(limited);
    if (!record.ok()) return Failed{.error = std::move(record).status()};
    return Got{.record = *std::move(record)};
  }
  absl::StatusOr<std::string> version = step.task == LeaderTask::kCreate
                                            ? lock_->Create(limited, step.record)
                                            : lock_->Update(limited, step.record);
  if (!version.ok()) return Failed{.error = std::move(version).status()};
  return Written{.resource_version = *std::move(version)};
}

void LeaderElector::Report(const Context& ctx, const LeaderInput& input) const {
  const Failed* const failed = std::get_if<Failed>(&input);
  if (failed == nullptr) return;
  // A lost race against another candidate and a missing lease are normal.
  if (errors::IsNotFound(failed->error) || errors::IsConflict(failed->error) ||
      errors::IsAlreadyExists(failed->error)) {
    KUBE_VLOG_CTX(ctx, 2, "lease was updated by another candidate", {"lock", options_.name},
                  {"err", failed->error});
  } else {
    log::Error(ctx, failed->error, "failed to retrieve or update lease", {{"lock", options_.name}});
  }
}

bool LeaderElector::IsLeader() const {
  base::MutexLock lock(mutex_);
  return machine_.IsLeader(base::Now());
}

std::string LeaderElector::GetLeader() const {
  base::MutexLock lock(mutex_);
  return machine_.observed().holder_identity;
}

std::optional<FencingToken> LeaderElector::GetFencingToken() const {
  base::MutexLock lock(mutex_);
  if (!machine_.IsLeader(base::Now())) return std::nullopt;
  return machine_.token();
}

absl::Status LeaderElector::Check(absl::Duration max_tolerable_expired_lease) const {
  base::MutexLock lock(mutex_);
  if (!machine_.IsStuck(base::Now(), max_tolerable_expired_lease)) return absl::OkStatus();
  return absl::DeadlineExceededError(
      absl::StrCat("failed election to renew leadership on lease ", options_.name));
}

}  // namespace kube::leaderelection
