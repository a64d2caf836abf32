#ifndef CONTROLLER_RECONCILE_CONTROLLER_HOST_H_
#define CONTROLLER_RECONCILE_CONTROLLER_HOST_H_

#include <memory>
#include <string>

#include "absl/time/time.h"
#include "apimachinery/base/metrics.h"
#include "controller/cache/cache.h"
#include "controller/events/record/event_recorder.h"

namespace kube::controller {

class Manager;  // controller/manager/manager.h

// What a controller needs of the program around it. A Manager gives it to its controllers; fill it
// in yourself for a controller without a Manager, for example one that is started and stopped while
// the program runs, or one in a test. (controller-runtime: `controller.NewUnmanaged`)
//
//   Controller<corev1::ConfigMap> maps(ControllerHost{.name = "maps", .cache = &cache});
//   ...
//   maps.managed().StartWatches();
//   KUBE_RETURN_IF_ERROR(maps.managed().WaitForSync(ctx));
//   return maps.managed().RunWorkers(ctx, ctx);
//
// A plain value. What it points to must outlive the controllers.
struct ControllerHost {
  // The field manager of writes: the program's name.
  std::string name = {};
  // Where the objects come from; its client also writes them. Not null.
  Cache* cache = nullptr;
  // Default: no metrics.
  std::shared_ptr<base::MetricsProvider> metrics = base::NoOpMetrics();
  // Takes the events of AnyRequest::Event. Null, the default: they are logged and dropped.
  record::EventRecorder* recorder = nullptr;
  // Used where the options of a controller say nothing; ControllerOptions describes them.
  int workers = 1;
  absl::Duration reconcile_timeout = absl::Minutes(5);
  absl::Duration own_writes_timeout = absl::Seconds(10);
};

// Returns what a manager gives to its controllers.
ControllerHost HostOf(Manager& manager);

}  // namespace kube::controller

#endif  // CONTROLLER_RECONCILE_CONTROLLER_HOST_H_
