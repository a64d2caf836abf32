#include "controller/health/health_check.h"

#include "absl/status/status.h"
#include "apimachinery/base/context.h"

namespace kube::health {

HealthCheck PingCheck() {
  return {.name = "ping", .check = [](const Context&) { return absl::OkStatus(); }};
}

}  // namespace kube::health
