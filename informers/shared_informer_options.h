#ifndef INFORMERS_SHARED_INFORMER_OPTIONS_H_
#define INFORMERS_SHARED_INFORMER_OPTIONS_H_

#include <memory>

#include "absl/time/time.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/schema/group_version.h"
#include "informers/any_transform.h"
#include "informers/reflector_options.h"

namespace kube::informers {

// Of a SharedInformer. (cache.SharedIndexInformerOptions)
struct SharedInformerOptions {
  // How often handlers that do not say otherwise are told of all objects again; see HandlerOptions.
  // Zero, the default: never. A resync asks the server nothing.
  absl::Duration resync_period = absl::ZeroDuration();
  // What the objects are, for the lister's NotFound and for metrics: {.version = "v1", .resource =
  // "pods"}.
  schema::GroupVersionResource resource = {};
  // Where metrics go, and the value of their label "name", which tells the informers of one
  // resource from each other. Default: nowhere.
  std::shared_ptr<base::MetricsProvider> metrics = base::NoOpMetrics();
  std::string metrics_name = {};
  // For factories: others call SharedInformer::SetTransform.
  AnyTransform transform = {};
  // Selectors, pages, back-off. resync_period and should_resync there are the informer's own.
  ReflectorOptions reflector = {};
};

}  // namespace kube::informers

#endif  // INFORMERS_SHARED_INFORMER_OPTIONS_H_
