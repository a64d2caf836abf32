#ifndef INFORMERS_SHARED_INFORMER_OPTIONS_H_
#define INFORMERS_SHARED_INFORMER_OPTIONS_H_

#include <memory>

#include "absl/time/time.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/schema/group_version.h"
#include "informers/any_transform.h"
#include "informers/reflector_options.h"

namespace kube::informers {

// Options of a SharedInformer. (client-go: `cache.SharedIndexInformerOptions`)
struct SharedInformerOptions {
  // How often handlers that set no period of their own are given all objects again; see
  // HandlerOptions. Zero, the default: never. A resync sends no request.
  absl::Duration resync_period = absl::ZeroDuration();
  // The resource, used for the lister's NotFound errors and as metric labels: {.version = "v1",
  // .resource = "pods"}.
  schema::GroupVersionResource resource = {};
  // Destination of metrics, and the value of their label "name", which distinguishes several
  // informers of one resource. Default: no metrics.
  std::shared_ptr<base::MetricsProvider> metrics = base::NoOpMetrics();
  std::string metrics_name = {};
  // For factories; other callers use SharedInformer::SetTransform.
  AnyTransform transform = {};
  // Selectors, page size, back-off. Its resync_period and should_resync are overwritten by the
  // informer.
  ReflectorOptions reflector = {};
};

}  // namespace kube::informers

#endif  // INFORMERS_SHARED_INFORMER_OPTIONS_H_
