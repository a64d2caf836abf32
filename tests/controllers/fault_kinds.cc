#include "tests/controllers/fault_kinds.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apiserver/fault_rule.h"
#include "apiserver/handler.h"
#include "apiserver/user.h"
#include "tests/controllers/operator_cluster.h"

namespace kube::controllers {

namespace fault = apiserver::fault;
using apiserver::Fault;
using apiserver::FaultRule;
using Verbs = std::vector<std::string>;

bool Chance(double probability) { return base::UniformDouble() < probability; }

absl::Duration UpTo(absl::Duration most) { return most * base::UniformDouble(); }

namespace {

// The maximum duration of a strike, and of the pause between two.
constexpr absl::Duration kStrike = absl::Seconds(30);
constexpr absl::Duration kPause = absl::Seconds(15);
// Longer than any cache is behind in a kind with `creates_once`.
constexpr absl::Duration kShortLag = absl::Seconds(5);

FaultRule Some(double probability, Fault what, Verbs verbs = {}) {
  return {.verbs = std::move(verbs), .probability = probability, .fault = std::move(what)};
}

Verbs Writes() { return {"create", "update", "patch", "delete"}; }
Verbs Reads() { return {"get", "list", "watch"}; }
const char* AnyResource() { return Chance(0.5) ? "configmaps" : "secrets"; }

// ---- strikes

absl::Status While(const Context& ctx, OperatorCluster& cluster, FaultRule rule,
                   absl::Duration most) {
  rule.user_agent = kAgent;
  const apiserver::FaultId id = cluster.server().faults().Add(std::move(rule));
  const absl::Status status = base::SleepFor(ctx, UpTo(most));
  cluster.server().faults().Remove(id);
  return status;
}

// Fails the renewals of one replica until it would have lost the lease, if it leads.
absl::Status LoseLeadership(const Context& ctx, OperatorCluster& cluster) {
  const std::string& user = cluster.AnyReplica().user();
  cluster.recorder().Tell(user + " cannot renew its lease");
  return While(ctx, cluster,
               {.resource = "leases",
                .user = user,
                .fault = fault::Error{errors::InternalError("no lease for you")}},
               2 * kStrike);
}

absl::Status RestartReplica(const Context&, OperatorCluster& cluster) {
  cluster.AnyReplica().Restart();
  return absl::OkStatus();
}

// Delays the events of one resource, for both replicas.
absl::Status LagShortly(const Context& ctx, OperatorCluster& cluster) {
  return While(
      ctx, cluster,
      {.verbs = {"watch"}, .resource = AnyResource(), .fault = fault::Lag{.revisions = 1'000'000}},
      kShortLag);
}

absl::Status Refuse(const Context& ctx, OperatorCluster& cluster) {
  return While(ctx, cluster, {.fault = fault::Partition{.refuse = true}}, kStrike);
}

absl::Status Silence(const Context& ctx, OperatorCluster& cluster) {
  return While(ctx, cluster, {.fault = fault::Partition{}}, kStrike);
}

// Cuts off one replica, which the other one cannot notice.
absl::Status CutOneOff(const Context& ctx, OperatorCluster& cluster) {
  return While(
      ctx, cluster,
      {.user = cluster.AnyReplica().user(), .fault = fault::Partition{.refuse = Chance(0.5)}},
      kStrike);
}

// Stalls the watches of one resource; the others go on.
absl::Status Stall(const Context& ctx, OperatorCluster& cluster) {
  return While(ctx, cluster,
               {.verbs = {"watch"}, .resource = AnyResource(), .fault = fault::StallWatch{}},
               kStrike);
}

// Lets reads and watches of one resource be stale.
absl::Status Lag(const Context& ctx, OperatorCluster& cluster) {
  return While(ctx, cluster,
               {.verbs = Reads(),
                .resource = AnyResource(),
                .fault = fault::Lag{.revisions = base::UniformInt(1, 60)}},
               kStrike);
}

absl::Status CloseWatches(const Context&, OperatorCluster& cluster) {
  cluster.server().faults().CloseWatches();
  return absl::OkStatus();
}

absl::Status BreakConnections(const Context&, OperatorCluster& cluster) {
  cluster.server().faults().BreakConnections();
  return absl::OkStatus();
}

// Clients that resume from a resource version get 410.
absl::Status ForgetHistory(const Context& ctx, OperatorCluster& cluster) {
  cluster.server().faults().CloseWatches();
  return While(ctx, cluster,
               {.verbs = {"watch"},
                .times = base::UniformInt(1, 6),
                .fault = fault::Error{errors::ResourceExpired("too old resource version")}},
               kStrike);
}

absl::Status RestartServer(const Context&, OperatorCluster& cluster) {
  cluster.server().Restart();
  return absl::OkStatus();
}

// Denies a part of what the replicas need.
absl::Status Deny(const Context& ctx, OperatorCluster& cluster) {
  const std::vector<apiserver::DenyRule> rights = {
      {.verb = "list"},           {.verb = "watch"},       {.verb = "create"},
      {.verb = "patch"},          {.verb = "get"},         {.verb = "delete"},
      {.resource = "configmaps"}, {.resource = "secrets"}, {},
  };
  std::vector<apiserver::DenyRule> denied;
  for (size_t i = 0; i < cluster.replicas(); ++i) {
    for (apiserver::DenyRule rule : rights) {
      if (!Chance(0.2)) continue;
      rule.user = cluster.replica(i).user();
      denied.push_back(std::move(rule));
    }
  }
  cluster.server().SetDenyRules(std::move(denied));
  // Watches have to be authorized again.
  cluster.server().faults().CloseWatches();
  const absl::Status status = base::SleepFor(ctx, UpTo(kStrike));
  cluster.server().SetDenyRules({});
  return status;
}

// ---- rules

Fault Conflict() { return fault::Error{errors::Conflict({.resource = "configmaps"}, "a", "late")}; }

std::vector<FaultRule> AllRules() {
  return {
      Some(0.1, fault::Delay{.time = absl::Milliseconds(300), .jitter = 9}),
      Some(0.03, fault::Delay{.time = absl::Seconds(20), .after_commit = true}),
      Some(0.03, fault::Drop{}),
      Some(0.03, fault::Drop{.after_commit = true}),
      Some(0.03, fault::Error{errors::TooManyRequests("slowly", absl::Seconds(1))}),
      Some(0.03, fault::Error{errors::InternalError("etcd")}),
      Some(0.03, Conflict(), {"update", "patch"}),
      Some(0.01, fault::StallWatch{}, {"watch"}),
      Some(0.01, fault::CloseWatch{}, {"watch"}),
      Some(0.01, fault::BreakWatch{}, {"watch"}),
      Some(0.01, fault::ExpireWatch{}, {"watch"}),
      Some(0.05, fault::DuplicateEvent{}, {"watch"}),
  };
}

std::vector<FaultKind::Strike> AllStrikes() {
  return {RestartReplica, Refuse,       Silence,          CutOneOff,     Stall,         Lag,
          LagShortly,     CloseWatches, BreakConnections, ForgetHistory, RestartServer, Deny};
}

// ---- the kinds

std::vector<FaultKind> KindsOfAnswers() {
  const absl::Status timeout = errors::Timeout("late", absl::ZeroDuration());
  return {
      {.name = "slow server",
       .rules = {Some(0.5, fault::Delay{.time = absl::Milliseconds(300), .jitter = 9}),
                 Some(0.05, fault::Delay{.time = absl::Seconds(40)})}},
      {.name = "slow answers",
       .rules = {Some(0.3, fault::Delay{.time = absl::Seconds(10), .after_commit = true})}},
      {.name = "lost requests", .rules = {Some(0.25, fault::Drop{})}},
      {.name = "lost answers", .rules = {Some(0.4, fault::Drop{.after_commit = true}, Writes())}},
      {.name = "504 after the commit",
       .rules = {Some(0.4, fault::Error{.status = timeout, .after_commit = true}, Writes())}},
      {.name = "429", .rules = {Some(0.25, fault::Error{errors::TooManyRequestsError("slowly")})}},
      {.name = "429 with Retry-After",
       .rules = {Some(0.25, fault::Error{errors::TooManyRequests("slowly", absl::Seconds(5))})}},
      {.name = "500", .rules = {Some(0.25, fault::Error{errors::InternalError("etcd")})}},
      {.name = "503", .rules = {Some(0.25, fault::Error{errors::ServiceUnavailable("busy")})}},
      {.name = "conflicts",
       .rules = {Some(0.5, Conflict(), {"update", "patch"})},
       .creates_once = true},
      {.name = "refused", .strikes = {Refuse}},
      {.name = "silence", .strikes = {Silence, CutOneOff}},
      {.name = "server restarts", .strikes = {RestartServer}},
      {.name = "denied", .strikes = {Deny}},
  };
}

std::vector<FaultKind> KindsOfWatches() {
  return {
      {.name = "the cache lags five seconds", .strikes = {LagShortly}, .creates_once = true},
      {.name = "410 of reads",
       .rules = {Some(0.25, fault::Error{errors::ResourceExpired("too old")}, {"list", "watch"})},
       .strikes = {CloseWatches}},
      {.name = "410 in watches", .rules = {Some(0.1, fault::ExpireWatch{}, {"watch"})}},
      {.name = "history is lost", .strikes = {ForgetHistory}},
      {.name = "watches end",
       .rules = {Some(0.1, fault::CloseWatch{}, {"watch"})},
       .strikes = {CloseWatches}},
      {.name = "connections break",
       .rules = {Some(0.1, fault::BreakWatch{}, {"watch"})},
       .strikes = {BreakConnections}},
      {.name = "watches stall", .strikes = {Stall}},
      {.name = "events come twice",
       .rules = {Some(0.5, fault::DuplicateEvent{}, {"watch"}), Some(1, fault::Bookmarks{})},
       .creates_once = true},
      {.name = "stale reads", .strikes = {Lag, CloseWatches}},
  };
}

}  // namespace

std::vector<FaultKind> FaultKinds() {
  std::vector<FaultKind> kinds = {
      {.name = "none", .creates_once = true},
      {.name = "replicas restart", .strikes = {RestartReplica}, .creates_once = true},
  };
  for (FaultKind& kind : KindsOfAnswers()) kinds.push_back(std::move(kind));
  for (FaultKind& kind : KindsOfWatches()) kinds.push_back(std::move(kind));
  kinds.push_back({.name = "all", .rules = AllRules(), .strikes = AllStrikes()});
  return kinds;
}

absl::Status CauseFaults(const Context& ctx, OperatorCluster& cluster, const FaultKind& kind) {
  for (FaultRule rule : kind.rules) {
    rule.user_agent = kAgent;
    rule.seed = base::Runtime::Current().Random();
    cluster.server().faults().Add(std::move(rule));
  }
  std::vector<FaultKind::Strike> strikes = kind.strikes;
  strikes.push_back(&LoseLeadership);
  while (base::SleepFor(ctx, UpTo(kPause)).ok()) {
    const int64_t number = base::UniformInt(0, static_cast<int64_t>(strikes.size()));
    strikes[static_cast<size_t>(number)](ctx, cluster).IgnoreError();
  }
  cluster.server().faults().Clear();
  cluster.server().SetDenyRules({});
  return absl::OkStatus();
}

}  // namespace kube::controllers
