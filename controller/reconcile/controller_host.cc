#include "controller/reconcile/controller_host.h"

#include <memory>
#include <utility>

#include "apimachinery/base/metrics.h"
#include "apimachinery/base/prometheus.h"
#include "controller/manager/manager.h"

namespace kube::controller {

ControllerHost HostOf(Manager& manager) {
  // The registry belongs to the manager, which outlives its controllers.
  std::shared_ptr<base::MetricsProvider> metrics(std::shared_ptr<void>(), &manager.registry());
  return {.name = manager.name(),
          .cache = &manager.cache(),
          .metrics = std::move(metrics),
          .recorder = &manager.recorder(),
          .workers = manager.controllers().workers,
          .reconcile_timeout = manager.controllers().reconcile_timeout,
          .own_writes_timeout = manager.controllers().own_writes_timeout};
}

}  // namespace kube::controller
