#ifndef CONTROLLER_HEALTH_HEALTH_CHECK_H_
#define CONTROLLER_HEALTH_HEALTH_CHECK_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"

namespace kube::health {

// A question to a program that has a name: "leaderElection", "informer-sync".
// (healthz.HealthChecker, NamedCheck)
struct HealthCheck {
  // What it is excluded by, and asked alone: "/healthz/NAME". It may have slashes.
  std::string name = {};
  // OK, or what is wrong; only who asks for this check alone is told what. Called by one thread at
  // a time, for all who ask meanwhile. It may block until its context is done, and returns soon
  // after that: HealthServer's end waits for it. Never null.
  std::function<absl::Status(const Context& ctx)> check = nullptr;
};

// Always OK: the program answers. (healthz.PingHealthz)
HealthCheck PingCheck();

}  // namespace kube::health

#endif  // CONTROLLER_HEALTH_HEALTH_CHECK_H_
