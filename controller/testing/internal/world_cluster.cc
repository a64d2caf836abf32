#include "controller/testing/internal/world_cluster.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/sim_wall_clock.h"
#include "apimachinery/base/wait.h"
#include "apiserver/handler.h"
#include "apiserver/user.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/manager_status.h"
#include "controller/testing/internal/logged_object.h"
#include "controller/testing/internal/operator_setup.h"
#include "controller/testing/internal/world_replica.h"
#include "controller/testing/internal/world_settlement.h"
#include "controller/testing/internal/world_troubles.h"
#include "controller/testing/operator_world_options.h"
#include "envtest/crds.h"
#include "envtest/in_process_transport.h"
#include "envtest/service_account.h"
#include "envtest/webhook_host.h"
#include "envtest/webhooks.h"
#include "envtest/workloads/workloads.h"
#include "webhook/server.h"

namespace kube::controller::internal {
namespace {

constexpr absl::Duration kPollInterval = absl::Milliseconds(100);
// How long the operator may take until it works for the first time.
constexpr absl::Duration kStartTimeout = absl::Minutes(5);
// Time between two samples of Settle. Whatever goes on without a queue, such as a watch that begins
// again, is over in this time.
constexpr absl::Duration kSampleInterval = absl::Seconds(30);
// How long nothing may have changed if something is always queued, because the operator looks after
// its objects from time to time: more than the longest back-off of a controller.
constexpr absl::Duration kLongestPause = absl::Minutes(20);
// More requests than an operator sends after its faults have ended, unless it never comes to rest.
constexpr size_t kTooManyRequests = 10'000;
// The number of requests that the server keeps, so that audits see all.
constexpr size_t kLoggedRequests = 2'000'000;
// How much of each written object the log has: objects of tests are small.
constexpr size_t kLoggedObjectBytes = size_t{256} << 10;
// Longer than a run.
constexpr absl::Duration kTokenLifetime = absl::Hours(24);

apiserver::HandlerOptions ServerOptions(const OperatorWorldOptions& options) {
  apiserver::HandlerOptions server = options.server;
  if (options.account.has_value()) server.authorization = apiserver::Authorization::kRbac;
  server.max_logged_requests = std::max(server.max_logged_requests, kLoggedRequests);
  server.max_logged_object_bytes = std::max(server.max_logged_object_bytes, kLoggedObjectBytes);
  return server;
}

// Returns whether the request has changed an object other than those that a manager writes for
// itself.
bool ChangesObject(const apiserver::LoggedRequest& request) {
  return request.changed && !IsEvent(request) && !IsLease(request);
}

bool IsOfReplica(const apiserver::LoggedRequest& request) {
  return absl::StartsWith(request.user_agent, kReplicaPrefix);
}

bool IsBusy(const QueueStatus& queue) {
  return queue.ready + queue.delayed + queue.parked + queue.in_work != 0;
}

}  // namespace

WorldCluster::WorldCluster(const OperatorWorldOptions& options,
                           const std::vector<MakeOperator>& operators, WorldFault fault,
                           base::SimWallClock& clock)
    : options_(options),
      operators_(operators),
      fault_(fault),
      clock_(clock),
      server_(ServerOptions(options)),
      admin_(envtest::InProcessConfig(server_)) {}

absl::Status WorldCluster::Start() {
  KUBE_RETURN_IF_ERROR(Connect());
  KUBE_RETURN_IF_ERROR(Probe());
  KUBE_RETURN_IF_ERROR(Install());
  KUBE_RETURN_IF_ERROR(StartReplicas());
  KUBE_RETURN_IF_ERROR(AwaitWork(), "start operator");
  KUBE_RETURN_IF_ERROR(InstallHooks());
  return troubles_->Begin();
}

absl::Status WorldCluster::Connect() {
  KUBE_ASSIGN_OR_RETURN(client_, rest::MakeClient(admin_));
  if (!options_.account.has_value()) {
    operator_ = envtest::InProcessConfig(
        server_, {.name = "operator", .groups = envtest::AdminUser().groups});
    return absl::OkStatus();
  }
  envtest::ServiceAccountOptions account = *options_.account;
  account.token_lifetime = std::max(account.token_lifetime, kTokenLifetime);
  KUBE_ASSIGN_OR_RETURN(operator_, envtest::ServiceAccountConfig(ForAStep(), admin_, account));
  return absl::OkStatus();
}

// Makes the operators once without running them, to learn what they register: definitions that they
// convert must say so before they run.
absl::Status WorldCluster::Probe() {
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<Manager> manager,
                        Manager::Make(operator_, OptionsOfReplicas().manager));
  std::vector<std::shared_ptr<void>> operators;
  for (const MakeOperator& make : operators_) operators.push_back(make(*manager));
  registrations_ = manager->webhooks().registrations();
  const bool serves = manager->webhooks().has_webhooks();
  while (!operators.empty()) operators.pop_back();
  if (!serves && !options_.webhooks.empty()) {
    return absl::FailedPreconditionError(
        "start operator: there are configurations of webhooks, but the operator has none");
  }
  if (serves) host_ = envtest::WebhookHost::InProcess(webhooks_, server_);
  return absl::OkStatus();
}

