#include "controller/manager/internal/manager_core.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/coordination/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "clientset/kubernetes/coordination/v1/client.h"
#include "clientset/rest/client.h"
#include "controller/cache/cache.h"
#include "controller/cache/cache_options.h"
#include "controller/events/record/event_broadcaster.h"
#include "controller/events/record/event_recorder.h"
#include "controller/leaderelection/healthz_adaptor.h"
#include "controller/leaderelection/identity.h"
#include "controller/leaderelection/leader_elector.h"
#include "controller/leaderelection/lease_lock.h"
#include "controller/leaderelection/run_as_leader.h"
#include "controller/manager/internal/ca_targets.h"
#include "controller/manager/internal/controller_run.h"
#include "controller/manager/internal/leadership.h"
#include "controller/manager/internal/request_meter.h"
#include "controller/manager/managed_controller.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/runnable.h"
#include "webhook/server.h"
#include "webhook/server_options.h"

namespace kube::controller::internal {
namespace {

using base::MutexLock;

// The part of stop_timeout that reconciles may use; what is below them has the rest.
constexpr double kShareOfWorkers = 0.75;

std::shared_ptr<leaderelection::HealthzAdaptor> WatchDogOf(const ManagerOptions& options) {
  if (!options.leader_election.has_value()) return nullptr;
  if (options.leader_election->election.watch_dog != nullptr) {
    return options.leader_election->election.watch_dog;
  }
  return std::make_shared<leaderelection::HealthzAdaptor>(absl::Seconds(20));
}

api::core::v1::EventSource SourceOf(absl::string_view component) {
  api::core::v1::EventSource source;
  source.component = component;
  return source;
}

// The end of the webhook server must leave time for whatever ends with it.
webhook::ServerOptions WebhookOptionsOf(const ManagerOptions& options) {
  webhook::ServerOptions webhooks = options.webhooks;
  if (webhooks.metrics == base::NoOpMetrics()) webhooks.metrics = options.registry;
  webhooks.shutdown_timeout = std::min(webhooks.shutdown_timeout, options.stop_timeout / 4);
  return webhooks;
}

bool WritesAuthority(const webhook::ServerOptions& options) {
  return options.self_signed.has_value() && HasCaTargets(*options.self_signed);
}

std::string MemberOf(const ControllerRun& run) { return absl::StrCat("controller ", run.name()); }
std::string WatchesOf(const ControllerRun& run) { return absl::StrCat("watches of ", run.name()); }

// Returns `first`, with its code and payloads, and the message of `second` behind its own.
absl::Status WithSecond(const absl::Status& first, const absl::Status& second) {
  if (first.ok()) return second;
  if (second.ok()) return first;
  absl::Status both(first.code(), absl::StrCat(first.message(), "; ", second.message()));
  first.ForEachPayload(
      [&both](absl::string_view url, const absl::Cord& payload) { both.SetPayload(url, payload); });
  return both;
}

}  // namespace

ManagerCore::ManagerCore(rest::Client client, ManagerOptions options, rest::Client review_client,
                         std::shared_ptr<const RequestMeter> meter)
    : options_(std::move(options)),
      client_(std::move(client)),
      meter_(std::move(meter)),
      cache_(std::make_unique<Cache>(client_, WithMetrics(options_.cache))),
      broadcaster_(record::BroadcasterOptions{.metrics = options_.registry}),
      recorder_(broadcaster_.NewRecorder({}, SourceOf(options_.name))),
      watch_dog_(WatchDogOf(options_)),
      webhooks_(std::make_unique<webhook::Server>(WebhookOptionsOf(options_))),
      endpoints_(options_.health, options_.metrics, std::move(review_client),
                 {.check_informers = [this] { return CheckInformers(); },
                  .check_webhooks = [this] { return CheckWebhooks(); },
                  .status = [this] { return status(); },
                  .watch_dog = watch_dog_,
                  .registry = options_.registry,
                  .webhooks = webhooks_.get()}),
      servers_("servers", FailFunction()),
      events_("events", FailFunction()),
      before_caches_("before caches", FailFunction()),
      informers_("informers", FailFunction()),
      watches_("informers", FailFunction()),
      always_("always", FailFunction()),
      always_controllers_("always", FailFunction()),
      election_("election", FailFunction()),
      before_work_("before work", FailFunction()),
      leader_("leader", FailFunction()),
      phases_(Steps()) {
  webhooks_->SetReadiness([this] { return CheckWebhookCaches(); });
  if (WritesAuthority(options_.webhooks)) {
    authority_error_ = absl::UnavailableError("webhook authority not written yet");
  }
}

ManagerCore::~ManagerCore() {
  leader_.Shutdown();
  before_work_.Shutdown();
  if (leadership_ != nullptr) leadership_->NoteWorkEnded();
  election_.Shutdown();
  always_controllers_.Shutdown();
  always_.Shutdown();
  watches_.Shutdown();
  informers_.Shutdown();
  before_caches_.Shutdown();
  events_.Shutdown();
  servers_.Shutdown();
  // If the health endpoints were started and their thread was not.
  CancelScope over = WithCancel(Context());
  over.Cancel();
  endpoints_.ServeHealth(over.context()).IgnoreError();
}

absl::StatusOr<std::unique_ptr<ManagerCore>> ManagerCore::Make(
    rest::Client client, ManagerOptions options, rest::Client lease_client,
    rest::Client review_client, std::shared_ptr<const RequestMeter> meter) {
  auto core = std::make_unique<ManagerCore>(std::move(client), std::move(options),
                                            std::move(review_client), std::move(meter));
  KUBE_RETURN_IF_ERROR(core->MakeLeadership(std::move(lease_client)));
  core->AddOwnMembers();
  return core;
}

absl::Status ManagerCore::MakeLeadership(rest::Client lease_client) {
  if (!options_.leader_election.has_value()) return absl::OkStatus();
  const leaderelection::LeaseName& lease = options_.leader_election->lease;
  if (lease.namespace_name.empty()) {
    return absl::InvalidArgumentError(
        "unable to find leader election namespace: set leader_election->lease.namespace_name");
  }
  const auto record_event = [this](const api::coordination::v1::Lease& subject,
                                   absl::string_view reason, absl::string_view note) {
    recorder_->Event(subject, record::kEventTypeNormal, reason, note);
  };
  auto lock = std::make_shared<leaderelection::LeaseLock>(
      api::coordination::v1::LeaseClient(std::move(lease_client), lease.namespace_name),
      lease.name.empty() ? options_.name : lease.name,
      lease.identity.empty() ? leaderelection::UniqueIdentity() : lease.identity,
      leaderelection::LeaseLockOptions{.event_recorder = record_event});
  leaderelection::LeaderElectionOptions election = options_.leader_election->election;
  election.watch_dog = watch_dog_;
  election.metrics = options_.registry;
  KUBE_ASSIGN_OR_RETURN(
      leadership_, Leadership::Make(std::move(lock), std::move(election),
                                    [this](const absl::Status& error) { LoseLeadership(error); }));
  return absl::OkStatus();
}

CacheOptions ManagerCore::WithMetrics(CacheOptions options) const {
  if (options.metrics == base::NoOpMetrics()) options.metrics = options_.registry;
  return options;
}

std::function<void(const absl::Status&)> ManagerCore::FailFunction() {
  return [this](const absl::Status& error) { Fail(error); };
}

void ManagerCore::Fail(const absl::Status& error) {
  {
    MutexLock lock(mutex_);
    if (first_error_.ok()) first_error_ = error;
    if (!run_called_) return;
  }
  running_->Cancel(error);
}

void ManagerCore::LoseLeadership(const absl::Status& error) {
  {
    MutexLock lock(mutex_);
    lost_leadership_ = true;
  }
  Fail(error);
}

RunnableGroup& ManagerCore::GroupOf(Phase phase) {
  switch (phase) {
    case Phase::kServers:
      return servers_;
    case Phase::kBeforeCaches:
      return before_caches_;
    case Phase::kAlways:
      return always_;
    case Phase::kLeader:
      break;
  }
  return leader_;
}

absl::Status ManagerCore::Add(std::string name, std::function<absl::Status(const Context&)> run,
                              RunnableOptions options) {
  {
    // Not only the group of the phase decides, which may end later, or may never have started.
    MutexLock lock(mutex_);
    if (stopping_) {
      return absl::FailedPreconditionError(absl::StrCat(
          "add \"", name, "\": can't accept new runnable as stop procedure is already engaged"));
    }
  }
  return GroupOf(options.phase)
      .Add(
          {.name = std::move(name),
           .run = [run = std::move(run)](const Context& take, const Context&) { return run(take); },
           .may_end = options.may_end});
}

void ManagerCore::BeforeWork(std::function<absl::Status(const Context&)> init) {
  MutexLock lock(mutex_);
  before_work_functions_.push_back(std::move(init));
}

absl::Status ManagerCore::Register(ManagedController& controller) {
  const auto failed_start = [this](const absl::Status& error) {
    if (options_.fail_fast) Fail(error);
  };
  const auto run =
      std::make_shared<ControllerRun>(controller, options_.start_timeout, failed_start);
  absl::Status error;
  {
    MutexLock lock(mutex_);
    for (const std::shared_ptr<ControllerRun>& other : runs_) {
      if (other->name() != run->name()) continue;
      error = absl::AlreadyExistsError(absl::StrCat("register controller \"", run->name(),
                                                    "\": controller names must be unique"));
    }
    if (error.ok()) runs_.push_back(run);
  }
  if (error.ok()) {
    error = AddMembers(run);
    if (error.ok()) return error;
    run->Detach();
    Forget(controller);
  }
  if (!absl::IsAlreadyExists(error)) return error;
  {
    MutexLock lock(mutex_);
    if (setup_error_.ok()) setup_error_ = error;
  }
  Fail(error);
  return error;
}

absl::Status ManagerCore::AddMembers(const std::shared_ptr<ControllerRun>& run) {
  if (run->starts_early()) {
    KUBE_RETURN_IF_ERROR(watches_.Add(
        {.name = WatchesOf(*run),
         .run = [run](const Context& take, const Context&) { return run->Watch(take); },
         .may_end = true}));
  }
  RunnableGroup& group = run->needs_leadership() ? leader_ : always_controllers_;
  const absl::Status added = group.Add(
      {.name = MemberOf(*run),
       .run = [run](const Context& take, const Context& work) { return run->Work(take, work); },
       .may_end = true,
       .where = [run] { return run->Where(); }});
  // Only what was added here: a member of the group with this name is somebody else's.
  if (!added.ok() && run->starts_early()) watches_.Remove(WatchesOf(*run));
  return added;
}

void ManagerCore::Unregister(ManagedController& controller) {
  std::shared_ptr<ControllerRun> run;
  for (const std::shared_ptr<ControllerRun>& one : AllRuns()) {
    if (one->IsFor(controller)) run = one;
  }
  if (run == nullptr) return;
  // The workers first, as they wait for the watches.
  (run->needs_leadership() ? leader_ : always_controllers_).Remove(MemberOf(*run));
  if (run->starts_early()) watches_.Remove(WatchesOf(*run));
  run->Detach();
  Forget(controller);
}

void ManagerCore::Forget(const ManagedController& controller) {
  MutexLock lock(mutex_);
  for (Runs* runs : {&runs_, &webhook_runs_}) {
    std::erase_if(*runs, [&controller](const std::shared_ptr<ControllerRun>& run) {
      return run->IsFor(controller);
    });
  }
}

absl::StatusOr<Cache*> ManagerCore::AddCluster(rest::Client client, std::string name,
                                               CacheOptions options) {
  if (name.empty()) return absl::InvalidArgumentError("add cluster: it needs a name");
  MutexLock lock(mutex_);
  if (stopping_) {
    return absl::FailedPreconditionError(
        absl::StrCat("add cluster \"", name, "\": the manager is ending"));
  }
  for (const Cluster& other : clusters_) {
    if (other.name != name) continue;
    return absl::AlreadyExistsError(
        absl::StrCat("add cluster \"", name, "\": there is another one of that name"));
  }
  options.name = name;
  clusters_.push_back(
      {.name = std::move(name),
       .cache = std::make_unique<Cache>(std::move(client), WithMetrics(std::move(options)))});
  return clusters_.back().cache.get();
}

absl::Status ManagerCore::BeginRun(const Context& ctx) {
  MutexLock lock(mutex_);
  if (run_called_) return absl::FailedPreconditionError("manager already started");
  KUBE_RETURN_IF_ERROR(setup_error_);
  KUBE_RETURN_IF_ERROR(webhooks_->CheckRegistrations());
  base_ = WithoutCancel(ctx);
  running_.emplace(WithCancel(ctx));
  run_called_ = true;
  started_ = base::WallNow();
  return absl::OkStatus();
}

absl::Status ManagerCore::Run(const Context& ctx) {
  KUBE_RETURN_IF_ERROR(BeginRun(ctx), "run manager \"", options_.name, "\"");
  NoteDeclared();
  log::Info("Starting manager", {{"manager", options_.name}});
  const Context running = running_->context();
  const absl::Status started = phases_.Start(running);
  if (!started.ok() && !running.done()) Fail(started);
  base::WaitUntilDone(running).IgnoreError();
  return End();
}

absl::Status ManagerCore::End() {
  bool lost = false;
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    lost = lost_leadership_;
  }
  log::Info("Stopping and waiting for controllers, caches and servers",
            {{"manager", options_.name}});
  const absl::Duration drain = lost ? absl::ZeroDuration() : options_.drain_timeout;
  stop_.drain = WithTimeout(base_, drain);
  stop_.workers = WithTimeout(base_, drain + options_.stop_timeout * kShareOfWorkers);
  leader_.StopTaking();
  always_controllers_.StopTaking();
  const absl::Status stopped = phases_.Stop(WithTimeout(base_, drain + options_.stop_timeout));
  log::Info("Manager has ended", {{"manager", options_.name}});
  return Outcome(stopped);
}

absl::Status ManagerCore::Outcome(const absl::Status& stopped) const {
  absl::Status error;
  {
    MutexLock lock(mutex_);
    error = first_error_;
  }
  if (error.ok()) {
    std::vector<absl::Status> failed_starts;
    for (const std::shared_ptr<ControllerRun>& run : AllRuns()) {
      failed_starts.push_back(run->start_error());
    }
    error = base::JoinErrors(failed_starts);
  }
  return WithSecond(error, stopped);
}

ManagerCore::Runs ManagerCore::AllRuns() const {
  MutexLock lock(mutex_);
  return runs_;
}

std::vector<Cache*> ManagerCore::AllCaches() const {
  std::vector<Cache*> caches = {cache_.get()};
  MutexLock lock(mutex_);
  for (const Cluster& cluster : clusters_) caches.push_back(cluster.cache.get());
  return caches;
}

}  // namespace kube::controller::internal
