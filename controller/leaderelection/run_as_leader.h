#ifndef CONTROLLER_LEADERELECTION_RUN_AS_LEADER_H_
#define CONTROLLER_LEADERELECTION_RUN_AS_LEADER_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/config.h"
#include "controller/leaderelection/leader_elector.h"

namespace kube::leaderelection {

// The lease that candidates compete for.
struct LeaseName {
  // Namespace of the Lease, usually the program's own. Must not be empty.
  std::string namespace_name = {};
  // Name of the Lease. Must not be empty.
  std::string name = {};
  // Identity of this candidate, which must be unique. Default: the host name and a random suffix.
  std::string identity = {};
};

// Calls `work` once this program is the leader, with a Context that is done when leadership ends,
// and blocks until both are over. This is all of leader election for a program that exits when it
// no longer leads. (client-go: `leaderelection.RunOrDie` with the usual callbacks)
//
//   return RunAsLeader(ctx, config, {.namespace_name = "default", .name = "my-controller"},
//                      [&](const Context& leading) { return controller.Run(leading); });
//
// Start informers before, so that a follower has full caches, and only the workers in `work`. Once
// `leading` is done, `work` must return soon: when leadership was lost, another may lead already;
// when `ctx` is done, the lease is no longer renewed, and is released only if `work` returns within
// the term, which lasts up to renew_deadline. So workers should not drain their queue
// (workqueue::RunWorkersOptions::drain_timeout).
//
// When `work` returns, the lease is released, and the status of `work` is returned, since an idle
// leader would only block the others. Returns ABORTED if leadership was lost; exit then. If `ctx`
// is done, returns the status of `work`, or OK if it was not called. Also returns the errors of
// rest::MakeClient and LeaderElector::Make.
//
// The lease has a client of its own that other requests cannot delay; it uses `config` without the
// rate limit. `options.release_on_cancel` is always true.
absl::Status RunAsLeader(const Context& ctx, const rest::Config& config, const LeaseName& lease,
                         const std::function<absl::Status(const Context& leading)>& work,
                         LeaderElectionOptions options = {});

}  // namespace kube::leaderelection

#endif  // CONTROLLER_LEADERELECTION_RUN_AS_LEADER_H_
