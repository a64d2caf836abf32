#include "tests/simulation/foo_troubles.h"

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
#include "tests/simulation/foo_cluster.h"
#include "tests/simulation/foo_writer.h"

namespace kube::simulation {

namespace fault = apiserver::fault;
using apiserver::Fault;
using apiserver::FaultRule;
using Verbs = std::vector<std::string>;

namespace {

// The maximum duration of a strike, and of the pause between two.
constexpr absl::Duration kStrike = absl::Seconds(30);
constexpr absl::Duration kPause = absl::Seconds(15);

FaultRule Some(double probability, Fault what, Verbs verbs = {}) {
  return {.verbs = std::move(verbs), .probability = probability, .fault = std::move(what)};
}

Verbs Writes() { return {"create", "update", "patch"}; }
Verbs Reads() { return {"get", "list", "watch"}; }

// ---- strikes

absl::Status While(const Context& ctx, FooCluster& cluster, FaultRule rule, absl::Duration most) {
  rule.user_agent = kControllerAgent;
  const apiserver::FaultId id = cluster.server().faults().Add(std::move(rule));
  const absl::Status status = base::SleepFor(ctx, UpTo(most));
  cluster.server().faults().Remove(id);
  return status;
}

absl::Status Refuse(const Context& ctx, FooCluster& cluster) {
  return While(ctx, cluster, {.fault = fault::Partition{.refuse = true}}, kStrike);
}

absl::Status Silence(const Context& ctx, FooCluster& cluster) {
  return While(ctx, cluster, {.fault = fault::Partition{}}, kStrike);
}

// Cuts off one process, which the others cannot notice.
absl::Status CutOneOff(const Context& ctx, FooCluster& cluster) {
  const auto i =
      static_cast<size_t>(base::UniformInt(0, static_cast<int64_t>(cluster.processes())));
  return While(
      ctx, cluster,
      {.user = cluster.process(i).user(), .fault = fault::Partition{.refuse = Chance(0.5)}},
      kStrike);
}

// Stalls the watches of Foos or of Deployments; the others go on.
absl::Status Stall(const Context& ctx, FooCluster& cluster) {
  return While(ctx, cluster,
               {.verbs = {"watch"},
                .resource = Chance(0.5) ? "foos" : "deployments",
                .fault = fault::StallWatch{}},
               kStrike);
}

// Lets the caches of Foos or of Deployments lag.
absl::Status Lag(const Context& ctx, FooCluster& cluster) {
  return While(ctx, cluster,
               {.verbs = Reads(),
                .resource = Chance(0.5) ? "foos" : "deployments",
                .fault = fault::Lag{.revisions = base::UniformInt(1, 60)}},
               kStrike);
}

absl::Status CloseWatches(const Context&, FooCluster& cluster) {
  cluster.server().faults().CloseWatches();
  return absl::OkStatus();
}

absl::Status BreakConnections(const Context&, FooCluster& cluster) {
  cluster.server().faults().BreakConnections();
  return absl::OkStatus();
}

// Clients that resume from a resource version get 410.
absl::Status ForgetHistory(const Context& ctx, FooCluster& cluster) {
  cluster.server().faults().CloseWatches();
  return While(ctx, cluster,
               {.verbs = {"watch"},
                .times = base::UniformInt(1, 6),
                .fault = fault::Error{errors::ResourceExpired("too old resource version")}},
               kStrike);
}

absl::Status RestartServer(const Context&, FooCluster& cluster) {
  cluster.server().Restart();
  return absl::OkStatus();
}

absl::Status RestartController(const Context&, FooCluster& cluster) {
  cluster
      .process(static_cast<size_t>(base::UniformInt(0, static_cast<int64_t>(cluster.processes()))))
      .Restart();
  return absl::OkStatus();
}

// Denies a part of what the controller needs.
absl::Status Deny(const Context& ctx, FooCluster& cluster) {
  const std::vector<apiserver::DenyRule> rights = {
      {.verb = "list"},
      {.verb = "watch"},
      {.verb = "create"},
      {.verb = "update"},
      {.verb = "patch"},
      {.verb = "get"},
      {.group = "samplecontroller.k8s.io", .resource = "foos"},
      {.group = "samplecontroller.k8s.io", .resource = "foos/status"},
      {.group = "apps", .resource = "deployments"},
      {},
  };
  std::vector<apiserver::DenyRule> denied;
  for (size_t i = 0; i < cluster.processes(); ++i) {
    for (apiserver::DenyRule rule : rights) {
      if (!Chance(0.25)) continue;
      rule.user = cluster.process(i).user();
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

Fault Conflict() {
  return fault::Error{errors::Conflict({.group = "apps", .resource = "deployments"}, "a", "late")};
}

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

std::vector<Trouble::Strike> AllStrikes() {
  return {Refuse,       Silence,          CutOneOff,     Stall,         Lag,
          CloseWatches, BreakConnections, ForgetHistory, RestartServer, RestartController,
          Deny};
}

}  // namespace

std::vector<Trouble> Troubles() {
  const auto timeout = errors::Timeout("late", absl::ZeroDuration());
  return {
      {.name = "none"},
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
      {.name = "conflicts", .rules = {Some(0.5, Conflict(), {"update", "patch"})}},
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
       .rules = {Some(0.5, fault::DuplicateEvent{}, {"watch"}), Some(1, fault::Bookmarks{})}},
      {.name = "stale reads", .strikes = {Lag, CloseWatches}},
      {.name = "refused", .strikes = {Refuse}},
      {.name = "silence", .strikes = {Silence}},
      {.name = "server restarts", .strikes = {RestartServer}},
      {.name = "denied", .strikes = {Deny}},
      {.name = "controller restarts", .strikes = {RestartController}},
      {.name = "leader election",
       .processes = 2,
       .elects = true,
       .strikes = {CutOneOff, RestartController}},
      {.name = "all", .rules = AllRules(), .strikes = AllStrikes()},
      {.name = "all, with leader election",
       .processes = 2,
       .elects = true,
       .rules = AllRules(),
       .strikes = AllStrikes()},
  };
}

void CauseTrouble(const Context& ctx, FooCluster& cluster, const Trouble& trouble) {
  for (FaultRule rule : trouble.rules) {
    rule.user_agent = kControllerAgent;
    rule.seed = base::Runtime::Current().Random();
    cluster.server().faults().Add(std::move(rule));
  }
  const auto strikes = static_cast<int64_t>(trouble.strikes.size());
  while (strikes > 0 && base::SleepFor(ctx, UpTo(kPause)).ok()) {
    trouble.strikes[static_cast<size_t>(base::UniformInt(0, strikes))](ctx, cluster).IgnoreError();
  }
  base::WaitUntilDone(ctx).IgnoreError();
  cluster.server().faults().Clear();
  cluster.server().SetDenyRules({});
}

}  // namespace kube::simulation
