#ifndef CONTROLLER_LEADERELECTION_FLAGS_H_
#define CONTROLLER_LEADERELECTION_FLAGS_H_

#include <functional>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/config.h"
#include "controller/leaderelection/leader_elector.h"
#include "controller/leaderelection/run_as_leader.h"

// kube-controller-manager's flags: --leader-elect (off unless given),
// --leader-elect-lease-duration,
// --leader-elect-renew-deadline, --leader-elect-retry-period, --leader-elect-resource-name and
// --leader-elect-resource-namespace. (BindLeaderElectionFlags of k8s.io/component-base)
//
// Flags of Abseil belong to the whole program: it has these because it depends on this target.
// clientcmd::ParseCommandLine takes them with dashes.
namespace kube::leaderelection {

// With --leader-elect as RunAsLeader, without it just `work(ctx)`. The flags take precedence over
// `lease`, where they are given, and over the durations of `options`, which have their defaults.
absl::Status RunAsLeaderIfAsked(const Context& ctx, const rest::Config& config, LeaseName lease,
                                const std::function<absl::Status(const Context& leading)>& work,
                                LeaderElectionOptions options = {});

}  // namespace kube::leaderelection

#endif  // CONTROLLER_LEADERELECTION_FLAGS_H_
