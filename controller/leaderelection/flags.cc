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

ABSL_FLAG(bool, leader_elect, false, "Work only while no other replica does");
ABSL_FLAG(absl::Duration, leader_elect_lease_duration, kube::leaderelection::kDefaultLeaseDuration,
          "How long others wait for a leader that says nothing any more");
ABSL_FLAG(absl::Duration, leader_elect_renew_deadline, kube::leaderelection::kDefaultRenewDeadline,
          "How long a leader that cannot renew its lease goes on; less than the lease's duration");
ABSL_FLAG(absl::Duration, leader_elect_retry_period, kube::leaderelection::kDefaultRetryPeriod,
          "How long between two tries to get the lease, or to renew it");
ABSL_FLAG(std::string, leader_elect_resource_name, "", "The name of the Lease");
ABSL_FLAG(std::string, leader_elect_resource_namespace, "", "The namespace of the Lease");

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
