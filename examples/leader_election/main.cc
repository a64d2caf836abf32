// leader_election [--namespace NS]: two candidates compete for a lease. The second one takes over
// when the first one gives up. (In practice they are two replicas of a program.)
//
//   first leads
//   second waits while first leads
//   first gives up
//   second leads
#include <functional>
#include <iostream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread_group.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/coordination/v1/client.h"
#include "controller/leaderelection/fencing_token.h"
#include "controller/leaderelection/leader_elector.h"
#include "controller/leaderelection/lease_lock.h"

namespace coordinationv1 = kube::api::coordination::v1;
namespace leaderelection = kube::leaderelection;

namespace {

// What a candidate does while it leads, and when it sees another leader.
struct Candidate {
  std::string identity = {};
  std::function<absl::Status(const kube::Context& leading)> work = {};
  std::function<void(const std::string& leader)> on_new_leader = {};
};

// Runs a candidate until its work is done. The work must end when its context does: then another
// candidate may lead.
absl::Status LeadOnce(const kube::Context& ctx, const coordinationv1::LeaseClient& leases,
                      const Candidate& candidate) {
  kube::CancelScope scope = kube::WithCancel(ctx);
  absl::Status worked = absl::CancelledError("never led");
  const auto lock = std::make_shared<leaderelection::LeaseLock>(leases, "leader-election-example",
                                                                candidate.identity);
  const auto lead = [&](const kube::Context& leading, const leaderelection::FencingToken&) {
    worked = candidate.work(leading);
    scope.Cancel();  // gives the lease up
  };
  KUBE_ASSIGN_OR_RETURN(
      const std::unique_ptr<leaderelection::LeaderElector> elector,
      leaderelection::LeaderElector::Make(
          lock,
          {.on_started_leading = lead,
           .on_stopped_leading = [] {},
           .on_new_leader = candidate.on_new_leader},
          // A short period, for a quick example: the default is right for most programs.
          {.retry_period = absl::Milliseconds(200), .release_on_cancel = true}));
  const absl::Status ended = elector->Run(scope.context());
  // ABORTED: the lease was lost, and the work may not be finished.
  return absl::IsCancelled(ended) ? worked : ended;
}

absl::Status Run(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(auto client, kube::kubernetes::Clientset::Make(loaded.config));
  const auto leases = client.CoordinationV1().Leases(loaded.chosen_namespace.name);

  kube::base::Event first_leads;
  kube::base::Event second_waits;
  const Candidate first = {.identity = "first",
                           .work = [&](const kube::Context& leading) -> absl::Status {
                             std::cout << "first leads\n";
                             first_leads.Set();
                             KUBE_RETURN_IF_ERROR(second_waits.Wait(leading));
                             std::cout << "first gives up\n";
                             return absl::OkStatus();
                           }};
  const Candidate second = {.identity = "second",
                            .work =
                                [](const kube::Context&) {
                                  std::cout << "second leads\n";
                                  return absl::OkStatus();
                                },
                            .on_new_leader =
                                [&](const std::string& leader) {
                                  if (leader != "first") return;
                                  std::cout << "second waits while first leads\n";
                                  second_waits.Set();
                                }};

  kube::base::ThreadGroup candidates(ctx);
  candidates.Go("first", [&](const kube::Context& c) { return LeadOnce(c, leases, first); });
  if (first_leads.Wait(candidates.context()).ok()) {
    candidates.Go("second", [&](const kube::Context& c) { return LeadOnce(c, leases, second); });
  }
  return candidates.Wait();
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const absl::Status status = Run(kube::WithTimeout(kube::SignalContext(), absl::Minutes(1)));
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