absl::Status WorldCluster::Install() {
  KUBE_ASSIGN_OR_RETURN(const envtest::CrdOptions crds,
                        DefinitionsOf(options_.crds, host_.get(), registrations_));
  KUBE_RETURN_IF_ERROR(envtest::InstallCrds(ForAStep(), client(), crds));
  if (!options_.workloads.has_value()) return absl::OkStatus();
  KUBE_ASSIGN_OR_RETURN(workloads_, envtest::Workloads::Start(admin_, *options_.workloads));
  return absl::OkStatus();
}

ReplicaOptions WorldCluster::OptionsOfReplicas() {
  ReplicaOptions replica = {.config = operator_,
                            .manager = TestedManagerOptions(options_.manager),
                            .operators = operators_,
                            .webhooks = &webhooks_};
  replica.manager.health.reset();
  replica.manager.metrics.reset();
  replica.manager.registry = nullptr;
  // A controller that cannot start, because of a fault, would not be started again otherwise.
  replica.manager.fail_fast = true;
  if (options_.replicas > 1) {
    if (!replica.manager.leader_election.has_value()) replica.manager.leader_election.emplace();
    std::string& where = replica.manager.leader_election->lease.namespace_name;
    if (where.empty()) where = "default";
  }
  return replica;
}

absl::Status WorldCluster::StartReplicas() {
  for (int i = 0; i < std::max(options_.replicas, 1); ++i) {
    replicas_.push_back(
        std::make_unique<WorldReplica>(absl::StrCat(kReplicaPrefix, i), OptionsOfReplicas()));
  }
  troubles_.emplace(server_, replicas_, clock_,
                    TroubleOptions{.fault = fault_,
                                   .restarts = options_.restarts,
                                   .leader_changes = options_.replicas > 1,
                                   .clock_jumps = options_.clock_jumps});
  for (const std::unique_ptr<WorldReplica>& each : replicas_) KUBE_RETURN_IF_ERROR(each->Start());
  return absl::OkStatus();
}

absl::Status WorldCluster::AwaitWork() {
  std::string missing;
  const absl::Status waited =
      base::PollUntilTimeout(Context(), kPollInterval, kStartTimeout, base::FirstPoll::kAtOnce,
                             [this, &missing](const Context&) -> absl::StatusOr<bool> {
                               missing = Missing();
                               // A webhook that is not ready would refuse what the scenario writes.
                               if (missing.empty() && host_ != nullptr && !webhooks_.IsReady()) {
                                 missing = "no webhook is ready";
                               }
                               return missing.empty();
                             });
  if (waited.ok()) return absl::OkStatus();
  return absl::DeadlineExceededError(absl::StrCat("the operator does not work after ",
                                                  absl::FormatDuration(kStartTimeout), ": ",
                                                  missing, LastEnds()));
}

absl::Status WorldCluster::InstallHooks() {
  if (host_ == nullptr) return absl::OkStatus();
  envtest::WebhookOptions hooks = options_.webhooks;
  if (hooks.empty()) {
    KUBE_ASSIGN_OR_RETURN(hooks, ConfigurationsOf(registrations_));
  }
  if (hooks.empty()) return absl::OkStatus();
  KUBE_ASSIGN_OR_RETURN(installed_webhooks_,
                        envtest::InstallWebhooks(ForAStep(), client(), *host_, hooks));
  return absl::OkStatus();
}

Settlement WorldCluster::Settle() {
  base::SleepFor(Context(), options_.fault_time * base::UniformDouble()).IgnoreError();
  troubles_->End();
  BeginSamples();
  settle_mark_ = log_mark_;
  const base::MonotonicTime begin = base::Now();
  base::MonotonicTime last_change = begin;
  Sample last = TakeSample();
  while (true) {
    base::SleepFor(Context(), kSampleInterval).IgnoreError();
    Sample now = TakeSample();
    if (std::optional<Settlement> alarm = Alarm(now); alarm.has_value()) return *alarm;
    if (now.changes != last.changes) last_change = base::Now();
    const bool quiet = now.changes == last.changes && now.idle && last.idle;
    last = std::move(now);
    if (Missing().empty() && (quiet || base::Now() - last_change >= kLongestPause)) return {};
    if (base::Now() - begin < options_.settle_timeout) continue;
    const std::string missing = Missing();
    return {.settled = Settled::kNotYet,
            .message = absl::StrCat(
                "after ", absl::FormatDuration(options_.settle_timeout), " without faults ",
                missing.empty() ? absl::StrCat("objects change: ", last.last_change) : missing,
                LastEnds())};
  }
}

