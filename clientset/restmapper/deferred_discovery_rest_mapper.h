#ifndef CLIENTSET_RESTMAPPER_DEFERRED_DISCOVERY_REST_MAPPER_H_
#define CLIENTSET_RESTMAPPER_DEFERRED_DISCOVERY_REST_MAPPER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/discovery/discovery.h"

namespace kube::restmapper {

struct DeferredRestMapperOptions {
  // If a kind or resource is unknown, and discovery was read at least this long ago, everything is
  // read again. So a CRD that was installed meanwhile is found, and a kind that does not exist
  // costs the server little. Infinite: read again only if the cache is not fresh, as in client-go.
  absl::Duration negative_ttl = absl::Seconds(10);
};

// A RestMapper that reads discovery when it is first used, and again if it does not know something.
// (client-go: `restmapper.DeferredDiscoveryRESTMapper`)
//
//   const restmapper::DeferredDiscoveryRestMapper mapper(cache);
//   const schema::GroupKind pod = {.kind = "Pod"};
//   KUBE_ASSIGN_OR_RETURN(const RestMapping mapping, mapper.RestMappingFor(ctx, pod, {}));
//
// What was found is kept until Reset. Calls block while the server is asked, and return the errors
// of RestMapper and of discovery. The kinds of group-versions that failed are unknown.
//
// Thread-safe: one thread asks the server, and others that need the same wait for its result.
class DeferredDiscoveryRestMapper final : public ResettableRestMapper {
 public:
  explicit DeferredDiscoveryRestMapper(std::shared_ptr<discovery::CachedDiscovery> discovery,
                                       const DeferredRestMapperOptions& options = {})
      : discovery_(std::move(discovery)), options_(options) {}

  absl::StatusOr<schema::GroupVersionKind> KindFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const override;
  absl::StatusOr<std::vector<schema::GroupVersionKind>> KindsFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const override;
  absl::StatusOr<schema::GroupVersionResource> ResourceFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const override;
  absl::StatusOr<std::vector<schema::GroupVersionResource>> ResourcesFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const override;
  absl::StatusOr<RestMapping> RestMappingFor(const Context& ctx, const schema::GroupKind& kind,
                                             absl::Span<const std::string> versions) const override;
  absl::StatusOr<std::vector<RestMapping>> RestMappingsFor(
      const Context& ctx, const schema::GroupKind& kind,
      absl::Span<const std::string> versions) const override;
  absl::StatusOr<std::string> ResourceSingularizer(const Context& ctx,
                                                   absl::string_view resource) const override;
  // Forgets everything, and invalidates the discovery cache.
  void Reset() override ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Built {
    std::shared_ptr<const RestMapper> mapper;
    base::MonotonicTime at;
  };

  // Calls `ask` with the mapper, and once more with a new mapper if the first had no answer and may
  // be out of date.
  template <typename R, typename Ask>
  absl::StatusOr<R> Try(const Context& ctx, Ask ask) const;
  absl::StatusOr<Built> Get(const Context& ctx) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns whether `error` may be due to `built` being out of date; if so, drops `built`.
  bool Renew(const Context& ctx, const Built& built, const absl::Status& error) const
      ABSL_LOCKS_EXCLUDED(mutex_);

  const std::shared_ptr<discovery::CachedDiscovery> discovery_;
  const DeferredRestMapperOptions options_;

  mutable base::Mutex mutex_;
  mutable Built built_ ABSL_GUARDED_BY(mutex_);  // null until it is needed
  // Incremented by Reset and Renew: a mapper built from earlier answers is not kept.
  mutable uint64_t generation_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace kube::restmapper

#endif  // CLIENTSET_RESTMAPPER_DEFERRED_DISCOVERY_REST_MAPPER_H_
