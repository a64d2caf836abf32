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
  // What is not known is looked for again, by asking the server for everything, where that was
  // asked for so long ago or longer; until then it stays unknown. So a CRD that was installed
  // meanwhile is found, and a kind that is nowhere costs the server little. Infinite: only where
  // the cache is not fresh, as upstream.
  absl::Duration negative_ttl = absl::Seconds(10);
};

// A RestMapper that asks for nothing until it is asked, and again for what it does not know.
// (DeferredDiscoveryRESTMapper)
//
//   auto cache = std::make_shared<discovery::MemoryCache>(
//       std::make_shared<discovery::DiscoveryClient>(clientset.client()));
//   restmapper::DeferredDiscoveryRestMapper mapper(cache);
//   KUBE_ASSIGN_OR_RETURN(RestMapping widgets,
//                         mapper.RestMappingFor(ctx, {.group = "example.com", .kind = "Widget"},
//                         {}));
//
// What is found stays until Reset. Calls block while a server is asked. Errors are those of
// RestMapper and of discovery; where group-versions failed, their kinds are not known.
//
// Thread-safe: one thread asks, and the others that need it ask too or take what it brought.
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
  // Forgets, and makes the discovery cache forget.
  void Reset() override ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Built {
    std::shared_ptr<const RestMapper> mapper;
    base::MonotonicTime at;
  };

  // `ask` of the mapper; of a new one, if the first had no answer and may be out of date.
  template <typename R, typename Ask>
  absl::StatusOr<R> Try(const Context& ctx, Ask ask) const;
  absl::StatusOr<Built> Get(const Context& ctx) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Whether `error` may be because `built` is out of date, which then is no more.
  bool Renew(const Built& built, const absl::Status& error) const ABSL_LOCKS_EXCLUDED(mutex_);

  const std::shared_ptr<discovery::CachedDiscovery> discovery_;
  const DeferredRestMapperOptions options_;

  mutable base::Mutex mutex_;
  mutable Built built_ ABSL_GUARDED_BY(mutex_);  // null until it is needed
  // Of Reset: what was asked for before it is not kept.
  mutable uint64_t generation_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace kube::restmapper

#endif  // CLIENTSET_RESTMAPPER_DEFERRED_DISCOVERY_REST_MAPPER_H_