Settlement WorldCluster::Watch() {
  BeginSamples();
  settled_ = base::WallNow();
  const base::MonotonicTime begin = base::Now();
  while (base::Now() - begin < options_.quiet_time) {
    base::SleepFor(Context(), std::min(absl::Minutes(1), options_.quiet_time)).IgnoreError();
    if (std::optional<Settlement> alarm = Alarm(TakeSample()); alarm.has_value()) return *alarm;
  }
  return {};
}

std::optional<Settlement> WorldCluster::Alarm(const Sample& sample) {
  if (std::string what = NeverEnds(); !what.empty()) {
    return Settlement{.settled = Settled::kNeverEnds, .message = std::move(what)};
  }
  if (sample.requests > kTooManyRequests) {
    return Settlement{.settled = Settled::kTooBusy,
                      .message = absl::StrCat("the operator has sent ", sample.requests,
                                              " requests since the faults have ended; the last ",
                                              "change was ", sample.last_change)};
  }
  return std::nullopt;
}

bool WorldCluster::Stop() {
  if (!client_.has_value()) return true;  // nothing was started
  if (troubles_.has_value()) troubles_->End();
  envtest::UninstallWebhooks(ForAStep(), client(), installed_webhooks_).IgnoreError();
  for (const std::unique_ptr<WorldReplica>& each : replicas_) each->RequestStop();
  for (const std::unique_ptr<WorldReplica>& each : replicas_) {
    if (!each->AwaitEnd(options_.reconcile_bound)) return false;
  }
  host_.reset();
  return true;
}

std::string WorldCluster::user() const {
  for (const apiserver::LoggedRequest& each : server_.Requests()) {
    if (IsOfReplica(each) && !each.user.empty()) return each.user;
  }
  return "";
}

std::string WorldCluster::LastEnds() const {
  std::string text;
  for (const std::unique_ptr<WorldReplica>& each : replicas_) {
    const absl::Status end = each->last_end();
    if (!end.ok()) absl::StrAppend(&text, "; a program has ended: ", end.message());
  }
  return text;
}

void WorldCluster::BeginSamples() {
  log_mark_ = read_ = server_.request_count();
  counted_ = Sample();
}

WorldCluster::Sample WorldCluster::TakeSample() {
  // A scenario may have cleared the log.
  if (server_.request_count() < read_) read_ = 0;
  for (const apiserver::LoggedRequest& each : server_.Requests(read_)) {
    ++read_;
    if (IsOfReplica(each)) ++counted_.requests;
    if (!ChangesObject(each)) continue;
    ++counted_.changes;
    counted_.last_change = absl::StrCat(each.verb, " ", each.target, " by ", each.user_agent);
  }
  counted_.idle = IsIdle();
  return counted_;
}

// One replica has to do everything; the others wait for leadership.
std::string WorldCluster::Missing() const {
  std::string missing = "no program of the operator runs";
  for (const std::unique_ptr<WorldReplica>& each : replicas_) {
    const std::optional<ManagerStatus> status = each->status();
    if (!status.has_value()) continue;
    missing = WhatIsMissing(*status, /*caches=*/true);
    if (missing.empty()) break;
  }
  return missing;
}

bool WorldCluster::IsIdle() const {
  for (const std::unique_ptr<WorldReplica>& each : replicas_) {
    const std::optional<ManagerStatus> status = each->status();
    if (!status.has_value()) return false;
    for (const ControllerStatus& controller : status->controllers) {
      // Those of a replica that does not lead have keys, and do nothing.
      if (controller.running && IsBusy(controller.queue)) return false;
    }
  }
  return true;
}

std::string WorldCluster::NeverEnds() {
  std::map<std::string, base::MonotonicTime> in_work;
  std::string never;
  for (const std::unique_ptr<WorldReplica>& each : replicas_) {
    const absl::Status stuck = each->StuckFor(options_.reconcile_bound);
    if (!stuck.ok()) never = std::string(stuck.message());
    const std::optional<ManagerStatus> status = each->status();
    if (!status.has_value()) continue;
    const std::string program = each->program();
    for (const ControllerStatus& controller : status->controllers) {
      for (const WorkerStatus& worker : controller.workers) {
        if (worker.key.empty()) continue;
        const std::string work =
            absl::StrCat(program, " ", controller.name, " \"", worker.key, "\" since ",
                         absl::FormatTime(worker.since, absl::UTCTimeZone()));
        const auto known = in_work_.find(work);
        const base::MonotonicTime since = known == in_work_.end() ? base::Now() : known->second;
        in_work[work] = since;
        if (base::Now() - since < options_.reconcile_bound) continue;
        never = absl::StrCat("a reconcile has not ended for ",
                             absl::FormatDuration(options_.reconcile_bound), ": ", work,
                             worker.where.empty() ? "" : ", in ", worker.where);
      }
    }
  }
  in_work_ = std::move(in_work);
  return never;
}

}  // namespace kube::controller::internal
