#ifndef CONTROLLER_LEADERELECTION_RUN_AS_LEADER_H_
#define CONTROLLER_LEADERELECTION_RUN_AS_LEADER_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/config.h"
#include "controller/leaderelection/leader_elector.h"

namespace kube::leaderelection {

// Which candidates compete for one leadership.
struct LeaseName {
  // Where the Lease is: a program's own namespace, for most. Not empty.
  std::string namespace_name = {};
  std::string name = {};
  // Who this candidate is. No two may have the same. Default: the host's name and a random part.
  std::string identity = {};
};

// Calls `work` as soon as this program leads, with a Context that is done when it does not any
// more, and blocks until both are over: the whole of leader election, for a program that ends
// when it does not lead. (the callbacks that main functions give to leaderelection.RunOrDie)
//
//   return RunAsLeader(ctx, config, {.namespace_name = "prod", .name = "my-controller"},
//                      [&](const Context& leading) { return controller.Run(leading); });
//
// When `work` returns, the lease is given up, and this returns what `work` did: a leader that does
// nothing would be in everybody's way. ABORTED: leadership was lost; end the program. OK when `ctx`
// ends, unless `work` says otherwise. Others: those of rest::MakeClient and LeaderElector::Make.
//
// Renewals have a client of their own, which no other request holds up; of `config` it has all but
// the rate limit. `options.release_on_cancel` is always on.
absl::Status RunAsLeader(const Context& ctx, const rest::Config& config, const LeaseName& lease,
                         const std::function<absl::Status(const Context& leading)>& work,
                         LeaderElectionOptions options = {});

}  // namespace kube::leaderelection

#endif  // CONTROLLER_LEADERELECTION_RUN_AS_LEADER_H_
