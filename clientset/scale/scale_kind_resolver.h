#ifndef CLIENTSET_SCALE_SCALE_KIND_RESOLVER_H_
#define CLIENTSET_SCALE_SCALE_KIND_RESOLVER_H_

#include <map>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/discovery/discovery.h"

namespace kube::scale {

// Finds the kind of a resource's scale, which is nearly always that of autoscaling/v1.
// Implementations are thread-safe. (client-go: `scale.ScaleKindResolver`)
class ScaleKindResolver {
 public:
  virtual ~ScaleKindResolver() = default;

  // Returns the kind, or NOT_FOUND if the resource has no scale. May block while a server is asked.
  virtual absl::StatusOr<schema::GroupVersionKind> ScaleForResource(
      const Context& ctx, const schema::GroupVersionResource& resource) const = 0;
};

// Asks discovery, and remembers each answer forever. Thread-safe. (client-go:
// `scale.NewDiscoveryScaleKindResolver`)
class DiscoveryScaleKindResolver final : public ScaleKindResolver {
 public:
  explicit DiscoveryScaleKindResolver(std::shared_ptr<const discovery::Discovery> discovery)
      : discovery_(std::move(discovery)) {}

  absl::StatusOr<schema::GroupVersionKind> ScaleForResource(
      const Context& ctx, const schema::GroupVersionResource& resource) const override
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  absl::StatusOr<schema::GroupVersionKind> Ask(const Context& ctx,
                                               const schema::GroupVersionResource& resource) const;

  const std::shared_ptr<const discovery::Discovery> discovery_;
  mutable base::Mutex mutex_;
  // One entry for each resource that was scaled.
  mutable std::map<schema::GroupVersionResource, schema::GroupVersionKind> known_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::scale

#endif  // CLIENTSET_SCALE_SCALE_KIND_RESOLVER_H_
