// The phases of a manager in the order of their start, which is the reverse of the order of their
// end. Phases (phases.h) goes through them; here is what each of them does.
//
// Invariants: nothing that writes runs outside the leader's phases unless it asked for that; the
// lease is held until the last member of these phases has ended; caches live as long as anybody who
// may read them; the health endpoints are there from the first to the last moment.

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "controller/cache/cache.h"
#include "controller/events/record/event_broadcaster.h"
#include "controller/events/record/event_sink.h"
#include "controller/manager/internal/ca_targets.h"
#include "controller/manager/internal/controller_run.h"
#include "controller/manager/internal/manager_core.h"
#include "controller/manager/internal/phases.h"
#include "controller/manager/internal/runnable_group.h"
#include "controller/manager/manager_status.h"
#include "webhook/ca_bundle.h"
#include "webhook/registration.h"
#include "webhook/server.h"

namespace kube::controller::internal {
namespace {

using base::MutexLock;

// How long events that wait may take to be written at the end.
constexpr absl::Duration kFlushTimeout = absl::Seconds(5);
// How often configurations are checked to have the authority of the webhooks, and how often while
// they cannot be written: they may not exist yet.
constexpr absl::Duration kCaBundleInterval = absl::Minutes(1);
constexpr absl::Duration kCaBundleRetry = absl::Seconds(5);
// How long one such pass may take: an API server that does not answer must not end the renewal.
constexpr absl::Duration kCaBundleTimeout = absl::Seconds(30);
// How often the caches of webhooks are looked at until they have synced.
constexpr absl::Duration kWebhookCachesInterval = absl::Milliseconds(250);

// Returns a context with half of the time that is left, so that a phase that does not end leaves
// some for the others.
Context HalfOf(const Context& ctx) { return WithTimeout(ctx, ctx.TimeLeft() / 2); }

absl::Status StopGroup(RunnableGroup& group, const Context& ctx) {
  group.Cancel();
  return group.Wait(HalfOf(ctx));
}

PhaseSteps StepsOf(std::string name, std::function<absl::Status(const Context&)> start,
                   std::function<absl::Status(const Context&)> stop) {
  return {.name = std::move(name), .start = std::move(start), .stop = std::move(stop)};
}

}  // namespace

std::vector<PhaseSteps> ManagerCore::Steps() {
  std::vector<PhaseSteps> steps;
  steps.push_back(StepsOf(
      "servers", [this](const Context& ctx) { return StartServers(ctx); },
      [this](const Context& ctx) { return StopGroup(servers_, ctx); }));
  steps.push_back(StepsOf(
      "events", [this](const Context&) { return events_.Start(base_); },
      [this](const Context& ctx) { return StopGroup(events_, ctx); }));
  steps.push_back(StepsOf(
      "before caches", [this](const Context& ctx) { return StartBeforeCaches(ctx); },
      [this](const Context& ctx) { return StopGroup(before_caches_, ctx); }));
  steps.back().waits_for = [this] { return std::string(webhooks_->CheckStarted().message()); };
  steps.push_back(StepsOf(
      "informers", [this](const Context&) { return StartInformers(); },
      [this](const Context& ctx) {
        // First those who wait for the caches, to whom their end would look like a failure.
        const absl::Status watches = StopGroup(watches_, ctx);
        return base::JoinErrors({watches, StopGroup(informers_, ctx)});
      }));
  steps.push_back(StepsOf(
      "always", [this](const Context&) { return StartAlways(); },
      [this](const Context& ctx) {
        const absl::Status workers = StopWorkers(always_controllers_, ctx);
        return base::JoinErrors({workers, StopGroup(always_, ctx)});
      }));
  steps.push_back(StepsOf(
      "election", [this](const Context& ctx) { return Elect(ctx); },
      [this](const Context& ctx) { return StopElection(ctx); }));
  steps.back().waits_for = [this] {
    const LeaderStatus leader = StatusOfLeader();
    return absl::StrCat("lease \"", leader.lease, "\", held by \"", leader.holder, "\"");
  };
  steps.push_back(StepsOf(
      "before work", [this](const Context& ctx) { return DoBeforeWork(ctx); },
      [this](const Context& ctx) { return StopGroup(before_work_, ctx); }));
  steps.push_back(StepsOf(
      "leader", [this](const Context&) { return leader_.Start(leading_); },
      [this](const Context& ctx) { return StopWorkers(leader_, ctx); }));
  return steps;
}

void ManagerCore::AddOwnMembers() {
  std::vector<absl::Status> added;
  const auto add = [&added](RunnableGroup& group, std::string name,
                            std::function<absl::Status(const Context&)> run) {
    added.push_back(group.Add({.name = std::move(name),
                               .run = [run = std::move(run)](const Context& take, const Context&) {
                                 return run(take);
                               }}));
  };
  if (options_.health.has_value()) {
    add(servers_, "health endpoints",
        [this](const Context& ctx) { return endpoints_.ServeHealth(ctx); });
  }
  if (endpoints_.has_metrics()) {
    add(servers_, "metrics endpoint",
        [this](const Context& ctx) { return endpoints_.ServeMetrics(ctx); });
  }
  add(events_, "events", [this](const Context& ctx) { return WriteEvents(ctx); });
  add(informers_, "informers", [this](const Context& ctx) {
    ShutdownCaches(ctx);
    return absl::OkStatus();
  });
  if (leadership_ != nullptr) {
    add(election_, "leader election", [this](const Context& ctx) { return leadership_->Run(ctx); });
  }
  // These are the first members of their groups, so no name is in use.
  for (const absl::Status& status : added) status.IgnoreError();
}

absl::Status ManagerCore::StartServers(const Context& ctx) {
  KUBE_RETURN_IF_ERROR(ctx.status());
  KUBE_RETURN_IF_ERROR(endpoints_.StartHealth());
  if (webhooks_->has_webhooks()) KUBE_RETURN_IF_ERROR(AddWebhookServer());
  return servers_.Start(base_);
}

absl::Status ManagerCore::AddWebhookServer() {
  KUBE_RETURN_IF_ERROR(
      servers_.Add({.name = "webhook server", .run = [this](const Context& take, const Context&) {
                      return webhooks_->Run(take);
                    }}));
  KUBE_RETURN_IF_ERROR(watches_.Add(
      {.name = "webhook readiness",
       .run = [this](const Context& take, const Context&) { return AwaitWebhookCaches(take); },
       .may_end = true}));
  if (!options_.webhooks.self_signed.has_value()) return absl::OkStatus();
  return servers_.Add(
      {.name = "webhook authority",
       .run = [this](const Context& take, const Context&) { return KeepCaBundles(take); },
       .may_end = true});
}

absl::Status ManagerCore::StartBeforeCaches(const Context& ctx) {
  KUBE_RETURN_IF_ERROR(before_caches_.Start(base_));
  const std::vector<webhook::Registration> webhooks = webhooks_->registrations();
  const bool converts =
      std::any_of(webhooks.begin(), webhooks.end(), [](const webhook::Registration& one) {
        return one.kind == webhook::WebhookKind::kConversion;
      });
  if (!converts) return absl::OkStatus();
  // Watches of such kinds may need the conversions. If these do not come, the watches fail and are
  // tried again, and /readyz says why.
  const absl::Status waited = webhooks_->WaitUntilStarted(WithTimeout(ctx, options_.start_timeout));
  KUBE_RETURN_IF_ERROR(ctx.status());
  if (!waited.ok()) {
    log::Warning("informers start before the conversion webhooks", {{"err", waited}});
  }
  return absl::OkStatus();
}

absl::Status ManagerCore::KeepCaBundles(const Context& ctx) {
  const webhook::CaBundleTargets targets =
      CaBundleTargetsOf(options_.name, *options_.webhooks.self_signed, webhooks_->registrations());
  // An error that stays the same is logged once.
  absl::Status last = absl::OkStatus();
  while (!ctx.done()) {
    const absl::StatusOr<std::string> ca = webhooks_->CaCertificate();
    const absl::Status added =
        ca.ok() ? webhook::AddCaBundle(WithTimeout(ctx, kCaBundleTimeout), client_, targets, *ca)
                : ca.status();
    if (ctx.done()) break;
    NoteAuthority(added);
    // What is not there yet asks nobody, and is looked for soon again.
    const bool fails = !added.ok() && !absl::IsNotFound(added);
    if (fails && added != last) log::Error(added, "failed to write the CA of webhooks");
    last = added;
    base::SleepFor(ctx, added.ok() ? kCaBundleInterval : kCaBundleRetry).IgnoreError();
  }
  return absl::OkStatus();
}

void ManagerCore::NoteAuthority(const absl::Status& written) {
  MutexLock lock(mutex_);
  if (authority_error_.ok()) return;
  // Nothing asks this program that does not exist.
  if (written.ok() || absl::IsNotFound(written)) {
    authority_error_ = absl::OkStatus();
  } else {
    authority_error_ = absl::UnavailableError(
        absl::StrCat("webhook authority not written yet: ", written.message()));
  }
}

absl::Status ManagerCore::AwaitWebhookCaches(const Context& ctx) {
  const Context patience = WithTimeout(ctx, options_.start_timeout);
  absl::Status synced = CheckWebhookCaches();
  while (!synced.ok() && base::SleepFor(patience, kWebhookCachesInterval).ok()) {
    synced = CheckWebhookCaches();
  }
  KUBE_RETURN_IF_ERROR(ctx.status());
  if (!synced.ok()) {
    log::Warning("admission webhooks are answered before their caches have synced",
                 {{"err", synced}});
  }
  MutexLock lock(mutex_);
  webhooks_ready_ = true;
  return absl::OkStatus();
}

absl::Status ManagerCore::StartInformers() {
  {
    MutexLock lock(mutex_);
    informers_started_ = true;
  }
  KUBE_RETURN_IF_ERROR(informers_.Start(base_));
  return watches_.Start(base_);
}

absl::Status ManagerCore::StartAlways() {
  KUBE_RETURN_IF_ERROR(always_.Start(base_));
  return always_controllers_.Start(base_);
}

absl::Status ManagerCore::Elect(const Context& ctx) {
  if (leadership_ == nullptr) {
    leading_ = base_;
    return absl::OkStatus();
  }
  KUBE_RETURN_IF_ERROR(election_.Start(base_));
  KUBE_ASSIGN_OR_RETURN(leading_, leadership_->WaitUntilLeads(ctx));
  return absl::OkStatus();
}

absl::Status ManagerCore::DoBeforeWork(const Context& ctx) {
  std::vector<std::function<absl::Status(const Context&)>> functions;
  {
    MutexLock lock(mutex_);
    functions = before_work_functions_;
  }
  if (functions.empty()) return absl::OkStatus();
  for (const std::shared_ptr<ControllerRun>& run : AllRuns()) {
    if (run->starts_early()) KUBE_RETURN_IF_ERROR(run->WaitUntilWatched(ctx));
  }
  // On a thread of the group, so that the end does not wait for a function that does not end.
  const auto call_all = [functions](const Context& take, const Context&) {
    for (const auto& function : functions) {
      KUBE_RETURN_IF_ERROR(take.status());
      KUBE_RETURN_IF_ERROR(function(take));
    }
    return absl::OkStatus();
  };
  KUBE_RETURN_IF_ERROR(before_work_.Add({.name = "before work", .run = call_all, .may_end = true}));
  KUBE_RETURN_IF_ERROR(before_work_.Start(leading_));
  const absl::Status done = before_work_.Wait(ctx);
  return ctx.done() ? ctx.status() : done;
}

absl::Status ManagerCore::StopWorkers(RunnableGroup& group, const Context& ctx) {
  group.StopTaking();
  group.Wait(stop_.drain).IgnoreError();
  group.Cancel();
  // Another group may have used up the time of the workers. Contexts have only just ended here.
  return group.Wait(stop_.workers.done() ? HalfOf(ctx) : stop_.workers);
}

absl::Status ManagerCore::StopElection(const Context& ctx) {
  if (leader_.ended() && before_work_.ended()) {
    if (leadership_ != nullptr) leadership_->NoteWorkEnded();
    return StopGroup(election_, ctx);
  }
  // The lease is no longer renewed and expires. It must not be free while its work goes on.
  election_.Cancel();
  if (leadership_ != nullptr) {
    log::Warning("lease is not released, because the leader's work has not ended");
  }
  return absl::OkStatus();
}

void ManagerCore::ShutdownCaches(const Context& ctx) {
  base::WaitUntilDone(ctx).IgnoreError();
  for (Cache* cache : AllCaches()) cache->Shutdown();
}

absl::Status ManagerCore::WriteEvents(const Context& ctx) {
  KUBE_RETURN_IF_ERROR(broadcaster_.StartRecordingToSink(record::NewEventSink(client_)).status());
  base::WaitUntilDone(ctx).IgnoreError();
  if (!broadcaster_.Shutdown(std::min(kFlushTimeout, options_.stop_timeout)).ok()) {
    log::Warning("not all events were written before the end");
  }
  return absl::OkStatus();
}

}  // namespace kube::controller::internal
