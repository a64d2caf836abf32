#ifndef CONTROLLER_LEADERELECTION_FLAGS_H_
#define CONTROLLER_LEADERELECTION_FLAGS_H_

#include <functional>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/config.h"
#include "controller/leaderelection/leader_elector.h"
#include "controller/leaderelection/run_as_leader.h"

// The flags of kube-controller-manager: --leader-elect (default: off),
// --leader-elect-lease-duration, --leader-elect-renew-deadline, --leader-elect-retry-period,
// --leader-elect-resource-name and --leader-elect-resource-namespace.
// (client-go: `BindLeaderElectionFlags` in k8s.io/component-base)
//
// Abseil flags are global: a program has these flags if it links this target. Only
// RunAsLeaderIfAsked reads them: RunAsLeader and LeaderElector ignore them. To elect by default,
// and still let a user turn it off, call absl::SetFlag(&FLAGS_leader_elect, true), of
// ABSL_DECLARE_FLAG(bool, leader_elect), before the command line is parsed.
// clientcmd::ParseCommandLine accepts them with dashes.
namespace kube::leaderelection {

// Calls RunAsLeader if --leader-elect is set, and otherwise just `work(ctx)`. Resource name and
// namespace flags take precedence over `lease` if they are set. The durations of `options` are
// always replaced by those of the flags, which have the same defaults.
absl::Status RunAsLeaderIfAsked(const Context& ctx, const rest::Config& config, LeaseName lease,
                                const std::function<absl::Status(const Context& leading)>& work,
                                LeaderElectionOptions options = {});

}  // namespace kube::leaderelection

#endif  // CONTROLLER_LEADERELECTION_FLAGS_H_
