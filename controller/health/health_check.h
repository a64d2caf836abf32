#ifndef CONTROLLER_HEALTH_HEALTH_CHECK_H_
#define CONTROLLER_HEALTH_HEALTH_CHECK_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"

namespace kube::health {

// A named check of a program, such as "leaderElection" or "informer-sync". (apiserver:
// `healthz.HealthChecker`, `healthz.NamedCheck`)
struct HealthCheck {
  // Name for "?exclude=NAME" and for the path "/healthz/NAME". May contain slashes.
  std::string name = {};
  // Returns OK, or the problem, which only a request for this single check shows. Called by one
  // thread at a time; all requests that arrive meanwhile share the result. May block until its
  // context is done, and must return soon after that, because the destructor of HealthServer waits
  // for it. Never null.
  std::function<absl::Status(const Context& ctx)> check = nullptr;
};

// Returns a check that is always OK: the program answers. (apiserver: `healthz.PingHealthz`)
HealthCheck PingCheck();

}  // namespace kube::health

#endif  // CONTROLLER_HEALTH_HEALTH_CHECK_H_
