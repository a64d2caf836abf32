#ifndef CONTROLLER_CACHE_CACHE_OPTIONS_H_
#define CONTROLLER_CACHE_CACHE_OPTIONS_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/codec/projection.h"
#include "apimachinery/labels/selector.h"
#include "informers/reflector_options.h"

namespace kube::controller {

// Options of a Cache, which hold for all its watches. (controller-runtime: `cache.Options`)
struct CacheOptions {
  // Namespaces of namespaced kinds, unless a watch names its own. Each namespace costs an informer
  // and a connection for each kind; a Role for each namespace is then enough. Default: all
  // namespaces, which needs a ClusterRole. (controller-runtime: `DefaultNamespaces`)
  std::vector<std::string> namespaces = {};
  // Skips metadata.managedFields while decoding, often a third of an object. Has no effect on
  // unstructured objects. Default: true. (controller-runtime: `TransformStripManagedFields`)
  bool drop_managed_fields = true;
  // How often handlers are given all objects again, as updates with `is_resync`. Zero, the default:
  // never. (controller-runtime: `SyncPeriod`, 10 hours by default)
  absl::Duration resync_period = absl::ZeroDuration();
  // Page size, back-off and the like of all informers. Its selectors and resync period are replaced
  // by those of the watch and of the cache.
  informers::ReflectorOptions reflector = {};
  // Destination of the informers' metrics; see informers::SharedInformerOptions. Their label "name"
  // says what tells a watch from others of its resource, such as
  // "namespace=prod;labels=app=web;metadata": the namespace, the selectors, the projection, and
  // whether it is of metadata, unstructured, or has managed fields although others do not. Default:
  // no metrics.
  std::shared_ptr<base::MetricsProvider> metrics = base::NoOpMetrics();
  // Name of the cache, which the metrics' label "name" then has as "cache=NAME", for several caches
  // with the same `metrics`. Default: empty. Manager::AddCluster sets the cluster's name.
  std::string name = {};
};

// Options of one watch. Watches with equal options, of the same kind, share an informer.
// (controller-runtime: `cache.ByObject`, there for all watches of a kind)
struct WatchOptions {
  // Select the objects that the server sends, such as "app=web" or "spec.nodeName=node-1". The
  // store has no others. Default: all objects. The server rejects field selectors that the kind
  // does not support; WaitForSync then returns its error.
  std::string label_selector = {};
  std::string field_selector = {};
  // The namespaces. Default: those of the cache. A list with the one element "" means all
  // namespaces. Ignored for cluster-scoped kinds.
  std::vector<std::string> namespaces = {};
  // Overrides CacheOptions::drop_managed_fields if set. WaitForSync returns INVALID_ARGUMENT if it
  // is set to true for unstructured objects.
  std::optional<bool> drop_managed_fields = {};
  // Fields to skip while decoding, so that they take no memory. Objects from such a watch must not
  // be written back as a whole. Default: all fields. WaitForSync returns INVALID_ARGUMENT if it
  // names a field that the kind does not have, or if the objects are unstructured.
  codec::ProjectionOptions projection = {};
};

// The objects that a list contains. (controller-runtime: `client.ListOption`)
struct ListScope {
  // Only objects of this namespace. Default: those of all namespaces of the watch. Ignored for
  // cluster-scoped kinds.
  std::optional<std::string> namespace_name = {};
  // Only objects whose labels match. All objects of the scope are tested, so use an index for
  // frequent queries. Default: all.
  labels::Selector label_selector = {};
};

}  // namespace kube::controller

#endif  // CONTROLLER_CACHE_CACHE_OPTIONS_H_
