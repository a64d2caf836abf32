#include "controller/testing/internal/world_troubles.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/sim_wall_clock.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apiserver/fault_rule.h"
#include "apiserver/handler.h"
#include "controller/manager/manager_status.h"
#include "controller/testing/internal/world_replica.h"
#include "controller/testing/operator_world_options.h"

namespace kube::controller::internal {

namespace fault = apiserver::fault;
using apiserver::Fault;
using apiserver::FaultRule;
using Verbs = std::vector<std::string>;

namespace {

// How long each request of a replica takes at least; at most twice as long.
constexpr absl::Duration kLatency = absl::Milliseconds(2);
// The maximum duration of a strike, and of the pause between two.
constexpr absl::Duration kStrike = absl::Seconds(30);
constexpr absl::Duration kPause = absl::Seconds(15);
// How far the time of day is off at most.
constexpr absl::Duration kJump = absl::Minutes(5);
// More revisions than a run has.
constexpr int64_t kAllRevisions = 1'000'000;

absl::Duration UpTo(absl::Duration most) { return most * base::UniformDouble(); }

FaultRule Some(double probability, Fault what, Verbs verbs = {}) {
  return {.verbs = std::move(verbs), .probability = probability, .fault = std::move(what)};
}

Verbs Writes() { return {"create", "update", "patch", "delete"}; }

Fault Conflict() {
  return fault::Error{errors::Conflict({.resource = "objects"}, "it", "injected fault")};
}

std::vector<FaultRule> AllRules() {
  return {
      Some(0.1, fault::Delay{.time = absl::Milliseconds(300), .jitter = 9}),
      Some(0.03, fault::Delay{.time = absl::Seconds(20), .after_commit = true}),
      Some(0.03, fault::Drop{}),
      Some(0.03, fault::Drop{.after_commit = true}),
      Some(0.03, fault::Error{errors::TooManyRequests("slowly", absl::Seconds(1))}),
      Some(0.03, fault::Error{errors::InternalError("injected fault")}),
      Some(0.03, Conflict(), {"update", "patch"}),
      Some(0.01, fault::CloseWatch{}, {"watch"}),
      Some(0.01, fault::BreakWatch{}, {"watch"}),
      Some(0.01, fault::ExpireWatch{}, {"watch"}),
      Some(0.05, fault::DuplicateEvent{}, {"watch"}),
  };
}

// Returns the rules that hold for the requests of all replicas as long as the troubles last.
std::vector<FaultRule> RulesOf(WorldFault kind) {
  switch (kind) {
    case WorldFault::kSlowServer:
      return {Some(0.5, fault::Delay{.time = absl::Milliseconds(300), .jitter = 9}),
              Some(0.05, fault::Delay{.time = absl::Seconds(40)})};
    case WorldFault::kSlowAnswers:
      return {Some(0.3, fault::Delay{.time = absl::Seconds(10), .after_commit = true}, Writes())};
    case WorldFault::kLostRequests:
      return {Some(0.25, fault::Drop{})};
    case WorldFault::kLostAnswers:
      return {Some(0.4, fault::Drop{.after_commit = true}, Writes())};
    case WorldFault::kServerErrors:
      return {Some(0.15, fault::Error{errors::InternalError("injected fault")}),
              Some(0.15, fault::Error{errors::ServiceUnavailable("injected fault")})};
    case WorldFault::kThrottling:
      return {Some(0.15, fault::Error{errors::TooManyRequestsError("slowly")}),
              Some(0.15, fault::Error{errors::TooManyRequests("slowly", absl::Seconds(5))})};
    case WorldFault::kConflicts:
      return {Some(0.5, Conflict(), {"update", "patch"})};
    case WorldFault::kExpiredWatches:
      return {Some(0.25, fault::Error{errors::ResourceExpired("too old")}, {"list", "watch"}),
              Some(0.1, fault::ExpireWatch{}, {"watch"})};
    case WorldFault::kBrokenWatches:
      return {Some(0.1, fault::CloseWatch{}, {"watch"}), Some(0.1, fault::BreakWatch{}, {"watch"})};
    case WorldFault::kRepeatedEvents:
      return {Some(0.5, fault::DuplicateEvent{}, {"watch"}), Some(1, fault::Bookmarks{})};
    case WorldFault::kEverything:
      return AllRules();
    default:
      return {};
  }
}

}  // namespace

WorldTroubles::WorldTroubles(apiserver::ApiHandler& server,
                             const std::vector<std::unique_ptr<WorldReplica>>& replicas,
                             base::SimWallClock& clock, const TroubleOptions& options)
    : server_(server), replicas_(replicas), clock_(clock), options_(options) {
  AddLatency();
}

// Without it, an operator that never rests would do so at one moment of the virtual time.
void WorldTroubles::AddLatency() {
  FaultRule rule = Some(1, fault::Delay{.time = kLatency, .jitter = 1});
  rule.user_agent = kReplicaPrefix;
  rule.seed = base::Runtime::Current().Random();
  server_.faults().Add(std::move(rule));
}

absl::Status WorldTroubles::Begin() {
  if (thread_.joinable()) return absl::OkStatus();
  for (FaultRule rule : RulesOf(options_.fault)) {
    rule.user_agent = kReplicaPrefix;
    rule.seed = base::Runtime::Current().Random();
    server_.faults().Add(std::move(rule));
  }
  return thread_.Start(Context(), "troubles",
                       [this](const Context& ctx) { StrikeAgainAndAgain(ctx); });
}

void WorldTroubles::End() {
  if (!thread_.joinable()) return;
  thread_.RequestStop();
  thread_.Join();
  server_.faults().Clear();
  AddLatency();
  server_.faults().BreakConnections(kReplicaPrefix);
}

std::vector<WorldTroubles::Strike> WorldTroubles::Strikes() const {
  std::vector<Strike> strikes;
  const auto add = [this, &strikes](WorldFault kind, const std::vector<Strike>& added) {
    if (options_.fault != kind && options_.fault != WorldFault::kEverything) return;
    strikes.insert(strikes.end(), added.begin(), added.end());
  };
  add(WorldFault::kUnreachable, {&WorldTroubles::Refuse, &WorldTroubles::Silence});
  add(WorldFault::kLaggingCaches, {&WorldTroubles::Lag});
  add(WorldFault::kStalledWatches, {&WorldTroubles::Stall});
  add(WorldFault::kExpiredWatches, {&WorldTroubles::Expire});
  add(WorldFault::kBrokenWatches, {&WorldTroubles::BreakWatches});
  add(WorldFault::kServerRestarts, {&WorldTroubles::RestartServer});
  if (options_.restarts) strikes.push_back(&WorldTroubles::Restart);
  if (options_.leader_changes) strikes.push_back(&WorldTroubles::LoseLeadership);
  if (options_.clock_jumps) strikes.push_back(&WorldTroubles::JumpClock);
  return strikes;
}

void WorldTroubles::StrikeAgainAndAgain(const Context& ctx) {
  const std::vector<Strike> strikes = Strikes();
  if (strikes.empty()) return;
  while (base::SleepFor(ctx, UpTo(kPause)).ok()) {
    const int64_t number = base::UniformInt(0, static_cast<int64_t>(strikes.size()));
    (this->*strikes[static_cast<size_t>(number)])(ctx).IgnoreError();
  }
}

WorldReplica& WorldTroubles::AnyReplica() const {
  const int64_t number = base::UniformInt(0, static_cast<int64_t>(replicas_.size()));
  return *replicas_[static_cast<size_t>(number)];
}

// Returns the plural of a resource that a replica watches; "" if it watches nothing.
std::string WorldTroubles::AnyWatchedResource() const {
  const std::optional<ManagerStatus> status = AnyReplica().status();
  if (!status.has_value() || status->informers.empty()) return "";
  const auto count = static_cast<int64_t>(status->informers.size());
  const std::string& resource =
      status->informers[static_cast<size_t>(base::UniformInt(0, count))].resource;
  // "deployments.apps/v1"
  return resource.substr(0, resource.find_first_of("./"));
}

absl::Status WorldTroubles::While(const Context& ctx, FaultRule rule, absl::Duration most) {
  if (rule.user_agent.empty()) rule.user_agent = kReplicaPrefix;
  const apiserver::FaultId id = server_.faults().Add(std::move(rule));
  const absl::Status status = base::SleepFor(ctx, UpTo(most));
  server_.faults().Remove(id);
  return status;
}

// Fails the renewals of one replica until it would have lost the lease, if it leads.
absl::Status WorldTroubles::LoseLeadership(const Context& ctx) {
  return While(ctx,
               {.resource = "leases",
                .user_agent = AnyReplica().name() + "#",
                .fault = fault::Error{errors::InternalError("injected fault")}},
               2 * kStrike);
}

absl::Status WorldTroubles::Restart(const Context&) {
  AnyReplica().Restart();
  return absl::OkStatus();
}

absl::Status WorldTroubles::JumpClock(const Context&) {
  const absl::Duration offset = UpTo(2 * kJump) - kJump;
  clock_.Jump(offset - clock_.offset());
  return absl::OkStatus();
}

absl::Status WorldTroubles::Refuse(const Context& ctx) {
  return While(ctx, {.fault = fault::Partition{.refuse = true}}, kStrike);
}

absl::Status WorldTroubles::Silence(const Context& ctx) {
  return While(ctx, {.fault = fault::Partition{}}, kStrike);
}

// Delays the events of one resource, for all replicas.
absl::Status WorldTroubles::Lag(const Context& ctx) {
  return While(ctx,
               {.verbs = {"watch"},
                .resource = AnyWatchedResource(),
                .fault = fault::Lag{.revisions = kAllRevisions}},
               kStrike);
}

absl::Status WorldTroubles::Stall(const Context& ctx) {
  return While(ctx,
               {.verbs = {"watch"}, .resource = AnyWatchedResource(), .fault = fault::StallWatch{}},
               kStrike);
}

// Clients that resume from a resource version get 410.
absl::Status WorldTroubles::Expire(const Context& ctx) {
  server_.faults().CloseWatches(kReplicaPrefix);
  return While(ctx,
               {.verbs = {"watch"},
                .times = base::UniformInt(1, 6),
                .fault = fault::Error{errors::ResourceExpired("too old resource version")}},
               kStrike);
}

absl::Status WorldTroubles::BreakWatches(const Context&) {
  if (base::UniformInt(0, 2) == 0) {
    server_.faults().CloseWatches(kReplicaPrefix);
  } else {
    server_.faults().BreakConnections(kReplicaPrefix);
  }
  return absl::OkStatus();
}

// What replicas see of a restart that keeps the data. ApiHandler::Restart would abort what the
// scenario waits for, too.
absl::Status WorldTroubles::RestartServer(const Context&) {
  server_.faults().BreakConnections(kReplicaPrefix);
  return absl::OkStatus();
}

}  // namespace kube::controller::internal
