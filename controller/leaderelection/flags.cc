#include "controller/leaderelection/flags.h"

#include <functional>
#include <string>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/config.h"
#include "controller/leaderelection/leader_elector.h"
#include "controller/leaderelection/run_as_leader.h"

ABSL_FLAG(bool, leader_elect, false,
          "Start a leader election client and gain leadership before executing the main loop. "
          "Enable this when running replicated components for high availability.");
ABSL_FLAG(absl::Duration, leader_elect_lease_duration, kube::leaderelection::kDefaultLeaseDuration,
          "The duration that non-leader candidates will wait after observing a leadership renewal "
          "until attempting to acquire leadership of a led but unrenewed leader slot. This is "
          "effectively the maximum duration that a leader can be stopped before it is replaced by "
          "another candidate. This is only applicable if leader election is enabled.");
ABSL_FLAG(absl::Duration, leader_elect_renew_deadline, kube::leaderelection::kDefaultRenewDeadline,
          "The interval between attempts by the acting master to renew a leadership slot before it "
          "stops leading. This must be less than the lease duration. This is only applicable if "
          "leader election is enabled.");
ABSL_FLAG(absl::Duration, leader_elect_retry_period, kube::leaderelection::kDefaultRetryPeriod,
          "The duration the clients should wait between attempting acquisition and renewal of a "
          "leadership. This is only applicable if leader election is enabled.");
ABSL_FLAG(std::string, leader_elect_resource_name, "",
          "The name of resource object that is used for locking during leader election.");
ABSL_FLAG(std::string, leader_elect_resource_namespace, "",
          "The namespace of resource object that is used for locking during leader election.");

namespace kube::leaderelection {

absl::Status RunAsLeaderIfAsked(const Context& ctx, const rest::Config& config, LeaseName lease,
                                const std::function<absl::Status(const Context& leading)>& work,
                                LeaderElectionOptions options) {
  if (!absl::GetFlag(FLAGS_leader_elect)) return work(ctx);
  if (std::string name = absl::GetFlag(FLAGS_leader_elect_resource_name); !name.empty()) {
    lease.name = std::move(name);
  }
  if (std::string name = absl::GetFlag(FLAGS_leader_elect_resource_namespace); !name.empty()) {
    lease.namespace_name = std::move(name);
  }
  options.lease_duration = absl::GetFlag(FLAGS_leader_elect_lease_duration);
  options.renew_deadline = absl::GetFlag(FLAGS_leader_elect_renew_deadline);
  options.retry_period = absl::GetFlag(FLAGS_leader_elect_retry_period);
  return RunAsLeader(ctx, config, lease, work, std::move(options));
}

}  // namespace kube::leaderelection
