#include "controller/leaderelection/run_as_leader.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "clientset/kubernetes/coordination/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "controller/leaderelection/fencing_token.h"
#include "controller/leaderelection/identity.h"
#include "controller/leaderelection/leader_elector.h"
#include "controller/leaderelection/lease_lock.h"

namespace kube::leaderelection {
namespace {

absl::StatusOr<std::shared_ptr<LeaseLock>> MakeLock(rest::Config config, const LeaseName& lease) {
  if (lease.namespace_name.empty() || lease.name.empty()) {
    return absl::InvalidArgumentError("run as leader: lease name and namespace must be specified");
  }
  config.qps = 0;
  config.burst = 0;
  config.rate_limiter = nullptr;
  KUBE_ASSIGN_OR_RETURN(rest::Client client, rest::MakeClient(config));
  return std::make_shared<LeaseLock>(
      api::coordination::v1::LeaseClient(std::move(client), lease.namespace_name), lease.name,
      lease.identity.empty() ? UniqueIdentity() : lease.identity);
}

}  // namespace

absl::Status RunAsLeader(const Context& ctx, const rest::Config& config, const LeaseName& lease,
                         const std::function<absl::Status(const Context& leading)>& work,
                         LeaderElectionOptions options) {
  KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<LeaseLock> lock, MakeLock(config, lease));
  CancelScope scope = WithCancel(ctx);
  absl::Status worked;
  const auto lead = [&](const Context& leading, const FencingToken&) {
    log::Info(leading, "started leading",
              {{"lock", lock->Describe()}, {"identity", lock->identity()}});
    worked = work(leading);
    // If leadership was lost, the elector ends by itself, with that as its error.
    if (!leading.done()) scope.Cancel();
  };
  options.release_on_cancel = true;
  KUBE_ASSIGN_OR_RETURN(
      const std::unique_ptr<LeaderElector> elector,
      LeaderElector::Make(lock, {.on_started_leading = lead, .on_stopped_leading = [] {}},
                          std::move(options)));
  const absl::Status end = elector->Run(scope.context());
  const bool ended_by_context = absl::IsCancelled(end) || absl::IsDeadlineExceeded(end);
  return ended_by_context ? worked : end;
}

}  // namespace kube::leaderelection
